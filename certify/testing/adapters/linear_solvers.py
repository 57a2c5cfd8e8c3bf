"""Solvers of linear programs and QPs that take arrays: scipy's linprog and HiGHS itself.

HiGHS documents primal and dual feasibility tolerances of 1e-7, absolute, of rows and bounds (options of the same name);
scipy's `linprog(method="highs")` passes them on. `ray` is the dual tolerance.
"""

from __future__ import annotations

import importlib.metadata
from typing import Any

import highspy
import numpy as np
from scipy import sparse

from certify.problems.programs.program import Program
from certify.solvers.programs.simplex_basis import model
from certify.testing.contract import Answer, Criterion, Said, Solver

HIGHS = Criterion(
    1e-7, gap=1e-7, relative_gap=1e-7, dual=1e-7, ray=1e-7,
    source="HiGHS options primal_feasibility_tolerance, dual_feasibility_tolerance (1e-7, absolute)",
)  # fmt: skip
SECONDS = 0.5  # of programs that take it a thousandth of that


def _highs(found: Program) -> Answer:
    solver = highspy.Highs()  # type: ignore[no-untyped-call]
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("threads", 1)
    solver.setOptionValue("time_limit", SECONDS)
    solver.passModel(model(found))
    if found.quadratic.nnz:
        upper = sparse.csc_matrix(sparse.tril(found.quadratic))
        hessian = highspy.HighsHessian()
        hessian.dim_ = found.size
        hessian.format_ = highspy.HessianFormat.kTriangular
        hessian.start_, hessian.index_ = upper.indptr.astype(np.int32), upper.indices.astype(np.int32)
        hessian.value_ = upper.data
        if solver.passHessian(hessian) == highspy.HighsStatus.kError:
            return Answer(Said.NOTHING, word="refused the Hessian")
    solver.run()
    word = str(solver.getModelStatus()).rsplit(".k", 1)[-1]
    said = {
        "Optimal": Said.OPTIMAL,
        "Infeasible": Said.INFEASIBLE,
        "Unbounded": Said.UNBOUNDED,
        "UnboundedOrInfeasible": Said.NEITHER,
    }.get(word, Said.NOTHING)
    return Answer(said, np.array(solver.getSolution().col_value) if said is Said.OPTIMAL else None, word)


def _linprog(method: str) -> Any:
    def solve(found: Program) -> Answer:
        from scipy.optimize import linprog

        equal = found.equalities
        over, under = ~equal & np.isfinite(found.upper), ~equal & np.isfinite(found.lower)
        A = sparse.vstack([found.matrix[over], -found.matrix[under]], format="csr")
        b = np.concatenate([found.upper[over], -found.lower[under]])
        bounds = np.column_stack([found.low, found.high])
        try:
            done = linprog(
                found.cost, A_ub=A if b.size else None, b_ub=b if b.size else None,
                A_eq=found.matrix[equal] if equal.any() else None, b_eq=found.lower[equal] if equal.any() else None,
                bounds=bounds, method=method,
            )  # fmt: skip
        except ValueError as error:
            return Answer(Said.NOTHING, word=str(error)[:60])
        said = {0: Said.OPTIMAL, 2: Said.INFEASIBLE, 3: Said.UNBOUNDED}.get(done.status, Said.NOTHING)
        if done.status == 4 and "infeasible or unbounded" in done.message.lower():
            said = Said.NEITHER
        return Answer(said, None if done.x is None else np.array(done.x), f"status {done.status}")

    return solve


def solvers() -> list[Solver]:
    """All of this file."""
    of = importlib.metadata.version
    linprog = [Solver(f"scipy-{method}", _linprog(method), HIGHS, ("lp",), f"scipy {of('scipy')}")
               for method in ("highs", "highs-ipm")]  # fmt: skip
    return [Solver("highs", _highs, HIGHS, ("lp", "qp", "nonconvex"), f"highspy {of('highspy')}"), *linprog]
