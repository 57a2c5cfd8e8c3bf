"""The *Table of Stewart* of S2, simulated: 64 extreme poses, S2's noise, and an unmodelled error that is planted and
known.

The true robot is S2's x_c; forward kinematics gives the poses that it takes with the unmodelled error. The home pose
has all actuators at half stroke, and the length sensors are zeroed there: at home the leg model is exact, whatever its
joints are like.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import numpy as np

from certify.problems.errors import InputError
from certify.problems.robots.forward_kinematics import Floats, Lengths, leg_lengths, newton, rigid_joints, solve_pose
from certify.problems.robots.kind import find_kind
from certify.problems.simulation.planar_simulation import simulate_planar
from certify.problems.simulation.platform import find_platform, platform_names, simulate_platform
from certify.problems.simulation.simulated import Robot, SimulatedExperiment, Truth, generators, noise_factor, observe
from certify.problems.simulation.table_of_stewart import (
    HOME_HEIGHT,
    HOME_STROKE,
    blueprint,
    calibrated,
    deviations,
    extreme_strokes,
)
from certify.problems.simulation.unmodelled_error import UnmodelledError, gross_error, skew_joints, slack

TITLE = "Table of Stewart, 64 extreme poses"
SOURCE = "DeltaLab Table of Stewart with the parameters and noise of Daney et al. 2006 (tables 1 to 4)"
SEED = 1


def simulate(error: UnmodelledError, seed: int, noise: Fraction | float | str = 1) -> SimulatedExperiment:
    """The experiment with this unmodelled error; `noise` is a factor on S2's standard deviations."""
    factor, (for_error, for_noise) = noise_factor(noise), generators(seed)
    strokes = [list(row) for row in extreme_strokes()]
    rows, legs = len(strokes), len(strokes[0])
    extra = slack(error, rows, legs, for_error)
    poses = _poses(error, np.array(strokes, dtype=np.float64) + extra)
    gross = gross_error(error, rows, legs, for_error)
    if gross is not None:
        strokes[gross[0]][gross[1]] += gross[2]
    kind = find_kind("gough", "simulation")
    columns = [
        *([Fraction(float(value)) for value in column] for column in poses.T),
        *map(list, zip(*strokes, strict=True)),
    ]
    measurements = {name: tuple(column) for name, column in zip(kind.columns, columns, strict=True)}
    outlier = (gross[1] + 1, gross[0] + 1) if gross is not None else None
    truth = Truth(tuple(value for leg in calibrated() for value in leg), measurements, outlier)
    robot = Robot(kind, TITLE, SOURCE, tuple(value for leg in blueprint() for value in leg), deviations())
    return observe(robot, truth, error, seed, factor, for_noise)


@dataclass(frozen=True, slots=True)
class Mechanism:
    """The true robot: the lengths of its legs in a pose, the lengths that its sensors call 0, and its home pose."""

    lengths: Lengths
    zeros: Floats
    home: Floats


def mechanism(error: UnmodelledError) -> Mechanism:
    """The true robot with this unmodelled error."""
    robot = np.array(calibrated(), dtype=np.float64)
    base, platform, offsets = robot[:, :3], robot[:, 3:6], robot[:, 6]
    perfect = leg_lengths(rigid_joints(base, platform))
    home = newton(perfect, offsets + HOME_STROKE, np.array([0.0, 0.0, HOME_HEIGHT, 0.0, 0.0, 0.0]))
    if home is None:
        raise InputError("the robot has no home pose at half stroke; check its parameters")
    real = leg_lengths(skew_joints(base, platform, float(error.size))) if error.name == "joints" else perfect
    return Mechanism(real, offsets + real(home) - perfect(home), home)


def _poses(error: UnmodelledError, strokes: Floats) -> Floats:
    """The poses (rows, 6) that the true robot takes when its legs are `strokes` + l long."""
    robot = mechanism(error)
    return np.array([solve_pose(robot.lengths, stroke + robot.zeros, robot.home) for stroke in strokes])


ROBOTS = {"table_of_stewart": simulate, "planar_3rpr": simulate_planar}
ROBOTS |= {name: partial(simulate_platform, find_platform(name)) for name in platform_names()}
