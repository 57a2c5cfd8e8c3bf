"""The table of measurements: a CSV file whose header names each column and its unit, one pose a line.

    pose,x [mm],y [mm],alpha [deg],L1 [mm],L1 half-width [um]
    1,12.5,-3e-2,0.25,140,23.1

A column stands alone (its half-width comes from elsewhere), or with `NAME half-width [unit]`, or is given by `NAME
lower [unit]` and `NAME upper [unit]` instead. `pose` names the lines and may be left out. Lines that start with # are
comments. All numbers are exact decimals.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from certify.problems.errors import InputError
from certify.problems.files.disk import read_text
from certify.problems.formulas.units import Dimension, example_unit, nearest, parse_decimal, shown, unit_of

POSE = "pose"
VALUE, HALF_WIDTH, LOWER, UPPER = "", "half-width", "lower", "upper"
_HEADING = re.compile(r"([A-Za-z][A-Za-z0-9_]{0,30})(?: (half-width|lower|upper))?(?: ?\[([^\[\]]*)\])?")
MAX_LABEL = 40


@dataclass(frozen=True, slots=True)
class Measured:
    """A column's middles and half-widths in its canonical unit, exactly; half_widths is None where the table gives
    none.
    """

    name: str
    unit: str
    values: tuple[Fraction, ...]
    half_widths: tuple[Fraction, ...] | None


@dataclass(frozen=True, slots=True)
class Table:
    """The poses' labels and the columns by name."""

    poses: tuple[str, ...]
    columns: dict[str, Measured]


@dataclass(frozen=True, slots=True)
class _Heading:
    name: str
    role: str
    unit: str
    factor: Fraction


@dataclass(frozen=True, slots=True)
class _Cell:
    value: Fraction
    line: int


_Cells = dict[tuple[str, str], list[_Cell]]


def read_table(path: Path, expected: Mapping[str, Dimension]) -> Table:
    """Read the columns that are `expected`, no fewer and no others."""
    lines = csv_lines(path)
    start, first = next(lines, (0, []))
    if not start:
        raise InputError(
            f"table {path}: it is empty; write a header line such as 'pose,x [mm],...' and one line a pose"
        )
    header = f"table {path}, line {start}"
    headings = [_heading(text, expected, f"{header}, column {i}") for i, text in enumerate(first, 1)]
    _complete(headings, expected, header)
    poses: dict[str, int] = {}
    cells: _Cells = {(h.name, h.role): [] for h in headings if h.name != POSE}
    for number, row in lines:
        place = f"table {path}, line {number}"
        if len(row) != len(headings):
            remedy = "add or remove cells, and write numbers with a decimal point"
            raise InputError(f"{place}: it has {len(row)} cells, the header has {len(headings)}; {remedy}")
        label = _label([t for h, t in zip(headings, row, strict=True) if h.name == POSE], poses, place)
        for heading, text in zip(headings, row, strict=True):
            if heading.name != POSE:
                at = f"{place}, column {' '.join(filter(None, (heading.name, heading.role)))}"
                cells[heading.name, heading.role].append(_Cell(parse_decimal(text, at) * heading.factor, number))
        poses[label] = number
    if not poses:
        raise InputError(f"table {path}: there is no line behind the header; write one line a pose")
    units = {h.name: h.unit for h in headings}
    return Table(tuple(poses), {name: _measured(name, units[name], cells, f"table {path}") for name in expected})


def csv_lines(path: Path) -> Iterator[tuple[int, list[str]]]:
    """The cells of each line that is neither blank nor a comment, and its number."""
    for number, line in enumerate(read_text(path, "table").split("\n"), 1):
        text = line.removesuffix("\r")
        if text.strip() and not text.startswith("#"):
            try:
                cells = next(csv.reader([text], strict=True))
            except csv.Error as error:
                raise InputError(
                    f"table {path}, line {number}: {error}; write plain cells, separated by commas"
                ) from error
            yield number, [cell.strip(" \t") for cell in cells]


def _heading(text: str, expected: Mapping[str, Dimension], place: str) -> _Heading:
    match = _HEADING.fullmatch(text)
    if match is None:
        hint = (
            "separate the columns by commas, not by ';'" if ";" in text else "write a name and a unit, such as 'x [mm]'"
        )
        raise InputError(f"{place}: {shown(text)} is not a column heading; {hint}")
    name, role, unit_name = match[1], match[2] or VALUE, match[3]
    if name == POSE and text == POSE:
        return _Heading(POSE, VALUE, "", Fraction(1))
    if name not in expected:
        raise InputError(
            f"{place}: column {name} is not a measurement of this robot ({nearest(name, expected)}); rename "
            f"or remove it"
        )
    if unit_name is None:
        raise InputError(
            f"{place}: column {name} has no unit, {expected[name].value} is needed; write it such as 'x [mm]'"
        )
    unit = unit_of(unit_name, expected[name], f"{place}: column {name}")
    return _Heading(name, role, unit.canonical, unit.factor)


def _complete(headings: list[_Heading], expected: Mapping[str, Dimension], header: str) -> None:
    """Each column once, with the companions that it needs, in one unit."""
    units: dict[str, dict[str, str]] = {}
    for heading in headings:
        roles = units.setdefault(heading.name, {})
        if heading.role in roles:
            raise InputError(
                f"{header}: column {' '.join(filter(None, (heading.name, heading.role)))} occurs twice; remove one"
            )
        roles[heading.role] = heading.unit
    for name in expected:
        roles = units.get(name, {})
        if not roles:
            remedy = f"add '{name} [{example_unit(expected[name])}]'"
            raise InputError(
                f"{header}: column {name} is missing; the header has {', '.join(units) or 'none'}; {remedy}"
            )
        if set(roles) not in ({VALUE}, {VALUE, HALF_WIDTH}, {LOWER, UPPER}):
            given = ", ".join(repr(" ".join(filter(None, (name, role)))) for role in roles)
            remedy = f"give '{name}', or '{name}' and '{name} half-width', or '{name} lower' and '{name} upper'"
            raise InputError(f"{header}: column {name} is given by {given}; {remedy}")
        if len(set(roles.values())) > 1:
            raise InputError(
                f"{header}: column {name} mixes deg and rad, between which no exact factor exists; use one of them"
            )


def _label(texts: list[str], poses: Mapping[str, int], place: str) -> str:
    label = texts[0] if texts else str(len(poses) + 1)
    if not label or len(label) > MAX_LABEL or not label.isprintable() or label.startswith("#"):
        remedy = f"write 1 to {MAX_LABEL} printable characters, such as 17, that do not begin with #"
        raise InputError(f"{place}, column pose: {shown(label)} does not name a pose; {remedy}")
    if label in poses:
        raise InputError(
            f"{place}, column pose: {shown(label)} already names line {poses[label]}; give each pose its own name"
        )
    return label


def _measured(name: str, unit: str, cells: _Cells, table: str) -> Measured:
    """Middles and half-widths from whichever columns there are."""
    if (name, LOWER) in cells:
        pairs = list(zip(cells[name, LOWER], cells[name, UPPER], strict=True))
        for low, high in pairs:
            if low.value > high.value:
                place = f"{table}, line {low.line}, column {name}"
                raise InputError(
                    f"{place}: lower {float(low.value)} {unit} exceeds upper {float(high.value)} {unit}; exchange them"
                )
        middles = tuple((low.value + high.value) / 2 for low, high in pairs)
        return Measured(name, unit, middles, tuple((high.value - low.value) / 2 for low, high in pairs))
    widths = cells.get((name, HALF_WIDTH))
    for cell in widths or ():
        if cell.value < 0:
            place = f"{table}, line {cell.line}, column {name} half-width"
            raise InputError(
                f"{place}: {float(cell.value)} {unit} is negative; write how far the true value may be off"
            )
    return Measured(
        name,
        unit,
        tuple(c.value for c in cells[name, VALUE]),
        tuple(c.value for c in widths) if widths is not None else None,
    )
