"""The table of measurements: a CSV file, or several, one pose a line, whose columns have headings of ours,

    pose,x [mm],y [mm],alpha [deg],L1 [mm],L1 half-width [um]
    1,12.5,-3e-2,0.25,140,23.1

or stand where the problem file says (`certify.problems.files.layout`). Of ours, a column stands alone (its half-width
comes from elsewhere), or with `NAME half-width [unit]`, or is given by `NAME lower [unit]` and `NAME upper [unit]`
instead. `pose` names the lines and may be left out. Lines that start with # are comments. All numbers are exact
decimals, with a decimal point or, all over a file, a decimal comma. Columns that nobody asked for are not read, and
`FileRead` names them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from certify.problems.errors import InputError
from certify.problems.files.csv_text import csv_text
from certify.problems.files.layout import PLAIN, Layout, Place
from certify.problems.files.spreadsheet import is_binary
from certify.problems.files.table_cells import MAX_LABEL, Cells, no_doubt, read_cells, without_blanks
from certify.problems.files.table_columns import (
    HALF_WIDTH,
    LOWER,
    POSE,
    UPPER,
    VALUE,
    TableColumn,
    bare,
    columns_read,
    header_of,
    listed,
    name_of_ours,
    one_unit,
    stands,
)
from certify.problems.formulas.units import Dimension, parse_decimals, shown


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
class FileRead:
    """How a file was read: what separates its cells, its decimal mark, how many poses it has, and what was not read."""

    name: str
    separator: str
    decimal: str
    poses: int
    ignored: tuple[str, ...]

    @property
    def told(self) -> str:
        """What is worth being told of it, in a sentence; nothing, if the file is as ours are."""
        parted = self.separator != "," and not is_binary(self.name)
        written = [f"cells are separated by {self.separator!r}"] if parted else []
        written += ["numbers have decimal commas"] if self.decimal == "," else []
        if not (written or self.ignored):
            return ""
        count = len(self.ignored)
        left = f"{count} column{'' if count == 1 else 's'} not read: {listed(self.ignored)}" if count else "all is read"
        return f"{shown(self.name)}: {', '.join([f'{self.poses} poses', *written])}; {left}."

    @property
    def as_json(self) -> dict[str, object]:
        """The same for scripts, with all names."""
        return {
            "file": self.name,
            "separator": self.separator,
            "decimal": self.decimal,
            "poses": self.poses,
            "columns_not_read": list(self.ignored),
        }


@dataclass(frozen=True, slots=True)
class Table:
    """The poses' labels, the columns by name, and how each file was read."""

    poses: tuple[str, ...]
    columns: dict[str, Measured]
    files: tuple[FileRead, ...] = ()


@dataclass(frozen=True, slots=True)
class _Part:
    """What one file says."""

    labels: tuple[str, ...]
    columns: dict[str, Measured]
    read: FileRead
    called: dict[str, str]  # the headings of what is read without their units, if there are any


def read_table(
    paths: Path | Sequence[Path], expected: Mapping[str, Dimension], layout: Layout = PLAIN, further: bool = False
) -> Table:
    """Read the columns that are `expected`, one file behind the other. A `further` table, beside those for which the
    layout was written, may have headings of ours instead.
    """
    files = [paths] if isinstance(paths, Path) else list(paths)
    if further and all(set(expected) <= _of_ours(path) for path in files):
        layout = PLAIN
    parts = [_read_file(path, number, expected, layout) for number, path in enumerate(files)]
    if len(parts) == 1:
        return Table(parts[0].labels, parts[0].columns, (parts[0].read,))
    _refuse_moved(parts, files)
    columns = {name: _joined([part.columns[name] for part in parts], files) for name in expected}
    return Table(_labels_of_all(files, parts), columns, tuple(part.read for part in parts))


def columns_given(path: Path, expected: Mapping[str, Dimension], layout: Layout) -> list[str]:
    """Which of these columns a further table has: under headings of ours, or else where the layout says."""
    ours = _of_ours(path)
    if any(name in ours for name in expected):
        return [name for name in expected if name in ours]
    text = csv_text(path, layout.separator, layout.header_line, layout.first_line)
    _, headings = next(text.cells(), (0, []))
    return [name for name, where in layout.places.items() if name in expected and stands(where, headings)]


def _of_ours(path: Path) -> set[str]:
    """The quantities under headings of ours."""
    _, headings = next(csv_text(path).cells(), (0, []))
    return {name for name in map(name_of_ours, headings) if name}


def _labels_of_all(files: list[Path], parts: list[_Part]) -> tuple[str, ...]:
    """The labels of several files, each behind its file's name, or behind the number of the file."""
    stems = [path.stem for path in files]
    long = any(len(f"{s}.{label}") > MAX_LABEL for s, part in zip(stems, parts, strict=True) for label in part.labels)
    plain = all(stem.isprintable() and not stem.startswith("#") and stem.strip() == stem for stem in stems)
    if long or not plain or len(set(stems)) < len(stems):
        stems = [str(number) for number in range(1, len(files) + 1)]
    labels = tuple(f"{s}.{label}" for s, part in zip(stems, parts, strict=True) for label in part.labels)
    for label in labels:
        if len(label) > MAX_LABEL:
            raise InputError(f"pose {shown(label)}: its name is longer than {MAX_LABEL} characters; count the lines")
    return labels


def _refuse_moved(parts: list[_Part], files: list[Path]) -> None:
    """Refuse columns by number that are called otherwise in another file: another quantity stands there."""
    first: dict[str, tuple[str, Path]] = {}
    for part, path in zip(parts, files, strict=True):
        for what, called in part.called.items():
            before, file = first.setdefault(what, (called, path))
            if called.lower() != before.lower():
                raise InputError(
                    f"table {path}: the column of {what} is called {shown(called)}, and {shown(before)} in {file}; "
                    f"name it by its heading, or order the columns of all files alike"
                )


def _joined(parts: list[Measured], files: list[Path]) -> Measured:
    first = parts[0]
    for part, path in zip(parts, files, strict=True):
        if part.unit != first.unit or (part.half_widths is None) != (first.half_widths is None):
            what = f"in {part.unit}" if part.unit != first.unit else "with other half-widths"
            raise InputError(
                f"table {path}: column {first.name} is {what} than in {files[0]} ({first.unit}); write all files alike"
            )
    halves = [half for part in parts for half in part.half_widths or ()]
    values = tuple(value for part in parts for value in part.values)
    return Measured(first.name, first.unit, values, None if first.half_widths is None else tuple(halves))


def _read_file(path: Path, number: int, expected: Mapping[str, Dimension], layout: Layout) -> _Part:
    text = csv_text(path, layout.separator, layout.header_line, layout.first_line)
    start, first = next(text.cells(), (0, []))
    if not start:
        raise InputError(
            f"table {path}: it is empty; write a header line such as 'pose,x [mm],...' and one line a pose"
        )
    header = header_of(first, layout, expected, f"table {path}")
    headings = [str(k) for k in range(1, len(first) + 1)] if header is None else without_blanks(header)
    place = f"table {path}" if header is None else f"table {path}, line {start}"
    pose, columns = columns_read(headings, header is not None, expected, layout, place)
    used = {column.index for column in columns} | ({pose} if pose is not None else set())
    cells = read_cells(text, header is not None, len(headings), used)
    if header is None and not layout.separator:
        no_doubt(text, len(headings))
    labels = cells.labels(pose, f"column {pose + 1 if layout.pose else POSE}" if pose is not None else "")
    _refuse_twice(columns, cells)
    decimal = layout.decimal or cells.decimal({column.index: column.told for column in columns})
    values = {
        (c.name, c.role): parse_decimals(cells.texts[c.index], cells.place(c.told), decimal, c.unit.factor * c.times)
        for c in columns
    }
    measured = {
        name: _measured(name, values, columns, layout.places.get(name), number, cells.lines, f"table {path}")
        for name in expected
    }
    ignored = tuple(heading for k, heading in enumerate(headings) if k not in used and (heading or header is None))
    called = {f"{c.name} {c.role}".strip(): bare(headings[c.index]) for c in columns} if header is not None else {}
    return _Part(labels, measured, FileRead(path.name, text.separator_name, decimal, len(cells.lines), ignored), called)


def _refuse_twice(columns: Sequence[TableColumn], cells: Cells) -> None:
    """Refuse a column that is read as two quantities, unless all of its numbers are alike."""
    first: dict[int, TableColumn] = {}
    for column in columns:
        before = first.setdefault(column.index, column) if column.role != HALF_WIDTH else column
        if before.name != column.name and len(set(cells.texts[column.index])) > 1:
            raise InputError(
                f"table {cells.path}: {before.told} and {column.told} would be one column; name another one for one of "
                f"them, or copy it under a heading of its own if both are meant"
            )


def _measured(
    name: str, values: Mapping[tuple[str, str], list[Fraction]], columns: list[TableColumn], where: Place | None,
    file: int, lines: list[int], table: str,
) -> Measured:  # fmt: skip
    """Middles and half-widths from whichever columns there are."""
    own, rows = [column for column in columns if column.name == name], len(lines)
    if where is not None and where.constants:
        constant = where.constants[file if len(where.constants) > 1 else 0]
        stated = where.width.quantity if where.width is not None else None
        width = Fraction(0) if stated is None else stated.value * where.times
        one_unit(name, {constant.unit, constant.unit if stated is None else stated.unit}, table)
        return Measured(name, constant.unit, (constant.value,) * rows, (width,) * rows)
    unit = own[0].unit.canonical
    if (name, LOWER) in values:
        lower, upper = values[name, LOWER], values[name, UPPER]
        for k, (low, high) in enumerate(zip(lower, upper, strict=True)):
            if low > high:
                raise InputError(
                    f"{table}, line {lines[k]}, column {name}: lower {float(low)} {unit} exceeds upper {float(high)} "
                    f"{unit}; exchange them"
                )
        middles = tuple((low + high) / 2 for low, high in zip(lower, upper, strict=True))
        halves = tuple((high - low) / 2 for low, high in zip(lower, upper, strict=True))
        return Measured(name, unit, middles, halves)
    widths = values.get((name, HALF_WIDTH))
    if widths is None and where is not None and where.width is not None and where.width.quantity is not None:
        one_unit(name, {unit, where.width.quantity.unit}, where.width.place)
        widths = [where.width.quantity.value * where.times] * rows
    for k, width in enumerate(widths or ()):
        if width < 0:
            told = next((column.told for column in own if column.role == HALF_WIDTH), name)
            raise InputError(
                f"{table}, line {lines[k]}, column {told}: {float(width)} {unit} is negative; write how far the true "
                f"value may be off"
            )
    return Measured(name, unit, tuple(values[name, VALUE]), tuple(widths) if widths is not None else None)
