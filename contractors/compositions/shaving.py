"""Shaving (3B consistency): a slice at the end of a variable's interval that holds no solution is cut off.

The slice [l, l + w] of a variable is narrowed as a box of its own. If the child empties it, no solution of the box has
x_v <= l + w, and the next slice is tried; if not, its solutions have x_v >= the lower end that the child left, which is
a cut too. The same from above. Slices at both ends of all boxes are one batch for the child. Where slicing into a whole
partition (`slicing`) learns about all variables, shaving tries only the ends and can go deeper for the same price.
Reference: Lhomme (1993), consistency techniques for numeric CSPs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from certify.contractors.compositions.composed import OfOne
from certify.contractors.protocol.boxes import Boxes, Contractor, Narrowed
from certify.contractors.tape.evaluation import Flags, Floats


@dataclass(frozen=True, eq=False)
class Shaving(OfOne):
    """Shave each variable of `shaved` in turn, by slices of 1 / `slices` of its width; it stands for what the child
    stands for.

    A variable is left alone in those boxes in which it is unbounded or a point.
    """

    child: Contractor
    shaved: tuple[int, ...]
    slices: int = 8
    name: str = "shaving"

    def contract(self, boxes: Boxes) -> Narrowed:
        """Narrow a batch."""
        low, high = boxes.lower.copy(), boxes.upper.copy()
        empty = np.zeros(boxes.count, dtype=np.bool_)
        for v in self.shaved:
            with np.errstate(invalid="ignore", over="ignore"):
                width = (high[v] - low[v]) / self.slices
            self._shave(v, np.where(np.isfinite(width), width, 0.0), low, high, empty)
        return Narrowed(low, high, empty)

    def _shave(self, v: int, width: Floats, low: Floats, high: Floats, empty: Flags) -> None:
        """Cut slices of one variable off both ends, in place, as long as the child empties them."""
        below, above = (np.flatnonzero((width > 0.0) & ~empty) for _ in range(2))
        for _ in range(self.slices):
            below, above = below[~empty[below]], above[~empty[above]]
            if not below.size + above.size:
                return
            ends = (
                np.minimum(low[v, below] + width[below], high[v, below]),
                np.maximum(high[v, above] - width[above], low[v, above]),
            )
            tried = np.concatenate([below, above])
            a, b = low[:, tried], high[:, tried]
            b[v, : below.size], a[v, below.size :] = ends
            answer = self.child.contract(Boxes(a, b))
            gone_below, gone_above = answer.empty[: below.size], answer.empty[below.size :]
            empty[below[gone_below & (ends[0] >= high[v, below])]] = True
            empty[above[gone_above & (ends[1] <= low[v, above])]] = True
            low[v, below] = np.where(gone_below, ends[0], answer.lower[v, : below.size])
            high[v, above] = np.where(gone_above, ends[1], answer.upper[v, below.size :])
            crossed = np.flatnonzero(low[v] > high[v])
            empty[crossed] = True
            below, above = below[gone_below], above[gone_above]
