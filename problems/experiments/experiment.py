"""A calibration experiment: a robot of some kind, its blueprint, and what was measured, all as exact numbers.

    bounds of variable i:  centre_i -+ radius_i        bounds of entry k of a column:  value_k -+ half-width_k

The unknowns are all parameters of all legs, except those that are known exactly (radius 0), and whatever of the poses
is unknown. Where the search box is centred is decided later (after least squares, say), so an experiment becomes a
`Problem` by `problem(centre)`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as with_default
from fractions import Fraction
from math import floor, log10
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from certify.contractors.tape.tape import Tape
from certify.problems.errors import InputError
from certify.problems.experiments.half_widths import UNSTATED, Statement
from certify.problems.files.csv_table import FileRead, Measured
from certify.problems.files.layout import PLAIN, Layout
from certify.problems.formulas.units import Quantity, unit_named
from certify.problems.functions.dimensions import GEOMETRIC
from certify.problems.model.model import Binding, Column, Family, Problem, Variable, trace
from certify.problems.robots.kind import Field, Kind

LEAST_SQUARES: Literal["least squares"] = "least squares"
NOMINAL: Literal["nominal"] = "nominal"
GIVEN = "given"

Centre = Literal["least squares", "nominal"] | tuple[Fraction, ...]
CENTRE_STEP = Fraction(1, 10_000)  # of lengths in mm
FINE_STEP = Fraction(1, 10**7)  # of angles and plain numbers
DIGITS = 8  # of other quantities, which may be small in their units


@dataclass(frozen=True, slots=True)
class Parameter:
    """A number of the robot, such as leg1.a_x, its blueprint value, and how far it may be from the centre of its box;
    or it is known exactly.
    """

    name: str
    unit: str
    nominal: Fraction
    radius: Fraction
    fixed: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """How the tables were laid out and read: nothing that a problem would depend on."""

    layout: Layout = PLAIN
    files: tuple[FileRead, ...] = ()

    @property
    def told(self) -> list[str]:
        """What is worth being told of the files: above all the columns that were not read."""
        return [file.told for file in self.files if file.told]

    @property
    def as_json(self) -> list[dict[str, object]]:
        """The files for scripts."""
        return [file.as_json for file in self.files]


@dataclass(frozen=True, slots=True)
class Experiment:
    """Everything that a problem file and its table say; `centre` is a rule, or one number for each number of the
    blueprint.

    `blueprint` has a value and a radius for each number of kind.variable_names. Those that are `fixed` are constants of
    the model; the others are the first `variables`. Behind them stand the unknowns of each pose, whose boxes are the
    table's own. `half_widths_are` says what the accuracies of the measurements are: bounds, or so many standard
    deviations.
    """

    title: str
    provenance: str
    kind: Kind
    poses: tuple[str, ...]
    blueprint: tuple[Parameter, ...]
    variables: tuple[Parameter, ...]
    pose_columns: tuple[Column, ...]
    columns: tuple[Column, ...]
    families: tuple[Family, ...]
    centre: Centre
    half_widths_are: Statement = UNSTATED
    reading: Reading = with_default(default=Reading(), compare=False)

    @property
    def nominal(self) -> tuple[Fraction, ...]:
        """The blueprint values of the variables."""
        return tuple(variable.nominal for variable in self.variables)

    @property
    def radius(self) -> Fraction:
        """The largest radius of a parameter."""
        return max(parameter.radius for parameter in self.blueprint)

    @property
    def parameters(self) -> int:
        """How many of the variables are parameters; the others are unknowns of poses."""
        return sum(not parameter.fixed for parameter in self.blueprint)

    def blueprint_at(self, centre: Sequence[Fraction]) -> tuple[Fraction, ...]:
        """The numbers of the blueprint with the variables at `centre`."""
        if len(centre) != len(self.variables):
            raise InputError(
                f"the centre has {len(centre)} numbers, the robot has {len(self.variables)} variables; give one "
                f"for each"
            )
        values = iter(centre)
        return tuple(parameter.nominal if parameter.fixed else next(values) for parameter in self.blueprint)

    def problem(self, centre: Sequence[Fraction]) -> Problem:
        """The measured model with every variable within its radius around its centre."""
        if len(centre) != len(self.variables):
            raise InputError(
                f"the centre has {len(centre)} numbers, the robot has {len(self.variables)} variables; give one "
                f"for each"
            )
        variables = tuple(
            Variable(
                variable.name, variable.unit, Fraction(middle) - variable.radius, Fraction(middle) + variable.radius
            )
            for variable, middle in zip(self.variables, centre, strict=True)
        )
        columns = (
            tuple(part for column in self.columns for part in _row_by_row(column))
            if self.pose_columns
            else self.columns
        )
        poses = self.poses if self.kind.groups else ()
        return Problem(variables, columns, self.families, self.title, self.provenance, self.kind.groups, poses)

    def fitted_problem(self) -> Problem:
        """The problem for an estimate: a guess of a pose's unknown counts as a measurement of it, the less the wider
        its box is.
        """
        problem = self.problem(self.nominal)
        widths = [
            (high - low) / 2 for column in self.columns for low, high in zip(column.lower, column.upper, strict=True)
        ]
        smallest = min((width for width in widths if width), default=Fraction(1))
        guesses = [
            Family(
                f"guess of {variable.name}", _guess(variable, smallest / variable.radius), 1, (Binding(False, number),)
            )
            for number, variable in enumerate(self.variables)
            if number >= self.parameters and variable.radius
        ]
        return replace(problem, families=(*problem.families, *guesses))

    def nominal_measurements(self) -> dict[str, NDArray[np.float64]]:
        """The middles of the measurement boxes by column, as the doubles nearest to them: what classical estimators
        start from.
        """
        return {
            c.name: np.array([float((low + high) / 2) for low, high in zip(c.lower, c.upper, strict=True)])
            for c in self.columns
        }


def box_centre(experiment: Experiment, estimate: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
    """Where the experiment wants its box; the unknowns of the poses have theirs from the table."""
    count = experiment.parameters
    if experiment.centre == LEAST_SQUARES:
        return (*estimate[:count], *experiment.nominal[count:])
    if experiment.centre == NOMINAL:
        return experiment.nominal
    given = (value for value in experiment.centre if isinstance(value, Fraction))
    free = tuple(value for value, parameter in zip(given, experiment.blueprint, strict=True) if not parameter.fixed)
    return (*free, *experiment.nominal[count:])


def rounded_centre(values: Sequence[float], units: Sequence[str] = ()) -> tuple[Fraction, ...]:
    """Estimated variables as multiples of 1e-4 mm, or of 1e-7 of other units or less, short enough to be written into a
    problem file.
    """
    for number, value in enumerate(values, 1):
        if not np.isfinite(value):
            raise InputError(
                f"number {number} of the centre is {value}, which is not finite; start elsewhere or give a centre"
            )
    told = zip(values, units or ("mm",) * len(values), strict=True)
    steps = [CENTRE_STEP if unit == "mm" else _step(float(value), unit) for value, unit in told]
    return tuple(round(Fraction(float(value)) / step) * step for value, step in zip(values, steps, strict=True))


def _step(value: float, unit: str) -> Fraction:
    """1e-7 of an angle or a number; of what may have any size, the eighth digit if that is finer."""
    known = unit_named(unit)
    if known is None or known.dimension in GEOMETRIC or not value:
        return FINE_STEP
    return min(FINE_STEP, Fraction(10) ** (floor(log10(abs(value))) - DIGITS))


def assemble(
    title: str,
    provenance: str,
    kind: Kind,
    poses: tuple[str, ...],
    nominal: Sequence[Quantity | Fraction],
    measured: Mapping[str, Measured],
    centre: Centre,
    radius: Fraction | Sequence[Fraction],
    half_widths_are: Statement = UNSTATED,
) -> Experiment:
    """An experiment from its numbers; `nominal` (and `radius`, if it has several) follow kind.variable_names,
    `measured` kind.table_columns.

    Plain numbers are in the canonical unit of their dimension, lengths in mm and angles in degrees. Of several radii, 0
    fixes a parameter.
    """
    columns = tuple(_column(measured[name]) for name in kind.columns)
    pose_columns = tuple(_column(measured[field.name]) for field in kind.pose_unknowns)
    several = isinstance(radius, Sequence)
    radii = radius if isinstance(radius, Sequence) else (radius,) * len(nominal)
    blueprint = tuple(
        Parameter(name, *_value_and_unit(value, field), width, several and not width)
        for (name, field), value, width in zip(kind.variable_fields.items(), nominal, radii, strict=True)
    )
    fixed = {parameter.name: parameter.nominal for parameter in blueprint if parameter.fixed}
    variables = (*(parameter for parameter in blueprint if not parameter.fixed), *_of_poses(pose_columns, len(poses)))
    if not variables:
        raise InputError(
            "every parameter is known exactly (radius 0), so nothing is unknown; give one of them a radius"
        )
    families = kind.families(len(poses), _units(kind, measured) | _parameter_units(kind, blueprint), fixed)
    return Experiment(
        title, provenance, kind, poses, blueprint, variables, pose_columns, columns, families, centre, half_widths_are
    )


def _value_and_unit(value: Quantity | Fraction, field: Field) -> tuple[str, Fraction]:
    if isinstance(value, Quantity):
        return value.unit, value.value
    return field.dimension.canonical, Fraction(value)


def _of_poses(columns: tuple[Column, ...], rows: int) -> list[Parameter]:
    """The unknowns of the poses, pose by pose: a column's entry is the box of one."""
    found = []
    for row in range(rows):
        for column in columns:
            low, high = column.lower[row], column.upper[row]
            found.append(Parameter(f"pose{row + 1}.{column.name}", column.unit, (low + high) / 2, (high - low) / 2))
    return found


def _guess(variable: Parameter, weight: Fraction) -> Tape:
    """weight * (the variable - its nominal value)"""
    tape: Tape = trace(lambda x, m: (x.value - variable.nominal) * weight, {"value": ()}, {})
    return tape


def _row_by_row(column: Column) -> list[Column]:
    ends = enumerate(zip(column.lower, column.upper, strict=True), 1)
    return [Column(f"{column.name}.pose{row}", column.unit, (low,), (high,)) for row, (low, high) in ends]


def _column(measured: Measured) -> Column:
    pairs = list(zip(measured.values, measured.half_widths or (Fraction(0),) * len(measured.values), strict=True))
    return Column(measured.name, measured.unit, tuple(v - h for v, h in pairs), tuple(v + h for v, h in pairs))


def _units(kind: Kind, measured: Mapping[str, Measured]) -> dict[str, str]:
    """The unit of each field that the table gives; the legs share one tape, so their own columns must agree."""
    units = {field.name: measured[field.name].unit for field in (*kind.pose_unknowns, *kind.pose)}
    for leg in range(kind.legs):
        for field, column in zip(kind.measured, kind.measured_names(leg), strict=True):
            if units.setdefault(field.name, measured[column].unit) != measured[column].unit:
                other = units[field.name]
                raise InputError(
                    f"column {column} is in {measured[column].unit}, the other legs' in {other}; use one unit for "
                    f"all legs"
                )
    return units


def _parameter_units(kind: Kind, blueprint: Sequence[Parameter]) -> dict[str, str]:
    """The unit of each parameter field, in which all its numbers must agree."""
    units: dict[str, str] = {}
    for parameter, field in zip(blueprint, kind.variable_fields.values(), strict=True):
        if units.setdefault(field.name, parameter.unit) != parameter.unit:
            raise InputError(
                f"{parameter.name} is in {parameter.unit}, other numbers of {field.name} in {units[field.name]}; "
                f"use one unit for all"
            )
    return units
