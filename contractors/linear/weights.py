"""What weights on the rows of an interval linear system prove about its solutions in a box.

By Oettli and Prager (1964) x solves A x = b for some choice of coefficients exactly if, for every row i,
    sum_j least(i, j, x_j) <= b_up_i    and    sum_j most(i, j, x_j) >= b_low_i,
where least(i, j, t) = A_low_ij t for t >= 0 and A_up_ij t for t <= 0, and `most` has the ends exchanged. Multiply by
any weights p_i, q_i >= 0 and add the objective c . x: every solution in the box satisfies
    c . x >= sum_j f_j(x_j) - p . b_up + q . b_low,    f_j(t) = c_j t + sum_i (p_i least(i, j, t) - q_i most(i, j, t)).
Each f_j is linear on both sides of 0, with the slopes c + p A_low - q A_up to the right and c + p A_up - q A_low to the
left, which is never smaller: f_j is concave, and its minimum over an interval is at one of the ends. So the bound is a
number that is easily computed for any weights whatever; it is enclosed here with a priori bounds of all rounding
errors. Linear programs (of one orthant, or Beaumont's relaxation) propose the weights: the bound is then at least the
program's value, by duality, but for rounding. This is the safe bound of Neumaier and Shcherbina (Mathematical
Programming 99, 2004), with |x_j| kept in the Lagrangian.

For a ray: if x and d are in one orthant, x solves A x = b and d solves A d = 0, then x + t d solves A x = b for every t
>= 0, again by Oettli and Prager. Both are decided in exact rational arithmetic.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from certify.contractors.linear.linear_system import IntervalSystem
from certify.contractors.linear.products import TINY, UNIT, gamma, raised
from certify.contractors.numbers.rounding import require_nearest
from certify.contractors.tape.evaluation import Floats


def least_values(
    system: IntervalSystem, lower: Floats, upper: Floats, objectives: Floats, p: Floats, q: Floats
) -> Floats:
    """For each row c of `objectives`, p (upper ends) and q (lower ends) a lower bound of c . x over the solutions in
    the box; -infinity if none is proved.
    """
    require_nearest()
    rows, columns = system.shape
    with np.errstate(all="ignore"):
        size = np.maximum(np.abs(system.lower), np.abs(system.upper))
        right_slope = objectives + (p @ system.lower - q @ system.upper)
        left_slope = objectives + (p @ system.upper - q @ system.lower)
        error = (
            raised(gamma(2 * rows + 8) * (np.abs(objectives) + raised((p + q) @ size, rows + 2)), 4)
            + 4.0 * (rows + 1) * TINY
        )
        ends = np.stack(
            [
                _end_values(right_slope, left_slope, error, lower, -1.0),
                _end_values(right_slope, left_slope, error, upper, 1.0),
            ]
        )
        terms = np.where(np.isinf(lower) & np.isinf(upper), -np.inf, ends.min(axis=0))
        absent = (objectives == 0.0) & (((p + q) > 0.0).astype(np.float64) @ (size > 0.0).astype(np.float64) == 0.0)
        terms = np.where(absent, 0.0, terms)  # unknowns of which nothing is left
        right = p @ system.right_upper - q @ system.right_lower
        right_size = p @ np.abs(system.right_upper) + q @ np.abs(system.right_lower)
        total = terms.sum(axis=-1) - right
        spread = raised(raised(right_size, rows + 2) + np.abs(terms).sum(axis=-1), columns + 2) * gamma(
            2 * rows + columns + 8
        )
        bound = total - raised(spread, 4) - 4.0 * (rows + columns + 1) * TINY
        bound = bound - 8.0 * UNIT * np.abs(bound)
    return np.asarray(np.where(np.isnan(bound), -np.inf, bound))


def _end_values(right_slope: Floats, left_slope: Floats, error: Floats, end: Floats, side: float) -> Floats:
    """Lower bounds of f_j at one end of its interval. At an infinite end: +infinity if f_j certainly rises towards it,
    else -infinity.
    """
    slope = np.where(end >= 0.0, right_slope, left_slope)
    at = np.where(np.isfinite(end), end, 0.0)
    value = slope * at - raised(error * np.abs(at), 2)
    value = value - 8.0 * UNIT * (np.abs(value) + np.abs(slope * at)) - 4.0 * TINY
    value = np.where(at == 0.0, 0.0, value)
    rises = side * np.where(side > 0.0, right_slope, left_slope) >= error
    return np.where(np.isfinite(end), value, np.where(rises, np.inf, -np.inf))


def refutes_exactly(system: IntervalSystem, lower: Floats, upper: Floats, p: Floats, q: Floats) -> bool:
    """Whether the weights, shortened to 20 bits after the point of the largest, refute the box: in rational numbers,
    for slopes that are exactly 0.
    """
    largest = float(np.maximum(p, q).max())
    if not (np.isfinite(p).all() and np.isfinite(q).all() and largest > 0.0):
        return False
    above, below = (
        [Fraction(round(float(v) / largest * 2.0**20), 2**20) for v in np.maximum(weights, 0.0)] for weights in (p, q)
    )
    total = -sum((v * Fraction(float(b)) for v, b in zip(above, system.right_upper, strict=True)), Fraction(0))
    total += sum((v * Fraction(float(b)) for v, b in zip(below, system.right_lower, strict=True)), Fraction(0))
    for j, (low, high) in enumerate(zip(lower, upper, strict=True)):
        pairs = [
            (Fraction(float(a)), Fraction(float(b)))
            for a, b in zip(system.lower[:, j], system.upper[:, j], strict=True)
        ]
        right_slope = sum((v * a - w * b for v, w, (a, b) in zip(above, below, pairs, strict=True)), Fraction(0))
        left_slope = sum((v * b - w * a for v, w, (a, b) in zip(above, below, pairs, strict=True)), Fraction(0))
        if (np.isinf(high) and right_slope < 0) or (np.isinf(low) and left_slope > 0):
            return False
        ends = [
            (right_slope if end >= 0.0 else left_slope) * Fraction(float(end))
            for end in (low, high)
            if np.isfinite(end)
        ]
        total += min(ends, default=Fraction(0))
    return total > 0


def is_solution(system: IntervalSystem, x: Floats, homogeneous: bool = False) -> bool:
    """Whether x solves A x = b (or A x = 0) for some choice of coefficients: decided exactly."""
    return bool(np.isfinite(x).all()) and solves_for_some(system, [Fraction(float(v)) for v in x], homogeneous)


def solves_for_some(system: IntervalSystem, values: Sequence[Fraction], homogeneous: bool = False) -> bool:
    """The same of a point of rational numbers; the ends may be rational numbers, too."""
    for low, high, right_low, right_high in zip(
        system.lower, system.upper, system.right_lower, system.right_upper, strict=True
    ):
        least, most = Fraction(0), Fraction(0)
        for a, b, value in zip(low, high, values, strict=True):
            if value > 0:
                least, most = least + Fraction(a) * value, most + Fraction(b) * value
            elif value < 0:
                least, most = least + Fraction(b) * value, most + Fraction(a) * value
        below, above = (0, 0) if homogeneous else (right_low, right_high)
        if least > Fraction(above) or most < Fraction(below):
            return False
    return True


def is_ray(system: IntervalSystem, point: Floats, direction: Floats) -> bool:
    """Whether point + t direction solves the system for every t >= 0: decided exactly (sufficient, and necessary within
    one closed orthant).
    """
    one_orthant = bool((point * np.sign(direction) >= 0.0).all() and direction.any())
    return one_orthant and is_solution(system, point) and is_solution(system, direction, homogeneous=True)
