"""How much an experiment tells: criteria of the information F = sum over k of W_k' Sigma^-1 W_k / n of n readings, all
to be minimised, as functions of its eigenvalues l_1 .. l_p (S1 eq. 8-11).

    D            - ln det F = - sum ln l_i        the volume of the ellipsoid of estimates; units do not matter
    A            ln trace F^-1                    the sum of variances
    E            - ln min l                       the variance in the direction that is known worst; S1 calls it C
    CONDITION    (ln max l - ln min l) / 2        the condition number of whitened W, noise apart

All but D depend on the units of parameters: F is that of parameters times `scales`, which have to be said. Descents use
power means with q = POWER for E and CONDITION, (sum l^-q)^(1/q) >= 1 / min l, which have slopes everywhere. Estimated.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

import numpy as np

from certify.problems.regressors.regressor import Floats

POWER = 12.0
LEAST = 1e-24  # of the largest eigenvalue: less is rounding, and slopes have to be finite


class Criterion(Enum):
    """What is made small."""

    D = "D"
    A = "A"
    E = "E"
    CONDITION = "condition"

    @property
    def told(self) -> str:
        """In words."""
        return TOLD[self]


TOLD = {
    Criterion.D: "D-optimal: the volume of the ellipsoid of estimates",
    Criterion.A: "A-optimal: the sum of the variances of the scaled parameters",
    Criterion.E: "E-optimal: the variance in the direction of scaled parameters that is known worst",
    Criterion.CONDITION: "the condition number of W with scaled columns, which knows nothing of noise",
}


@dataclass(frozen=True, eq=False)
class Information:
    """F of scaled parameters by its eigenvalues, falling, and their directions, (p, p) by columns."""

    values: Floats
    directions: Floats

    @cached_property
    def safe(self) -> Floats:
        """The eigenvalues, none so small that nothing can be divided by it."""
        return np.maximum(self.values, LEAST * max(float(self.values[0]), 1e-250))

    def value(self, criterion: Criterion) -> float:
        """What is told; infinite where some direction is not seen."""
        if self.values[-1] <= LEAST * self.values[0]:
            return float("inf")
        return float(EXACT[criterion](self.values))

    def smooth(self, criterion: Criterion) -> tuple[float, Floats]:
        """What is descended along, and its slope by F, (p, p)."""
        value, slopes = SMOOTH[criterion](self.safe)
        return value, (self.directions * slopes) @ self.directions.T

    def deviations(self, readings: float) -> Floats:
        """Standard deviations of the scaled parameters after so many readings, by Cramer and Rao."""
        found: Floats = np.sqrt((self.directions**2 / self.safe).sum(axis=1) / readings)
        return found


def information(whitened: Floats) -> Information:
    """Of n readings' whitened rows of scaled columns, (n, outputs, p)."""
    flat = whitened.reshape(-1, whitened.shape[-1]) / np.sqrt(len(whitened))
    if len(flat) > flat.shape[1]:
        flat = np.linalg.qr(flat, mode="r")  # with the same values and directions, for a third of the time
    _, values, rows = np.linalg.svd(flat, full_matrices=len(flat) < flat.shape[1])
    squares = np.zeros(flat.shape[1])
    squares[: len(values)] = values**2
    return Information(squares, rows.T)


def _volume(values: Floats) -> tuple[float, Floats]:
    return float(-np.log(values).sum()), -1.0 / values


def _mean(values: Floats, power: float) -> tuple[float, Floats]:
    """ln (sum l^-power)^(1/power) and its slopes."""
    logs = -power * np.log(values)
    top = logs.max()
    shares = np.exp(logs - top)
    return float((top + np.log(shares.sum())) / power), -shares / shares.sum() / values


def _ratio(values: Floats) -> tuple[float, Floats]:
    small, of_small = _mean(values, POWER)
    large, of_large = _mean(1.0 / values, POWER)
    return (small + large) / 2.0, (of_small - of_large / values**2) / 2.0


SMOOTH: dict[Criterion, Callable[[Floats], tuple[float, Floats]]] = {
    Criterion.D: _volume,
    Criterion.A: lambda values: _mean(values, 1.0),
    Criterion.E: lambda values: _mean(values, POWER),
    Criterion.CONDITION: _ratio,
}
EXACT: dict[Criterion, Callable[[Floats], float]] = {
    Criterion.D: lambda values: _volume(values)[0],
    Criterion.A: lambda values: _mean(values, 1.0)[0],
    Criterion.E: lambda values: float(-np.log(values[-1])),
    Criterion.CONDITION: lambda values: float(np.log(values[0]) - np.log(values[-1])) / 2.0,
}
