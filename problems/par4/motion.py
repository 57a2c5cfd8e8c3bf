"""Motions of the simulated Par4: quasi-random ones that excite its parameters, Adept cycles, both under S4's control.

    V = PROPORTIONAL (POSITION e + DRIFT sum e T - w) / GAIN       e of joint angles, w the measured speed

"a P controller applied on the actuated velocities and a P-I controller on the joint positions" (S4 section III); its
gains are ours. Nothing is fed forward, so that the arms trail, and overshoot at stops.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from certify.problems.dynamics.controlled_motion import RATE, SECONDS, Controller, Followed, check_seconds, follow
from certify.problems.dynamics.driven_arms import CHAINS, joint_accelerations, joint_speeds
from certify.problems.dynamics.exciting_motion import Excitation, exciting_poses
from certify.problems.dynamics.joint_log import JointLog, LogForm
from certify.problems.dynamics.known_robot import MotionChoice
from certify.problems.par4 import geometry
from certify.problems.par4.adept import Adept, adept_poses
from certify.problems.par4.gains import measured_gains
from certify.problems.par4.geometry import START
from certify.problems.par4.multibody import multibody_torques
from certify.problems.par4.plant import LARGEST_VOLTAGE, Plant
from certify.problems.par4.torques import joint_drift
from certify.problems.regressors.regressor import Floats

FORM = LogForm(CHAINS)
GAINS = measured_gains(Plant())  # N m/V
EXCITATION = Excitation(tuple(START.tolist()), (0.25, 0.25, 0.08, 0.6))
CONTROLLER = Controller(150.0, 0.0, 90.0, float(np.mean(GAINS)), drift=900.0, forward=0.0, largest=LARGEST_VOLTAGE)


def closed_loop(plant: Plant, reference: Floats, seeds: tuple[int, ...]) -> tuple[JointLog, ...]:
    """Logs of one robot on motions, (samples, motions, 4), simulated side by side, a seed for each one's noise."""
    found = follow(plant, CONTROLLER, reference, seeds)
    return tuple(
        JointLog(found.times, found.joints[:, number], found.voltages[:, number], _provenance("in closed loop", seed))
        for number, seed in enumerate(seeds)
    )


def references(seconds: float, seeds: tuple[int, ...]) -> Floats:
    """The poses of exciting motions, (samples, motions, 4)."""
    found = [exciting_poses(EXCITATION, seconds, RATE, seed) for seed in seeds]
    for poses in found:
        geometry.check_reachable(poses, RATE)
    return np.stack(found, axis=1)


def adept_cycles(plant: Plant, adept: Adept, seed: int = 1) -> tuple[Floats, Followed]:
    """The reference, (samples, 4), and what the closed loop makes of it."""
    reference = adept_poses(adept, RATE)
    return reference, follow(plant, CONTROLLER, reference[:, None], (seed,))


def joint_motion(poses: Floats, rate: float) -> tuple[Floats, Floats, Floats]:
    """q, dq and ddq of a sampled motion of the pose, (samples, 4), by central differences of the poses."""
    geometry.check_reachable(poses, rate)
    velocity = np.gradient(poses, 1.0 / rate, axis=0)
    acceleration = np.gradient(velocity, 1.0 / rate, axis=0)
    q = geometry.inverse_kinematics(poses)
    of_pose, _, of_joints = geometry.jacobian_parts(poses, q)
    dq = joint_speeds(of_pose, of_joints, velocity)
    drift = joint_drift(poses, velocity, q, dq)
    return q, dq, joint_accelerations(of_pose, of_joints, acceleration, drift)


def chosen_motion(choice: MotionChoice) -> tuple[JointLog, ...]:
    """The logs that are asked for."""
    reference = _reference(choice)
    plant = Plant() if choice.unmodelled else Plant().as_modelled()
    if choice.multibody:
        return tuple(_multibody_log(plant, reference[:, k], seed) for k, seed in enumerate(choice.seeds))
    return closed_loop(replace(plant, current_noise=plant.current_noise * choice.noise), reference, choice.seeds)


def _reference(choice: MotionChoice) -> Floats:
    """The poses that are asked for, (samples, motions, 4)."""
    if choice.poses is None:
        seconds = SECONDS if choice.seconds is None else choice.seconds
        check_seconds(seconds)
        return references(seconds, choice.seeds)
    check_seconds(len(choice.poses) / RATE)
    geometry.check_reachable(choice.poses, RATE)
    return np.stack([choice.poses] * len(choice.seeds), axis=1)


def _multibody_log(plant: Plant, poses: Floats, seed: int) -> JointLog:
    """Exact angles of the reference, and the voltages of the multibody engine's torques."""
    q, dq, ddq = joint_motion(poses, RATE)
    torques = multibody_torques(plant, q, dq, ddq)
    told = _provenance("without friction by a multibody engine", seed)
    return JointLog(np.arange(len(q)) / RATE, q, torques / np.array(GAINS), told)


def _provenance(how: str, seed: int) -> str:
    return f"simulated: Par4 robot (Nabat et al. 2006) of invented dimensions and inertias {how}, seed {seed}"
