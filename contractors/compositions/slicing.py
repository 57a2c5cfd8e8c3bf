"""Constructive interval disjunction (CID): cut a variable's interval into slices, narrow each, keep the hull of what
remains.

Slices at the ends that die are 3B shaving; what all slices lose in the other variables is lost for good. The slices
of all boxes are one batch for the child. *Keeps* every solution that the child keeps. Reference: Trombettoni, Chabert
(2007).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce

import numpy as np

from certify.contractors.compositions.composed import OfOne
from certify.contractors.protocol.boxes import Boxes, Contractor, Narrowed, near


@dataclass(frozen=True, eq=False)
class Slicing(OfOne):
    """Slice each of `sliced`, one after the other; one that is unbounded in a box is left alone there."""

    child: Contractor
    sliced: tuple[int, ...]
    slices: int = 4
    name: str = "slicing"
    cost: int = 2

    def contract(self, boxes: Boxes) -> Narrowed:
        """Narrow a batch."""
        low, high = boxes.lower.copy(), boxes.upper.copy()
        empty = np.zeros(boxes.count, dtype=np.bool_)
        for v in self.sliced:
            with np.errstate(over="ignore", invalid="ignore"):
                chosen = np.flatnonzero(np.isfinite(high[v] - low[v]) & ~empty)
            if not chosen.size:
                continue
            part = Boxes(low, high).take(chosen)
            answer = near(self.child, v).contract(self._slices(part, v))
            a, b = np.where(answer.empty, np.inf, answer.lower), np.where(answer.empty, -np.inf, answer.upper)
            a = reduce(np.minimum, (a[:, k :: self.slices] for k in range(self.slices)))
            b = reduce(np.maximum, (b[:, k :: self.slices] for k in range(self.slices)))
            empty[chosen] = (a > b).any(axis=0)
            kept = ~empty[chosen]
            low[:, chosen[kept]], high[:, chosen[kept]] = (
                np.maximum(part.lower, a)[:, kept],
                np.minimum(part.upper, b)[:, kept],
            )
        return Narrowed(low, high, empty)

    def _slices(self, boxes: Boxes, variable: int) -> Boxes:
        """All slices of all boxes, those of one box next to each other."""
        ends = np.linspace(boxes.lower[variable], boxes.upper[variable], self.slices + 1)
        ends = np.clip(ends, boxes.lower[variable], boxes.upper[variable])
        ends[0], ends[-1] = boxes.lower[variable], boxes.upper[variable]
        low, high = np.repeat(boxes.lower, self.slices, axis=1), np.repeat(boxes.upper, self.slices, axis=1)
        low[variable], high[variable] = ends[:-1].T.ravel(), ends[1:].T.ravel()
        return Boxes(low, high)
