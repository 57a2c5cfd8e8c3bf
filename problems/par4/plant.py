"""A simulated Par4 that has what S4's model leaves out, so that the model's error is real and its cause known.

    what moves          motors and gears i_m; driven arms (m_4, about their axes i_a); four times two forearm rods and
                        the two bars of the travelling plate, uniform ones: `rod_spread` = 1/12 (1/4 is two points at
                        the ends, S4's simplifications i to iii); both halves of the plate; a pulley on the second
                        half that a belt turns `PULLEY_RATIO` times as far as the bars. All with their weight.
    friction            F_v dq + (F_c + (F_b - F_c) exp(-(dq / v_b)^2)) tanh(dq / v_s): Stribeck's, with a smooth
                        change of sign; the model has F_v dq + F_c sign(dq).
    torque of a motor   its own gain times the voltage, cogging over the angle (ripple), and noise of the current; the
                        model takes gains that were measured at rest.

A body from A to B of mass m resists with m (a_G + g) . dG + s m (a_B - a_A) . (dB - dA), s its spread. Masses and
inertias are ours, made so that S4's six parameters are those of its table 1; its friction is S4's, too, though 20.4
N m s/rad is much: at 13 rad/s it is 265 N m and 3.4 kW a motor.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from certify.problems.dynamics.driven_arms import CHAINS, GRAVITY, Drives, flat, joint_speeds
from certify.problems.par4 import geometry
from certify.problems.par4.geometry import ARM, SECOND
from certify.problems.par4.torques import joint_drift, second_drift
from certify.problems.regressors.regressor import Floats

LARGEST_VOLTAGE = 10.0
UNIFORM, POINTS = 1.0 / 12.0, 1.0 / 4.0  # spread of a bar's mass, and of two points at its ends
PULLEY_RATIO = 4.0  # the range of +-45 degrees becomes a whole turn


@dataclass(frozen=True, slots=True)
class Plant(Drives):
    """What is true of the simulated robot, in SI units; numbers of four are by chain."""

    motor_inertia: float = 0.0749375  # i_m, with gears
    arm_mass: float = 0.55  # m_4
    arm_centre: float = 0.2  # L_G
    arm_inertia: float = 0.0285  # i_a, about the actuator's axis
    rod_mass: float = 0.068  # m_5, of each of the two rods of a forearm
    bar_mass: float = 0.06  # m_3, of each of the two bars of the travelling plate
    first_mass: float = 0.6083  # m_1
    second_mass: float = 0.6634  # m_2, with the pulley
    pulley_inertia: float = 1e-5
    rod_spread: float = UNIFORM
    bar_spread: float = UNIFORM
    viscous: tuple[float, ...] = (20.4,) * CHAINS
    coulomb: tuple[float, ...] = (2.43,) * CHAINS
    breakaway: float = 1.3  # F_b / F_c
    stribeck_speed: float = 0.3  # v_b in rad/s
    sign_speed: float = 0.05  # v_s in rad/s
    gains: tuple[float, ...] = (40.4, 39.7, 40.1, 39.5)  # N m/V
    ripple: float = 1.0  # N m
    ripples: int = 18  # in a turn
    current_noise: float = 0.5  # N m, standard deviation
    encoder_steps: int = 524288  # in a turn of the arm

    @property
    def parameters(self) -> Floats:
        """chi of torques.py: what the model has of this robot, friction on average of its chains."""
        inertia = self.motor_inertia + self.arm_inertia + self.rod_mass * ARM**2
        ends = self.bar_mass + 2.0 * self.rod_mass
        weight = GRAVITY * (self.arm_centre * self.arm_mass + ARM * self.rod_mass)
        friction = np.mean(self.coulomb), np.mean(self.viscous)
        return np.array([inertia, self.first_mass + ends, self.second_mass + ends, weight, *friction])

    def simplified(self) -> Plant:
        """The same bodies with S4's simplifications: bars are points at their ends, the pulley does not turn."""
        return replace(self, rod_spread=POINTS, bar_spread=POINTS, pulley_inertia=0.0)

    def as_modelled(self) -> Plant:
        """The same robot without what the model leaves out, but for friction's smooth change of sign."""
        gains = (float(np.mean(self.gains)),) * CHAINS
        return replace(self.simplified(), breakaway=1.0, gains=gains, ripple=0.0, current_noise=0.0)

    def joints_of(self, pose: Floats) -> Floats:
        """Joint angles in poses, (..., 4)."""
        return geometry.inverse_kinematics(pose)

    def acceleration(self, pose: Floats, velocity: Floats, torque: Floats) -> Floats:
        """ddX, (..., 4), at poses, their velocities and the torques of the motors."""
        resisting, held, to_joints, speed = self._resistance(pose, velocity)
        force = (np.swapaxes(to_joints, -1, -2) @ (torque - self.friction(speed))[..., None])[..., 0] - held
        found: Floats = np.asarray(np.linalg.solve(resisting, force[..., None])[..., 0], dtype=np.float64)
        return found

    def torques(self, pose: Floats, velocity: Floats, acceleration: Floats) -> Floats:
        """Of the motors, (..., 4), without friction, for a motion of the pose."""
        resisting, held, to_joints, _ = self._resistance(pose, velocity)
        force = resisting @ acceleration[..., None] + held[..., None]
        found: Floats = np.asarray(np.linalg.solve(np.swapaxes(to_joints, -1, -2), force)[..., 0], dtype=np.float64)
        return found

    def _resistance(self, pose: Floats, velocity: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """H and f with H ddX + f the force along the pose that moves all bodies; dq = `to_joints` dX; dq."""
        joints = geometry.inverse_kinematics(pose)
        of_pose, _, of_joints = geometry.jacobian_parts(pose, joints)
        to_joints = of_pose / of_joints[..., None]
        speed = joint_speeds(of_pose, of_joints, velocity)
        drift = -joint_drift(pose, velocity, joints, speed) / of_joints  # ddq where ddX = 0
        inertia = self.motor_inertia + self.arm_inertia
        weight = self.arm_mass * self.arm_centre / ARM * GRAVITY * geometry.ARMS.tangents(joints)[..., 2]
        back = np.swapaxes(to_joints, -1, -2)
        resisting = inertia * (back @ to_joints)
        held = (back @ (inertia * drift + weight)[..., None])[..., 0]
        resisting[..., 3, 3] += self.pulley_inertia * PULLEY_RATIO**2
        for mass, moved, still in self._bodies(pose, velocity, joints, speed, to_joints, drift):
            resisting = resisting + mass * (np.swapaxes(moved, -1, -2) @ moved)
            held = held + mass * (np.swapaxes(moved, -1, -2) @ still[..., None])[..., 0]
        return resisting, held, to_joints, speed

    def _bodies(
        self, pose: Floats, velocity: Floats, joints: Floats, speed: Floats, to_joints: Floats, drift: Floats
    ) -> list[tuple[float, Floats, Floats]]:
        """Masses, and of their points (or of the differences of points) the derivative by X, (..., 3 n, 4), and the
        acceleration where ddX = 0, with gravity, (..., 3 n).
        """
        lifted = np.array([0.0, 0.0, GRAVITY])
        shape = (*pose.shape[:-1], 3, CHAINS)
        moved = np.zeros(shape)
        moved[..., :3, :3] = np.eye(3)
        turned = np.zeros(shape)
        turned[..., 3] = geometry.turned_bars(pose)
        swung = second_drift(pose, velocity)
        plate = [
            (self.first_mass, moved, np.broadcast_to(lifted, swung.shape)),
            (self.second_mass, moved + turned, swung + lifted),
            (2.0 * self.bar_mass, moved + turned / 2.0, swung / 2.0 + lifted),
            (2.0 * self.bar_mass * self.bar_spread, turned, swung),
        ]
        tangent, second = geometry.ARMS.tangents(joints), SECOND[:, None]
        of_tip = tangent[..., None] * to_joints[..., None, :]
        tip = tangent * drift[..., None] - geometry.ARMS.along(joints) * speed[..., None] ** 2
        of_joint = moved[..., None, :, :] + second[..., None] * turned[..., None, :, :]
        joint = second * swung[..., None, :]
        mass = 2.0 * self.rod_mass
        middle = flat((of_tip + of_joint) / 2.0), ((tip + joint) / 2.0 + lifted).reshape(*pose.shape[:-1], -1)
        along = flat(of_joint - of_tip), (joint - tip).reshape(*pose.shape[:-1], -1)
        return [*plate, (mass, *middle), (mass * self.rod_spread, *along)]
