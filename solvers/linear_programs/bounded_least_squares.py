"""min |A v - b|^2 subject to lower <= v <= upper: some sweeps over the coordinates, starting where the last answer
ended, which find most of the bounds that hold, and then active sets (Stark and Parker 1995). Estimated.

From active sets alone 120 rows with 236 columns, most of them at a bound, take 60 steps of 0.5 ms and are not done;
20 sweeps take 0.1 ms, and few steps are left.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from certify.contractors.tape.evaluation import Floats

SWEEPS, STEPS = 20, 60
SETTLED = 1e-12  # of the largest product of columns: slopes that small gain nothing
RIDGE = 1e-13  # of the trace, so that dependent columns do no harm


@njit(cache=True, error_model="numpy")
def _sweep(
    gram: np.ndarray, slopes: np.ndarray, v: np.ndarray, lower: np.ndarray, upper: np.ndarray, sweeps: int
) -> None:
    """Each coordinate to its best place, one after the other, so many times or until nothing moves; `slopes` are half
    those of the sum of squares.
    """
    for _ in range(sweeps):
        moved = False
        for j in range(v.size):
            place = min(max(v[j] - slopes[j] / gram[j, j], lower[j]), upper[j])
            step = place - v[j]
            if step != 0.0:
                moved = True
                v[j] = place
                for i in range(v.size):
                    slopes[i] += gram[j, i] * step
        if not moved:
            break


class BoundedLeastSquares:
    """One matrix and right-hand side, many bounds."""

    def __init__(self, matrix: Floats, right: Floats) -> None:
        self._gram = matrix.T @ matrix
        self._gram[np.diag_indices_from(self._gram)] += RIDGE * np.trace(self._gram) + 1e-300
        self._right = matrix.T @ right
        self._settled = SETTLED * (np.abs(self._right).max(initial=0.0) + np.abs(self._gram).max(initial=0.0))
        self._last = np.zeros(matrix.shape[1])

    def solve(self, lower: Floats, upper: Floats) -> Floats:
        """The best point within the bounds."""
        v = np.clip(self._last, lower, upper)
        _sweep(self._gram, self._gram @ v - self._right, v, lower, upper, SWEEPS)
        held = (v <= lower) | (v >= upper)
        for _ in range(STEPS):
            free = np.flatnonzero(~held)
            if len(free):
                fixed = np.flatnonzero(held)
                goal = np.linalg.solve(
                    self._gram[np.ix_(free, free)], self._right[free] - self._gram[np.ix_(free, fixed)] @ v[fixed]
                )
                step = goal - v[free]
                with np.errstate(divide="ignore", invalid="ignore"):
                    room = np.where(
                        step > 0.0,
                        (upper[free] - v[free]) / step,
                        np.where(step < 0.0, (lower[free] - v[free]) / step, np.inf),
                    )
                first = int(room.argmin())
                if room[first] < 1.0:
                    v[free] = np.clip(v[free] + max(room[first], 0.0) * step, lower[free], upper[free])
                    v[free[first]] = upper[free[first]] if step[first] > 0.0 else lower[free[first]]
                    held[free[first]] = True
                    continue
                v[free] = goal
            slopes = self._gram @ v - self._right
            gain = np.where(held, np.where(v <= lower, -slopes, slopes), 0.0)
            gain[(lower == upper)] = 0.0
            best = int(gain.argmax())
            if gain[best] <= self._settled:
                break
            held[best] = False
        self._last = v
        return v
