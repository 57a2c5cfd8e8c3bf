"""A basis that a solver calls optimal within its tolerance, and that is not: the same program seen through a magnifying
glass (A. Gleixner, D. Steffy, K. Wolter, Iterative refinement for linear programming, INFORMS J. Comput. 28, 2016).

With the exact point x0 and multipliers y0 of the basis, and k the reciprocal of the largest violation,

    minimise l (c - A' y0) . d   subject to   k (lower - A x0) <= A d <= k (upper - A x0),   k (low - x0) <= d <= ...

has the same bases; its numbers are rounded, for what comes out is a candidate again.
"""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np

from certify.judging_programs.exact_vertices import ExactRows, Numbers
from certify.problems.programs.program import Program

LARGE = 1e15  # an end so far away is none
MOST = Fraction(10) ** 30  # of the magnification


def magnified(found: Program, point: Numbers, costs: Numbers) -> Program:
    """The program around a point, in its own size."""
    exact = ExactRows(found)
    violation = max([*exact.excesses(point), Fraction(0)])
    wrong = [-r if low is None else r for r, (low, _) in zip(costs, exact.bounds, strict=True)]
    k, scale = _power(violation), _power(max([abs(r) for r in wrong if r], default=Fraction(1)))
    values = [sum((a * point[j] for j, a in row), Fraction(0)) for row in exact.rows]
    rows = [_around(ends, value, k) for ends, value in zip(exact.ends, values, strict=True)]
    bounds = [_around(ends, value, k) for ends, value in zip(exact.bounds, point, strict=True)]
    (lower, upper), (low, high) = (np.array(ends).reshape(-1, 2).T for ends in (rows, bounds))
    cost = np.array([float(r * scale) for r in costs])
    return replace(found, cost=cost, offset=0.0, lower=lower, upper=upper, low=low, high=high)


def _power(size: Fraction) -> Fraction:
    """A power of two near the reciprocal."""
    if not size:
        return Fraction(1)
    bits = size.denominator.bit_length() - size.numerator.bit_length()
    return min(Fraction(2) ** bits, MOST)


def _around(ends: tuple[Fraction | None, Fraction | None], value: Fraction, k: Fraction) -> tuple[float, float]:
    low, high = (
        missing if end is None or abs(moved := (end - value) * k) > LARGE else float(moved)
        for end, missing in zip(ends, (-math.inf, math.inf), strict=True)
    )
    return low, high
