"""exp and log: tables of 2^(j/64) and log r_i with short Taylor sums, in pairs of doubles; relative error below 2^-64.

exp: x = (64 k + j) L + r, L = ln 2 / 64, |r| <= L/2 + 2^-40 < 0.00542 =: R. L = L1 + L2 + L3 with L1, L2 multiples of
2^-42, 2^-78 (36 bits), so that n L1, n L2 are exact for |n| < 2^17; x - n L1 is a multiple of ulp(x) no larger than |x|
or L/2, hence exact. exp(x) = 2^k T_j (1 + r + q), q = r^2 (1/2 + r/6 + ... + r^5/5040). Relative errors: remainder
R^8/40320 < 2^-75; q < 2^-16 with six roundings of u in the leading factors and r's tail neglected, 2^-66.4; the sums of
terms below 2^-15.9, three times u 2^-15.9 = 2^-67.3; the pairs and n L3 below 2^-100. Together below 2^-65.3 < 2^-64.

log: x = 2^k m, 1 <= m < 2; by the seven leading bits i of m, r_i m = 1 + z with |z| < 2^-7 (r_i = 1 and 1/2 for the
first and the last interval). For i >= 53, k grows by one and 2 r_i stands for r_i in log x = k ln 2 - log r_i + log(1 +
z), so that around x = 1 only the last term is left. z is exact: TwoProduct, then Sterbenz. log(1 + z) = z - z^2/2 + z^3
(1/3 - z/4 + ... - z^7/10), z^2 in a pair. Errors relative to z: remainder z^10/11 < 2^-73; the cubic term, below
2^-15.5, with six roundings 2^-65.9; sums of terms below 2^-15 (the second half of the result) 2^-67 each. Where k ln 2
- log r_i is not 0 the result is at least 2^-8.1 >= |z|/2.2, and |z| <= 2^-7.9. Together below 2^-64.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from certify.contractors.numbers.double_double import (
    enclose,
    exponent,
    fast_two_sum,
    power_of_two,
    scale,
    two_product,
    two_sum,
)
from certify.contractors.numbers.exact_constants import head_and_rest, logarithm, power_of_two_fraction, table
from certify.contractors.numbers.rounded import INFINITY, LARGEST

KERNEL = 2.0**-64  # relative error of exponential_pair and logarithm_pair
CLAIM = KERNEL * (1.0 + 2.0**-30)  # with the rounding in `enclose`

_LN2 = logarithm(2, 1)
_L1, _L2, _L3 = head_and_rest(_LN2 >> 6, (42, 78))
_INVERSE = 64.0 / 0.6931471805599453  # an estimate: it only chooses n
_POWERS = table([power_of_two_fraction(j, 64) for j in range(64)])
_K1, _K2 = head_and_rest(_LN2, (42,))

_BOUNDARY = 53  # m >= 1 + 53/128 counts as m/2
_RECIPROCALS = np.array([1.0, *[round(4096 * 256 / (257 + 2 * i)) / 4096 for i in range(1, 127)], 0.5])
_LOGARITHMS = -table(
    [logarithm(int(4096 * r), 2048 if i >= _BOUNDARY else 4096) for i, r in enumerate(_RECIPROCALS.tolist())]
)


@njit(cache=True)
def exponential_pair(h: float, l: float) -> tuple[int, float, float]:  # noqa: E741
    """exp(h + l) = 2^k (p + q)(1 + e), |e| < KERNEL, 1/2 < p < 4; |h| < 800, |l| <= 2^-40."""
    n = np.floor(h * _INVERSE + 0.5)
    r, s = two_sum(h - n * _L1, -(n * _L2))
    r, s = two_sum(r, s + (l - n * _L3))
    q = r * r * (0.5 + r * (1 / 6 + r * (1 / 24 + r * (1 / 120 + r * (1 / 720 + r * (1 / 5040))))))
    s += q
    index = int(n)
    j = index & 63
    t, v = _POWERS[j, 0], _POWERS[j, 1]
    p, e = two_product(t, r)
    p, f = fast_two_sum(t, p)
    p, f = fast_two_sum(p, f + (e + (v + (t * s + v * r))))
    return index >> 6, p, f


@njit(cache=True)
def exponential_of_pair(h: float, l: float, error: float) -> tuple[float, float]:  # noqa: E741
    """Encloses exp(h + l + t), |t| <= error < 2^-52."""
    if h > 710.0:
        return LARGEST, INFINITY
    if h < -746.0:
        return 0.0, 5e-324
    k, p, q = exponential_pair(h, l)
    low, high = enclose(p, q, CLAIM + error * (1.0 + 2.0**-40))
    return scale(low, high, k)


@njit(cache=True)
def exponential_at(x: float) -> tuple[float, float]:
    """Encloses exp(x)."""
    if x == 0.0:
        return 1.0, 1.0
    return exponential_of_pair(x, 0.0, 0.0)


@njit(cache=True)
def exponential(a: float, b: float) -> tuple[float, float]:
    """exp([a, b])"""
    if not a <= b:
        return INFINITY, -INFINITY
    return (0.0 if a == -INFINITY else exponential_at(a)[0]), exponential_at(b)[1]


@njit(cache=True)
def _series(base: float, tail: float, z: float, w: float) -> tuple[float, float]:
    """base + tail + log(1 + z + w), |z| < 2^-7."""
    s, t = two_product(z, z)
    t += 2.0 * z * w
    cubic = (
        z
        * s
        * (1 / 3 - z * (1 / 4 - z * (1 / 5 - z * (1 / 6 - z * (1 / 7 - z * (1 / 8 - z * (1 / 9 - z * (1 / 10))))))))
    )
    h, e = two_sum(base, z)
    h, f = two_sum(h, -0.5 * s)
    return fast_two_sum(h, e + f + (tail + (w - 0.5 * t) + cubic))


@njit(cache=True)
def logarithm_pair(x: float, l: float, k: int) -> tuple[float, float]:  # noqa: E741
    """log(2^k (x + l)) = (p + q)(1 + e), |e| < KERNEL, for a normal x > 0, |l| <= u x; x < 2^1000 unless l = 0."""
    own = exponent(x)
    mantissa = np.int64((np.float64(x).view(np.int64) & 0xFFFFFFFFFFFFF) | 0x3FF0000000000000)
    i = (mantissa >> 45) & 127
    m, r = mantissa.view(np.float64), _RECIPROCALS[i]
    p, e = two_product(m, r)
    if l != 0.0:
        e += l * power_of_two(-own) * r
    z, w = two_sum(p - 1.0, e)
    k += own + (1 if i >= _BOUNDARY else 0)
    base, tail = two_sum(k * _K1, _LOGARITHMS[i, 0])
    return _series(base, tail + (k * _K2 + _LOGARITHMS[i, 1]), z, w)


@njit(cache=True)
def logarithm_of_one_plus(z: float, w: float) -> tuple[float, float]:
    """log(1 + z + w) = (p + q)(1 + e), |e| < 2^-63, |w| <= u |z|, 2^-300 < |z| < 2^900, 1 + z > 2^-60.

    From |z| = 2^-8 on, 1 + z + w is rounded to a pair, with an error below 2^-105 (1 + z), small against the logarithm.
    """
    if abs(z) < 2.0**-8:
        return _series(0.0, 0.0, z, w)
    h, e = two_sum(1.0, z)
    h, e = fast_two_sum(h, e + w)
    return logarithm_pair(h, e, 0)


@njit(cache=True)
def logarithm_double(x: float) -> tuple[float, float]:
    """log(x) as a pair, for any finite x > 0."""
    if x < 2.0**-1000:
        return logarithm_pair(x * 2.0**60, 0.0, -60)
    return logarithm_pair(x, 0.0, 0)


@njit(cache=True)
def logarithm_at(x: float) -> tuple[float, float]:
    """Encloses log(x), x >= 0; below 0 and beyond the doubles the ends are infinite."""
    if x == 1.0:
        return 0.0, 0.0
    if x <= 0.0:
        return -INFINITY, -LARGEST
    if x == INFINITY:
        return LARGEST, INFINITY
    h, e = logarithm_double(x)
    return enclose(h, e, CLAIM)


@njit(cache=True)
def natural_logarithm(a: float, b: float) -> tuple[float, float]:
    """log([a, b]), where it is defined."""
    if not a <= b or b <= 0.0:
        return INFINITY, -INFINITY
    return logarithm_at(a)[0], logarithm_at(b)[1]
