"""The cells of the columns of a file that are read, line by line as many as the header has; what names the poses, and
which decimal mark all numbers have.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from certify.problems.errors import InputError
from certify.problems.files.csv_text import CsvText
from certify.problems.files.layout import COUNTED
from certify.problems.formulas.units import shown

MAX_LABEL = 40
_PARTED = re.compile(r"[+-]?[1-9][0-9]{0,2},[0-9]{3}", re.ASCII)
_BELOW = re.compile(r"[+-]?[1-9][0-9]{0,2}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Cells:
    """The numbers of the lines that hold poses, and the texts of each column that is read, by its number from 0."""

    path: Path
    lines: list[int]
    texts: dict[int, list[str]]

    def place(self, column: str) -> Callable[[int], str]:
        """Where entry k of a column stands."""
        return lambda k: f"table {self.path}, line {self.lines[k]}, column {column}"

    def labels(self, pose: int | None, told: str) -> tuple[str, ...]:
        """What the poses are called: the entries of a column, or the numbers of the lines from 1."""
        if pose is None:
            return tuple(str(k) for k in range(1, len(self.lines) + 1))
        labels: dict[str, int] = {}
        for label, line in zip(self.texts[pose], self.lines, strict=True):
            place = f"table {self.path}, line {line}, {told}"
            if not label or len(label) > MAX_LABEL or not label.isprintable() or label.startswith("#"):
                remedy = f"write 1 to {MAX_LABEL} printable characters, such as 17, that do not begin with #"
                raise InputError(f"{place}: {shown(label)} does not name a pose; {remedy}")
            if label in labels:
                raise InputError(
                    f"{place}: {shown(label)} already names line {labels[label]}; give each pose its own name, or "
                    f'write pose = "{COUNTED}" under [table]'
                )
            labels[label] = line
        return tuple(labels)

    def _refuse_thousands(self, cells: Sequence[str], told: str) -> None:
        """Refuse a column in which commas have three digits behind them and only numbers below 1000 have none: they may
        separate thousands.
        """
        parted = [k for k, cell in enumerate(cells) if "," in cell]
        whole = [k for k, cell in enumerate(cells) if "," not in cell and cell.strip("+-0")]
        alike = all(_PARTED.fullmatch(cells[k]) for k in parted) and all(_BELOW.fullmatch(cells[k]) for k in whole)
        if parted and whole and alike:
            raise InputError(
                f"{self.place(told)(parted[0])}: {shown(cells[parted[0]])} is a decimal, or has a separator of "
                f"thousands, which {shown(cells[whole[0]])} in line {self.lines[whole[0]]} needs not; write "
                f"{cells[whole[0]]},000 there, or no separators of thousands"
            )

    def decimal(self, columns: Mapping[int, str]) -> str:
        """The decimal mark of all numbers in these columns: the comma, if some have one and none has a point."""
        marks: dict[str, str] = {}
        for index, told in columns.items():
            cells = self.texts[index]
            whole = " ".join(cells)
            for mark in ",.":
                if mark in whole and mark not in marks:
                    k = next(k for k, cell in enumerate(cells) if mark in cell)
                    marks[mark] = f"line {self.lines[k]}, column {told}: {shown(cells[k])}"
        if len(marks) == 2:
            raise InputError(
                f"table {self.path}, {marks[',']}, but {marks['.']}: commas and points in one file; one of them is the "
                f"decimal mark everywhere, and thousands are not separated"
            )
        for index, told in columns.items() if "," in marks else ():
            self._refuse_thousands(self.texts[index], told)
        return "," if "," in marks else "."


def read_cells(text: CsvText, has_header: bool, count: int, used: Collection[int]) -> Cells:
    """The cells behind the header in the columns that are used; `count` is how many there must be in each line."""
    lines: list[int] = []
    texts: dict[int, list[str]] = {index: [] for index in sorted(used)}
    for number, cells in text.cells():
        if has_header:
            has_header = False
            continue
        _check(without_blanks(cells, count), count, text, number)
        lines.append(number)
        for index, column in texts.items():
            column.append(cells[index])
    if not lines:
        raise InputError(f"table {text.path}: there is no line behind the header; write one line a pose")
    return Cells(text.path, lines, texts)


def without_blanks(cells: list[str], least: int = 0) -> list[str]:
    """The cells without blank ones at the end, but so many at least."""
    while len(cells) > least and not cells[-1]:
        cells.pop()
    return cells


def _check(cells: list[str], count: int, text: CsvText, line: int) -> None:
    if len(cells) != count:
        remedy = "add or remove cells, and write numbers with a decimal point"
        if text.separator != ",":
            remedy = (
                f"add or remove cells (they are separated by {text.separator_name!r}; if not, say so under [table])"
            )
        raise InputError(f"table {text.path}, line {line}: it has {len(cells)} cells, the header has {count}; {remedy}")


def no_doubt(text: CsvText, count: int) -> None:
    """Without a header, commas between digits alone may part cells, or be decimal commas."""
    if text.separator == "," and count > 1 and not any("." in line for _, line in text.lines):
        raise InputError(
            f"table {text.path}: nothing says whether its commas part cells or are decimal commas; write "
            f'separator = "," (or another one, and decimal = ",") under [table]'
        )
