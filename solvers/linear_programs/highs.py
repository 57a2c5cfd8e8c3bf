"""Linear programs by HiGHS: one model for each relaxation, hot-started from objective to objective.

Everything returned is a candidate: weights that the contractors turn into proofs, or fail to. A status that is not
"optimal" yields no weights: infeasible, unbounded, a number of iterations that no sane program needs, or the end of the
time, which a program that is being solved cannot ask for, so that it is told beforehand how much of it is left.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import highspy
import numpy as np

from certify.contractors.operators.lifted_relaxation import LinearProgram
from certify.contractors.tape.evaluation import Floats
from certify.solvers.limits import UNLIMITED, Limit
from certify.solvers.linear_programs.sparse import Sparse

ITERATIONS = 100_000  # of one program; a few hundred are usual


def _quiet() -> highspy.Highs:
    solver = highspy.Highs()  # type: ignore[no-untyped-call]
    for option, value in (
        ("output_flag", False),
        ("threads", 1),
        ("presolve", "off"),
        ("solver", "simplex"),
        ("random_seed", 0),
    ):
        solver.setOptionValue(option, value)
    solver.setOptionValue("simplex_iteration_limit", ITERATIONS)
    return solver


def new_model(matrix: Floats, bound: Floats, lower: Floats, upper: Floats, cost: Floats) -> highspy.Highs:
    """Minimise cost . y subject to matrix y <= bound and lower <= y <= upper."""
    return sparse_model(Sparse.of_array(matrix), bound, lower, upper, cost)


def sparse_model(matrix: Sparse, bound: Floats, lower: Floats, upper: Floats, cost: Floats) -> highspy.Highs:
    """The same with a sparse matrix."""
    rows, columns = matrix.shape
    program = highspy.HighsLp()
    program.num_col_, program.num_row_ = columns, rows
    program.col_cost_, program.col_lower_, program.col_upper_ = cost, lower, upper
    program.row_lower_, program.row_upper_ = np.full(rows, -highspy.kHighsInf), bound
    program.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    program.a_matrix_.start_ = np.searchsorted(matrix.rows, np.arange(rows + 1)).astype(np.int32)
    program.a_matrix_.index_ = matrix.columns.astype(np.int32)
    program.a_matrix_.value_ = matrix.values
    solver = _quiet()
    solver.passModel(program)
    return solver


def is_optimal(solver: highspy.Highs, limit: Limit = UNLIMITED) -> bool:
    """Run within the limit and say whether HiGHS believes to have found an optimum."""
    remaining = limit.remaining
    if remaining <= 0.0:
        return False
    if remaining < float("inf"):
        solver.setOptionValue(
            "time_limit", solver.getRunTime() + remaining
        )  # HiGHS counts the runs of a model together
    solver.run()
    return bool(solver.getModelStatus() == highspy.HighsModelStatus.kOptimal)


def _weights(solver: highspy.Highs) -> Floats:
    return np.asarray(np.maximum(-np.array(solver.getSolution().row_dual), 0.0))


@dataclass
class HighsOracle:
    """A `LinearOracle`; the violation is one more column, later fixed at zero. `effort` counts what a simplex iteration
    costs: the rows.
    """

    limit: Limit = field(default_factory=Limit)
    effort: int = 0
    _solver: highspy.Highs | None = None

    def violation_weights(self, program: LinearProgram) -> tuple[float, Floats]:
        """Minimise the common violation of the soft constraints."""
        rows, columns = program.matrix.shape
        violation = np.zeros((rows, 1))
        violation[: program.soft] = -1.0
        cost = np.zeros(columns + 1)
        cost[-1] = 1.0
        lower, upper = np.append(program.lower, -1.0), np.append(program.upper, 1e6)
        self._solver = new_model(np.hstack([program.matrix, violation]), program.bound, lower, upper, cost)
        if not self._optimal(self._solver):
            return 0.0, np.zeros(rows)
        return float(self._solver.getInfo().objective_function_value), _weights(self._solver)

    def bound_weights(self, program: LinearProgram, objectives: Floats) -> list[Floats | None]:
        """Minimise each objective, starting from the last basis."""
        solver = self._solver
        if solver is None:
            return [None] * len(objectives)
        columns = program.matrix.shape[1]
        indices = np.arange(columns + 1, dtype=np.int32)
        solver.changeColBounds(columns, 0.0, 0.0)
        answers: list[Floats | None] = []
        for objective in objectives:
            solver.changeColsCost(columns + 1, indices, np.append(objective, 0.0))
            answers.append(_weights(solver) if self._optimal(solver) else None)
        return answers

    def _optimal(self, solver: highspy.Highs) -> bool:
        found = is_optimal(solver, self.limit)
        self.effort += (1 + max(solver.getInfo().simplex_iteration_count, 0)) * solver.getNumRow()
        return found
