"""The tables below `[model]` in a problem file, read and written; what they mean is told in
`certify.problems.robots.text_model`.
"""

from __future__ import annotations

from certify.problems.errors import InputError
from certify.problems.files.sections import Section
from certify.problems.formulas.grammar import MAX_CHARACTERS
from certify.problems.formulas.units import UNITS, Quantity, described, format_quantity, parse_quantity
from certify.problems.robots.kind import Field, Kind
from certify.problems.robots.text_model import GROUPS, TextModel, field_text, parse_field, text_kind

VECTORS = ("parameters", "common")


def read_model(section: Section, legs: int) -> Kind:
    """The kind of robot that the section describes."""
    section.only(["equation", *GROUPS, "constants", "definitions"])
    fields = {group: _fields(section, group) for group in GROUPS}
    constants = tuple((name, _constant(part, name)) for part, name in _entries(section, "constants"))
    definitions = tuple((name, _formula(part, name)) for part, name in _entries(section, "definitions"))
    model = TextModel(_formula(section, "equation"), definitions, constants)
    return text_kind(model, legs, fields, section.place)


def model_lines(model: TextModel, kind: Kind) -> list[str]:
    """The section as TOML, such that reading it gives the same kind."""
    lines = ["", "[model]", f"equation = {_quoted(model.equation)}"]
    groups = (kind.parameters, kind.common, kind.pose_unknowns, kind.pose, kind.own)
    tables = {
        group: [(field.name, field_text(field)) for field in fields]
        for group, fields in zip(GROUPS, groups, strict=True)
    }
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
    unit = text.strip(" ").rpartition(" ")[2]
    if unit not in UNITS:
        raise InputError(
            f"{part.at(name)}: {text!a} has no unit that is known ({', '.join(UNITS)}); write it such as '60 "
            f"mm', a plain number '60 1'"
        )
    return parse_quantity(text, UNITS[unit].dimension, part.at(name))
