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
        deg, rad, mrad, 1, N, Nm, V, A, s, ...), and the components' names; may be left out. The error of a pose is the
        largest of its components, or with "mm x y z distance" their Euclidean norm: the distance of the model's
        position from the box of the measured one

What is declared is a length, an angle, a force, a "force/length", ... (certify.problems.functions.dimensions). An angle
is in radians inside a formula, whatever unit it is given in. What is declared must be used. Nothing else differs from
the robots of certify.problems.kinds: a text model becomes a `Kind`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np

from certify.problems.errors import InputError
from certify.problems.formulas.grammar import parse_formula
from certify.problems.formulas.meaning import Numbers, evaluate, numbers_like, shape_of
from certify.problems.formulas.units import Quantity
from certify.problems.functions.dimensions import ROW_UNITS
from certify.problems.functions.powers import Powers
from certify.problems.model.groups import EUCLIDEAN
from certify.problems.robots.components import ANGLES, MODEL, Equation, default_components
from certify.problems.robots.declarations import DISTANCE, ERROR_UNITS, StatedError
from certify.problems.robots.kind import Field, Kind
from certify.problems.robots.model_names import at, check_names, check_used

GROUPS = ("parameters", "common", "pose_unknowns", "columns", "leg_columns")
_CONSTANT = "newton = '1 N'"
_SCALED = {one.canonical: one.scale for one in ROW_UNITS.values() if one.scale != 1}


@dataclass(frozen=True, slots=True)
class TextModel:
    """Equations by name (of a leg one without a name), the definitions that they use, and constants: called like any
    model function, model(x, m). Values are told in the `units` of the equations, if these have any.

    `scales` say how many coherent units a field's is (a torque in Nm is 1000 N mm), and are None where no factor is
    needed: where all that meets in a sum is of one scale, and every equation comes out in the unit in which it is told.
    """

    equations: tuple[tuple[str, str], ...]
    definitions: tuple[tuple[str, str], ...]
    constants: tuple[tuple[str, Quantity], ...]
    units: tuple[str, ...] = ()
    scales: tuple[tuple[str, Fraction], ...] | None = None

    def __call__(self, x: Any, m: Any) -> Any:
        values = {name: value for space in (x, m) for name, value in vars(space).items() if not name.startswith("_")}
        found = self.values(values, "")
        numbers = numbers_like(_first(values))
        scaled = self.scales is not None
        if "" in found:
            return _in_unit(found[""], self.units[0], numbers, scaled) if self.units else found[""]
        told = zip(found.items(), self.units, strict=True)
        return {name: _in_unit(value, unit, numbers, scaled) for (name, value), unit in told}

    def values(self, values: Mapping[str, Any], place: str) -> dict[str, Any]:
        """The equations' left sides, with these values of what is declared; `place` begins the place in a message."""
        numbers = numbers_like(_first(values))
        known = dict(values)
        for name, scale in self.scales or ():
            known[name] = _times(numbers.number(scale), known[name])
        for name, quantity in self.constants:
            known[name] = numbers.number(quantity.value * (1 if self.scales is None else quantity.dimension.scale))
            if isinstance(known[name], Powers):
                known[name] = Powers.of(quantity.dimension) if quantity.value else Powers(None)
            elif quantity.unit == "deg":
                known[name] = known[name] * numbers.pi / numbers.number(Fraction(180))
        for name, text in self.definitions:
            where = f"{place}definitions.{name}"
            known[name] = evaluate(parse_formula(text, where), known, numbers, where)
        return {
            name: evaluate(parse_formula(text, at(place, name)), known, numbers, at(place, name))
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
    _check_declared(model, fields, place)
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
        unit = _checked(found[""], f"{place}equation")
        model = replace(model, units=(unit,))
    else:
        equations = tuple(_equation(name, value, (errors or {}).get(name), place) for name, value in found.items())
        model = replace(model, units=tuple(equation.unit for equation in equations))
    model = _with_scales(model, fields, found)
    used = (*values, *(name for name, _ in model.constants))
    check_used(model.equations, model.definitions, used, place)
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
    _check_numbers(kind, section)
    return kind


def _check_declared(model: TextModel, fields: Mapping[str, tuple[Field, ...]], place: str) -> None:
    declared = [(group, field.name) for group, own in fields.items() for field in own]
    declared += [("constants", name) for name, _ in model.constants]
    declared += [("definitions", name) for name, _ in model.definitions]
    check_names([*declared, *(("equations", name) for name, _ in model.equations if name not in ("", MODEL))], place)


def _with_scales(model: TextModel, fields: Mapping[str, tuple[Field, ...]], found: Mapping[str, Any]) -> TextModel:
    """With the scales of its names, if an equation is in another unit than its values are computed in."""
    entries = [(entry, told) for value, told in zip(found.values(), model.units, strict=True) for entry in _flat(value)]
    if all(entry.scale == _SCALED.get(told, 1) for entry, told in entries):
        return model
    scales = {field.name: field.dimension.scale for group in fields.values() for field in group}
    return replace(model, scales=tuple((name, scale) for name, scale in scales.items() if scale != 1))


def _check_numbers(kind: Kind, section: str) -> None:
    """No two columns, and no two unknown numbers, have one name."""
    names = [field.name for field in (*kind.pose_unknowns, *kind.pose)] + [
        f"{field.name}{leg}" for field in kind.own for leg in range(1, kind.legs + 1)
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


def _nothing(m: SimpleNamespace) -> None:
    """A text model defines its derived quantities itself."""


def _line(text: str) -> str:
    return " ".join(text.split())


def _dimensions(field: Field) -> Any:
    one = Powers.of(field.dimension)
    return np.array([one] * len(field.components), dtype=object) if field.components else one


def _checked(value: Any, place: str) -> str:
    """The unit of a row's value."""
    if not isinstance(value, Powers):
        raise InputError(
            f"{place} comes to {shape_of(value)}; the equation of a leg is one number, such as the norm of a vector "
            f"less a length (a robot without [legs] may have vectors)"
        )
    if value.units is None:
        raise InputError(f"{place} is always 0, so it says nothing; write what must vanish")
    if value.units not in ROW_UNITS and any(name != "mm" for name, _ in value.units):
        raise InputError(
            f"{place} comes to {value.unit}, in which no error is told; multiply or divide it, by constants with units "
            f"such as {_CONSTANT} under [model.constants] if need be, until it is in one of {', '.join(ERROR_UNITS)}"
        )
    return value.unit


def _equation(name: str, value: Any, stated: StatedError | None, place: str) -> Equation:
    """An equation of a model without legs, from its dimensions: a number, or a vector of numbers of one dimension."""
    where, shape = at(place, name), np.shape(value)
    if len(shape) > 1:
        raise InputError(f"{where} comes to {shape_of(value)}; an equation is a number or a vector")
    entries = _flat(value)
    comes_to = [_checked(entry, f"{where}, component {k}" if shape else where) for k, entry in enumerate(entries, 1)]
    if len(set(comes_to)) > 1:
        raise InputError(
            f"{where}: its components have different dimensions ({', '.join(comes_to)}), but one "
            f"model error bounds them all; part them into equations of their own under [model.equations]"
        )
    stated = stated or StatedError(comes_to[0])
    unit, components = stated.unit, stated.components
    if (unit != comes_to[0] and (unit not in ANGLES or comes_to[0] != "1")) or unit not in ERROR_UNITS:
        raise InputError(
            f"{where} comes to {comes_to[0]}, its error is told in {unit}; the error of a length is told in mm, that "
            f"of an angle in deg, rad or mrad, that of a plain number in 1, that of a force in N, and so on"
        )
    if components and len(components) != (len(entries) if shape else 0):
        raise InputError(
            f"{place}errors.{name} names {len(components)} components, {where} comes to {shape_of(value)}; "
            f"name each once"
        )
    if stated.norm == EUCLIDEAN and not shape:
        raise InputError(
            f"{place}errors.{name} says {DISTANCE}, but {where} comes to one number, whose error is its size; leave "
            f"{DISTANCE} out"
        )
    return Equation(name, unit, components or (default_components(len(entries)) if shape else ()), stated.norm)


def _in_unit(value: Any, unit: str, numbers: Numbers, scaled: bool) -> Any:
    """A value (angles in radians, and if `scaled` in coherent units) in the unit in which its error is told."""
    factor = {
        "mrad": numbers.number(Fraction(1000)),
        "deg": numbers.number(Fraction(180)) / numbers.pi,
        **({name: numbers.number(1 / scale) for name, scale in _SCALED.items()} if scaled else {}),
    }.get(unit)
    return value if factor is None else _times(factor, value)


def _times(factor: Any, value: Any) -> Any:
    """A number or a vector times a number."""
    return np.array([factor * entry for entry in value], dtype=object) if np.shape(value) else factor * value


def _flat(value: Any) -> list[Any]:
    """The entries of a vector, or the number itself."""
    return list(value) if np.shape(value) else [value]


def _first(values: Mapping[str, Any]) -> Any:
    """One of the numbers, which shows what numbers they all are."""
    return next(item for value in values.values() for item in np.ravel(np.array(value, dtype=object)))


def _called(name: str) -> str:
    return {"": "a leg", MODEL: "a pose"}.get(name, name)
