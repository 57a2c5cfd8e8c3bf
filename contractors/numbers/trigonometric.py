"""sin, cos and tan over intervals; the angle is reduced exactly enough (see `reduction`) at every magnitude.

|y| = c + d, c = i/64 the nearest of the table, |d| <= 2^-7 + 2^-24, d in a pair:

    sin = S + C d + (C (sin d - d) + S (cos d - 1)),    cos = C - S d + (C (cos d - 1) - S (sin d - d)).

Errors relative to the result, where S >= 1/64 or S = 0, C >= 0.7: C d is a pair; sin d - d < 2^-16.5 |d| and cos d - 1
< 2^-15, with six roundings each, 2^-66.4; the tail of d neglected in cos d, 2^-67; remainders d^9/9!, d^8/8! < 2^-71;
sums of these terms, 2^-67 twice; reduction 2^-70. Together below 2^-65, claimed 2^-64. For |x| < 2^-27: x (1 - 2^-55) <
sin x < x < tan x < x (1 + 2^-54), so the ends are x and its neighbour. tan is the quotient of pairs, 2^-63 + 2^-100,
claimed 2^-62.

Extrema: with quadrants qa = floor(2a/pi) and qb, sin passes a crest where a quadrant = 1 (mod 4) is entered, a trough
where = 3 is, tan a pole at each odd one; cos x = sin(x + pi/2). Quadrants are known modulo 4, and whether qb - qa is 0
or 4 is told by the width (at most pi/2, at least 3 pi/2). From 2 pi on nothing is left to compute. sign(y) is certain,
as |y| is never below 2^-62 unless x = 0.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from certify.contractors.numbers.argument_reduction import reduce_angle
from certify.contractors.numbers.double_double import divide_pairs, enclose, fast_two_sum, two_product, two_sum
from certify.contractors.numbers.exact_constants import sine_and_cosine, table
from certify.contractors.numbers.rounded import INFINITY, above, below

TINY = 2.0**-27  # below, the Taylor remainder is less than half an ulp
CLAIM = 2.0**-64 + 2.0**-90
_TANGENT_CLAIM = 2.0**-62

_PAIRS = [sine_and_cosine(i, 64) for i in range(52)]
_TABLE = np.hstack([table([s for s, _ in _PAIRS]), table([c for _, c in _PAIRS])])
_PERIOD = 6.2831853071795862  # below 2 pi
_HALF_PERIOD = 3.1415926535897931  # below pi


@njit(cache=True)
def sine_and_cosine_pairs(y: float, e: float) -> tuple[float, float, float, float]:
    """sin and cos of y + e, |y| <= pi/4 + 2^-24, as pairs with relative errors below 2^-64."""
    sign = 1.0
    if y < 0.0:
        y, e, sign = -y, -e, -1.0
    i = int(y * 64.0 + 0.5)
    d, e = two_sum(y - i * 0.015625, e)
    s, s1, c, c1 = _TABLE[i, 0], _TABLE[i, 1], _TABLE[i, 2], _TABLE[i, 3]
    u = d * d
    sine_rest = e + d * u * (-1 / 6 + u * (1 / 120 - u * (1 / 5040)))
    cosine_rest = u * (-0.5 + u * (1 / 24 - u * (1 / 720)))
    p, q = two_product(c, d)
    v, w = two_product(s, d)
    h, f = two_sum(s, p)
    h, f = fast_two_sum(h, f + (q + ((s1 + c1 * d) + (c * sine_rest + s * cosine_rest))))
    g, k = fast_two_sum(c, -v)
    g, k = fast_two_sum(g, k - (w - ((c1 - s1 * d) + (c * cosine_rest - s * sine_rest))))
    return sign * h, sign * f, g, k


@njit(cache=True)
def sine_in_quadrant(x: float, shift: int) -> tuple[float, float, int]:
    """Encloses sin(x + shift pi/2) for finite x, with floor(2 x/pi) + shift, exact modulo 4."""
    if abs(x) < TINY and shift == 0:
        if x >= 0.0:
            return (below(x) if x > 0.0 else 0.0), x, 0
        return x, above(x), -1
    n, y, e = reduce_angle(x)
    n += shift
    s, t, c, d = sine_and_cosine_pairs(y, e)
    if n & 1:
        s, t = c, d
    if n & 2:
        s, t = -s, -t
    low, high = enclose(s, t, CLAIM)
    return max(low, -1.0), min(high, 1.0), n - 1 if y < 0.0 else n


@njit(cache=True)
def _steps(width: float, first: int, last: int) -> int:
    """Quadrants from the first to the last, for a width below 2 pi."""
    steps = (last - first) & 3
    return 4 if steps == 0 and width > 3.0 else steps


@njit(cache=True)
def _shifted_sine(a: float, b: float, shift: int) -> tuple[float, float]:
    if not a <= b:
        return INFINITY, -INFINITY
    width = b - a
    if not width < _PERIOD or a == -INFINITY or b == INFINITY:
        return -1.0, 1.0
    low, high, first = sine_in_quadrant(a, shift)
    if a == b:
        return low, high
    s, t, last = sine_in_quadrant(b, shift)
    low, high = min(low, s), max(high, t)
    steps = _steps(width, first, last)
    if ((0 - first) & 3) < steps:
        high = 1.0
    if ((2 - first) & 3) < steps:
        low = -1.0
    return low, high


@njit(cache=True)
def sine(a: float, b: float) -> tuple[float, float]:
    """sin([a, b])"""
    return _shifted_sine(a, b, 0)


@njit(cache=True)
def cosine(a: float, b: float) -> tuple[float, float]:
    """cos([a, b])"""
    if a == 0.0 and b == 0.0:
        return 1.0, 1.0
    return _shifted_sine(a, b, 1)


@njit(cache=True)
def tangent_in_quadrant(x: float) -> tuple[float, float, int]:
    """Encloses tan(x) for finite x, with floor(2 x/pi), exact modulo 4."""
    if abs(x) < TINY:
        if x >= 0.0:
            return x, (above(x) if x > 0.0 else 0.0), 0
        return below(x), x, -1
    n, y, e = reduce_angle(x)
    s, t, c, d = sine_and_cosine_pairs(y, e)
    h, f = divide_pairs(-c, -d, s, t) if n & 1 else divide_pairs(s, t, c, d)
    low, high = enclose(h, f, _TANGENT_CLAIM)
    return low, high, n - 1 if y < 0.0 else n


@njit(cache=True)
def tangent(a: float, b: float) -> tuple[float, float]:
    """tan([a, b]); the whole line across a pole."""
    if not a <= b:
        return INFINITY, -INFINITY
    width = b - a
    if not width < _HALF_PERIOD + 1e-9 or a == -INFINITY or b == INFINITY:
        return -INFINITY, INFINITY
    low, high, first = tangent_in_quadrant(a)
    if a == b:
        return low, high
    _, high, last = tangent_in_quadrant(b)
    if ((0 - first) & 1) < _steps(width, first, last):
        return -INFINITY, INFINITY
    return low, high
