"""The functions of one number as operations of a tape: the table of their slopes and domains, and their ranges and
projections by number.

`image` encloses f over the part of [a, b] in its domain and says whether f is defined and continuous on all of [a, b];
`preimage` encloses the x of [a, b] with f(x) in [c, d]. All come from `elementary`, `projections` and files of single
functions, where the error bounds are derived. `FUNCTIONS` has what is said of each on a tape: its slope, and where it
is undefined.

Defined and continuous on a box is sign unless 0 lies in [a, b] and is not all of it, and the others where they are
defined.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from numba import njit

from certify.contractors.images.images import (
    absolute,
    arccosine,
    arcsine,
    arctangent,
    cosine,
    exponential,
    hyperbolic_cosine,
    hyperbolic_sine,
    hyperbolic_tangent,
    inverse_hyperbolic_cosine,
    inverse_hyperbolic_sine,
    inverse_hyperbolic_tangent,
    natural_logarithm,
    sign,
    sine,
    tangent,
)
from certify.contractors.images.preimages import (
    reverse_absolute,
    reverse_arccosine,
    reverse_arcsine,
    reverse_arctangent,
    reverse_cosine,
    reverse_exponential,
    reverse_hyperbolic_cosine,
    reverse_hyperbolic_sine,
    reverse_hyperbolic_tangent,
    reverse_inverse_hyperbolic_cosine,
    reverse_inverse_hyperbolic_sine,
    reverse_inverse_hyperbolic_tangent,
    reverse_logarithm,
    reverse_sign,
    reverse_sine,
    reverse_tangent,
)
from certify.contractors.numbers.error_function import error_function, reverse_error_function
from certify.contractors.numbers.rounded import INFINITY
from certify.contractors.tape.tape import Builder, Operation

HALF_LINE, POINT = (-INFINITY, 0.0), (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class OfOneNumber:
    """`slope` writes seed f'(u) from the nodes seed, u and f(u).

    Where f is undefined its operand u lies in one of the closed sets `beyond`, or for `pole` = cos, cos u is 0.
    """

    slope: Callable[[Builder, int, int, int], int]
    beyond: tuple[tuple[float, float], ...] = ()
    pole: Operation | None = None


def _of_sign(b: Builder, seed: int, u: int, value: int) -> int:
    return b.mul(seed, b.function(Operation.FLAT, u))


def _of_absolute(b: Builder, seed: int, u: int, value: int) -> int:
    zero = b.constant(0)
    return b.mul(seed, b.sub(b.less(zero, u), b.less(u, zero)))


def _of_area_sine(b: Builder, seed: int, u: int, value: int) -> int:
    one = b.constant(1)
    return b.div(seed, b.sqrt(b.add(b.sqr(u), one)))


def _of_area_cosine(b: Builder, seed: int, u: int, value: int) -> int:
    one = b.constant(1)
    return b.div(seed, b.mul(b.sqrt(b.sub(u, one)), b.sqrt(b.add(u, one))))


def _under_arc(b: Builder, u: int) -> int:
    """sqrt(1 - u^2)"""
    one = b.constant(1)
    return b.sqrt(b.sub(one, b.sqr(u)))


def _of_tangent(b: Builder, seed: int, u: int, value: int) -> int:
    one = b.constant(1)
    return b.mul(seed, b.add(one, b.sqr(value)))


def _of_arctangent(b: Builder, seed: int, u: int, value: int) -> int:
    one = b.constant(1)
    return b.div(seed, b.add(one, b.sqr(u)))


def _of_tanh(b: Builder, seed: int, u: int, value: int) -> int:
    one = b.constant(1)
    return b.mul(seed, b.sub(one, b.sqr(value)))


def _of_atanh(b: Builder, seed: int, u: int, value: int) -> int:
    one = b.constant(1)
    return b.div(seed, b.sub(one, b.sqr(u)))


def _of_erf(b: Builder, seed: int, u: int, value: int) -> int:
    """2 exp(-u^2) / sqrt(pi)"""
    bell = b.div(b.mul(b.constant(2), b.function(Operation.EXP, b.neg(b.sqr(u)))), b.sqrt(b.pi()))
    return b.mul(seed, bell)


BEYOND_ONE = ((-INFINITY, -1.0), (1.0, INFINITY))
FUNCTIONS: dict[Operation, OfOneNumber] = {
    Operation.SQRT: OfOneNumber(lambda b, seed, u, value: b.div(seed, b.mul(b.constant(2), value)), (HALF_LINE,)),
    Operation.SIN: OfOneNumber(lambda b, seed, u, value: b.mul(seed, b.cos(u))),
    Operation.COS: OfOneNumber(lambda b, seed, u, value: b.neg(b.mul(seed, b.sin(u)))),
    Operation.TAN: OfOneNumber(_of_tangent, pole=Operation.COS),
    Operation.EXP: OfOneNumber(lambda b, seed, u, value: b.mul(seed, value)),
    Operation.LOG: OfOneNumber(lambda b, seed, u, value: b.div(seed, u), (HALF_LINE,)),
    Operation.ASIN: OfOneNumber(lambda b, seed, u, value: b.div(seed, _under_arc(b, u)), BEYOND_ONE),
    Operation.ACOS: OfOneNumber(lambda b, seed, u, value: b.neg(b.div(seed, _under_arc(b, u))), BEYOND_ONE),
    Operation.ATAN: OfOneNumber(_of_arctangent),
    Operation.SINH: OfOneNumber(lambda b, seed, u, value: b.mul(seed, b.function(Operation.COSH, u))),
    Operation.COSH: OfOneNumber(lambda b, seed, u, value: b.mul(seed, b.function(Operation.SINH, u))),
    Operation.TANH: OfOneNumber(_of_tanh),
    Operation.ABS: OfOneNumber(_of_absolute),
    Operation.ASINH: OfOneNumber(_of_area_sine),
    Operation.ACOSH: OfOneNumber(_of_area_cosine, ((-INFINITY, 1.0),)),
    Operation.ATANH: OfOneNumber(_of_atanh, BEYOND_ONE),
    Operation.SIGN: OfOneNumber(_of_sign),
    Operation.ERF: OfOneNumber(_of_erf),
}

SIN, COS, TAN, EXP, LOG = (int(Operation[name]) for name in ("SIN", "COS", "TAN", "EXP", "LOG"))
ASIN, ACOS, ATAN = (int(Operation[name]) for name in ("ASIN", "ACOS", "ATAN"))
SINH, COSH, TANH, ABS = (int(Operation[name]) for name in ("SINH", "COSH", "TANH", "ABS"))
ASINH, ACOSH, ATANH, SIGN, ERF = (int(Operation[name]) for name in ("ASINH", "ACOSH", "ATANH", "SIGN", "ERF"))


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
    elif operation == ERF:
        low, high = error_function(a, b)
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
    if operation == ERF:
        return reverse_error_function(c, d, a, b)
    return a, b
