"""The boxes of a search for a proof: what is left of each, where its proof goes, and short numbers at which it is cut
or divided.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from certify.contractors.protocol.contractor import Evaluate
from certify.contractors.tape.evaluation import Floats
from certify.solvers.proof.proof_tree import Fork, Hole, Leaf, Ready, Reason
from certify.solvers.weights.row_shaving import Shaved

FAR = 1.0  # of the larger end of an interval, or of 1
# of a width: between two divisions a variable is narrowed no further, lest a few grow thin and the others stay wide
CAP = 0.1
ASIDE, ASIDE_BITS = 0.47, 4  # where a box is divided, symmetrical systems having their zeros at the middle


@dataclass(slots=True)
class Task:
    """A box that is to be proved, and where its proof goes; from which place of another search's on it may be divided;
    `widths` are those after the last division.
    """

    low: Floats
    high: Floats
    hole: Hole
    cell: int
    widths: Floats = field(init=False)

    def __post_init__(self) -> None:
        self.widths = self.high - self.low

    def prepare(self) -> None:
        """Rows are prepared on this box from here on."""
        ready = Ready()
        self.hole.fill(ready)
        self.hole = Hole(ready)

    def cut(self, variable: int, at: float, below: bool, reason: Reason, prepared: bool = False) -> None:
        """A part is closed, on which rows are `prepared` first; the task goes on with the rest."""
        self._go_on(variable, at, below).fill(Ready(Leaf(reason)) if prepared else Leaf(reason))

    def cut_by_chain(self, slab: Shaved) -> None:
        """A part is closed by one row after the other."""
        hole = self._go_on(slab.variable, slab.at, slab.below)
        for variable, below, at, row in slab.links:
            fork = Fork(variable, at)
            hole.fill(fork)
            Hole(fork, below).fill(Leaf(Evaluate(row, 0)))
            hole = Hole(fork, not below)
        hole.fill(Leaf(Evaluate(slab.row, 0)))

    def _go_on(self, variable: int, at: float, below: bool) -> Hole:
        """The task goes on with one part; where the proof of the other belongs."""
        fork = Fork(variable, at)
        self.hole.fill(fork)
        self.hole = Hole(fork, not below)
        ends = (self.low if below else self.high).copy()
        ends[variable] = at
        if below:
            self.low = ends
        else:
            self.high = ends
        return Hole(fork, below)


def stacked(tasks: list[Task]) -> tuple[Floats, Floats]:
    """The boxes of tasks, as arrays (variable, batch)."""
    return np.array([t.low for t in tasks]).T.copy(), np.array([t.high for t in tasks]).T.copy()


def parts_of(task: Task, v: int, at: float) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats]]:
    left, right = task.high.copy(), task.low.copy()
    left[v] = right[v] = at
    return (task.low, left), (right, task.high)


def gained(tasks: list[Task]) -> Floats:
    """Halvings of volume of each since it was divided."""
    low, high = stacked(tasks)
    shares = (high - low) / np.maximum(_widths(tasks), 1e-300)
    return np.asarray(-np.log2(np.minimum(np.maximum(shares, CAP), 1.0)).sum(axis=0))


def renew(tasks: list[Task]) -> None:
    """What is still as wide as its numbers are large may be narrowed on: it comes from far outside."""
    low, high = stacked(tasks)
    width = high - low
    far = width > FAR * np.maximum(1.0, np.maximum(np.abs(low), np.abs(high)))
    for k in np.flatnonzero(far.any(axis=0)).tolist():
        tasks[k].widths = np.where(far[:, k], width[:, k], tasks[k].widths)


def _widths(tasks: list[Task]) -> Floats:
    return np.array([task.widths for task in tasks]).T
