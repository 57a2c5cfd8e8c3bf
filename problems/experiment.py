"""A calibration experiment: a robot of some kind, its blueprint, and what was measured, all as exact numbers.

    bounds of variable i:  centre_i -+ radius          bounds of entry k of a column:  value_k -+ half-width_k

The unknowns are all parameters of all legs. Where the search box is centred is decided later (after least squares, say), so an experiment
becomes a `Problem` by `problem(centre)`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from problems.errors import InputError
from problems.kind import Kind
from problems.model import Column, Family, Problem, Variable
from problems.table import Measured

LEAST_SQUARES: Literal["least squares"] = "least squares"
NOMINAL: Literal["nominal"] = "nominal"
GIVEN = "given"

Centre = Literal["least squares", "nominal"] | tuple[Fraction, ...]
CENTRE_STEP = Fraction(1, 10_000)


@dataclass(frozen=True, slots=True)
class Parameter:
    """An unknown of the robot, such as leg1.a_x, and its blueprint value."""

    name: str
    unit: str
    nominal: Fraction


@dataclass(frozen=True, slots=True)
class Experiment:
    """Everything that a problem file and its table say; `centre` is a rule, or one number for each variable."""

    title: str
    provenance: str
    kind: Kind
    poses: tuple[str, ...]
    variables: tuple[Parameter, ...]
    columns: tuple[Column, ...]
    families: tuple[Family, ...]
    centre: Centre
    radius: Fraction

    @property
    def nominal(self) -> tuple[Fraction, ...]:
        """The blueprint values of the variables."""
        return tuple(variable.nominal for variable in self.variables)

    def problem(self, centre: Sequence[Fraction]) -> Problem:
        """The measured model with every variable within the radius around its centre."""
        if len(centre) != len(self.variables):
            raise InputError(f"the centre has {len(centre)} numbers, the robot has {len(self.variables)} variables; give one for each")
        variables = tuple(
            Variable(variable.name, variable.unit, Fraction(middle) - self.radius, Fraction(middle) + self.radius)
            for variable, middle in zip(self.variables, centre, strict=True)
        )
        return Problem(variables, self.columns, self.families, self.title, self.provenance)

    def nominal_measurements(self) -> dict[str, NDArray[np.float64]]:
        """The middles of the measurement boxes by column, as the doubles nearest to them: what classical estimators start from."""
        return {c.name: np.array([float((low + high) / 2) for low, high in zip(c.lower, c.upper, strict=True)]) for c in self.columns}


def box_centre(experiment: Experiment, estimate: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
    """Where the experiment wants its box."""
    if experiment.centre == LEAST_SQUARES:
        return estimate
    if experiment.centre == NOMINAL:
        return experiment.nominal
    return tuple(value for value in experiment.centre if isinstance(value, Fraction))


def rounded_centre(values: Sequence[float]) -> tuple[Fraction, ...]:
    """Estimated variables (mm) as multiples of 1e-4 mm, short enough to be written into a problem file."""
    for number, value in enumerate(values, 1):
        if not np.isfinite(value):
            raise InputError(f"number {number} of the centre is {value}, which is not finite; start elsewhere or give a centre")
    return tuple(round(Fraction(float(value)) / CENTRE_STEP) * CENTRE_STEP for value in values)


def assemble(
    title: str,
    provenance: str,
    kind: Kind,
    poses: tuple[str, ...],
    nominal: Sequence[Fraction],
    measured: Mapping[str, Measured],
    centre: Centre,
    radius: Fraction,
) -> Experiment:
    """An experiment from its numbers; `nominal` and `measured` follow kind.variable_names and kind.columns."""
    columns = tuple(_column(measured[name]) for name in kind.columns)
    variables = tuple(Parameter(name, "mm", value) for name, value in zip(kind.variable_names, nominal, strict=True))
    families = kind.families(len(poses), _units(kind, measured))
    return Experiment(title, provenance, kind, poses, variables, columns, families, centre, radius)


def _column(measured: Measured) -> Column:
    pairs = list(zip(measured.values, measured.half_widths or (Fraction(0),) * len(measured.values), strict=True))
    return Column(measured.name, measured.unit, tuple(v - h for v, h in pairs), tuple(v + h for v, h in pairs))


def _units(kind: Kind, measured: Mapping[str, Measured]) -> dict[str, str]:
    """The unit of each measured field; the legs share one tape, so their own columns must agree."""
    units: dict[str, str] = {}
    for leg in range(kind.legs):
        for field, column in zip(kind.measured, kind.measured_names(leg), strict=True):
            if units.setdefault(field.name, measured[column].unit) != measured[column].unit:
                other = units[field.name]
                raise InputError(f"column {column} is in {measured[column].unit}, the other legs' in {other}; use one unit for all legs")
    return units
