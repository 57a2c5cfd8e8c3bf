"""The torques of the H4's four motors, linear in fourteen parameters (S0 eq. 14-19, S3 eq. 14-19).

    Gamma = I_mot ddq + J^T M (ddx - G) + F_v dq + F_s sign(dq),   G = (0, 0, -g, 0): the z axis looks up
          = W(q, dq, ddq) theta
    theta = (I_mot1..4, M_nac, I_bc, F_v1..4, F_s1..4)
    J_x ddx = J_q ddq + dJ_q/dt dq - dJ_x/dt dx                    derivatives of the rods' equations, exact

The papers take the derivative of J by central differences in time (eq. 19); here it is in closed form, so that the row
of an instant needs that instant only.
"""

from __future__ import annotations

import numpy as np

from certify.problems.dynamics.driven_arms import (
    CHAINS,
    GRAVITY,
    joint_accelerations,
    joint_speeds,
    pose_accelerations,
)
from certify.problems.h4 import geometry
from certify.problems.regressors.regressor import Floats

NAMES = (
    *(f"I_mot{k}" for k in range(1, CHAINS + 1)),
    "M_nac",
    "I_bc",
    *(f"F_v{k}" for k in range(1, CHAINS + 1)),
    *(f"F_s{k}" for k in range(1, CHAINS + 1)),
)
UNITS = (*["kg.m^2"] * CHAINS, "kg", "kg.m^2", *["Nms/rad"] * CHAINS, *["Nm"] * CHAINS)


def regressor(q: Floats, dq: Floats, ddq: Floats) -> Floats:
    """W, (..., 4 torques, 14 parameters), at joint angles, velocities and accelerations in rad, rad/s, rad/s^2."""
    pose = geometry.forward_kinematics(q)
    jacobian = geometry.jacobian(pose, q)
    velocity = (jacobian @ dq[..., None])[..., 0]
    return _columns(jacobian, pose_acceleration(pose, velocity, q, dq, ddq), dq, ddq)


def pose_regressor(pose: Floats, velocity: Floats, acceleration: Floats) -> tuple[Floats, Floats, Floats]:
    """W, and joint angles and velocities, at poses in m and rad, their velocities and accelerations; NaN where a rod
    does not reach.
    """
    q = geometry.inverse_kinematics(pose)
    of_pose, of_joints = geometry.jacobian_parts(pose, q)
    dq = joint_speeds(of_pose, of_joints, velocity)
    ddq = joint_accelerations(of_pose, of_joints, acceleration, joint_drift(pose, velocity, q, dq))
    return _columns(geometry.jacobian(pose, q), acceleration, dq, ddq), q, dq


def _columns(jacobian: Floats, acceleration: Floats, dq: Floats, ddq: Floats) -> Floats:
    lifted = acceleration[..., :3] + np.array([0.0, 0.0, GRAVITY])
    transposed = np.swapaxes(jacobian, -1, -2)
    mass = (transposed[..., :3] @ lifted[..., None])[..., 0]
    inertia = transposed[..., 3] * acceleration[..., 3, None]
    own = np.eye(CHAINS)
    columns = [ddq[..., None] * own, mass[..., None], inertia[..., None], dq[..., None] * own]
    return np.concatenate([*columns, np.sign(dq)[..., None] * own], axis=-1)


def pose_acceleration(pose: Floats, velocity: Floats, q: Floats, dq: Floats, ddq: Floats) -> Floats:
    """ddx, (..., 4), with dx = `velocity`."""
    of_pose, of_joints = geometry.jacobian_parts(pose, q)
    return pose_accelerations(of_pose, of_joints, ddq, joint_drift(pose, velocity, q, dq))


def joint_drift(pose: Floats, velocity: Floats, q: Floats, dq: Floats) -> Floats:
    """J_x ddx - J_q ddq = dJ_q/dt dq - dJ_x/dt dx, (..., 4).

    For a chain with A B = B - A, v = dB/dt - dA/dt and the accelerations a_B, a_A that B and A have where ddq = 0 and
    ddx = 0, the second derivative of |A B|^2 / 2 = l^2 / 2 is |v|^2 + A B . (a_B - a_A) + J_q ddq - J_x ddx = 0.
    """
    rod = geometry.rods(pose, q)
    bar = geometry.bars(pose)
    spin = velocity[..., 3, None, None]
    apart = geometry.ARMS.tangents(q) * dq[..., None] - velocity[..., None, :3] - geometry.turned_bars(pose) * spin
    drift = -geometry.ARMS.along(q) * dq[..., None] ** 2 + bar * spin**2
    found: Floats = (apart**2).sum(-1) + (rod * drift).sum(-1)
    return found
