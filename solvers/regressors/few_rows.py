"""A linear program with few of very many rows, which more and more rows enter: HiGHS goes on from its last basis.

    minimise cost . z  subject to  s a . z - d t <= bound  for the rows that have entered, and  lower <= z <= upper

An optimum is a basis: rows and columns at their ends. Its weights are a proof of a bound whatever they are, once they
are exact (`exact_weights`); whether the basis is the best one is the solver's word.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import highspy
import numpy as np

from certify.problems.regressors.regressor import Floats
from certify.solvers.limits import Limit
from certify.solvers.linear_programs.highs import is_optimal, new_model

NEAR = 1e-10  # feasibility that is asked of HiGHS, the least that it takes
SMALL = 1e-12  # coefficients that are left out, beside a largest one of 1: the least that it takes
Side = tuple[int, int]  # a row, and +1 for its upper end or -1 for its lower one


@dataclass(frozen=True, eq=False)
class Basis:
    """An optimum: its point, and the rows and columns that stand at their ends."""

    point: Floats
    sides: tuple[Side, ...]
    columns: tuple[int, ...]


class FewRows:
    """The program; `z` are deviations in units of `scale`."""

    def __init__(self, lower: Floats, upper: Floats) -> None:
        size = lower.size
        self.sides: list[Side] = []
        self._known: set[Side] = set()
        self._solver = new_model(np.zeros((0, size)), np.zeros(0), lower, upper, np.zeros(size))
        for option in ("primal_feasibility_tolerance", "dual_feasibility_tolerance"):
            self._solver.setOptionValue(option, NEAR)
        self._solver.setOptionValue("small_matrix_value", SMALL)
        self._refused = False

    def __contains__(self, side: Side) -> bool:
        return side in self._known

    def enter(self, sides: Iterable[Side], matrix: Floats, bound: Floats) -> None:
        """Rows with their coefficients and bounds, each scaled to a largest coefficient of 1."""
        largest = np.abs(matrix).max(axis=1)
        factor = 1.0 / np.where(largest > 0, largest, 1.0)
        scaled, count = matrix * factor[:, None], len(bound)
        starts, columns = np.arange(count) * matrix.shape[1], np.tile(np.arange(matrix.shape[1]), count)
        none = np.full(count, -highspy.kHighsInf)
        values = scaled.ravel()
        status = self._solver.addRows(
            count, none, bound * factor, values.size, starts.astype(np.int32), columns.astype(np.int32), values
        )
        self._refused |= status == highspy.HighsStatus.kError  # numbers that are no numbers
        self.sides += sides
        self._known = set(self.sides)

    def minimise(self, cost: Floats, limit: Limit) -> Basis | None:
        """The optimum; None if HiGHS finds none, or no time is left."""
        if self._refused:
            return None
        self._solver.changeColsCost(cost.size, np.arange(cost.size, dtype=np.int32), cost)
        if not is_optimal(self._solver, limit):
            self._solver.clearSolver()
            if not is_optimal(self._solver, limit):
                return None
        basis, basic = self._solver.getBasis(), highspy.HighsBasisStatus.kBasic
        rows = [side for side, status in zip(self.sides, basis.row_status, strict=True) if status != basic]
        columns = [k for k, status in enumerate(basis.col_status) if status != basic]
        return Basis(np.array(self._solver.getSolution().col_value), tuple(rows), tuple(columns))
