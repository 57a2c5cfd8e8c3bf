"""Candidates by the simplex method (HiGHS): which unknowns and rows stand at an end, and the solver's word."""

from __future__ import annotations

from dataclasses import dataclass

import highspy
import numpy as np
from numpy.typing import NDArray

from certify.problems.programs.program import Floats, Program

Signs = NDArray[np.int8]

ITERATIONS = 200_000
TIGHT = 1e-10  # HiGHS's least tolerance


@dataclass(frozen=True, eq=False)
class Basis:
    """-1 and +1: at the lower, upper end; 0: free at 0 (of unknowns); 2: in the basis."""

    status: str
    unknowns: Signs
    rows: Signs
    point: Floats
    multipliers: Floats


def simplex(found: Program) -> Basis | None:
    """What HiGHS's simplex method ends with; None where it has no basis."""
    solver = highspy.Highs()  # type: ignore[no-untyped-call]
    for option, value in (
        ("output_flag", False), ("threads", 1), ("presolve", "off"), ("solver", "simplex"), ("random_seed", 0),
        ("simplex_iteration_limit", ITERATIONS), ("primal_feasibility_tolerance", TIGHT),
        ("dual_feasibility_tolerance", TIGHT), ("small_matrix_value", 1e-12), ("infinite_bound", 1e300),
    ):  # fmt: skip
        solver.setOptionValue(option, value)
    solver.passModel(model(found))
    solver.run()
    basis, solution = solver.getBasis(), solver.getSolution()
    if not basis.valid or len(basis.col_status) != found.size:
        return None
    unknowns, rows = (
        np.array([_SIGN[status] for status in statuses], dtype=np.int8)
        for statuses in (basis.col_status, basis.row_status)
    )
    status = str(solver.getModelStatus()).rsplit(".k", 1)[-1]
    return Basis(status, unknowns, rows, np.array(solution.col_value), np.array(solution.row_dual))


_SIGN = {
    highspy.HighsBasisStatus.kLower: -1,
    highspy.HighsBasisStatus.kUpper: 1,
    highspy.HighsBasisStatus.kZero: 0,
    highspy.HighsBasisStatus.kNonbasic: 0,
    highspy.HighsBasisStatus.kBasic: 2,
}


def model(found: Program) -> highspy.HighsLp:
    """The linear program as HiGHS holds it, number by number."""
    given = highspy.HighsLp()
    given.num_col_, given.num_row_ = found.size, found.rows
    given.col_cost_, given.col_lower_, given.col_upper_ = found.cost, found.low, found.high
    given.row_lower_, given.row_upper_, given.offset_ = found.lower, found.upper, found.offset
    matrix = found.matrix.tocsc()
    given.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    given.a_matrix_.start_ = matrix.indptr.astype(np.int32)
    given.a_matrix_.index_ = matrix.indices.astype(np.int32)
    given.a_matrix_.value_ = matrix.data
    return given
