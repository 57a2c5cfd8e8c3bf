"""The elementary functions as operations of a tape: range, projection and domain of each, chosen by its number.

`image` encloses f over the part of [a, b] in its domain and says whether f is defined and continuous on all of [a, b];
`preimage` encloses the x of [a, b] with f(x) in [c, d]. `image_of_two` and `preimages_of_two` do the same for two operands.
All come from `elementary` and `projections`, where the error bounds are derived.

Defined and continuous on a box is

    sign             unless 0 lies in [a, b] and is not all of it;
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

from contractors.arithmetic import INFINITY, above, below
from contractors.elementary import (
    absolute,
    arccosine,
    arcsine,
    arctangent,
    arctangent2,
    cosine,
    exponential,
    hyperbolic_cosine,
    hyperbolic_sine,
    hyperbolic_tangent,
    integer_power,
    inverse_hyperbolic_cosine,
    inverse_hyperbolic_sine,
    inverse_hyperbolic_tangent,
    natural_logarithm,
    real_power,
    sign,
    sine,
    tangent,
)
from contractors.projections import (
    reverse_absolute,
    reverse_arccosine,
    reverse_arcsine,
    reverse_arctangent,
    reverse_arctangent2_x,
    reverse_arctangent2_y,
    reverse_cosine,
    reverse_exponential,
    reverse_hyperbolic_cosine,
    reverse_hyperbolic_sine,
    reverse_hyperbolic_tangent,
    reverse_integer_power,
    reverse_inverse_hyperbolic_cosine,
    reverse_inverse_hyperbolic_sine,
    reverse_inverse_hyperbolic_tangent,
    reverse_logarithm,
    reverse_maximum,
    reverse_minimum,
    reverse_power_base,
    reverse_power_exponent,
    reverse_sign,
    reverse_sine,
    reverse_tangent,
)
from contractors.tape import Operation

SIN, COS, TAN, EXP, LOG = (int(Operation[name]) for name in ("SIN", "COS", "TAN", "EXP", "LOG"))
ASIN, ACOS, ATAN = (int(Operation[name]) for name in ("ASIN", "ACOS", "ATAN"))
SINH, COSH, TANH, ABS = (int(Operation[name]) for name in ("SINH", "COSH", "TANH", "ABS"))
ASINH, ACOSH, ATANH, SIGN = (int(Operation[name]) for name in ("ASINH", "ACOSH", "ATANH", "SIGN"))
MIN, MAX, LESS, ATAN2, POWER = (int(Operation[name]) for name in ("MIN", "MAX", "LESS", "ATAN2", "POWER"))


@njit(cache=True, error_model="numpy")
def image(operation: int, a: float, b: float) -> tuple[float, float, bool]:
    """The range over [a, b], and whether the function is defined on all of it."""
    defined = True
    if operation == SIN:
        low, high = sine(a, b)
    elif operation == COS:
        low, high = cosine(a, b)
    elif operation == EXP:
        low, high = exponential(a, b)
    elif operation == LOG:
        low, high = natural_logarithm(a, b)
        defined = a > 0.0
    elif operation == TAN:
        low, high = tangent(a, b)
        defined = low > -1e308 and high < 1e308
    elif operation == ASIN:
        low, high = arcsine(a, b)
        defined = a >= -1.0 and b <= 1.0
    elif operation == ACOS:
        low, high = arccosine(a, b)
        defined = a >= -1.0 and b <= 1.0
    elif operation == ATAN:
        low, high = arctangent(a, b)
    elif operation == SINH:
        low, high = hyperbolic_sine(a, b)
    elif operation == COSH:
        low, high = hyperbolic_cosine(a, b)
    elif operation == TANH:
        low, high = hyperbolic_tangent(a, b)
    elif operation == ABS:
        low, high = absolute(a, b)
    elif operation == ASINH:
        low, high = inverse_hyperbolic_sine(a, b)
    elif operation == ACOSH:
        low, high = inverse_hyperbolic_cosine(a, b)
        defined = a >= 1.0
    elif operation == ATANH:
        low, high = inverse_hyperbolic_tangent(a, b)
        defined = a > -1.0 and b < 1.0
    else:
        jumps = a <= 0.0 <= b and a < b
        defined = not jumps
        if operation == SIGN:
            low, high = sign(a, b)
        else:
            low, high = 0.0, INFINITY if jumps else 0.0
    return low, high, defined


@njit(cache=True, error_model="numpy")
def preimage(operation: int, c: float, d: float, a: float, b: float) -> tuple[float, float]:
    """What remains of [a, b] where the function is to lie in [c, d]."""
    if operation == SIN:
        return reverse_sine(c, d, a, b)
    if operation == COS:
        return reverse_cosine(c, d, a, b)
    if operation == EXP:
        return reverse_exponential(c, d, a, b)
    if operation == LOG:
        return reverse_logarithm(c, d, a, b)
    if operation == TAN:
        return reverse_tangent(c, d, a, b)
    if operation == ASIN:
        return reverse_arcsine(c, d, a, b)
    if operation == ACOS:
        return reverse_arccosine(c, d, a, b)
    if operation == ATAN:
        return reverse_arctangent(c, d, a, b)
    if operation == SINH:
        return reverse_hyperbolic_sine(c, d, a, b)
    if operation == COSH:
        return reverse_hyperbolic_cosine(c, d, a, b)
    if operation == TANH:
        return reverse_hyperbolic_tangent(c, d, a, b)
    if operation == ABS:
        return reverse_absolute(c, d, a, b)
    if operation == ASINH:
        return reverse_inverse_hyperbolic_sine(c, d, a, b)
    if operation == ACOSH:
        return reverse_inverse_hyperbolic_cosine(c, d, a, b)
    if operation == ATANH:
        return reverse_inverse_hyperbolic_tangent(c, d, a, b)
    if operation == SIGN:
        return reverse_sign(c, d, a, b)
    return a, b


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
def preimages_of_two(operation: int, low: float, high: float, a: float, b: float, c: float, d: float) -> tuple[float, float, float, float]:
    """What remains of [a, b] and [c, d] where the function is to lie in [low, high]; the second is narrowed with what is left of the first."""
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
