"""A kind of robot: which numbers describe a leg, which are measured, and the equation of a leg. One file in problems/kinds is one kind.

    KIND = Kind(name="gough", legs=6, parameters=(Field("a", LENGTH, ("x", "y", "z")), ...), ..., model=leg, prepare=pose)

The model is an ordinary function model(x, m): x holds the parameters of one leg (x.a a vector, x.l a number), m what is measured; `prepare`
adds derived quantities to m (a rotation matrix), with all angles in radians. It is called with floats, or traced to a tape. `conventions` says
in words what the numbers mean.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np

from contractors.tape import Tape
from problems.errors import InputError
from problems.expression import radians
from problems.model import Binding, Family, trace
from problems.quantities import Dimension, nearest, shown

PACKAGE = "problems.kinds"


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
    """Equal legs that share the measured pose; `parameters` are lengths, `pose` and `own` are numbers, and a row's value is in mm."""

    name: str
    title: str
    legs: int
    parameters: tuple[Field, ...]
    pose: tuple[Field, ...]
    own: tuple[Field, ...]
    model: Callable[[Any, Any], Any]
    prepare: Callable[[SimpleNamespace], None]
    conventions: tuple[str, ...]

    @property
    def leg_names(self) -> tuple[str, ...]:
        """leg1, leg2, ...: the names of the families."""
        return tuple(f"leg{leg}" for leg in range(1, self.legs + 1))

    @property
    def parameter_names(self) -> tuple[str, ...]:
        """The numbers that describe one leg, in the order of the tape's inputs."""
        return tuple(name for field in self.parameters for name in field.names)

    @property
    def variable_names(self) -> tuple[str, ...]:
        """The unknowns of the robot, leg by leg: leg1.a_x, ..."""
        return tuple(f"{leg}.{name}" for leg in self.leg_names for name in self.parameter_names)

    @property
    def columns(self) -> dict[str, Dimension]:
        """The measured columns: the pose, shared by all legs, then L1, L2, ... for each field of a leg's own."""
        own = {f"{field.name}{leg}": field.dimension for field in self.own for leg in range(1, self.legs + 1)}
        return {field.name: field.dimension for field in self.pose} | own

    @property
    def measured(self) -> tuple[Field, ...]:
        """The measured fields of one leg, in the order of the tape's inputs."""
        return (*self.pose, *self.own)

    def measured_names(self, leg: int) -> tuple[str, ...]:
        """The columns of leg 0, 1, ..., in the order of the tape's inputs."""
        return (*(field.name for field in self.pose), *(f"{field.name}{leg + 1}" for field in self.own))

    def tape(self, units: dict[str, str]) -> Tape:
        """The equation of a leg as a tape; `units` says of each measured field whether it comes in deg or in rad."""
        unknowns = {field.name: field.shape for field in self.parameters}
        return trace(self.model, unknowns, {field.name: () for field in self.measured}, lambda m: self._prepare(m, units))

    def families(self, rows: int, units: dict[str, str]) -> tuple[Family, ...]:
        """One family a leg, all of one tape; variables and columns are numbered as variable_names and columns list them."""
        tape, size, places = self.tape(units), len(self.parameter_names), list(self.columns)
        return tuple(
            Family(
                name,
                tape,
                rows,
                tuple(Binding(False, leg * size + i) for i in range(size))
                + tuple(Binding(True, places.index(column)) for column in self.measured_names(leg)),
                "mm",
            )
            for leg, name in enumerate(self.leg_names)
        )

    def residual(self, parameters: Sequence[float], measured: Sequence[float], units: dict[str, str]) -> float:
        """The model of one leg in floats: estimated, for simulations and tests."""
        m = SimpleNamespace(**{field.name: float(value) for field, value in zip(self.measured, measured, strict=True)})
        self._prepare(m, units)
        x, position = SimpleNamespace(), 0
        for field in self.parameters:
            values = np.array(parameters[position : position + len(field.names)], dtype=np.float64)
            setattr(x, field.name, values if field.components else float(values[0]))
            position += len(field.names)
        return float(self.model(x, m))

    def _prepare(self, m: SimpleNamespace, units: dict[str, str]) -> None:
        for field in self.measured:
            if field.dimension is Dimension.ANGLE and units[field.name] == "deg":
                setattr(m, field.name, radians(getattr(m, field.name)))
        self.prepare(m)


def kind_names() -> tuple[str, ...]:
    """The kinds that there are: the files of problems/kinds."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(importlib.import_module(PACKAGE).__path__)))


def find_kind(name: str, place: str) -> Kind:
    """The kind with this name; `place` says where the name stands."""
    if name not in kind_names():
        raise InputError(f"{place}: there is no kind of robot {shown(name)}; {nearest(name, kind_names())}")
    kind: Kind = importlib.import_module(f"{PACKAGE}.{name}").KIND
    return kind
