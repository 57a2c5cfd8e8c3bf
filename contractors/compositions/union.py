"""Alternatives: what satisfies at least one of the children's constraints.

With S_1, ..., S_m the sets that the children stand for, this stands for their union (constructive disjunction). Every
child narrows the same box; a solution survives in the answer of the child whose constraint it satisfies, and therefore
in the hull of the answers. A box is empty if all children empty it. Without children it stands for nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from certify.contractors.compositions.composed import OfMany
from certify.contractors.protocol.boxes import Boxes, Contractor, Narrowed


@dataclass(frozen=True, eq=False)
class Union(OfMany):
    """The hull of what the children leave; a box whose hull is already all of it is not shown to the remaining
    children.
    """

    children: tuple[Contractor, ...]
    name: str = "union"

    def contract(self, boxes: Boxes) -> Narrowed:
        """Narrow a batch."""
        low, high = np.full_like(boxes.lower, np.inf), np.full_like(boxes.upper, -np.inf)
        empty = np.ones(boxes.count, dtype=np.bool_)
        open_ = np.arange(boxes.count)
        for child in self.children:
            if not open_.size:
                break
            answer = child.contract(boxes.take(open_))
            kept = open_[~answer.empty]
            low[:, kept] = np.minimum(low[:, kept], answer.lower[:, ~answer.empty])
            high[:, kept] = np.maximum(high[:, kept], answer.upper[:, ~answer.empty])
            empty[kept] = False
            whole = (low[:, open_] <= boxes.lower[:, open_]) & (high[:, open_] >= boxes.upper[:, open_])
            open_ = open_[~whole.all(axis=0)]
        return Narrowed(low, high, empty)
