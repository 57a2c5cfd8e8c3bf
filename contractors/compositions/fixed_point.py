"""A contractor repeated until it stands still: the same solutions, a smaller box.

A box is passed to the child again as long as the last pass took at least the share `until_gain_below` of some width,
or made an infinite end finite. Boxes that stand still wait for nobody: each is narrowed exactly as if it were alone.
Fixed points of contracting, monotone operators exist and do not depend on the order (Apt 1999); a gain that must be
worth another pass stops slow convergence early.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from certify.contractors.compositions.composed import OfOne
from certify.contractors.protocol.boxes import Boxes, Contractor, Narrowed
from certify.contractors.tape.evaluation import Floats


@dataclass(frozen=True, eq=False)
class FixedPoint(OfOne):
    """At most `passes` passes of the child over a box. It stands for what the child stands for."""

    child: Contractor
    until_gain_below: float = 0.05
    passes: int = 100
    name: str = "fixed point"

    @property
    def cost(self) -> int:
        """The child's rank."""
        return self.child.cost

    def contract(self, boxes: Boxes) -> Narrowed:
        """Narrow a batch."""
        low, high = boxes.lower.copy(), boxes.upper.copy()
        empty = np.zeros(boxes.count, dtype=np.bool_)
        moving = np.arange(boxes.count)
        for _ in range(self.passes):
            if not moving.size:
                break
            before = Boxes(low, high).take(moving)
            answer = self.child.contract(before)
            low[:, moving], high[:, moving], empty[moving] = answer.lower, answer.upper, answer.empty
            gains = gain(before, answer.lower, answer.upper)
            moving = moving[~answer.empty & (gains > 0.0) & (gains >= self.until_gain_below)]
        return Narrowed(low, high, empty)


def gain(before: Boxes, low: Floats, high: Floats) -> Floats:
    """For each box the largest share that a width has lost; 1 where an infinite end became finite."""
    bounded = (np.isinf(before.lower) & np.isfinite(low)) | (np.isinf(before.upper) & np.isfinite(high))
    with np.errstate(invalid="ignore", over="ignore"):
        width, left = before.upper - before.lower, high - low
        measurable = np.isfinite(width) & (width > 0.0)
        share = np.where(measurable, (width - left) / np.where(measurable, width, 1.0), 0.0)
    return np.asarray(np.where(bounded, 1.0, share).max(axis=0, initial=0.0))
