"""Every solver that cvxpy has installed, called as cvxpy's users call it, with cvxpy's options, each in a process of
its own: some print, and one crashes.

    Clarabel  |A x + s - b| <= 1e-8 max(1, |b| + |x| + |s|); gap 1e-8 absolute or relative
    ECOS      the same with 1e-8
    SCS       |A x + s - b|_max <= e + e max(|A x|, |s|, |b|), e = 1e-5 as cvxpy sets it; |A' y| <= 1e-7 |b . y|
    OSQP      the same with e = 1e-5 as cvxpy sets it
    HiGHS, GLPK   1e-7 absolute; 1e-7 relative to the size of an end

Rays of Clarabel, ECOS, OSQP and CVXOPT are measured against |y|, or |x| + |y|, and not against |b . y|: then no
feasible point contradicts "infeasible", and such answers are within the tolerance (`ray` is infinite). An
"inaccurate" answer is no answer: the solver says itself that it did not reach its criterion.
"""

from __future__ import annotations

import importlib.metadata
import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from certify.problems.programs.program import Program
from certify.testing.apart import apart
from certify.testing.contract import Answer, Criterion, Said, Solver

KNOWN = {
    "CLARABEL": (Criterion(1e-8, 1e-8, 1e-8, 1e-8, 1e-8, math.inf, "Clarabel settings tol_feas, tol_gap, tol_infeas"),
                 ("lp", "qp", "socp"), "clarabel"),
    "ECOS": (Criterion(1e-8, 1e-8, 1e-8, 1e-8, 1e-8, math.inf, "ECOS settings feastol, abstol, reltol"),
             ("lp", "socp"), "ecos"),
    "SCS": (Criterion(1e-5, 1e-5, 1e-5, 1e-5, 1e-5, 1e-7, "SCS settings eps_abs, eps_rel, eps_infeas; cvxpy sets 1e-5"),
            ("lp", "qp", "socp"), "scs"),
    "OSQP": (Criterion(1e-5, 1e-5, 1e-5, 1e-5, 1e-5, math.inf, "OSQP settings eps_abs, eps_rel; cvxpy sets 1e-5"),
             ("lp", "qp"), "osqp"),
    "HIGHS": (Criterion(1e-7, 0.0, 1e-7, 1e-7, 1e-7, 1e-7, "HiGHS feasibility tolerances"), ("lp", "qp"), "highspy"),
    "GLPK": (Criterion(1e-7, 1e-7, 1e-7, 1e-7, 1e-7, 1e-7, "GLPK tol_bnd, tol_dj (1e-7, relative)"), ("lp",), "cvxopt"),
    "CVXOPT": (Criterion(1e-7, 1e-7, 1e-7, 1e-6, 1e-7, math.inf, "CVXOPT feastol, abstol, reltol"),
               ("lp", "socp"), "cvxopt"),
}  # fmt: skip


def _solved(name: str) -> Callable[[Program], Answer]:
    def solve(found: Program) -> Answer:
        import cvxpy as cp

        x = cp.Variable(found.size)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            problem = cp.Problem(cp.Minimize(_objective(found, x)), _constraints(found, x))
            try:
                problem.solve(solver=name)
            except Exception as error:  # a solver may fail in any way: that is an answer, too
                return Answer(Said.NOTHING, word=f"{type(error).__name__}: {str(error)[:60]}")
        said = {"optimal": Said.OPTIMAL, "infeasible": Said.INFEASIBLE, "unbounded": Said.UNBOUNDED}
        point = None if x.value is None else np.array(x.value, dtype=float)
        return Answer(said.get(problem.status, Said.NOTHING), point, problem.status)

    return solve


def _objective(found: Program, x: Any) -> Any:
    import cvxpy as cp

    linear = found.cost @ x + found.offset
    if not found.quadratic.nnz:
        return linear
    return linear + 0.5 * cp.quad_form(x, cp.psd_wrap(found.quadratic.toarray()))


def _constraints(found: Program, x: Any) -> list[Any]:
    import cvxpy as cp

    made: list[Any] = []
    for matrix, lower, upper in ((found.matrix, found.lower, found.upper), (np.eye(found.size), found.low, found.high)):
        equal = (lower == upper) & np.isfinite(lower)
        over, under = ~equal & np.isfinite(upper), ~equal & np.isfinite(lower)
        made += [matrix[equal] @ x == lower[equal]] if equal.any() else []
        made += [matrix[over] @ x <= upper[over]] if over.any() else []
        made += [matrix[under] @ x >= lower[under]] if under.any() else []
    for block in found.blocks:
        rows = found.cone_matrix[block] @ x + found.cone_vector[block]
        made.append(cp.SOC(rows[0], rows[1:]))
    return made


def solvers() -> list[Solver]:
    """Those that are installed; none without cvxpy."""
    try:
        import cvxpy as cp
    except ImportError:
        return []
    installed = set(cp.installed_solvers())
    return [
        Solver(f"cvxpy-{name.lower()}", apart(_solved(name)), criterion, kinds, f"{package} {_version(package)}")
        for name, (criterion, kinds, package) in KNOWN.items()
        if name in installed
    ]


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "?"
