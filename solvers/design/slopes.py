"""What a criterion and limits change by with a motion: differences at each instant, and the chain rule for the rest.

    dW/dx at an instant     (W(x + h) - W(x - h)) / 2h for each of the position, velocity and acceleration of a
                            coordinate: rows of a user's own need no derivatives
    dF/dW                   exact
    dx/dc                   the terms of the Fourier series, exact

Where W jumps between x - h and x + h (the sign of dry friction) its slope is taken to be 0: else one instant in ten
thousand would outweigh all others. All instants and directions are one call of the rows. Estimated.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from certify.problems.motions.excited import Excited
from certify.problems.periodic.fourier import TURN, basis, even_phases
from certify.problems.regressors.regressor import Floats
from certify.solvers.design.criteria import Criterion, Information, information

STEP = 2.0**-17  # of a direction's size: rounding and the third derivative leave 1e-10 of a slope
JUMP = 1e-8  # of the largest entry of a column: second differences of smooth functions are far below


@dataclass(frozen=True, eq=False)
class Weighing:
    """How readings count: whitening (outputs, outputs) of their noise, and the scales of parameters."""

    whitening: Floats
    scales: Floats

    def rows(self, w: Floats) -> Floats:
        """Whitened rows of scaled columns."""
        return np.asarray(self.whitening @ w * self.scales)


@dataclass(frozen=True, eq=False)
class Seen:
    """What one motion gives at its instants: information, and limited quantities, (samples, limits)."""

    information: Information
    quantities: Floats


@dataclass(frozen=True, eq=False)
class Slopes:
    """By number of the motion (coefficients, row by row, and the logarithm of the period) what the smooth criterion
    changes by, and each quantity at each instant, (samples, limits, numbers).
    """

    value: float
    criterion: Floats
    quantities: Floats


@dataclass(frozen=True, eq=False)
class Instants:
    """A robot at even phases of motions with so many harmonics."""

    robot: Excited
    weighing: Weighing
    harmonics: int
    samples: int

    def moved(self, coefficients: Floats, period: float) -> Floats:
        """Positions, velocities and accelerations, (3, samples, coordinates)."""
        terms = basis(even_phases(self.samples), self.harmonics)
        rates = (TURN / period) ** np.arange(3)
        return np.asarray((terms @ coefficients.T) * rates[:, None, None])

    def seen(self, coefficients: Floats, period: float) -> Seen | None:
        """None where the robot does not reach."""
        w, quantities = self.robot.rows(*self.moved(coefficients, period))
        if not (np.isfinite(w).all() and np.isfinite(quantities).all()):
            return None
        return Seen(information(self.weighing.rows(w)), quantities)

    def slopes(self, coefficients: Floats, period: float, criterion: Criterion) -> Slopes | None:
        """None where the robot does not reach nearby."""
        motion = self.moved(coefficients, period)
        kinds, samples, count = motion.shape
        half = (self.robot.ranges[:, 1] - self.robot.ranges[:, 0]) / 2.0
        steps = STEP * half * ((TURN / period) ** np.arange(kinds))[:, None]
        shifts = np.zeros((1 + 2 * kinds * count, kinds, count))
        for d in range(kinds * count):
            kind, coordinate = divmod(d, count)
            shifts[1 + 2 * d, kind, coordinate] = steps[kind, coordinate]
            shifts[2 + 2 * d, kind, coordinate] = -steps[kind, coordinate]
        there = (motion[:, None] + np.moveaxis(shifts, 1, 0)[:, :, None]).reshape(kinds, -1, count)
        w, quantities = self.robot.rows(*there)
        if not (np.isfinite(w).all() and np.isfinite(quantities).all()):
            return None
        rows = self.weighing.rows(w).reshape(len(shifts), samples, *w.shape[1:])
        limited = quantities.reshape(len(shifts), samples, -1)
        value, slope = information(rows[0]).smooth(criterion)
        of_rows = 2.0 / samples * rows[0] @ slope
        twice = 2.0 * steps.ravel()
        change = np.array([(of_rows * _difference(rows, d)).sum((1, 2)) / twice[d] for d in range(kinds * count)])
        limits = np.array([_difference(limited, d) / twice[d] for d in range(kinds * count)])
        return Slopes(value, *self._by_numbers(change, limits, motion, period))

    def _by_numbers(self, change: Floats, limits: Floats, motion: Floats, period: float) -> tuple[Floats, Floats]:
        """The chain rule: from (directions, samples[, limits]) to the motion's numbers."""
        kinds, _, count = motion.shape
        terms = basis(even_phases(self.samples), self.harmonics) * ((TURN / period) ** np.arange(kinds))[:, None, None]
        by_kind = change.reshape(kinds, count, -1)
        of_limits = limits.reshape(kinds, count, *limits.shape[1:])
        criterion = np.einsum("dns,dsj->nj", by_kind, terms).ravel()
        slower = -np.arange(kinds)[:, None, None] * motion
        of_period = np.einsum("dns,dsn->", by_kind, slower)
        quantities = np.einsum("dnsm,dsj->smnj", of_limits, terms).reshape(*of_limits.shape[2:], -1)
        last = np.einsum("dnsm,dsn->sm", of_limits, slower)
        return np.append(criterion, of_period), np.concatenate([quantities, last[..., None]], axis=-1)


def _difference(values: Floats, direction: int) -> Floats:
    """Behind less before, 0 where there is a jump in between."""
    middle, above, below = values[0], values[1 + 2 * direction], values[2 + 2 * direction]
    bent = np.abs(above - 2.0 * middle + below)
    size = np.abs(middle).max(axis=tuple(range(middle.ndim - 1)))
    return np.where(bent > JUMP * size, 0.0, above - below)
