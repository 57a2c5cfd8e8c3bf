"""The geometry of the Par4 (S4 eq. 2-4 and 10-12), for many instants at once: joint angles, poses, and two Jacobians.

A pose X = (x, y, z, theta) is in m and rad: D, the point of the first half of the travelling plate, and the angle of
the bars that carry the second half; joint angles q are in rad; the last axis of an array has the four chains.

    A_i = P_i + L (cos q_i cos alpha_i, cos q_i sin alpha_i, -sin q_i)          tip of the driven arm
    D' = D + h (-sin theta, cos theta, 0)                                       the point of the second half
    B_i = D' + b_i of chains 0 and 1,  D + b_i of chains 2 and 3                both halves keep their orientation
    |A_i B_i| = l                                                               the forearm
    J_x1 dX = J_q dq,   J_x2 (dX', dtheta) = J_q dq                             its derivative (eq. 3, 4 and 11, 12)

What S4 prints of it is mended in two places. Its lists name the half of B_0 B_1 now the first and now the second: by
its Jacobians the first half, at D, holds B_2 and B_3. J_q has the index 1 where i is meant; its v_i is the unit vector
of the actuator's axis about which q_i turns the arm backwards.

S4 gives no dimensions; these are ours, those of problems/platforms/par4.py, whose axes are turned by a quarter.
"""

from __future__ import annotations

import numpy as np

from certify.problems.dynamics.closed_kinematics import pose_of_joints
from certify.problems.dynamics.driven_arms import CHAINS, DrivenArms
from certify.problems.errors import InputError
from certify.problems.regressors.regressor import Floats

ARM, FOREARM, BAR, HALF_WIDTH, BASE = 0.375, 0.825, 0.080, 0.045, 0.275  # L, l, h, |b| and |P_i| in m
DIRECTION = np.radians([45.0, 135.0, 225.0, 315.0])  # alpha
SECOND = np.array([1.0, 1.0, 0.0, 0.0])  # which chains hold the second half
OUTWARD = np.stack([np.cos(DIRECTION), np.sin(DIRECTION), np.zeros(CHAINS)], axis=1)
ACTUATOR = np.stack([-np.sin(DIRECTION), np.cos(DIRECTION), np.zeros(CHAINS)], axis=1)  # -v_i: q_i turns about it
AXIS = BASE * OUTWARD  # P_i
JOINT = HALF_WIDTH * np.array([[1.0, 0, 0], [-1, 0, 0], [-1, 0, 0], [1, 0, 0]])  # b_i
START = np.array([0.0, -BAR / 2.0, -0.82, 0.0])  # where both halves are even about the middle
FARTHEST = 1.52  # rad, of theta: beyond, the bars stand along the forearms' even pairs and nothing holds the plate
ARMS = DrivenArms(ARM, FOREARM, OUTWARD)


def bars(pose: Floats) -> Floats:
    """D D', (..., 3)."""
    angle = pose[..., 3]
    found: Floats = BAR * np.stack([-np.sin(angle), np.cos(angle), np.zeros_like(angle)], axis=-1)
    return found


def turned_bars(pose: Floats) -> Floats:
    """What D D' changes by with theta, (..., 3)."""
    angle = pose[..., 3]
    found: Floats = -BAR * np.stack([np.cos(angle), np.sin(angle), np.zeros_like(angle)], axis=-1)
    return found


def plate_joints(pose: Floats) -> Floats:
    """The points B_i, (..., 4 chains, 3)."""
    found: Floats = pose[..., None, :3] + SECOND[:, None] * bars(pose)[..., None, :] + JOINT
    return found


def forearms(pose: Floats, joints: Floats) -> Floats:
    """A_i B_i, (..., 4 chains, 3)."""
    return plate_joints(pose) - AXIS - ARMS.along(joints)


def inverse_kinematics(pose: Floats) -> Floats:
    """The joint angles in a pose, in closed form; NaN where a forearm does not reach."""
    return ARMS.angles(plate_joints(pose) - AXIS)


def jacobian_parts(pose: Floats, joints: Floats) -> tuple[Floats, Floats, Floats]:
    """J_x1 and J_x2, (..., 4, 4), and the diagonal of J_q, (..., 4)."""
    forearm = forearms(pose, joints)
    turning = (forearm * turned_bars(pose)[..., None, :]).sum(-1)
    first, second = turning * SECOND, -turning * (1.0 - SECOND)
    of_joints: Floats = (forearm * ARMS.tangents(joints)).sum(-1)
    return (
        np.concatenate([forearm, first[..., None]], axis=-1),
        np.concatenate([forearm, second[..., None]], axis=-1),
        of_joints,
    )


def jacobians(pose: Floats, joints: Floats) -> tuple[Floats, Floats]:
    """J_1 and J_2, (..., 4, 4): dX = J_1 dq and (dX', dtheta) = J_2 dq."""
    of_first, of_second, of_joints = jacobian_parts(pose, joints)
    right = of_joints[..., None] * np.eye(CHAINS)
    return np.asarray(np.linalg.solve(of_first, right)), np.asarray(np.linalg.solve(of_second, right))


def forward_kinematics(joints: Floats, start: Floats = START) -> Floats:
    """The poses with these joint angles, near `start` and on this side of the singular ones."""
    return pose_of_joints(joints, start, _regular, lambda x, q: jacobians(x, q)[0], "Par4")


def _regular(pose: Floats) -> Floats:
    """Joint angles; NaN also in poses that are singular, or beyond."""
    found: Floats = np.where(np.abs(pose[..., 3, None]) <= FARTHEST, inverse_kinematics(pose), np.nan)
    return found


def check_regular(pose: Floats) -> None:
    """Raise InputError where the forearms do not hold the travelling plate."""
    flat = np.atleast_2d(pose).reshape(-1, CHAINS)
    wrong = np.flatnonzero(~(np.abs(flat[:, 3]) <= FARTHEST))
    if len(wrong):
        k = int(wrong[0])
        raise InputError(
            f"pose {k + 1} of {len(flat)} is singular: at theta = {np.degrees(flat[k, 3]):.4g} degrees the bars of the "
            f"travelling plate stand across, and the forearms do not hold it; keep theta within +-45 degrees, or leave "
            f"such samples out"
        )


def check_reachable(poses: Floats, rate: float) -> None:
    """Raise InputError where a trajectory, (samples, 4) at so many samples in a second, leaves what the robot reaches,
    or passes a singular pose.
    """
    joints = inverse_kinematics(poses)
    wrong = np.flatnonzero(~np.isfinite(joints).all(-1))
    if len(wrong):
        k = int(wrong[0])
        x, y, z, theta = poses[k]
        chain = int(np.flatnonzero(~np.isfinite(joints[k]))[0]) + 1
        raise InputError(
            f"the trajectory cannot be reached: at t = {k / rate:.4g} s the forearm of chain {chain} is too short or "
            f"too long for x = {x:.4g} m, y = {y:.4g} m, z = {z:.4g} m, theta = {np.degrees(theta):.4g} degrees; keep "
            f"near the middle (x = 0 m, y = {START[1]:g} m, z = {START[2]:g} m)"
        )
    check_regular(poses)
