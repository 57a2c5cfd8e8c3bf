"""What a search has proved: zeros in boxes of their own, refined many at a time, each kept once."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from certify.contractors.operators.krawczyk_existence import krawczyk_test
from certify.contractors.protocol.boxes import Boxes
from certify.contractors.protocol.contractor import Box
from certify.contractors.rows.equations import Equations
from certify.solvers.limits import Limit
from certify.solvers.zeros.meeting_boxes import MeetingBoxes

REFINED = 10  # times at most
WORTH_IT = 0.9  # of the width of every variable: a step that leaves more is not taken


@dataclass(frozen=True, slots=True)
class Solution:
    """A box that holds exactly one zero of the equations, and the larger box in which this zero is the only one."""

    enclosure: Box
    only_one_in: Box


def refined(equations: Equations, boxes: Boxes, limit: Limit) -> Boxes:
    """Boxes of one zero each made narrower, each as long as that is worth it. Raises Late."""
    low, high = boxes.lower.copy(), boxes.upper.copy()
    going = np.arange(boxes.count)
    for _ in range(REFINED):
        if not going.size:
            break
        limit.check()
        step = krawczyk_test(equations, Boxes(low, high).take(going))
        before, after = high[:, going] - low[:, going], step.upper - step.lower
        worth = (after < WORTH_IT * before).any(axis=0)
        going = going[worth]
        low[:, going], high[:, going] = step.lower[:, worth], step.upper[:, worth]
    return Boxes(low, high)


@dataclass
class ProvedZeros:
    """The zeros of a search, in the order in which they were found."""

    found: list[Solution] = field(default_factory=list)
    _enclosures: MeetingBoxes = field(default_factory=MeetingBoxes)

    def meeting(self, enclosure: Box) -> list[Solution]:
        """The zeros whose enclosures meet this one: the same zero lies in both only then."""
        return [self.found[number - 1] for number in self._enclosures.meeting(enclosure)]

    def add(self, solution: Solution) -> None:
        """One more."""
        self.found.append(solution)
        self._enclosures.add(solution.enclosure)
