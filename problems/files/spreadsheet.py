"""Tables that are no text: the first sheet of an Excel workbook, arrays of NPZ, columns of Parquet, as rows of cells.

A number of a workbook is the decimal that stands in its file. A double of NPZ or Parquet is exactly that double,
written out; text and decimals there are what they say. Nothing is rounded.
"""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any
from xml.parsers import expat

import numpy as np

from certify.problems.errors import InputError
from certify.problems.files.disk import is_there
from certify.problems.files.packed import read_npz, read_parquet
from certify.problems.formulas.units import shown

MAX_BYTES = 256 * 1024 * 1024  # of what is unpacked, and of the lines that it becomes
MAX_COLUMN, MAX_CELLS, MAX_LINES = 20_000, 5_000_000, 2_000_000
AT_ONCE = 10_000  # rows
STRINGS, BOOK, RELATIONS = "xl/sharedStrings.xml", "xl/workbook.xml", "xl/_rels/workbook.xml.rels"
_CELL = re.compile(r"([A-Z]{1,3})([1-9][0-9]{0,6})", re.ASCII)
_INDEX = re.compile(r"[0-9]{1,9}", re.ASCII)


def is_binary(path: Path | str) -> bool:
    """Whether a file's name says that it is one of these."""
    return Path(path).suffix.lower() in READERS


def binary_lines(path: Path) -> list[str]:
    """Its rows as lines, cells separated by tabs."""
    if not is_there(path):
        raise InputError(f"table {path}: there is no such file; check the name and the folder")
    lines, size = list[str](), 0
    for row in READERS[path.suffix.lower()](path):
        lines.append("\t".join(map(_plain, row)))
        size += len(lines[-1])
        _require_lines(path, len(lines), size)
    return lines


def _require_lines(path: Path, count: int, size: int = 0) -> None:
    """Refuse what would be more lines, or a longer text, than a table may be."""
    if count > MAX_LINES or size > MAX_BYTES:
        raise InputError(
            f"table {path}: it is more than {MAX_LINES} rows, or than {MAX_BYTES} bytes as text; leave out rows"
        )


def _plain(cell: str) -> str:
    """A cell without what would part or quote it."""
    return " ".join(cell.replace('"', "'").split())


def _workbook(path: Path) -> Iterator[Sequence[str]]:
    """The rows of the first sheet; rows that are left out are blank, as in the sheet."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = set(archive.namelist())
            sheets = sorted(name for name in names if re.fullmatch(r"xl/worksheets/sheet\d+\.xml", name))
            if not sheets:
                raise InputError(f"table {path}: it holds no sheet; save it as .xlsx, or as CSV")
            texts = _read(archive, STRINGS, path) if STRINGS in names else b""
            sheet = _read(archive, _first_sheet(archive, names, path) or min(sheets, key=_number), path)
    except (zipfile.BadZipFile, zlib.error, OSError, ValueError, RuntimeError, EOFError) as error:
        raise InputError(f"table {path}: it is no Excel workbook ({error}); save it as .xlsx, or as CSV") from error
    strings = _Strings(path)
    if texts:
        _parsed(texts, strings, path)
    found = _Sheet(path, strings=strings.found)
    _parsed(sheet, found, path)
    last = max(found.rows, default=0)
    _require_lines(path, last)
    for number in range(1, last + 1):
        row = found.rows.get(number, {})
        yield [row.get(k, "") for k in range(1, max(row, default=0) + 1)]


def _first_sheet(archive: zipfile.ZipFile, names: set[str], path: Path) -> str:
    """The file of the sheet that stands first in the workbook, which need not be the first file; none if it is not
    said.
    """
    if not {BOOK, RELATIONS} <= names:
        return ""
    order, files = _Elements(path, tag="sheet"), _Elements(path, tag="Relationship")
    _parsed(_read(archive, BOOK, path), order, path)
    _parsed(_read(archive, RELATIONS, path), files, path)
    first = next((value for one in order.found for key, value in one.items() if key.rpartition(":")[2] == "id"), "")
    target = next((one.get("Target", "") for one in files.found if one.get("Id") == first), "")
    name = target.removeprefix("/") if target.startswith("/") else f"xl/{target}"
    return name if name in names and "worksheets/" in name else ""


def _number(sheet: str) -> int:
    return int("".join(filter(str.isdigit, sheet)))


def _read(archive: zipfile.ZipFile, name: str, path: Path) -> bytes:
    with archive.open(name) as stream:
        data = stream.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise InputError(f"table {path}: its sheet has more than {MAX_BYTES} bytes; leave out rows, or save it as CSV")
    return data


@dataclass
class _Reader:
    """What both parts of a workbook have in common: text within <t> or <v>."""

    path: Path
    text: str = ""
    taken: bool = False

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.taken = tag in ("t", "v")

    def end(self, tag: str) -> None:
        self.taken = False

    def data(self, text: str) -> None:
        if self.taken:
            self.text += text


@dataclass
class _Elements(_Reader):
    """The attributes of all elements with this tag."""

    tag: str = ""
    found: list[dict[str, str]] = field(default_factory=list)

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == self.tag:
            self.found.append(attributes)


@dataclass
class _Strings(_Reader):
    """The texts that cells refer to by number."""

    found: list[str] = field(default_factory=list)

    def end(self, tag: str) -> None:
        super().end(tag)
        if tag == "si":
            self.found.append(self.text)
            self.text = ""


@dataclass
class _Sheet(_Reader):
    """The cells of a sheet by row and column."""

    strings: list[str] = field(default_factory=list)
    rows: dict[int, dict[int, str]] = field(default_factory=dict)
    kind: str = ""
    place: str = ""
    cells: int = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        super().start(tag, attributes)
        if tag == "c":
            self.kind, self.place, self.text = attributes.get("t", "n"), attributes.get("r", ""), ""

    def end(self, tag: str) -> None:
        super().end(tag)
        if tag != "c" or not self.text:
            return
        match = _CELL.fullmatch(self.place)
        column = 0
        for letter in match[1] if match is not None else "":
            column = 26 * column + ord(letter) - ord("A") + 1
        if match is None or column > MAX_COLUMN:
            raise InputError(f"table {self.path}: a cell is called {shown(self.place)}; save it again, or as CSV")
        self.cells += 1
        if self.cells > MAX_CELLS:
            raise InputError(f"table {self.path}: it has more than {MAX_CELLS} cells; leave out rows")
        self.rows.setdefault(int(match[2]), {})[column] = self._value()

    def _value(self) -> str:
        if self.kind in ("b", "e"):
            return f"{'truth value' if self.kind == 'b' else 'error'} {self.text}"
        if self.kind != "s":
            return self.text
        if not _INDEX.fullmatch(self.text) or int(self.text) >= len(self.strings):
            raise InputError(f"table {self.path}, cell {self.place}: it names no text; save it again, or as CSV")
        return self.strings[int(self.text)]


def _parsed(data: bytes, reader: _Reader, path: Path) -> None:
    """Expat, which is asked to report a document type before it reads any of it."""

    def refused(*_: object) -> None:
        raise InputError(f"table {path}: it declares a document type, which no workbook needs; save it as CSV")

    parser = expat.ParserCreate(namespace_separator=None)
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = refused
    parser.StartElementHandler = lambda tag, found: reader.start(tag.rpartition(":")[2], found)
    parser.EndElementHandler = lambda tag: reader.end(tag.rpartition(":")[2])
    parser.CharacterDataHandler = reader.data
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code)
        raise InputError(f"table {path}: its sheet cannot be read ({reason}); save it again, or as CSV") from error


def _arrays(path: Path) -> Iterator[Sequence[str]]:
    """The arrays of one dimension, each a column that is called as it is."""
    return _columns(path, read_npz(path, MAX_BYTES))


def _parquet(path: Path) -> Iterator[Sequence[str]]:
    frame = read_parquet(path, MAX_BYTES)
    return _columns(path, {str(name): frame[name].to_numpy() for name in frame.columns})


def _columns(path: Path, columns: dict[str, Any]) -> Iterator[Sequence[str]]:
    kept = {name: _timeless(values) for name, values in columns.items() if np.ndim(values) == 1}
    counts = {len(values) for values in kept.values()}
    if len(counts) != 1:
        told = f"columns of {len(counts)} lengths" if counts else "no column"
        raise InputError(f"table {path}: it holds {told}; give arrays of one dimension, one entry for each pose")
    count = counts.pop()
    _require_lines(path, count)
    yield list(kept)
    for start in range(0, count, AT_ONCE):
        for row in zip(*(values[start : start + AT_ONCE].tolist() for values in kept.values()), strict=True):
            yield [_cell(value) for value in row]


def _timeless(values: Any) -> Any:
    """Dates and durations as text: the numbers behind them are in a unit that no heading says."""
    return values.astype(str) if np.asarray(values).dtype.kind in "mM" else values


def _cell(value: Any) -> str:
    """A double written out exactly; what is no number as it is, for the message about it."""
    if isinstance(value, float) and np.isfinite(value):
        return format(Decimal(value), "f") if abs(Decimal(value).adjusted()) < LONG else str(Decimal(value))
    return "" if value is None else str(value)


LONG = 20  # digits before or behind the point that are written out
READERS: dict[str, Callable[[Path], Iterator[Sequence[str]]]] = {
    ".xlsx": _workbook,
    ".npz": _arrays,
    ".parquet": _parquet,
    ".pq": _parquet,
}
