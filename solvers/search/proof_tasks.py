"""The boxes of a search for a proof: what is left of each, where its proof goes, and short numbers at which it is cut
or divided.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from certify.contractors.tape.evaluation import Floats
from certify.solvers.proof.proof_tree import Fork, Hole, Leaf, Ready, Reason

FAR = 1.0  # of the larger end of an interval, or of 1
# of a width: between two divisions a variable is narrowed no further, lest a few grow thin and the others stay wide
CAP = 0.1
ASIDE, ASIDE_BITS = 0.47, 4  # where a box is divided, symmetrical systems having their zeros at the middle


@dataclass(slots=True)
class Task:
    """A box that is to be proved, and where its proof goes; `widths` are those after the last division."""

    low: Floats
    high: Floats
    hole: Hole
    widths: Floats = field(init=False)

    def __post_init__(self) -> None:
        self.widths = self.high - self.low

    @property
    def gained(self) -> float:
        """Halvings of volume since the box was divided."""
        return float(-np.log2(np.clip((self.high - self.low) / np.maximum(self.widths, 1e-300), CAP, 1.0)).sum())

    def renew(self) -> None:
        """What is still as wide as its numbers are large may be narrowed on: it comes from far outside."""
        width = self.high - self.low
        far = width > FAR * np.maximum(1.0, np.maximum(np.abs(self.low), np.abs(self.high)))
        self.widths = np.where(far, width, self.widths)

    def prepare(self) -> None:
        """Rows are prepared on this box from here on."""
        ready = Ready()
        self.hole.fill(ready)
        self.hole = Hole(ready)

    def cut(self, variable: int, at: float, below: bool, reason: Reason) -> None:
        """A part is closed; the task goes on with the rest."""
        fork = Fork(variable, at)
        self.hole.fill(fork)
        Hole(fork, below).fill(Leaf(reason))
        self.hole = Hole(fork, not below)
        ends = (self.low if below else self.high).copy()
        ends[variable] = at
        if below:
            self.low = ends
        else:
            self.high = ends


def stacked(tasks: list[Task]) -> tuple[Floats, Floats]:
    """The boxes of tasks, as arrays (variable, batch)."""
    return np.array([t.low for t in tasks]).T.copy(), np.array([t.high for t in tasks]).T.copy()


def parts_of(task: Task, v: int, at: float) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats]]:
    left, right = task.high.copy(), task.low.copy()
    left[v] = right[v] = at
    return (task.low, left), (right, task.high)
