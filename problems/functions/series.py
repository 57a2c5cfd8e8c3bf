"""Rational enclosures of elementary functions of rational numbers, by series in integers: nothing rests on floats.

    exp x  = 2^k sum r^n / n!                            r = x - k log 2 in [0, 1)
    log x  = k log 2 + 2 sum z^(2n+1) / (2n+1)           x / 2^k in [1, 2), z = (x / 2^k - 1) / (x / 2^k + 1)
    atan x = sum 2^(2n) (n!)^2 / (2n+1)! x^(2n+1) / (1 + x^2)^(n+1)   (Euler), for x > 1 pi/2 - atan 1/x
    sin x  = sum (-1)^n r^(2n+1) / (2n+1)!               r = x - 2 pi q, |r| < 4; cos x likewise
    pi     = 16 atan 1/5 - 4 atan 1/239

Terms are rounded outwards to the grid of 2^-bits. Each series is broken off where every further term is at most half of
the one before it, so that all of them together are at most twice the next one, which is added above (and below, where
signs alternate).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

Range = tuple[Fraction, Fraction]
Whole = tuple[int, int]  # an interval of multiples of 2^-bits

BITS = 240  # of an enclosure, absolutely; of an exponential, relative to it
SLOW = 8  # terms of a series after which its terms surely fall by half
LEAST, GREATEST = (
    -709,
    709,
)  # of an exponent: beyond them the exponential is told as anything from 0 on, or is too large


class TooLarge(Exception):
    """A number beyond what doubles hold."""


def _ceiling(above: int, under: int) -> int:
    return -(-above // under)


def _grid(value: Fraction, bits: int) -> Whole:
    above = value.numerator << bits
    return above // value.denominator, _ceiling(above, value.denominator)


def _range(ends: Whole, bits: int) -> Range:
    return Fraction(ends[0], 1 << bits), Fraction(ends[1], 1 << bits)


def _sum(first: Whole, factor: Callable[[int], tuple[Whole, int]], bits: int, alternating: bool = False) -> Whole:
    """first (1 + q_1 (1 + q_2 (...))), or with alternating signs; q_n >= 0 is an interval of the grid divided by a
    number.
    """
    (low, high), total, n = first, [0, 0], 0
    while high > 2 or (high and n < SLOW):
        negative = alternating and n % 2 == 1
        total[0] += -high if negative else low
        total[1] += -low if negative else high
        n += 1
        (least, most), divisor = factor(n)
        low, high = (low * least >> bits) // divisor, _ceiling(high * most, divisor << bits)
    return total[0] - (2 * high if alternating else 0), total[1] + 2 * high


def _euler(x: Fraction, bits: int) -> Whole:
    """The arctangent of x in [0, 1]: the ratio of terms is 2n / (2n+1) x^2 / (1 + x^2), at most a half."""
    ratio = _grid(x * x / (1 + x * x), bits)
    return _sum(_grid(x / (1 + x * x), bits), lambda n: ((2 * n * ratio[0], 2 * n * ratio[1]), 2 * n + 1), bits)


def _area(z: Fraction, bits: int) -> Whole:
    """sum z^(2n+1) / (2n+1), for z in [0, 1/2]."""
    square = _grid(z * z, bits)
    return _sum(_grid(z, bits), lambda n: (((2 * n - 1) * square[0], (2 * n - 1) * square[1]), 2 * n + 1), bits)


@lru_cache(maxsize=16)
def pi(bits: int = BITS) -> Range:
    """The circle's number."""
    fifth, other = _euler(Fraction(1, 5), bits), _euler(Fraction(1, 239), bits)
    return _range((16 * fifth[0] - 4 * other[1], 16 * fifth[1] - 4 * other[0]), bits)


@lru_cache(maxsize=16)
def _log2(bits: int) -> Range:
    low, high = _area(Fraction(1, 3), bits)
    return _range((2 * low, 2 * high), bits)


def exp(x: Fraction) -> Range:
    """Raises TooLarge beyond doubles."""
    if x > GREATEST:
        raise TooLarge
    if x < LEAST:
        return Fraction(0), exp(Fraction(LEAST))[1]
    low, high = _log2(BITS + 16)
    k = x / (high if x >= 0 else low) // 1  # so that what is left is not negative
    ends = (x - k * high, x - k * low) if x >= 0 else (x - k * low, x - k * high)
    least, most = (_grid(ends[0], BITS)[0], _grid(ends[1], BITS)[1])
    found = _sum((1 << BITS, 1 << BITS), lambda n: ((least, most), n), BITS)
    power = Fraction(2) ** int(k)
    return _range(found, BITS)[0] * power, _range(found, BITS)[1] * power


def log(x: Fraction) -> Range:
    """Of a number > 0."""
    k = x.numerator.bit_length() - x.denominator.bit_length()
    k -= Fraction(2) ** k > x
    m = x / Fraction(2) ** k
    low, high = _range(_area((m - 1) / (m + 1), BITS), BITS)
    least, most = sorted(k * end for end in _log2(BITS + 16))
    return 2 * low + least, 2 * high + most


def atan(x: Fraction) -> Range:
    """Between -pi/2 and pi/2."""
    if x < 0:
        low, high = atan(-x)
        return -high, -low
    if x <= 1:
        return _range(_euler(x, BITS), BITS)
    (low, high), (least, most) = _range(_euler(1 / x, BITS), BITS), pi()
    return least / 2 - high, most / 2 - low


def sin(x: Fraction) -> Range:
    """Of radians."""
    return _wave(x, 1)


def cos(x: Fraction) -> Range:
    """Of radians."""
    return _wave(x, 0)


def _wave(x: Fraction, odd: int) -> Range:
    """The series of the sine (odd) or of the cosine about the middle of what is left of x; its slope is at most 1."""
    bits = BITS + abs(x.numerator // x.denominator).bit_length()
    low, high = pi(bits)
    q = round(x / (2 * low))
    ends = sorted((x - 2 * q * low, x - 2 * q * high))
    middle, radius = (ends[0] + ends[1]) / 2, (ends[1] - ends[0]) / 2
    square = _grid(middle * middle, bits)
    first = _grid(abs(middle), bits) if odd else (1 << bits, 1 << bits)
    found = _range(_sum(first, lambda n: (square, (2 * n - 1 + odd) * (2 * n + odd)), bits, alternating=True), bits)
    least, most = found if middle >= 0 or not odd else (-found[1], -found[0])
    return max(least - radius, Fraction(-1)), min(most + radius, Fraction(1))
