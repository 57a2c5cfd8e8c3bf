"""The truth about pi, roots and elementary functions in fractions, and strategies of small intervals."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache

from hypothesis import settings
from hypothesis import strategies as st

from certify.checker.elementary import Elementary
from certify.checker.interval import Arithmetic, Interval

PRECISIONS = (8, 10, 12)
ARITHMETIC = {precision: Arithmetic(precision) for precision in PRECISIONS}
ELEMENTARY = {precision: Elementary(ARITHMETIC[precision]) for precision in PRECISIONS}
MANY = settings(max_examples=300, deadline=None)

precisions = st.sampled_from(PRECISIONS)
parts = st.sampled_from([Fraction(0), Fraction(1), Fraction(1, 2), Fraction(1, 3), Fraction(5, 7)])


def inside(interval: Interval, part: Fraction, precision: int) -> Fraction:
    return (interval[0] + part * (interval[1] - interval[0])) / (1 << precision)


@cache
def exact_bracket(x: Fraction, odd: bool) -> tuple[Fraction, Fraction]:
    """sin x or cos x between two sums of the Taylor series plus and minus a Lagrange remainder |x|^n / n!."""
    term, total, order = (x if odd else Fraction(1)), Fraction(0), (1 if odd else 0)
    while True:
        total += term
        term = -term * x * x / ((order + 1) * (order + 2))
        order += 2
        if abs(term) < Fraction(1, 1 << 60):
            return total - abs(term), total + abs(term)


@cache
def exact_exponential(x: Fraction, bits: int = 60) -> tuple[Fraction, Fraction]:
    """exp x between two sums of the series at y = x / 2^k with |y| <= 1, rounded to twice the bits and more, and
    squared k times.
    """
    k = max(0, math.ceil(math.log2(abs(x) or 1)))
    y, unit = x / 2**k, Fraction(1, 1 << bits + 4 * math.ceil(abs(x)) + 9)
    total, term, order = Fraction(0), Fraction(1), 0
    while abs(term) >= unit:
        total, order = total + term, order + 1
        term = Fraction(math.floor(term * y / order / unit**2)) * unit**2
    low, high = total - 9 * unit, total + 9 * unit
    for _ in range(k):
        low, high = math.floor(low * low / unit) * unit, math.ceil(high * high / unit) * unit
    return low, high


def independent_pi(terms: int) -> tuple[Fraction, Fraction]:
    """Bailey, Borwein, Plouffe: positive terms below 16^-k * 4; the tail below the last one."""
    total = Fraction(0)
    for k in range(terms):
        inner = Fraction(4, 8 * k + 1) - Fraction(2, 8 * k + 4) - Fraction(1, 8 * k + 5) - Fraction(1, 8 * k + 6)
        total += inner / 16**k
    return total, total + Fraction(4, 16**terms)


@cache
def exact_odd_series(u: Fraction, sign: int, bits: int = 60) -> tuple[Fraction, Fraction]:
    """artanh u or arctan u for |u| <= 3/5 between two sums of the series: what is left out is at most the next term
    over 1 - u^2.
    """
    total, power, order = Fraction(0), u, 1
    while abs(power) >= Fraction(1, 1 << bits):
        total, power, order = total + power / order, sign * power * u * u, order + 2
    rest = abs(power) * 2
    return total - rest, total + rest


Bracket = tuple[Fraction, Fraction]


@cache
def exact_log_2(bits: int) -> Bracket:
    """The sum of 1 / (k 2^k); the tail is less than the last term."""
    total = sum((Fraction(1, k << k) for k in range(1, bits)), Fraction(0))
    return total, total + Fraction(1, 1 << bits - 1)


@cache
def exact_logarithm(x: Fraction, bits: int = 60) -> Bracket:
    """x = 2^k z with z from 2/3 to 3/2: k log 2 + 2 artanh (z - 1)/(z + 1)."""
    k = x.numerator.bit_length() - x.denominator.bit_length()
    while x / Fraction(2) ** k > Fraction(3, 2):
        k += 1
    z = x / Fraction(2) ** k
    low, high = exact_odd_series((z - 1) / (z + 1), 1, bits)
    twos = sorted(k * end for end in exact_log_2(bits + 20))
    return 2 * low + twos[0], 2 * high + twos[1]


@cache
def exact_arctangent(x: Fraction, bits: int = 60) -> Bracket:
    """The series up to 1/2, pi/4 and that of (x - 1)/(x + 1) up to 2, pi/2 less that of 1/x beyond."""
    if x < 0:
        low, high = exact_arctangent(-x, bits)
        return -high, -low
    if x <= Fraction(1, 2):
        return exact_odd_series(x, -1, bits)
    quarters, (low, high) = (
        (1, exact_odd_series((x - 1) / (x + 1), -1, bits)) if x <= 2 else (2, exact_odd_series(-1 / x, -1, bits))
    )
    pi = independent_pi(bits // 4 + 5)
    return quarters * pi[0] / 4 + low, quarters * pi[1] / 4 + high


def sharp_root(value: Fraction, bits: int) -> Bracket:
    """A root between two numbers of a grid."""
    root = math.isqrt(math.floor(value * 4**bits))
    return Fraction(root, 1 << bits), Fraction(root + 1, 1 << bits)


@cache
def exact_bell(x: Fraction, bits: int = 60) -> Bracket:
    """2 / sqrt(pi) exp(-x^2)."""
    low, high = independent_pi(bits // 4 + 25)
    ends = exact_exponential(-x * x, bits + 20)
    return 2 * ends[0] / sharp_root(high, bits + 40)[1], 2 * ends[1] / sharp_root(low, bits + 40)[0]


@cache
def exact_error_function(x: Fraction, bits: int = 60) -> Bracket:
    """The alternating series of x^(2n + 1) / (n! (2n + 1)), whose powers are rounded so finely that exp(x^2) times as
    much in each of N terms is no more than 2^-bits; 1 up to exp(-x^2) from where that is less.
    """
    if x <= 0:
        low, high = exact_error_function(-x, bits) if x else (Fraction(0), Fraction(0))
        return -high, -low
    if x * x > bits + 60:
        return 1 - Fraction(1, 1 << bits + 59), Fraction(1)
    fine, square = bits + 4 * math.ceil(x * x) + 80, x * x
    summed, power, n = 0, math.floor(x * (1 << fine)), 0
    while power not in (0, -1) or n <= 2 * square:
        summed += power // (2 * n + 1)
        n += 1
        power = -power * square.numerator // (n * square.denominator)
    total = Fraction(summed, 1 << fine)
    low, high = independent_pi(bits // 4 + 25)
    rest = Fraction(1, 1 << bits + 9)
    least, most = (
        2 * (total - rest) / sharp_root(high, bits + 40)[1],
        2 * (total + rest) / sharp_root(low, bits + 40)[0],
    )
    return least, min(most, Fraction(1))


EXACT: dict[str, Callable[..., Bracket]] = {
    "exp": exact_exponential,
    "log": exact_logarithm,
    "atan": exact_arctangent,
    "erf": exact_error_function,
}
