"""The *Table of Stewart* of S2, simulated: 64 extreme poses, S2's noise, and an unmodelled error that is planted and known.

    python -m certify.problems.simulation.simulation --out DIR [--robot table_of_stewart] [--error joints] [--size 25] [--seed 1] [--noise 1] [--raw]

The true robot is S2's x_c; forward kinematics gives the poses that it takes with the unmodelled error. The home pose has all actuators at
half stroke, and the length sensors are zeroed there: at home the leg model is exact, whatever its joints are like.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path

import numpy as np

from certify.problems.errors import InputError
from certify.problems.experiments.writer import write_experiment
from certify.problems.robots.forward_kinematics import Floats, Lengths, leg_lengths, newton, rigid_joints, solve_pose
from certify.problems.robots.kind import find_kind
from certify.problems.simulation.planar_simulation import simulate_planar
from certify.problems.simulation.platform import find_platform, platform_names, simulate_platform
from certify.problems.simulation.simulated import Robot, SimulatedExperiment, Truth, generators, noise_factor, observe
from certify.problems.simulation.table_of_stewart import HOME_HEIGHT, HOME_STROKE, blueprint, calibrated, deviations, extreme_strokes
from certify.problems.simulation.unmodelled_error import DEFAULT_SIZES, UnmodelledError, gross_error, skew_joints, slack, unmodelled_error

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
    columns = [*([Fraction(float(value)) for value in column] for column in poses.T), *map(list, zip(*strokes, strict=True))]
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


def main(arguments: list[str] | None = None) -> int:
    """The command line."""
    description = "Write problem.toml and poses.csv of a simulated experiment."
    example = "example: python -m certify.problems.simulation.simulation --robot delta --error none --out delta"
    parser = argparse.ArgumentParser(prog="python -m certify.problems.simulation.simulation", description=description, epilog=example)
    parser.add_argument("--out", required=True, type=Path, help="folder to write to")
    parser.add_argument("--robot", choices=list(ROBOTS), default="table_of_stewart", help="which robot (default: table_of_stewart)")
    parser.add_argument("--error", choices=list(DEFAULT_SIZES), default="joints", help="what the leg model leaves out (default: joints)")
    parser.add_argument("--size", help="its size in mm, without the unit")
    parser.add_argument("--seed", type=int, default=SEED, help="seed of the simulated noise (default: %(default)s)")
    parser.add_argument("--noise", default="1", help="factor on the standard deviations (default: 1)")
    parser.add_argument("--raw", action="store_true", help="write every single reading instead, for 'certify prepare' (problems/simulation/raw.py)")
    options = parser.parse_args(arguments)
    try:
        if options.raw:
            from certify.problems.simulation.raw import simulate_raw

            if options.robot != "table_of_stewart":
                raise InputError("--raw simulates the table_of_stewart only; leave --robot out")
            print(simulate_raw(unmodelled_error(options.error, options.size), options.seed, options.noise).write(options.out))
            return 0
        simulated = ROBOTS[options.robot](unmodelled_error(options.error, options.size), options.seed, options.noise)
        print(write_experiment(options.out, simulated.experiment))
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
