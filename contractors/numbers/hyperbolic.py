"""sinh, cosh, tanh and their inverses.

With E = e^x/2 and F = e^-x/2 in pairs (relative error 2^-64): cosh = E + F and, from x = 1/4 on, sinh = E - F, which
amplifies the error by coth(1/4) < 4.1, to 2^-61.9; below, sinh x = x + x^3/6 + x^5 (1/120 + ... + x^8/13!), with x^3/6
in a pair and the rest below 2^-14.9 x, rounded six times: 2^-65. tanh is the quotient, 2^-61.9 + 2^-64. Claimed 2^-61,
and 2^-61 for tanh. For |x| < 2^-27: x (1 - 2^-55) < tanh x < x < sinh x < x (1 + 2^-56). From x = 20 on, 1 - 2^-53 <
tanh x < 1.

asinh x = log1p(x + x^2/(1 + sqrt(1 + x^2))), acosh x = log1p(x - 1 + sqrt((x - 1)(x + 1))), atanh x = log1p(2 x/(1 -
x))/2 for x > 0, all arguments of log1p in pairs (2^-97) with logarithms no less sensitive than 1: relative error below
2^-63. From 2^30 on asinh x and acosh x are log 2x up to x^-2/4 < 2^-62, on a value above 21: 2^-66. For |x| < 2^-27: x
(1 - 2^-56) < asinh x < x < atanh x < x (1 + 2^-55).
"""

from __future__ import annotations

from numba import njit

from certify.contractors.numbers.double_double import (
    divide_pairs,
    enclose,
    fast_two_sum,
    multiply_pairs,
    power_of_two,
    root_of_pair,
    scale,
    two_product,
    two_sum,
)
from certify.contractors.numbers.exact_constants import ONE, double_double
from certify.contractors.numbers.exponential import exponential_pair, logarithm_of_one_plus, logarithm_pair
from certify.contractors.numbers.rounded import INFINITY, LARGEST, above, below

CLAIM = 2.0**-61
_INVERSE_CLAIM = 2.0**-62
_TINY = 2.0**-27
_SIXTH, _SIXTH_TAIL = double_double(ONE // 6)


@njit(cache=True)
def _small_sine(x: float) -> tuple[float, float]:
    """sinh x for 2^-27 <= x < 1/4."""
    u, v = two_product(x, x)
    c, d = multiply_pairs(u, v, x, 0.0)
    p, q = multiply_pairs(c, d, _SIXTH, _SIXTH_TAIL)
    rest = c * u * (1 / 120 + u * (1 / 5040 + u * (1 / 362880 + u * (1 / 39916800 + u * (1 / 6227020800)))))
    h, e = fast_two_sum(x, p)
    return fast_two_sum(h, e + (q + rest))


@njit(cache=True)
def _sine_and_cosine(x: float) -> tuple[float, float, float, float, int]:
    """sinh x and cosh x = 2^k times two pairs, 2^-27 <= x <= 711."""
    k, p, q = exponential_pair(x, 0.0)
    r, s = divide_pairs(1.0, 0.0, p, q)
    factor = power_of_two(
        max(-2 * k, -200)
    )  # a smaller addend vanishes against the error; this one still does, below 2^-196
    r, s = r * factor, s * factor
    h, e = two_sum(p, r)
    h, e = fast_two_sum(h, e + (q + s))
    if x < 0.25:
        g, f = _small_sine(x)
        back = power_of_two(1 - k)
        return g * back, f * back, h, e, k - 1
    g, f = two_sum(p, -r)
    g, f = fast_two_sum(g, f + (q - s))
    return g, f, h, e, k - 1


@njit(cache=True)
def hyperbolic_sine_at(x: float) -> tuple[float, float]:
    """Encloses sinh(x)."""
    size = abs(x)
    if size < _TINY:
        low, high = size, (above(size) if size > 0.0 else 0.0)
    elif size > 711.0:
        low, high = LARGEST, INFINITY
    elif size < 0.25:
        g, f = _small_sine(size)
        low, high = enclose(g, f, CLAIM)
    else:
        g, f, _, _, k = _sine_and_cosine(size)
        low, high = enclose(g, f, CLAIM)
        low, high = scale(low, high, k)
    return (low, high) if x >= 0.0 else (-high, -low)


@njit(cache=True)
def hyperbolic_sine(a: float, b: float) -> tuple[float, float]:
    """sinh([a, b])"""
    if not a <= b:
        return INFINITY, -INFINITY
    return hyperbolic_sine_at(a)[0], hyperbolic_sine_at(b)[1]


@njit(cache=True)
def hyperbolic_cosine_at(x: float) -> tuple[float, float]:
    """Encloses cosh(x); for |x| < 2^-27, 1 <= cosh x < 1 + 2^-54."""
    size = abs(x)
    if size < _TINY:
        return 1.0, (above(1.0) if size > 0.0 else 1.0)
    if size > 711.0:
        return LARGEST, INFINITY
    _, _, h, e, k = _sine_and_cosine(size)
    low, high = enclose(h, e, CLAIM)
    low, high = scale(low, high, k)
    return max(low, 1.0), high


@njit(cache=True)
def hyperbolic_cosine(a: float, b: float) -> tuple[float, float]:
    """cosh([a, b])"""
    if not a <= b:
        return INFINITY, -INFINITY
    return hyperbolic_cosine_at(max(0.0, max(a, -b)))[0], hyperbolic_cosine_at(max(-a, b))[1]


@njit(cache=True)
def hyperbolic_tangent_at(x: float) -> tuple[float, float]:
    """Encloses tanh(x)."""
    size = abs(x)
    if size < _TINY:
        low, high = (below(size) if size > 0.0 else 0.0), size
    elif size > 20.0:
        low, high = below(1.0), 1.0
    else:
        g, f, h, e, _ = _sine_and_cosine(size)
        g, f = divide_pairs(g, f, h, e)
        low, high = enclose(g, f, CLAIM)
        high = min(high, 1.0)
    return (low, high) if x >= 0.0 else (-high, -low)


@njit(cache=True)
def hyperbolic_tangent(a: float, b: float) -> tuple[float, float]:
    """tanh([a, b])"""
    if not a <= b:
        return INFINITY, -INFINITY
    return hyperbolic_tangent_at(a)[0], hyperbolic_tangent_at(b)[1]


@njit(cache=True)
def inverse_hyperbolic_sine_at(x: float) -> tuple[float, float]:
    """Encloses asinh(x)."""
    size = abs(x)
    if size < _TINY:
        low, high = (below(size) if size > 0.0 else 0.0), size
    elif size == INFINITY:
        low, high = 700.0, INFINITY
    else:
        if size < 2.0**30:
            p, e = two_product(size, size)
            h, f = two_sum(1.0, p)
            h, f = root_of_pair(h, f + e)
            s, t = two_sum(1.0, h)
            p, e = divide_pairs(p, e, s, t + f)
            h, f = two_sum(size, p)
            h, e = fast_two_sum(h, f + e)
            h, e = logarithm_of_one_plus(h, e)
        else:
            h, e = logarithm_pair(size, 0.0, 1)
        low, high = enclose(h, e, _INVERSE_CLAIM)
    return (low, high) if x >= 0.0 else (-high, -low)


@njit(cache=True)
def inverse_hyperbolic_sine(a: float, b: float) -> tuple[float, float]:
    """asinh([a, b])"""
    if not a <= b:
        return INFINITY, -INFINITY
    return inverse_hyperbolic_sine_at(a)[0], inverse_hyperbolic_sine_at(b)[1]


@njit(cache=True)
def inverse_hyperbolic_cosine_at(x: float) -> tuple[float, float]:
    """Encloses acosh(x), x >= 1."""
    if x == 1.0:
        return 0.0, 0.0
    if x == INFINITY:
        return 700.0, INFINITY
    if x < 2.0**30:
        a, b = two_sum(x, -1.0)
        c, d = two_sum(x, 1.0)
        p, e = multiply_pairs(a, b, c, d)
        p, e = root_of_pair(p, e)
        h, f = two_sum(a, p)
        h, e = fast_two_sum(h, f + (b + e))
        h, e = logarithm_of_one_plus(h, e)
    else:
        h, e = logarithm_pair(x, 0.0, 1)
    return enclose(h, e, _INVERSE_CLAIM)


@njit(cache=True)
def inverse_hyperbolic_cosine(a: float, b: float) -> tuple[float, float]:
    """acosh([a, b]) within [1, infinity]"""
    if not a <= b or b < 1.0:
        return INFINITY, -INFINITY
    return inverse_hyperbolic_cosine_at(max(a, 1.0))[0], inverse_hyperbolic_cosine_at(b)[1]


@njit(cache=True)
def inverse_hyperbolic_tangent_at(x: float) -> tuple[float, float]:
    """Encloses atanh(x), |x| <= 1."""
    size = abs(x)
    if size < _TINY:
        low, high = size, (above(size) if size > 0.0 else 0.0)
    elif size == 1.0:
        low, high = 18.0, INFINITY
    else:
        a, b = two_sum(1.0, -size)
        h, e = divide_pairs(2.0 * size, 0.0, a, b)
        h, e = logarithm_of_one_plus(h, e)
        low, high = enclose(0.5 * h, 0.5 * e, _INVERSE_CLAIM)
    return (low, high) if x >= 0.0 else (-high, -low)


@njit(cache=True)
def inverse_hyperbolic_tangent(a: float, b: float) -> tuple[float, float]:
    """atanh([a, b]) within (-1, 1)"""
    if not a <= b or a >= 1.0 or b <= -1.0:
        return INFINITY, -INFINITY
    return inverse_hyperbolic_tangent_at(max(a, -1.0))[0], inverse_hyperbolic_tangent_at(min(b, 1.0))[1]
