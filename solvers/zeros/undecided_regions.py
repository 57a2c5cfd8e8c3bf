"""Where a search cannot decide: boxes around a singular zero, merged with their neighbours.

At a singular zero no box is proved to hold one zero, and boxes near to it are not refuted, so that halving goes on
until they are as narrow as the search allows: thousands around one point. So a box that stays undecided becomes a
*region*, and takes in undecided boxes that are near: a region is the smallest box around all that it took in. Beside a
region there is no need for boxes much narrower than the region: one that is narrower than a part of it, and no farther
from it than it is wide, is taken in instead of halved. The region grows by a factor until its neighbours are refuted,
or proved, or wide, so that it costs as many boxes as its size has digits. *Coverage:* a region holds every box that it
took in. Nothing is said of what else is in it: a zero in it may be proved, and be told of, besides.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from certify.contractors.protocol.contractor import Box
from certify.contractors.tape.evaluation import Flags, Floats
from certify.solvers.zeros.meeting_boxes import MeetingBoxes, around, inflated, within

PART = 0.25  # of the width of a region: a box near it that is narrower belongs to it
ROOT = 1.0 / 3.0  # of the width at which halving ends: where a region stops growing


@dataclass
class UndecidedRegions:
    """The regions of a search that ends at boxes of this width; none is wider than `widest` but by a box itself."""

    width: float
    merging: bool
    _regions: MeetingBoxes = field(default_factory=MeetingBoxes)

    @property
    def widest(self) -> float:
        """Where a zero is a double one, a box whose values differ from 0 by no more than w is as wide as the root of w;
        at zeros that are more than double it is wider.
        """
        return max(self.width, float(min(self.width, 1.0) ** ROOT))

    def small_enough(self, lower: Floats, upper: Floats) -> Flags:
        """Which boxes, columns of arrays, are narrow enough for some region to take them."""
        if not self._regions or not self.merging:
            return np.zeros(lower.shape[1], dtype=np.bool_)
        return np.asarray((upper - lower).max(axis=0) <= PART * self.widest)

    def holds(self, box: Box) -> bool:
        """Whether a box lies in a region."""
        if not self._regions or not self.merging or _width(box) > self.widest:
            return False
        return any(within(box, self._regions[number]) for number in self._regions.meeting(box))

    def takes(self, box: Box) -> bool:
        """Whether a box that might be halved belongs to a region, which holds it then."""
        return self.merging and self._taken(box, PART)

    def add(self, box: Box) -> None:
        """A box that cannot be halved: a region of its own, if none takes it."""
        if not (self.merging and self._taken(box, math.inf)):
            self._regions.add(box)

    def _taken(self, box: Box, part: float) -> bool:
        """Whether a region holds the box, or is near it, and not narrower by this factor, and has room."""
        size = _width(box)
        for number in self._regions.meeting(inflated(box, min(size, self.widest))):
            region = self._regions[number]
            if within(box, region):
                return True
            whole = around(region, box)
            if size <= max(self.width, part * _width(region)) and _width(whole) <= self.widest:
                self._grow(number, whole)
                return True
        return False

    def _grow(self, number: int, whole: Box) -> None:
        """A region that has become larger, and takes in the regions that it meets now."""
        for other in self._regions.meeting(inflated(whole, self.width)):
            together = around(whole, self._regions[other])
            if other != number and _width(together) <= self.widest:
                whole = together
                self._regions.discard(other)
        self._regions.replace(number, whole)

    @property
    def boxes(self) -> list[Box]:
        """The regions."""
        return self._regions.present


def _width(box: Box) -> float:
    return float((box.upper - box.lower).max())
