"""Constants by integer arithmetic: x is the integer X with |X - 2^P x| < 2^16, P = 320, before it becomes doubles.

Every series below has positive terms that shrink at least by half or is alternating with shrinking terms; fewer than
2^10 truncating divisions of error below 1 each, and a remainder below the last term, keep |X - 2^P x| < 2^16. Nothing
is taken from the C library.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

P = 320
ONE = 1 << P


def _odd_powers(first: int, numerator: int, denominator: int, sign: int) -> int:
    """Sum of sign^k first (p/q)^k / (2 k + 1)."""
    total, power, k = 0, first, 0
    while power:
        total += sign**k * (power // (2 * k + 1))
        power = power * numerator // denominator
        k += 1
    return total


def inverse_tangent_of_inverse(n: int, bits: int = P) -> int:
    """atan(1/n) for n >= 2."""
    return _odd_powers((1 << bits) // n, 1, n * n, -1)


def pi(bits: int = P) -> int:
    """Machin: pi = 16 atan(1/5) - 4 atan(1/239)."""
    return 16 * inverse_tangent_of_inverse(5, bits) - 4 * inverse_tangent_of_inverse(239, bits)


def logarithm(numerator: int, denominator: int) -> int:
    """log(p/q) = 2 atanh((p - q)/(p + q))."""
    p, q = numerator - denominator, numerator + denominator
    total = 2 * _odd_powers(ONE * abs(p) // q, p * p, q * q, 1)
    return total if p > 0 else -total


def arctangent(i: int, n: int) -> int:
    """Euler: atan(x) = sum of 4^k k!^2/(2k+1)! x^(2k+1)/(1+x^2)^(k+1), x = i/n <= 1."""
    total, term, k = 0, ONE * i * n // (n * n + i * i), 0
    while term:
        total += term
        k += 1
        term = term * (2 * k * i * i) // ((2 * k + 1) * (n * n + i * i))
    return total


def sine_and_cosine(i: int, n: int) -> tuple[int, int]:
    """Taylor, x = i/n <= 1."""
    sums, term, k = [0, 0], ONE, 0
    while term:
        sums[k % 2] += -term if k % 4 >= 2 else term
        k += 1
        term = term * i // (n * k)
    return sums[1], sums[0]


def power_of_two_fraction(j: int, n: int) -> int:
    """2^(j/n), n a power of two, by nested integer roots: floor(sqrt(floor(y))) = floor(sqrt(y))."""
    value = 1 << (P * n + j)
    while n > 1:
        value, n = math.isqrt(value), n // 2
    return value


def double_double(value: int) -> tuple[float, float]:
    """h + l with |h + l - x| <= 2^-106 |x| + 2^-300; integer division is correctly rounded in Python."""
    high = value / ONE
    return high, (value - _integer(high)) / ONE


def head_and_rest(value: int, bits: tuple[int, ...]) -> list[float]:
    """x = sum of pieces; piece k is cut (towards 0) to a multiple of 2^-bits[k], the last is the nearest double of the
    rest.
    """
    pieces = []
    for b in bits:
        piece = value >> (P - b) << (P - b)
        pieces.append(piece / ONE)
        value -= piece
    return [*pieces, value / ONE]


def table(values: list[int]) -> NDArray[np.float64]:
    """Rows (h, l)."""
    return np.array([double_double(value) for value in values])


def _integer(value: float) -> int:
    """2^P value, cut below 1."""
    numerator, denominator = value.as_integer_ratio()
    return (numerator << P) // denominator
