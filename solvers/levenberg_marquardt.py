"""Levenberg-Marquardt: the estimated minimum of a sum of squares, min_x |r(x)|^2.

    step = argmin |r + J step|^2 + damping |D step|^2,   D the norms of J's columns

A step that does not raise the sum is taken and the damping divided by ten; otherwise the damping grows tenfold. The small problem is solved by
the singular values of J D^-1, never by normal equations, so that the unknowns' units do not matter; where these vanish no step is made: rounding
would lead it anywhere.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
System = Callable[[Floats], tuple[Floats, Floats]]

FIRST_DAMPING, LARGEST_DAMPING = 1e-3, 1e12
SMALLEST_STEP = 1e-13  # of the size of the point and of the residuals, all as changes of the residuals
SETTLED = 1e-6  # of the same size: what an undamped step may still move the point by
VANISHED = 1e-13  # of the largest singular value


@dataclass(frozen=True, eq=False, slots=True)
class Minimum:
    """Where the search ended, the residuals there, the steps taken, and whether the point looks stationary (estimated)."""

    x: Floats
    residuals: Floats
    steps: int
    stationary: bool

    @property
    def cost(self) -> float:
        """The sum of squares."""
        return float(self.residuals @ self.residuals)


def minimise(system: System, start: Floats, steps: int = 100) -> Minimum:
    """Minimise |r|^2 from `start`; `system` gives the residuals (rows,) and their slopes (rows, unknowns) at a point."""
    x = np.array(start, dtype=np.float64)
    values, slopes = system(x)
    damping, taken = FIRST_DAMPING, 0
    for _ in range(steps):
        scale, step = _step(values, slopes, damping)
        trial = x + step
        new_values, new_slopes = system(trial)
        if new_values @ new_values <= values @ values:
            x, values, slopes, damping, taken = trial, new_values, new_slopes, damping / 10.0, taken + 1
            if np.abs(scale * step).max() <= SMALLEST_STEP * _size(scale, x, values):
                break
        elif damping > LARGEST_DAMPING:
            break
        else:
            damping *= 10.0
    scale, left = _step(values, slopes, 0.0)
    return Minimum(x, values, taken, bool(np.abs(scale * left).max() <= SETTLED * _size(scale, x, values)))


def _step(values: Floats, slopes: Floats, damping: float) -> tuple[Floats, Floats]:
    """The scale of each unknown (1 where no row depends on it), and the step."""
    norms = np.sqrt((slopes**2).sum(axis=0))
    scale = np.where(norms > 0.0, norms, 1.0)
    left, sizes, right = np.linalg.svd(slopes / scale, full_matrices=False)
    factors = np.where(sizes > VANISHED * sizes.max(initial=0.0), sizes / np.maximum(sizes**2 + damping, 1e-300), 0.0)
    return scale, -(right.T @ (factors * (left.T @ values))) / scale


def _size(scale: Floats, x: Floats, values: Floats) -> float:
    return float(np.abs(scale * x).max() + np.sqrt(values @ values))
