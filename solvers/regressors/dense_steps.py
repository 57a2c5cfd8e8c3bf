"""The compiled steps of a dual method for linear programs with few columns: p rows are active, their inverse is kept.

    maximise c . z  subject to  g_i . z <= h_i

The active rows' normals B have c = sum y_i g_i with y >= 0: their vertex is the best one of fewer rows. The row that it
misses most enters, the one leaves that keeps y >= 0. Estimated, like everything that chooses rows.
"""

from __future__ import annotations

import numpy as np
from numba import njit

NEAR = 1e-11  # by so much a vertex may miss a row whose largest coefficient is 1
SMALL = 1e-9  # a pivot
ZERO = 1e-14  # a weight
TIED = 1e-14  # ratios
FRESH = 25  # steps after which the inverse is computed anew
OPTIMAL, EMPTY, LOST = 0, 1, 2


@njit(cache=True, error_model="numpy")
def _invert(normals: np.ndarray, active: np.ndarray, work: np.ndarray, inverse: np.ndarray) -> bool:
    """That of the active rows' normals, by Gauss and Jordan; whether they are independent."""
    n = active.size
    for i in range(n):
        for j in range(n):
            work[i, j], inverse[i, j] = normals[active[i], j], 1.0 if i == j else 0.0
    for k in range(n):
        pivot = k
        for i in range(k + 1, n):
            if abs(work[i, k]) > abs(work[pivot, k]):
                pivot = i
        if abs(work[pivot, k]) < 1e-300:
            return False
        for j in range(n):
            work[k, j], work[pivot, j] = work[pivot, j], work[k, j]
            inverse[k, j], inverse[pivot, j] = inverse[pivot, j], inverse[k, j]
        unit = 1.0 / work[k, k]
        for j in range(n):
            work[k, j] *= unit
            inverse[k, j] *= unit
        for i in range(n):
            share = work[i, k]
            if i != k and share != 0.0:
                for j in range(n):
                    work[i, j] -= share * work[k, j]
                    inverse[i, j] -= share * inverse[k, j]
    return True


@njit(cache=True, error_model="numpy")
def _weights(inverse: np.ndarray, normal: np.ndarray, found: np.ndarray) -> None:
    """Those of the active rows that make this normal."""
    n = found.size
    for i in range(n):
        found[i] = 0.0
    for j in range(n):
        value = normal[j]
        if value != 0.0:
            for i in range(n):
                found[i] += value * inverse[j, i]


@njit(cache=True, error_model="numpy")
def _missed(normals: np.ndarray, ends: np.ndarray, skipped: np.ndarray, point: np.ndarray) -> int:
    """The row that a point misses most, -1 if it misses none."""
    worst, found = NEAR, -1
    for i in range(ends.size):
        if not skipped[i]:
            missed = -ends[i]
            for j in range(point.size):
                missed += normals[i, j] * point[j]
            if missed > worst:
                worst, found = missed, i
    return found


@njit(cache=True, error_model="numpy")
def _leaving(y: np.ndarray, share: np.ndarray) -> int:
    """Of the active rows the one whose weight comes to 0 first, -1 if none does."""
    found, ratio = -1, np.inf
    for i in range(y.size):
        if share[i] > SMALL:
            value = max(y[i], 0.0) / share[i]
            if value < ratio - TIED or (value <= ratio + TIED and share[i] > share[found]):
                found, ratio = i, value
    return found


@njit(cache=True, error_model="numpy")
def _exchange(inverse: np.ndarray, y: np.ndarray, share: np.ndarray, leaving: int) -> None:
    """The inverse and the weights after a row with these shares of the active ones has entered."""
    n, ratio = y.size, max(y[leaving], 0.0) / share[leaving]
    for i in range(n):
        y[i] -= ratio * share[i]
    y[leaving] = ratio
    for j in range(n):
        part = inverse[j, leaving] / share[leaving]
        for i in range(n):
            inverse[j, i] -= part * share[i]
        inverse[j, leaving] = part


@njit(cache=True, error_model="numpy")
def _upwards(
    normals: np.ndarray, ends: np.ndarray, skipped: np.ndarray, cost: np.ndarray, active: np.ndarray,
    point: np.ndarray, most: int,
) -> int:  # fmt: skip
    """The best vertex, from active rows with weights that are not negative."""
    n = active.size
    work, inverse, y, share = np.empty((n, n)), np.empty((n, n)), np.empty(n), np.empty(n)
    since = FRESH
    for _ in range(most):
        if since == FRESH:
            if not _invert(normals, active, work, inverse):
                return LOST
            _weights(inverse, cost, y)
            since = 0
        for j in range(n):
            point[j] = 0.0
            for i in range(n):
                point[j] += inverse[j, i] * ends[active[i]]
        entering = _missed(normals, ends, skipped, point)
        if entering < 0:
            if since == 0:
                return OPTIMAL
            since = FRESH
            continue
        _weights(inverse, normals[entering], share)
        leaving = _leaving(y, share)
        if leaving < 0:
            return EMPTY if since == 0 else LOST
        _exchange(inverse, y, share, leaving)
        active[leaving] = entering
        since += 1
    return LOST


@njit(cache=True, error_model="numpy")
def _straighten(
    normals: np.ndarray, ends: np.ndarray, skipped: np.ndarray, cost: np.ndarray, active: np.ndarray, point: np.ndarray
) -> None:
    """From the best vertex of a turned objective along edges to that of the objective itself: few steps, if any."""
    n = active.size
    work, inverse, y = np.empty((n, n)), np.empty((n, n)), np.empty(n)
    for _ in range(n):
        if not _invert(normals, active, work, inverse):
            return
        _weights(inverse, cost, y)
        leaving = np.argmin(y)
        if y[leaving] >= -ZERO:
            return
        entering, length = -1, np.inf
        for i in range(ends.size):
            rate, left = 0.0, ends[i]
            for j in range(n):
                rate -= normals[i, j] * inverse[j, leaving]
                left -= normals[i, j] * point[j]
            if rate > SMALL and not skipped[i] and i != active[leaving] and max(left, 0.0) < length * rate:
                entering, length = i, max(left, 0.0) / rate
        if entering < 0:
            return
        for j in range(n):
            point[j] -= length * inverse[j, leaving]
        active[leaving] = entering


@njit(cache=True, error_model="numpy")
def optima(
    normals: np.ndarray, ends: np.ndarray, owners: np.ndarray, costs: np.ndarray, turns: np.ndarray,
    dropped: np.ndarray, active: np.ndarray, best: np.ndarray, points: np.ndarray, states: np.ndarray, most: int,
) -> None:  # fmt: skip
    """All programs, each without the rows of the owners that are dropped for it; `active` is where the turned
    objectives have their optima, `best` the objectives themselves.
    """
    skipped = np.empty(ends.size, dtype=np.bool_)
    for k in range(costs.shape[0]):
        for i in range(ends.size):
            skipped[i] = False
            for row in dropped[k]:
                skipped[i] |= owners[i] == row
        states[k] = _upwards(normals, ends, skipped, costs[k] + turns[k], active[k], points[k], most)
        best[k] = active[k]
        if states[k] == OPTIMAL:
            _straighten(normals, ends, skipped, costs[k], best[k], points[k])
