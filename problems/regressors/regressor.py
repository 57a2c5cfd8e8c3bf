"""A model that is linear in its parameters, as it was measured: N rows a_k . theta = y_k, each within its bound.

    [L_k - b, U_k + b] contains a_k . theta       L_k = U_k = y_k and b the bound, if it is one number for all rows
                                                  L_k, U_k = y_k -+ bound_k rounded outwards and b = 0, if each has one

Arrays mean exactly their doubles, numbers in text exactly their decimals. The canonical problem is a header and a table
of records (a_k, L_k, U_k), which are written piece by piece: memory holds the arrays once.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from certify.problems.errors import InputError
from certify.problems.formulas.units import shown

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Number = int | float | Fraction | Decimal | str
Ends = tuple[Number | None, Number | None]

FAR = 10**100  # where the search box ends in a parameter for which no bound is given
PARAMETERS = 64
RECORDS, FEW_RECORDS = 8192, 768  # that are looked at at once: of many rows, and of few
PIECES = 16  # of rows that are neither: what is computed of a piece for all faces takes less than the rows themselves
MOST_BYTES = 1 << 30  # of a canonical problem
FAMILY = "rows"
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,63}")
UNIT = re.compile(r"[A-Za-z0-9_./^-]{1,16}")


@dataclass(frozen=True, eq=False)
class Regressor:
    """Use `regressor`, which looks at everything first."""

    matrix: Floats
    y: Floats
    lower: Floats
    upper: Floats
    base: Fraction
    names: tuple[str, ...]
    units: tuple[str, ...]
    unit: str
    bounds: tuple[tuple[Fraction | None, Fraction | None], ...]

    @property
    def rows(self) -> int:
        """How many there are."""
        return int(self.matrix.shape[0])

    @property
    def size(self) -> int:
        """How many parameters there are."""
        return int(self.matrix.shape[1])

    @property
    def box(self) -> tuple[tuple[Fraction, Fraction], ...]:
        """The search box of the canonical problem."""
        far = Fraction(FAR)
        return tuple((-far if low is None else low, far if high is None else high) for low, high in self.bounds)

    def pieces(self) -> Iterator[slice]:
        """All rows, some at a time."""
        count = min(RECORDS, max(1, self.rows // (PIECES * FEW_RECORDS)) * FEW_RECORDS)
        return (slice(start, min(start + count, self.rows)) for start in range(0, self.rows, count))

    @property
    def kind(self) -> str:
        """What its records are."""
        return "table"

    @property
    def is_even(self) -> bool:
        """Whether one bound holds for all rows."""
        return self.lower is self.upper

    @property
    def has_sides(self) -> bool:
        """Whether the inequalities of a row differ in their coefficients."""
        return False

    @property
    def has_ends(self) -> bool:
        """Whether coefficients are intervals."""
        return False

    def along(self, rows: slice | Integers, side: int) -> Floats:
        """The coefficients a of the inequalities side a . theta <= side end (+1 the upper one, -1 the lower one)."""
        return np.asarray(self.matrix[rows])

    def exact(self, row: int, side: int) -> tuple[Fraction, ...]:
        """The same of one row, exactly."""
        return tuple(map(Fraction, self.matrix[row].tolist()))

    def reach(self, rows: slice, points: Floats) -> tuple[Floats, Floats, Floats]:
        """The least and the greatest W theta at points (columns), and the size of what was added up."""
        part = self.matrix[rows]
        found = part @ points
        return found, found, np.abs(part) @ np.abs(points)

    def exact_reach(self, row: int, point: Sequence[Fraction]) -> tuple[Fraction, Fraction]:
        """The least and the greatest W_k . theta, exactly."""
        found = sum((a * x for a, x in zip(self.exact(row, 1), point, strict=True)), Fraction(0))
        return found, found

    def ends(self, row: int) -> tuple[Fraction, Fraction]:
        """L - b and U + b of a row, exactly."""
        return Fraction(float(self.lower[row])) - self.base, Fraction(float(self.upper[row])) + self.base

    def header(self, rows: int) -> bytes:
        """The text before so many records."""
        pairs = zip(self.names, self.units, self.box, strict=True)
        variables = (f"{name} {documented(unit)} {low} {high}" for name, unit, (low, high) in pairs)
        lines = ["certify-problem 3", f"variables {self.size}", *variables, "columns 0", "tapes 0", "families 1"]
        lines += [" ".join([FAMILY, self.kind, str(rows), *(f"v{k}" for k in range(self.size))]), "end", ""]
        return "\n".join(lines).encode("ascii")

    def records(self, rows: slice | Sequence[int]) -> bytes:
        """The records of some rows."""
        chosen = rows if isinstance(rows, slice) else np.array(rows, dtype=np.int64)
        part = [self.matrix[chosen], self.lower[chosen, None], self.upper[chosen, None]]
        return np.hstack(part).astype("<f8").tobytes()

    def canonical(self) -> Iterator[bytes]:
        """The bytes of the problem, piece by piece."""
        yield self.header(self.rows)
        yield from map(self.records, self.pieces())

    def reduced(self, rows: Sequence[int]) -> bytes:
        """The problem of some rows only: what holds for it holds for all rows."""
        return self.header(len(rows)) + self.records(rows)

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of the bytes."""
        found = hashlib.sha256()
        for piece in self.canonical():
            found.update(piece)
        return found.hexdigest()

    def write(self, path: Path) -> None:
        """Write the canonical problem to a new file."""
        with path.open("xb") as stream:
            for piece in self.canonical():
                stream.write(piece)


def documented(unit: str) -> str:
    """A unit as the canonical problem has it, for readers only: 'Nm s/rad' becomes Nm.s/rad."""
    plain = re.sub(r"[ *]+", ".", unit.strip())
    return plain if UNIT.fullmatch(plain) else "1"


def regressor(
    W: Any, y: Any, bound: Any, box: Sequence[Ends] | None = None, *, names: Sequence[str] | None = None,
    units: Sequence[str] | None = None, unit: str = "",
) -> Regressor:  # fmt: skip
    """The model of arrays (or of a DataFrame, whose columns are named); `bound` is one number, or one for each row."""
    matrix, measured = of_doubles("W", W, 2), of_doubles("y", y, 1)
    rows, size = matrix.shape
    if not 1 <= size <= PARAMETERS or rows < 1:
        raise InputError(
            f"W has {rows} rows and {size} columns; a row at least and 1 to {PARAMETERS} columns are needed"
        )
    if measured.size != rows:
        raise InputError(f"y has {measured.size} entries and W has {rows} rows; give one measurement for each row")
    if 8 * rows * (size + 2) > MOST_BYTES:
        raise InputError(
            f"W has {rows} rows and {size} columns, more than 1 GiB; leave out rows, such as every other one"
        )
    given = list(names) if names is not None else [str(name) for name in getattr(W, "columns", [])]
    called = _names(given or [f"theta{k + 1}" for k in range(size)], size)
    measures = tuple(units) if units is not None else ("",) * size
    if len(measures) != size:
        raise InputError(f"units: there are {len(measures)} for {size} columns of W; give one for each, '' for none")
    base, lower, upper = _intervals(measured, bound)
    return Regressor(matrix, measured, lower, upper, base, called, measures, unit, _bounds(box, called))


def of_doubles(name: str, values: Any, dimensions: int) -> Floats:
    """Doubles that are finite and exactly the numbers that were given."""
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        raise InputError(f"{name} has masked entries; leave out such rows before")
    given = np.asarray(values)
    if given.dtype.kind not in "fiub" or given.dtype.itemsize > 8:
        raise InputError(f"{name} has entries of the type {given.dtype}; give numbers of double precision (float64)")
    if given.ndim != dimensions:
        raise InputError(
            f"{name} has {given.ndim} dimensions; {dimensions} are needed (rows x columns, and one y a row)"
        )
    found = np.ascontiguousarray(given, dtype=np.float64)
    if given.dtype.kind in "iu" and not (found.astype(given.dtype) == given).all():
        raise InputError(f"{name} has whole numbers beyond 2^53, which are no doubles; give float64")
    if not finite(found):
        place = tuple(int(k) for k in np.argwhere(~np.isfinite(found))[0])
        where = f"row {place[0] + 1}" + (f", column {place[1] + 1}" if len(place) > 1 else "")
        raise InputError(f"{name}, {where}: {float(found[place])} is no number; leave out such rows before")
    return found


def finite(values: Floats) -> bool:
    return all(bool(np.isfinite(values[start : start + RECORDS]).all()) for start in range(0, len(values), RECORDS))


def _names(names: Sequence[str], size: int) -> tuple[str, ...]:
    if len(names) != size:
        raise InputError(f"names: there are {len(names)} for {size} columns of W; give one for each")
    for number, name in enumerate(names, 1):
        if not NAME.fullmatch(name):
            raise InputError(
                f"column {number} of W is called {shown(name)}; a name is a letter, and up to 63 letters, digits, '_', "
                f"'.' or '-'"
            )
        if name in names[: number - 1]:
            raise InputError(f"two columns of W are called {shown(name)}; give each a name of its own")
    return tuple(names)


def exact(value: Any, what: str) -> Fraction:
    """A number, exactly: the double that it is, or the decimal that a text says."""
    try:
        if isinstance(value, str) and not re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?", value.strip()):
            raise ValueError
        number = value.item() if isinstance(value, np.generic) else value
        return Fraction(number.strip() if isinstance(number, str) else number)
    except (ValueError, TypeError, OverflowError) as error:
        raise InputError(f"{what} is {shown(str(value))}; give a finite number") from error


def _intervals(y: Floats, bound: Any) -> tuple[Fraction, Floats, Floats]:
    """b, L and U."""
    if isinstance(bound, (str, int, float, Fraction, Decimal)) or np.ndim(bound) == 0:
        base = exact(bound.item() if isinstance(bound, np.ndarray) else bound, "bound")
        if base < 0:
            raise InputError(f"bound is {float(base):g}; give a number that is not negative")
        return base, y, y
    each = of_doubles("bound", bound, 1)
    if each.size != y.size:
        raise InputError(f"bound has {each.size} entries and y has {y.size}; give one number, or one for each row")
    if (each < 0).any():
        row = int(np.argmax(each < 0))
        raise InputError(f"bound, row {row + 1}: {each[row]:g} is negative; give how far the measurement may be off")
    lower, upper = -rounded_up(-y, each), rounded_up(y, each)
    if not (finite(lower) and finite(upper)):
        raise InputError("y and bound are too large to be added; choose another unit")
    return Fraction(0), lower, upper


def rounded_up(first: Floats, second: Floats) -> Floats:
    """first + second, or the next double above where that is not exact (Knuth's TwoSum)."""
    total = first + second
    other = total - first
    missing = (first - (total - other)) + (second - other)
    return np.where(missing > 0, np.nextafter(total, np.inf), total)


def _bounds(box: Sequence[Ends] | None, names: Sequence[str]) -> tuple[tuple[Fraction | None, Fraction | None], ...]:
    """What was known before; an infinite end, or one beyond FAR, is none."""
    if box is None:
        return ((None, None),) * len(names)
    if len(box) != len(names):
        raise InputError(f"box has {len(box)} pairs of ends for {len(names)} parameters; give one pair for each")
    found = []
    for name, pair in zip(names, box, strict=True):
        try:
            low, high = pair
        except (TypeError, ValueError) as error:
            raise InputError(f"box, {name}: {pair!r} is no pair of ends; give (lower, upper), None for none") from error
        ends = (_end(low, f"box, {name}: lower end"), _end(high, f"box, {name}: upper end"))
        if ends[0] is not None and ends[1] is not None and ends[0] > ends[1]:
            raise InputError(f"box, {name}: its lower end {low} exceeds its upper end {high}; exchange them")
        found.append(ends)
    return tuple(found)


def _end(value: Number | None, what: str) -> Fraction | None:
    if value is None or (isinstance(value, (float, np.floating)) and math.isinf(value)):
        return None
    found = exact(value, what)
    return found if abs(found) < FAR else None
