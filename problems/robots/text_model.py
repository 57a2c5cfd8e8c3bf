"""The `[model]` of a problem file: a platform whose legs obey one equation, or a robot without legs, written as text.

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

Without [legs] the formula may be a vector, whose components are rows of one pose, or there are several:

    [model.equations]           position = "B + R*t - P", orientation = "..."    in place of `equation`
    [model.errors]              orientation = "mrad x y z"                     the unit in which an error is told (mm,
        deg, rad, mrad, 1), and the components' names; may be left out. The error of a pose is the largest of its
        components, or with "mm x y z distance" their Euclidean norm: the distance of the model's position from the box
        of the measured one

An angle is in radians inside a formula, whatever unit it is given in. What is declared must be used. Nothing else
differs from the robots of certify.problems.kinds: a text model becomes a `Kind`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np

from certify.problems.errors import InputError
from certify.problems.formulas.grammar import Call, Entry, Name, Node, parse_formula
from certify.problems.formulas.meaning import RESERVED, Numbers, evaluate, numbers_like, shape_of
from certify.problems.formulas.units import Dimension, Quantity, shown
from certify.problems.functions.lengths import Length
from certify.problems.model.groups import EUCLIDEAN
from certify.problems.robots.components import MODEL, Equation, default_components
from certify.problems.robots.declarations import DISTANCE, NAME, StatedError
from certify.problems.robots.kind import Field, Kind

GROUPS = ("parameters", "common", "pose_unknowns", "columns", "leg_columns")
_RESERVED = {"pose", *RESERVED}


@dataclass(frozen=True, slots=True)
class TextModel:
    """Equations by name (of a leg one without a name), the definitions that they use, and constants: called like any
    model function, model(x, m). Values are told in the `units` of the equations, if these have any.
    """

    equations: tuple[tuple[str, str], ...]
    definitions: tuple[tuple[str, str], ...]
    constants: tuple[tuple[str, Quantity], ...]
    units: tuple[str, ...] = ()

    def __call__(self, x: Any, m: Any) -> Any:
        values = {name: value for space in (x, m) for name, value in vars(space).items() if not name.startswith("_")}
        found = self.values(values, "")
        if "" in found:
            return found[""]
        numbers = numbers_like(_first(values))
        return {
            name: _in_unit(value, unit, numbers) for (name, value), unit in zip(found.items(), self.units, strict=True)
        }

    def values(self, values: Mapping[str, Any], place: str) -> dict[str, Any]:
        """The equations' left sides, with these values of what is declared; `place` begins the place in a message."""
        numbers = numbers_like(_first(values))
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
        return {
            name: evaluate(parse_formula(text, _at(place, name)), known, numbers, _at(place, name))
            for name, text in self.equations
        }

    @property
    def conventions(self) -> tuple[str, ...]:
        """The equations in words, with what they use."""
        parts = [f"{name} = {_line(text)}" for name, text in self.definitions]
        constants = [f"{name} = {quantity.value} {quantity.unit}" for name, quantity in self.constants]
        where = ", ".join(parts + constants)
        told = (f"model of {_called(name)}: {_line(text)} = 0" for name, text in self.equations)
        return (*told, *((f"where {where}",) if where else ()))


def text_kind(
    model: TextModel,
    legs: int,
    fields: Mapping[str, tuple[Field, ...]],
    place: str,
    errors: Mapping[str, StatedError] | None = None,
) -> Kind:
    """The kind of robot that a text model describes, with the fields of each of GROUPS; mistakes are named, beginning
    with `place`. `errors` are the units, components and norms of equations, as far as they are stated.
    """
    _check_names(model, fields, place)
    parameters, common, pose_unknowns, columns, leg_columns = (fields[group] for group in GROUPS)
    values = {field.name: _dimensions(field) for group in fields.values() for field in group}
    section = place.rstrip(".")
    if not (parameters or common or pose_unknowns):
        raise InputError(
            f"{section}: nothing is unknown; declare what is under [model.parameters], such as a = 'length x y z'"
        )
    found = model.values(values, place)
    equations: tuple[Equation, ...] = ()
    unit = "mm"
    if legs:
        unit = _unit(_checked(found[""], f"{place}equation"))
    else:
        equations = tuple(_equation(name, value, (errors or {}).get(name), place) for name, value in found.items())
        model = replace(model, units=tuple(equation.unit for equation in equations))
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
        unit,
        equations,
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
            f"{place} comes to {shape_of(value)}; the equation of a leg is one number, such as the norm of a vector "
            f"less a length (a robot without [legs] may have vectors)"
        )
    if value.power is None:
        raise InputError(f"{place} is always 0, so it says nothing; write what must vanish")
    return value.power


def _equation(name: str, value: Any, stated: StatedError | None, place: str) -> Equation:
    """An equation of a model without legs, from its dimensions: a number, or a vector of numbers of one dimension."""
    at, shape = _at(place, name), np.shape(value)
    if len(shape) > 1:
        raise InputError(f"{at} comes to {shape_of(value)}; an equation is a number or a vector")
    entries = list(value) if shape else [value]
    powers = [_checked(entry, f"{at}, component {k}" if shape else at) for k, entry in enumerate(entries, 1)]
    if len(set(powers)) > 1:
        raise InputError(
            f"{at}: its components have different dimensions ({', '.join(_unit(power) for power in powers)}), but one "
            f"model error bounds them all; part them into equations of their own under [model.equations]"
        )
    stated = stated or StatedError(_unit(powers[0]))
    unit, components = stated.unit, stated.components
    if (unit == "mm") != (powers[0] == 1) or (powers[0] not in (0, 1)):
        raise InputError(
            f"{at} comes to {_unit(powers[0])}, its error is told in {unit}; the error of a length is told in mm, that "
            f"of an angle in deg, rad or mrad, that of a plain number in 1"
        )
    if components and len(components) != (len(entries) if shape else 0):
        raise InputError(
            f"{place}errors.{name} names {len(components)} components, {at} comes to {shape_of(value)}; name each once"
        )
    if stated.norm == EUCLIDEAN and not shape:
        raise InputError(
            f"{place}errors.{name} says {DISTANCE}, but {at} comes to one number, whose error is its size; leave "
            f"{DISTANCE} out"
        )
    return Equation(name, unit, components or (default_components(len(entries)) if shape else ()), stated.norm)


def _in_unit(value: Any, unit: str, numbers: Numbers) -> Any:
    """A value (angles in radians) in the unit in which its error is told."""
    factor = {
        "mrad": numbers.number(Fraction(1000)),
        "deg": numbers.number(Fraction(180)) / numbers.pi,
    }.get(unit)
    if factor is None:
        return value
    return np.array([factor * entry for entry in value], dtype=object) if np.shape(value) else factor * value


def _first(values: Mapping[str, Any]) -> Any:
    """One of the numbers, which shows what numbers they all are."""
    return next(item for value in values.values() for item in np.ravel(np.array(value, dtype=object)))


def _at(place: str, name: str) -> str:
    """Where an equation stands."""
    return f"{place}equation" if name in ("", MODEL) else f"{place}equations.{name}"


def _called(name: str) -> str:
    return {"": "a leg", MODEL: "a pose"}.get(name, name)


def _unit(power: Fraction) -> str:
    return "1" if power == 0 else "mm" if power == 1 else f"mm^{power}"


def _check_names(model: TextModel, groups: Mapping[str, tuple[Field, ...]], place: str) -> None:
    seen: dict[str, str] = {}
    declared = [(group, field.name) for group, fields in groups.items() for field in fields]
    declared += [("constants", name) for name, _ in model.constants] + [
        ("definitions", name) for name, _ in model.definitions
    ]
    declared += [("equations", name) for name, _ in model.equations if name not in ("", MODEL)]
    for group, name in declared:
        at = f"{place}{group}."
        if NAME.fullmatch(name) is None:
            raise InputError(
                f"{at}{shown(name)} is no name for a formula; write a letter, then at most 19 letters, digits or _"
            )
        if name in _RESERVED:
            raise InputError(f"{at}{name}: {name} has a meaning of its own already; choose another name")
        if name in seen:
            raise InputError(f"{at}{name}: there is a {name} under [model.{seen[name]}] already; rename one of them")
        seen[name] = group


def _check_used(model: TextModel, values: Mapping[str, Any], place: str) -> None:
    used = set().union(*(_names(parse_formula(text, _at(place, name))) for name, text in model.equations))
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
