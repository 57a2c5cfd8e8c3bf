"""What is said in the language of certificates of functions that it does not have.

A form here is the function itself: the same numbers, defined at the same points and at no others. So the inverse
hyperbolic cosine asks for the root of u^2 - 1 and for the logarithm of a sum that is negative if u is, and the tangent
for a division by the cosine. The quarter turns of atan2, the jump of sign and powers with exponents that are not whole
have such forms where their operands are known to stay on one side of 0.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from certify.contractors.tape.tape import Builder, Operation

Sign = Callable[[int], int]  # of a node: 1 if it is known to be > 0 wherever it is defined, -1 if < 0, else 0


def _exp(b: Builder, u: int) -> int:
    return b.function(Operation.EXP, u)


def _half(b: Builder, u: int) -> int:
    return b.mul(b.constant(Fraction(1, 2)), u)


def _area(b: Builder, u: int, sign: int) -> int:
    """log(u + sqrt(u^2 + 1)), or of u^2 - 1."""
    return b.function(Operation.LOG, b.add(u, b.sqrt(b.add(b.sqr(u), b.constant(sign)))))


def tangent(b: Builder, u: int) -> int:
    """sin u / cos u"""
    return b.div(b.sin(u), b.cos(u))


def arcsine(b: Builder, u: int) -> int:
    """2 arctan(u / (1 + sqrt(1 - u^2))): half the angle, by its tangent."""
    one = b.constant(1)
    half = b.div(u, b.add(one, b.sqrt(b.sub(one, b.sqr(u)))))
    return b.mul(b.constant(2), b.function(Operation.ATAN, half))


def arccosine(b: Builder, u: int) -> int:
    """pi / 2 - asin u"""
    return b.sub(_half(b, b.pi()), arcsine(b, u))


def hyperbolic_sine(b: Builder, u: int) -> int:
    """(exp u - exp -u) / 2"""
    return _half(b, b.sub(_exp(b, u), _exp(b, b.neg(u))))


def hyperbolic_cosine(b: Builder, u: int) -> int:
    """(exp u + exp -u) / 2"""
    return _half(b, b.add(_exp(b, u), _exp(b, b.neg(u))))


def hyperbolic_tangent(b: Builder, u: int) -> int:
    """1 - 2 / (exp 2u + 1): u occurs once."""
    one, two = b.constant(1), b.constant(2)
    return b.sub(one, b.div(two, b.add(_exp(b, b.mul(two, u)), one)))


def inverse_hyperbolic_sine(b: Builder, u: int) -> int:
    """log(u + sqrt(u^2 + 1))"""
    return _area(b, u, 1)


def inverse_hyperbolic_cosine(b: Builder, u: int) -> int:
    """log(u + sqrt(u^2 - 1))"""
    return _area(b, u, -1)


def inverse_hyperbolic_tangent(b: Builder, u: int) -> int:
    """log((1 + u) / (1 - u)) / 2"""
    one = b.constant(1)
    return _half(b, b.function(Operation.LOG, b.div(b.add(one, u), b.sub(one, u))))


def absolute(b: Builder, u: int) -> int:
    """sqrt(u^2)"""
    return b.sqrt(b.sqr(u))


def minimum(b: Builder, u: int, w: int) -> int:
    """(u + w - |u - w|) / 2"""
    return _half(b, b.sub(b.add(u, w), absolute(b, b.sub(u, w))))


def maximum(b: Builder, u: int, w: int) -> int:
    """(u + w + |u - w|) / 2"""
    return _half(b, b.add(b.add(u, w), absolute(b, b.sub(u, w))))


def angle(b: Builder, sign: Sign, y: int, x: int) -> int | None:
    """Of y/x to the right, and of x/y with a quarter turn above and below."""
    if sign(x) > 0:
        return b.function(Operation.ATAN, b.div(y, x))
    if not sign(y):
        return None
    quarter = b.mul(b.constant(Fraction(sign(y), 2)), b.pi())
    return b.sub(quarter, b.function(Operation.ATAN, b.div(x, y)))


def power(b: Builder, sign: Sign, u: int, w: int) -> int | None:
    """u^w: roots of roots if w is a number k / 2^m, not 0, else exp(w log u), which has no value at u = 0, where u^w
    has none either if w <= 0.

    It has none for u < 0 in any case: w is a number here that is none in the formula, as cos(0), or is no whole one.
    """
    exponent = b.value_of(w)
    if exponent and exponent.denominator & (exponent.denominator - 1) == 0:
        halvings = exponent.denominator.bit_length() - 1
        for _ in range(max(halvings, 1)):
            u = b.sqrt(u)
        return b.power_by_products(u if halvings else b.sqr(u), exponent.numerator)
    if sign(u) > 0 or (exponent is not None and exponent <= 0):
        return _exp(b, b.mul(w, b.function(Operation.LOG, u)))
    return None


def jump(b: Builder, sign: Sign, u: int) -> int | None:
    """1 or -1, where u is defined."""
    return b.add(b.constant(sign(u)), b.mul(b.constant(0), u)) if sign(u) else None
