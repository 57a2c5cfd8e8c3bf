"""Every elementary function as an interval operation [a, b] -> [low, high] in the set-based sense of IEEE 1788.

{f(x): x in [a, b], f defined at x} lies in [low, high]. Empty is (infinity, -infinity), passed on by every operation; an infinite end means
unbounded reals; NaN never appears. Ends are at most one double from the tightest for + - * / sqrt, two for the others (three where they are
subnormal). Here stand the operations without rounding; the others are collected from their files:

    arithmetic                multiply, divide, divide_extended, square, square_root
    exponential               exponential, natural_logarithm
    powers                    integer_power, real_power, root
    trigonometric             sine, cosine, tangent
    inverse_trigonometric     arcsine, arccosine, arctangent, arctangent2
    hyperbolic                hyperbolic_sine, ..._cosine, ..._tangent, inverse_hyperbolic_sine, ..._cosine, ..._tangent

`arithmetic` assumes operands that are not empty; the five operations of this file with the same names do not.
"""

from __future__ import annotations

from numba import njit

from contractors import arithmetic
from contractors.arithmetic import INFINITY, above, below
from contractors.exponential import exponential, natural_logarithm
from contractors.hyperbolic import (
    hyperbolic_cosine,
    hyperbolic_sine,
    hyperbolic_tangent,
    inverse_hyperbolic_cosine,
    inverse_hyperbolic_sine,
    inverse_hyperbolic_tangent,
)
from contractors.inverse_trigonometric import arccosine, arcsine, arctangent, arctangent2
from contractors.powers import integer_power, real_power, root
from contractors.trigonometric import cosine, sine, tangent

__all__ = [
    "absolute", "add", "arccosine", "arcsine", "arctangent", "arctangent2", "cosine", "divide", "exponential", "hull", "hyperbolic_cosine",
    "hyperbolic_sine", "hyperbolic_tangent", "integer_power", "inverse_hyperbolic_cosine", "inverse_hyperbolic_sine",
    "inverse_hyperbolic_tangent", "maximum", "meet", "minimum", "multiply", "natural_logarithm", "negate", "real_power", "root", "sign",
    "sine", "square", "square_root", "subtract", "tangent",
]  # fmt: skip

_multiply, _divide, _square, _square_root = arithmetic.multiply, arithmetic.divide_extended, arithmetic.square, arithmetic.square_root


@njit(cache=True)
def meet(a: float, b: float, c: float, d: float) -> tuple[float, float]:
    """[a, b] and [c, d] in common."""
    low, high = max(a, c), min(b, d)
    return (low, high) if low <= high else (INFINITY, -INFINITY)


@njit(cache=True)
def hull(a: float, b: float, c: float, d: float) -> tuple[float, float]:
    """The least interval with both; the empty one is (infinity, -infinity)."""
    return min(a, c), max(b, d)


@njit(cache=True)
def add(a: float, b: float, c: float, d: float) -> tuple[float, float]:
    """[a, b] + [c, d]"""
    return (below(a + c), above(b + d)) if a <= b and c <= d else (INFINITY, -INFINITY)


@njit(cache=True)
def subtract(a: float, b: float, c: float, d: float) -> tuple[float, float]:
    """[a, b] - [c, d]"""
    return (below(a - d), above(b - c)) if a <= b and c <= d else (INFINITY, -INFINITY)


@njit(cache=True)
def multiply(a: float, b: float, c: float, d: float) -> tuple[float, float]:
    """[a, b] [c, d]; an end is 0 where the signs say so."""
    if not (a <= b and c <= d):
        return INFINITY, -INFINITY
    low, high = _multiply(a, b, c, d)
    if not ((a < 0.0 and d > 0.0) or (b > 0.0 and c < 0.0)):  # no product is negative
        low = max(low, 0.0)
    if not ((a < 0.0 and c < 0.0) or (b > 0.0 and d > 0.0)):  # none is positive
        high = min(high, 0.0)
    return low, high


@njit(cache=True)
def divide(a: float, b: float, c: float, d: float) -> tuple[float, float]:
    """[a, b] / [c, d] over divisors other than 0, their hull."""
    return _divide(a, b, c, d) if a <= b and c <= d else (INFINITY, -INFINITY)


@njit(cache=True)
def negate(a: float, b: float) -> tuple[float, float]:
    """-[a, b]"""
    return -b, -a


@njit(cache=True)
def square(a: float, b: float) -> tuple[float, float]:
    """[a, b] squared"""
    return _square(a, b) if a <= b else (INFINITY, -INFINITY)


@njit(cache=True)
def square_root(a: float, b: float) -> tuple[float, float]:
    """The root of the part of [a, b] that is not negative."""
    if not a <= b or b < 0.0:
        return INFINITY, -INFINITY
    low, high = _square_root(a, b)
    return low, high if b > 0.0 else 0.0


@njit(cache=True)
def absolute(a: float, b: float) -> tuple[float, float]:
    """|[a, b]|"""
    return (max(0.0, max(a, -b)), max(-a, b)) if a <= b else (INFINITY, -INFINITY)


@njit(cache=True)
def sign(a: float, b: float) -> tuple[float, float]:
    """-1, 0 or 1"""
    if not a <= b:
        return INFINITY, -INFINITY
    low = -1.0 if a < 0.0 else (0.0 if a == 0.0 else 1.0)
    return low, 1.0 if b > 0.0 else (0.0 if b == 0.0 else -1.0)


@njit(cache=True)
def minimum(a: float, b: float, c: float, d: float) -> tuple[float, float]:
    """min(x, y) over x in [a, b], y in [c, d]"""
    return (min(a, c), min(b, d)) if a <= b and c <= d else (INFINITY, -INFINITY)


@njit(cache=True)
def maximum(a: float, b: float, c: float, d: float) -> tuple[float, float]:
    """max(x, y) over x in [a, b], y in [c, d]"""
    return (max(a, c), max(b, d)) if a <= b and c <= d else (INFINITY, -INFINITY)
