"""Linear programs in rationals: the largest value of c.x over a polyhedron, by the simplex method with Bland's rule,
without a rounding error.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

Row = tuple[Sequence[Fraction], Fraction]  # a.x <= b
ZERO, ONE = Fraction(0), Fraction(1)


def largest(objective: Sequence[Fraction], rows: Sequence[Row], lower: Sequence[Fraction]) -> Fraction | None:
    """The largest c.x with a.x <= b for all rows and x >= lower; None if there is no such x. The polyhedron must be
    bounded along c.
    """
    shifted = [[*a, b - _dot(a, lower)] for a, b in rows]
    table = _feasible(shifted, len(objective))
    if table is None:
        return None
    columns, basis = table
    goal = [ZERO] * len(columns[0])
    for j, c in enumerate(objective):
        goal[j] += c
    for row, variable in zip(columns, basis, strict=True):
        if goal[variable]:
            goal = _less(goal, row, goal[variable])
    return _climbed(columns, basis, goal) + _dot(objective, lower)


def smallest(objective: Sequence[Fraction], rows: Sequence[Row], lower: Sequence[Fraction]) -> Fraction | None:
    """The smallest c.x likewise."""
    found = largest([-c for c in objective], rows, lower)
    return None if found is None else -found


def _dot(a: Sequence[Fraction], x: Sequence[Fraction]) -> Fraction:
    return sum((p * q for p, q in zip(a, x, strict=True) if p), ZERO)


def _less(row: list[Fraction], other: list[Fraction], factor: Fraction) -> list[Fraction]:
    return [p - factor * q if q else p for p, q in zip(row, other, strict=True)]


def _feasible(rows: list[list[Fraction]], count: int) -> tuple[list[list[Fraction]], list[int]] | None:
    """A dictionary with non-negative right sides: the columns are the variables, the slacks and the right side; None
    if there is none.
    """
    size = count + len(rows)
    table = [
        [*row[:-1], *(ONE if k == i else ZERO for k in range(len(rows))), -ONE, row[-1]] for i, row in enumerate(rows)
    ]
    basis = list(range(count, size))
    worst = min(range(len(rows)), key=lambda i: table[i][-1])
    if table[worst][-1] < 0:
        _pivot(table, basis, worst, size)
        goal = [ZERO] * (size + 2)
        goal[size] = -ONE
        goal = _less(goal, table[basis.index(size)], -ONE)
        if _climbed(table, basis, goal) < 0:
            return None
        if size in basis:
            place = basis.index(size)
            _pivot(table, basis, place, next(j for j in range(size) if table[place][j]))
    return [[*row[:size], row[-1]] for row in table], basis


def _climbed(table: list[list[Fraction]], basis: list[int], goal: list[Fraction]) -> Fraction:
    """The value of the goal, reduced to the basis, at its maximum."""
    while (entering := next((j for j, c in enumerate(goal[:-1]) if c > 0), None)) is not None:
        ratios = [(row[-1] / row[entering], basis[i], i) for i, row in enumerate(table) if row[entering] > 0]
        if not ratios:
            raise ValueError("the polyhedron is unbounded along the objective")
        place = min(ratios)[2]
        _pivot(table, basis, place, entering)
        goal = _less(goal, table[place], goal[entering])
    return -goal[-1]


def _pivot(table: list[list[Fraction]], basis: list[int], place: int, entering: int) -> None:
    pivot = table[place][entering]
    table[place] = [entry / pivot for entry in table[place]]
    for i, row in enumerate(table):
        if i != place and row[entering]:
            table[i] = _less(row, table[place], row[entering])
    basis[place] = entering
