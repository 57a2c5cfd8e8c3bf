"""Constructive interval disjunction (CID): cut a variable's interval into slices, narrow each, keep the hull of what
remains.

Slices at the ends that die are 3B shaving; what all slices lose in the other variables is lost for good. The slices
of all boxes are one batch for the child. *Keeps* every solution that the child keeps. Reference: Trombettoni, Chabert
(2007).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from contractors.boxes import BoxContractor, Boxes, Narrowed


@dataclass(frozen=True, eq=False)
class Disjunction:
    """Slice each of `sliced`, one after the other; a variable that is unbounded in some box is left alone."""

    child: BoxContractor
    sliced: tuple[int, ...]
    slices: int = 4
    name: str = "slicing"
    cost: int = 2

    @property
    def children(self) -> tuple[BoxContractor, ...]:
        """What narrows the slices."""
        return (self.child,)

    @property
    def reads(self) -> tuple[int, ...]:
        """What the child reads."""
        return self.child.reads

    def contract(self, boxes: Boxes) -> Narrowed:
        """Narrow a batch."""
        low, high = boxes.lower.copy(), boxes.upper.copy()
        empty = np.zeros(boxes.count, dtype=np.bool_)
        for v in self.sliced:
            if not (np.isfinite(low[v]).all() and np.isfinite(high[v]).all()):
                continue
            ends = np.linspace(low[v], high[v], self.slices + 1)
            ends[0], ends[-1] = low[v], high[v]
            a, b = np.repeat(low, self.slices, axis=1), np.repeat(high, self.slices, axis=1)
            a[v], b[v] = ends[:-1].T.ravel(), ends[1:].T.ravel()
            answer = self.child.contract(Boxes(a, b))
            a = np.where(answer.empty, np.inf, answer.lower).reshape(-1, boxes.count, self.slices).min(axis=2)
            b = np.where(answer.empty, -np.inf, answer.upper).reshape(-1, boxes.count, self.slices).max(axis=2)
            gone = (a > b).any(axis=0)
            empty |= gone
            low[:, ~gone], high[:, ~gone] = np.maximum(low, a)[:, ~gone], np.minimum(high, b)[:, ~gone]
        return Narrowed(low, high, empty)
