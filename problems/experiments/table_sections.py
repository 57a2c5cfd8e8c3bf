"""What a problem file says of its tables: how they are written, where each measured column stands, and how far its
numbers may be off.

    [table]                    all of it may be left out: what is not said is found in the file
    separator = ";"            "," ";" "tab" or "space"
    decimal = ","              "." or ","
    pose = "Timestamp"         the column that names the poses; "counted": the lines are counted
    header_line = 3            the line with the headings, if there are others above it
    first_line = 5             the first line with numbers, if there are others between
    times = "4.9"              of all columns with a deviation that say nothing themselves

    [columns]                  of the measured columns whose headings are not ours ('x [mm]'); an entry has
    q1 = { column = "shoulder_pan_joint", unit = "rad", half_width = "0 rad" }
    x = { column = "measurement_x", unit = "mm", deviation = "measurement_std_x", times = "4.9" }
    y = { column = 9, unit = "m", half_width = "0.05 mm", are = "bounds" }
    z = { lower = "z_min", upper = "z_max", unit = "inch" }
    socket = { constant = ["0 1", "1 1"] }

    column                     a heading as it stands in the file, or the number of a column, counted from 1
    lower, upper               columns of the two ends, in place of it
    constant                   a quantity, or one for each file, in place of it; exact unless half_width says more
    unit                       mm, cm, m, um, inch; deg, rad, mrad; 1: needed where the heading does not end in [unit]
    half_width                 a column, or a quantity; or { column = ..., unit = ... } where that unit is another one
    deviation                  the same for a standard deviation: the half-width is `times` it, which must be stated
    u95                        the same for an uncertainty with a level of 95 %, 1.96 deviations: the half-width is that
                               (or `times` it)
    are                        beside half_width: "bounds" or "3 standard deviations", as half_widths_are, for it

    poses = ["a.csv", "b.csv"]         several files, read one behind the other, poses a.1, a.2, ..., b.1, ...
    half_widths_are = "bounds"         for all columns that say nothing themselves, or column by column:
    [half_widths_are]                  x = "3 standard deviations", q1 = "bounds"

Where nothing is said of a column, headings of ours are looked for (`certify.problems.files.csv_table`). Columns that
nobody names are not read, which the run says.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from certify.problems.errors import InputError
from certify.problems.experiments.half_widths import (
    KEY,
    U95,
    UNSTATED,
    ByColumn,
    HalfWidths,
    Statement,
    by_column,
    of_column,
    offered,
    parse_half_widths,
)
from certify.problems.files.csv_table import Measured, Table, read_table
from certify.problems.files.csv_text import SEPARATORS
from certify.problems.files.disk import neighbour
from certify.problems.files.layout import Layout, Place, Source
from certify.problems.files.sections import Section
from certify.problems.files.table_columns import LOWER, UPPER, VALUE
from certify.problems.formulas.units import (
    Dimension,
    Quantity,
    Unit,
    described,
    is_quantity,
    parse_decimal,
    parse_quantity,
    shown,
    unit_of,
)

TABLE, COLUMNS = "table", "columns"
TABLE_KEYS = ("separator", "decimal", "pose", "header_line", "first_line", "times")
PLACE_KEYS = ("column", "lower", "upper", "constant", "unit")
WIDTH_KEYS = ("half_width", "deviation", "u95")
COLUMN_KEYS = (*PLACE_KEYS, *WIDTH_KEYS, "times", "are")
MAX_FILES = 100


@dataclass(frozen=True, slots=True)
class TableRead:
    """The table with half-widths of all columns, what they are, and how the files were read."""

    table: Table
    half_widths_are: Statement
    layout: Layout


@dataclass(frozen=True, slots=True)
class _Said:
    """What [columns] says of one column: where it stands, and what its half-widths are, as far as that is said."""

    where: Place
    are: HalfWidths | None = None
    unsaid: str = ""  # where `times` is missing: the key of what it would multiply


def read_tables(
    path: Path, root: Section, measured: Mapping[str, Dimension], unknown: Mapping[str, Dimension]
) -> TableRead:
    """The tables of a problem file; `measured` and `unknown` are the columns of measurements and of unknown poses."""
    expected = {**unknown, **measured}
    default = _default(root, measured)
    layout, times = _layout(root)
    said = _columns(root, expected, times)
    layout = replace(layout, places={name: found.where for name, found in said.items()})
    files = _files(path, root)
    _constants_fit(said, files, root)
    table = read_table(files, expected, layout)
    _times_are_said(said, table)
    columns = _with_half_widths(table.columns, expected, root)
    are: dict[str, HalfWidths] = {}
    for name in measured:
        if any(columns[name].half_widths or ()):
            are[name] = _agreed(name, default, said.get(name), root)
    statement = by_column(are) if are else default if isinstance(default, HalfWidths) else UNSTATED
    return TableRead(replace(table, columns=columns), statement, layout)


def _files(path: Path, root: Section) -> list[Path]:
    """The tables' files: one, or several."""
    named = root.value("poses")
    if not isinstance(named, list):
        return [neighbour(path, root.text("poses"), root.at("poses"))]
    if not 1 <= len(named) <= MAX_FILES or not all(isinstance(name, str) and name for name in named):
        raise InputError(f'{root.at("poses")} is a list; write 1 to {MAX_FILES} names of files, such as ["a.csv"]')
    found: dict[Path, str] = {}
    for name in named:
        file = neighbour(path, name, root.at("poses"))
        if file.resolve() in found:
            raise InputError(f"{root.at('poses')} names {shown(name)} twice; every pose would count twice: remove one")
        found[file.resolve()] = name
    return [neighbour(path, name, root.at("poses")) for name in named]


def _layout(root: Section) -> tuple[Layout, Fraction | None]:
    """[table], without the columns; and the factor on all deviations."""
    if TABLE not in root.entries:
        return Layout(place=root.at(COLUMNS)), None
    section = root.section(TABLE)
    section.only(TABLE_KEYS)
    separator = section.text("separator") if section.entries.get("separator", "\t") != "\t" else "tab"
    if separator not in SEPARATORS:
        raise InputError(f"{section.at('separator')} is {shown(separator)}; write one of {_these(SEPARATORS)}")
    decimal = section.text("decimal") if "decimal" in section.entries else ""
    if decimal not in ("", ".", ","):
        raise InputError(f"{section.at('decimal')} is {shown(decimal)}; write '.' or ','")
    header, first = _line(section, "header_line"), _line(section, "first_line")
    if first and first <= header:
        raise InputError(
            f"{section.at('first_line')} is {first}, but the header is line {header}; the numbers follow it"
        )
    pose = _column(section, "pose") if "pose" in section.entries else ""
    times = _times(section) if "times" in section.entries else None
    stated = SEPARATORS[separator] if "separator" in section.entries else ""
    return Layout(stated, decimal, pose, header, first, {}, section.at("pose")), times


def _these(names: Mapping[str, str]) -> str:
    return ", ".join(f'"{name}"' for name in names)


def _line(section: Section, key: str) -> int:
    number = section.entries.get(key, 0)
    if not isinstance(number, int) or isinstance(number, bool) or (key in section.entries and not 1 <= number < 10**6):
        raise InputError(f"{section.at(key)} is {described(number)}; write the number of a line, counted from 1")
    return number


def _column(section: Section, key: str) -> str | int:
    """A heading, or the number of a column."""
    value = section.value(key)
    if isinstance(value, int) and not isinstance(value, bool):
        if value < 1:
            raise InputError(f"{section.at(key)} is {described(value)}; columns are counted from 1")
        return value
    return section.text(key).strip(" ")


def _times(section: Section) -> Fraction:
    """By how much a deviation is multiplied: a decimal in quotes, or a whole number."""
    value = section.value("times")
    if isinstance(value, int) and not isinstance(value, bool):
        value = described(value)
    if not isinstance(value, str):
        raise InputError(f'{section.at("times")} is {described(value)}; write a number in quotes, such as "4.9"')
    times = parse_decimal(value, section.at("times"))
    if not 0 < times <= 100:
        raise InputError(
            f'{section.at("times")} is {shown(value)}; write a positive number, at most 100, such as "4.9"'
        )
    return times


def _columns(root: Section, expected: Mapping[str, Dimension], times: Fraction | None) -> dict[str, _Said]:
    """[columns]"""
    if COLUMNS not in root.entries:
        return {}
    section = root.section(COLUMNS)
    section.only(expected)
    return {name: _said(section, name, expected[name], times) for name in section.entries}


def _said(columns: Section, name: str, dimension: Dimension, times: Fraction | None) -> _Said:
    value = columns.value(name)
    if not isinstance(value, dict):
        raise InputError(
            f"{columns.at(name)} is {described(value)}; write where it stands in braces, such as {name} = "
            f'{{ column = "HEADING", unit = "{dimension.canonical}" }}'
        )
    section = columns.section(name)
    section.only(COLUMN_KEYS)
    unit = _unit(section, "unit", dimension)
    given = [key for key in PLACE_KEYS[:-1] if key in section.entries]
    if given not in (["column"], ["lower", "upper"], ["constant"]):
        told = " and ".join(given) or "none of them"
        raise InputError(f"{columns.at(name)} has {told}; write column, or lower and upper, or constant")
    if given == ["constant"]:
        if unit is not None:
            raise InputError(f"{section.at('unit')} belongs to a column; write the unit behind each constant")
        where = Place({}, _constants(section, dimension))
    else:
        roles = {"column": VALUE, "lower": LOWER, "upper": UPPER}
        where = Place({roles[key]: Source(section.at(key), _column(section, key), unit) for key in given})
    return _width(section, where, dimension, times)


def _unit(section: Section, key: str, dimension: Dimension) -> Unit | None:
    return unit_of(section.text(key), dimension, section.at(key)) if key in section.entries else None


def _constants(section: Section, dimension: Dimension) -> tuple[Quantity, ...]:
    value, at = section.value("constant"), section.at("constant")
    found = tuple(parse_quantity(item, dimension, at) for item in (value if isinstance(value, list) else [value]))
    if not found or len({quantity.unit for quantity in found}) > 1:
        raise InputError(f"{at}: write a quantity, or a list with one for each file, all in one unit")
    return found


def _constants_fit(said: Mapping[str, _Said], files: list[Path], root: Section) -> None:
    """One constant for all files, or one for each."""
    for name, found in said.items():
        count = len(found.where.constants)
        if count > 1 and count != len(files):
            there = "there is 1 file" if len(files) == 1 else f"there are {len(files)} files"
            raise InputError(
                f"{root.at(COLUMNS)}.{name}.constant has {count} entries, but {there}; write one for each, or one"
            )


def _width(section: Section, where: Place, dimension: Dimension, times: Fraction | None) -> _Said:
    """The half-widths of a column, if it says something of them."""
    keys = [key for key in WIDTH_KEYS if key in section.entries]
    if len(keys) > 1:
        raise InputError(f"{section.at(keys[0])} and {keys[1]} are both given; remove one of them")
    key = keys[0] if keys else ""
    if key and (LOWER in where.sources):
        raise InputError(f"{section.at(key)} is given beside lower and upper, which say it already; remove one of them")
    if "are" in section.entries and key in ("deviation", "u95"):
        raise InputError(f"{section.at('are')} is given, but {key} and times say it already; remove it")
    if "times" in section.entries and key not in ("deviation", "u95"):
        raise InputError(
            f"{section.at('times')} multiplies deviation or u95, and there is none; add it, or remove times"
        )
    are = parse_half_widths(section.entries["are"], section.at("are")) if "are" in section.entries else None
    if not key:
        return _Said(where, are)
    source = _source(section, key, dimension)
    if where.constants and source.quantity is None:
        raise InputError(f"{section.at(key)} is a column, but a constant is no column; write a quantity")
    if key == "half_width":
        return _Said(replace(where, width=source), are)
    own = _times(section) if "times" in section.entries else Fraction(1) if key == "u95" else times
    if own is None:
        return _Said(replace(where, width=source), None, section.at("times"))
    are = HalfWidths(own if key == "deviation" else own * U95)
    return _Said(replace(where, width=source, times=own), are)


def _source(section: Section, key: str, dimension: Dimension) -> Source:
    """A quantity, or a column with or without a unit of its own."""
    value, at = section.value(key), section.at(key)
    if isinstance(value, dict):
        own = section.section(key)
        own.only(["column", "unit"])
        return Source(at, _column(own, "column"), _unit(own, "unit", dimension))
    if isinstance(value, str) and is_quantity(value):
        quantity = parse_quantity(value, dimension, at)
        if quantity.value < 0:
            raise InputError(f"{at} is {shown(value)}, which is negative; write how far the true value may be off")
        return Source(at, quantity=quantity)
    return Source(at, _column(section, key))


def _times_are_said(said: Mapping[str, _Said], table: Table) -> None:
    """A deviation makes no half-width unless it is said how many of them do; a factor is offered."""
    missing = [name for name, found in said.items() if found.unsaid]
    if missing:
        deviations = [name for name, found in said.items() if found.unsaid or (found.are and found.are.deviations)]
        readings = len(table.poses) * len(deviations)
        raise InputError(
            f"{said[missing[0]].unsaid} is missing: how many standard deviations may {missing[0]} be off? Write it "
            f'there, or under [table] for all; times = "{float(offered(readings)):.2f}" holds all {readings} readings '
            f"with 99 % if the noise is Gaussian and independent"
        )


def _default(root: Section, measured: Mapping[str, Dimension]) -> Statement:
    """half_widths_are: one statement for all columns, or one for each."""
    value = root.entries.get(KEY)
    if value is None:
        return UNSTATED
    if not isinstance(value, dict):
        return parse_half_widths(value, root.at(KEY))
    section = root.section(KEY)
    section.only(measured)
    return ByColumn(tuple((name, parse_half_widths(entry, section.at(name))) for name, entry in value.items()))


def _agreed(name: str, default: Statement, said: _Said | None, root: Section) -> HalfWidths:
    """What a column's half-widths are; everything that says it must say the same."""
    general = of_column(default, name)
    if said is None or said.are is None:
        return general
    if general.stated and general != said.are:
        where = root.at(KEY) + (f".{name}" if isinstance(default, ByColumn) else "")
        remedy = "remove it, or write [half_widths_are] with a line for each column that it is about"
        raise InputError(f"{where} is '{general.text}', but {COLUMNS}.{name} makes them {said.are.text!r}; {remedy}")
    return said.are


def _with_half_widths(
    columns: Mapping[str, Measured], expected: Mapping[str, Dimension], root: Section
) -> dict[str, Measured]:
    """The columns, completed by the half-widths of the problem file."""
    section = root.section("half_widths") if "half_widths" in root.entries else Section(root.at("half_widths."), {})
    section.only(expected)
    complete: dict[str, Measured] = {}
    for name, column in columns.items():
        if column.half_widths is not None and name in section.entries:
            raise InputError(
                f"{section.at(name)} is given, and the table gives half-widths of {name}, too; remove one of them"
            )
        if column.half_widths is None:
            width = _half_width(name, column, expected[name], section)
            column = replace(column, half_widths=(width,) * len(column.values))
        complete[name] = column
    return complete


def _half_width(name: str, column: Measured, dimension: Dimension, section: Section) -> Fraction:
    if name not in section.entries:
        raise InputError(
            f'{section.at(name)} is missing: how far may {name} be off? Write {name} = "... {column.unit}" '
            f"under [half_widths], "
            f"or add a column '{name} half-width [{column.unit}]' to the table"
        )
    width = parse_quantity(section.value(name), dimension, section.at(name))
    if width.unit != column.unit:
        raise InputError(
            f"{section.at(name)} is in {width.unit}, its column in {column.unit}, with no exact factor "
            f"between; use one unit"
        )
    if width.value < 0:
        raise InputError(
            f"{section.at(name)} is {float(width.value)} {width.unit}, which is negative; write how far "
            f"{name} may be off"
        )
    return width.value
