"""Which directions are worth a proof: the deviation in each cell of the workspace lies in a polyhedron, whose farthest
corner is cut off next.

    max over the workspace of |f(x, q) - f(x0, q)|  <=  max over its cells of the farthest corner of a polyhedron

The largest polyhedron is refined, again and again, until its farthest corner is hardly beyond what can be reached in
its direction. All of it are estimates, by linear programs; what is proved of each half-space is found afterwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import log, prod

import numpy as np

from certify.accuracy.cells import Cell
from certify.accuracy.emission import Face
from certify.accuracy.outputs import Deviation, Direction, Output
from certify.accuracy.polyhedra import MOST, Half, farthest, on_grid
from certify.accuracy.supports import Support, Supports
from certify.solvers.limits import Limit, Stopped
from certify.solvers.search.explore import Best, Ended, explore

CLOSE = 0.02  # of the farthest corner: less is not worth a direction
LOST = 0.03  # of what can be reached: so much may be lost by the width of cells
BATCH = 512


@dataclass
class Corner:
    """A cell of the workspace, the half-spaces of its polyhedron with what shows each, and how much further the
    deviation may reach between this cell and others.
    """

    cell: Cell
    further: Fraction = Fraction(0)
    supports: dict[Direction, Support] = field(default_factory=dict)
    distance: float = 0.0
    corner: tuple[Fraction, ...] = ()

    @property
    def reach(self) -> float:
        """How far the deviation may reach."""
        return self.distance + float(self.further)

    @property
    def halves(self) -> list[Half]:
        """The half-spaces, as they are estimated."""
        return [(u, Fraction(support.value)) for u, support in self.supports.items()]

    def measure(self) -> None:
        """Look for the farthest corner."""
        found = farthest(self.halves)
        self.distance, self.corner = float(found.distance), found.corner


@dataclass(frozen=True, slots=True)
class Wanted:
    """A face of an output that is to be proved, and the corner whose polyhedron it bounds."""

    corner: int
    output: Output
    face: Face


class Reach:
    """The outer approximation of one deviation over one box of the workspace."""

    def __init__(self, deviation: Deviation, supports: Supports, limit: Limit) -> None:
        self._deviation, self._supports, self._limit = deviation, supports, limit
        size = deviation.size
        self._axes = [tuple(Fraction(int(i == j)) for j in range(size)) for i in range(size)]
        self.corners: list[Corner] = []
        self.curtailed = False  # more cells would have been taken

    def coarse(self) -> Stopped:
        """One cell, the whole workspace."""
        return self._run([0] * len(self._deviation.choices))

    def fine(self, most: int) -> Stopped:
        """So many cells at most, chosen by what the whole workspace as one cell loses."""
        if not self.corners and self.coarse() is not Stopped.FINISHED:
            return self._limit.reached(Stopped.UNDEFINED)
        return self._run(self._chosen(most))

    @property
    def distance(self) -> float:
        """How far the deviation reaches, estimated; infinite if that is not known."""
        return max((corner.reach for corner in self.corners), default=np.inf)

    def _run(self, kinds: Sequence[int]) -> Stopped:
        lists = [cells[kind] for (_, cells), kind in zip(self._deviation.choices, kinds, strict=True)]
        return self.over([Corner(tuple(bounds for cell in cells for bounds in cell)) for cells in product(*lists)])

    def over(self, corners: list[Corner]) -> Stopped:
        """These cells, which cover the workspace together."""
        self.corners = corners
        for start in range(0, len(self.corners), BATCH):
            if self._limit.late() or not self._begun(self.corners[start : start + BATCH]):
                self.corners = []
                return self._limit.reached(Stopped.UNDEFINED)
        return explore(Best(self.corners, lambda corner: -corner.reach), self._refine, self._limit)

    def _begun(self, corners: Sequence[Corner]) -> bool:
        """Bound the components of the deviation at these corners; whether all of them are bounded."""
        outputs = [Output(u, corner.cell) for corner in corners for u in self._axes]
        block = self._deviation.rows_of(outputs).blocks[0]
        signs = [(k, sign) for k in range(len(outputs)) for sign in (1, -1)]
        for (k, sign), support in zip(signs, self._supports.of(block, signs), strict=True):
            if support is None:
                return False
            corner, axis = corners[k // len(self._axes)], self._axes[k % len(self._axes)]
            corner.supports[tuple(sign * part for part in axis)] = support
        for corner in corners:
            corner.measure()
        return True

    def _refine(self, taken: list[Corner]) -> list[Corner]:
        """Cut off the farthest corner of a polyhedron; the search ends where that gains little."""
        (corner,) = taken
        length = max(corner.distance, 1e-300)
        direction = on_grid([float(part) / length for part in corner.corner])
        if direction in corner.supports or len(corner.supports) >= MOST or not any(direction):
            raise Ended(Stopped.FINISHED, taken)
        block = self._deviation.rows_of([Output(direction, corner.cell)]).blocks[0]
        (support,) = self._supports.of(block, [(0, 1)])
        known = float(np.linalg.norm([float(part) for part in direction]))
        if support is None or support.value / known > (1.0 - CLOSE) * corner.distance:
            raise Ended(Stopped.FINISHED, taken)
        corner.supports[direction] = support
        corner.measure()
        return taken

    def _chosen(self, most: int) -> list[int]:
        """How each axis is told: the one that loses most is told by more cells, as long as that is worth it."""
        choices = self._deviation.choices
        kinds = [0] * len(choices)
        lost = self._lost(kinds, None)
        while not self._limit.late() and lost > LOST * self.distance:
            ways = []
            for j, (_, lists) in enumerate(choices):
                if kinds[j] + 1 < len(lists):
                    more = [*kinds[:j], kinds[j] + 1, *kinds[j + 1 :]]
                    if prod(len(cells[kind]) for (_, cells), kind in zip(choices, more, strict=True)) > most:
                        self.curtailed = True
                    else:
                        growth = log(len(lists[kinds[j] + 1]) / len(lists[kinds[j]]))
                        ways.append((-(lost - self._lost(more, j)) / growth, more))
            best = min(ways, default=(0.0, kinds))
            if best[0] >= 0.0:
                break
            kinds = best[1]
            lost = self._lost(kinds, None)
        return kinds

    def _lost(self, kinds: Sequence[int], changed: int | None) -> float:
        """How much the width of cells costs, at the first cell of each axis, and at all of the one that changes."""
        lists = [cells[kind] for (_, cells), kind in zip(self._deviation.choices, kinds, strict=True)]
        chosen = [cells if j == changed else cells[:1] for j, cells in enumerate(lists)]
        found = [tuple(bounds for cell in cells for bounds in cell) for cells in product(*chosen)]
        block = self._deviation.rows_of([Output(u, cell) for cell in found for u in self._axes]).blocks[0]
        return float(self._supports.lost(block).max())

    def wanted(self) -> list[Wanted]:
        """All faces, those of the largest polyhedra first; opposite directions are faces of one output."""
        order = sorted(range(len(self.corners)), key=lambda k: -self.corners[k].reach)
        found, places = [], dict[tuple[int, Direction], int]()
        for k in order:
            corner = self.corners[k]
            for u, support in corner.supports.items():
                opposite = tuple(-part for part in u)
                sign = -1 if (k, opposite) in places else 1
                place = places.setdefault((k, opposite if sign < 0 else u), len(places))
                shown = opposite if sign < 0 else u
                found.append(Wanted(k, Output(shown, corner.cell), Face(place, sign, support)))
        return found
