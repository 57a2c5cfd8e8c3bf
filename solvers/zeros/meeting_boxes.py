"""Boxes of which those that meet a new one are found without a look at all of them.

Two boxes have a point in common only if their images under any linear form do. So the boxes are kept in the order of
the lower ends of one form w . x, and a new one is compared with those alone whose images can meet its own: as a rule
with very few, whatever coordinates the boxes have in common.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right, insort
from dataclasses import dataclass, field

import numpy as np

from certify.contractors.protocol.contractor import Box

ROUNDED = 2.0**-48  # of the terms' absolute values, for each term: more than rounding changes a sum


def disjoint(first: Box, second: Box) -> bool:
    """Whether two boxes have no point in common."""
    return bool((first.lower > second.upper).any() or (second.lower > first.upper).any())


def within(inner: Box, outer: Box) -> bool:
    """Whether one box lies in another."""
    return bool((outer.lower <= inner.lower).all() and (inner.upper <= outer.upper).all())


def around(first: Box, second: Box) -> Box:
    """The smallest box that holds two."""
    return Box(np.minimum(first.lower, second.lower), np.maximum(first.upper, second.upper))


def inflated(box: Box, by: float) -> Box:
    """A box with a margin."""
    return Box(box.lower - by, box.upper + by)


@dataclass
class MeetingBoxes:
    """Numbered boxes; one may be replaced by another, or leave."""

    _boxes: dict[int, Box] = field(default_factory=dict)
    _next: int = 0
    _starts: list[tuple[float, int]] = field(default_factory=list)
    _longest: float = 0.0

    def __len__(self) -> int:
        return len(self._boxes)

    def __getitem__(self, number: int) -> Box:
        return self._boxes[number]

    @property
    def present(self) -> list[Box]:
        """All of them, in the order of their numbers."""
        return [self._boxes[number] for number in sorted(self._boxes)]

    def add(self, box: Box) -> int:
        """One more; its number."""
        self._next += 1
        self._place(self._next, box)
        return self._next

    def discard(self, number: int) -> None:
        """One less."""
        start, _ = _image(self._boxes.pop(number))
        del self._starts[bisect_left(self._starts, (start, number))]

    def replace(self, number: int, box: Box) -> None:
        """Another box under the same number."""
        self.discard(number)
        self._place(number, box)

    def _place(self, number: int, box: Box) -> None:
        self._boxes[number] = box
        start, end = _image(box)
        insort(self._starts, (start, number))
        if math.isfinite(start):
            self._longest = max(self._longest, math.nextafter(end - start, math.inf))

    def meeting(self, box: Box) -> list[int]:
        """The numbers of those that have a point in common with this one, ascending."""
        start, end = _image(box)
        first = bisect_left(self._starts, (start - self._longest, -1))
        last = bisect_right(self._starts, (end, self._next))
        unplaced = bisect_right(self._starts, (-math.inf, self._next))
        near = self._starts[max(first, unplaced) : last] + self._starts[:unplaced]
        return sorted(number for _, number in near if not disjoint(box, self._boxes[number]))


@np.errstate(over="ignore", invalid="ignore")
def _image(box: Box) -> tuple[float, float]:
    """An interval that holds w . x for every x of the box; everything where that is no double."""
    weights = 2.0 + np.cos(np.arange(box.lower.size) ** 2)  # no two sums of some of them are alike
    slack = ROUNDED * box.lower.size * float(weights @ np.maximum(np.abs(box.lower), np.abs(box.upper)))
    start, end = float(weights @ box.lower) - slack, float(weights @ box.upper) + slack
    return (start, end) if math.isfinite(start) and math.isfinite(end) else (-math.inf, math.inf)
