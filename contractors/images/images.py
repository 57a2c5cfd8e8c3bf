"""Every elementary function as an interval operation [a, b] -> [low, high] in the set-based sense of IEEE 1788.

{f(x): x in [a, b], f defined at x} lies in [low, high]. Empty is (infinity, -infinity), passed on by every operation;
an infinite end means unbounded reals; NaN never appears.

Ends of + - * / square and root are the tightest: the rounding error of an end is known exactly (a sum of two doubles,
a product, a remainder; Dekker 1971), and its sign tells on which side of the true end the rounded one lies. Only next
to the least or the largest double an end may be one double wider. Ends of the others are at most two doubles from the
tightest, three where they are subnormal; these are collected from

    exponential               exponential, natural_logarithm
    powers                    integer_power, real_power, root
    trigonometric             sine, cosine, tangent
    inverse_trigonometric     arcsine, arccosine, arctangent, arctangent2
    hyperbolic                hyperbolic_sine, ..._cosine, ..._tangent, inverse_hyperbolic_sine, ..._cosine, ..._tangent

The operations of `arithmetic` with the same names are the ones that tapes use: quicker, an end up to one double wider,
operands not empty.
"""

from __future__ import annotations

import math

from numba import njit

from certify.contractors.numbers.double_double import two_product, two_sum
from certify.contractors.numbers.exponential import exponential, natural_logarithm
from certify.contractors.numbers.hyperbolic import (
    hyperbolic_cosine,
    hyperbolic_sine,
    hyperbolic_tangent,
    inverse_hyperbolic_cosine,
    inverse_hyperbolic_sine,
    inverse_hyperbolic_tangent,
)
from certify.contractors.numbers.inverse_trigonometric import arccosine, arcsine, arctangent, arctangent2
from certify.contractors.numbers.powers import integer_power, real_power, root
from certify.contractors.numbers.rounded import INFINITY, above, below
from certify.contractors.numbers.trigonometric import cosine, sine, tangent

__all__ = [
    "absolute", "add", "arccosine", "arcsine", "arctangent", "arctangent2", "cosine", "divide", "exponential", "hull",
    "hyperbolic_cosine",
    "hyperbolic_sine", "hyperbolic_tangent", "integer_power", "inverse_hyperbolic_cosine", "inverse_hyperbolic_sine",
    "inverse_hyperbolic_tangent", "maximum", "meet", "minimum", "multiply", "natural_logarithm", "negate",
    "real_power", "root", "sign",
    "sine", "square", "square_root", "subtract", "tangent",
]  # fmt: skip

_SMALL, _LARGE = 2.0**-300, 2.0**300


@njit(cache=True)
def _product_remainder(x: float, y: float, p: float) -> float:
    """A number with the sign of x y - p, for finite x, y and p = fl(x y).

    Within 2^-300 and 2^300 it is Dekker's error term. Elsewhere both are scaled to mantissas of [1/2, 1), where their
    product q + e is exact and p, scaled likewise, lies within a factor of 2 of q (or is 0), so that the difference q -
    p is exact by Sterbenz and only the last sum is rounded.
    """
    if x == 0.0 or y == 0.0:
        return 0.0
    if _SMALL < abs(x) < _LARGE and _SMALL < abs(y) < _LARGE:
        return two_product(x, y)[1]
    m, i = math.frexp(x)
    n, j = math.frexp(y)
    q, e = two_product(m, n)
    return (q - math.ldexp(p, -i - j)) + e


@njit(cache=True)
def _quotient_remainder(x: float, y: float, q: float) -> float:
    """A number with the sign of x / y - q, for finite x, y != 0 and q = fl(x / y): that of (x - q y) y, from mantissas
    as in `_product_remainder`.
    """
    if x == 0.0:
        return 0.0
    if not (_SMALL < abs(x) < _LARGE and _SMALL < abs(y) < _LARGE):
        x, i = math.frexp(x)
        y, j = math.frexp(y)
        q = math.ldexp(q, j - i)
    p, e = two_product(q, y)
    rest = (x - p) - e
    return rest if y > 0.0 else -rest


@njit(cache=True)
def _sum(x: float, y: float, upwards: bool) -> float:
    """x + y rounded downwards or upwards. TwoSum's error is exact, or NaN after an overflow."""
    s, rest = two_sum(x, y)
    if upwards:
        return s if rest <= 0.0 else above(s)
    return s if rest >= 0.0 else below(s)


@njit(cache=True)
def _product(x: float, y: float, upwards: bool) -> float:
    """x y rounded downwards or upwards; 0 times infinity is 0, infinity in place of an end stands for
    unbounded reals.
    """
    p = x * y
    if p != p:
        return 0.0
    rest = _product_remainder(x, y, p) if abs(p) < INFINITY else math.nan
    if upwards:
        return p if rest <= 0.0 else above(p)
    return p if rest >= 0.0 else below(p)


@njit(cache=True)
def _quotient(x: float, y: float, upwards: bool) -> float:
    """x / y rounded downwards or upwards, y != 0; infinity over infinity is 0, and so is a finite number over infinity,
    the limit.
    """
    q = x / y if y != 0.0 else math.nan
    if q != q or abs(y) == INFINITY:
        return 0.0
    rest = _quotient_remainder(x, y, q) if abs(q) < INFINITY else math.nan
    if upwards:
        return q if rest <= 0.0 else above(q)
    return q if rest >= 0.0 else below(q)


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
    return (_sum(a, c, False), _sum(b, d, True)) if a <= b and c <= d else (INFINITY, -INFINITY)


@njit(cache=True)
def subtract(a: float, b: float, c: float, d: float) -> tuple[float, float]:
    """[a, b] - [c, d]"""
    return (_sum(a, -d, False), _sum(b, -c, True)) if a <= b and c <= d else (INFINITY, -INFINITY)


@njit(cache=True)
def multiply(a: float, b: float, c: float, d: float) -> tuple[float, float]:
    """[a, b] [c, d]"""
    if not (a <= b and c <= d):
        return INFINITY, -INFINITY
    low = min(min(_product(a, c, False), _product(a, d, False)), min(_product(b, c, False), _product(b, d, False)))
    return low, max(max(_product(a, c, True), _product(a, d, True)), max(_product(b, c, True), _product(b, d, True)))


@njit(cache=True)
def divide(a: float, b: float, c: float, d: float) -> tuple[float, float]:
    """[a, b] / [c, d] over divisors other than 0, their hull.

    Where the divisor touches 0 and the dividend has one sign, the quotients reach from the one at the divisor's far end
    to infinity.
    """
    if not (a <= b and c <= d) or (c == 0.0 and d == 0.0):
        return INFINITY, -INFINITY
    if c > 0.0 or d < 0.0:
        low = min(
            min(_quotient(a, c, False), _quotient(a, d, False)), min(_quotient(b, c, False), _quotient(b, d, False))
        )
        return low, max(
            max(_quotient(a, c, True), _quotient(a, d, True)), max(_quotient(b, c, True), _quotient(b, d, True))
        )
    if a == 0.0 and b == 0.0:
        return 0.0, 0.0
    if (a < 0.0 and b > 0.0) or (c < 0.0 and d > 0.0):
        return -INFINITY, INFINITY
    if c == 0.0:
        return (_quotient(a, d, False), INFINITY) if a >= 0.0 else (-INFINITY, _quotient(b, d, True))
    return (-INFINITY, _quotient(a, c, True)) if a >= 0.0 else (_quotient(b, c, False), INFINITY)


@njit(cache=True)
def negate(a: float, b: float) -> tuple[float, float]:
    """-[a, b]"""
    return -b, -a


@njit(cache=True)
def square(a: float, b: float) -> tuple[float, float]:
    """[a, b] squared"""
    if not a <= b:
        return INFINITY, -INFINITY
    inner, outer = max(0.0, max(a, -b)), max(-a, b)
    return _product(inner, inner, False), _product(outer, outer, True)


@njit(cache=True)
def _root(x: float, upwards: bool) -> float:
    """sqrt(x) rounded downwards or upwards, x >= 0; x is scaled by an even power of two to where s^2 is exact as a
    pair.
    """
    s = math.sqrt(x)
    if x == 0.0 or s == INFINITY:
        return s
    if not _SMALL < x < _LARGE:
        factor = 2.0**300 if x < 1.0 else 2.0**-300
        x, t = x * factor * factor, s * factor
    else:
        t = s
    p, e = two_product(t, t)
    rest = (x - p) - e
    if upwards:
        return s if rest <= 0.0 else above(s)
    return s if rest >= 0.0 else below(s)


@njit(cache=True)
def square_root(a: float, b: float) -> tuple[float, float]:
    """The root of the part of [a, b] that is not negative."""
    if not a <= b or b < 0.0:
        return INFINITY, -INFINITY
    return _root(max(a, 0.0), False), _root(b, True)


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
