"""Exact rationals rounded, in a stated direction, to short decimals."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

NEXT_TO_NOTHING = -40  # the power of ten of a number with so many zeros that nobody counts them


def _rounded(value: Fraction, digits: int, rounding: str) -> Fraction:
    context = Context(prec=digits, rounding=rounding)
    return Fraction(context.divide(Decimal(value.numerator), Decimal(value.denominator)))


def round_up(value: Fraction, digits: int = 15) -> Fraction:
    """The smallest decimal of so many significant digits that is not below the value."""
    return _rounded(value, digits, ROUND_CEILING)


def round_down(value: Fraction, digits: int = 15) -> Fraction:
    """The largest decimal of so many significant digits that is not above the value."""
    return _rounded(value, digits, ROUND_FLOOR)


def nearest(value: float, places: int) -> Fraction:
    """The decimal with so many places nearest to a float."""
    return Fraction(Decimal(value).quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_EVEN))


def show(value: Fraction) -> str:
    """A decimal that was rounded in a stated direction, as text; of what is next to nothing the zeros are counted."""
    context = Context(prec=40)
    decimal = context.divide(Decimal(value.numerator), Decimal(value.denominator)).normalize(context)
    return format(decimal, "f" if not decimal or decimal.adjusted() > NEXT_TO_NOTHING else "e")


def ends_so_far(lower: Fraction, upper: Fraction | None, digits: int = 6) -> str:
    """Both ends in a few digits, outwards, for a line of progress; a question mark where there is none."""
    low = show(round_down(lower, digits)) if lower else "0"
    high = "?" if upper is None else show(round_up(upper, digits)) if upper else "0"
    return f"{low} .. {high}"


def judged_number(value: Fraction) -> str:
    """A number that was judged, with as many digits as tell it: few, or those of its double; else the nearest double,
    and that it is rounded.
    """
    near = float(value)
    for text in (f"{near:.7g}", repr(near)):
        if Fraction(text) == value:
            return text
    return repr(near) if Fraction(near) == value else f"{near!r} (rounded)"
