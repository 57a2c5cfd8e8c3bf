"""pi, sine and cosine, enclosed.

pi is Machin's 16 arctan 1/5 - 4 arctan 1/239. Series alternate with decreasing terms, so what is left out is at most the
first term left out. Work is done with 80 bits more than the precision, and each step's error is counted.

Points: x = k pi/2 + y with |y| < 1, the Taylor series of sin y and cos y, and k quarter turns: a quarter turn takes
(sin, cos) to (cos, -sin). Intervals: between two multiples of pi/2 sine and cosine are monotone. So their least and greatest
values are among those at the ends and at the multiples of pi/2 in between, where they are exactly 0, 1 or -1.
"""

import functools
from collections.abc import Iterable
from typing import Final

from .interval import Arithmetic, Interval

GUARD: Final = 80
CACHE: Final = 4096
QUARTERS: Final = ((0, 1), (1, 0), (0, -1), (-1, 0))


def _arctangent_inverse(number: int, one: int) -> Interval:
    """arctan(1/number) * one: a term floor(floor(one / number^n) / n) is off by less than 1, and so is what is left out."""
    total, order = 0, 1
    while power := one // number**order:
        total += power // order if order % 4 == 1 else -(power // order)
        order += 2
    return total - order, total + order


def enclose_pi(bits: int) -> Interval:
    """pi * 2^bits."""
    fifth, small = _arctangent_inverse(5, 1 << (bits + 24)), _arctangent_inverse(239, 1 << (bits + 24))
    return (16 * fifth[0] - 4 * small[1]) >> 24, -((4 * small[0] - 16 * fifth[1]) >> 24)


def _taylor(y: int, bits: int) -> tuple[int, int, int]:
    """sin and cos of y * 2^-bits, |y| <= 2^bits, in units of 2^-bits, and by how many units they are off at most.

    Term n is y^n / n!, rounded down: n = 0 and 1 are exact, others off by less than 2 (half of what the one before is off, and 1).
    Each series has at most (order - 1)/2 of these. The last term is at most 1 and not added: what is left out is less than 3.
    """
    sums, term, order = [0, 0], 1 << bits, 0
    while abs(term) > 1:
        sums[order % 2] += term if order % 4 < 2 else -term
        order += 1
        term = (term * y >> bits) // order
    return sums[1], sums[0], order + 2


def _hull(parts: Iterable[Interval]) -> Interval:
    return min(low for low, _ in parts), max(high for _, high in parts)


class Trigonometry:
    """pi, sin and cos in an arithmetic; results are remembered."""

    def __init__(self, arithmetic: Arithmetic) -> None:
        self._one: Final = arithmetic.one
        self._bits: Final = arithmetic.precision + GUARD
        low, high = enclose_pi(self._bits)
        self._quarter: Final[Interval] = low >> 1, -(-high >> 1)
        self.pi: Final[Interval] = low >> GUARD, -(-high >> GUARD)
        self._both: Final = functools.lru_cache(CACHE)(self._enclose)

    def sin(self, a: Interval) -> Interval:
        """The sine of all numbers of a."""
        return self._both(a)[0]

    def cos(self, a: Interval) -> Interval:
        """The cosine of all numbers of a."""
        return self._both(a)[1]

    def _enclose(self, a: Interval) -> tuple[Interval, Interval]:
        """The hull of the values at the ends and at the multiples of pi/2 that may lie between; four in a row are all there are."""
        low, high = self._quarter
        first, last = a[0] << GUARD, a[1] << GUARD
        between = range(min(first // low, first // high) + 1, max(last // low, last // high) + 1)
        values = [self._point(x) for x in {*a}]
        for sine, cosine in (QUARTERS[k % 4] for k in between[:4]):
            values.append(((sine * self._one, sine * self._one), (cosine * self._one, cosine * self._one)))
        sines, cosines = zip(*values, strict=True)
        return _hull(sines), _hull(cosines)

    def _point(self, x: int) -> tuple[Interval, Interval]:
        """By the choice of k, y = x - k low is within +-low/2. It is off by at most k (high - low), and so are its sine and cosine."""
        low, high = self._quarter
        k = (2 * (x << GUARD) + low) // (2 * low)
        sine, cosine, error = _taylor((x << GUARD) - k * low, self._bits)
        for _ in range(k % 4):
            sine, cosine = cosine, -sine
        error += abs(k) * (high - low)
        return self._narrow(sine, error), self._narrow(cosine, error)

    def _narrow(self, value: int, error: int) -> Interval:
        """What is within the error of the value and within +-1, without the guard bits."""
        return max(-self._one, (value - error) >> GUARD), min(self._one, -(-(value + error) >> GUARD))
