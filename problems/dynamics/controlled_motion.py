"""The closed loop: a controller of each joint drives the simulated H4 along a motion, and 1000 samples a second are
recorded.

    every ms   q_m = encoder's steps of q;  w = (q_m - q_m before) / T
               e = dq_ref + POSITION (q_ref - q_m) - w                     speed asked for, less the measured one
               V = steps of the converter of (PROPORTIONAL e + INTEGRAL sum e T) / GAIN, within +-10 V      PI control
    between    Gamma = gains V + ripple(q) + noise, held;  the robot moves in two steps of second order

What is recorded is q_m and V, nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from certify.problems.dynamics.exciting_motion import exciting_poses
from certify.problems.dynamics.h4_geometry import CHAINS, Floats, inverse_kinematics
from certify.problems.dynamics.h4_plant import GAIN, LARGEST_VOLTAGE, Plant
from certify.problems.dynamics.joint_log import JointLog
from certify.problems.errors import InputError

RATE = 1000.0  # Hz
PROPORTIONAL, INTEGRAL, POSITION = 4.0, 200.0, 30.0  # N m s/rad, N m/rad, 1/s
CONVERTER = 2.0 * LARGEST_VOLTAGE / 4096.0  # V, one step
STEPS = 2  # of the simulation in a sample
SECONDS, MIN_SECONDS, MAX_SECONDS = 8.0, 3.0, 120.0


@dataclass(frozen=True, slots=True)
class Loop:
    """What is simulated: a plant, the seconds of each motion, and a seed for each motion and its noise; or poses that
    all robots follow, (samples, 4), and seeds of the noise.
    """

    plant: Plant
    seconds: float = SECONDS
    seeds: tuple[int, ...] = (1, 2)
    poses: Floats | None = None


def simulate_motion(loop: Loop) -> tuple[JointLog, ...]:
    """The logs of one robot on as many motions as there are seeds, which are simulated side by side."""
    seconds = loop.seconds if loop.poses is None else len(loop.poses) / RATE
    if not MIN_SECONDS <= seconds <= MAX_SECONDS:
        raise InputError(f"a motion of {seconds:g} s cannot be simulated; choose {MIN_SECONDS:g} to {MAX_SECONDS:g} s")
    reference = np.stack([_poses(loop, seed) for seed in loop.seeds], axis=1)
    joints = inverse_kinematics(reference)
    _check_reached(reference, joints)
    speeds = np.gradient(joints, 1.0 / RATE, axis=0)
    encoder = 2.0 * np.pi / loop.plant.encoder_steps
    noise = np.stack([_noise(loop, seed, len(joints)) for seed in loop.seeds], axis=1)
    state = _State(reference[0], np.zeros_like(reference[0]), np.zeros_like(reference[0]))
    measured = before = np.round(joints[0] / encoder) * encoder
    total = np.zeros_like(measured)
    recorded = np.empty((2, *joints.shape))
    for k in range(len(joints)):
        true = inverse_kinematics(state.pose)
        measured = np.round(true / encoder) * encoder
        error = speeds[k] + POSITION * (joints[k] - measured) - (measured - before) * RATE
        total = total + error / RATE
        wanted = (PROPORTIONAL * error + INTEGRAL * total) / GAIN
        voltage = np.clip(np.round(wanted / CONVERTER) * CONVERTER, -LARGEST_VOLTAGE, LARGEST_VOLTAGE)
        recorded[:, k] = measured, voltage + 0.0  # no -0
        state.move(loop.plant, loop.plant.motor_torque(voltage, true) + noise[k])
        before = measured
    times = np.arange(len(joints)) / RATE
    return tuple(
        JointLog(times, recorded[0, :, number], recorded[1, :, number], _provenance(seed))
        for number, seed in enumerate(loop.seeds)
    )


@dataclass(slots=True)
class _State:
    """Where the robots are, how fast, and the acceleration of the last step."""

    pose: Floats
    velocity: Floats
    slope: Floats

    def move(self, plant: Plant, torque: Floats) -> None:
        """One sample on, in steps of h: ddx at x + h/2 dx, dx + h/2 (ddx of the step before); then
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


def _poses(loop: Loop, seed: int) -> Floats:
    return exciting_poses(loop.seconds, RATE, seed) if loop.poses is None else loop.poses


def _check_reached(reference: Floats, joints: Floats) -> None:
    missed = np.flatnonzero(~np.isfinite(joints).all(axis=(1, 2)))
    if len(missed):
        k = int(missed[0])
        pose = ", ".join(f"{value:.4g}" for value in reference[k, 0])
        raise InputError(
            f"the trajectory is out of reach at t = {k / RATE:g} s: no joint angles have the pose ({pose}) in m and "
            f"rad; move it, or design one with 'certify design h4'"
        )


def _noise(loop: Loop, seed: int, samples: int) -> Floats:
    found: Floats = loop.plant.current_noise * np.random.default_rng([seed, 5]).standard_normal((samples, CHAINS))
    return found


def _provenance(seed: int) -> str:
    return f"simulated: H4 robot (Poignet et al. 2003) of invented dimensions in closed loop, seed {seed}"
