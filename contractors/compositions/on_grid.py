"""Ends that are short numbers: a contractor whose boxes are widened to a grid.

The grid of a variable is a power of two, 2^-bits of the box's width or less, so that an end takes few digits in a
certificate and neighbours meet at the same numbers. *Keeps* whatever its child keeps.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from certify.contractors.compositions.composed import OfOne
from certify.contractors.protocol.boxes import Boxes, Contractor, Narrowed

LEAST_EXPONENT = -1000  # of a grid of normal numbers


@dataclass(frozen=True, slots=True)
class OnGrid(OfOne):
    """The child, its ends rounded outwards to the grid within the box."""

    child: Contractor
    bits: int = 8

    @property
    def name(self) -> str:
        """As its child is called."""
        return self.child.name

    @property
    def cost(self) -> int:
        """That of its child."""
        return self.child.cost

    def contract(self, boxes: Boxes) -> Narrowed:
        """Narrow by the child, then widen."""
        found = self.child.contract(boxes)
        with np.errstate(invalid="ignore", over="ignore", under="ignore"):
            width = boxes.upper - boxes.lower
            usual = np.isfinite(width) & (width > 0.0)
            exponent = np.maximum(np.frexp(np.where(usual, width, 1.0))[1] - 1 - self.bits, LEAST_EXPONENT)
            low = np.ldexp(np.floor(np.ldexp(found.lower, -exponent)), exponent)
            high = np.ldexp(np.ceil(np.ldexp(found.upper, -exponent)), exponent)
        lower = np.where(usual & np.isfinite(low), np.minimum(found.lower, np.maximum(boxes.lower, low)), found.lower)
        upper = np.where(usual & np.isfinite(high), np.maximum(found.upper, np.minimum(boxes.upper, high)), found.upper)
        return Narrowed(lower, upper, found.empty)
