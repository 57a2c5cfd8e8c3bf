"""Logs of the simulated H4 in closed loop, on motions that excite its parameters."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from certify.problems.dynamics.controlled_motion import RATE, SECONDS, Controller, check_seconds, follow
from certify.problems.dynamics.driven_arms import CHAINS
from certify.problems.dynamics.exciting_motion import Excitation, exciting_poses
from certify.problems.dynamics.joint_log import JointLog, LogForm
from certify.problems.dynamics.known_robot import MotionChoice
from certify.problems.errors import InputError
from certify.problems.h4.geometry import START
from certify.problems.h4.plant import GAIN, LARGEST_VOLTAGE, Plant
from certify.problems.regressors.regressor import Floats

FORM = LogForm(CHAINS)
EXCITATION = Excitation(tuple(START.tolist()), (0.085, 0.085, 0.05, 0.5))
CONTROLLER = Controller(4.0, 200.0, 30.0, GAIN, largest=LARGEST_VOLTAGE)


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
    check_seconds(loop.seconds if loop.poses is None else len(loop.poses) / RATE)
    reference = np.stack([_poses(loop, seed) for seed in loop.seeds], axis=1)
    found = follow(loop.plant, CONTROLLER, reference, loop.seeds)
    return tuple(
        JointLog(found.times, found.joints[:, number], found.voltages[:, number], _provenance(seed))
        for number, seed in enumerate(loop.seeds)
    )


def chosen_motion(choice: MotionChoice) -> tuple[JointLog, ...]:
    """The logs that are asked for."""
    if choice.multibody:
        raise InputError("--multibody: no multibody model of the H4 is here; the par4 has one, or leave the option out")
    plant = Plant() if choice.unmodelled else Plant().as_modelled()
    plant = replace(plant, current_noise=plant.current_noise * choice.noise)
    seconds = SECONDS if choice.seconds is None else choice.seconds
    return simulate_motion(Loop(plant, seconds, choice.seeds, choice.poses))


def _poses(loop: Loop, seed: int) -> Floats:
    return exciting_poses(EXCITATION, loop.seconds, RATE, seed) if loop.poses is None else loop.poses


def _provenance(seed: int) -> str:
    return f"simulated: H4 robot (Poignet et al. 2003) of invented dimensions in closed loop, seed {seed}"
