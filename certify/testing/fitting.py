"""What a solver of least-squares fits says of data on a planted curve: a sum that is far above the planted one's.

"Success" of such solvers means that a step, a change or a gradient was small, which is true of saddles, plateaus and
local minima, too: so none of these answers is wrong by the solver's own criterion. They are counted as not true: the
residual sum at the returned parameters, enclosed, is above twice the planted one's, which is no less than the least.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from certify.claims.proved_words import lower_text, upper_text
from certify.contractors import interval
from certify.testing.contract import Finding, no_answer
from certify.testing.strategies import Fit

TIMES = 2.0
DIGITS, MOST = 6, 1e300


@dataclass(frozen=True, eq=False)
class FitSolver:
    """A name, a version, and a function from a fit to (success, parameters or None)."""

    name: str
    solve: Callable[[Fit], tuple[bool, tuple[float, ...] | None]]
    version: str = ""


def residual_sum(fit: Fit, parameters: tuple[float, ...]) -> tuple[float, float]:
    """Of y - (a exp(-b x) + c), enclosed."""
    a, b, c = (interval.Interval(value) for value in parameters)
    total = interval.Interval(0)
    for x, y in zip(fit.x, fit.y, strict=True):
        total = total + interval.sqr(interval.Interval(y) - (a * interval.exp(-b * interval.Interval(x)) + c))
    return total.lower, total.upper


def fit_finding(solver: FitSolver, fit: Fit) -> Finding | None:
    """What is not true of its answer."""
    try:
        success, parameters = solver.solve(fit)
    except Exception as error:  # a solver may fail in any way: that is an answer, too
        return no_answer(type(error).__name__)
    if not success or parameters is None:
        return no_answer("no success")
    if not all(map(math.isfinite, parameters)):
        return Finding("success without a point", "success, without finite numbers", wrong=True)
    least, _ = residual_sum(fit, parameters)
    if least > TIMES * fit.reached:
        ends = lower_text(Fraction(min(least, MOST)), DIGITS), upper_text(Fraction(fit.reached), DIGITS)
        words = f"success with a residual sum of {ends[0]} at least, but {fit.planted} has {ends[1]} at most"
        return Finding("success above the least sum", words, wrong=False, margin=least / fit.reached)
    return None
