"""The closed form of least squares beside the intervals: a box in one pass, without any linear program.

    {W^+ y : every y within its bound}      its hull holds all parameters that fit every row, and more

It is what one step of preconditioned Gauss-Seidel on the augmented system of least squares gives; further steps give
the same. (Of a W that is known within intervals it encloses all theta that some W and y allow.)

`narrowed` takes y back to what W times the box allows (and the prior box), again and again, which may gain.
Everything is outward-rounded arithmetic of the engine, without certificates.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from certify.contractors.linear.tall_systems import Tall, least_squares_box
from certify.contractors.numbers.enclosures import enclose_rational
from certify.problems.regressors.interval_regressor import IntervalRegressor
from certify.problems.regressors.regressor import Floats, Regressor
from certify.solvers.limits import Limit
from certify.solvers.regressors.triangle import triangle

TURNS = 20
GAIN = 0.01  # of the widths, less than which is not gone on for

Ends = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class ClosedForm:
    """The box, and what is left of it after y was narrowed, too (empty: nothing fits every row)."""

    box: Ends
    narrowed: Ends

    def as_json(self) -> dict[str, list[list[float]]]:
        """Both, by the engine."""
        return {name: [list(pair) for pair in ends] for name, ends in (("box", self.box), ("narrowed", self.narrowed))}


def closed_form(problem: Regressor, limit: Limit) -> ClosedForm | None:
    """Both boxes; None if the rows leave a direction open."""
    fitted = triangle(problem)
    if fitted.is_open.any():
        return None
    base = enclose_rational(problem.base)[1]
    system = Tall(problem.matrix, problem.lower, problem.upper, base, fitted.inverse, _radius(problem))
    found = least_squares_box(system)
    if found is None:
        return None
    return ClosedForm(_pairs(*found), _narrowed(problem, system, found, limit))


def _radius(problem: Regressor) -> Floats | None:
    """Of the entries of W, around its middles, rounded up."""
    if not isinstance(problem, IntervalRegressor):
        return None
    far = np.maximum(problem.high - problem.matrix, problem.matrix - problem.low)
    return np.where(far > 0, np.nextafter(far, np.inf), 0.0)


def _narrowed(problem: Regressor, system: Tall, box: tuple[Floats, Floats], limit: Limit) -> Ends:
    """What the prior box and the rows leave of a box."""
    prior = [tuple(map(enclose_rational, pair)) for pair in problem.box]
    lower = np.maximum(box[0], [low[0] for low, _ in prior])
    upper = np.minimum(box[1], [high[1] for _, high in prior])
    for _ in range(TURNS):
        if (lower > upper).any():
            return ()
        middle = lower / 2 + upper / 2
        half = np.nextafter(np.maximum(upper - middle, middle - lower), np.inf)
        again = None if limit.late() else least_squares_box(system, (middle, half))
        if again is None:
            break
        widths, (lower, upper) = upper - lower, (np.maximum(lower, again[0]), np.minimum(upper, again[1]))
        if ((upper - lower) > (1 - GAIN) * widths).all():
            break
    return _pairs(lower, upper)


def _pairs(lower: Floats, upper: Floats) -> Ends:
    return tuple(zip(lower.tolist(), upper.tolist(), strict=True))


def width_ratio(ends: tuple[float, float], interval: tuple[Fraction | None, Fraction | None]) -> float | None:
    """How many times as wide as an interval a box is, to nearest; None where the interval has no width."""
    low, high = interval
    if low is None or high is None or low == high:
        return None
    return float((Fraction(ends[1]) - Fraction(ends[0])) / (high - low))
