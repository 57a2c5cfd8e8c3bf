"""A contractor of an interval linear system: the x with A x = b for some entries within theirs.

    keeps      every such x of a box; what narrows it is Gauss-Seidel's sweep, Beaumont's relaxation, the theorem of
               Oettli and Prager in every orthant, or the preconditioned enclosure of all solutions

A box without finite ends is left as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from certify.contractors.linear.linear_system import EnclosedSolutions, IntervalSystem, LinearVerdict
from certify.contractors.protocol.boxes import Boxes, Contractor, Narrowed
from certify.contractors.tape.evaluation import Floats

Enclose = Callable[[IntervalSystem, Floats, Floats], EnclosedSolutions]


@dataclass(frozen=True, eq=False)
class OfLinearSystem:
    """One method on one system: unknown j is variable j."""

    system: IntervalSystem
    enclose: Enclose
    name: str
    cost: int = 3
    children: tuple[Contractor, ...] = ()

    @property
    def reads(self) -> tuple[int, ...]:
        """The unknowns of which some coefficient is not 0."""
        some = (self.system.lower != 0.0).any(axis=0) | (self.system.upper != 0.0).any(axis=0)
        return tuple(np.flatnonzero(some).tolist())

    def contract(self, boxes: Boxes) -> Narrowed:
        """Box after box."""
        low, high, empty = boxes.lower.copy(), boxes.upper.copy(), np.zeros(boxes.count, dtype=np.bool_)
        for k in np.flatnonzero(boxes.bounded).tolist():
            found = self.enclose(self.system, boxes.lower[:, k], boxes.upper[:, k])
            empty[k] = found.verdict is LinearVerdict.EMPTY
            if not empty[k]:
                low[:, k], high[:, k] = np.maximum(low[:, k], found.lower), np.minimum(high[:, k], found.upper)
        return Narrowed(low, high, empty | (low > high).any(axis=0))
