"""Sums h + l of two doubles, |l| <= u |h|, u = 2^-53: products, quotients and roots to 2^-100, and the way back to one
double, outwards.

TwoSum (Knuth) is exact for all doubles without overflow; TwoProduct (Dekker, with Veltkamp's splitting by 2^27 + 1) for
|a|, |b| < 2^990, 2^-960 < |ab| < 2^1020 or ab = 0. No fused operation is needed, so any IEEE machine gives the same
bits. Products and quotients of pairs err by less than 16 u^2 = 2^-102 (Joldes, Muller, Popescu 2017: 5 u^2 and 15 u^2);
we claim `PAIR` = 2^-100.

Back to doubles: FastTwoSum gives s + t = h + l exactly if |l| <= |h|, so s is a lower bound if t >= 0 and the
predecessor of s otherwise.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from certify.contractors.numbers.rounded import INFINITY, LARGEST, above, below

PAIR = 2.0**-100
_SPLITTER = 134217729.0
_SMALLEST_NORMAL = 2.0**-1022


@njit(cache=True)
def two_sum(a: float, b: float) -> tuple[float, float]:
    """a + b = s + t exactly."""
    s = a + b
    v = s - a
    return s, (a - (s - v)) + (b - v)


@njit(cache=True)
def fast_two_sum(a: float, b: float) -> tuple[float, float]:
    """a + b = s + t exactly if |a| >= |b| or a = 0."""
    s = a + b
    return s, b - (s - a)


@njit(cache=True)
def two_product(a: float, b: float) -> tuple[float, float]:
    """a b = p + e exactly, within the limits above."""
    p = a * b
    v = _SPLITTER * a
    w = _SPLITTER * b
    a1 = v - (v - a)
    b1 = w - (w - b)
    a2, b2 = a - a1, b - b1
    return p, a2 * b2 - (((p - a1 * b1) - a2 * b1) - a1 * b2)


@njit(cache=True)
def multiply_pairs(a: float, b: float, c: float, d: float) -> tuple[float, float]:
    """(a + b)(c + d), relative error below PAIR; exact if b = d = 0."""
    p, e = two_product(a, c)
    return fast_two_sum(p, e + (a * d + b * c))


@njit(cache=True)
def divide_pairs(a: float, b: float, c: float, d: float) -> tuple[float, float]:
    """(a + b)/(c + d) = q + (a + b - q(c + d))/(c + d): the residual errs by 8 u^2 |a|, its quotient of size 4 u by 3
    u; below PAIR.
    """
    q = a / c
    p, e = two_product(q, c)
    return fast_two_sum(q, (((a - p) - e) + (b - q * d)) / c)


@njit(cache=True)
def root_of_pair(a: float, b: float) -> tuple[float, float]:
    """sqrt(a + b) = s + (a + b - s^2)/(s + sqrt(a + b)), a > 0; the correction of size 2 u errs by 4 u; below PAIR."""
    s = math.sqrt(a)
    p, e = two_product(s, s)
    return fast_two_sum(s, (((a - p) - e) + b) / (2.0 * s))


@njit(cache=True)
def round_down(h: float, l: float) -> float:  # noqa: E741 - h + l is the name of the pair throughout
    """A double <= h + l, the largest unless subnormal; |l| <= |h|."""
    s = h + l
    return s if l - (s - h) >= 0.0 else below(s)


@njit(cache=True)
def round_up(h: float, l: float) -> float:  # noqa: E741
    """A double >= h + l, the least unless subnormal; |l| <= |h|."""
    s = h + l
    return s if l - (s - h) <= 0.0 else above(s)


@njit(cache=True)
def enclose(h: float, l: float, bound: float) -> tuple[float, float]:  # noqa: E741
    """Encloses (h + l)(1 + e), |e| <= bound - 2^-103: l -+ bound |h| is rounded by u (u + bound)|h|. |h| > 2^-900,
    bound < 2^-50.
    """
    error = bound * abs(h)
    return round_down(h, l - error), round_up(h, l + error)


@njit(cache=True)
def power_of_two(k: int) -> float:
    """2^k, -1022 <= k <= 1023."""
    return np.int64((k + 1023) << 52).view(np.float64)


@njit(cache=True)
def exponent(x: float) -> int:
    """floor(log2 x) for a normal x > 0."""
    return int(np.float64(x).view(np.int64) >> 52) - 1023


@njit(cache=True)
def scale(low: float, high: float, k: int) -> tuple[float, float]:
    """2^k [low, high] for 2^-4 < low <= high < 2^4; one more rounding only where the result is subnormal."""
    if -1000 <= k <= 1000:
        factor = power_of_two(k)
        return low * factor, high * factor
    if k > 1030:
        return LARGEST, INFINITY
    if k < -1090:
        return 0.0, 5e-324
    first, second = power_of_two(k // 2), power_of_two(k - k // 2)
    low, high = low * first * second, high * first * second
    if k > 0:
        return min(low, LARGEST), high
    if low <= _SMALLEST_NORMAL:  # equal: it may have been rounded up to it
        low = max(0.0, below(low))
    if high <= _SMALLEST_NORMAL:
        high = above(high)
    return low, high
