"""Interval linear systems with a band: y in Y with A y = b for some A in [A], narrowed at a cost that grows with the
number of entries, not with its square.

Elimination with row exchanges in floats gives factors of some matrix B = P' L U near A. B is regular and known exactly,
as its factors are, and A y = b says

    y = B^-1 (b + (B - A) y),

so that y lies in the answer of two triangular substitutions, outward-rounded, to the intervals b + (B - [A]) Y. B -
[A], with the product of the factors enclosed, is as narrow as [A]; it need not be written as a product with an
inverse, which would be full. What is lost are the cancellations between the factors: none if both are M-matrices.

Row i has entries in the columns i - below to i + above. A row keeps its slot from the step at which it may become the
pivot's row to that at which it does, so that the factors are stored by step and slot.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit

from certify.contractors.numbers.rounded import above, below
from certify.contractors.tape.evaluation import Flags, Floats

ENOUGH = 0.01  # of a width: less is not worth another application
EXCHANGED = 0.1  # of the largest pivot: a row in the diagonal with less gives way, because exchanges widen what follows


@njit(cache=True, error_model="numpy")
def _factor(
    near: np.ndarray, under: int, u: np.ndarray, factors: np.ndarray, slot: np.ndarray, rows: np.ndarray
) -> bool:
    """Eliminate in floats: row rows[k] is the pivot's at step k, u[k] what is left of it, factors[k, s] what is
    subtracted from the row in slot s. False without a pivot.
    """
    n, width = near.shape
    work, who, scale = np.zeros((under + 1, width)), np.full(under + 1, -1), np.zeros(under + 1)
    coming, free = 0, 0
    for k in range(n):
        while coming < n and coming <= k + under:
            s = coming if k == 0 else free
            work[s] = 0.0
            scale[s] = 0.0
            for c in range(width):
                at = c + k - coming + under
                if 0 <= at < width:
                    work[s, c] = near[coming, at]
                    scale[s] = max(scale[s], abs(work[s, c]))
            who[s], slot[coming] = coming, s
            coming += 1
        best, size = -1, 0.0
        for s in range(under + 1):
            if who[s] >= 0 and abs(work[s, 0]) > size * scale[s] * (EXCHANGED if who[s] == k else 1.0):
                best, size = s, abs(work[s, 0]) / (scale[s] * (EXCHANGED if who[s] == k else 1.0))
        if best < 0 or not np.isfinite(work[best]).all():
            return False
        rows[k], u[k] = who[best], work[best]
        who[best], free = -1, best
        for s in range(under + 1):
            factors[k, s] = 0.0
            if who[s] >= 0:
                f = work[s, 0] / u[k, 0]
                factors[k, s] = f
                for c in range(1, width):
                    work[s, c - 1] = work[s, c] - f * u[k, c]
                work[s, width - 1] = 0.0
    return True


@njit(cache=True, error_model="numpy")
def _rest(
    low: np.ndarray, high: np.ndarray, under: int, u: np.ndarray, factors: np.ndarray, slot: np.ndarray,
    rows: np.ndarray, starts: np.ndarray, d_low: np.ndarray, d_high: np.ndarray,
) -> None:  # fmt: skip
    """Enclose the rows of B - [A], in the order of the pivots: row p begins at the column rows[p] - under, or 0, and at
    the place starts[p].
    """
    n, width = low.shape
    starts[0] = 0
    for p in range(n):
        r = rows[p]
        first, last = max(0, r - under), min(n - 1, p + width - 1)
        begin = starts[p]
        starts[p + 1] = begin + last - first + 1
        d_low[begin : starts[p + 1]], d_high[begin : starts[p + 1]] = 0.0, 0.0
        for k in range(first, p + 1):
            f = factors[k, slot[r]] if k < p else 1.0
            for c in range(min(width, last - k + 1)):
                if f != 0.0 and u[k, c] != 0.0:
                    value, at = f * u[k, c], begin + k + c - first
                    d_low[at] = below(d_low[at] + (below(value) if k < p else value))
                    d_high[at] = above(d_high[at] + (above(value) if k < p else value))
        for c in range(width):
            j = r - under + c
            if 0 <= j < n and (low[r, c] != 0.0 or high[r, c] != 0.0):
                at = begin + j - first
                d_low[at], d_high[at] = below(d_low[at] - high[r, c]), above(d_high[at] - low[r, c])


@njit(cache=True, error_model="numpy", inline="always")
def _times(a: float, b: float, c: float, d: float) -> tuple[float, float]:
    """[a, b] [c, d] for finite ends, not rounded."""
    p, q, r, s = a * c, a * d, b * c, b * d
    return min(min(p, q), min(r, s)), max(max(p, q), max(r, s))


@njit(cache=True, error_model="numpy")
def _mapped(
    b_low: np.ndarray, b_high: np.ndarray, y_low: np.ndarray, y_high: np.ndarray, under: int, u: np.ndarray,
    factors: np.ndarray, slot: np.ndarray, rows: np.ndarray, starts: np.ndarray, d_low: np.ndarray, d_high: np.ndarray,
    new_low: np.ndarray, new_high: np.ndarray,
) -> None:  # fmt: skip
    """Enclose B^-1 (b + (B - A) y)."""
    n, width = u.shape
    t_low, t_high = np.empty(n), np.empty(n)
    for p in range(n):
        r = rows[p]
        first = max(0, r - under)
        low, high = b_low[r], b_high[r]
        for at in range(starts[p], starts[p + 1]):
            if d_low[at] != 0.0 or d_high[at] != 0.0:
                j = first + at - starts[p]
                a, b = _times(d_low[at], d_high[at], y_low[j], y_high[j])
                low, high = below(low + below(a)), above(high + above(b))
        for k in range(first, p):
            f = factors[k, slot[r]]
            if f != 0.0:
                a, b = _times(f, f, t_low[k], t_high[k])
                low, high = below(low - above(b)), above(high - below(a))
        t_low[p], t_high[p] = low, high
    for p in range(n - 1, -1, -1):
        low, high = t_low[p], t_high[p]
        for c in range(1, min(width, n - p)):
            if u[p, c] != 0.0:
                a, b = _times(u[p, c], u[p, c], new_low[p + c], new_high[p + c])
                low, high = below(low - above(b)), above(high - below(a))
        a, b = low / u[p, 0], high / u[p, 0]
        new_low[p], new_high[p] = below(min(a, b)), above(max(a, b))


@njit(cache=True, error_model="numpy", nogil=True)
def _images(
    low: np.ndarray, high: np.ndarray, near: np.ndarray, under: int, b_low: np.ndarray, b_high: np.ndarray,
    y_low: np.ndarray, y_high: np.ndarray, usable: np.ndarray, applications: int,
    new_low: np.ndarray, new_high: np.ndarray,
) -> None:  # fmt: skip
    """The image of Y in each box; of what it leaves of Y, if there is more than one application."""
    batch, n, width = low.shape
    u, factors = np.empty((n, width)), np.empty((n, under + 1))
    slot, rows, starts = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n + 1, np.int64)
    d_low, d_high = np.empty(n * (width + under + 1)), np.empty(n * (width + under + 1))
    for b in range(batch):
        usable[b] = usable[b] and _factor(near[b], under, u, factors, slot, rows)
        if not usable[b]:
            continue
        _rest(low[b], high[b], under, u, factors, slot, rows, starts, d_low, d_high)
        inner_low, inner_high = y_low[b].copy(), y_high[b].copy()
        for _ in range(applications):
            _mapped(b_low[b], b_high[b], inner_low, inner_high, under, u, factors, slot, rows, starts, d_low, d_high,
                    new_low[b], new_high[b])  # fmt: skip
            if not (np.isfinite(new_low[b]).all() and np.isfinite(new_high[b]).all()):
                usable[b] = False
                break
            some = False
            for j in range(n):
                width_before = inner_high[j] - inner_low[j]
                inner_low[j] = max(inner_low[j], new_low[b, j])
                inner_high[j] = min(inner_high[j], new_high[b, j])
                some = some or width_before - (inner_high[j] - inner_low[j]) > ENOUGH * width_before
            if not some or (inner_low > inner_high).any():
                break


@dataclass(frozen=True, slots=True)
class BandedSystems:
    """A batch of systems, finite: bands (batch, n, width) and right-hand sides (batch, n); `under` diagonals lie below
    the main one.
    """

    lower: Floats
    upper: Floats
    under: int
    right_lower: Floats
    right_upper: Floats

    def images(
        self, near: Floats, lower: Floats, upper: Floats, usable: Flags, applications: int = 1
    ) -> tuple[Floats, Floats, Flags]:
        """Enclosures of B^-1 (b + (B - A) y) for y in finite boxes (batch, n), B being made from the bands `near`; and
        where there is one.
        """
        low, high, usable = lower.copy(), upper.copy(), usable.copy()
        _images(self.lower, self.upper, near, self.under, self.right_lower, self.right_upper, lower, upper, usable,
                applications, low, high)  # fmt: skip
        return low, high, usable
