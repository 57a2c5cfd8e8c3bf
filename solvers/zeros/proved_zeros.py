"""What a search has proved: zeros in boxes of their own, refined many at a time, each kept once.

A box that holds one zero is narrowed by Krawczyk's operator, which gets nowhere where derivatives vary much over it.
Then a small box around an estimate is tested: if it holds one zero, and this lies in the larger one, it is the same.
"""

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
WIDE = 1e-6  # of the size of the ends: a box that stays wider is narrowed around an estimate
STEPS = 20  # of Newton's method
LEAST, ROOM = 1e-9, 4.0  # of a point, and of the last step: half-widths around it


@dataclass(frozen=True, slots=True)
class Solution:
    """A box that holds exactly one zero of the equations, and the larger box in which this zero is the only one."""

    enclosure: Box
    only_one_in: Box


def refined(equations: Equations, boxes: Boxes, limit: Limit) -> Boxes:
    """Boxes of one zero each made narrower, each as long as that is worth it, and then, if it is still wide, around an
    estimate. Raises Late.
    """
    found = _contracted(equations, boxes, limit)
    with np.errstate(over="ignore"):
        size = 1.0 + np.maximum(np.abs(found.lower), np.abs(found.upper))
        wide = np.flatnonzero((found.upper - found.lower > WIDE * size).any(axis=0))
    if not wide.size:
        return found
    limit.check()
    low, high, around = found.lower.copy(), found.upper.copy(), _around_estimates(equations, found.take(wide))
    tested = krawczyk_test(equations, around)
    same = tested.unique & ((tested.lower >= low[:, wide]) & (tested.upper <= high[:, wide])).all(axis=0)
    chosen = wide[same]
    narrow = _contracted(equations, Boxes(tested.lower, tested.upper).take(same), limit)
    low[:, chosen], high[:, chosen] = narrow.lower, narrow.upper
    return Boxes(low, high)


def _contracted(equations: Equations, boxes: Boxes, limit: Limit) -> Boxes:
    """By Krawczyk's operator, again and again. Raises Late."""
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


@np.errstate(all="ignore")
def _around_estimates(equations: Equations, boxes: Boxes) -> Boxes:
    """Small boxes around where Newton's method goes to from the centres, by estimate."""
    rows, low, high = equations.equalities, boxes.lower, boxes.upper
    point, step = 0.5 * low + 0.5 * high, np.zeros_like(low)
    for _ in range(STEPS):
        values, (slope_low, slope_high, _) = equations.values(point, point), equations.slopes(point, point)
        matrices = np.nan_to_num(np.moveaxis(0.5 * (slope_low[rows] + slope_high[rows]), -1, 0), posinf=0.0, neginf=0.0)
        right = np.nan_to_num(0.5 * (values.lower[rows] + values.upper[rows]).T, posinf=0.0, neginf=0.0)
        try:
            step = np.asarray(np.linalg.solve(matrices, right[..., None])[..., 0].T, dtype=np.float64)
        except np.linalg.LinAlgError:
            break
        point = np.clip(point - step, low, high)
    radius = LEAST * (1.0 + np.abs(point)) + ROOM * np.abs(step)
    return Boxes(point - radius, point + radius)


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
