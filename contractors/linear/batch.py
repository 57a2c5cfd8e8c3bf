"""Many small square interval linear systems at once: the enclosure of `linear_enclosure` in one compiled loop.

The steps, the theorem and the error bounds are those of `linear_enclosure` (the hull of the system multiplied by an
approximate inverse of its middle, by Hansen, Bliek and Rohn), written for scalars: a call costs microseconds, where the
processor's library needs some tenths of a millisecond to start. Sums are bounded by gamma_n as there, which holds for
every order of summation. Only for entries between 2^-40 and 2^40 in size, or 0, so that no scaling is needed; what is
not handled or not proved is said so and left to the caller. Meant for the linearised systems of a batch of boxes, too.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from certify.contractors.numbers.double_double import two_product, two_sum
from certify.contractors.numbers.rounded import above
from certify.contractors.tape.evaluation import Floats

UNIT = 2.0**-53
TINY = 2.0**-1022
_RESIDUAL_TINY = 2.0**-950
_LARGE, _SMALL = 2.0**40, 2.0**-40
_NEGLIGIBLE = 1e-5
_ROW_SUM = 0.5
_REFINEMENTS = 3


@njit(cache=True, error_model="numpy", inline="always")
def _raised(value: float, operations: int) -> float:
    """`verified_products.raised`"""
    return value * (1.0 + 2.0002 * (operations + 5) * UNIT) + 2.0 * (operations + 1) * TINY


@njit(cache=True, error_model="numpy")
def _invert(matrix: np.ndarray, inverse: np.ndarray) -> bool:
    """Gauss-Jordan elimination with row exchanges; `matrix` is destroyed. False without a pivot."""
    n = len(matrix)
    inverse[:] = 0.0
    for i in range(n):
        inverse[i, i] = 1.0
    for k in range(n):
        pivot = k
        for i in range(k + 1, n):
            if abs(matrix[i, k]) > abs(matrix[pivot, k]):
                pivot = i
        value = matrix[pivot, k]
        if value == 0.0 or not math.isfinite(value):
            return False
        for j in range(n):
            a, b = matrix[pivot, j], inverse[pivot, j]
            matrix[pivot, j], inverse[pivot, j] = matrix[k, j], inverse[k, j]
            matrix[k, j], inverse[k, j] = a / value, b / value
        for i in range(n):
            factor = matrix[i, k]
            if i != k and factor != 0.0:
                for j in range(k, n):
                    matrix[i, j] -= factor * matrix[k, j]
                for j in range(n):
                    inverse[i, j] -= factor * inverse[k, j]
    return True


@njit(cache=True, error_model="numpy")
def _middles(low: np.ndarray, high: np.ndarray, middle: np.ndarray, radius: np.ndarray) -> bool:
    """[low, high] within middle -+ radius; False if an entry is not of a usual size."""
    for i in range(low.shape[0]):
        for j in range(low.shape[1]):
            size = max(abs(low[i, j]), abs(high[i, j]))
            least = min(abs(low[i, j]), abs(high[i, j]))
            if not (size == 0.0 or _SMALL <= size <= _LARGE) or (least != 0.0 and least < _SMALL):
                return False
            m = 0.5 * low[i, j] + 0.5 * high[i, j]
            r = max(m - low[i, j], high[i, j] - m)
            middle[i, j], radius[i, j] = m, r * (1.0 + 4.0 * UNIT) + TINY if r > 0.0 else 0.0
    return True


@njit(cache=True, error_model="numpy")
def _precondition(
    inverse: np.ndarray, middle: np.ndarray, radius: np.ndarray, spread: np.ndarray, rounding: np.ndarray
) -> bool:
    """inverse times the matrix within I -+ (spread + rounding)."""
    n = len(middle)
    gamma = 1.0001 * (n + 1) * UNIT
    near, size = np.empty(n), np.empty(n)
    for i in range(n):
        near[:], size[:], spread[i] = 0.0, 0.0, 0.0
        for k in range(n):
            factor = inverse[i, k]
            amount = abs(factor)
            for j in range(n):
                near[j] += factor * middle[k, j]
                size[j] += amount * abs(middle[k, j])
                spread[i, j] += amount * radius[k, j]
        near[i] -= 1.0
        if not abs(near[i]) < 1.0:
            return False
        for j in range(n):
            spread[i, j] = _raised(spread[i, j], n)
            rounding[i, j] = _raised(abs(near[j]) + gamma * _raised(size[j], n) + 2.0 * n * TINY, 4)
        rounding[i, i] += 4.0 * UNIT
    return True


@njit(cache=True, error_model="numpy", inline="always")
def _apply(matrix: np.ndarray, vector: np.ndarray, i: int) -> float:
    """An upper bound of row i times a vector, neither with negative entries."""
    total = 0.0
    for j in range(vector.size):
        total += matrix[i, j] * vector[j]
    return _raised(total, vector.size)


@njit(cache=True, error_model="numpy")
def _contracting(spread: np.ndarray, rounding: np.ndarray, near: np.ndarray, w: np.ndarray, v: np.ndarray) -> bool:
    """w > 0 and 0 < v <= w - (spread + rounding) w; `near` is an approximation of (I - spread)^-1, for w if it is
    needed.
    """
    n = w.size
    w[:] = 1.0
    worst = 0.0
    for i in range(n):
        worst = max(worst, np.sum(spread[i]) + np.sum(rounding[i]))
    if not worst < _ROW_SUM:
        for i in range(n):
            w[i] = np.sum(near[i])
            if not (w[i] > 0.0 and w[i] < _LARGE):
                return False
    for i in range(n):
        total = _raised(_apply(spread, w, i) + _apply(rounding, w, i), 1)
        v[i] = w[i] - total
        v[i] -= 4.0 * UNIT * w[i]
        if not v[i] > 0.0:
            return False
    return True


@njit(cache=True, error_model="numpy")
def _residual(middle: np.ndarray, x: np.ndarray, right: np.ndarray, value: np.ndarray, uncertainty: np.ndarray) -> None:
    """`verified_products.residual`"""
    n = x.size
    gamma = 1.0001 * (4 * n + 5) * UNIT
    for i in range(n):
        high, low, size = right[i], 0.0, 0.0
        for j in range(n):
            p, e = two_product(-x[j], middle[i, j])
            high, f = two_sum(high, p)
            low += e + f
            size += abs(e) + abs(f)
        value[i] = high + low
        uncertainty[i] = _raised(UNIT * abs(value[i]) + gamma * _raised(size, 2 * n + 2), 3) + _RESIDUAL_TINY


@njit(cache=True, error_model="numpy")
def _approximate(inverse: np.ndarray, middle: np.ndarray, right: np.ndarray, x: np.ndarray, rest: np.ndarray,
                 uncertainty: np.ndarray,
                 step: np.ndarray) -> bool:  # fmt: skip
    """A solution x of the middle system, its enclosed residual, and `step` = inverse times the residual in floats."""
    x[:] = 0.0
    rest[:] = right
    uncertainty[:] = 0.0
    for _ in range(_REFINEMENTS + 2):
        settled = True
        for i in range(x.size):
            total = 0.0
            for j in range(x.size):
                total += inverse[i, j] * rest[j]
            step[i] = total
            settled = settled and abs(total) <= UNIT * abs(x[i])
            if not abs(x[i] + total) < 2.0**200:
                return False
        if settled:
            return True
        for i in range(x.size):
            x[i] += step[i]
        _residual(middle, x, right, rest, uncertainty)
    for i in range(x.size):
        total = 0.0
        for j in range(x.size):
            total += inverse[i, j] * rest[j]
        step[i] = total
    return True


@njit(cache=True, error_model="numpy")
def _above_inverse(
    spread: np.ndarray, near: np.ndarray, exact: bool, w: np.ndarray, v: np.ndarray, vector: np.ndarray, out: np.ndarray
) -> None:
    """out >= (I - spread)^-1 vector, by the approximation `near` (or I + spread), repaired by a multiple of w."""
    n = w.size
    for i in range(n):
        total = 0.0 if exact else vector[i]
        for j in range(n):
            total += near[i, j] * vector[j] if exact else spread[i, j] * vector[j]
        out[i] = max(total, 0.0)
    factor = 0.0
    for i in range(n):
        needed = _raised(vector[i] + _apply(spread, out, i), 2)
        missing = max(needed * (1.0 + 4.0 * UNIT) - out[i], 0.0)
        factor = max(factor, missing * (1.0 + 2.0 * UNIT) / v[i])
    factor = _raised(factor, 4)
    for i in range(n):
        out[i] = _raised(out[i] + _raised(factor * w[i], 2), 2)


@njit(cache=True, error_model="numpy")
def _diagonal(spread: np.ndarray, near: np.ndarray, exact: bool, w: np.ndarray, v: np.ndarray, out: np.ndarray) -> None:
    """Lower bounds of the diagonal of (I - spread)^-1, at least 1."""
    n = w.size
    gamma = 1.0001 * (n + 1) * UNIT
    if not exact:
        for i in range(n):
            out[i] = max(1.0, 1.0 + spread[i, i] * (1.0 - 8.0 * UNIT) - 4.0 * UNIT)
        return
    column = np.zeros(n)
    times, size = np.empty(n), np.empty(n)
    for i in range(n):
        times[:], size[:] = 0.0, 0.0
        for k in range(n):
            factor = spread[i, k]
            for j in range(n):
                times[j] += factor * near[k, j]
                size[j] += factor * abs(near[k, j])
        for j in range(n):
            one = 1.0 if i == j else 0.0
            rest = abs(one - near[i, j] + times[j]) + gamma * _raised(size[j], n) + 2.0 * n * TINY
            rest = _raised(rest + 8.0 * UNIT * (one + abs(near[i, j]) + abs(times[j])), 6)
            column[j] = max(column[j], _raised(rest / v[i], 3))
    for i in range(n):
        lower = near[i, i] - _raised(w[i] * column[i], 3)
        out[i] = max(1.0, lower - 4.0 * UNIT * abs(lower))


@njit(cache=True, error_model="numpy")
def _add_up(a: float, b: float, c: float) -> float:
    """An upper bound of a + b + c, to the last digit if b and c are small beside a."""
    small = b + c
    small = small + 2.0 * UNIT * abs(small) + TINY
    total = a + small
    if abs(a) >= abs(small) and small - (total - a) <= 0.0:
        return total
    return above(total)


@njit(cache=True, error_model="numpy")
def _ends(start: float, correction: float, d: float, diagonal: float) -> tuple[float, float]:
    """The ends for x_0 = start + correction exactly."""
    about = start + correction
    sign = 1.0 if about >= 0.0 else -1.0
    start, correction, about = sign * start, sign * correction, abs(about)
    t = max(1.0, (2.0 * diagonal - 1.0) * (1.0 - 4.0 * UNIT))
    far = _add_up(start, correction, d)
    near = -_add_up(-start, -correction, _raised(d / t, 2))
    scaled = t * about
    across = scaled - d
    across = across - 8.0 * UNIT * (scaled + d) - 4.0 * TINY
    if across < 0.0:
        near = min(near, across)
    return (near, far) if sign > 0.0 else (-far, -near)


@njit(cache=True, error_model="numpy")
def _distance(inverse: np.ndarray, right_radius: np.ndarray, spread: np.ndarray, rounding: np.ndarray, w: np.ndarray,
              v: np.ndarray,
              start: np.ndarray, step: np.ndarray, rest: np.ndarray, uncertainty: np.ndarray,
              vector: np.ndarray) -> None:  # fmt: skip
    """vector >= D |x_0| + g; `inverse` has absolute values."""
    n = w.size
    size, known, distance, right_spread, error = np.empty(n), np.empty(n), np.empty(n), np.empty(n), np.empty(n)
    gamma = 1.0001 * (n + 1) * UNIT
    for i in range(n):
        size[i] = abs(start[i])
        vector[i] = _raised(uncertainty[i] + gamma * abs(rest[i]), 3)
    factor = 0.0
    for i in range(n):
        right_spread[i] = _apply(inverse, right_radius, i)
        error[i] = _raised(_apply(inverse, vector, i) + 2.0 * n * TINY, 1)
        known[i] = _raised(abs(step[i]) + error[i] + _apply(spread, size, i) + right_spread[i], 4)
        factor = max(factor, known[i] / v[i])
    factor = _raised(factor, 2)
    for i in range(n):
        distance[i] = _raised(factor * w[i], 2)
    for _ in range(2):
        for i in range(n):
            vector[i] = _raised(known[i] + _apply(spread, distance, i) + _apply(rounding, distance, i), 3)
        distance = np.minimum(distance, vector)
    for i in range(n):
        size[i] = _raised(abs(start[i] + step[i]), 2)
    for i in range(n):
        g = _raised(right_spread[i] + error[i] + _apply(rounding, distance, i), 3)
        vector[i] = _raised(_apply(spread, size, i) + g, 2)


@njit(cache=True, error_model="numpy")
def _enclose(
    a_low: np.ndarray, a_high: np.ndarray, b_low: np.ndarray, b_high: np.ndarray, low: np.ndarray, high: np.ndarray
) -> bool:
    """One system; columns of one number are matrices, too. False if nothing is proved."""
    n = low.size
    middle, radius, right, right_radius = np.empty((n, n)), np.empty((n, n)), np.empty((n, 1)), np.empty((n, 1))
    if not (
        _middles(a_low, a_high, middle, radius)
        and _middles(b_low.reshape(n, 1), b_high.reshape(n, 1), right, right_radius)
    ):
        return False
    inverse, spread, rounding, near = np.empty((n, n)), np.empty((n, n)), np.empty((n, n)), np.empty((n, n))
    if not (_invert(middle.copy(), inverse) and _precondition(inverse, middle, radius, spread, rounding)):
        return False
    largest = 0.0
    for i in range(n):
        largest = max(largest, np.sum(spread[i]))
    exact = not largest < _NEGLIGIBLE
    if exact and not _invert(np.eye(n) - spread, near):
        return False
    w, v, start, rest, uncertainty, step = np.empty(n), np.empty(n), np.empty(n), np.empty(n), np.empty(n), np.empty(n)
    if not exact:
        near[:] = 1.0
    if not (
        _contracting(spread, rounding, near, w, v)
        and _approximate(inverse, middle, right[:, 0], start, rest, uncertainty, step)
    ):
        return False
    vector, d, diagonal = np.empty(n), np.empty(n), np.empty(n)
    _distance(np.abs(inverse), right_radius[:, 0], spread, rounding, w, v, start, step, rest, uncertainty, vector)
    _above_inverse(spread, near, exact, w, v, vector, d)
    _diagonal(spread, near, exact, w, v, diagonal)
    for i in range(n):
        low[i], high[i] = _ends(start[i], step[i], d[i], diagonal[i])
        if not (math.isfinite(low[i]) and math.isfinite(high[i])):
            return False
    return True


def enclose_small(
    lower: Floats, upper: Floats, right_lower: Floats, right_upper: Floats
) -> tuple[Floats, Floats] | None:
    """One square system with finite ends: its enclosure, or None if this arithmetic does not prove one."""
    low, high = np.empty(right_lower.size), np.empty(right_lower.size)
    return (low, high) if _enclose(lower, upper, right_lower, right_upper, low, high) else None
