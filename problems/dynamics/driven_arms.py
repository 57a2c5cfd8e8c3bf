"""Parallel robots whose four driven arms rise about horizontal axes, as H4 and Par4: what they have in common.

    tip_i = P_i + L (cos q_i o_i - sin q_i (0, 0, 1))       o_i the arm's outward direction at q_i = 0
    |tip_i - B_i| = l                                       the rod (or forearm) to the joint B_i of the platform
    J_x dX = J_q dq,   J_x ddX = J_q ddq + drift            its derivatives
    F_v dq + (F_c + (F_b - F_c) exp(-(dq / v_b)^2)) tanh(dq / v_s)        friction of a simulated one (Stribeck's)

For many instants at once: the last axis of an array of joint angles has the chains.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from certify.problems.regressors.regressor import Floats

CHAINS = 4
GRAVITY = 9.81  # m/s^2
UP = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True, eq=False)
class DrivenArms:
    """Lengths of arm and rod in m, and the outward directions, (4 chains, 3)."""

    arm: float
    rod: float
    outward: Floats

    def along(self, joints: Floats) -> Floats:
        """The driven arms, (..., 4 chains, 3)."""
        found: Floats = self.arm * (np.cos(joints)[..., None] * self.outward - np.sin(joints)[..., None] * UP)
        return found

    def tangents(self, joints: Floats) -> Floats:
        """What the arms change by with q_i, (..., 4 chains, 3)."""
        found: Floats = -self.arm * (np.sin(joints)[..., None] * self.outward + np.cos(joints)[..., None] * UP)
        return found

    def angles(self, reach: Floats) -> Floats:
        """The joint angles at which a rod goes from P_i to P_i + `reach`, in closed form; NaN where it does not.

        With r = B_i - P_i, o its part along `outward` and z its height, |arm - r| = l is
        o cos q - z sin q = (L^2 + |r|^2 - l^2) / (2 L); of its two solutions the one with the arm raised outwards.
        """
        along, height = (reach * self.outward).sum(-1), reach[..., 2]
        wanted = (self.arm**2 + (reach**2).sum(-1) - self.rod**2) / (2.0 * self.arm)
        with np.errstate(invalid="ignore"):
            found: Floats = np.arctan2(-height, along) - np.arccos(wanted / np.hypot(along, height))
        return found


@dataclass(frozen=True, slots=True)
class Drives:
    """Motors and friction of a simulated robot, in SI units; numbers of four are by chain."""

    viscous: tuple[float, ...]
    coulomb: tuple[float, ...]
    breakaway: float  # F_b / F_c
    stribeck_speed: float  # v_b in rad/s
    sign_speed: float  # v_s in rad/s
    gains: tuple[float, ...]  # N m/V
    ripple: float  # N m
    ripples: int  # in a turn
    current_noise: float  # N m, standard deviation
    encoder_steps: int  # in a turn of the arm

    def friction(self, speed: Floats) -> Floats:
        """The torque of friction at joint speeds in rad/s, (..., 4)."""
        rise = 1.0 + (self.breakaway - 1.0) * np.exp(-((speed / self.stribeck_speed) ** 2))
        dry = np.array(self.coulomb) * rise * np.tanh(speed / self.sign_speed)
        found: Floats = np.array(self.viscous) * speed + dry
        return found

    def motor_torque(self, voltage: Floats, joints: Floats) -> Floats:
        """The torque of the motors without their noise, (..., 4)."""
        found: Floats = np.array(self.gains) * voltage + self.ripple * np.sin(self.ripples * joints)
        return found


def joint_speeds(of_pose: Floats, of_joints: Floats, velocity: Floats) -> Floats:
    """dq, of the Jacobian's parts J_x and J_q (its diagonal) and dX."""
    found: Floats = (of_pose @ velocity[..., None])[..., 0] / of_joints
    return found


def joint_accelerations(of_pose: Floats, of_joints: Floats, acceleration: Floats, drift: Floats) -> Floats:
    """ddq, of ddX."""
    found: Floats = ((of_pose @ acceleration[..., None])[..., 0] - drift) / of_joints
    return found


def pose_accelerations(of_pose: Floats, of_joints: Floats, ddq: Floats, drift: Floats) -> Floats:
    """ddX, of ddq."""
    right = (of_joints * ddq + drift)[..., None]
    found: Floats = np.asarray(np.linalg.solve(of_pose, right)[..., 0], dtype=np.float64)
    return found


def flat(moved: Floats) -> Floats:
    """(..., chains, 3, 4) as (..., 12, 4)."""
    return moved.reshape(*moved.shape[:-3], -1, moved.shape[-1])
