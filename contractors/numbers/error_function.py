"""erf x = 2/sqrt(pi) times the integral of exp(-t^2) from 0 to x, and its projection.

Tables at c = i/16, i = 0, ..., 96, by integers: with y = x^2 all terms of

    erf x = 2/sqrt(pi) x sum (2 y)^n / (1 3 5 ... (2 n + 1)) / sum y^n / n!

are positive. Terms are cut below, by less than 3 units of 2^-P a step and, y being cut too, 2^-P of the term; what is
lost in a term of the first sum grows in all later ones together by at most sum y^m / m! = exp y, which is divided by.
After N < 1000 steps (y <= 256) less than 2^14 units are lost.

Elsewhere Taylor's series at the nearest c, |t| = |x - c| <= 2^-5 (1 + 2^-40), t exact: erf c and erf' c t in pairs of
doubles (2^-99), the terms a_2 t^2 + ... + a_12 t^12 in doubles. Their coefficients follow from y'' = -2 x y':
(n+2)(n+1) a_(n+2) = -2 (c (n+1) a_(n+1) + n a_n). Relative to erf x, sizes of these terms sum up to less than 2^-8.7,
each with at most 2 n + 6 roundings: 2^-58.4 together, and by Cramer's inequality the remainder is below 2^-71 (a test
adds all of it up, row by row, in Arb). Claimed 2^-58. From x = 6 on, 1 - 2^-53 < erf x < 1; for |x| < 2^-300, erf x is
2 x / sqrt(pi) up to 2^-600.

erf grows, so a projection needs an x with erf x <= v, and the enclosure above proves that it is one; Halley's method
finds it near the best, in floats.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

from certify.contractors.numbers.double_double import enclose, fast_two_sum, multiply_pairs, scale, two_sum
from certify.contractors.numbers.exact_constants import ONE, P, double_double, pi
from certify.contractors.numbers.rounded import INFINITY, below

CLAIM = 2.0**-58
ERROR = 1 << 14  # of integers below, in units of 2^-P
LARGEST = 16  # from here on erf is 1 - 2^-300 at least
TERMS = 12
_CELLS = 96
_TINY = 2.0**-300
_GREATEST = 6.0
_ROUNDS = 4  # of Halley's method


def exact(x: int) -> tuple[int, int]:
    """2^P erf and 2^P erf' at x 2^-P, 0 <= x < 16 2^P, less than ERROR too small or too large."""
    square = x * x >> P
    odd, even, term, power, n = 0, 0, x, ONE, 0
    while term or power:
        odd, even, n = odd + term, even + power, n + 1
        term = (term * square >> P - 1) // (2 * n + 1)
        power = (power * square >> P) // n
    root = math.isqrt(pi() << P)
    return (2 * odd << 2 * P) // (root * even), (2 << 3 * P) // (root * even)


def _row(i: int) -> list[float]:
    """erf c and erf' c as pairs, then a_2, a_3, ... at c = i/16."""
    value, slope = exact(ONE * i // 16)
    terms = [value, slope]
    for n in range(TERMS - 1):
        terms.append(-2 * (i * (n + 1) * terms[n + 1] + 16 * n * terms[n]) // (16 * (n + 1) * (n + 2)))
    return [*double_double(value), *double_double(slope), *(term / ONE for term in terms[2:])]


TABLE: NDArray[np.float64] = np.array([_row(i) for i in range(_CELLS + 1)])


@njit(cache=True)
def _near(x: float) -> tuple[float, float, float]:
    """erf x = (h + l)(1 + e), |e| < CLAIM - 2^-60, 2^-300 <= x < 6; and its slope, roughly."""
    i = int(16.0 * x + 0.5)
    t = x - i / 16.0
    a, q, r = TABLE[i], 0.0, 0.0
    for n in range(14, 3, -1):
        q = q * t + a[n]
        r = r * t + (n - 2) * a[n]
    p, e = multiply_pairs(a[2], a[3], t, 0.0)
    h, f = two_sum(a[0], p)
    h, l = fast_two_sum(h, f + (e + (a[1] + t * t * q)))  # noqa: E741
    return h, l, a[2] + t * r


@njit(cache=True)
def error_function_at(x: float) -> tuple[float, float]:
    """Encloses erf(x)."""
    size = abs(x)
    if size == 0.0:
        low, high = 0.0, 0.0
    elif size >= _GREATEST:
        low, high = below(1.0), 1.0
    elif size < _TINY:
        m, k = math.frexp(size)
        h, l = multiply_pairs(TABLE[0, 2], TABLE[0, 3], m, 0.0)  # noqa: E741
        low, high = enclose(h, l, CLAIM)
        low, high = scale(low, high, k)
    else:
        h, l, _ = _near(size)  # noqa: E741
        low, high = enclose(h, l, CLAIM)
        high = min(high, 1.0)
    return (low, high) if x >= 0.0 else (-high, -low)


@njit(cache=True)
def error_function(a: float, b: float) -> tuple[float, float]:
    """erf([a, b])"""
    if not a <= b:
        return INFINITY, -INFINITY
    return error_function_at(a)[0], error_function_at(b)[1]


@njit(cache=True)
def _guess(v: float) -> tuple[float, float]:
    """Near the x with erf x = v, 0 < v < 1, and how far from it the enclosure's width alone can lead; an estimate."""
    if v < 2.0**-300:
        return v / TABLE[0, 2], v * 2.0**-52
    if v < 0.01:
        x = v / TABLE[0, 2]
    else:
        z = math.log((1.0 - v) * (1.0 + v))
        s = 4.330746750799873 + 0.5 * z
        x = math.sqrt(math.sqrt(s * s - z / 0.147) - s)
    x, slope = min(x, 5.99), 1.0
    for _ in range(_ROUNDS):
        h, l, slope = _near(x)  # noqa: E741
        step = ((h - v) + l) / slope
        x = min(max(x - step / (1.0 + x * step), 0.5 * x), 5.99)
    return x, 2.0**-52 * (x + v / slope)


@njit(cache=True)
def _inverse_below(v: float) -> float:
    """Some x with erf x <= v, near the largest, for -1 < v < 1; -infinity if none is found."""
    if v == 0.0:
        return 0.0
    x, step = _guess(abs(v))
    if v < 0.0:
        x = -x
    for _ in range(60):
        if error_function_at(x)[1] <= v:
            return x
        x = below(x - step)
        step *= 2.0
    return -INFINITY


@njit(cache=True)
def reverse_error_function(c: float, d: float, a: float, b: float) -> tuple[float, float]:
    """erf(x) in [c, d]"""
    if not c <= d or c >= 1.0 or d <= -1.0:
        return INFINITY, -INFINITY
    low = a if c <= -1.0 else max(a, _inverse_below(c))
    high = b if d >= 1.0 else min(b, -_inverse_below(-d))
    return (low, high) if low <= high else (INFINITY, -INFINITY)
