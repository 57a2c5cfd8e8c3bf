"""Ranges of functions over intervals of rationals, in integers.

A monotone function has its ends at the ends; sine and cosine are 1 or -1 where a turn lies between them.
None stands for what is not defined everywhere in the interval, is not bounded, or is larger than doubles are.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import ceil, floor, isqrt

from certify.problems.functions import series
from certify.problems.functions.series import Range, TooLarge

BITS = 200  # of an end
LARGEST = Fraction(2) ** 1024
At = Callable[[Fraction], Range]


def outwards(range_of: Callable[..., Range], operands: list[Range], rounded: bool = True) -> Range | None:
    """A range over these intervals, rounded outwards to so many bits; None where there is none."""
    try:
        low, high = range_of(*operands)
        return (-_upwards(-low), _upwards(high)) if rounded and low < high else (low, high)
    except (TooLarge, ZeroDivisionError, NoValue):
        return None


class NoValue(Exception):
    """The function is not defined there."""


def _ends(at: At, ends: Range) -> Range:
    """Of a function that grows."""
    return at(ends[0])[0], at(ends[1])[1]


def _sum(a: Range, b: Range) -> Range:
    return a[0] + b[0], a[1] + b[1]


def _negative(a: Range) -> Range:
    return -a[1], -a[0]


def _product(a: Range, b: Range) -> Range:
    ends = (a[0] * b[0], a[0] * b[1], a[1] * b[0], a[1] * b[1])
    return min(ends), max(ends)


def _quotient(a: Range, b: Range) -> Range:
    if b[0] <= 0 <= b[1]:
        raise NoValue
    return _product(a, (1 / b[1], 1 / b[0]))


def _root(a: Range) -> Range:
    if a[0] < 0:
        raise NoValue
    low, high = (isqrt((end.numerator << 2 * series.BITS) // end.denominator) for end in a)
    exact = [Fraction(isqrt(end.numerator), isqrt(end.denominator)) for end in a]
    grid = Fraction(1, 1 << series.BITS)
    return exact[0] if exact[0] ** 2 == a[0] else low * grid, exact[1] if exact[1] ** 2 == a[1] else (high + 1) * grid


def _logarithm(a: Range) -> Range:
    if a[0] <= 0:
        raise NoValue
    return _ends(series.log, a)


def _point(x: Fraction) -> Range:
    return x, x


def _asin(x: Fraction) -> Range:
    """The arctangent of x / sqrt(1 - x^2)."""
    if abs(x) > 1:
        raise NoValue
    if abs(x) == 1:
        low, high = series.pi()
        return _product(_point(x), (low / 2, high / 2))
    return _ends(series.atan, _quotient(_point(x), _root(_point(1 - x * x))))


def _sinh(x: Fraction) -> Range:
    low, high = _sum(series.exp(x), _negative(series.exp(-x)))
    return low / 2, high / 2


def _cosh(x: Fraction) -> Range:
    low, high = _sum(series.exp(x), series.exp(-x))
    return low / 2, high / 2


def _tanh(x: Fraction) -> Range:
    """1 - 2 / (exp 2x + 1), and near 1 where that is not far from it."""
    if x > series.GREATEST / 2:
        return _tanh(Fraction(series.GREATEST, 2))[0], Fraction(1)
    under = _sum(series.exp(2 * x), _point(Fraction(1)))
    return _sum(_point(Fraction(1)), _negative(_quotient(_point(Fraction(2)), under)))


def _asinh(x: Fraction) -> Range:
    """log(x + sqrt(x^2 + 1)), which is odd."""
    if x < 0:
        return _negative(_asinh(-x))
    return _logarithm(_sum(_point(x), _root(_point(x * x + 1))))


def _acosh(x: Fraction) -> Range:
    """log(x + sqrt(x^2 - 1)), for x >= 1."""
    if x < 1:
        raise NoValue
    return _logarithm(_sum(_point(x), _root(_point(x * x - 1))))


def _atanh(x: Fraction) -> Range:
    """1/2 log((1 + x) / (1 - x)), between -1 and 1."""
    if abs(x) >= 1:
        raise NoValue
    low, high = series.log((1 + x) / (1 - x))
    return low / 2, high / 2


def _wave(ends: Range, at: At, top: Fraction) -> Range:
    """Of a sine or a cosine, which is 1 at pi (top + 2k) and -1 at pi (top + 2k + 1)."""
    low, high = series.pi()
    turns = min(ends[0] / low, ends[0] / high), max(ends[1] / low, ends[1] / high)
    values = [*at(ends[0]), *at(ends[1])]
    for peak, value in ((top, 1), (top + 1, -1)):
        if ceil((turns[0] - peak) / 2) <= floor((turns[1] - peak) / 2):
            values.append(Fraction(value))
    return min(values), max(values)


def power(base: Range, exponent: Range) -> Range:
    """exp(e log b) for b > 0; 0^e = 0 for e > 0; roots where e is a number k / 2^m."""
    number = exponent[0] if exponent[0] == exponent[1] else None
    if base[0] < 0 or (base[0] == 0 and exponent[0] <= 0):
        raise NoValue
    if number is not None and number > 0 and number.denominator & (number.denominator - 1) == 0:
        for _ in range(number.denominator.bit_length() - 1):
            base = _root(base)
        if number.numerator * max(abs(base[1].numerator), base[1].denominator).bit_length() < 1 << 12:
            return base[0] ** number.numerator, base[1] ** number.numerator
        return _general(base, _point(Fraction(number.numerator)))
    return _general(base, exponent)


def _general(base: Range, exponent: Range) -> Range:
    if base[1] == 0:
        return base
    if base[0] == 0:
        most = _product(exponent, series.log(base[1]))[1]
        return Fraction(0), series.exp(most)[1]
    return _ends(series.exp, _product(exponent, _ends(series.log, base)))


def angle(y: Range, x: Range) -> Range:
    """Of the point (x, y), in (-pi, pi], where it does not cross the half-line to the left and is not at 0."""
    least, most = series.pi()
    half = least / 2, most / 2
    if x[0] > 0:
        return _ends(series.atan, _quotient(y, x))
    if y[0] > 0:
        return _sum(half, _negative(_ends(series.atan, _quotient(x, y))))
    if y[1] < 0:
        return _sum(_negative(half), _negative(_ends(series.atan, _quotient(x, y))))
    if y[0] >= 0 and x[1] < 0:
        return _sum((least, most), _ends(series.atan, _quotient(y, x)))
    raise NoValue


def sign(a: Range) -> Range:
    if a[0] <= 0 <= a[1] and a[0] != a[1]:
        raise NoValue
    value = Fraction((a[0] > 0) - (a[1] < 0))
    return value, value


def _growing(at: At) -> Callable[[Range], Range]:
    return lambda operand: _ends(at, operand)


exponential = _growing(series.exp)
logarithm = _logarithm
arcsine, arctangent = _growing(_asin), _growing(series.atan)
hyperbolic_sine, hyperbolic_tangent = _growing(_sinh), _growing(_tanh)
inverse_hyperbolic_sine, inverse_hyperbolic_cosine, inverse_hyperbolic_tangent = (
    _growing(_asinh),
    _growing(_acosh),
    _growing(_atanh),
)


def sine(operand: Range) -> Range:
    """Of radians."""
    return _wave(operand, series.sin, Fraction(1, 2))


def cosine(operand: Range) -> Range:
    """Of radians."""
    return _wave(operand, series.cos, Fraction(0))


def tangent(operand: Range) -> Range:
    """It grows between the zeros of the cosine."""
    low, high = cosine(operand)
    if low <= 0 <= high:
        raise NoValue
    return _ends(lambda x: _quotient(series.sin(x), series.cos(x)), operand)


def arccosine(operand: Range) -> Range:
    """pi / 2 - asin"""
    low, high = arcsine(operand)
    least, most = series.pi()
    return least / 2 - high, most / 2 - low


def hyperbolic_cosine(operand: Range) -> Range:
    """It grows with the size of its operand."""
    return _ends(_cosh, absolute(operand))


def absolute(operand: Range) -> Range:
    """Exactly."""
    return max(Fraction(0), operand[0], -operand[1]), max(-operand[0], operand[1])


def least(*operands: Range) -> Range:
    """Exactly."""
    return min(low for low, _ in operands), min(high for _, high in operands)


def greatest(*operands: Range) -> Range:
    """Exactly."""
    return max(low for low, _ in operands), max(high for _, high in operands)


def _upwards(value: Fraction) -> Fraction:
    """The least number of so many bits that is not below the value."""
    if abs(value) >= LARGEST:
        raise TooLarge
    shift = abs(value.numerator).bit_length() - value.denominator.bit_length() - BITS
    if value.denominator.bit_length() <= BITS:
        return value
    unit = Fraction(2) ** shift
    return ceil(value / unit) * unit
