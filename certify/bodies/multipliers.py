"""What weights on rows prove of physically consistent parameters, in exact numbers.

    theta = S phi, phi physical, every row within its interval; any weights v:
    w = sum_k v_k a_k             w . theta <= sum_k v_k (upper end of row k if v_k > 0, else its lower end) = V
    weights on ends of the box    add u_j to w_j, and u_j (its upper end if u_j > 0, else its lower end) to V
    c = S^T (w - target)          target . theta = w . theta - c . phi
    a body                        c . phi = <Z_i, P_i(phi)> >= - e_i tr P_i,  if Z_i + e_i 1 is positive semidefinite
    other phi >= 0                c_d phi_d >= - max(-c_d, 0) (its upper end)
    other phi                     between its ends

    so  target . theta <= V + sum_i e_i LARGEST + ...,      and if target is 0 and this is negative, there is no theta

Z_i is no choice: it follows from the weights, so that there is nothing to believe. It is positive semidefinite if all
pivots of its L D L^T say so, in rational numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm

import numpy as np

from certify.ellipsoids.exact_ellipsoid import positive_semidefinite
from certify.problems.regressors.physical import LARGEST, Matrix, Physical, pairing
from certify.problems.regressors.regressor import FAR, Regressor

Ends = Sequence[tuple[Fraction, Fraction]]
NONE: Mapping[int, Fraction] = {}
DIGITS = 53  # of doubles
LIFTS = (2.0, 16.0, 1024.0)  # times the negative eigenvalue that floats see
TINY = Fraction(1, 10**30)  # of a matrix's size: beyond what floats see of it


def most(
    problem: Regressor,
    physical: Physical,
    weights: Mapping[int, Fraction],
    target: Sequence[Fraction],
    walls: Mapping[int, Fraction] = NONE,
) -> Fraction | None:
    """A number that target . theta does not exceed wherever theta fits every row and is physical; None if these weights
    show none.
    """
    total = sum((weight * problem.ends(row)[weight > 0] for row, weight in weights.items()), Fraction(0))
    function = combined(problem, weights)
    for j, weight in walls.items():
        end = problem.box[j][weight > 0]
        if abs(end) == FAR:
            return None
        total, function[j] = total + weight * end, function[j] + weight
    rest = physical.spread([w - t for w, t in zip(function, target, strict=True)])
    left = _of_bodies(physical, rest)
    others = _of_others(problem, physical, rest)
    return None if left is None or others is None else total + left + others


def combined(problem: Regressor, weights: Mapping[int, Fraction]) -> list[Fraction]:
    """w, of rows whose entries are doubles: in whole numbers over one power of two."""
    if problem.has_sides:
        return _combined_sides(problem, weights)
    common = lcm(*(weight.denominator for weight in weights.values()))
    parts, exponents = np.frexp(problem.matrix[list(weights)])
    least = int(exponents.min(initial=0)) - DIGITS
    totals = [0] * problem.size
    whole = (parts * 2.0**DIGITS).astype(np.int64)  # exact: 53 bits
    for weight, numbers, places in zip(weights.values(), whole.tolist(), exponents.tolist(), strict=True):
        factor = weight.numerator * (common // weight.denominator)
        for j, (number, place) in enumerate(zip(numbers, places, strict=True)):
            totals[j] += factor * (number << (place - DIGITS - least))
    return [Fraction(value) * Fraction(2) ** least / common for value in totals]


def _combined_sides(problem: Regressor, weights: Mapping[int, Fraction]) -> list[Fraction]:
    """The same of rows whose two inequalities differ: each with the coefficients of its side."""
    totals = [Fraction(0)] * problem.size
    for row, weight in weights.items():
        for j, number in enumerate(problem.exact(row, 1 if weight > 0 else -1)):
            totals[j] += weight * number
    return totals


def _of_bodies(physical: Physical, rest: Sequence[Fraction]) -> Fraction | None:
    """The most that - c . phi is over all bodies."""
    total = Fraction(0)
    for body in physical.bodies:
        lift = lifted(pairing([rest[d] for d in body]))
        if lift is None:
            return None
        total += lift * LARGEST
    return total


def lifted(matrix: Matrix) -> Fraction | None:
    """A small e >= 0 with which matrix + e 1 is positive semidefinite, exactly; None if none was found."""
    if positive_semidefinite(matrix):
        return Fraction(0)
    floats = np.array([[float(entry) for entry in row] for row in matrix])
    if not np.isfinite(floats).all():
        return None
    size = float(np.abs(floats).max())
    below = max(-float(np.linalg.eigvalsh(floats)[0]), 2.0**-60 * size)
    for times in LIFTS:
        lift = Fraction(times * below) + TINY
        raised = [[entry + (lift if i == j else 0) for j, entry in enumerate(row)] for i, row in enumerate(matrix)]
        if positive_semidefinite(raised):
            return lift
    return None


def _of_others(problem: Regressor, physical: Physical, rest: Sequence[Fraction]) -> Fraction | None:
    """The most that - c . phi is over all that is in no body."""
    ends = other_ends(problem, physical)
    inside = {d for body in physical.bodies for d in body}
    total = Fraction(0)
    for d, factor in enumerate(rest):
        if d in inside or not factor:
            continue
        end = ends[d][0] if factor > 0 else ends[d][1]
        if end is None:
            return None
        total -= factor * end
    return total


def other_ends(problem: Regressor, physical: Physical) -> list[tuple[Fraction | None, Fraction | None]]:
    """Between which ends each phi is, as far as it is known without rows."""
    found: list[tuple[Fraction | None, Fraction | None]] = [(None, None)] * physical.size
    for d in physical.nonnegative:
        found[d] = (Fraction(0), Fraction(LARGEST))
    for row, (low, high) in zip(physical.rows, problem.box, strict=True):
        if len(row) == 1 and row[0][1] == 1:
            d = row[0][0]
            before = found[d]
            lows = [end for end in (before[0], low if -low < FAR else None) if end is not None]
            highs = [end for end in (before[1], high if high < FAR else None) if end is not None]
            found[d] = (max(lows, default=None), min(highs, default=None))
    return found
