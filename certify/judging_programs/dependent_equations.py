"""Equations that depend on each other, and are consistent: solved near floats in rational numbers, where they are few.

    M u = q,  u = u0 + d,  M d = q - M u0  by elimination, each equation for an unknown that may be moved far

An equation of which nothing is left says 0 = 0, or there is no solution. What comes out is a double for each unknown,
and a radius of one unit in its last place within which the exact solution lies.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from scipy import sparse

from certify.problems.programs.exact_sums import Floats

MOST = 48  # equations


def solved_near(
    matrix: sparse.csr_array, right: Floats, start: Floats, weights: Floats
) -> tuple[Floats, Floats] | None:
    """Doubles and the radius around them; None if there are too many equations, or no solution."""
    if matrix.shape[0] > MOST:
        return None
    solved: dict[int, tuple[dict[int, Fraction], Fraction]] = {}
    for i in range(matrix.shape[0]):
        row, rest = _residual(matrix, float(right[i]), start, i)
        for pivot, (other, value) in solved.items():
            factor = row.get(pivot, Fraction(0))
            if factor:
                row = _combined(row, other, factor)
                rest -= factor * value
        movable = [j for j, a in row.items() if a and weights[j] > 0.0]
        if not movable:
            if rest:  # what cannot be moved stays: 0 = rest
                return None
            continue
        pivot = max(movable, key=lambda j: weights[j] * abs(float(row[j])))
        scale = row[pivot]
        made = {j: a / scale for j, a in row.items()}, rest / scale
        for other_pivot, (other, value) in list(solved.items()):
            factor = other.get(pivot, Fraction(0))
            if factor:
                solved[other_pivot] = _combined(other, made[0], factor), value - factor * made[1]
        solved[pivot] = made
    exact = [Fraction(value) for value in start.tolist()]
    for pivot, (_, value) in solved.items():
        exact[pivot] += value
    values = np.array([float(value) for value in exact])
    moved = np.array([j in solved for j in range(start.size)])
    return values, np.where(moved, np.spacing(np.abs(values)), 0.0)


def _residual(matrix: sparse.csr_array, right: float, start: Floats, i: int) -> tuple[dict[int, Fraction], Fraction]:
    places = slice(int(matrix.indptr[i]), int(matrix.indptr[i + 1]))
    row = {
        j: Fraction(a) for j, a in zip(matrix.indices[places].tolist(), matrix.data[places].tolist(), strict=True) if a
    }
    return row, Fraction(right) - sum((a * Fraction(float(start[j])) for j, a in row.items()), Fraction(0))


def _combined(row: dict[int, Fraction], other: dict[int, Fraction], factor: Fraction) -> dict[int, Fraction]:
    """row - factor other."""
    found = dict(row)
    for j, a in other.items():
        value = found.get(j, Fraction(0)) - factor * a
        if value:
            found[j] = value
        else:
            found.pop(j, None)
    return found
