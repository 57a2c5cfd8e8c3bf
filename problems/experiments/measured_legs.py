"""The measurements of a Gough platform as arrays of floats, leg by leg: what classical calibration and validation start
from.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from certify.problems.errors import InputError
from certify.problems.experiments.experiment import Experiment
from certify.problems.files.csv_table import read_table
from certify.problems.formulas.units import shown
from certify.problems.geometry.rotations import Floats
from certify.problems.robots.gough_squared import Leg

KIND = "gough"
LEGS = 6


@dataclass(frozen=True, eq=False, slots=True)
class MeasuredLegs:
    """Poses (K, 6) in mm and degrees, leg readings (K, 6) in mm, and the half-widths (K, 12) of both; labels name the
    poses.
    """

    labels: tuple[str, ...]
    poses: Floats
    readings: Floats
    half_widths: Floats

    def leg(self, number: int) -> Leg:
        """What leg 0, 1, ... is measured by."""
        return Leg(self.poses[:, :3], self.poses[:, 3:], self.readings[:, number])

    def half_widths_of(self, number: int) -> Floats:
        """The half-widths (K, 7) of x, y, z, alpha, beta, gamma and the leg's own reading."""
        return self.half_widths[:, [*range(6), 6 + number]]


def measured_legs(experiment: Experiment) -> MeasuredLegs:
    """The middles and half-widths of an experiment with a Gough platform of which all parameters are unknown."""
    if experiment.kind.name != KIND or len(experiment.variables) != 7 * LEGS:
        raise InputError(
            f"classical calibration is for kind {KIND!r} with all 42 parameters unknown, not for "
            f"{shown(experiment.kind.name)}"
        )
    units = {column.name: column.unit for column in experiment.columns}
    middles = experiment.nominal_measurements()
    halves = {
        c.name: np.array([float((high - low) / 2) for low, high in zip(c.lower, c.upper, strict=True)])
        for c in experiment.columns
    }
    return _assembled(experiment.poses, middles, halves, units)


def read_measured_legs(path: Path, experiment: Experiment) -> MeasuredLegs:
    """A table of poses with the columns of the experiment's own; its half-widths, if there are any, do not matter."""
    table = read_table(path, experiment.kind.columns, experiment.reading.layout, further=True)
    middles = {name: np.array([float(value) for value in column.values]) for name, column in table.columns.items()}
    nothing = {name: np.zeros(len(table.poses)) for name in middles}
    return _assembled(table.poses, middles, nothing, {name: column.unit for name, column in table.columns.items()})


def _assembled(
    labels: tuple[str, ...], middles: dict[str, Floats], halves: dict[str, Floats], units: dict[str, str]
) -> MeasuredLegs:
    def stacked(names: list[str], values: dict[str, Floats]) -> Floats:
        return np.stack([np.degrees(values[name]) if units[name] == "rad" else values[name] for name in names], axis=1)

    pose = ["x", "y", "z", "alpha", "beta", "gamma"]
    legs = [f"L{leg}" for leg in range(1, LEGS + 1)]
    return MeasuredLegs(labels, stacked(pose, middles), stacked(legs, middles), stacked([*pose, *legs], halves))
