"""Levenberg-Marquardt: the estimated minimum of a sum of squares, min_x |r(x)|^2.

    step = argmin |r + J step|^2 + damping |D step|^2,   D the norms of J's columns

A step that does not raise the sum is taken and the damping divided by ten; otherwise the damping grows tenfold. The
small problem is solved by the singular values of J D^-1, never by normal equations, so that the unknowns' units do not
matter; where these vanish no step is made: rounding would lead it anywhere. Of many rows only the triangle of
(J D^-1, r) is decomposed, which has the same singular values, and costs a tenth.

Where it is known how far each unknown may plausibly go (`longest`), no step is longer than that: the damping grows
until it is not. So a sum that falls for ever ends at most `steps` such lengths away, and a near minimum is not jumped
over.
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
class Descended:
    """Where the search ended, the residuals there, the steps taken, and whether the point looks
    stationary (estimated).
    """

    x: Floats
    residuals: Floats
    steps: int
    stationary: bool

    @property
    def cost(self) -> float:
        """The sum of squares."""
        return float(self.residuals @ self.residuals)


def minimise(system: System, start: Floats, steps: int = 100, longest: Floats | None = None) -> Descended:
    """Minimise |r|^2 from `start`; `system` gives the residuals (rows,) and their slopes (rows, unknowns)
    at a point.
    """
    x = np.array(start, dtype=np.float64)
    values, slopes = system(x)
    factors = _Factors.of(values, slopes)
    damping, taken = FIRST_DAMPING, 0
    for _ in range(steps):
        step, damping = factors.step(damping, longest)
        trial = x + step
        new_values, new_slopes = system(trial)
        if new_values @ new_values <= values @ values:
            x, values, damping, taken = trial, new_values, damping / 10.0, taken + 1
            factors = _Factors.of(values, new_slopes)
            if factors.change(step) <= SMALLEST_STEP * factors.size(x, values):
                break
        elif damping > LARGEST_DAMPING:
            break
        else:
            damping *= 10.0
    left, _ = factors.step(0.0, None)
    return Descended(x, values, taken, factors.change(left) <= SETTLED * factors.size(x, values))


@dataclass(frozen=True, eq=False, slots=True)
class _Factors:
    """The singular values of J D^-1 at a point and -r along its left vectors: the step for any damping."""

    scale: Floats  # D, 1 where no row depends on the unknown
    singular: Floats
    along: Floats
    right: Floats

    @staticmethod
    def of(values: Floats, slopes: Floats) -> _Factors:
        """The factors at a point; rows that are not defined there lead nowhere."""
        values, slopes = (np.where(np.isfinite(part), part, 0.0) for part in (values, slopes))
        norms = np.sqrt((slopes**2).sum(axis=0))
        scale = np.where(norms > 0.0, norms, 1.0)
        triangle: Floats = np.asarray(np.linalg.qr(np.column_stack([slopes / scale, values]), mode="r"))
        left, singular, right = np.linalg.svd(triangle[:, :-1], full_matrices=False)
        kept = singular > VANISHED * singular.max(initial=0.0)
        return _Factors(scale, singular[kept], -(triangle[:, -1] @ left[:, kept]), right[kept])

    def step(self, damping: float, longest: Floats | None) -> tuple[Floats, float]:
        """The step, and the damping with which it is not too long."""
        while True:
            step = (self.singular / (self.singular**2 + damping) * self.along) @ self.right / self.scale
            if longest is None or damping > LARGEST_DAMPING or (np.abs(step) <= longest).all():
                return step, damping
            damping *= 2.0

    def change(self, step: Floats) -> float:
        """What a step changes in the residuals at most."""
        return float(np.abs(self.scale * step).max(initial=0.0))

    def size(self, x: Floats, values: Floats) -> float:
        """What such a change is small against; not a number where a row is not defined."""
        return self.change(x) + float(np.sqrt(values @ values))
