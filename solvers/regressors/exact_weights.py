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
from operator import mul

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


def product(weights: Sequence[Fraction], values: Sequence[Fraction]) -> Fraction:
    """sum_i v_i x_i, over one denominator: no fraction is reduced on the way."""
    (one, left), (other, right) = map(_over_one, (weights, values))
    return Fraction(sum(map(mul, left, right)), one * other)


def _over_one(values: Sequence[Fraction]) -> tuple[int, list[int]]:
    """The common denominator, and numerators."""
    common = lcm(*(value.denominator for value in values))
    return common, [value.numerator * (common // value.denominator) for value in values]


def _combination(rows: Sequence[Row], target: Row, columns: Sequence[int]) -> tuple[Fraction, ...] | None:
    """v with sum_i v_i rows_i = target in all these columns, of independent rows; None if there is none."""
    matrix = _integers([[*(row[j] for row in rows), target[j]] for j in columns])
    return _eliminated(matrix, len(rows))


def _integers(matrix: Sequence[Sequence[Fraction]]) -> Integers:
    """Equations with whole numbers, each divided by what its numbers share."""
    found = []
    for equation in matrix:
        _, whole = _over_one(equation)
        shared = gcd(*whole) or 1
        found.append([value // shared for value in whole])
    return found


def _eliminated(matrix: Integers, unknowns: int) -> tuple[Fraction, ...] | None:
    """The solution of equations (the last column is the right side); None if it is not the only one, or there is
    none. Two columns go at a time; what is left below each pivot is a determinant, so that the divisions are exact; so
    are those of Cramer's numerators on the way back.
    """
    before = 1
    for done in range(0, unknowns, 2):
        found = _one_less(matrix, done, before) if done + 1 == unknowns else _two_less(matrix, done, before)
        if found is None:
            return None
        before = found
    if any(row[-1] for row in matrix[unknowns:]):
        return None
    numerators = [0] * unknowns
    for i in range(unknowns - 1, -1, -1):
        row = matrix[i]
        known = sum(map(mul, row[i + 1 : -1], numerators[i + 1 :]))
        numerators[i] = (before * row[-1] - known) // row[i]
    return tuple(Fraction(value, before) for value in numerators)


def _one_less(matrix: Integers, done: int, before: int) -> int | None:
    """Eliminate a column: the new pivot, which all further numbers are divided by; None if it has none."""
    if not _chosen(matrix, done, [row[done] for row in matrix[done:]]):
        return None
    top = matrix[done]
    for i in range(done + 1, len(matrix)):
        matrix[i] = _below_one(top, matrix[i], done, before)
    return top[done]


def _below_one(top: list[int], row: list[int], done: int, before: int) -> list[int]:
    first, factor = top[done], row[done]
    left = [(first * a - factor * b) // before for a, b in zip(row[done + 1 :], top[done + 1 :], strict=True)]
    return [0] * (done + 1) + left


def _two_less(matrix: Integers, done: int, before: int) -> int | None:
    """The same of two columns, by determinants of three rows: fewer products, and half of the divisions."""
    if not _chosen(matrix, done, [row[done] for row in matrix[done:]]):
        return None
    one, last = matrix[done], done + 1
    p, q = one[done], one[last]
    if not _chosen(matrix, last, [(p * row[last] - q * row[done]) // before for row in matrix[last:]]):
        return None
    two = matrix[last]
    r, s = two[done], two[last]
    pivot, nothing = (p * s - q * r) // before, [0] * (done + 2)
    for i in range(done + 2, len(matrix)):
        x, y = matrix[i][done], matrix[i][last]
        v, u = (p * y - q * x) // before, (r * y - s * x) // before
        columns = zip(matrix[i][done + 2 :], two[done + 2 :], one[done + 2 :], strict=True)
        matrix[i] = nothing + [(pivot * c - v * b + u * a) // before for c, b, a in columns]
    matrix[last] = _below_one(one, two, done, before)
    return pivot


def _chosen(matrix: Integers, done: int, pivots: Sequence[int]) -> bool:
    """Whether some row has a pivot that is not 0; the row with the least is put first."""
    candidates = [i for i, value in enumerate(pivots) if value]
    if candidates:
        best = done + min(candidates, key=lambda i: abs(pivots[i]))
        matrix[done], matrix[best] = matrix[best], matrix[done]
    return bool(candidates)


def point_of(equations: Sequence[Sequence[Fraction]]) -> tuple[Fraction, ...] | None:
    """The only solution of equations, whose last numbers are their right sides."""
    return _eliminated(_integers(equations), len(equations[0]) - 1) if equations else None
