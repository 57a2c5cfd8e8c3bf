"""Linear programs by HiGHS: one model for each relaxation, hot-started from objective to objective, which grows by the
rows that matter.

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
from certify.solvers.linear_programs.directions import Direction, Members, violated
from certify.solvers.linear_programs.sparse import Indices, Sparse

ITERATIONS = 100_000  # of one program; a few hundred are usual
EACH, LEAST = (
    3,
    500,
)  # iterations for each row and column of a growing model, and at least: some do not end by themselves
MANY, FIRST, MORE = 240, 120, 40  # rows: of more than so many so few are the first, and so many enter at once
TOLERANCE = 0.01  # of a row whose largest coefficient is 1: a smaller violation lets no row enter
TURNS = 30  # rounds of directions: at a distance of 0 there is no end of them, and what the last one leaves is little
TURNED = 1e-6  # by so much a direction is violated at least that enters: HiGHS does not tell what is nearer
CLEAR = 1.0  # a common violation that leaves no doubt


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


@dataclass(frozen=True, eq=False, slots=True)
class Optimum:
    """The least value over the rows that have entered, where it is attained, the dual weights of all rows, and whether
    the point satisfies them all.
    """

    value: float
    point: Floats
    weights: Floats
    feasible: bool


class GrowingModel:
    """minimise cost . y  subject to  matrix y <= bound  and  lower <= y <= upper, of whose many rows few matter.

    The model has the rows that leave the origin least room. Its optimum is judged by all rows at once; those that it
    violates most enter, and the dual simplex goes on from there. An optimum of some rows is a lower bound of that of
    all, which its weights prove, 0 for the rows outside: so violations within the tolerance do no harm. Some rows are
    enough only where every column is bounded; otherwise all enter at once. Directions of members enter likewise.
    """

    def __init__(
        self,
        matrix: Floats | Sparse,
        bound: Floats,
        lower: Floats,
        upper: Floats,
        tolerance: float = TOLERANCE,
        few: bool = True,
        members: Members | None = None,
    ) -> None:
        self.matrix, self.bound, self.tolerance, self.members = matrix, bound, tolerance, members
        self.directions: list[Direction] = []
        bounded = np.isfinite(lower).all() and np.isfinite(upper).all()
        first = FIRST if few and bounded and bound.size > MANY else bound.size
        self.order = np.sort(np.argsort(bound, kind="stable")[:first])
        self.effort = 0
        self.solver = sparse_model(self._part(self.order), bound[self.order], lower, upper, np.zeros(lower.size))

    def minimise(self, cost: Floats, limit: Limit, enough: float = np.inf) -> Optimum | None:
        """The optimum, or one of fewer rows or directions, whose value is `enough` or after which too many turns would
        be left; None if there is none, or no time.
        """
        self.solver.changeColsCost(cost.size, np.arange(cost.size, dtype=np.int32), cost)
        best, turns = None, 0
        while self._is_optimal(limit):
            solution = self.solver.getSolution()
            point, weights = np.array(solution.col_value), self._weights(np.array(solution.row_dual))
            outside, turned = self._violated(point), self._turned(point)
            feasible = not (outside.size or turned)
            best = Optimum(float(self.solver.getInfo().objective_function_value), point, weights, feasible)
            if best.feasible or best.value > enough or turns == TURNS:
                break
            turns += bool(turned)
            self._enter(outside)
            for direction in turned:
                self._turn(direction)
        return best

    def _weights(self, duals: Floats) -> Floats:
        """Those of the rows, from those of rows and directions."""
        found, duals = np.zeros(self.bound.size + len(self.directions)), np.maximum(-duals, 0.0)
        found[self.order] = duals
        weights = found[: self.bound.size]
        for direction, weight in zip(self.directions, found[self.bound.size :], strict=True):
            weights[direction.rows] += weight * direction.parts
        return weights

    def _turned(self, point: Floats) -> list[Direction]:
        """The directions that the point violates most."""
        if self.members is None:
            return []
        matrix = self.matrix if isinstance(self.matrix, Sparse) else Sparse.of_array(self.matrix)
        return violated(self.members, matrix, self.bound, point, max(self.tolerance, TURNED), MORE)

    def _turn(self, direction: Direction) -> None:
        columns = np.flatnonzero(direction.coefficients).astype(np.int32)
        values = direction.coefficients[columns]
        self.solver.addRow(-highspy.kHighsInf, direction.bound, columns.size, columns, values)
        self.order = np.append(self.order, self.bound.size + len(self.directions))
        self.directions.append(direction)

    def _is_optimal(self, limit: Limit) -> bool:
        """Whether there is an optimum; where the simplex method circles it begins anew, once."""
        self.solver.setOptionValue(
            "simplex_iteration_limit", max(LEAST, EACH * (self.order.size + self.solver.getNumCol()))
        )
        if self._run(limit):
            return True
        self.solver.clearSolver()
        return self._run(limit)

    def _run(self, limit: Limit) -> bool:
        found = is_optimal(self.solver, limit)
        self.effort += (1 + max(self.solver.getInfo().simplex_iteration_count, 0)) * self.order.size
        return found

    def _violated(self, point: Floats) -> Indices:
        """The rows outside that the point violates most."""
        entered = self.order[self.order < self.bound.size]
        if entered.size == self.bound.size:
            return entered[:0]
        excess = (self.matrix.times(point) if isinstance(self.matrix, Sparse) else self.matrix @ point) - self.bound
        excess[entered] = -np.inf
        worst = np.argsort(-excess, kind="stable")[:MORE]
        return np.asarray(worst[excess[worst] > self.tolerance])

    def _enter(self, rows: Indices) -> None:
        part = self._part(rows)
        starts = np.searchsorted(part.rows, np.arange(rows.size)).astype(np.int32)
        none = np.full(rows.size, -highspy.kHighsInf)
        columns = part.columns.astype(np.int32)
        self.solver.addRows(rows.size, none, self.bound[rows], part.values.size, starts, columns, part.values)
        self.order = np.concatenate([self.order, rows])

    def _part(self, rows: Indices) -> Sparse:
        """Some rows, in this order."""
        if isinstance(self.matrix, Sparse):
            return self.matrix.only(rows)
        return Sparse.of_array(self.matrix[rows])


def _with_violation(program: LinearProgram) -> Floats | Sparse:
    """The matrix with the columns of entries, if there are any, and with that of the common violation."""
    rows, columns = program.matrix.shape
    violation = np.zeros((rows, 1))
    violation[: program.soft] = -1.0
    if program.entries is None:
        return np.hstack([program.matrix, violation])
    first, (places, values) = Sparse.of_array(program.matrix), program.entries
    which = np.flatnonzero(places >= 0)
    owners = np.repeat(np.arange(places.shape[0]), places.shape[1])[which]
    soft, last = np.arange(program.soft), program.lower.size
    return Sparse.of(
        (rows, last + 1),
        np.concatenate([first.rows, owners, soft]),
        np.concatenate([first.columns, columns + places.ravel()[which], np.full(soft.size, last)]),
        np.concatenate([first.values, values.ravel()[which], np.full(soft.size, -1.0)]),
    )


def _members(program: LinearProgram) -> Members | None:
    """The rows that are bounded together; the violation is common to them."""
    if program.members is None:
        return None
    numbers, levels = program.members
    return Members(numbers, levels, np.arange(program.lower.size + 1) == program.lower.size)


@dataclass
class HighsOracle:
    """A `LinearOracle`; the violation is one more column, later fixed at zero. `effort` counts what a simplex iteration
    costs: the rows that have entered.
    """

    limit: Limit = field(default_factory=Limit)
    effort: int = 0
    _model: GrowingModel | None = None
    _points: list[Floats] = field(default_factory=list)

    def violation_weights(self, program: LinearProgram) -> tuple[float, Floats]:
        """Minimise the common violation of the soft constraints."""
        rows, columns = program.matrix.shape[0], program.lower.size
        lower, upper = np.append(program.lower, -1.0), np.append(program.upper, 1e6)
        members = _members(program)
        self._model = GrowingModel(_with_violation(program), program.bound, lower, upper, members=members)
        self._points = []
        found = self._minimum(np.append(np.zeros(columns), 1.0), CLEAR)
        self._model.solver.changeColBounds(columns, 0.0, 0.0)
        return (0.0, np.zeros(rows)) if found is None else (found.value, found.weights)

    def bound_weights(
        self, program: LinearProgram, objectives: Floats, useless: float = -np.inf
    ) -> list[Floats | None]:
        """Minimise each objective, starting from the last basis, but for those that are useless: a point is known at
        which they are so small.
        """
        answers: list[Floats | None] = []
        for objective in objectives:
            cost = np.append(objective, 0.0)
            known = min((float(cost @ point) for point in self._points), default=np.inf)
            found = None if self._model is None or known <= useless else self._minimum(cost)
            answers.append(None if found is None or found.value <= useless else found.weights)
        return answers

    def _minimum(self, cost: Floats, enough: float = np.inf) -> Optimum | None:
        """The optimum of the model, whose point is kept if it is one of all rows."""
        if self._model is None:
            return None
        before = self._model.effort
        found = self._model.minimise(cost, self.limit, enough)
        self.effort += self._model.effort - before
        if found is not None and found.feasible and found.point[-1] <= 0.0:
            self._points.append(found.point)
        return found
