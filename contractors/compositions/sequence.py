"""One contractor after the other: what satisfies all of the children's constraints.

With S_1, ..., S_m the sets that the children stand for, this stands for their intersection. A solution lies in every
S_i, so that no child removes it. A box that one child empties is not passed on to the next. Without children it
stands for everything.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from certify.contractors.compositions.composed import OfMany
from certify.contractors.protocol.boxes import Boxes, Contractor, Narrowed, near


@dataclass(frozen=True, eq=False)
class Sequence(OfMany):
    """The children in order, each on what the one before left."""

    children: tuple[Contractor, ...]
    name: str = "sequence"

    def near(self, variable: int) -> Sequence:
        """The same for boxes in which only this variable has changed since they were narrowed."""
        return replace(self, children=tuple(near(child, variable) for child in self.children))

    def contract(self, boxes: Boxes) -> Narrowed:
        """Narrow a batch."""
        low, high = boxes.lower.copy(), boxes.upper.copy()
        empty = np.zeros(boxes.count, dtype=np.bool_)
        left = np.arange(boxes.count)
        for child in self.children:
            if not left.size:
                break
            answer = child.contract(Boxes(low, high).take(left))
            low[:, left], high[:, left], empty[left] = answer.lower, answer.upper, answer.empty
            left = left[~answer.empty]
        return Narrowed(low, high, empty)
