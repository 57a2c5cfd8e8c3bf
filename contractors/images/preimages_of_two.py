"""Reverse operations of two operands: for z = f(x, y) in [c, d], the other operand in [e, f], narrow the current [a, b]
of one operand.

Each *keeps* every u in [a, b] for which some value of the other operand puts f into [c, d], f being defined there.

    z = x y          u = z / other over other != 0 (two half-lines if it changes sign, then their hull within [a, b]);
        everything if 0 is in both
    z = x / y        x = z y, y = x / z
    z = x^y, x > 0   y = log z / log x, x = z^(1/y) for each sign of y; everything where y may be 0 (or x 1) and z 1; x
        = 0 < y for z = 0 apart
    z = min(x, y)    u >= c; u <= d too if the other one lies above d; none if it lies below c
    t = atan2(y, x)  x = y cot t for y > 0, mirrored for y < 0; y = x tan t for x > 0 and, t beyond -+pi/2, for x < 0;
        the axes apart
"""

from __future__ import annotations

from numba import njit

from certify.contractors.images.images import divide, hull, meet, multiply
from certify.contractors.numbers.argument_reduction import reduce_angle
from certify.contractors.numbers.double_double import divide_pairs, enclose
from certify.contractors.numbers.enclosures import PI_LOWER, PI_UPPER
from certify.contractors.numbers.exponential import logarithm_double
from certify.contractors.numbers.inverse_trigonometric import HALF_PI_LOWER, HALF_PI_UPPER
from certify.contractors.numbers.powers import power_over_box
from certify.contractors.numbers.rounded import INFINITY, above, below, divide_extended
from certify.contractors.numbers.trigonometric import TINY, sine_and_cosine_pairs, tangent_in_quadrant

_COTANGENT_CLAIM = 2.0**-62
_LOGARITHMS_CLAIM = 2.0**-62


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
def _meet_without(limit: float, is_solution: bool, a: float, b: float, c: float, d: float) -> tuple[float, float]:
    """[a, b] and [c, d] in common, nothing if only the limit is left that no point attains."""
    low, high = meet(a, b, c, d)
    return (INFINITY, -INFINITY) if low == high == limit and not is_solution else (low, high)


@njit(cache=True)
def _zero_is_kept(c: float, d: float, zero: bool, positive: bool) -> bool:
    """0^y = 0 for y > 0"""
    return zero and positive and c <= 0.0 <= d


@njit(cache=True)
def reverse_power_base(c: float, d: float, e: float, f: float, a: float, b: float) -> tuple[float, float]:
    """u in [a, b], u >= 0, with u^other in [c, d]"""
    if not (c <= d and e <= f and a <= b):
        return INFINITY, -INFINITY
    p, q = INFINITY, -INFINITY
    if _zero_is_kept(c, d, a <= 0.0 <= b, f > 0.0):
        p, q = 0.0, 0.0
    if not (d > 0.0 and b > 0.0):
        return p, q
    a, c = max(a, 0.0), max(c, 0.0)
    if e <= 0.0 <= f and c <= 1.0 <= d:
        return a, b
    one = c <= 1.0 <= d
    if f > 0.0:
        low, high = power_over_box(c, d, e if e > 0.0 else 0.0, f, True)
        low, high = _meet_without(1.0, one, a, b, low, high)
        p, q = hull(p, q, low, high)
    if e < 0.0:
        low, high = power_over_box(c, d, e, f if f < 0.0 else -0.0, True)
        low, high = _meet_without(1.0, one, a, b, low, high)
        p, q = hull(p, q, low, high)
    return p, q


@njit(cache=True)
def _quotient_of_logarithms(z: float, x: float) -> tuple[float, float]:
    """Encloses log z / log x for x != 1; 0 and infinity as limits, those of x first. A quotient of two pairs with
    errors below 2^-64 each.
    """
    if z == 1.0 or x == 0.0 or x == INFINITY:
        return 0.0, 0.0
    if z == 0.0 or z == INFINITY:
        return (INFINITY, INFINITY) if (z > 1.0) == (x > 1.0) else (-INFINITY, -INFINITY)
    p, q = logarithm_double(z)
    r, s = logarithm_double(x)
    h, g = divide_pairs(p, q, r, s)
    return enclose(h, g, _LOGARITHMS_CLAIM)


@njit(cache=True)
def _exponents(c: float, d: float, least: float, most: float) -> tuple[float, float]:
    """log z / |log x| for z in [c, d] and x from `least` to `most`, on one side of 1; for `least` = 1 the quotients
    have no end.
    """
    turned = most < 1.0
    low_at, high_at = (most if c >= 1.0 else least), (least if d >= 1.0 else most)
    low = _quotient_of_logarithms(c, low_at) if low_at != 1.0 else (-INFINITY, -INFINITY)
    high = _quotient_of_logarithms(d, high_at) if high_at != 1.0 else (INFINITY, INFINITY) if d > 1.0 else (0.0, 0.0)
    if turned:
        return (-low[1] if low_at != 1.0 else -INFINITY), (-high[0] if high_at != 1.0 else high[1])
    return low[0], high[1]


@njit(cache=True)
def reverse_power_exponent(c: float, d: float, e: float, f: float, a: float, b: float) -> tuple[float, float]:
    """u in [a, b] with other^u in [c, d], other >= 0"""
    if not (c <= d and e <= f and a <= b):
        return INFINITY, -INFINITY
    p, q = INFINITY, -INFINITY
    if _zero_is_kept(c, d, e <= 0.0 <= f, b > 0.0):
        p, q = max(a, 0.0), b
    if not (d > 0.0 and f > 0.0):
        return p, q
    c, e = max(c, 0.0), max(e, 0.0)
    if c <= 1.0 <= d and e <= 1.0 <= f:
        return a, b
    one = c <= 1.0 <= d
    if f > 1.0:
        low, high = _exponents(c, d, max(e, 1.0), f)
        low, high = _meet_without(0.0, one, a, b, low, high)
        p, q = hull(p, q, low, high)
    if e < 1.0:
        low, high = _exponents(c, d, min(f, 1.0), e)
        low, high = _meet_without(0.0, one, a, b, -high, -low)
        p, q = hull(p, q, low, high)
    return p, q


@njit(cache=True)
def _cotangent_at(t: float) -> tuple[float, float]:
    """Encloses cot(t), 2^-27 <= t < pi."""
    n, y, tail = reduce_angle(t)
    s, s1, k, k1 = sine_and_cosine_pairs(y, tail)
    h, g = divide_pairs(-s, -s1, k, k1) if n & 1 else divide_pairs(k, k1, s, s1)
    return enclose(h, g, _COTANGENT_CLAIM)


@njit(cache=True)
def _abscissa(c: float, d: float, e: float, f: float) -> tuple[float, float]:
    """x = y cot t for y in [e, f], y > 0, t in [c, d] and (0, pi); for t < 2^-27, (y/t)(1 - 2^-54) < x < y/t, whatever
    overflows in cot t.
    """
    if not f > 0.0 or d <= 0.0 or c > PI_LOWER:
        return INFINITY, -INFINITY
    e, low, high = max(e, 0.0), -INFINITY, INFINITY
    if d < TINY:
        low = divide(e, e, d, d)[0]
        low = below(low) if low > 0.0 else 0.0
    elif d <= PI_LOWER:
        k = _cotangent_at(d)[0]
        y = e if k >= 0.0 else f
        low = multiply(y, y, k, k)[0] if y < INFINITY else -INFINITY
    if c >= TINY:
        k = _cotangent_at(c)[1]
        y = f if k >= 0.0 else e
        high = multiply(y, y, k, k)[1] if y < INFINITY else INFINITY
    elif c > 0.0 and f < INFINITY:
        high = divide(f, f, c, c)[1]
    return low, high


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
    """tan over the part of [c, d] between a pole or zero of tan at or below `start` (value `first`), and one at or
    beyond `end` (`last`).

    For |t| < 2^-500, t stands for tan t = t (1 + 2^-1000), as a subnormal t would lose all its digits otherwise:
    `_times_slope` gives the rest.
    """
    low = first if c <= start else c if abs(c) < 2.0**-500 else tangent_in_quadrant(c)[0]
    high = last if d >= end else d if abs(d) < 2.0**-500 else tangent_in_quadrant(d)[1]
    return low, high


@njit(cache=True)
def _times_slope(c: float, d: float, e: float, f: float) -> tuple[float, float]:
    """[c, d] [e, f], ends other than 0 a further step outwards: by at least 2^-54 of themselves, or the least
    subnormal.
    """
    low, high = multiply(c, d, e, f)
    return (below(low) if low < 0.0 else low), (above(high) if high > 0.0 else high)


@njit(cache=True)
def reverse_arctangent2_y(c: float, d: float, e: float, f: float, a: float, b: float) -> tuple[float, float]:
    """u in [a, b] with atan2(u, other) in [c, d]"""
    if not (c <= d and e <= f and a <= b):
        return INFINITY, -INFINITY
    p, q = INFINITY, -INFINITY
    if f > 0.0 and c <= HALF_PI_LOWER and d >= -HALF_PI_LOWER:
        low, high = _slope(c, d, -HALF_PI_UPPER, -INFINITY, HALF_PI_UPPER, INFINITY)
        low, high = _times_slope(max(e, 0.0), f, low, high)
        p, q = meet(a, b, low, high)
    if e < 0.0 and c <= PI_LOWER and d >= HALF_PI_UPPER:
        low, high = _slope(c, d, HALF_PI_LOWER, -INFINITY, PI_UPPER, 0.0)
        low, high = _times_slope(e, min(f, 0.0), low, high)
        low, high = meet(a, b, low, high)
        p, q = hull(p, q, low, high)
    if e < 0.0 and c <= -HALF_PI_UPPER and d >= -PI_LOWER:
        low, high = _slope(c, d, -PI_UPPER, 0.0, -HALF_PI_LOWER, INFINITY)
        low, high = _times_slope(e, min(f, 0.0), low, high)
        low, high = meet(a, b, low, high)
        p, q = hull(p, q, low, high)
    if e <= 0.0 <= f:
        if c <= HALF_PI_LOWER and d >= HALF_PI_UPPER and b > 0.0:
            p, q = hull(p, q, max(a, 0.0), b)
        if c <= -HALF_PI_UPPER and d >= -HALF_PI_LOWER and a < 0.0:
            p, q = hull(p, q, a, min(b, 0.0))
    return p, q
