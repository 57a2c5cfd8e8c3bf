"""Problem files: an experiment as a TOML file for the robot and a CSV table for its measurements, read with a name for every mistake.

What is read, and what it says:

    format = "certify-problem-file 1"      kind, poses (the table's file name), title, provenance ("measured: ..." or "simulated: ...")
    [half_widths]                          of the columns that have none in the table
    [box]                                  centre = "least squares", "nominal" or "given"; radius = "100 mm"
    [legs.leg1] ...                        the blueprint;  [centre.leg1] ... of the same shape, if the centre is given
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from problems.errors import InputError
from problems.experiment import GIVEN, LEAST_SQUARES, NOMINAL, Centre, Experiment, assemble, rounded_centre
from problems.experiment_writer import FORMAT, write_experiment
from problems.files import neighbour, read_text
from problems.kind import Kind, find_kind
from problems.quantities import Dimension, described, nearest, parse_quantity, shown
from problems.table import Measured, read_table

__all__ = ["Experiment", "load_experiment", "rounded_centre", "write_experiment"]

MAX_TEXT = 1000
MAX_BYTES = 1024 * 1024
PROVENANCES = ("simulated: ", "measured: ")


@dataclass(frozen=True, slots=True)
class _Section:
    """A table of the file, where it stands, and its entries."""

    place: str
    entries: Mapping[str, Any]

    def at(self, key: str) -> str:
        """Where an entry stands."""
        return f"{self.place}{key}"

    def only(self, known: Iterable[str]) -> None:
        """Refuse an entry that nobody would read."""
        names = list(known)
        for key in self.entries:
            if key not in names:
                raise InputError(
                    f"{self.at(key if key.isascii() and key.isidentifier() else shown(key))} is not known here; {nearest(key, names)}"
                )

    def value(self, key: str) -> Any:
        """An entry that must be there."""
        if key not in self.entries:
            raise InputError(f"{self.at(key)} is missing; add it")
        return self.entries[key]

    def text(self, key: str) -> str:
        """An entry that is one line of text."""
        value = self.value(key)
        if not isinstance(value, str) or not value or len(value) > MAX_TEXT or not value.isprintable():
            raise InputError(f"{self.at(key)} is {described(value)}; write one line of text in quotes, at most {MAX_TEXT} characters")
        return value

    def section(self, key: str) -> _Section:
        """An entry that is a table."""
        value = self.value(key)
        if not isinstance(value, dict):
            raise InputError(f"{self.at(key)} is {described(value)}, not a table; write [{key}] and its entries below")
        return _Section(f"{self.place}{key}.", value)


def load_experiment(path: Path | str) -> Experiment:
    """Read a problem file and the table beside it."""
    path = Path(path)
    root = _Section(f"problem {path}: ", _parse(path))
    known = ["format", "title", "provenance", "kind", "poses", "half_widths", "box", "legs"]
    root.only([*known, "centre"])
    if root.text("format") != FORMAT:
        raise InputError(f"{root.at('format')} is {shown(root.text('format'))}; this program reads {FORMAT!r}")
    title, provenance = root.text("title"), root.text("provenance")
    if not provenance.startswith(PROVENANCES):
        raise InputError(f"{root.at('provenance')} is {shown(provenance)}; begin it with 'simulated: ' or 'measured: ' and say how")
    kind = find_kind(root.text("kind"), root.at("kind"))
    nominal = _parameters(kind, root.section("legs"))
    centre, radius = _box(kind, root)
    table = read_table(neighbour(path, root.text("poses"), root.at("poses")), kind.columns)
    measured = _with_half_widths(table.columns, kind.columns, root)
    return assemble(title, provenance, kind, table.poses, nominal, measured, centre, radius)


def _parse(path: Path) -> dict[str, Any]:
    text = read_text(path, "problem", MAX_BYTES)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"problem {path}: {error}; it is not valid TOML there") from error
    except (RecursionError, ValueError) as error:
        raise InputError(f"problem {path}: it is nested too deeply or holds too long a number; keep to the format's entries") from error


def _box(kind: Kind, root: _Section) -> tuple[Centre, Fraction]:
    box = root.section("box")
    box.only(["centre", "radius"])
    radius = parse_quantity(box.value("radius"), Dimension.LENGTH, box.at("radius")).value
    if radius < 0:
        raise InputError(f"{box.at('radius')} is {float(radius)} mm, which is negative; write how far the unknowns may be from the centre")
    rule = box.text("centre")
    if rule == GIVEN:
        return _parameters(kind, root.section("centre")), radius
    if "centre" in root.entries:
        raise InputError(f"{root.at('centre')} gives numbers, but {box.at('centre')} is {shown(rule)}; write 'given' or remove the numbers")
    if rule == LEAST_SQUARES:
        return LEAST_SQUARES, radius
    if rule == NOMINAL:
        return NOMINAL, radius
    raise InputError(f"{box.at('centre')} is {shown(rule)}; {nearest(rule, [LEAST_SQUARES, NOMINAL, GIVEN])}")


def _parameters(kind: Kind, section: _Section) -> tuple[Fraction, ...]:
    """One number for each variable of the robot, from a table for each leg."""
    section.only(kind.leg_names)
    values: list[Fraction] = []
    for leg in kind.leg_names:
        part = section.section(leg)
        part.only(field.name for field in kind.parameters)
        for field in kind.parameters:
            value = part.value(field.name)
            items = value if field.components else [value]
            if not isinstance(items, list) or len(items) != len(field.names):
                remedy = f'write a list of {len(field.names)} lengths, such as ["1.5 mm", ...]'
                raise InputError(f"{part.at(field.name)} is {described(value)}; {remedy}")
            for name, item in zip(field.names, items, strict=True):
                values.append(parse_quantity(item, field.dimension, part.at(name)).value)
    return tuple(values)


def _with_half_widths(columns: Mapping[str, Measured], expected: Mapping[str, Dimension], root: _Section) -> dict[str, Measured]:
    """The columns, completed by the half-widths of the problem file."""
    section = root.section("half_widths") if "half_widths" in root.entries else _Section(root.at("half_widths."), {})
    section.only(expected)
    complete: dict[str, Measured] = {}
    for name, column in columns.items():
        if column.half_widths is not None and name in section.entries:
            raise InputError(f"{section.at(name)} is given, and the table gives half-widths of {name}, too; remove one of them")
        if column.half_widths is None:
            width = _half_width(name, column, expected[name], section)
            column = replace(column, half_widths=(width,) * len(column.values))
        complete[name] = column
    return complete


def _half_width(name: str, column: Measured, dimension: Dimension, section: _Section) -> Fraction:
    if name not in section.entries:
        raise InputError(
            f'{section.at(name)} is missing: how far may {name} be off? Write {name} = "... {column.unit}" under [half_widths], '
            f"or add a column '{name} half-width [{column.unit}]' to the table"
        )
    width = parse_quantity(section.value(name), dimension, section.at(name))
    if width.unit != column.unit:
        raise InputError(f"{section.at(name)} is in {width.unit}, its column in {column.unit}, with no exact factor between; use one unit")
    if width.value < 0:
        raise InputError(f"{section.at(name)} is {float(width.value)} {width.unit}, which is negative; write how far {name} may be off")
    return width.value
