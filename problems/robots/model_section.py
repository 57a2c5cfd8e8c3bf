"""The tables below `[model]` in a problem file, read and written; what they mean is told in
`certify.problems.robots.text_model`.
"""

from __future__ import annotations

from certify.problems.errors import InputError
from certify.problems.files.sections import Section
from certify.problems.formulas.grammar import MAX_CHARACTERS
from certify.problems.formulas.units import (
    UNITS,
    Quantity,
    described,
    format_quantity,
    nearest,
    parse_quantity,
    unit_named,
)
from certify.problems.robots.components import MODEL
from certify.problems.robots.declarations import error_text, field_text, parse_error, parse_field
from certify.problems.robots.kind import Field, Kind
from certify.problems.robots.text_model import GROUPS, TextModel, text_kind

VECTORS = ("parameters", "common")
WHOLE = "platform"  # what the parts of a robot with legs are called together
OF_LEGS = ("common", "pose_unknowns", "leg_columns")


def read_model(section: Section, legs: int) -> Kind:
    """The kind of robot that the section describes; without legs it may have several equations, and vectors."""
    section.only(["equation", *([] if legs else ["equations", "errors"]), *GROUPS, "constants", "definitions"])
    for group in OF_LEGS:
        if not legs and group in section.entries:
            raise InputError(
                f"{section.at(group)} belongs to a robot with legs; add [legs.leg1], ..., or declare it under "
                f"[model.{'columns' if group == 'leg_columns' else 'parameters'}]"
            )
    fields = {group: _fields(section, group) for group in GROUPS}
    constants = tuple((name, _constant(part, name)) for part, name in _entries(section, "constants"))
    definitions = tuple((name, _formula(part, name)) for part, name in _entries(section, "definitions"))
    model = TextModel(_equations(section, legs), definitions, constants)
    errors = {name: parse_error(part.value(name), part.at(name)) for part, name in _entries(section, "errors")}
    for name in errors:
        if name not in dict(model.equations):
            raise InputError(
                f"{section.at('errors')}.{name} is told, but there is no such equation; "
                f"{nearest(name, dict(model.equations))}"
            )
    return text_kind(model, legs, fields, section.place, errors)


def _equations(section: Section, legs: int) -> tuple[tuple[str, str], ...]:
    """The equation of a leg, or those of a model without legs."""
    if "equations" not in section.entries:
        return (("" if legs else MODEL, _formula(section, "equation")),)
    if "equation" in section.entries:
        raise InputError(f"{section.at('equation')} and [model.equations] are both given; remove one of them")
    found = tuple((name, _formula(part, name)) for part, name in _entries(section, "equations"))
    if not found:
        raise InputError(f'{section.at("equations")} has no equation; write such as position = "B + R*t - P"')
    if WHOLE in dict(found):
        raise InputError(f"{section.at('equations')}.{WHOLE}: {WHOLE} has a meaning of its own; choose another name")
    return found


def model_lines(model: TextModel, kind: Kind) -> list[str]:
    """The section as TOML, such that reading it gives the same kind."""
    lines = ["", "[model]"]
    if [name for name, _ in model.equations] in ([""], [MODEL]):
        lines.append(f"equation = {_quoted(model.equations[0][1])}")
    groups = (kind.parameters, kind.common, kind.pose_unknowns, kind.pose, kind.own)
    tables = {
        group: [(field.name, field_text(field)) for field in fields]
        for group, fields in zip(GROUPS, groups, strict=True)
    }
    if len(lines) == 2:
        tables = {"equations": list(model.equations)} | tables
    tables["errors"] = [(equation.name, error_text(equation)) for equation in kind.equations]
    tables["constants"] = [(name, format_quantity(quantity)) for name, quantity in model.constants]
    tables["definitions"] = list(model.definitions)
    for table, entries in tables.items():
        lines += ["", f"[model.{table}]", *(f"{name} = {_quoted(text)}" for name, text in entries)] if entries else []
    return lines


def _quoted(text: str) -> str:
    return '"' + " ".join(text.split()).replace("\\", "\\\\").replace('"', '\\"') + '"'


def _entries(section: Section, group: str) -> list[tuple[Section, str]]:
    if group not in section.entries:
        return []
    part = section.section(group)
    return [(part, name) for name in part.entries]


def _fields(section: Section, group: str) -> tuple[Field, ...]:
    return tuple(
        parse_field(name, part.value(name), part.at(name), group in VECTORS) for part, name in _entries(section, group)
    )


def _formula(part: Section, name: str) -> str:
    """A formula's text on one line; a text of several lines is as good."""
    value = part.value(name)
    if not isinstance(value, str) or not value.strip() or len(value) > MAX_CHARACTERS:
        remedy = f'write a formula in quotes, at most {MAX_CHARACTERS} characters, such as "norm(P - a) - l"'
        raise InputError(f"{part.at(name)} is {described(value)}; {remedy}")
    return " ".join(value.split())


def _constant(part: Section, name: str) -> Quantity:
    """A quantity of any dimension."""
    text = part.text(name)
    unit = unit_named(text.strip(" ").partition(" ")[2].strip(" "))
    if unit is None:
        raise InputError(
            f"{part.at(name)}: {text!a} has no unit that is known ({', '.join(UNITS)}, or such as N/mm); write it such "
            f"as '60 mm', a plain number '60 1'"
        )
    return parse_quantity(text, unit.dimension, part.at(name))
