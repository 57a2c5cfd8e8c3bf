"""Cuts of a box that weighted rows prove, at places with few digits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor

from certify.checker.nodes import Evaluate, Split
from certify.regressors.exact_bounds import Bound, Weighted, whole

CUT = 60  # bits of the place of a cut, beside its exponent
Line = Split | Evaluate | str | tuple[Weighted, ...]
Lines = Sequence[Line]


@dataclass(frozen=True, slots=True)
class Cut:
    """sign theta_j is at most `at`, by these rows."""

    parameter: int
    sign: int
    at: Fraction
    terms: tuple[Weighted, ...]

    @property
    def lines(self) -> Lines:
        """Those that refute the other side."""
        return (self.terms,)


def cut(bound: Bound, parameter: int, sign: int) -> Cut:
    """The cut a little beyond a bound, at a place with few digits."""
    size = abs(bound.value)
    exponent = size.numerator.bit_length() - size.denominator.bit_length() if size else -2 * CUT
    unit = Fraction(2) ** (exponent - CUT)
    return Cut(parameter, sign, (floor(bound.value / unit) + 2) * unit, whole(bound.terms))
