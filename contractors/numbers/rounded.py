"""Interval operations on doubles, rounded outwards without touching the rounding mode.

Every result of one rounded operation c is widened to c -+ (phi |c| + eta) with phi = u (1 + 2u), u = 2^-53, eta the
least subnormal (Rump, Zimmermann, Boldo, Melquiond, BIT 2009): in rounding to nearest this lies at or beyond the
neighbouring double. An infinite end stands for unbounded reals: 0 * infinity = 0, infinity / infinity = 0 (finite /
infinity = 0 belongs to the closure anyway), and what overflows lies beyond the largest double, which is then the bound
on the near side. NaN never appears; operands are not empty (an empty one gives some interval). Scalar kernels for
numba; arrays go through `evaluation`.
"""

from __future__ import annotations

import math

from numba import njit

PHI = 2.0**-53 * (1.0 + 2.0**-52)
ETA = 5e-324
INFINITY = math.inf
LARGEST = math.nextafter(math.inf, 0.0)


@njit(cache=True, inline="always")
def below(value: float) -> float:
    """A double below every real that rounds to `value`."""
    result = value - (PHI * abs(value) + ETA)
    return result if result == result else (LARGEST if value > 0.0 else -INFINITY)


@njit(cache=True, inline="always")
def above(value: float) -> float:
    """A double above every real that rounds to `value`."""
    result = value + (PHI * abs(value) + ETA)
    return result if result == result else (-LARGEST if value < 0.0 else INFINITY)


@njit(cache=True, inline="always")
def _number(value: float) -> float:
    """0 for the NaN of 0 * infinity or infinity / infinity."""
    return value if value == value else 0.0


@njit(cache=True, inline="always")
def multiply(a: float, b: float, c: float, d: float) -> tuple[float, float]:
    """[a, b] * [c, d]"""
    p, q, r, s = _number(a * c), _number(a * d), _number(b * c), _number(b * d)
    return below(min(min(p, q), min(r, s))), above(max(max(p, q), max(r, s)))


@njit(cache=True, inline="always")
def divide(a: float, b: float, c: float, d: float) -> tuple[float, float]:
    """[a, b] / [c, d]; the whole line if the divisor contains 0 (see `divide_extended`)."""
    if c <= 0.0 and d >= 0.0:
        return -INFINITY, INFINITY
    p, q, r, s = _number(a / c), _number(a / d), _number(b / c), _number(b / d)
    return below(min(min(p, q), min(r, s))), above(max(max(p, q), max(r, s)))


@njit(cache=True)
def divide_extended(a: float, b: float, c: float, d: float) -> tuple[float, float]:
    """The hull of {x / y: x in [a, b], y in [c, d], y != 0}, tight on one side where the divisor touches 0; empty for
    [0, 0].

    An end is 0 where the signs say so. With 0 in the divisor and x of one sign, |x / y| reaches from |x| / |y| at the
    far end of y to infinity, for each sign of y.
    """
    if c > 0.0 or d < 0.0:
        low, high = divide(a, b, c, d)
        if (a >= 0.0 and c > 0.0) or (b <= 0.0 and d < 0.0):
            low = max(low, 0.0)
        if (a >= 0.0 and d < 0.0) or (b <= 0.0 and c > 0.0):
            high = min(high, 0.0)
        return low, high
    if c == 0.0 and d == 0.0:
        return INFINITY, -INFINITY
    if a == 0.0 and b == 0.0:
        return 0.0, 0.0
    if (a < 0.0 and b > 0.0) or (c < 0.0 and d > 0.0):
        return -INFINITY, INFINITY
    if c == 0.0:
        return (max(0.0, below(a / d)), INFINITY) if a >= 0.0 else (-INFINITY, min(0.0, above(b / d)))
    return (-INFINITY, min(0.0, above(a / c))) if a >= 0.0 else (max(0.0, below(b / c)), INFINITY)


@njit(cache=True, inline="always")
def square(a: float, b: float) -> tuple[float, float]:
    """[a, b] squared"""
    low, high = a * a, b * b
    if a <= 0.0 <= b:
        return 0.0, above(max(low, high))
    return max(0.0, below(min(low, high))), above(max(low, high))


@njit(cache=True, inline="always")
def square_root(a: float, b: float) -> tuple[float, float]:
    """The root of the part of [a, b] that is not negative; [0, least subnormal] if there is none."""
    return max(0.0, below(math.sqrt(max(a, 0.0)))), above(math.sqrt(max(b, 0.0)))
