"""Interval operations on doubles, rounded outwards without touching the rounding mode.

Every result of one rounded operation c is widened to c -+ (phi |c| + eta) with phi = u (1 + 2u), u = 2^-53, eta the least
subnormal (Rump, Zimmermann, Boldo, Melquiond, BIT 2009): in rounding to nearest this lies at or beyond the neighbouring double.
Overflow and 0 * infinity end in an infinite bound, never in NaN. Scalar kernels for numba; arrays go through `evaluation`.

sin and cos: the argument is reduced by an enclosed multiple of pi/2 and the Taylor sum is taken in interval arithmetic with its
alternating remainder added, so that nothing is assumed of the C library.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from numba import njit

from contractors.enclosures import PI_LOWER, PI_UPPER, enclose_rational

PHI = 2.0**-53 * (1.0 + 2.0**-52)
ETA = 5e-324
INFINITY = math.inf

_HALF_PI = (PI_LOWER / 2.0, PI_UPPER / 2.0)
_HEAD = math.ldexp(math.floor(math.ldexp(PI_LOWER / 2.0, 29)), -29)  # 30 bits: multiples up to 2^23 are exact
_TAIL_LOWER = math.nextafter(_HALF_PI[0] - _HEAD, -1.0)  # the subtractions are exact (Sterbenz); one step more for good measure
_TAIL_UPPER = math.nextafter(_HALF_PI[1] - _HEAD, 1.0)
_TERMS = 10
_LARGEST_ANGLE = 1.0e5
_SINE = np.array([enclose_rational(Fraction((-1) ** k, math.factorial(2 * k + 1))) for k in range(_TERMS)])
_COSINE = np.array([enclose_rational(Fraction((-1) ** k, math.factorial(2 * k))) for k in range(_TERMS)])


@njit(cache=True, inline="always")
def below(value: float) -> float:
    """A double below every real that rounds to `value`."""
    result = value - (PHI * abs(value) + ETA)
    return result if result == result else -INFINITY


@njit(cache=True, inline="always")
def above(value: float) -> float:
    """A double above every real that rounds to `value`."""
    result = value + (PHI * abs(value) + ETA)
    return result if result == result else INFINITY


@njit(cache=True, inline="always")
def multiply(a: float, b: float, c: float, d: float) -> tuple[float, float]:
    """[a, b] * [c, d]"""
    p, q, r, s = a * c, a * d, b * c, b * d
    low = min(min(p, q), min(r, s))
    high = max(max(p, q), max(r, s))
    if not (p == p and q == q and r == r and s == s):
        return -INFINITY, INFINITY
    return below(low), above(high)


@njit(cache=True, inline="always")
def divide(a: float, b: float, c: float, d: float) -> tuple[float, float]:
    """[a, b] / [c, d]; the whole line if the divisor contains 0."""
    if c <= 0.0 and d >= 0.0:
        return -INFINITY, INFINITY
    p, q, r, s = a / c, a / d, b / c, b / d
    if not (p == p and q == q and r == r and s == s):
        return -INFINITY, INFINITY
    return below(min(min(p, q), min(r, s))), above(max(max(p, q), max(r, s)))


@njit(cache=True, inline="always")
def square(a: float, b: float) -> tuple[float, float]:
    """[a, b] squared"""
    low, high = a * a, b * b
    if a <= 0.0 <= b:
        return 0.0, above(max(low, high))
    return max(0.0, below(min(low, high))), above(max(low, high))


@njit(cache=True, inline="always")
def square_root(a: float, b: float) -> tuple[float, float]:
    """The root of the part of [a, b] that is not negative."""
    return max(0.0, below(math.sqrt(max(a, 0.0)))), above(math.sqrt(max(b, 0.0)))


@njit(cache=True)
def _series(low: float, high: float, table: np.ndarray) -> tuple[float, float]:
    """Sum of table[k] z^k for z in [low, high] >= 0, by Horner."""
    s, t = table[_TERMS - 1, 0], table[_TERMS - 1, 1]
    for k in range(_TERMS - 2, -1, -1):
        s, t = multiply(s, t, low, high)
        s, t = below(s + table[k, 0]), above(t + table[k, 1])
    return s, t


@njit(cache=True)
def sine_at(x: float, shift: int) -> tuple[float, float]:
    """Encloses sin(x + shift pi/2) for one double x."""
    if not abs(x) <= _LARGEST_ANGLE:
        return -1.0, 1.0
    turns = math.floor(x / _HALF_PI[0] + 0.5)
    head = x - turns * _HEAD
    p, q = multiply(turns, turns, _TAIL_LOWER, _TAIL_UPPER)
    low, high = below(below(head) - q), above(above(head) - p)
    u, v = square(low, high)
    if (int(turns) + shift) % 2 == 0:  # a sine: y (1 - y^2/6 + ...), remainder below 1/21! for |y| < 0.9
        s, t = _series(u, v, _SINE)
        s, t = multiply(s, t, low, high)
    else:
        s, t = _series(u, v, _COSINE)
    s, t = below(s - 1.0e-19), above(t + 1.0e-19)
    if (int(turns) + shift) % 4 >= 2:
        s, t = -t, -s
    return max(s, -1.0), min(t, 1.0)


@njit(cache=True)
def sine(a: float, b: float, shift: int) -> tuple[float, float]:
    """Encloses sin(x + shift pi/2) on [a, b]: the ends, and -1 or 1 where an extremum may lie inside."""
    if not (b - a < 6.28 and abs(a) <= _LARGEST_ANGLE and abs(b) <= _LARGEST_ANGLE):
        return -1.0, 1.0
    low, high = sine_at(a, shift)
    s, t = sine_at(b, shift)
    low, high = min(low, s), max(high, t)
    period, quarter = 2.0 * PI_LOWER, PI_LOWER / 2.0
    crest = (1.0 - shift) * quarter
    if math.ceil((a - crest) / period - 1e-9) <= math.floor((b - crest) / period + 1e-9):
        high = 1.0
    trough = (-1.0 - shift) * quarter
    if math.ceil((a - trough) / period - 1e-9) <= math.floor((b - trough) / period + 1e-9):
        low = -1.0
    return low, high
