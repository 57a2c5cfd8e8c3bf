"""The tree of a paving: how the cells of `set_inversion` were made, cut by cut, with what is outside and inside of the
set at its leaves.

The rounds of a search tell all of it, because boxes are treated in the order in which they were made.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from enum import Enum

import numpy as np

from certify.contractors.protocol.boxes import Boxes, Narrowed
from certify.solvers.search.set_inversion import Round


class End(Enum):
    """What a search says of a cell that it does not divide."""

    OUTSIDE = "holds no point of the set"
    INSIDE = "every point of its interior belongs to the set"
    OPEN = "not decided"


@dataclass(slots=True)
class Cell:
    """A box: divided at a number into what is below and what is above, or at its end."""

    end: End = End.OPEN
    variable: int = -1
    at: float = 0.0
    below: Cell | None = None
    above: Cell | None = None

    def divide(self, variable: int, at: float) -> tuple[Cell, Cell]:
        """Both parts."""
        self.variable, self.at, self.below, self.above = variable, at, Cell(), Cell()
        return self.below, self.above


class Recorder:
    """Grows the tree from `root` as it is told of the rounds of a search, up to about so many cells: later boxes stay
    open.
    """

    def __init__(self, most: int) -> None:
        self.root = Cell()
        self.cells = 1
        self._most = most
        self._waiting: deque[Cell] | None = deque([self.root])

    def __call__(self, round_: Round) -> None:
        """What became of the boxes that wait longest."""
        if self._waiting is None or self.cells + round_.boxes.count > self._most:
            self._waiting = None
            return
        cells = [self._waiting.popleft() for _ in range(round_.boxes.count)]
        rest = self._narrowed(cells, round_.boxes, round_.outer, End.OUTSIDE)
        rest = self._narrowed(rest, round_.outer.rest, round_.inner, End.INSIDE)
        halves = [
            cell.divide(variable, at)
            for cell, small, variable, at in zip(
                rest, round_.small.tolist(), round_.variable.tolist(), round_.at.tolist(), strict=True
            )
            if not small
        ]
        self.cells += 2 * len(halves)
        self._waiting.extend(left for left, _ in halves)
        self._waiting.extend(right for _, right in halves)

    def _narrowed(self, cells: list[Cell], boxes: Boxes, kept: Narrowed, end: End) -> list[Cell]:
        """What remains of each cell, in order; what was removed gets this end."""
        below = (kept.lower > boxes.lower) & ~kept.empty
        above = (kept.upper < boxes.upper) & ~kept.empty
        self.cells += 2 * int(below.sum() + above.sum())
        for number, variable in np.argwhere((below | above).T).tolist():
            for cut, ends, away in ((below, kept.lower, 0), (above, kept.upper, 1)):
                if cut[variable, number]:
                    parts = cells[number].divide(variable, float(ends[variable, number]))
                    parts[away].end = end
                    cells[number] = parts[1 - away]
        for number in np.flatnonzero(kept.empty).tolist():
            cells[number].end = end
        return [cell for cell, empty in zip(cells, kept.empty.tolist(), strict=True) if not empty]
