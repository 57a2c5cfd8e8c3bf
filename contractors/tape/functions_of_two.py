"""The functions of two numbers, and whole powers, as operations of a tape: range, projections and domain, chosen by
number.

`image_of_two` encloses f over [a, b] x [c, d] and says whether f is defined and continuous on all of it;
`preimages_of_two` encloses what remains of [a, b] and [c, d] where f is to lie in [low, high].
All come from `elementary` and `projections`, where the error bounds are derived.

Defined and continuous on a box is

    atan2            unless the box touches the cut, y = 0 and x <= 0, other than from above with x < 0: the angle of
                     (x, 0) is pi, and tends to it from y > 0 only;
    x^y              for x > 0, and for x >= 0 where y > 0, 0^y = 0 being the limit;
    x^n              for n >= 0, and for x != 0;
    min, max         everywhere.

Projections of even powers draw square roots first, as often as possible; a root of odd order, which is dear, is only
drawn where it may narrow.
"""

from __future__ import annotations

import math

from numba import njit

from certify.contractors.images.images import arctangent2, integer_power, real_power
from certify.contractors.images.preimages import (
    reverse_arctangent2_x,
    reverse_arctangent2_y,
    reverse_integer_power,
    reverse_maximum,
    reverse_minimum,
    reverse_power_base,
    reverse_power_exponent,
)
from certify.contractors.numbers.rounded import INFINITY, above, below
from certify.contractors.tape.tape import Operation

MIN, MAX, ATAN2, POWER = (int(Operation[name]) for name in ("MIN", "MAX", "ATAN2", "POWER"))


@njit(cache=True, error_model="numpy")
def _angle_is_continuous(a: float, b: float, c: float, d: float) -> bool:
    """atan2 over y in [a, b], x in [c, d]: see above."""
    return a > 0.0 or b < 0.0 or c > 0.0 or (a >= 0.0 and d < 0.0)


@njit(cache=True, error_model="numpy")
def image_of_two(operation: int, a: float, b: float, c: float, d: float) -> tuple[float, float, bool]:
    """The range over [a, b] x [c, d], and whether the function is defined and continuous on all of it."""
    if operation == MIN:
        return min(a, c), min(b, d), True
    if operation == MAX:
        return max(a, c), max(b, d), True
    if operation == ATAN2:
        low, high = arctangent2(a, b, c, d)
        return low, high, _angle_is_continuous(a, b, c, d)
    if operation == POWER:
        low, high = real_power(a, b, c, d)
        return low, high, a > 0.0 or (a >= 0.0 and c > 0.0)
    if b <= c:
        return 1.0, 1.0, True
    return 0.0, 0.0 if a >= d else 1.0, True


@njit(cache=True, error_model="numpy")
def preimages_of_two(
    operation: int, low: float, high: float, a: float, b: float, c: float, d: float
) -> tuple[float, float, float, float]:
    """What remains of [a, b] and [c, d] where the function is to lie in [low, high]; the second is narrowed with what
    is left of the first.
    """
    if operation == MIN:
        a, b = reverse_minimum(low, high, c, d, a, b)
        c, d = reverse_minimum(low, high, a, b, c, d)
    elif operation == MAX:
        a, b = reverse_maximum(low, high, c, d, a, b)
        c, d = reverse_maximum(low, high, a, b, c, d)
    elif operation == ATAN2:
        a, b = reverse_arctangent2_y(low, high, c, d, a, b)
        c, d = reverse_arctangent2_x(low, high, a, b, c, d)
    elif operation == POWER:
        a, b = reverse_power_base(low, high, c, d, a, b)
        c, d = reverse_power_exponent(low, high, a, b, c, d)
    return a, b, c, d


@njit(cache=True, error_model="numpy")
def image_of_power(a: float, b: float, n: int) -> tuple[float, float, bool]:
    """The range of x^n over [a, b], and whether it is defined on all of it."""
    low, high = integer_power(a, b, n)
    return low, high, n >= 0 or a > 0.0 or b < 0.0


@njit(cache=True, error_model="numpy")
def preimage_of_power(c: float, d: float, n: int, a: float, b: float) -> tuple[float, float]:
    """What remains of [a, b] where x^n is to lie in [c, d]."""
    if n < 2 or not (a <= b and c <= d):
        return reverse_integer_power(c, d, n, a, b)
    if n & 1:
        low, high = integer_power(a, b, n)
        return (a, b) if c <= low and high <= d else reverse_integer_power(c, d, n, a, b)
    if d < 0.0:
        return INFINITY, -INFINITY
    inner, outer = max(c, 0.0), d
    while n & 1 == 0:
        inner, outer = max(0.0, below(math.sqrt(inner))), above(math.sqrt(outer))
        n >>= 1
    if n > 1:
        low, high = integer_power(max(0.0, max(a, -b)), max(-a, b), n)
        if inner <= low and high <= outer:
            return a, b
        inner, outer = reverse_integer_power(inner, outer, n, 0.0, INFINITY)
    low, high = max(a, inner if a > -inner else -outer), min(b, -inner if b < inner else outer)
    return (low, high) if low <= high else (INFINITY, -INFINITY)
