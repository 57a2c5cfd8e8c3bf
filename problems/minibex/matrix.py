"""Values of Minibex expressions: matrices of formulas, a number being 1 x 1 and a vector one row or one column.

a + b, a - b   same dimensions
a * b          number times anything; matrix product; dot product of two rows or of two columns of the same length (as
IBEX) a / b          anything by a number (a, b), (a; b) side by side, one below the other a(i)           entry of a
vector, row of a matrix; a(i, j) entry; ranges and : take parts
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from certify.problems.errors import InputError
from certify.problems.formulas.graph import Formula, Formulas, Operation


@dataclass(frozen=True, slots=True)
class Matrix:
    """Entries in rows, one row after the other."""

    rows: int
    columns: int
    entries: tuple[Formula, ...]

    @property
    def is_number(self) -> bool:
        """Whether it is 1 x 1."""
        return self.rows == 1 and self.columns == 1

    @property
    def size(self) -> str:
        """The dimensions for messages."""
        return "a number" if self.is_number else f"a matrix of {self.rows} x {self.columns}"

    def spread(self, rows: int, columns: int) -> Matrix | None:
        """The matrix itself, or a number in all places of these dimensions; None where neither fits."""
        if (self.rows, self.columns) == (rows, columns):
            return self
        return Matrix(rows, columns, self.entries * (rows * columns)) if self.is_number else None

    def map(self, function: Callable[[Formula], Formula]) -> Matrix:
        """The function of each entry."""
        return Matrix(self.rows, self.columns, tuple(map(function, self.entries)))

    def part(self, rows: range, columns: range) -> Matrix:
        """The entries in these rows and columns."""
        return Matrix(len(rows), len(columns), tuple(self.entries[i * self.columns + j] for i in rows for j in columns))

    def transposed(self) -> Matrix:
        """Rows and columns exchanged."""
        return Matrix(
            self.columns,
            self.rows,
            tuple(self.entries[i * self.columns + j] for j in range(self.columns) for i in range(self.rows)),
        )


def number(formula: Formula) -> Matrix:
    """A single formula."""
    return Matrix(1, 1, (formula,))


def joined(parts: Sequence[Matrix], *, in_a_row: bool) -> Matrix:
    """The parts side by side, or one below the other."""
    turned = [part.transposed() for part in parts] if in_a_row else parts
    if len({part.columns for part in turned}) > 1:
        sizes = ", ".join(sorted({part.size for part in parts})[:5])
        raise InputError(
            f"parts of different dimensions ({sizes}) cannot be joined to one "
            f"{'row' if in_a_row else 'column'}; correct one of them"
        )
    below = Matrix(
        sum(part.rows for part in turned), turned[0].columns, tuple(entry for part in turned for entry in part.entries)
    )
    return below.transposed() if in_a_row else below


def combined(formulas: Formulas, operation: Operation, first: Matrix, second: Matrix) -> Matrix:
    """first + second or first - second, entry by entry."""
    if (first.rows, first.columns) != (second.rows, second.columns):
        raise InputError(f"{first.size} {operation.value} {second.size} has no meaning; both need the same dimensions")
    entries = tuple(formulas.apply(operation, a, b) for a, b in zip(first.entries, second.entries, strict=True))
    return Matrix(first.rows, first.columns, entries)


def product(formulas: Formulas, first: Matrix, second: Matrix) -> Matrix:
    """first * second"""
    if first.is_number:
        return second.map(lambda entry: formulas.apply(Operation.MUL, first.entries[0], entry))
    if second.is_number:
        return first.map(lambda entry: formulas.apply(Operation.MUL, entry, second.entries[0]))
    if (
        first.columns != second.rows
        and (first.rows, first.columns) == (second.rows, second.columns)
        and 1 in (first.rows, first.columns)
    ):
        first, second = (first, second.transposed()) if first.rows == 1 else (first.transposed(), second)
    if first.columns != second.rows:
        raise InputError(
            f"{first.size} * {second.size} has no meaning; the columns of the first are to be as many as the "
            f"rows of the second"
        )
    entries = tuple(_dot(formulas, first, second, i, j) for i in range(first.rows) for j in range(second.columns))
    return Matrix(first.rows, second.columns, entries)


def _dot(formulas: Formulas, first: Matrix, second: Matrix, row: int, column: int) -> Formula:
    pairs = [
        formulas.apply(
            Operation.MUL, first.entries[row * first.columns + k], second.entries[k * second.columns + column]
        )
        for k in range(first.columns)
    ]
    total = pairs[0]
    for pair in pairs[1:]:
        total = formulas.apply(Operation.ADD, total, pair)
    return total


def quotient(formulas: Formulas, first: Matrix, second: Matrix) -> Matrix:
    """first / second"""
    if not second.is_number:
        raise InputError(f"{first.size} / {second.size} has no meaning; divide by a number")
    return first.map(lambda entry: formulas.apply(Operation.DIV, entry, second.entries[0]))
