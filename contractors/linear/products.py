"""Products of matrices with proved errors, by the ordinary product of the processor's library.

Rounded to nearest, a sum of k products in any order, with or without fused operations, differs from the true one by at
most
    gamma_k |A| |B| + k t,    gamma_k = k u / (1 - k u), u = 2^-53,
where t = 2^-1022 bounds what underflow does to one product, even if the library flushes subnormal numbers to zero
(Higham, Accuracy and Stability of Numerical Algorithms, section 3.1; S. M. Rump, Fast and parallel interval arithmetic,
BIT 39, 1999, for intervals given by middle and radius). Products of numbers that are not negative have no cancellation,
so their error is relative: an upper bound of |A| |B| costs one more product. The library's algorithm must be the
ordinary one; those that save multiplications (Strassen's) have other bounds, and no library used by numpy has them. An
intermediate overflow never becomes finite again: such an entry gets the middle 0 and the radius infinity.

`residual` encloses b - A x to about twice the precision (T. Ogita, S. M. Rump, S. Oishi, Accurate sum and dot product,
SIAM J. Sci. Comput. 26, 2005): the errors of all products and sums are found exactly and summed, with a bound from the
sum of their absolute values.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from certify.contractors.numbers.double_double import two_product, two_sum
from certify.contractors.tape.evaluation import Floats

UNIT = 2.0**-53
TINY = 2.0**-1022
_RESIDUAL_TINY = 2.0**-950
_LONGEST = 2**24


def gamma(terms: int) -> float:
    """An upper bound of gamma_k for k <= terms: up to 2^24, for more it is infinite."""
    return 1.0001 * (terms + 1) * UNIT if terms < _LONGEST else np.inf


def raised(values: Floats, operations: int) -> Floats:
    """An upper bound of a sum of numbers that are not negative, from its value in floats after at most `operations`
    roundings each.
    """
    return np.asarray(values * (1.0 + 2.0 * gamma(operations + 4)) + 2.0 * (operations + 1) * TINY)


def magnitude_product(a: Floats, b: Floats) -> Floats:
    """An upper bound of a b for matrices (or stacks of them) without negative entries."""
    with np.errstate(all="ignore"):
        product = raised(a @ b, a.shape[-1])
    return np.where(np.isnan(product), np.inf, product)


def middle_and_radius(lower: Floats, upper: Floats) -> tuple[Floats, Floats]:
    """[lower, upper] within middle -+ radius; the radius of a point is 0."""
    middle = np.where(lower == upper, lower, 0.5 * lower + 0.5 * upper)
    with np.errstate(over="ignore"):
        radius = np.maximum(middle - lower, upper - middle)
        return middle, np.where(radius > 0.0, radius * (1.0 + 4.0 * UNIT) + TINY, 0.0)


def product(factor: Floats, middle: Floats, radius: Floats) -> tuple[Floats, Floats]:
    """factor times (middle -+ radius), for a matrix (or stack of them) of exact floats: middle and radius of an
    enclosure.
    """
    terms = factor.shape[-1]
    with np.errstate(all="ignore"):
        result = factor @ middle
        spread = (
            magnitude_product(np.abs(factor), raised(radius + gamma(terms) * np.abs(middle), 3)) + 2.0 * terms * TINY
        )
    sound = np.isfinite(result) & np.isfinite(spread)
    return np.where(sound, result, 0.0), np.where(sound, spread, np.inf)


@njit(cache=True, error_model="numpy")
def _residual(columns: np.ndarray, x: np.ndarray, b: np.ndarray, value: np.ndarray, size: np.ndarray) -> None:
    """value = b - A x, and the sum of the absolute values of all rounding errors that went into it; `columns` is A
    transposed.
    """
    high, low = b.copy(), np.zeros(b.size)
    for j in range(x.size):
        factor = -x[j]
        for i in range(b.size):
            p, e = two_product(factor, columns[j, i])
            s, f = two_sum(high[i], p)
            high[i] = s
            low[i] += e + f
            size[i] += abs(e) + abs(f)
    for i in range(b.size):
        value[i] = high[i] + low[i]


def residual(matrix: Floats, x: Floats, right: Floats) -> tuple[Floats, Floats]:
    """b - A x for floats: middle and radius. For numbers below 2^400 in size; the radius is infinite beyond.

    TwoSum is exact; TwoProduct errs by less than 2^-1060 where products fall below 2^-960, which `_RESIDUAL_TINY`
    covers for 2^24 terms.
    """
    rows, columns = matrix.shape
    value, size = np.zeros(rows), np.zeros(rows)
    largest = max(float(np.abs(matrix).max()), float(np.abs(right).max()), float(np.abs(x).max()))
    if not largest < 2.0**400:
        return value, np.full(rows, np.inf)
    _residual(np.ascontiguousarray(matrix.T), x, right, value, size)
    return value, raised(
        UNIT * np.abs(value) + gamma(4 * columns + 4) * raised(size, 2 * columns + 2), 3
    ) + _RESIDUAL_TINY


def times_vector(matrix: Floats, x: Floats) -> tuple[Floats, Floats]:
    """A x for floats to about twice the precision: middle and radius."""
    value, radius = residual(matrix, x, np.zeros(len(matrix)))
    return -value, radius
