"""The torques of the Par4's four motors, linear in six parameters (S4 eq. 1-23).

    Gamma = I_act ddq + J_1^T M_1 (ddX_1 + g) + J_2^T M_2 (ddX_2 + g) - cos(q) g (L_G m_4 + L m_5)
            + F_c sign(dq) + F_v dq                                             (eq. 20)
          = W(q, dq, ddq) chi,   chi = (i_act, m'_1, m'_2, g (L_G m_4 + L m_5), f_c, f_v)      (eq. 21-23)
    m'_1 = m_1 + m_3 + 2 m_5,   m'_2 = m_2 + m_3 + 2 m_5,   i_act = i_a + m_5 L^2 + i_m
    ddX_1 = T_1 ddX,   ddX_2 = T_2 ddX + dT_2 dX                                (eq. 6, 15): of D and of D'
    J_x1 ddX = J_q ddq + dJ_q/dt dq - dJ_x1/dt dX                               derivatives of the forearms' equations

The z axis looks up and q_i lowers its arm, so that gravity is +g in the accelerations and -cos q in the arms; the text
of S4 has lost its parentheses. What the model leaves out on purpose (S4 section IV.A): forearms and the bars of the
travelling plate are points at their ends.
"""

from __future__ import annotations

import numpy as np

from certify.problems.dynamics.driven_arms import GRAVITY, joint_accelerations, joint_speeds, pose_accelerations
from certify.problems.par4 import geometry
from certify.problems.regressors.regressor import Floats

NAMES = ("i_act", "m_1", "m_2", "G_arm", "f_c", "f_v")
UNITS = ("kg.m^2", "kg", "kg", "Nm", "Nm", "Nms/rad")
RIGID = 4  # of the parameters: without friction


def regressor(q: Floats, dq: Floats, ddq: Floats) -> Floats:
    """W, (..., 4 torques, 6 parameters), at joint angles, velocities and accelerations in rad, rad/s, rad/s^2."""
    pose = geometry.forward_kinematics(q)
    first, _ = geometry.jacobians(pose, q)
    velocity = (first @ dq[..., None])[..., 0]
    return _columns(pose, velocity, pose_acceleration(pose, velocity, q, dq, ddq), q, dq, ddq)


def pose_regressor(pose: Floats, velocity: Floats, acceleration: Floats) -> tuple[Floats, Floats, Floats]:
    """W, and joint angles and velocities, at poses in m and rad, their velocities and accelerations; NaN where a
    forearm does not reach.
    """
    q = geometry.inverse_kinematics(pose)
    of_pose, _, of_joints = geometry.jacobian_parts(pose, q)
    dq = joint_speeds(of_pose, of_joints, velocity)
    ddq = joint_accelerations(of_pose, of_joints, acceleration, joint_drift(pose, velocity, q, dq))
    return _columns(pose, velocity, acceleration, q, dq, ddq), q, dq


def _columns(pose: Floats, velocity: Floats, acceleration: Floats, q: Floats, dq: Floats, ddq: Floats) -> Floats:
    first, second = geometry.jacobians(pose, q)
    lifted = np.array([0.0, 0.0, GRAVITY])
    of_first = acceleration[..., :3] + lifted
    of_second = acceleration[..., :3] + second_drift(pose, velocity) + lifted
    of_second = of_second + geometry.turned_bars(pose) * acceleration[..., 3, None]
    columns = [ddq, _back(first, of_first), _back(second, of_second), -np.cos(q), np.sign(dq), dq]
    return np.stack(columns, axis=-1)


def _back(jacobian: Floats, force: Floats) -> Floats:
    """J^T (f, 0)."""
    found: Floats = (np.swapaxes(jacobian, -1, -2)[..., :3] @ force[..., None])[..., 0]
    return found


def second_drift(pose: Floats, velocity: Floats) -> Floats:
    """dT_2 dX: the acceleration that D' has where ddX = 0, (..., 3)."""
    found: Floats = -geometry.bars(pose) * velocity[..., 3, None] ** 2
    return found


def pose_acceleration(pose: Floats, velocity: Floats, q: Floats, dq: Floats, ddq: Floats) -> Floats:
    """ddX, (..., 4), with dX = `velocity`."""
    of_pose, _, of_joints = geometry.jacobian_parts(pose, q)
    return pose_accelerations(of_pose, of_joints, ddq, joint_drift(pose, velocity, q, dq))


def joint_drift(pose: Floats, velocity: Floats, q: Floats, dq: Floats) -> Floats:
    """J_x1 ddX - J_q ddq, (..., 4).

    For a chain with A B = B - A, v = dB/dt - dA/dt and the accelerations b and a that B and A have where ddX = 0 and
    ddq = 0, the second derivative of |A B|^2 / 2 = l^2 / 2 is |v|^2 + A B . (b - a) + J_x1 ddX - J_q ddq = 0.
    """
    forearm, second = geometry.forearms(pose, q), geometry.SECOND[:, None]
    apart = velocity[..., None, :3] + second * (geometry.turned_bars(pose) * velocity[..., 3, None])[..., None, :]
    apart = apart - geometry.ARMS.tangents(q) * dq[..., None]
    still = second * second_drift(pose, velocity)[..., None, :] + geometry.ARMS.along(q) * dq[..., None] ** 2
    found: Floats = -(apart**2).sum(-1) - (forearm * still).sum(-1)
    return found
