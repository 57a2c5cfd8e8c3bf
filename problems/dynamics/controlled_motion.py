"""The closed loop: a controller of each joint drives a simulated robot along a motion, and 1000 samples a second are
recorded.

    every ms   q_m = encoder's steps of q;  w = (q_m - q_m before) / T
               e = FORWARD dq_ref + POSITION (q_ref - q_m) + DRIFT sum (q_ref - q_m) T - w    speed asked for, less the
                                                                                             measured one
               V = steps of the converter of (PROPORTIONAL e + INTEGRAL sum e T) / GAIN, within its range
    between    Gamma = gains V + ripple(q) + noise, held;  the robot moves in two steps of second order

What is recorded is q_m and V; the true poses stand beside, for pictures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from certify.problems.errors import InputError
from certify.problems.regressors.regressor import Floats

RATE = 1000.0  # Hz
STEPS = 2  # of the simulation in a sample
SECONDS, MIN_SECONDS, MAX_SECONDS = 8.0, 3.0, 120.0


class Driven(Protocol):
    """A simulated robot: joints and accelerations of many poses at once, and what its motors make of volts."""

    @property
    def encoder_steps(self) -> int:
        """In a turn."""
        ...

    @property
    def current_noise(self) -> float:
        """In N m, a standard deviation."""
        ...

    def joints_of(self, pose: Floats) -> Floats:
        """Joint angles in poses."""
        ...

    def acceleration(self, pose: Floats, velocity: Floats, torque: Floats) -> Floats:
        """Of poses, at their velocities and the torques of the motors."""
        ...

    def motor_torque(self, voltage: Floats, joints: Floats) -> Floats:
        """Without noise."""
        ...


@dataclass(frozen=True, slots=True)
class Controller:
    """Gains in N m s/rad (proportional), N m/rad (integral), 1/s (position) and 1/s^2 (drift), the share of the
    reference's speed that is fed forward, N m/V, and the largest voltage, of which the converter has 2048 steps.
    """

    proportional: float
    integral: float
    position: float
    gain: float
    drift: float = 0.0
    forward: float = 1.0
    largest: float = 10.0

    def voltage(self, error: Floats, total: Floats) -> Floats:
        """What is asked of the motors for an error of speed and its integral."""
        step = self.largest / 2048.0
        wanted = (self.proportional * error + self.integral * total) / self.gain
        found: Floats = np.clip(np.round(wanted / step) * step, -self.largest, self.largest) + 0.0  # no -0
        return found


@dataclass(frozen=True, eq=False)
class Followed:
    """What a loop has recorded, (samples, motions, joints): measured joints, voltages; and the true poses."""

    joints: Floats
    voltages: Floats
    poses: Floats

    @property
    def times(self) -> Floats:
        """In s."""
        return np.arange(len(self.joints)) / RATE


def check_seconds(seconds: float) -> None:
    """Raise InputError for a motion that is too short or too long."""
    if not MIN_SECONDS <= seconds <= MAX_SECONDS:
        raise InputError(f"a motion of {seconds:g} s cannot be simulated; choose {MIN_SECONDS:g} to {MAX_SECONDS:g} s")


def follow(plant: Driven, controller: Controller, reference: Floats, seeds: Sequence[int]) -> Followed:
    """Drive a robot along poses, (samples, motions, coordinates), side by side; a seed for each motion's noise."""
    joints = plant.joints_of(reference)
    _check_reached(reference, joints)
    speeds = np.gradient(joints, 1.0 / RATE, axis=0)
    encoder = 2.0 * np.pi / plant.encoder_steps
    noise = np.stack([_noise(plant, seed, joints) for seed in seeds], axis=1)
    state = _State(reference[0], np.zeros_like(reference[0]), np.zeros_like(reference[0]))
    before = np.round(joints[0] / encoder) * encoder
    total, away = np.zeros_like(before), np.zeros_like(before)
    recorded, poses = np.empty((2, *joints.shape)), np.empty_like(reference)
    for k in range(len(joints)):
        true = plant.joints_of(state.pose)
        measured = np.round(true / encoder) * encoder
        behind = joints[k] - measured
        away = away + behind / RATE
        wanted = controller.forward * speeds[k] + controller.position * behind + controller.drift * away
        error = wanted - (measured - before) * RATE
        total = total + error / RATE
        voltage = controller.voltage(error, total)
        recorded[:, k], poses[k] = (measured, voltage), state.pose
        state.move(plant, plant.motor_torque(voltage, true) + noise[k])
        before = measured
    return Followed(recorded[0], recorded[1], poses)


@dataclass(slots=True)
class _State:
    """Where the robots are, how fast, and the acceleration of the last step."""

    pose: Floats
    velocity: Floats
    slope: Floats

    def move(self, plant: Driven, torque: Floats) -> None:
        """One sample on, in steps of h: ddq at x + h/2 dx, dx + h/2 (ddx of the step before); then
        x <- x + h dx + h^2/2 ddx, dx <- dx + h ddx.
        """
        step = 1.0 / RATE / STEPS
        for _ in range(STEPS):
            middle, speed = self.pose + step / 2.0 * self.velocity, self.velocity + step / 2.0 * self.slope
            self.slope = plant.acceleration(middle, speed, torque)
            self.pose = self.pose + step * (self.velocity + step / 2.0 * self.slope)
            self.velocity = self.velocity + step * self.slope
        if not np.isfinite(self.velocity).all():
            raise InputError("the simulated robot has left its workspace; choose another seed")


def _check_reached(reference: Floats, joints: Floats) -> None:
    missed = np.flatnonzero(~np.isfinite(joints).all(axis=(1, 2)))
    if len(missed):
        k = int(missed[0])
        pose = ", ".join(f"{value:.4g}" for value in reference[k, 0])
        raise InputError(
            f"the trajectory is out of reach at t = {k / RATE:g} s: no joint angles have the pose ({pose}) in m and "
            f"rad; move it, or design one with 'certify design'"
        )


def _noise(plant: Driven, seed: int, joints: Floats) -> Floats:
    shape = (len(joints), joints.shape[-1])
    found: Floats = plant.current_noise * np.random.default_rng([seed, 5]).standard_normal(shape)
    return found
