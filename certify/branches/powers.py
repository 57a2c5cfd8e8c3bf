"""The Taylor polynomials of the root and of the reciprocal about a number c, for c + w with |w| <= b, and what they
leave out at most: with l = c - b > 0, the least that c + w can be,

    sqrt(c + w) = sqrt(c) sum binom(1/2, k) (w / c)^k,    what is left <= |binom(1/2, n + 1)| sqrt(l) (b / l)^(n + 1)
    1 / (c + w) = (1 / c) sum (-1)^k (w / c)^k,           what is left <= (1 / l) (b / l)^(n + 1)
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from certify.branches.enclosing import ARITHMETIC
from certify.checker.interval import Interval

ONE: Interval = (ARITHMETIC.one, ARITHMETIC.one)
ROOT, RECIPROCAL = Fraction(1, 2), Fraction(-1)


@dataclass(frozen=True, slots=True)
class Expansion:
    """first sum coefficients[k] (over w)^k, and the bound of what is left."""

    first: Interval
    over: Interval
    coefficients: tuple[Interval, ...]
    left: int


def expansion(exponent: Fraction, order: int, middle: int, by: int) -> Expansion | None:
    """That of one of the two powers; None where c + w may not be positive."""
    least = middle - by
    if least <= 0:
        return None
    binomials = [Fraction(1)]
    for k in range(order + 1):
        binomials.append(binomials[-1] * (exponent - k) / (k + 1))
    left = ARITHMETIC.mul(_power((least, least), exponent), ARITHMETIC.enclose(abs(binomials[-1])))
    ratio = ARITHMETIC.div((by, by), (least, least))
    for _ in range(order + 1):
        left = ARITHMETIC.mul(left, ratio)
    return Expansion(
        _power((middle, middle), exponent),
        ARITHMETIC.div(ONE, (middle, middle)),
        tuple(ARITHMETIC.enclose(value) for value in binomials[:-1]),
        left[1],
    )


def _power(value: Interval, exponent: Fraction) -> Interval:
    found: Interval = ARITHMETIC.sqrt(value) if exponent == ROOT else ARITHMETIC.div(ONE, value)
    return found
