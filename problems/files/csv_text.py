"""The cells of a CSV file as it comes: whatever separates them, quoted or not, from whichever program.

What separates cells is what parts the first line and the one behind it into equally many: tabs, else semicolons, else
commas, else spaces. Blank lines, lines of blank cells and lines that start with # are left out. A file that is no UTF-8
is read as Latin-1, where every byte is a character: numbers are the same in both.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from certify.problems.errors import InputError
from certify.problems.files.disk import MAX_BYTES, read_text
from certify.problems.files.spreadsheet import binary_lines, is_binary

SEPARATORS = {"tab": "\t", ";": ";", ",": ",", "space": " "}
MAX_COLUMNS = 20_000
MAX_ROWS = 1_000_000
MAX_JOINED = 20  # lines of one cell in quotes
SAMPLE = 2 * MAX_JOINED
_UTF_16 = ("\xff\xfe", "\xfe\xff")


@dataclass(frozen=True, slots=True)
class CsvText:
    """The lines of a file that hold cells, with their numbers, and what separates the cells."""

    path: Path
    lines: tuple[tuple[int, str], ...]
    separator: str

    @property
    def separator_name(self) -> str:
        """As a problem file says it."""
        return next(name for name, text in SEPARATORS.items() if text == self.separator)

    def cells(self) -> Iterator[tuple[int, list[str]]]:
        """The cells of each line, and the number of the line where it begins."""
        position = 0
        while position < len(self.lines):
            number, text = self.lines[position]
            if text.count(self.separator) >= MAX_COLUMNS:
                raise InputError(
                    f"table {self.path}, line {number}: it has more than {MAX_COLUMNS} cells; remove columns that no "
                    f"model needs"
                )
            if '"' in text:
                found, used = self._quoted(position)
            else:
                found, used = _parted(text, self.separator), 1
            position += used
            if any(found):
                yield number, found

    def _quoted(self, position: int) -> tuple[list[str], int]:
        """The cells of a line with quotes, and how many lines it takes: a cell in quotes may hold line breaks."""
        number, text = self.lines[position]
        reason = ""
        for more in range(min(MAX_JOINED, len(self.lines) - position)):
            text = text if not more else f"{text}\n{self.lines[position + more][1]}"
            try:
                return _parted(text, self.separator), more + 1
            except csv.Error as error:
                reason = reason or str(error)
                if "unexpected end" not in str(error):
                    break
        raise InputError(
            f"table {self.path}, line {number}: {reason}; write plain cells, and close every quote that opens one"
        )


def csv_text(
    path: Path, separator: str = "", header_line: int = 0, first_line: int = 0, limit: int = MAX_BYTES
) -> CsvText:
    """A file's lines; what separates the cells, and the numbers of the header's line and of the first one with numbers
    may be stated, and how many bytes it may have.
    """
    lines = []
    for number, text in enumerate(_lines(path, limit), 1):
        if (header_line and number < header_line) or header_line < number < first_line:
            continue
        if number == header_line:
            lines.append((number, text.removeprefix("#")))
        elif text.strip() and not text.startswith("#"):
            lines.append((number, text))
    if len(lines) > MAX_ROWS:
        raise InputError(f"table {path}: it has more than {MAX_ROWS} lines; split it, or average readings first")
    parting = SEPARATORS["tab"] if is_binary(path) else separator
    return CsvText(path, tuple(lines), parting or _separator(path, tuple(lines)))


def csv_lines(path: Path) -> Iterator[tuple[int, list[str]]]:
    """The cells of each line that is neither blank nor a comment, and its number."""
    return csv_text(path).cells()


def _lines(path: Path, limit: int) -> list[str]:
    if is_binary(path):
        return binary_lines(path)
    text = read_text(path, "table", limit, otherwise="latin-1")
    if text.startswith(_UTF_16):
        try:
            text = text.encode("latin-1").decode("utf-16")
        except UnicodeError as error:
            raise InputError(f"table {path}: it begins as UTF-16 and is not; save it as UTF-8") from error
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if text.count("\n") > 2 * MAX_ROWS:  # with blank ones
        raise InputError(f"table {path}: it has more than {2 * MAX_ROWS} lines; split it, or average readings first")
    return text.split("\n")


def _separator(path: Path, lines: tuple[tuple[int, str], ...]) -> str:
    """What parts the first two lines into equally many cells; if nothing does, what parts the first one."""
    counts = {mark: _counts(CsvText(path, lines[:SAMPLE], mark)) for mark in SEPARATORS.values()}
    parting = [mark for mark, found in counts.items() if found[0] > 1]
    alike = [mark for mark in parting if counts[mark][0] == counts[mark][-1]]
    marks = [mark for mark in (*alike, *parting) if mark != " "]
    return [*marks, *alike, ","][0]


def _counts(text: CsvText) -> list[int]:
    """How many cells the first two lines have, as far as they can be read."""
    found: list[int] = []
    with suppress(InputError):
        for _, cells in islice(text.cells(), 2):
            found.append(len(cells))
    return found or [0]


def _parted(text: str, separator: str) -> list[str]:
    """The cells of one line, without blanks around them."""
    if separator == " ":
        return text.split()
    found = text.split(separator) if '"' not in text else next(csv.reader([text], delimiter=separator, strict=True))
    return [cell.strip() for cell in found]
