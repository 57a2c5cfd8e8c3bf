"""A simulated H4 that is richer than the model of its torques, so that the model's error is real and its cause known.

    what moves          nacelle M, I_bc; motors I_mot; driven arms (uniform bars of `arm_mass`); rods (uniform bars of
                        `rod_mass`); all with their weight. The model of torques.py has neither arms nor rods.
    friction            F_v dq + (F_s + (F_b - F_s) exp(-(dq / v_b)^2)) tanh(dq / v_s): Stribeck's, with a smooth
                        change of sign; the model has F_v dq + F_s sign(dq).
    torque of a motor   its own gain times the voltage, cogging over the angle (ripple), and noise of the current;
                        the model has one calibrated gain.

Virtual work in the coordinates of the pose gives H(x) ddx = f(x, dx, Gamma): a bar from A to B of mass m resists with
m ((a_A + g) . (dA/3 + dB/6) + (a_B + g) . (dA/6 + dB/3)), exactly. Numbers of motors and nacelle are those that S0 and
S3 know by design; friction is as large as they find it; the rest is ours.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from certify.problems.dynamics.driven_arms import CHAINS, GRAVITY, UP, Drives, flat, joint_speeds
from certify.problems.h4 import geometry
from certify.problems.h4.geometry import ARM
from certify.problems.h4.torques import joint_drift
from certify.problems.regressors.regressor import Floats

GAIN = 1.5  # N m/V, as calibrated
LARGEST_VOLTAGE = 10.0
TORQUE_RANGE = GAIN * LARGEST_VOLTAGE  # the papers' +-15 N m


@dataclass(frozen=True, slots=True)
class Plant(Drives):
    """What is true of the simulated robot, in SI units; numbers of four are by chain."""

    motor_inertia: tuple[float, ...] = (0.012,) * CHAINS
    mass: float = 1.0
    inertia: float = 0.0008
    viscous: tuple[float, ...] = (0.16, 0.06, 0.09, 0.09)
    coulomb: tuple[float, ...] = (1.0, 0.95, 0.72, 0.9)
    breakaway: float = 1.3  # F_b / F_s
    stribeck_speed: float = 0.3  # v_b in rad/s
    sign_speed: float = 0.08  # v_s in rad/s
    arm_mass: float = 0.08
    rod_mass: float = 0.03
    gains: tuple[float, ...] = (1.51, 1.49, 1.505, 1.495)  # N m/V
    ripple: float = 0.4  # N m
    ripples: int = 12  # in a turn
    current_noise: float = 0.05  # N m, standard deviation
    encoder_steps: int = 131072  # in a turn

    @property
    def parameters(self) -> Floats:
        """theta of torques.py, as far as the model has what the plant has."""
        return np.array([*self.motor_inertia, self.mass, self.inertia, *self.viscous, *self.coulomb])

    def as_modelled(self) -> Plant:
        """The same robot without arms, rods, Stribeck's rise, ripple, noise, and errors of the gains."""
        bare = replace(self, breakaway=1.0, arm_mass=0.0, rod_mass=0.0, gains=(GAIN,) * CHAINS)
        return replace(bare, ripple=0.0, current_noise=0.0)

    def joints_of(self, pose: Floats) -> Floats:
        """Joint angles in poses, (..., 4)."""
        return geometry.inverse_kinematics(pose)

    def acceleration(self, pose: Floats, velocity: Floats, torque: Floats) -> Floats:
        """ddx, (..., 4), at poses, their velocities and the torques of the motors."""
        joints = geometry.inverse_kinematics(pose)
        of_pose, of_joints = geometry.jacobian_parts(pose, joints)
        to_joints = of_pose / of_joints[..., None]  # dq = to_joints dx
        speed = joint_speeds(of_pose, of_joints, velocity)
        drift = -joint_drift(pose, velocity, joints, speed) / of_joints  # ddq where ddx = 0
        inertia = np.array(self.motor_inertia) + self.arm_mass * ARM**2 / 3.0
        weight = self.arm_mass * GRAVITY / 2.0 * geometry.ARMS.tangents(joints)[..., 2]
        free = torque - self.friction(speed) - weight - inertia * drift
        back = np.swapaxes(to_joints, -1, -2)
        masses = np.array([self.mass] * 3 + [self.inertia])
        resisting = back @ (inertia[:, None] * to_joints) + np.diag(masses)
        force = (back @ free[..., None])[..., 0] - masses * GRAVITY * np.array([0.0, 0.0, 1.0, 0.0])
        if self.rod_mass:
            more, held = self._rods(pose, joints, velocity, speed, to_joints, drift)
            resisting, force = resisting + more, force - held
        found: Floats = np.linalg.solve(resisting, force[..., None])[..., 0]
        return found

    def _rods(
        self, pose: Floats, joints: Floats, velocity: Floats, speed: Floats, to_joints: Floats, drift: Floats
    ) -> tuple[Floats, Floats]:
        """What the rods add to H and take from f."""
        bar, tangent = geometry.bars(pose), geometry.ARMS.tangents(joints)
        turned = geometry.turned_bars(pose)
        fixed = np.broadcast_to(np.eye(3), (*turned.shape, 3))
        of_a = np.concatenate([fixed, turned[..., None]], axis=-1)  # dA/dx, (..., 4 chains, 3, 4)
        of_b = tangent[..., None] * to_joints[..., None, :]
        a = -bar * velocity[..., 3, None, None] ** 2 + GRAVITY * UP
        b = tangent * drift[..., None] - geometry.ARMS.along(joints) * speed[..., None] ** 2 + GRAVITY * UP
        near, far = (_stacked(of_a / part + of_b / (9.0 - part)) for part in (3.0, 6.0))
        more = near @ flat(of_a) + far @ flat(of_b)
        held = near @ a.reshape(*a.shape[:-2], -1, 1) + far @ b.reshape(*b.shape[:-2], -1, 1)
        return self.rod_mass * more, self.rod_mass * held[..., 0]


def _stacked(moved: Floats) -> Floats:
    return np.swapaxes(flat(moved), -1, -2)
