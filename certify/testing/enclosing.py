"""What an interval library promises: an interval function contains the function's value at every point of its interval.

The truth is an enclosure of the value at one point in rational numbers, by the table of functions (`ends`, whose error
bounds are derived there, and which tests hold against Arb). An answer that does not meet it does not contain the value:
that is wrong, by the distance between them at least. An end that is no number, or a refusal, is no answer.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from certify.claims.proved_words import lower_text
from certify.problems.functions.function_table import FUNCTIONS
from certify.problems.functions.ranges import NoValue
from certify.problems.functions.series import GREATEST, TooLarge, exp
from certify.testing.contract import Finding, no_answer

GROWING = ("exp", "sinh", "cosh")  # at numbers that are too large for their series no less than this:
FAR = exp(Fraction(GREATEST))[0] / 4


FEW = 3  # digits
MOST = 1e300


@dataclass(frozen=True, eq=False)
class Enclosing:
    """A library: the functions that it has, each from both ends to both ends."""

    name: str
    functions: dict[str, Callable[[float, float], tuple[float | Fraction, float | Fraction]]]
    version: str = ""
    script: str = ""  # with {function}, {lower}, {upper}: it prints what the library says


def value(function: str, point: float) -> tuple[Fraction, Fraction | None] | None:
    """An enclosure of the function at a point, in rational numbers: far narrower than doubles are dense, without an
    upper end beyond them; None where it is not defined.
    """
    x = Fraction(point)
    if function == "sqr":
        return x * x, x * x
    if function == "sqrt":
        return None if x < 0 else _root(x)
    ends = FUNCTIONS[function].ends
    if ends is None:
        raise ValueError(f"{function} has no rational ends")
    try:
        low, high = ends((x, x))  # rational numbers
    except TooLarge:
        return (FAR, None) if x > 0 and function in GROWING else None
    except (ValueError, ArithmeticError, NoValue):
        return None
    return (low, high) if isinstance(low, Fraction | int) and isinstance(high, Fraction | int) else None


def _root(x: Fraction) -> tuple[Fraction, Fraction]:
    """Between neighbours on a grid of 2^-200 times the size."""
    bits = 200 + max(0, x.denominator.bit_length() - x.numerator.bit_length())
    found = math.isqrt(x.numerator * 4**bits // x.denominator)
    return Fraction(found, 2**bits), Fraction(found + 1, 2**bits)


def enclosing_finding(library: Enclosing, function: str, lower: float, upper: float, point: float) -> Finding | None:
    """What is not true of the library's answer; None if it meets the truth."""
    truth = value(function, point)
    if truth is None:
        return None
    least, most = truth
    try:
        low, high = library.functions[function](lower, upper)
    except Exception as error:  # a library may fail in any way: that is an answer, too
        why = type(error).__name__
        return no_answer(f"{function}: {why}", f"{function}([{lower!r}, {upper!r}]): {why}")
    if any(isinstance(end, float) and math.isnan(end) for end in (low, high)):
        return no_answer(f"{function}: no interval", f"{function}([{lower!r}, {upper!r}]) is no interval")
    below = -_difference(high, least)
    away = max(below, _difference(low, most)) if most is not None else math.inf if low == math.inf else below
    if not away > 0.0:
        return None
    told = f"{function}([{lower!r}, {upper!r}]) = [{_shown(low)}, {_shown(high)}]"
    words = f"{told} misses {function}({point!r}) = {_shown(least)}... by {lower_text(_far(away), FEW)} at least"
    return Finding(f"{function} loses a value", words, True, away)


def _far(away: float) -> Fraction:
    """A distance that is no more than `away`, which was rounded to the nearest number."""
    return Fraction(math.nextafter(min(away, MOST), 0.0))


def _shown(end: float | Fraction) -> str:
    """As a double, where it is near one."""
    return repr(float(end)) if isinstance(end, float) or abs(end) < 10**300 else f"{float(end / 10**300):g}e300"


def _difference(end: float | Fraction, value: Fraction) -> float:
    """end - value: positive only if it is."""
    if isinstance(end, float) and math.isinf(end):
        return end
    exact = Fraction(end) - value
    if abs(exact) > 10**300:
        return math.inf if exact > 0 else -math.inf
    return float(exact) or math.copysign(5e-324, exact) if exact else 0.0
