"""Reverse operations of two operands: for z = f(x, y) in [c, d], the other operand in [e, f], narrow the current [a, b] of one operand.

Each *keeps* every u in [a, b] for which some value of the other operand puts f into [c, d], f being defined there.

    z = x y          u = z / other over other != 0 (two half-lines if it changes sign, then their hull within [a, b]); everything if 0 is in both
    z = x / y        x = z y, y = x / z
    z = x^y, x > 0   log z = y log x, and x = 0 < y for z = 0 apart; x = z^(1/y) directly where y has one sign
    z = min(x, y)    u >= c; u <= d too if the other one lies above d; none if it lies below c
    t = atan2(y, x)  x = y cot t for y > 0, mirrored for y < 0; y = x tan t for x > 0 and, t beyond -+pi/2, for x < 0; the axes apart
"""

from __future__ import annotations

from numba import njit

from contractors.arithmetic import INFINITY, above, below, divide_extended
from contractors.double_double import divide_pairs, enclose
from contractors.elementary import hull, meet, multiply
from contractors.enclosures import PI_LOWER, PI_UPPER
from contractors.exponential import exponential, natural_logarithm
from contractors.inverse_trigonometric import HALF_PI_LOWER, HALF_PI_UPPER
from contractors.powers import power_over_box
from contractors.reduction import reduce_angle
from contractors.trigonometric import TINY, sine_and_cosine_pairs, tangent_in_quadrant

_COTANGENT_CLAIM = 2.0**-62


@njit(cache=True)
def reverse_add(c: float, d: float, e: float, f: float, a: float, b: float) -> tuple[float, float]:
    """u in [a, b] with u + other in [c, d]"""
    if not (c <= d and e <= f and a <= b):
        return INFINITY, -INFINITY
    return meet(a, b, below(c - f), above(d - e))


@njit(cache=True)
def reverse_subtract_left(c: float, d: float, e: float, f: float, a: float, b: float) -> tuple[float, float]:
    """u in [a, b] with u - other in [c, d]"""
    if not (c <= d and e <= f and a <= b):
        return INFINITY, -INFINITY
    return meet(a, b, below(c + e), above(d + f))


@njit(cache=True)
def reverse_subtract_right(c: float, d: float, e: float, f: float, a: float, b: float) -> tuple[float, float]:
    """u in [a, b] with other - u in [c, d]"""
    if not (c <= d and e <= f and a <= b):
        return INFINITY, -INFINITY
    return meet(a, b, below(e - d), above(f - c))


@njit(cache=True)
def reverse_multiply(c: float, d: float, e: float, f: float, a: float, b: float) -> tuple[float, float]:
    """u in [a, b] with u other in [c, d]"""
    if not (c <= d and e <= f and a <= b):
        return INFINITY, -INFINITY
    if e > 0.0 or f < 0.0:
        low, high = divide_extended(c, d, e, f)
        return meet(a, b, low, high)
    if c <= 0.0 <= d:
        return a, b
    p, q, r, s = INFINITY, -INFINITY, INFINITY, -INFINITY
    if f > 0.0:
        low, high = divide_extended(c, d, 0.0, f)
        p, q = meet(a, b, low, high)
    if e < 0.0:
        low, high = divide_extended(c, d, e, 0.0)
        r, s = meet(a, b, low, high)
    return hull(p, q, r, s)


@njit(cache=True)
def reverse_divide_left(c: float, d: float, e: float, f: float, a: float, b: float) -> tuple[float, float]:
    """u in [a, b] with u / other in [c, d]"""
    if not (c <= d and e <= f and a <= b) or (e == 0.0 and f == 0.0):
        return INFINITY, -INFINITY
    low, high = multiply(c, d, e, f)
    return meet(a, b, low, high)


@njit(cache=True)
def reverse_divide_right(c: float, d: float, e: float, f: float, a: float, b: float) -> tuple[float, float]:
    """u in [a, b] with other / u in [c, d], u != 0"""
    low, high = reverse_multiply(e, f, c, d, a, b)
    return (INFINITY, -INFINITY) if low == 0.0 and high == 0.0 else (low, high)


@njit(cache=True)
def reverse_minimum(c: float, d: float, e: float, f: float, a: float, b: float) -> tuple[float, float]:
    """u in [a, b] with min(u, other) in [c, d]"""
    if not (c <= d and e <= f and a <= b) or f < c:
        return INFINITY, -INFINITY
    return meet(a, b, c, d if e > d else INFINITY)


@njit(cache=True)
def reverse_maximum(c: float, d: float, e: float, f: float, a: float, b: float) -> tuple[float, float]:
    """u in [a, b] with max(u, other) in [c, d]"""
    if not (c <= d and e <= f and a <= b) or e > d:
        return INFINITY, -INFINITY
    return meet(a, b, c if f < c else -INFINITY, d)


@njit(cache=True)
def _zero_is_kept(c: float, d: float, zero: bool, positive: bool) -> bool:
    """0^y = 0 for y > 0"""
    return zero and positive and c <= 0.0 <= d


@njit(cache=True)
def reverse_power_base(c: float, d: float, e: float, f: float, a: float, b: float) -> tuple[float, float]:
    """u in [a, b], u >= 0, with u^other in [c, d]"""
    if not (c <= d and e <= f and a <= b):
        return INFINITY, -INFINITY
    p, q, r, s = INFINITY, -INFINITY, INFINITY, -INFINITY
    if _zero_is_kept(c, d, a <= 0.0 <= b, f > 0.0):
        p, q = 0.0, 0.0
    if d > 0.0 and b > 0.0:
        if e > 0.0 or f < 0.0:
            low, high = power_over_box(max(c, 0.0), d, e, f, True)
        else:
            low, high = natural_logarithm(max(c, 0.0), d)
            low, high = reverse_multiply(low, high, e, f, -INFINITY, INFINITY)
            low, high = exponential(low, high)
        r, s = meet(max(a, 0.0), b, low, high)
    return hull(p, q, r, s)


@njit(cache=True)
def reverse_power_exponent(c: float, d: float, e: float, f: float, a: float, b: float) -> tuple[float, float]:
    """u in [a, b] with other^u in [c, d], other >= 0"""
    if not (c <= d and e <= f and a <= b):
        return INFINITY, -INFINITY
    p, q, r, s = INFINITY, -INFINITY, INFINITY, -INFINITY
    if _zero_is_kept(c, d, e <= 0.0 <= f, b > 0.0):
        p, q = max(a, 0.0), b
    if d > 0.0 and f > 0.0:
        low, high = natural_logarithm(max(c, 0.0), d)
        bottom, top = natural_logarithm(max(e, 0.0), f)
        r, s = reverse_multiply(low, high, bottom, top, a, b)
    return hull(p, q, r, s)


@njit(cache=True)
def _cotangent_at(t: float) -> tuple[float, float]:
    """Encloses cot(t), 0 < t < pi; for t < 2^-27, (1/t)(1 - 2^-54) < cot t < 1/t."""
    if t < TINY:
        return below(below(1.0 / t)), above(1.0 / t)
    n, y, tail = reduce_angle(t)
    s, s1, k, k1 = sine_and_cosine_pairs(y, tail)
    h, g = divide_pairs(-s, -s1, k, k1) if n & 1 else divide_pairs(k, k1, s, s1)
    return enclose(h, g, _COTANGENT_CLAIM)


@njit(cache=True)
def _abscissa(c: float, d: float, e: float, f: float) -> tuple[float, float]:
    """x = y cot t for y in [e, f], y > 0, t in [c, d] and (0, pi)."""
    if not f > 0.0 or d <= 0.0 or c > PI_LOWER:
        return INFINITY, -INFINITY
    low = -INFINITY if d > PI_LOWER else _cotangent_at(d)[0]
    high = INFINITY if c <= 0.0 else _cotangent_at(c)[1]
    return multiply(max(e, 0.0), f, low, high)


@njit(cache=True)
def reverse_arctangent2_x(c: float, d: float, e: float, f: float, a: float, b: float) -> tuple[float, float]:
    """u in [a, b] with atan2(other, u) in [c, d]"""
    if not (c <= d and e <= f and a <= b):
        return INFINITY, -INFINITY
    low, high = _abscissa(c, d, e, f)
    p, q = meet(a, b, low, high)
    low, high = _abscissa(-d, -c, -f, -e)
    r, s = meet(a, b, low, high)
    p, q = hull(p, q, r, s)
    if e <= 0.0 <= f:
        if c <= 0.0 <= d and b > 0.0:
            p, q = hull(p, q, max(a, 0.0), b)
        if c <= PI_LOWER and d >= PI_UPPER and a < 0.0:
            p, q = hull(p, q, a, min(b, 0.0))
    return p, q


@njit(cache=True)
def _slope(c: float, d: float, start: float, first: float, end: float, last: float) -> tuple[float, float]:
    """tan over the part of [c, d] between a pole or zero of tan at or below `start` (value `first`), and one at or beyond `end` (`last`).

    For |t| < 2^-500, t stands for tan t = t (1 + 2^-1000): the product it enters is rounded outwards by at least 2^-54 of itself, or half
    of the least subnormal, more than it would gain. A subnormal t would lose all its digits otherwise.
    """
    low = first if c <= start else c if abs(c) < 2.0**-500 else tangent_in_quadrant(c)[0]
    high = last if d >= end else d if abs(d) < 2.0**-500 else tangent_in_quadrant(d)[1]
    return low, high


@njit(cache=True)
def reverse_arctangent2_y(c: float, d: float, e: float, f: float, a: float, b: float) -> tuple[float, float]:
    """u in [a, b] with atan2(u, other) in [c, d]"""
    if not (c <= d and e <= f and a <= b):
        return INFINITY, -INFINITY
    p, q = INFINITY, -INFINITY
    if f > 0.0 and c <= HALF_PI_LOWER and d >= -HALF_PI_LOWER:
        low, high = _slope(c, d, -HALF_PI_UPPER, -INFINITY, HALF_PI_UPPER, INFINITY)
        low, high = multiply(max(e, 0.0), f, low, high)
        p, q = meet(a, b, low, high)
    if e < 0.0 and c <= PI_LOWER and d >= HALF_PI_UPPER:
        low, high = _slope(c, d, HALF_PI_LOWER, -INFINITY, PI_UPPER, 0.0)
        low, high = multiply(e, min(f, 0.0), low, high)
        low, high = meet(a, b, low, high)
        p, q = hull(p, q, low, high)
    if e < 0.0 and c <= -HALF_PI_UPPER and d >= -PI_LOWER:
        low, high = _slope(c, d, -PI_UPPER, 0.0, -HALF_PI_LOWER, INFINITY)
        low, high = multiply(e, min(f, 0.0), low, high)
        low, high = meet(a, b, low, high)
        p, q = hull(p, q, low, high)
    if e <= 0.0 <= f:
        if c <= HALF_PI_LOWER and d >= HALF_PI_UPPER and b > 0.0:
            p, q = hull(p, q, max(a, 0.0), b)
        if c <= -HALF_PI_UPPER and d >= -HALF_PI_LOWER and a < 0.0:
            p, q = hull(p, q, a, min(b, 0.0))
    return p, q
