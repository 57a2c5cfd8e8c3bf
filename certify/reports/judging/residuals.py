"""The residual of every row at given parameters, as an interval: its range over the intervals of its measurements.

    [r_k] = r_k(x, [M_k])        enclosed by natural interval evaluation in outward rounding, without a certificate

A row whose interval holds no 0 contradicts these parameters, whatever was true within the intervals of its own
measurements. Ends become whole numbers of steps of a power of ten, rounded outwards once more, so that their decimals
are short and hold what they say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from certify.contractors.numbers.enclosures import enclose_rational
from certify.contractors.tape.evaluation import Floats
from certify.problems.model.model import Problem

DIGITS = 6  # of the largest end of a family


@dataclass(frozen=True, eq=False, slots=True)
class Residuals:
    """Of one family at one point: both ends of each row in steps of 10^power; NaN where there is none. A row is
    `contradicting` if its interval, as it was computed, holds no 0.
    """

    family: str
    unit: str
    power: int
    lower: Floats
    upper: Floats
    contradicting: np.ndarray


def residuals(problem: Problem, scope: Sequence[str], values: Mapping[str, Fraction]) -> list[Residuals]:
    """Those of all rows of these families; `values` has all variables that they depend on."""
    bounds = [enclose_rational(values.get(v.name, Fraction(0))) for v in problem.variables]
    low, high = (np.array(ends, dtype=np.float64) for ends in zip(*bounds, strict=True))
    found = []
    for n in problem.part(scope):
        ranges = problem.blocks[n].enclose(low, high)
        family = problem.families[n]
        lower, upper = (np.where(ranges.defined, ends[0], np.nan) for ends in (ranges.lower, ranges.upper))
        found.append(_stepped(family.name, family.unit, lower, upper))
    return found


def _stepped(name: str, unit: str, lower: Floats, upper: Floats) -> Residuals:
    known = np.isfinite(lower) & np.isfinite(upper)
    largest = max(float(np.abs(np.where(known, ends, 0.0)).max(initial=0.0)) for ends in (lower, upper))
    power = (int(np.floor(np.log10(largest))) if largest > 0.0 else 0) + 1 - DIGITS
    step = 10.0**power
    with np.errstate(invalid="ignore"):
        # one step more than the quotient, which is rounded: the decimal is never within the double
        low, high = np.floor(lower / step) - 1.0, np.ceil(upper / step) + 1.0
    low, high = np.where(known, low, np.nan), np.where(known, high, np.nan)
    exact = (lower == 0.0) & (upper == 0.0)
    return Residuals(
        name,
        unit,
        power,
        np.where(exact, 0.0, low),
        np.where(exact, 0.0, high),
        known & ((lower > 0.0) | (upper < 0.0)),
    )
