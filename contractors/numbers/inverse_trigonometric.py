"""atan, atan2, asin and acos: one kernel for the angle of a point (x, y) given in pairs.

For 0 <= y <= x: c = i/64 nearest to y/x, atan(y/x) = atan c + atan t, t = (y - c x)/(x + c y), |t| <= 2^-7 + 2^-40, t
in a pair with an error below 2^-98 (relative where i = 0, else against atan c >= 2^-6.1). atan t = t - t^3/3 + t^5/5 -
t^7/7 + t^9/9: the remainder is below 2^-73 |t|, the terms from t^3/3 < 2^-15.5 |t| on carry six roundings, 2^-65.9;
sums of such terms 2^-67. Together below 2^-65. The angle is then pi/2 -+, or pi -, this one of at most pi/4 + 2^-40: no
cancellation. Claimed 2^-64.

asin x = angle(sqrt(1 - x^2), x), acos x = angle(x, sqrt(1 - x^2)), with 1 - x^2 = (1 - x)(1 + x) as a product of exact
pairs. For |x| < 2^-27, x (1 - 2^-55) < atan x < x < asin x < x (1 + 2^-55): x and its neighbour.

atan2 over a box, IEEE 1788: (0, 0) is outside the domain, the angle lies in (-pi, pi]. For y >= 0 it grows to the left;
the extreme corners are the ones seen from the origin as outermost. For y < 0 mirror; across y = 0 with x < 0 the hull
is [-pi, pi].
"""

from __future__ import annotations

from numba import njit

from certify.contractors.numbers.argument_reduction import HALF_PI, HALF_PI_TAIL
from certify.contractors.numbers.double_double import (
    divide_pairs,
    enclose,
    exponent,
    fast_two_sum,
    multiply_pairs,
    power_of_two,
    root_of_pair,
    two_product,
    two_sum,
)
from certify.contractors.numbers.enclosures import PI_LOWER, PI_UPPER
from certify.contractors.numbers.exact_constants import arctangent as arctangent_of_rational
from certify.contractors.numbers.exact_constants import table
from certify.contractors.numbers.rounded import INFINITY, above, below

CLAIM = 2.0**-64 + 2.0**-90
_TINY = 2.0**-27
_FAR = 2.0**64
HALF_PI_UPPER = PI_UPPER / 2.0  # halving is exact
HALF_PI_LOWER = PI_LOWER / 2.0

_TABLE = table([arctangent_of_rational(i, 64) for i in range(66)])


@njit(cache=True)
def _angle_below_45(x: float, x1: float, y: float, y1: float) -> tuple[float, float]:
    i = int(y / x * 64.0 + 0.5)
    c = i * 0.015625
    p, q = two_product(c, x)
    n, n1 = two_sum(y, -p)
    n, n1 = two_sum(n, n1 - q + (y1 - c * x1))
    p, q = two_product(c, y)
    d, d1 = two_sum(x, p)
    d, d1 = fast_two_sum(d, d1 + q + (x1 + c * y1))
    t, t1 = divide_pairs(n, n1, d, d1)
    u = t * t
    rest = t * u * (-1 / 3 + u * (1 / 5 + u * (-1 / 7 + u * (1 / 9))))
    h, e = two_sum(_TABLE[i, 0], t)
    return fast_two_sum(h, e + (_TABLE[i, 1] + (t1 + rest)))


@njit(cache=True)
def angle(x: float, x1: float, y: float, y1: float) -> tuple[float, float]:
    """The angle in [0, pi] of (x + x1, y + y1) as a pair, relative error below 2^-64; y >= 0, x and y within 2^-64 and
    2^500 in size and ratio.
    """
    left = x < 0.0
    if left:
        x, x1 = -x, -x1
    steep = y > x or (y == x and y1 > x1)
    h, e = _angle_below_45(y, y1, x, x1) if steep else _angle_below_45(x, x1, y, y1)
    if not steep and not left:
        return h, e
    if steep:
        base, tail, s = HALF_PI, HALF_PI_TAIL, 1.0 if left else -1.0
    else:
        base, tail, s = 2.0 * HALF_PI, 2.0 * HALF_PI_TAIL, -1.0
    p, q = fast_two_sum(base, s * h)
    return fast_two_sum(p, q + (tail + s * e))


@njit(cache=True)
def arctangent_at(x: float) -> tuple[float, float]:
    """Encloses atan(x)."""
    size = abs(x)
    if size < _TINY:
        low, high = (below(size) if size > 0.0 else 0.0), size
    elif size > _FAR:
        low, high = HALF_PI_LOWER, HALF_PI_UPPER
    else:
        h, e = angle(1.0, 0.0, size, 0.0)
        low, high = enclose(h, e, CLAIM)
    return (low, high) if x >= 0.0 else (-high, -low)


@njit(cache=True)
def arctangent(a: float, b: float) -> tuple[float, float]:
    """atan([a, b])"""
    if not a <= b:
        return INFINITY, -INFINITY
    return arctangent_at(a)[0], arctangent_at(b)[1]


@njit(cache=True)
def _cosine_of_arcsine(x: float) -> tuple[float, float]:
    """sqrt(1 - x^2), |x| < 1, relative error below 2^-99."""
    a, b = two_sum(1.0, -x)
    c, d = two_sum(1.0, x)
    p, e = multiply_pairs(a, b, c, d)
    return root_of_pair(p, e)


@njit(cache=True)
def arcsine_at(x: float) -> tuple[float, float]:
    """Encloses asin(x), |x| <= 1."""
    size = abs(x)
    if size < _TINY:
        low, high = size, (above(size) if size > 0.0 else 0.0)
    elif size == 1.0:
        low, high = HALF_PI_LOWER, HALF_PI_UPPER
    else:
        r, e = _cosine_of_arcsine(size)
        h, e = angle(r, e, size, 0.0)
        low, high = enclose(h, e, CLAIM)
    return (low, high) if x >= 0.0 else (-high, -low)


@njit(cache=True)
def arcsine(a: float, b: float) -> tuple[float, float]:
    """asin([a, b]) within [-1, 1]"""
    if not a <= b or a > 1.0 or b < -1.0:
        return INFINITY, -INFINITY
    return arcsine_at(max(a, -1.0))[0], arcsine_at(min(b, 1.0))[1]


@njit(cache=True)
def arccosine_at(x: float) -> tuple[float, float]:
    """Encloses acos(x), |x| <= 1; for tiny x, acos lies within 2^-60 of pi/2 - x."""
    if abs(x) == 1.0:
        return (0.0, 0.0) if x > 0.0 else (PI_LOWER, PI_UPPER)
    if abs(x) < 2.0**-60:
        if abs(x) < 2.0**-100:
            return HALF_PI_LOWER, HALF_PI_UPPER
        h, e = fast_two_sum(HALF_PI, HALF_PI_TAIL - x)
    else:
        r, e = _cosine_of_arcsine(x)
        h, e = angle(x, 0.0, r, e)
    return enclose(h, e, CLAIM)


@njit(cache=True)
def arccosine(a: float, b: float) -> tuple[float, float]:
    """acos([a, b]) within [-1, 1]"""
    if not a <= b or a > 1.0 or b < -1.0:
        return INFINITY, -INFINITY
    return arccosine_at(min(b, 1.0))[0], arccosine_at(max(a, -1.0))[1]


@njit(cache=True)
def _far_apart(x: float, y: float) -> tuple[float, float]:
    """Encloses the angle of (x, y), y > 0, one 2^64 times the other: off the axis by less than 2^-64; on the right, q
    (1 - q^2/3) < atan q < q.
    """
    if y > abs(x):
        return HALF_PI_LOWER, HALF_PI_UPPER
    if x < 0.0:
        return PI_LOWER, PI_UPPER
    return max(0.0, below(y / x)), above(y / x)


@njit(cache=True)
def angle_at(x: float, y: float) -> tuple[float, float]:
    """Encloses the angle of (x, y), y >= 0, not both 0; infinities as limits."""
    if y == 0.0:
        return (0.0, 0.0) if x > 0.0 else (PI_LOWER, PI_UPPER)
    size, least = max(abs(x), y), min(abs(x), y)
    if least <= size * 2.0**-64 or size == INFINITY:
        return _far_apart(x, y) if y < INFINITY or abs(x) < INFINITY else (0.0, PI_UPPER)
    if size > 2.0**500:
        x, y = x * 2.0**-600, y * 2.0**-600
    elif size < 2.0**-300:
        x, y = x * 2.0**600, y * 2.0**600
        factor = power_of_two(-exponent(max(abs(x), y)))
        x, y = x * factor, y * factor
    h, e = angle(x, 0.0, y, 0.0)
    return enclose(h, e, CLAIM)


@njit(cache=True)
def _upper_half(y_low: float, y_high: float, x_low: float, x_high: float) -> tuple[float, float]:
    """Angles of a box with y >= 0 that is more than the origin."""
    if y_high == 0.0:
        return (0.0 if x_high > 0.0 else PI_LOWER), (PI_UPPER if x_low < 0.0 else 0.0)
    low = angle_at(x_high, y_low if x_high > 0.0 else y_high)[0]
    return low, angle_at(x_low, y_low if x_low < 0.0 else y_high)[1]


@njit(cache=True)
def arctangent2(y_low: float, y_high: float, x_low: float, x_high: float) -> tuple[float, float]:
    """atan2 over y in [y_low, y_high], x in [x_low, x_high], without (0, 0)."""
    if not (y_low <= y_high and x_low <= x_high) or (y_low == 0.0 and y_high == 0.0 and x_low == 0.0 and x_high == 0.0):
        return INFINITY, -INFINITY
    if y_low >= 0.0:
        return _upper_half(y_low, y_high, x_low, x_high)
    if y_high < 0.0:
        low, high = _upper_half(-y_high, -y_low, x_low, x_high)
        return -high, -low
    if x_low < 0.0:
        return -PI_UPPER, PI_UPPER
    low = -angle_at(x_low, -y_low)[1]
    if y_high == 0.0:
        return low, 0.0 if x_high > 0.0 else -HALF_PI_LOWER
    return low, angle_at(x_low, y_high)[1]
