"""x = n pi/2 + y for every double x, y in a pair: |error of y| <= 2^-70 |y|, |y| <= pi/4 + 2^-24.

|x| < 2^26 (Cody, Waite): pi/2 = P1 + P2 + P3 + P4 + P5, P1..P4 multiples of 2^-26, 2^-53, 2^-80, 2^-107 with 27 bits,
so that n P1..n P4 are exact for |n| <= 2^26. x - n P1 is exact: a multiple of ulp(x) <= 2^-26 that is no larger than x.
x - n P1 - n P2 is exact: a multiple of 2^-53 (|x| > 1/2) below pi/4 + 2^-24 + 2^-27 < 1. TwoSum carries the rest; what
is rounded, n P5 < 2^-81 and its neighbours, errs by 2^-133, and P5's own error gives 2^-135.

|x| >= 2^26 (Payne, Hanek): x = m 2^(32 q), m an integer of 84 bits in three limbs, times the limbs of 2/pi whose
product is neither a multiple of 2^32 nor below 2^-192: the limbs dropped contribute less than 2^-157. Limb 0 is n
modulo 4, six limbs are the fraction.

No double has |y| < 2^-62 for n != 0 (continued fractions: the least is 2^-60.9, Muller, Elementary Functions, 2006,
chapter 9; a test computes it), so that the absolute errors 2^-132 are relative errors below 2^-70.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from certify.contractors.numbers.double_double import exponent, fast_two_sum, multiply_pairs, two_sum
from certify.contractors.numbers.exact_constants import double_double, head_and_rest, pi

CODY_WAITE = 2.0**26

_P1, _P2, _P3, _P4, _P5 = head_and_rest(pi() >> 1, (26, 53, 80, 107))
HALF_PI, HALF_PI_TAIL = double_double(pi() >> 1)
_INVERSE = 0.6366197723675814  # an estimate: it only chooses n
_LIMBS = 40
_PAD = 4
_BITS = 32 * _LIMBS


def _limbs() -> list[int]:
    """Limbs of 2^-32, 2^-64, ... of 2/pi, behind `_PAD` zeros; pi's own error of 2^16 units is below the last limb
    kept.
    """
    bits = _BITS + 64
    value = (2 << (2 * bits)) // pi(bits)
    return [0] * _PAD + [(value >> (bits - 32 * (i + 1))) & 0xFFFFFFFF for i in range(_LIMBS)]


_TWO_OVER_PI = np.array(_limbs(), dtype=np.uint64)
_MASK = np.uint64(0xFFFFFFFF)
_SHIFT = np.uint64(32)


@njit(cache=True)
def _moderate(x: float) -> tuple[int, float, float]:
    n = np.floor(x * _INVERSE + 0.5)
    h, e = two_sum((x - n * _P1) - n * _P2, -(n * _P3))
    v, w = two_sum(e, -(n * _P4))
    h, e = two_sum(h, v)
    h, e = fast_two_sum(h, e + (w - n * _P5))
    return int(n), h, e


@njit(cache=True)
def _column(
    low: np.uint64, middle: np.uint64, high: np.uint64, carry: np.uint64, k: int
) -> tuple[np.uint64, np.uint64]:
    """A limb of the product and the carry into the next: three products of 64 bits, split so that nothing overflows."""
    a, b, c = low * _TWO_OVER_PI[k], middle * _TWO_OVER_PI[k + 1], high * _TWO_OVER_PI[k + 2]
    total = carry + (a & _MASK) + (b & _MASK) + (c & _MASK)
    return total & _MASK, (total >> _SHIFT) + (a >> _SHIFT) + (b >> _SHIFT) + (c >> _SHIFT)


@njit(cache=True)
def _huge(x: float) -> tuple[int, float, float]:
    """x >= 2^26."""
    power = exponent(x) - 52
    q = power >> 5
    shift = np.uint64(power - 32 * q)
    mantissa = np.uint64((np.float64(x).view(np.int64) & 0xFFFFFFFFFFFFF) | 0x10000000000000)
    first, second = (mantissa & _MASK) << shift, (mantissa >> _SHIFT) << shift
    low = first & _MASK
    middle = (first >> _SHIFT) + (second & _MASK)
    high = (second >> _SHIFT) + (middle >> _SHIFT)
    middle &= _MASK
    at = _PAD + q - 1
    f6, carry = _column(low, middle, high, np.uint64(0), at + 6)
    f5, carry = _column(low, middle, high, carry, at + 5)
    f4, carry = _column(low, middle, high, carry, at + 4)
    f3, carry = _column(low, middle, high, carry, at + 3)
    f2, carry = _column(low, middle, high, carry, at + 2)
    f1, carry = _column(low, middle, high, carry, at + 1)
    whole, carry = _column(low, middle, high, carry, at)
    n = int(np.int64(whole & np.uint64(3)))
    lead = float(f1)
    if f1 >= np.uint64(0x80000000):  # to the nearest multiple
        n += 1
        lead -= 4294967296.0
    s, t = two_sum(lead * 2.0**-32, float(f2) * 2.0**-64)
    u, v = two_sum(float(f3) * 2.0**-96, float(f4) * 2.0**-128)
    t, u = two_sum(t, u)
    s, t = two_sum(s, t)
    s, t = two_sum(s, t + (u + (v + (float(f5) * 2.0**-160 + float(f6) * 2.0**-192))))
    s, t = multiply_pairs(s, t, HALF_PI, HALF_PI_TAIL)
    return n & 3, s, t


@njit(cache=True)
def reduce_angle(x: float) -> tuple[int, float, float]:
    """(n, y, tail of y); n itself for |x| < 2^26, n modulo 4 beyond; x finite."""
    if abs(x) < CODY_WAITE:
        if abs(x) < 0.75:
            return 0, x, 0.0
        return _moderate(x)
    n, y, e = _huge(abs(x))
    return (n, y, e) if x > 0.0 else (-n & 3, -y, -e)
