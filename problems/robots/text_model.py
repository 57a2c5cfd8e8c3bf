"""The `[model]` of a problem file: a platform whose legs obey one equation, written as text.

    [model]                     equation = "norm(P + R*b - a) - (L + l)"       a formula whose value is 0; see
        certify.problems.formulas.grammar
    [model.parameters]          a = "length x y z", l = "length"               unknown, each leg has its own
    [model.common]              h = "length"                                   unknown, the same for all legs
    [model.pose_unknowns]       x = "length"                                   unknown, each pose has its own; its
        column gives its bounds
    [model.columns]             x = "length", theta = "angle"                  measured in each pose, shared by all legs
    [model.leg_columns]         L = "length"                                   measured in each pose and leg: columns
        L1, L2, ...
    [model.constants]           forearm = "800 mm"                             known exactly
    [model.definitions]         P = "[x, y, z]"                                parts of the equation, each may use those
        above it

An angle is in radians inside a formula, whatever unit it is given in. What is declared must be used. Nothing else
differs from the robots of certify.problems.kinds: a text model becomes a `Kind`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np

from certify.problems.errors import InputError
from certify.problems.formulas.grammar import Call, Entry, Name, Node, parse_formula
from certify.problems.formulas.meaning import RESERVED, evaluate, numbers_like, shape_of
from certify.problems.formulas.units import Dimension, Quantity, described, shown
from certify.problems.functions.lengths import Length
from certify.problems.robots.kind import Field, Kind

GROUPS = ("parameters", "common", "pose_unknowns", "columns", "leg_columns")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,19}", re.ASCII)
_DIMENSIONS = {"length": Dimension.LENGTH, "angle": Dimension.ANGLE, "number": Dimension.NUMBER}
_RESERVED = {"pose", *RESERVED}


@dataclass(frozen=True, slots=True)
class TextModel:
    """An equation, the definitions that it uses, and constants: called like any model function, model(x, m)."""

    equation: str
    definitions: tuple[tuple[str, str], ...]
    constants: tuple[tuple[str, Quantity], ...]

    def __call__(self, x: Any, m: Any) -> Any:
        values = {name: value for space in (x, m) for name, value in vars(space).items() if not name.startswith("_")}
        return self.value(values, "")

    def value(self, values: Mapping[str, Any], place: str) -> Any:
        """The equation's left side, with these values of what is declared; `place` begins the place in a message."""
        numbers = numbers_like(
            next(item for value in values.values() for item in np.ravel(np.array(value, dtype=object)))
        )
        known = dict(values)
        for name, quantity in self.constants:
            known[name] = numbers.number(quantity.value)
            if isinstance(known[name], Length) and quantity.unit == "mm":
                known[name] = Length(Fraction(1) if quantity.value else None)
            elif quantity.unit == "deg":
                known[name] = known[name] * numbers.pi / numbers.number(Fraction(180))
        for name, text in self.definitions:
            at = f"{place}definitions.{name}"
            known[name] = evaluate(parse_formula(text, at), known, numbers, at)
        at = f"{place}equation"
        return evaluate(parse_formula(self.equation, at), known, numbers, at)

    @property
    def conventions(self) -> tuple[str, ...]:
        """The equation in words, with what it uses."""
        parts = [f"{name} = {_line(text)}" for name, text in self.definitions]
        constants = [f"{name} = {quantity.value} {quantity.unit}" for name, quantity in self.constants]
        where = ", ".join(parts + constants)
        return (f"model of a leg: {_line(self.equation)} = 0", *((f"where {where}",) if where else ()))


def text_kind(model: TextModel, legs: int, fields: Mapping[str, tuple[Field, ...]], place: str) -> Kind:
    """The kind of robot that a text model describes, with the fields of each of GROUPS; mistakes are named, beginning
    with `place`.
    """
    _check_names(model, fields, place)
    parameters, common, pose_unknowns, columns, leg_columns = (fields[group] for group in GROUPS)
    values = {field.name: _dimensions(field) for group in fields.values() for field in group}
    section = place.rstrip(".")
    if not (parameters or common or pose_unknowns):
        raise InputError(
            f"{section}: nothing is unknown; declare what is under [model.parameters], such as a = 'length x y z'"
        )
    power = _checked(model.value(values, place), f"{place}equation")
    _check_used(model, values, place)
    if not (columns or leg_columns):
        raise InputError(
            f"{section}: nothing is measured; declare what is under [model.columns] or [model.leg_columns], "
            f"such as L = 'length'"
        )
    kind = Kind(
        "model",
        "a model of its own",
        legs,
        parameters,
        columns,
        leg_columns,
        model,
        _nothing,
        model.conventions,
        common,
        pose_unknowns,
        _unit(power),
    )
    names = [field.name for field in (*pose_unknowns, *columns)] + [
        f"{field.name}{leg}" for field in leg_columns for leg in range(1, legs + 1)
    ]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"{section}: two columns of the table would be called {name}; rename one of them")
    for unknown in (kind.common_names, kind.parameter_names):
        for name in unknown:
            if unknown.count(name) > 1:
                raise InputError(
                    f"{section}: two unknown numbers would be called {name}; rename a field or a component"
                )
    return kind


def parse_field(name: str, value: object, place: str, components: bool) -> Field:
    """A declaration: "length", "angle" or "number", and the components' names if it is a vector."""
    words = value.split() if isinstance(value, str) else []
    if not words or words[0] not in _DIMENSIONS:
        raise InputError(
            f"{place} is {described(value)}; write what it is: 'length', 'angle' or 'number', and for a "
            f"vector 'length x y z'"
        )
    if not components and len(words) > 1:
        raise InputError(
            f"{place}: a column of the table is one number; declare one for each component, and under "
            f"[model.definitions] the vector"
        )
    for word in words[1:]:
        if _NAME.fullmatch(word) is None or words[1:].count(word) > 1:
            raise InputError(
                f"{place}: {shown(word)} cannot name a component; write different short names such as x y z"
            )
    return Field(name, _DIMENSIONS[words[0]], tuple(words[1:]))


def field_text(field: Field) -> str:
    """What parse_field reads."""
    return " ".join(
        [next(word for word, dimension in _DIMENSIONS.items() if dimension is field.dimension), *field.components]
    )


def _nothing(m: SimpleNamespace) -> None:
    """A text model defines its derived quantities itself."""


def _line(text: str) -> str:
    return " ".join(text.split())


def _dimensions(field: Field) -> Any:
    one = Length(Fraction(int(field.dimension is Dimension.LENGTH)))
    return np.array([one] * len(field.components), dtype=object) if field.components else one


def _checked(value: Any, place: str) -> Fraction:
    if not isinstance(value, Length):
        raise InputError(
            f"{place} comes to {shape_of(value)}; an equation is one number, such as the norm of a vector less a length"
        )
    if value.power is None:
        raise InputError(f"{place} is always 0, so it says nothing; write what must vanish")
    return value.power


def _unit(power: Fraction) -> str:
    return "1" if power == 0 else "mm" if power == 1 else f"mm^{power}"


def _check_names(model: TextModel, groups: Mapping[str, tuple[Field, ...]], place: str) -> None:
    seen: dict[str, str] = {}
    declared = [(group, field.name) for group, fields in groups.items() for field in fields]
    declared += [("constants", name) for name, _ in model.constants] + [
        ("definitions", name) for name, _ in model.definitions
    ]
    for group, name in declared:
        at = f"{place}{group}."
        if _NAME.fullmatch(name) is None:
            raise InputError(
                f"{at}{shown(name)} is no name for a formula; write a letter, then at most 19 letters, digits or _"
            )
        if name in _RESERVED:
            raise InputError(f"{at}{name}: {name} has a meaning of its own already; choose another name")
        if name in seen:
            raise InputError(f"{at}{name}: there is a {name} under [model.{seen[name]}] already; rename one of them")
        seen[name] = group


def _check_used(model: TextModel, values: Mapping[str, Any], place: str) -> None:
    used = _names(parse_formula(model.equation, f"{place}equation"))
    for name, text in reversed(model.definitions):
        if name not in used:
            raise InputError(f"{place}definitions.{name} is used nowhere; use it or remove it")
        used |= _names(parse_formula(text, f"{place}definitions.{name}"))
    for name in (*values, *(name for name, _ in model.constants)):
        if name not in used:
            raise InputError(f"{place}{name} is declared, but the equation does not use it; use it or remove it")


def _names(node: Node) -> set[str]:
    if isinstance(node, Name):
        return {node.name}
    if isinstance(node, Entry):
        return _names(node.value)
    return set().union(*map(_names, node.arguments)) if isinstance(node, Call) else set()
