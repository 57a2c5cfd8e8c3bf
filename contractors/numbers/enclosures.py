"""Exact numbers enclosed by doubles: the only door through which decimals and rationals enter the float kernels."""

from __future__ import annotations

import math
from fractions import Fraction

PI_LOWER = 3.141592653589793  # the largest double below pi
PI_UPPER = 3.1415926535897936  # the smallest double above pi


def enclose_rational(value: Fraction) -> tuple[float, float]:
    """The tightest pair of doubles around an exact number (infinite beyond the largest double)."""
    try:
        nearest = value.numerator / value.denominator
    except OverflowError:
        return (math.nextafter(math.inf, 0.0), math.inf) if value > 0 else (-math.inf, math.nextafter(-math.inf, 0.0))
    numerator, denominator = nearest.as_integer_ratio()
    excess = numerator * value.denominator - value.numerator * denominator
    if not excess:
        return nearest, nearest
    if excess < 0:
        return nearest, math.nextafter(nearest, math.inf)
    return math.nextafter(nearest, -math.inf), nearest


def enclose_range(lower: Fraction, upper: Fraction) -> tuple[float, float]:
    """The tightest pair of doubles around [lower, upper]."""
    return enclose_rational(lower)[0], enclose_rational(upper)[1]
