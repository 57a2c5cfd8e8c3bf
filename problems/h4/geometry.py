"""The geometry of the H4 (S0 eq. 1-13), for many instants at once: joint angles, poses, and the Jacobian between them.

A pose x = (x, y, z, theta) is in m and rad, joint angles q in rad; the last axis of an array has the four chains.

    A_i = (x, y, z) + s_i h (cos theta, sin theta, 0) + e_i d (0, 1, 0)        end of the rod on the nacelle (eq. 2-4)
    B_i = P_i + L (cos q_i cos alpha_i, cos q_i sin alpha_i, -sin q_i)         tip of the driven arm (eq. 5-8)
    |A_i B_i| = l                                                              the rod
    J_x dx/dt = J_q dq/dt                                                      its derivative (eq. 11-13)

Two misprints of the papers are mended. They call L the arm and l the forearm, and write l in eq. 6, where the geometry
wants the driven arm's length. The last column of J_x is the moment about the bar's own middle, s_i h (cos theta, sin
theta, 0) x A_i B_i: eq. 12 writes D C_i, which does not turn; finite differences tell. The papers give no dimensions;
these are ours, those of problems/platforms/h4.py.
"""

from __future__ import annotations

import numpy as np

from certify.problems.dynamics.closed_kinematics import pose_of_joints
from certify.problems.dynamics.driven_arms import CHAINS, DrivenArms
from certify.problems.regressors.regressor import Floats

ARM, ROD, HALF_BAR, HALF_WIDTH, BASE = 0.260, 0.480, 0.060, 0.050, 0.140  # L, l, h, d and R in m
DIRECTION = np.array([0.0, np.pi, 1.5 * np.pi, 1.5 * np.pi])  # alpha
BAR_SIDE, WIDTH_SIDE = np.array([1.0, -1.0, -1.0, 1.0]), np.array([1.0, 1.0, -1.0, -1.0])  # s and e
OUTWARD = np.array([[1.0, 0, 0], [-1, 0, 0], [0, -1, 0], [0, -1, 0]])  # (cos alpha, sin alpha, 0), exactly
AXIS = BASE * OUTWARD + np.stack([BAR_SIDE * HALF_BAR, WIDTH_SIDE * HALF_WIDTH, np.zeros(CHAINS)], axis=1)  # P_i
START = np.array([0.0, 0.0, -0.46, 0.0])  # where the iteration of eq. 10 begins
ARMS = DrivenArms(ARM, ROD, OUTWARD)


def bars(pose: Floats) -> Floats:
    """The half bars that turn with theta, from their middles to A_i: (..., 4 chains, 3)."""
    angle = pose[..., 3, None]
    zero = np.zeros(np.broadcast_shapes(angle.shape, (CHAINS,)))
    return np.stack([BAR_SIDE * HALF_BAR * np.cos(angle), BAR_SIDE * HALF_BAR * np.sin(angle), zero], axis=-1)


def turned_bars(pose: Floats) -> Floats:
    """What the half bars change by with theta, z x bar: (..., 4 chains, 3)."""
    bar = bars(pose)
    return np.stack([-bar[..., 1], bar[..., 0], bar[..., 2]], axis=-1)


def nacelle_joints(pose: Floats) -> Floats:
    """The points A_i, (..., 4 chains, 3)."""
    found: Floats = pose[..., None, :3] + bars(pose) + WIDTH_SIDE[:, None] * HALF_WIDTH * np.array([0.0, 1.0, 0.0])
    return found


def rods(pose: Floats, joints: Floats) -> Floats:
    """The rods A_i B_i, (..., 4 chains, 3)."""
    return AXIS + ARMS.along(joints) - nacelle_joints(pose)


def inverse_kinematics(pose: Floats) -> Floats:
    """The joint angles in a pose, in closed form; NaN where a rod does not reach."""
    return ARMS.angles(nacelle_joints(pose) - AXIS)


def jacobian_parts(pose: Floats, joints: Floats) -> tuple[Floats, Floats]:
    """J_x, (..., 4, 4), and the diagonal of J_q, (..., 4) (eq. 12, 13)."""
    rod = rods(pose, joints)
    bar = bars(pose)
    moment = bar[..., 0] * rod[..., 1] - bar[..., 1] * rod[..., 0]
    return np.concatenate([rod, moment[..., None]], axis=-1), (rod * ARMS.tangents(joints)).sum(-1)


def jacobian(pose: Floats, joints: Floats) -> Floats:
    """J with dx/dt = J dq/dt, (..., 4, 4) (eq. 11)."""
    of_pose, of_joints = jacobian_parts(pose, joints)
    right = of_joints[..., None] * np.eye(CHAINS)
    found: Floats = np.asarray(np.linalg.solve(of_pose, right), dtype=np.float64)
    return found


def forward_kinematics(joints: Floats, start: Floats = START) -> Floats:
    """The poses with these joint angles, near `start` (eq. 10)."""
    return pose_of_joints(joints, start, inverse_kinematics, jacobian, "H4")
