"""What is known of a linear least-squares problem: its one minimum over all values of the parameters, enclosed.

It is exact where it was solved in rational numbers, else enclosed by outward-rounded arithmetic. There is no
certificate: whoever wants another judge of a small one asks `certify.fit` with the model as a function.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import isqrt

from certify.contractors.numbers.enclosures import enclose_rational
from certify.model_fits.fit_text import linear_text
from certify.questions.least_squares import true_digits
from certify.records.verdicts import Verdict
from certify.solvers.limits import Stopped
from certify.text.shown import Shown

Ends = tuple[Fraction, Fraction]
ROOT_BITS = 80  # of a square root, more than doubles show


@dataclass(frozen=True, repr=False)
class LinearFit(Shown):
    """The minimum: `ends` enclose each parameter, `sum_ends` the least sum of squares, `error_ends` the standard
    errors, `correlation_ends` the correlations of two parameters. `exact` says by which arithmetic.
    """

    estimate: dict[str, float]
    ends: dict[str, Ends]
    sum_ends: Ends
    error_ends: dict[str, Ends]
    correlation_ends: dict[tuple[str, str], Ends]
    observations: int
    exact: bool
    seconds: float
    certificate: None = field(default=None, init=False)

    @property
    def verdict(self) -> Verdict:
        """The only minimum there is."""
        return Verdict.GLOBAL_MINIMUM

    @property
    def why(self) -> Stopped:
        """Why it is not more: it is all."""
        return Stopped.FINISHED

    @property
    def values(self) -> dict[str, float]:
        """The fit, in doubles; `digits` says how many of its digits are true."""
        return dict(self.estimate)

    @property
    def box(self) -> dict[str, tuple[float, float]]:
        """What encloses the minimiser, rounded outwards to doubles."""
        return {name: outward(ends) for name, ends in self.ends.items()}

    @property
    def digits(self) -> dict[str, int]:
        """How many significant digits of each value are those of the minimiser."""
        return {name: true_digits(value, *self.ends[name]) for name, value in self.estimate.items()}

    @property
    def residual_sum(self) -> tuple[float, float]:
        """What encloses the least sum of squares."""
        return outward(self.sum_ends)

    @property
    def standard_errors(self) -> dict[str, tuple[float, float]]:
        """What encloses the standard errors; empty if there are as many parameters as observations."""
        return {name: outward(ends) for name, ends in self.error_ends.items()}

    @property
    def correlations(self) -> dict[tuple[str, str], tuple[float, float]]:
        """What encloses the correlation of each two parameters."""
        return {names: outward(ends) for names, ends in self.correlation_ends.items()}

    def __str__(self) -> str:
        return linear_text(self)


def outward(ends: Ends) -> tuple[float, float]:
    """Doubles around it."""
    return enclose_rational(ends[0])[0], enclose_rational(ends[1])[1]


def root(value: Fraction) -> Ends:
    """What encloses a square root, of a number that is not negative."""
    if not value:
        return value, value
    scale = max(ROOT_BITS + (value.denominator.bit_length() - value.numerator.bit_length()) // 2 + 1, 0)
    low = isqrt((value.numerator << 2 * scale) // value.denominator)
    return Fraction(low, 1 << scale), Fraction(low + 1, 1 << scale)
