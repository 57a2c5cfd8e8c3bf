"""Gauss-Seidel on the mean value form of a system, f(c) + S (x - c) in F: interval Newton where it is preconditioned.

S encloses the slopes from the centre c (progressively, so that many entries are taken over thin boxes); x - c solves an
interval linear system, which `gauss_seidel` narrows: by the rows as they are, for any number of equations; or, where
there are at least as many equations as unknowns, after a multiplication by an approximate (left) inverse of the middle
of S. *Keeps* every solution. Reference: Hansen and Sengupta (1981).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from certify.contractors.linear.gauss_seidel import Systems, preconditioned, sweep
from certify.contractors.numbers.rounding import require_nearest
from certify.contractors.protocol.boxes import Boxes, Contractor, Narrowed
from certify.contractors.rows.equations import Equations
from certify.contractors.tape.evaluation import Flags


def mean_value_systems(equations: Equations, boxes: Boxes) -> tuple[Systems, Boxes, Boxes, Flags]:
    """The equations of each box as linear systems for y = x - c; the boxes of c (points) and of y; and where these are
    usable (elsewhere 0 y = 0).
    """
    lower, upper = boxes.lower, boxes.upper
    usable = boxes.bounded
    low, high = np.where(usable, lower, 0.0), np.where(usable, upper, 0.0)
    centre = np.clip(0.5 * low + 0.5 * high, low, high)
    slope_low, slope_high, known = equations.progressive_slopes(low, high, centre)
    values = equations.values(centre, centre)
    rows = np.flatnonzero(np.isfinite(equations.lower) & np.isfinite(equations.upper))
    f_low, f_high = values.lower[rows], values.upper[rows]
    usable &= known & values.defined & np.isfinite(f_low).all(axis=0) & np.isfinite(f_high).all(axis=0)
    entries = [
        np.ascontiguousarray(np.moveaxis(np.where(usable, s[rows], 0.0), -1, 0)) for s in (slope_low, slope_high)
    ]
    wanted_low, wanted_high = equations.lower[rows, None], equations.upper[rows, None]
    with np.errstate(over="ignore"):
        right_low, right_high = np.nextafter(wanted_low - f_high, -np.inf), np.nextafter(wanted_high - f_low, np.inf)
    usable &= np.isfinite(right_low).all(axis=0) & np.isfinite(right_high).all(axis=0)
    entries = [np.where(usable[:, None, None], entry, 0.0) for entry in entries]
    right = [np.ascontiguousarray(np.where(usable, ends, 0.0).T) for ends in (right_low, right_high)]
    shifted = Boxes(np.nextafter(low - centre, -np.inf), np.nextafter(high - centre, np.inf))
    return Systems(entries[0], entries[1], right[0], right[1]), Boxes(centre, centre), shifted, usable


@dataclass(frozen=True, eq=False)
class MeanValue:
    """One linearisation; the rows as they are, or preconditioned."""

    equations: Equations
    precondition: bool = True
    name: str = "interval Newton"
    cost: int = 2
    children: tuple[Contractor, ...] = ()

    @property
    def reads(self) -> tuple[int, ...]:
        """All variables that occur in a constraint."""
        return self.equations.occurring

    def contract(self, boxes: Boxes) -> Narrowed:
        """Narrow a batch."""
        require_nearest()
        rows = np.isfinite(self.equations.lower) & np.isfinite(self.equations.upper)
        if rows.sum() < (self.equations.variables if self.precondition else 1):
            return Narrowed(boxes.lower.copy(), boxes.upper.copy(), np.zeros(boxes.count, dtype=np.bool_))
        systems, centre, shifted, usable = mean_value_systems(self.equations, boxes)
        if self.precondition:
            systems, regular = preconditioned(systems)
            usable &= regular
        narrowed = sweep(systems, shifted.lower.T, shifted.upper.T, diagonal=self.precondition, sweeps=3)
        low = np.where(usable, np.nextafter(centre.lower + narrowed.lower.T, -np.inf), boxes.lower)
        high = np.where(usable, np.nextafter(centre.lower + narrowed.upper.T, np.inf), boxes.upper)
        return Narrowed(np.maximum(low, boxes.lower), np.minimum(high, boxes.upper), narrowed.empty & usable)
