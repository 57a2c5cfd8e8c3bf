"""What the half-widths of measurements are: bounds that no error exceeds, or so many standard deviations of it.

    half_widths_are = "bounds"                  a reading outside its interval is impossible, whatever the noise
    half_widths_are = "3 standard deviations"   one is expected now and then: of N independent readings with Gaussian
        noise N erfc(k / sqrt 2)

No program can tell one from the other, so the problem file says it; where it does not, nothing is expected. The factor
at which all N readings lie inside with 99 % is k = Phi^-1((1 + 0.99^(1/N)) / 2). All of this is an estimate, and holds
if the noise is Gaussian and independent.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, erfc, expm1, log, sqrt
from statistics import NormalDist

from certify.problems.errors import InputError
from certify.problems.formulas.units import described, format_decimal, parse_decimal

KEY = "half_widths_are"
BOUNDS = "bounds"
DEVIATIONS = re.compile(r"(\S+) standard deviations?")
ALL_INSIDE = 0.99  # the probability with which no reading lies outside
MOST = 100  # standard deviations


@dataclass(frozen=True, slots=True)
class HalfWidths:
    """So many standard deviations, or bounds where that is None; `stated` unless nobody has said what they are."""

    deviations: Fraction | None = None
    stated: bool = True

    def expected_outside(self, readings: int) -> float | None:
        """How many of so many readings lie outside their intervals on average, if the noise is Gaussian; None if they
        are bounds.
        """
        return None if self.deviations is None else readings * erfc(float(self.deviations) / sqrt(2.0))

    def factor_of_noise(self, readings: int) -> float | None:
        """How much wider the half-widths must be for Gaussian noise alone to keep all readings inside with 99 %; None
        if they are bounds.
        """
        return None if self.deviations is None else deviations_for_all(readings) / float(self.deviations)

    @property
    def text(self) -> str:
        """As the problem file says it."""
        if self.deviations is None:
            return BOUNDS
        return f"{format_decimal(self.deviations)} standard deviation{'' if self.deviations == 1 else 's'}"


UNSTATED = HalfWidths(stated=False)


def deviations_for_all(readings: int) -> float:
    """So many standard deviations as hold all of so many independent Gaussian readings with 99 %."""
    outside = -expm1(log(ALL_INSIDE) / max(readings, 1))
    return -NormalDist().inv_cdf(outside / 2)


def offered(readings: int) -> Fraction:
    """The same as a decimal with two places, rounded up."""
    return Fraction(ceil(deviations_for_all(readings) * 100), 100)


def parse_half_widths(value: object, place: str) -> HalfWidths:
    """What a problem file says of its half-widths; `place` names the entry in messages."""
    if value == BOUNDS:
        return HalfWidths()
    found = DEVIATIONS.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        examples = (
            f'"{BOUNDS}", or how many of them they are, such as "3 standard deviations" (a U95 is "1.96 '
            f'standard deviations")'
        )
        raise InputError(f"{place} is {described(value)}; write {examples}")
    deviations = parse_decimal(found[1], place)
    if not 0 < deviations <= MOST:
        raise InputError(
            f"{place} is {described(value)}; write a positive number of standard deviations, at most {MOST}, "
            f'such as "3"'
        )
    return HalfWidths(deviations)
