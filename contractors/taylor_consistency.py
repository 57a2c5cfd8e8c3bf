"""First-order consistency: f_i(c) + sum_j J_ij(X) (x_j - c_j) in F_i, row by row, expanded at the centre and at two
opposite corners.

Where terms of a row depend on each other, this sees what plain projection does not. At a corner all x_j - c_j have
one sign (the X-Taylor expansion of Araya, Trombettoni, Neveu 2012), which often decides a row that the centre leaves
open. *Keeps* every solution.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit

from contractors.arithmetic import above, below, multiply
from contractors.backward import quotient
from contractors.boxes import BoxContractor, Boxes, Narrowed
from contractors.equations import Equations
from contractors.rounding import require_nearest


@njit(cache=True, error_model="numpy")
def _row(allowed_low: float, allowed_high: float, f_low: float, f_high: float, slope_low: np.ndarray, slope_high: np.ndarray,
         c: np.ndarray, x_low: np.ndarray, x_high: np.ndarray, low: np.ndarray, high: np.ndarray) -> bool:  # fmt: skip
    """Narrow one box by one row; False if the row cannot hold. low and high are scratch for the terms."""
    n = c.size
    total_low, total_high = f_low, f_high
    for j in range(n):
        low[j], high[j] = multiply(slope_low[j], slope_high[j], below(x_low[j] - c[j]), above(x_high[j] - c[j]))
        total_low, total_high = below(total_low + low[j]), above(total_high + high[j])
    if total_low > allowed_high or total_high < allowed_low:
        return False
    if not (np.isfinite(total_low) and np.isfinite(total_high)):
        return True
    for j in range(n):
        rest_low, rest_high = below(total_low - low[j]), above(total_high - high[j])
        d_low, d_high = below(x_low[j] - c[j]), above(x_high[j] - c[j])
        p, q = quotient(below(allowed_low - rest_high), above(allowed_high - rest_low), slope_low[j], slope_high[j], d_low, d_high)
        if p > d_low:
            x_low[j] = max(x_low[j], below(c[j] + p))
        if q < d_high:
            x_high[j] = min(x_high[j], above(c[j] + q))
        if x_low[j] > x_high[j]:
            return False
    return True


@njit(cache=True, error_model="numpy")
def _expand(allowed: np.ndarray, f_low: np.ndarray, f_high: np.ndarray, slope_low: np.ndarray, slope_high: np.ndarray,
            c: np.ndarray, x_low: np.ndarray, x_high: np.ndarray, usable: np.ndarray, empty: np.ndarray) -> None:  # fmt: skip
    """All arrays have the batch first."""
    n = x_low.shape[1]
    low, high = np.empty(n), np.empty(n)
    for b in range(x_low.shape[0]):
        if usable[b] and not empty[b]:
            for i in range(f_low.shape[1]):
                if not _row(allowed[0, i], allowed[1, i], f_low[b, i], f_high[b, i], slope_low[b, i], slope_high[b, i],
                            c[b], x_low[b], x_high[b], low, high):  # fmt: skip
                    empty[b] = True
                    break


@dataclass(frozen=True, eq=False)
class TaylorConsistency:
    """One pass over all constraints, expanded at three points."""

    equations: Equations
    name: str = "first-order consistency"
    cost: int = 1
    children: tuple[BoxContractor, ...] = ()

    @property
    def reads(self) -> tuple[int, ...]:
        """All variables that occur in a constraint."""
        return self.equations.occurring

    def contract(self, boxes: Boxes) -> Narrowed:
        """Narrow a batch."""
        require_nearest()
        lower, upper = boxes.lower, boxes.upper
        slope_low, slope_high, usable = self.equations.slopes(lower, upper)
        usable &= np.isfinite(lower).all(axis=0) & np.isfinite(upper).all(axis=0)
        s_low, s_high = np.ascontiguousarray(np.moveaxis(slope_low, -1, 0)), np.ascontiguousarray(np.moveaxis(slope_high, -1, 0))
        x_low, x_high = lower.T.copy(order="C"), upper.T.copy(order="C")
        empty = np.zeros(boxes.count, dtype=np.bool_)
        allowed = np.vstack([self.equations.lower, self.equations.upper])
        left, right = np.where(usable, lower, 0.0), np.where(usable, upper, 0.0)
        for c in (0.5 * left + 0.5 * right, left, right):
            values = self.equations.values(c, c)
            f_low, f_high = np.ascontiguousarray(values.lower.T), np.ascontiguousarray(values.upper.T)
            _expand(allowed, f_low, f_high, s_low, s_high, np.ascontiguousarray(c.T), x_low, x_high, usable & values.defined, empty)
        return Narrowed(x_low.T.copy(), x_high.T.copy(), empty)
