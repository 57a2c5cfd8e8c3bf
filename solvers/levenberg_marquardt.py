"""Levenberg-Marquardt: the estimated minimum of a sum of squares, min_x |r(x)|^2.

    step = argmin |r + J step|^2 + damping |D step|^2,   D the norms of J's columns

A step that does not raise the sum is taken and the damping divided by ten; otherwise the damping grows tenfold. The small problem is solved by
orthogonal factors, never by normal equations.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
System = Callable[[Floats], tuple[Floats, Floats]]

FIRST_DAMPING, LARGEST_DAMPING = 1e-3, 1e12
SMALLEST_STEP = 1e-11
SETTLED = 1e-6  # of the point's size: what an undamped step may still move it by


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
        scale = np.sqrt((slopes**2).sum(axis=0)) + 1e-12
        augmented = np.vstack([slopes, np.diag(np.sqrt(damping) * scale)])
        step = np.linalg.lstsq(augmented, np.concatenate([-values, np.zeros(x.size)]), rcond=None)[0]
        trial = x + step
        new_values, new_slopes = system(trial)
        if new_values @ new_values <= values @ values:
            x, values, slopes, damping, taken = trial, new_values, new_slopes, damping / 10.0, taken + 1
            if np.abs(step).max() <= SMALLEST_STEP * (1.0 + np.abs(x).max()):
                break
        elif damping > LARGEST_DAMPING:
            break
        else:
            damping *= 10.0
    left = np.linalg.lstsq(slopes, -values, rcond=None)[0]
    return Minimum(x, values, taken, bool(np.abs(left).max() <= SETTLED * (1.0 + np.abs(x).max())))
