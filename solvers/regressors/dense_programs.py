"""Many linear programs over the same few rows, each with another objective: of p columns, by a dual method.

    maximise c . z  subject to  g_i . z <= h_i  for the rows that have entered, those of its own dropped rows left aside

The ends of the box of z are rows, too. What is left of the rows is p numbers each, so that a step costs one look at the
rows that have entered and p^2 more (`dense_steps`). Estimated: exact weights of the active rows conclude, whatever they
are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from certify.problems.regressors.regressor import Floats
from certify.solvers.limits import Limit
from certify.solvers.regressors.dense_steps import OPTIMAL, optima
from certify.solvers.regressors.few_rows import Basis, FewRows, Side

Numbers = NDArray[np.int64]

APART = 1e-9  # of an objective: by so much it is turned, so that no two vertices are equally good
START = 2.0  # of a coordinate whose box has no end there
STEPS = 40  # for each parameter, and as many at least; more are a circle


@dataclass(frozen=True, eq=False)
class Asked:
    """An objective, the rows that are left aside for it, and the active rows at which its last optimum was."""

    cost: Floats
    turn: Floats
    dropped: tuple[int, ...]
    active: Numbers


class DensePrograms:
    """The rows that have entered, and the box of z. Ends that are infinite are put at `START` to begin with; what
    stands there at last is asked of HiGHS, as is what is not found.
    """

    def __init__(self, lower: Floats, upper: Floats) -> None:
        size = lower.size
        unit = np.eye(size)
        self.size, self.lower, self.upper = size, lower, upper
        self._limit = Limit()
        self.sides: list[Side] = []
        self._known: set[Side] = set()
        ends = np.concatenate([-lower, upper])
        self._begun: NDArray[np.bool_] = np.isinf(ends)
        self._normals, self._ends = np.vstack([-unit, unit]), np.where(self._begun, START, ends)
        self._owners = np.full(2 * size, -1, dtype=np.int64)
        self._turns = APART * np.random.default_rng(1).uniform(0.5, 1.0, size)

    def __contains__(self, side: Side) -> bool:
        return side in self._known

    def enter(self, sides: Sequence[Side], matrix: Floats, bound: Floats) -> None:
        """Rows with their coefficients and bounds, each scaled to a largest coefficient of 1."""
        largest = np.abs(matrix).max(axis=1)
        factor = 1.0 / np.where(largest > 0, largest, 1.0)
        self._normals = np.vstack([self._normals, matrix * factor[:, None]])
        self._ends = np.concatenate([self._ends, bound * factor])
        self._owners = np.concatenate([self._owners, np.array([row for row, _ in sides], dtype=np.int64)])
        self.sides += sides
        self._known.update(sides)

    def ask(self, cost: Floats, dropped: Iterable[int] = ()) -> Asked:
        """An objective that was not asked for before: it begins at the corner of the box that is best."""
        turn = np.where(cost >= 0, self._turns, -self._turns) * float(np.abs(cost).max())
        corner = np.arange(self.size) + self.size * (cost >= 0)
        return Asked(cost, turn, tuple(sorted(dropped)), corner.astype(np.int64))

    def solve(self, asked: Sequence[Asked], limit: Limit) -> list[tuple[Asked, Basis | None]]:
        """The optimum of each, with what the next turn goes on from; None where none was found."""
        found: list[tuple[Asked, Basis | None]] = []
        self._limit = limit
        step = max(1, 2**22 // (self._normals.size * STEPS))
        for start in range(0, len(asked), step):
            limit.check()
            found += self._solved(asked[start : start + step])
        return found

    def _solved(self, asked: Sequence[Asked]) -> list[tuple[Asked, Basis | None]]:
        most = max((len(one.dropped) for one in asked), default=0)
        dropped = np.full((len(asked), most), -2, dtype=np.int64)
        for k, one in enumerate(asked):
            dropped[k, : len(one.dropped)] = one.dropped
        costs, turns = np.array([one.cost for one in asked]), np.array([one.turn for one in asked])
        active = np.array([one.active for one in asked])
        best, points, states = active.copy(), np.empty(costs.shape), np.empty(len(asked), dtype=np.int64)
        rows = self._normals, self._ends, self._owners
        optima(*rows, costs, turns, dropped, active, best, points, states, STEPS * max(self.size, 5))
        found = []
        for one, last, chosen, point, state in zip(asked, active, best, points, states.tolist(), strict=True):
            basis = self._basis(chosen, point) if state == OPTIMAL else None
            next_one = one if basis is None else replace(one, active=last)
            found.append((next_one, self._by_highs(one) if basis is None else basis))
        return found

    def _basis(self, active: Numbers, point: Floats) -> Basis | None:
        box, first = active[active < 2 * self.size], 2 * self.size
        if self._begun[box].any() or not np.isfinite(point).all():
            return None
        rows = [self.sides[k - first] for k in active.tolist() if k >= first]
        return Basis(point.copy(), tuple(rows), tuple((box % self.size).tolist()))

    def _by_highs(self, one: Asked) -> Basis | None:
        """The same by HiGHS, from its beginning."""
        program = FewRows(self.lower, self.upper)
        kept = [k for k, (row, _) in enumerate(self.sides) if row not in one.dropped]
        places = 2 * self.size + np.array(kept, dtype=np.int64)
        program.enter([self.sides[k] for k in kept], self._normals[places], self._ends[places])
        return program.minimise(-one.cost, self._limit)


@cache
def compile_programs() -> None:
    """Compile the steps (once on a machine, some seconds), so that no search is charged for it."""
    program = DensePrograms(-np.ones(1), np.ones(1))
    program.enter([(0, 1)], np.ones((1, 1)), np.zeros(1))
    program.solve([program.ask(np.ones(1))], Limit())
