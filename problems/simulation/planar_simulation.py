"""A planar 3-RPR robot, simulated on a grid of poses. Its dimensions are ours, plausible for a table-top machine;
nobody has measured it.

Base joints lie on a circle of 300 mm, platform joints on one of 80 mm, actuators start at 200 mm; the true robot is a
few mm off.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np

from certify.problems.errors import InputError
from certify.problems.formulas.units import parse_decimal
from certify.problems.robots.kind import find_kind
from certify.problems.simulation.simulated import Robot, SimulatedExperiment, Truth, generators, noise_factor, observe
from certify.problems.simulation.unmodelled_error import UnmodelledError, gross_error, slack

TITLE = "planar 3-RPR robot, 48 poses on a grid"
SOURCE = "planar 3-RPR robot of invented dimensions"
BLUEPRINT = "-259.8076 -150 -69.2820 -40 200   259.8076 -150 69.2820 -40 200   0 300 0 80 200"
TRUE = """-258.1302 -151.2217 -68.4410 -41.0733 201.3140
           261.0415 -148.7060  70.1092 -39.1178 198.2271
            -1.2950  298.4406   0.8321  80.9517 200.8465"""
DEVIATIONS = (
    {name: Fraction(1, 50) for name in ("x", "y")}
    | {"theta": Fraction(1, 200)}
    | {f"L{i}": Fraction(1, 100) for i in (1, 2, 3)}
)
POSITIONS = (-60, -20, 20, 60)
TURNS = (-15, 0, 15)


def _numbers(text: str) -> tuple[Fraction, ...]:
    return tuple(parse_decimal(cell, "planar robot") for cell in text.split())


def simulate_planar(error: UnmodelledError, seed: int, noise: Fraction | float | str = 1) -> SimulatedExperiment:
    """The experiment with this unmodelled error; `noise` is a factor on the standard deviations 0.02 mm, 0.005 deg and
    0.01 mm.
    """
    if error.name == "joints":
        raise InputError(
            "the planar robot has no joints with two axes, so it has no error joints; choose none, backlash or outlier"
        )
    factor, (for_error, for_noise) = noise_factor(noise), generators(seed)
    kind, grid, parameters = (
        find_kind("planar_3rpr", "simulation"),
        list(product(POSITIONS, POSITIONS, TURNS)),
        _numbers(TRUE),
    )
    extra = slack(error, len(grid), kind.legs, for_error)
    size = len(kind.parameter_names)
    legs = [[float(value) for value in parameters[leg * size : (leg + 1) * size]] for leg in range(kind.legs)]
    units = {"theta": "deg"}
    readings = np.array([[kind.residual(leg, [*pose, 0.0], units) for leg in legs] for pose in grid]) - extra
    columns = [[Fraction(value) for value in column] for column in (*zip(*grid, strict=True), *readings.T.tolist())]
    gross = gross_error(error, len(grid), kind.legs, for_error)
    if gross is not None:
        columns[len(kind.pose) + gross[1]][gross[0]] += gross[2]
    measurements = {name: tuple(column) for name, column in zip(kind.columns, columns, strict=True)}
    truth = Truth(parameters, measurements, (gross[1] + 1, gross[0] + 1) if gross is not None else None)
    return observe(Robot(kind, TITLE, SOURCE, _numbers(BLUEPRINT), DEVIATIONS), truth, error, seed, factor, for_noise)
