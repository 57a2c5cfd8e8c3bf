"""Reverse sin, cos and tan: the hull of {x in [a, b]: f(x) in [c, d]}, from the first solution on either side.

From a, if f(a) may lie in [c, d], a stays. Otherwise f must fall to d or rise to c, and where it does so first is known
from the branch of a: with q = floor(2a/pi) and A = asin, sin takes the value v on branch m = floor((q + 1)/2), [m pi -
pi/2, m pi + pi/2], at m pi + A(v) for even m (rising) and m pi - A(v) for odd m (falling); cos on branch m =
floor(q/2), [m pi, (m + 1) pi], at m pi + acos(v) for even m (falling) and (m + 1) pi - acos(v) for odd m; tan on branch
m = floor((q + 1)/2) at m pi + atan(v). If that branch of a goes the wrong way it is the next one. The right end is the
left end of f(-x). No counting of periods, so width does not matter; *keeps* every solution.

For |a| >= 2^26, q is known modulo 4 only; the distance from a to the solution is taken from the reduced angle, a - q
pi/2, instead.
"""

from __future__ import annotations

from numba import njit

from certify.contractors.images.images import meet
from certify.contractors.numbers.argument_reduction import CODY_WAITE, reduce_angle
from certify.contractors.numbers.double_double import round_down, two_sum
from certify.contractors.numbers.enclosures import PI_LOWER
from certify.contractors.numbers.exact_constants import head_and_rest, pi
from certify.contractors.numbers.inverse_trigonometric import arccosine_at, arcsine_at, arctangent_at
from certify.contractors.numbers.rounded import INFINITY
from certify.contractors.numbers.trigonometric import sine_in_quadrant, tangent_in_quadrant

_PI_HEAD, _PI_TAIL = head_and_rest(pi(), (24,))


@njit(cache=True)
def _locate(a: float, q: int, m: int, offset: float) -> float:
    """A lower bound of the solution m pi + t, t >= offset, that is known to be at or beyond a.

    Near: m times the head of pi (26 bits, |m| < 2^25) is exact, the tail below 2^-24 is rounded by 2^-77 m, below 2^-70
    of the sum. Far: a = q' pi/2 + f with q' = q mod 4; the distance (2 m - q') pi/2 + t - f < 20 is rounded by less
    than 2^-46, far below ulp(a).
    """
    if abs(a) < CODY_WAITE:
        if m == 0:
            return max(a, offset)
        s, e = two_sum(m * _PI_HEAD, offset)
        return max(a, round_down(s, e + m * _PI_TAIL - abs(s) * 2.0**-70))
    _, y, _ = reduce_angle(a)
    n = q + 1 if y < 0.0 else q
    distance = (2 * m - n) * (0.5 * PI_LOWER) + offset - y
    s, e = two_sum(a, max(0.0, distance - 2.0**-46))
    return max(a, round_down(s, e))


@njit(cache=True)
def _first_sine(a: float, c: float, d: float) -> float:
    """A lower bound of the first x >= a with sin x in [c, d], a part of [-1, 1]."""
    if a == -INFINITY:
        return a
    low, high, q = sine_in_quadrant(a, 0)
    if low <= d and high >= c:
        return a
    m = (q + 1) >> 1
    if low > d:
        return _locate(a, q, m | 1, -arcsine_at(d)[1])
    return _locate(a, q, (m + 1) & -2, arcsine_at(c)[0])


@njit(cache=True)
def _first_cosine(a: float, c: float, d: float) -> float:
    """A lower bound of the first x >= a with cos x in [c, d], a part of [-1, 1]."""
    if a == -INFINITY:
        return a
    low, high, q = sine_in_quadrant(a, 1)
    if low <= d and high >= c:
        return a
    q -= 1
    m = q >> 1
    if low > d:
        return _locate(a, q, (m + 1) & -2, arccosine_at(d)[0])
    return _locate(a, q, (m | 1) + 1, -arccosine_at(c)[1])


@njit(cache=True)
def _first_tangent(a: float, c: float, d: float) -> float:
    """A lower bound of the first x >= a with tan x in [c, d]."""
    if a == -INFINITY:
        return a
    low, high, q = tangent_in_quadrant(a)
    if low <= d and high >= c:
        return a
    m = (q + 1) >> 1
    return _locate(a, q, m + 1 if low > d else m, arctangent_at(c)[0])


@njit(cache=True)
def reverse_sine(c: float, d: float, a: float, b: float) -> tuple[float, float]:
    """x in [a, b] with sin x in [c, d]"""
    c, d = meet(c, d, -1.0, 1.0)
    if c > d or not a <= b:
        return INFINITY, -INFINITY
    return meet(_first_sine(a, c, d), b, a, -_first_sine(-b, -d, -c))


@njit(cache=True)
def reverse_cosine(c: float, d: float, a: float, b: float) -> tuple[float, float]:
    """x in [a, b] with cos x in [c, d]"""
    c, d = meet(c, d, -1.0, 1.0)
    if c > d or not a <= b:
        return INFINITY, -INFINITY
    return meet(_first_cosine(a, c, d), b, a, -_first_cosine(-b, c, d))


@njit(cache=True)
def reverse_tangent(c: float, d: float, a: float, b: float) -> tuple[float, float]:
    """x in [a, b] with tan x in [c, d]"""
    if not (c <= d and a <= b):
        return INFINITY, -INFINITY
    return meet(_first_tangent(a, c, d), b, a, -_first_tangent(-b, -d, -c))
