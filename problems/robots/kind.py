"""A kind of robot: which numbers describe a leg (or a robot without legs), which are measured, and what they obey. One
file in problems/kinds is one kind.

    KIND = Kind(name="gough", legs=6, parameters=(Field("a", LENGTH, ("x", "y", "z")), ...), ..., model=leg,
        prepare=pose)

The model is an ordinary function model(x, m): x holds the parameters of one leg (x.a a vector, x.l a number), m what is
measured; `prepare` adds derived quantities to m (a rotation matrix), with all angles in radians. It is called with
floats, or traced to a tape. `conventions` says in words what the numbers mean.

Where some of the pose is unknown (`pose_unknowns`), every pose has variables of its own. A family binds the same
variables in all of its rows, so that there is then one family of one row for each leg and pose.

A robot that has no legs (legs=0: a serial arm) says by `equations` what its model returns: one number or vector, or a
dictionary of them. Each component of each of them is a family with one row a pose (certify.problems.robots.components).
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np

from certify.contractors.tape.tape import Builder, Tape, replay
from certify.problems.errors import InputError
from certify.problems.formulas.expression import radians
from certify.problems.formulas.units import Dimension, nearest, shown
from certify.problems.model.groups import Group
from certify.problems.model.model import Binding, Family, trace
from certify.problems.robots.components import Equation, Ratio, component_families, component_groups

PACKAGE = "certify.problems.kinds"


@dataclass(frozen=True, slots=True)
class Field:
    """A field of x or m: one number, or the vector of the named components."""

    name: str
    dimension: Dimension
    components: tuple[str, ...] = ()

    @property
    def shape(self) -> tuple[int, ...]:
        """() for a number, (n,) for a vector."""
        return (len(self.components),) if self.components else ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its numbers: l, or a_x, a_y, a_z."""
        return tuple(f"{self.name}_{c}" for c in self.components) if self.components else (self.name,)


@dataclass(frozen=True, slots=True)
class Kind:
    """Equal legs that share the measured pose; `pose` and `own` are measured numbers, and a row's value is in `unit`.

    `common` are parameters that all legs share; `pose_unknowns` are numbers that no measurement gives, a column of the
    table bounds them. Without legs there are `equations`, `parameters` are the robot's, and `ratio` says how much of
    an angle counts as much as a length, if both are to be bounded together.
    """

    name: str
    title: str
    legs: int
    parameters: tuple[Field, ...]
    pose: tuple[Field, ...]
    own: tuple[Field, ...]
    model: Callable[[Any, Any], Any]
    prepare: Callable[[SimpleNamespace], None]
    conventions: tuple[str, ...]
    common: tuple[Field, ...] = ()
    pose_unknowns: tuple[Field, ...] = ()
    unit: str = "mm"
    equations: tuple[Equation, ...] = ()
    ratio: Ratio | None = None

    @property
    def leg_names(self) -> tuple[str, ...]:
        """leg1, leg2, ...: the names of the families."""
        return tuple(f"leg{leg}" for leg in range(1, self.legs + 1))

    @property
    def parameter_names(self) -> tuple[str, ...]:
        """The numbers that describe one leg, in the order of the tape's inputs."""
        return tuple(name for field in self.parameters for name in field.names)

    @property
    def common_names(self) -> tuple[str, ...]:
        """The numbers that all legs share."""
        return tuple(name for field in self.common for name in field.names)

    @property
    def variable_fields(self) -> dict[str, Field]:
        """The unknown parameters of the robot, first the common ones, then leg by leg (robot.h, leg1.a_x, ...), and the
        field of each; those of a robot without legs are called by their own names alone.
        """
        if not self.legs:
            return {name: field for field in self.parameters for name in field.names}
        fields = {f"robot.{name}": field for field in self.common for name in field.names}
        return fields | {
            f"{leg}.{name}": field for leg in self.leg_names for field in self.parameters for name in field.names
        }

    @property
    def variable_names(self) -> tuple[str, ...]:
        """The names of the unknown parameters of the robot."""
        return tuple(self.variable_fields)

    @property
    def columns(self) -> dict[str, Dimension]:
        """The measured columns: the pose, shared by all legs, then L1, L2, ... for each field of a leg's own."""
        own = {f"{field.name}{leg}": field.dimension for field in self.own for leg in range(1, self.legs + 1)}
        return {field.name: field.dimension for field in self.pose} | own

    @property
    def table_columns(self) -> dict[str, Dimension]:
        """The columns of the table: those of the pose's unknowns, then the measured ones."""
        return {field.name: field.dimension for field in self.pose_unknowns} | self.columns

    @property
    def measured(self) -> tuple[Field, ...]:
        """The measured fields of one leg, in the order of the tape's inputs."""
        return (*self.pose, *self.own)

    @property
    def unknown(self) -> tuple[Field, ...]:
        """The unknown fields of one leg, in the order of the tape's inputs."""
        return (*self.common, *self.parameters, *self.pose_unknowns)

    def measured_names(self, leg: int) -> tuple[str, ...]:
        """The columns of leg 0, 1, ..., in the order of the tape's inputs."""
        return (*(field.name for field in self.pose), *(f"{field.name}{leg + 1}" for field in self.own))

    @property
    def groups(self) -> tuple[Group, ...]:
        """What is asked about as one, where there are no legs: each equation, and all together if there is a ratio."""
        return component_groups(self.equations, self.ratio)

    def tape(self, units: Mapping[str, str]) -> Any:
        """The equation of a leg as a tape, or those of a model without legs; `units` says of each field whether it
        comes in deg or in rad.
        """
        unknowns = {field.name: field.shape for field in self.unknown}
        measured: dict[str, tuple[int, ...]] = {field.name: () for field in self.measured}
        return trace(
            lambda x, m: self.model(_in_radians(x, self.unknown, units), m),
            unknowns,
            measured,
            lambda m: self._prepare(m, units),
        )

    def families(
        self, rows: int, units: Mapping[str, str], fixed: Mapping[str, Fraction] | None = None
    ) -> tuple[Family, ...]:
        """The families of all legs; what is `fixed` (by variable name) is no variable but a constant of the tape.

        Variables are numbered as variable_names lists them, without the fixed ones, then the pose's unknowns pose by
        pose; columns as `columns` lists them, each of all rows, or of one row after the other where there are unknowns
        of the pose.
        """
        fixed = fixed or {}
        tape = self.tape(units)
        if not self.legs:
            return component_families(tape, self.equations, self.ratio, self.inputs(fixed), rows)
        columns = list(self.columns)
        variables = [name for name in self.variable_names if name not in fixed]
        found = []
        for leg, name in enumerate(self.leg_names):
            names = [*(f"robot.{n}" for n in self.common_names), *(f"{name}.{n}" for n in self.parameter_names)]
            own = _with_constants(tape, {i: fixed[n] for i, n in enumerate(names) if n in fixed})
            free = tuple(Binding(False, variables.index(n)) for n in names if n not in fixed)
            measured = [columns.index(column) for column in self.measured_names(leg)]
            if not self.pose_unknowns:
                found.append(
                    Family(name, own, rows, (*free, *(Binding(True, column) for column in measured)), self.unit)
                )
                continue
            for row in range(rows):
                first = len(variables) + row * len(self.pose_unknowns)
                posed = tuple(Binding(False, first + i) for i in range(len(self.pose_unknowns)))
                at_row = tuple(Binding(True, column * rows + row) for column in measured)
                found.append(Family(f"{name}.pose{row + 1}", own, 1, (*free, *posed, *at_row), self.unit))
        return tuple(found)

    def inputs(self, fixed: Mapping[str, Fraction]) -> list[Fraction | Binding]:
        """What the inputs of the tape of a robot without legs stand for."""
        variables, columns = [name for name in self.variable_names if name not in fixed], list(self.columns)
        found: list[Fraction | Binding] = [
            fixed[n] if n in fixed else Binding(False, variables.index(n)) for n in self.variable_names
        ]
        return found + [Binding(True, columns.index(field.name)) for field in self.pose]

    def residual(self, parameters: Sequence[float], measured: Sequence[float], units: Mapping[str, str]) -> float:
        """The model of one leg in floats: estimated, for simulations and tests. `parameters` are those of `unknown`, in
        order.
        """
        m = SimpleNamespace(**{field.name: float(value) for field, value in zip(self.measured, measured, strict=True)})
        self._prepare(m, units)
        x, position = SimpleNamespace(), 0
        for field in self.unknown:
            values = np.array(parameters[position : position + len(field.names)], dtype=np.float64)
            setattr(x, field.name, values if field.components else float(values[0]))
            position += len(field.names)
        return float(self.model(_in_radians(x, self.unknown, units), m))

    def _prepare(self, m: SimpleNamespace, units: Mapping[str, str]) -> None:
        for field in self.measured:
            if field.dimension == Dimension.ANGLE and units[field.name] == "deg":
                setattr(m, field.name, radians(getattr(m, field.name)))
        self.prepare(m)


def _in_radians(x: Any, fields: Sequence[Field], units: Mapping[str, str]) -> Any:
    """The unknowns with their angles in radians."""
    turned = {field.name for field in fields if field.dimension == Dimension.ANGLE and units[field.name] == "deg"}
    for name in turned:
        value = getattr(x, name)
        setattr(x, name, np.array([radians(v) for v in value]) if np.shape(value) else radians(value))
    return x


def _with_constants(tape: Tape, constants: Mapping[int, Fraction]) -> Tape:
    """The tape with these inputs replaced by numbers; the other inputs keep their order."""
    if not constants:
        return tape
    builder = Builder(tape.inputs - len(constants))
    free = iter(range(builder.inputs))
    inputs = [builder.constant(constants[i]) if i in constants else next(free) for i in range(tape.inputs)]
    return builder.row(replay(tape, builder, inputs)[tape.outputs[0]])


def kind_names() -> tuple[str, ...]:
    """The kinds that there are: the files of problems/kinds."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(importlib.import_module(PACKAGE).__path__)))


def find_kind(name: str, place: str) -> Kind:
    """The kind with this name; `place` says where the name stands."""
    if name not in kind_names():
        other = "any other is described by [model], without kind"
        raise InputError(f"{place}: there is no kind of robot {shown(name)}; {nearest(name, kind_names())} ({other})")
    kind: Kind = importlib.import_module(f"{PACKAGE}.{name}").KIND
    return kind
