"""The elementary functions as operations of a tape: range, projection and domain of each, chosen by its number.

`image` encloses f over the part of [a, b] in its domain and says whether f is defined and continuous on all of [a, b];
`preimage` encloses the x of [a, b] with f(x) in [c, d]. Both come from `elementary` and `projections`, where the error
bounds are derived.
"""

from __future__ import annotations

from numba import njit

from contractors.elementary import (
    absolute,
    arccosine,
    arcsine,
    arctangent,
    cosine,
    exponential,
    hyperbolic_cosine,
    hyperbolic_sine,
    hyperbolic_tangent,
    natural_logarithm,
    sine,
    tangent,
)
from contractors.projections import (
    reverse_absolute,
    reverse_arccosine,
    reverse_arcsine,
    reverse_arctangent,
    reverse_cosine,
    reverse_exponential,
    reverse_hyperbolic_cosine,
    reverse_hyperbolic_sine,
    reverse_hyperbolic_tangent,
    reverse_logarithm,
    reverse_sine,
    reverse_tangent,
)
from contractors.tape import Operation

SIN, COS, TAN, EXP, LOG = (int(Operation[name]) for name in ("SIN", "COS", "TAN", "EXP", "LOG"))
ASIN, ACOS, ATAN = (int(Operation[name]) for name in ("ASIN", "ACOS", "ATAN"))
SINH, COSH, TANH, ABS = (int(Operation[name]) for name in ("SINH", "COSH", "TANH", "ABS"))


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
    else:
        low, high = absolute(a, b)
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
    return reverse_absolute(c, d, a, b)
