"""Integer powers, roots and real powers.

x^n, |n| <= 512: x, or where x^n comes near the ends of the range its mantissa 1 <= m < 2, is raised by binary powering
in pairs. A product of computed m^i (1 + i c), m^j (1 + j c) errs by at most (i + j + 1) c, c = PAIR, to first order, so
that m^n errs by 2 n c <= 2^-89; as long as every factor is one double and no second half appears nothing is rounded,
and then the claim is 0: small powers of small integers come out as points.

x^y = exp(y log x): t = y log x carries the relative error KERNEL of log x and the products' PAIR, so x^y errs by
|t| 2^-64 + exp's own 2^-64; |t| < 746 < 2^9.6 makes that 2^-54.4, half an ulp. For integers |y| <= 512 it is the
integer power instead. y is a pair, so that a root is the power 1/n (relative error of the pair below PAIR). A power
1/y is real_power's reverse. A root that is a double (the middle of its ends, if its power is exactly x) is a point.

Ends of x^y over a box (x >= 0): x^y grows with y for x >= 1 and falls for x <= 1, grows with x for y >= 0 and falls for
y <= 0. So

    y >= 0:     from a^(c if a >= 1 else d)  to  b^(d if b >= 1 else c)
    y <= 0:     from b^(c if b >= 1 else d)  to  a^(d if a >= 1 else c)
    otherwise:  from min(a^d, b^c)           to  max(a^c, b^d),

with 0^y and infinity^y as limits. IEEE 1788: x^y is defined for x > 0, and for x = 0 < y; x^0 = 1 for integer powers of
all x.
"""

from __future__ import annotations

import math

from numba import njit

from certify.contractors.numbers.double_double import (
    PAIR,
    divide_pairs,
    enclose,
    exponent,
    fast_two_sum,
    multiply_pairs,
    power_of_two,
    scale,
    two_product,
)
from certify.contractors.numbers.exponential import KERNEL, exponential_of_pair, logarithm_double
from certify.contractors.numbers.rounded import ETA, INFINITY, LARGEST, square_root

_POWERING = 512


@njit(cache=True)
def _powering(m: float, n: int) -> tuple[float, float, bool]:
    """m^n = p + e for 1 <= n <= 512 and m^n within 2^-900 and 2^900, and whether that is exact."""
    p, e, exact = 1.0, 0.0, True
    s, t = m, 0.0
    while True:
        if n & 1:
            exact = exact and t == 0.0 and e == 0.0
            p, e = multiply_pairs(p, e, s, t)
        n >>= 1
        if n == 0:
            return p, e, exact
        exact = exact and t == 0.0
        s, t = multiply_pairs(s, t, s, t)


@njit(cache=True)
def _few_factors(x: float, n: int) -> tuple[float, float]:
    """Encloses x^n for 2^-100 < x < 2^100, 2 <= n <= 8: from the top bit of n, with x itself as the factor, which is
    quicker.
    """
    bit = 4 if n >= 8 else 2 if n >= 4 else 1
    p, e, bound = x, 0.0, 0.0
    while bit:
        bound = 0.0 if e == 0.0 and bound == 0.0 else 2.0**-88
        q, f = two_product(p, p)
        p, e = fast_two_sum(q, f + 2.0 * p * e)
        if n & bit:
            bound = 0.0 if e == 0.0 and bound == 0.0 else 2.0**-88
            q, f = two_product(p, x)
            p, e = fast_two_sum(q, f + e * x)
        bit >>= 1
    return enclose(p, e, bound)


@njit(cache=True)
def _integer_power_at(x: float, n: int) -> tuple[float, float]:
    """Encloses x^n for finite x > 0, n != 0."""
    if 2 <= n <= 8 and 2.0**-100 < x < 2.0**100:
        return _few_factors(x, n)
    if abs(n) > _POWERING:
        if abs(n) < 2**40 and x > 2.0**-1000 and x == power_of_two(exponent(x)):
            return scale(1.0, 1.0, exponent(x) * n)
        head = float(n)
        return power_of_pair(x, head, float(n - int(head)))
    k, own = 0, 0
    limit = power_of_two(900 // abs(n))
    if not (x < limit and x * limit > 1.0):
        if x < 2.0**-1000:
            x, k = x * 2.0**60, -60
        own = exponent(x)
        # in two steps, as 2^-1023 is no normal number
        x *= power_of_two(-(own // 2)) * power_of_two(own // 2 - own)
    p, e, exact = _powering(x, abs(n))
    bound = 0.0 if exact else 2.0**-88
    if n < 0:
        exact = exact and e == 0.0 and p == power_of_two(exponent(p))
        p, e = divide_pairs(1.0, 0.0, p, e)
        bound = 0.0 if exact else 2.0**-87
    if own == 0 and k == 0:
        return enclose(p, e, bound)
    rest = exponent(p)
    low, high = enclose(p, e, bound)
    factor = power_of_two(-rest)
    return scale(low * factor, high * factor, (k + own) * n + rest)


@njit(cache=True)
def integer_power_at(x: float, n: int) -> tuple[float, float]:
    """Encloses x^n for x >= 0 and n != 0; 0 and infinity as limits."""
    if x == 0.0 or x == INFINITY:
        if (x == 0.0) == (n > 0):
            return 0.0, 0.0
        return LARGEST, INFINITY
    return _integer_power_at(x, n)


@njit(cache=True)
def _even_power(a: float, b: float, n: int) -> tuple[float, float]:
    inner, outer = max(0.0, max(a, -b)), max(-a, b)
    if n > 0:
        return integer_power_at(inner, n)[0], integer_power_at(outer, n)[1]
    if outer == 0.0:
        return INFINITY, -INFINITY
    return integer_power_at(outer, n)[0], integer_power_at(inner, n)[1]


@njit(cache=True)
def _odd_power_at(x: float, n: int) -> tuple[float, float]:
    low, high = integer_power_at(abs(x), n)
    return (low, high) if x >= 0.0 else (-high, -low)


@njit(cache=True)
def integer_power(a: float, b: float, n: int) -> tuple[float, float]:
    """[a, b]^n, any |n| < 2^62; for n < 0 over x != 0."""
    if not a <= b:
        return INFINITY, -INFINITY
    if n == 0:
        return 1.0, 1.0
    if n & 1 == 0:
        return _even_power(a, b, n)
    if n > 0:
        return _odd_power_at(a, n)[0], _odd_power_at(b, n)[1]
    if a < 0.0 < b:
        return -INFINITY, INFINITY
    if a == 0.0 and b == 0.0:
        return INFINITY, -INFINITY
    low = -INFINITY if b == 0.0 else _odd_power_at(b, n)[0]
    return low, INFINITY if a == 0.0 else _odd_power_at(a, n)[1]


@njit(cache=True)
def power_of_pair(x: float, y: float, z: float) -> tuple[float, float]:
    """Encloses x^(y + z) for finite x > 0, |z| <= u |y|."""
    h, e = logarithm_double(x)
    estimate = h * y
    if not -746.5 < estimate < 710.5:
        return exponential_of_pair(estimate, 0.0, 0.0) if estimate == estimate else (1.0, 1.0)
    p, f = two_product(h, y)
    return exponential_of_pair(p, f + (h * z + e * y), abs(p) * (KERNEL + 2.0 * PAIR) + 2.0**-900)


@njit(cache=True)
def real_power_at(x: float, y: float, z: float) -> tuple[float, float]:
    """Encloses x^(y + z), x >= 0; 0, infinity and infinite y as limits; 1 for y = 0 and for x = 1."""
    if y == 0.0 or x == 1.0:
        return 1.0, 1.0
    if x == 0.0 or x == INFINITY:
        return (0.0, 0.0) if (x == 0.0) == (y > 0.0) else (LARGEST, INFINITY)
    if z == 0.0 and abs(y) <= _POWERING and y == math.floor(y):
        return _integer_power_at(x, int(y))
    if y == INFINITY or y == -INFINITY:
        return (0.0, ETA) if (x < 1.0) == (y > 0.0) else (LARGEST, INFINITY)
    return power_of_pair(x, y, z)


@njit(cache=True)
def exponent_pair(y: float, inverse: bool) -> tuple[float, float]:
    """y or 1/y as a pair; 1/infinity = 0, 1/0 = infinity with the sign of y."""
    if not inverse:
        return y, 0.0
    if y == 0.0:
        return math.copysign(INFINITY, y), 0.0
    if (
        abs(y) < 1e-290 or abs(y) > 1e290
    ):  # log x is below 710 and no nearer to 0 than 2^-53: x^(1/y) is 0, 1 or infinite up to 2^-900
        return 1.0 / y, 0.0
    return divide_pairs(1.0, 0.0, y, 0.0)


@njit(cache=True)
def power_over_box(a: float, b: float, c: float, d: float, inverse: bool) -> tuple[float, float]:
    """[a, b]^[c, d] for 0 <= a <= b, b > 0, or [a, b]^(1/[c, d]) with c > 0 or d < 0."""
    low_c, tail_c = exponent_pair(d if inverse else c, inverse)
    high_d, tail_d = exponent_pair(c if inverse else d, inverse)
    if low_c >= 0.0:
        low = real_power_at(a, low_c, tail_c)[0] if a >= 1.0 else real_power_at(a, high_d, tail_d)[0]
        high = real_power_at(b, high_d, tail_d)[1] if b >= 1.0 else real_power_at(b, low_c, tail_c)[1]
    elif high_d <= 0.0:
        low = real_power_at(b, low_c, tail_c)[0] if b >= 1.0 else real_power_at(b, high_d, tail_d)[0]
        high = real_power_at(a, high_d, tail_d)[1] if a >= 1.0 else real_power_at(a, low_c, tail_c)[1]
    else:
        low = min(real_power_at(a, high_d, tail_d)[0], real_power_at(b, low_c, tail_c)[0])
        high = max(real_power_at(a, low_c, tail_c)[1], real_power_at(b, high_d, tail_d)[1])
    return low, high


@njit(cache=True)
def real_power(a: float, b: float, c: float, d: float) -> tuple[float, float]:
    """[a, b]^[c, d] over x > 0, or x = 0 < y."""
    if not (a <= b and c <= d) or b < 0.0:
        return INFINITY, -INFINITY
    if b == 0.0:
        return (0.0, 0.0) if d > 0.0 else (INFINITY, -INFINITY)
    return power_over_box(max(a, 0.0), b, c, d, False)


@njit(cache=True)
def root_at(x: float, n: int) -> tuple[float, float]:
    """Encloses x^(1/n), x >= 0, n >= 1."""
    if n == 1 or x == 0.0 or x == 1.0:
        return x, x
    if n == 2 and x < INFINITY:
        return square_root(x, x)
    if x == INFINITY:
        return LARGEST, INFINITY
    y, z = divide_pairs(1.0, 0.0, float(n), 0.0)
    low, high = power_of_pair(x, y, z)
    if n <= 53:
        middle = low + 0.5 * (high - low)
        p, q = _integer_power_at(middle, n)
        if p == q == x:
            return middle, middle
    return low, high


@njit(cache=True)
def root(a: float, b: float, n: int) -> tuple[float, float]:
    """The n-th root, 1 <= n < 2^53: of the part of [a, b] that is not negative for even n, of all of it for odd n.
    Whole line for n < 1.
    """
    if not a <= b or (n & 1 == 0 and b < 0.0):
        return INFINITY, -INFINITY
    if n < 1:
        return -INFINITY, INFINITY
    if n & 1 == 0:
        a = max(a, 0.0)
    low, high = root_at(abs(a), n)
    if a < 0.0:
        low = -high
    s, high = root_at(abs(b), n)
    return low, -s if b < 0.0 else high


@njit(cache=True)
def _whole(x: float) -> bool:
    return abs(x) < 2000.0 and x == math.floor(x)


@njit(cache=True)
def _exponential_at(base: float, x: float) -> tuple[float, float]:
    """Encloses base^x for the base 2 or 10: exact powers where they are doubles."""
    if base == 2.0 and -1074.0 <= x < 1024.0 and x == math.floor(x):
        return math.ldexp(1.0, int(x)), math.ldexp(1.0, int(x))
    return integer_power(base, base, int(x)) if _whole(x) else real_power_at(base, x, 0.0)


@njit(cache=True)
def exponential_to_base(a: float, b: float, base: float) -> tuple[float, float]:
    """base^[a, b] for the base 2 or 10"""
    if not a <= b:
        return INFINITY, -INFINITY
    return (0.0 if a == -INFINITY else _exponential_at(base, a)[0]), _exponential_at(base, b)[1]


@njit(cache=True)
def _logarithm_at(x: float, base: float) -> tuple[float, float]:
    """Encloses log x / log base, x > 0, base 2 or 10; where that is an integer k, x is base^k, and k is the end."""
    if x == INFINITY:
        return LARGEST, INFINITY
    p, e = logarithm_double(x)
    q, f = logarithm_double(base)
    h, g = divide_pairs(p, e, q, f)
    k = math.floor(h + 0.5)
    if abs(h - k) < 2.0**-40:
        low, high = integer_power(base, base, int(k))
        if low == high == x or (
            base == 2.0 and math.frexp(x)[0] == 0.5
        ):  # a subnormal power of 2 is not told from its neighbours
            return k, k
    return enclose(h, g, 2.0**-62)


@njit(cache=True)
def logarithm_to_base(a: float, b: float, base: float) -> tuple[float, float]:
    """log [a, b] / log base for the base 2 or 10"""
    if not a <= b or b <= 0.0:
        return INFINITY, -INFINITY
    return (-INFINITY if a <= 0.0 else _logarithm_at(a, base)[0]), _logarithm_at(b, base)[1]
