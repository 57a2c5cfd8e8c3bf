"""The weights of a basis in exact numbers, by elimination without fractions (Bareiss).

    face    sum_i v_i a_i = c in the columns that are free; then c . theta is at most the sum of v_i times the upper
            end of row i where v_i > 0 and the lower one where v_i < 0, and of what is left of c times the ends of the
            other columns
    error   sum_i v_i a_i = 0, sum_i |v_i| d_i > 0: then rows can only be within t d_i of their intervals if t is large
            enough

Any such weights prove their bound; those of the best basis prove the best one. Rows have exact entries: doubles.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import gcd, lcm

Row = tuple[Fraction, ...]
Integers = list[list[int]]


def solved(rows: Sequence[Row], columns: Sequence[int], wanted: Sequence[Fraction]) -> tuple[Fraction, ...] | None:
    """v with sum_i v_i rows_i = wanted in these columns; None if the rows are as many as the columns, and dependent."""
    if len(rows) != len(columns):
        return None
    matrix = _integers([[*(row[j] for row in rows), wanted[j]] for j in columns])
    return _eliminated(matrix, len(rows))


def kernel(rows: Sequence[Row], columns: Sequence[int]) -> tuple[Fraction, ...] | None:
    """v, not 0, with sum_i v_i rows_i = 0 in these columns; the last row has a weight, or else the first one that
    depends on those before it.
    """
    if len(rows) == len(columns) + 1:
        found = solved(rows[:-1], columns, [rows[-1][j] if j in columns else Fraction(0) for j in range(len(rows[-1]))])
        if found is not None:
            return (*found, Fraction(-1))
    chosen: list[int] = []
    for k, row in enumerate(rows):
        found = _combination([rows[i] for i in chosen], row, columns)
        if found is not None:
            weights = [Fraction(0)] * len(rows)
            weights[k] = Fraction(-1)
            for i, value in zip(chosen, found, strict=True):
                weights[i] = value
            return tuple(weights)
        chosen.append(k)
    return None


def _combination(rows: Sequence[Row], target: Row, columns: Sequence[int]) -> tuple[Fraction, ...] | None:
    """v with sum_i v_i rows_i = target in all these columns, of independent rows; None if there is none."""
    matrix = _integers([[*(row[j] for row in rows), target[j]] for j in columns])
    return _eliminated(matrix, len(rows))


def _integers(matrix: Sequence[Sequence[Fraction]]) -> Integers:
    """Equations with whole numbers, each divided by what its numbers share."""
    found = []
    for equation in matrix:
        common = lcm(*(value.denominator for value in equation))
        whole = [value.numerator * (common // value.denominator) for value in equation]
        shared = gcd(*whole) or 1
        found.append([value // shared for value in whole])
    return found


def _eliminated(matrix: Integers, unknowns: int) -> tuple[Fraction, ...] | None:
    """The solution of equations (the last column is the right side); None if it is not the only one, or there is
    none. What is left below each pivot is a determinant, so that the divisions are exact; so are those of Cramer's
    numerators on the way back.
    """
    before = 1
    for done in range(unknowns):
        candidates = [i for i in range(done, len(matrix)) if matrix[i][done]]
        if not candidates:
            return None
        pivot = min(candidates, key=lambda i: abs(matrix[i][done]))
        matrix[done], matrix[pivot] = matrix[pivot], matrix[done]
        first, top, nothing = matrix[done][done], matrix[done][done + 1 :], [0] * (done + 1)
        for i in range(done + 1, len(matrix)):
            factor, row = matrix[i][done], matrix[i][done + 1 :]
            matrix[i] = nothing + [(first * a - factor * b) // before for a, b in zip(row, top, strict=True)]
        before = first
    if any(row[-1] for row in matrix[unknowns:]):
        return None
    numerators = [0] * unknowns
    for i in range(unknowns - 1, -1, -1):
        row = matrix[i]
        known = sum(row[j] * numerators[j] for j in range(i + 1, unknowns))
        numerators[i] = (before * row[-1] - known) // row[i]
    return tuple(Fraction(value, before) for value in numerators)


def point_of(equations: Sequence[Sequence[Fraction]]) -> tuple[Fraction, ...] | None:
    """The only solution of equations, whose last numbers are their right sides."""
    return _eliminated(_integers(equations), len(equations[0]) - 1) if equations else None
