"""Reverse operations of IEEE 1788: for y = f(x) in [c, d], narrow the current [a, b] of x.

reverse_f([c, d], [a, b]) encloses the hull of {x in [a, b]: f is defined at x and f(x) in [c, d]}: it *keeps* every
such x and removes nothing else than others. Arguments come image first, then the other operand (if any), last the
operand that is narrowed. Empty is (infinity, -infinity). Where f is monotone the preimage is the image of [c, d] under
the inverse; where f is even it is two intervals, -+[inner, outer], whose parts within [a, b] are joined. The periodic
ones and those of two operands have files of their own.
"""

from __future__ import annotations

from numba import njit

from certify.contractors.images.images import hull, meet, square_root
from certify.contractors.images.preimages_of_two import (
    reverse_add,
    reverse_arctangent2_x,
    reverse_arctangent2_y,
    reverse_divide_left,
    reverse_divide_right,
    reverse_maximum,
    reverse_minimum,
    reverse_multiply,
    reverse_power_base,
    reverse_power_exponent,
    reverse_subtract_left,
    reverse_subtract_right,
)
from certify.contractors.images.preimages_periodic import reverse_cosine, reverse_sine, reverse_tangent
from certify.contractors.numbers.double_double import divide_pairs
from certify.contractors.numbers.enclosures import PI_LOWER, PI_UPPER
from certify.contractors.numbers.exponential import exponential, natural_logarithm
from certify.contractors.numbers.hyperbolic import (
    hyperbolic_cosine,
    hyperbolic_sine,
    hyperbolic_tangent,
    inverse_hyperbolic_cosine,
    inverse_hyperbolic_sine,
    inverse_hyperbolic_tangent,
)
from certify.contractors.numbers.inverse_trigonometric import HALF_PI_LOWER, HALF_PI_UPPER
from certify.contractors.numbers.powers import integer_power, real_power_at, root
from certify.contractors.numbers.rounded import INFINITY
from certify.contractors.numbers.trigonometric import sine_in_quadrant, tangent_in_quadrant

__all__ = [
    "reverse_absolute", "reverse_add", "reverse_arccosine", "reverse_arcsine", "reverse_arctangent",
    "reverse_arctangent2_x",
    "reverse_arctangent2_y", "reverse_cosine", "reverse_divide_left", "reverse_divide_right", "reverse_exponential",
    "reverse_hyperbolic_cosine", "reverse_hyperbolic_sine", "reverse_hyperbolic_tangent", "reverse_integer_power",
    "reverse_inverse_hyperbolic_cosine", "reverse_inverse_hyperbolic_sine", "reverse_inverse_hyperbolic_tangent",
    "reverse_logarithm",
    "reverse_maximum", "reverse_minimum", "reverse_multiply", "reverse_power_base", "reverse_power_exponent",
    "reverse_root",
    "reverse_sign", "reverse_sine", "reverse_square", "reverse_square_root", "reverse_subtract_left",
    "reverse_subtract_right",
    "reverse_tangent",
]  # fmt: skip


@njit(cache=True)
def _two_sided(inner: float, outer: float, a: float, b: float) -> tuple[float, float]:
    """The hull of what [a, b] has in common with -+[inner, outer], 0 <= inner."""
    p, q = meet(a, b, inner, outer)
    r, s = meet(a, b, -outer, -inner)
    return hull(p, q, r, s)


@njit(cache=True)
def reverse_absolute(c: float, d: float, a: float, b: float) -> tuple[float, float]:
    """|x| in [c, d]"""
    return _two_sided(max(c, 0.0), d, a, b) if c <= d and a <= b else (INFINITY, -INFINITY)


@njit(cache=True)
def reverse_square(c: float, d: float, a: float, b: float) -> tuple[float, float]:
    """x^2 in [c, d]"""
    inner, outer = square_root(c, d)
    return _two_sided(inner, outer, a, b) if a <= b else (INFINITY, -INFINITY)


@njit(cache=True)
def reverse_square_root(c: float, d: float, a: float, b: float) -> tuple[float, float]:
    """sqrt(x) in [c, d]"""
    return reverse_root(c, d, 2, a, b)


@njit(cache=True)
def reverse_root(c: float, d: float, n: int, a: float, b: float) -> tuple[float, float]:
    """The n-th root of x in [c, d], n >= 1"""
    if not (c <= d and a <= b) or (n & 1 == 0 and d < 0.0):
        return INFINITY, -INFINITY
    if n < 1:
        return a, b
    low, high = integer_power(max(c, 0.0) if n & 1 == 0 else c, d, n)
    return meet(a, b, low, high)


@njit(cache=True)
def _inverse_roots(c: float, d: float, n: int) -> tuple[float, float]:
    """y^(-1/n) for y in [c, d], y > 0, 0 <= c, n >= 1"""
    h, e = divide_pairs(-1.0, 0.0, float(n), 0.0)
    return real_power_at(d, h, e)[0], real_power_at(c, h, e)[1]


@njit(cache=True)
def _reverse_inverse_power(c: float, d: float, n: int, a: float, b: float) -> tuple[float, float]:
    """x^(-n) in [c, d], n >= 1"""
    p, q, r, s = INFINITY, -INFINITY, INFINITY, -INFINITY
    if d > 0.0:
        inner, outer = _inverse_roots(max(c, 0.0), d, n)
        if n & 1 == 0:
            return _two_sided(inner, outer, a, b)
        p, q = meet(a, b, inner, outer)
    if n & 1 and c < 0.0:
        inner, outer = _inverse_roots(max(-d, 0.0), -c, n)
        r, s = meet(a, b, -outer, -inner)
    return hull(p, q, r, s)


@njit(cache=True)
def reverse_integer_power(c: float, d: float, n: int, a: float, b: float) -> tuple[float, float]:
    """x^n in [c, d], |n| < 2^53"""
    if not (c <= d and a <= b):
        return INFINITY, -INFINITY
    if n < 0:
        return _reverse_inverse_power(c, d, -n, a, b)
    if n == 0:
        return (a, b) if c <= 1.0 <= d else (INFINITY, -INFINITY)
    low, high = root(c, d, n)
    return _two_sided(low, high, a, b) if n & 1 == 0 else meet(a, b, low, high)


@njit(cache=True)
def reverse_exponential(c: float, d: float, a: float, b: float) -> tuple[float, float]:
    """exp(x) in [c, d]"""
    low, high = natural_logarithm(c, d)
    return meet(a, b, low, high)


@njit(cache=True)
def reverse_logarithm(c: float, d: float, a: float, b: float) -> tuple[float, float]:
    """log(x) in [c, d]"""
    low, high = exponential(c, d)
    return meet(a, b, low, high)


@njit(cache=True)
def reverse_arcsine(c: float, d: float, a: float, b: float) -> tuple[float, float]:
    """asin(x) in [c, d]"""
    if not c <= d or c >= HALF_PI_UPPER or d <= -HALF_PI_UPPER:
        return INFINITY, -INFINITY
    low = -1.0 if c <= -HALF_PI_UPPER else sine_in_quadrant(c, 0)[0]
    high = 1.0 if d >= HALF_PI_UPPER else sine_in_quadrant(d, 0)[1]
    return meet(a, b, low, high)


@njit(cache=True)
def reverse_arccosine(c: float, d: float, a: float, b: float) -> tuple[float, float]:
    """acos(x) in [c, d]"""
    if not c <= d or c >= PI_UPPER or d < 0.0:
        return INFINITY, -INFINITY
    low = -1.0 if d > PI_LOWER else sine_in_quadrant(d, 1)[0]
    high = 1.0 if c <= 0.0 else sine_in_quadrant(c, 1)[1]
    return meet(a, b, low, high)


@njit(cache=True)
def reverse_arctangent(c: float, d: float, a: float, b: float) -> tuple[float, float]:
    """atan(x) in [c, d]"""
    if not c <= d or c > HALF_PI_LOWER or d < -HALF_PI_LOWER:
        return INFINITY, -INFINITY
    low = -INFINITY if c < -HALF_PI_LOWER else tangent_in_quadrant(c)[0]
    high = INFINITY if d > HALF_PI_LOWER else tangent_in_quadrant(d)[1]
    return meet(a, b, low, high)


@njit(cache=True)
def reverse_hyperbolic_sine(c: float, d: float, a: float, b: float) -> tuple[float, float]:
    """sinh(x) in [c, d]"""
    low, high = inverse_hyperbolic_sine(c, d)
    return meet(a, b, low, high)


@njit(cache=True)
def reverse_hyperbolic_cosine(c: float, d: float, a: float, b: float) -> tuple[float, float]:
    """cosh(x) in [c, d]"""
    inner, outer = inverse_hyperbolic_cosine(c, d)
    return _two_sided(inner, outer, a, b) if a <= b else (INFINITY, -INFINITY)


@njit(cache=True)
def reverse_hyperbolic_tangent(c: float, d: float, a: float, b: float) -> tuple[float, float]:
    """tanh(x) in [c, d]"""
    low, high = inverse_hyperbolic_tangent(c, d)
    return meet(a, b, low, high)


@njit(cache=True)
def reverse_inverse_hyperbolic_sine(c: float, d: float, a: float, b: float) -> tuple[float, float]:
    """asinh(x) in [c, d]"""
    low, high = hyperbolic_sine(c, d)
    return meet(a, b, low, high)


@njit(cache=True)
def reverse_inverse_hyperbolic_cosine(c: float, d: float, a: float, b: float) -> tuple[float, float]:
    """acosh(x) in [c, d]"""
    low, high = hyperbolic_cosine(max(c, 0.0), d)
    return meet(a, b, low, high)


@njit(cache=True)
def reverse_inverse_hyperbolic_tangent(c: float, d: float, a: float, b: float) -> tuple[float, float]:
    """atanh(x) in [c, d]"""
    low, high = hyperbolic_tangent(c, d)
    return meet(a, b, low, high)


@njit(cache=True)
def reverse_sign(c: float, d: float, a: float, b: float) -> tuple[float, float]:
    """sign(x) in [c, d]"""
    if not (c <= d and a <= b):
        return INFINITY, -INFINITY
    p, q, r, s = INFINITY, -INFINITY, INFINITY, -INFINITY
    if c <= -1.0 <= d and a < 0.0:
        p, q = a, min(b, 0.0)
    if c <= 1.0 <= d and b > 0.0:
        r, s = max(a, 0.0), b
    p, q = hull(p, q, r, s)
    if c <= 0.0 <= d and a <= 0.0 <= b:
        p, q = hull(p, q, 0.0, 0.0)
    return p, q
