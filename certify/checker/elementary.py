"""pi, exp, log, sine, cosine, arctangent and the error function, enclosed.

Work is done with 80 bits more than the precision, and each step's error is counted. pi is Machin's 16 arctan 1/5 - 4
arctan 1/239.

Points. exp x: the Taylor series at y = x / 2^k with |y| <= 1, squared k times. log x = k log 2 + 2 artanh((z - 1) / (z
+ 1)) for x = 2^k z with 1 <= z < 2, and log 2 = 2 artanh 1/3. arctan u = 2 arctan(u / (1 + sqrt(1 + u^2))), three
times, then its series. Sine and cosine: x = k pi/2 + y with |y| < 1, the Taylor series of sin y and cos y, and k
quarter turns: a quarter turn takes (sin, cos) to (cos, -sin). erf x = 2 / sqrt(pi) exp(-x^2) S, S the sum of
2^n x^(2n + 1) / (1 3 5 ... (2n + 1)), all of one sign; 1 - erf x < exp(-x^2) for x > 0.

Intervals. exp, log, arctan and erf grow: their ends are those at the ends. Between two multiples of pi/2 sine and
cosine are monotone. So their least and greatest values are among those at the ends and at the multiples of pi/2 in
between, where they are exactly 0, 1 or -1.
"""

import functools
import math
from collections.abc import Callable, Iterable
from typing import Final

from .interval import Arithmetic, Interval, Undefined

GUARD: Final = 80
CACHE: Final = 4096
QUARTERS: Final = ((0, 1), (1, 0), (0, -1), (-1, 0))


def _odd_series(u: int, bits: int, sign: int) -> Interval:
    """arctan (sign -1) or artanh (sign 1) of all numbers within 3 of u, |u| <= 2^bits / 2, in units of 2^-bits.

    u^n, rounded down, is off by less than 2 (a quarter of what the one before is off, and 1), and so is each of the
    (order - 1)/2 terms u^n / n. The last power is at most 1 and not used: what is left out is less than 3 (1 + 1/4 +
    ...) = 4. What u is off by is less than 4 in the result.
    """
    total, power, order = 0, u, 1
    while abs(power) > 1:
        total += power // order
        power = sign * power * u * u >> 2 * bits
        order += 2
    return total - order - 7, total + order + 7


def enclose_pi(bits: int) -> Interval:
    """pi * 2^bits."""
    fifth, small = (_odd_series((1 << (bits + 24)) // number, bits + 24, -1) for number in (5, 239))
    return (16 * fifth[0] - 4 * small[1]) >> 24, -((4 * small[0] - 16 * fifth[1]) >> 24)


def _taylor(y: int, bits: int) -> tuple[int, int, int, int]:
    """sin, cos and exp of y * 2^-bits, |y| <= 2^bits, in units of 2^-bits, and by how many units sin and cos are off at
    most, exp by twice as many.

    Term n is y^n / n!, rounded down: n = 0 and 1 are exact, others off by less than 2 (half of what the one before is
    off, and 1). sin and cos have at most (order - 1)/2 of these, exp order - 2. The last term is at most 1 and not
    added: what is left out is less than 3 of sin and cos, and of exp less than 3 (1 + 1/2 + 1/6 + ...) < 6.
    """
    sums, term, order = [0, 0, 0, 0], 1 << bits, 0
    while abs(term) > 1:
        sums[order % 4] += term
        order += 1
        term = (term * y >> bits) // order
    return sums[1] - sums[3], sums[0] - sums[2], sum(sums), order + 2


def _bell_series(y: int, square: int, bits: int) -> Interval:
    """S of y * 2^-bits >= 0, whose square is square * 2^-bits: terms rounded down, and rounded up.

    From where 4 y^2 <= 2n + 1, each term is at most half of the one before: all that is left out is less than twice
    the first of it.
    """
    low = high = 0
    least, most, order = y, y, 1
    while most > 1 or 4 * square > order << bits:
        low, high, order = low + least, high + most, order + 2
        least, most = 2 * least * square // (order << bits), -(-2 * most * square // (order << bits))
    return low, high + 2 * most


def _hull(parts: Iterable[Interval]) -> Interval:
    return min(low for low, _ in parts), max(high for _, high in parts)


class Elementary:
    """pi and the functions in an arithmetic; results are remembered."""

    def __init__(self, arithmetic: Arithmetic) -> None:
        self.arithmetic: Final = arithmetic
        self._one: Final = arithmetic.one
        self._precision: Final = arithmetic.precision
        self._bits: Final = arithmetic.precision + GUARD
        self._wide: Final = Arithmetic(self._bits)
        low, high = enclose_pi(self._bits)
        self._quarter: Final[Interval] = low >> 1, -(-high >> 1)
        self.pi: Final[Interval] = low >> GUARD, -(-high >> GUARD)
        self._third: Final = _odd_series(self._wide.one // 3, self._bits, 1)
        self._both: Final = functools.lru_cache(CACHE)(self._enclose)
        self.exp: Final = self._growing(self._exp)
        self.log: Final = self._growing(self._log)
        self.atan: Final = self._growing(self._atan)
        self.erf: Final = self._growing(self._erf)

    def sin(self, a: Interval) -> Interval:
        """The sine of all numbers of a."""
        return self._both(a)[0]

    def cos(self, a: Interval) -> Interval:
        """The cosine of all numbers of a."""
        return self._both(a)[1]

    def _growing(self, function: Callable[[int], Interval]) -> Callable[[Interval], Interval]:
        """A growing function of intervals, by what encloses it at points with the guard bits."""
        point = functools.lru_cache(CACHE)(function)
        return lambda a: (point(a[0])[0] >> GUARD, -(-point(a[1])[1] >> GUARD))

    def _exp(self, x: int) -> Interval:
        """x / 2^k, rounded down, is off by less than 1, and exp of it by less than 3."""
        k = max(0, x.bit_length() - self._precision)
        _, _, value, error = _taylor(x << GUARD >> k, self._bits)
        power = value - 2 * error - 3, value + 2 * error + 3
        for _ in range(k):
            power = self._wide.sqr(power)
        return power

    def _log(self, x: int) -> Interval:
        """With z = x / unit, and z - 1 over z + 1 off by less than 1."""
        if x <= 0:
            raise Undefined("a logarithm reaches 0")
        k, unit = x.bit_length() - 1, 1 << x.bit_length() - 1
        low, high = _odd_series((x - unit << self._bits) // (x + unit), self._bits, 1)
        twos = sorted((k - self._precision) * third for third in self._third)
        return 2 * (low + twos[0]), 2 * (high + twos[1])

    def _atan(self, x: int) -> Interval:
        """Each u is off by less than 3: half of what the one before is off, 1/2 by the root, which is rounded down, and
        1.
        """
        one, u = self._wide.one, x << GUARD
        for _ in range(3):
            u = u * one // (one + math.isqrt(one * one + u * u))
        low, high = _odd_series(u, self._bits, -1)
        return 8 * low, 8 * high

    @functools.cached_property
    def _fine(self) -> "Elementary":
        """In three times the bits."""
        return Elementary(Arithmetic(3 * self._bits))

    def _erf(self, x: int) -> Interval:
        """In three times the bits, as S may reach exp(bits). Where x^2 > bits, 1 - erf x is less than a unit."""
        one, bits, size = self._wide.one, self._bits, abs(x)
        if size * size >> 2 * self._precision > bits:
            low, high = one - 1, one
        else:
            fine, y = self._fine, size << 3 * bits - self._precision
            arithmetic, square = fine.arithmetic, y * y >> 3 * bits
            whole = arithmetic.mul(_bell_series(y, square, 3 * bits), fine.exp((-square, -square)))
            low, high = arithmetic.div((2 * whole[0], 2 * whole[1]), arithmetic.sqrt(fine.pi))
            low, high = low >> 2 * bits, min(one, -(-high >> 2 * bits))
        return (low, high) if x > 0 else (-high, -low)

    def _enclose(self, a: Interval) -> tuple[Interval, Interval]:
        """The hull of the values at the ends and at the multiples of pi/2 that may lie between; four in a row are all
        there are.
        """
        low, high = self._quarter
        first, last = a[0] << GUARD, a[1] << GUARD
        between = range(min(first // low, first // high) + 1, max(last // low, last // high) + 1)
        values = [self._point(x) for x in {*a}]
        for sine, cosine in (QUARTERS[k % 4] for k in between[:4]):
            values.append(((sine * self._one, sine * self._one), (cosine * self._one, cosine * self._one)))
        sines, cosines = zip(*values, strict=True)
        return _hull(sines), _hull(cosines)

    def _point(self, x: int) -> tuple[Interval, Interval]:
        """By the choice of k, y = x - k low is within +-low/2. It is off by at most k (high - low), and so are its sine
        and cosine.
        """
        low, high = self._quarter
        k = (2 * (x << GUARD) + low) // (2 * low)
        sine, cosine, _, error = _taylor((x << GUARD) - k * low, self._bits)
        for _ in range(k % 4):
            sine, cosine = cosine, -sine
        error += abs(k) * (high - low)
        return self._narrow(sine, error), self._narrow(cosine, error)

    def _narrow(self, value: int, error: int) -> Interval:
        """What is within the error of the value and within +-1, without the guard bits."""
        return max(-self._one, (value - error) >> GUARD), min(self._one, -(-(value + error) >> GUARD))
