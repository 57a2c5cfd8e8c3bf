"""The program that cvxpy gives to a solver (`Problem.get_problem_data`), as it is: these doubles are what is judged.

Conic solvers are given A x + s = b, s in zero x non-negative x second-order cones; solvers of QPs A x = b, F x <= G;
some of LPs with bounds of the unknowns apart. A row with a single coefficient 1 or -1 is a bound of an unknown.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from certify.problems.errors import InputError
from certify.problems.programs.program import Floats, Program, program


@dataclass(frozen=True, eq=False)
class GivenProgram:
    """What a solver is given, for whom, and whether the user's problem is to be maximised (then its value is minus the
    program's).
    """

    program: Program
    solver: str
    maximised: bool


def given_program(problem: Any, solver: str | None = None) -> GivenProgram:
    """What `problem.solve(solver=solver)` would give to that solver; CLARABEL is asked where none is named."""
    name = solver or "CLARABEL"
    data, chain, inverse = problem.get_problem_data(name)
    if data.get("bool_vars_idx") or data.get("int_vars_idx") or data.get("is_mip"):
        raise InputError("the problem has whole-number unknowns; certify.judge takes LP, convex QP and SOCP")
    dims = data.get("dims")
    if dims is not None and (dims.psd or dims.exp or dims.p3d or getattr(dims, "pnd", None)):
        raise InputError(
            "the problem has semidefinite, exponential or power cones; certify.judge takes LP, convex QP and SOCP"
        )
    maximised = any(type(step).__name__ == "FlipObjective" for step in chain.reductions)
    return GivenProgram(_read(data, dims, _offset(inverse)), name, maximised)


def _offset(inverse: Any) -> float:
    last = inverse[-1]
    found = last if isinstance(last, dict) else vars(last).get("inverse_data", {})
    value = found.get("offset", 0.0) if isinstance(found, dict) else vars(found).get("offset", 0.0)
    return float(np.asarray(value).ravel()[0]) if np.asarray(value).size else 0.0


def _read(data: Any, dims: Any, offset: float) -> Program:
    cost = np.asarray(data["c"] if "c" in data else data["q"], dtype=float)
    n = cost.size
    parts: list[tuple[Any, Floats, Floats]] = []
    cone_matrix, cone_vector, cones = None, None, []
    if "F" in data:  # of a QP
        parts = [_rows(data["A"], data["b"], data["b"]), _rows(data["F"], None, data["G"])]
    else:
        matrices, rights = [data["A"]], [data["b"]]
        if "G" in data:
            matrices, rights = [*matrices, data["G"]], [*rights, data["h"]]
        matrix, right = _stacked(matrices, n), np.concatenate([_column(part) for part in rights])
        zero, plus = dims.zero, dims.zero + dims.nonneg
        parts = [
            _rows(matrix[:zero], right[:zero], right[:zero]),
            _rows(matrix[zero:plus], None, right[zero:plus]),
        ]
        cone_matrix, cone_vector, cones = -matrix[plus:], right[plus:], list(dims.soc)
    A = _stacked([part[0] for part in parts], n)
    lower, upper = (np.concatenate([part[k] for part in parts]) for k in (1, 2))
    low, high = (
        _column(data.get(key)) if data.get(key) is not None else np.full(n, end)
        for key, end in (("lower_bounds", -np.inf), ("upper_bounds", np.inf))
    )
    A, lower, upper, low, high = _bounds_apart(A, lower, upper, low, high)
    return program(
        cost, A, lower, upper, low=low, high=high, quadratic=data.get("P"), cone_matrix=cone_matrix,
        cone_vector=cone_vector, cones=cones, offset=offset,
    )  # fmt: skip


def _column(values: Any) -> Floats:
    return np.zeros(0) if values is None else np.array(values, dtype=float).ravel()


def _stacked(parts: list[Any], n: int) -> sparse.csr_array:
    kept = [sparse.csr_array(part) for part in parts if part is not None and part.shape[0]]
    return sparse.csr_array(sparse.vstack(kept, format="csr")) if kept else sparse.csr_array((0, n))


def _rows(matrix: Any, lower: Any, upper: Any) -> tuple[Any, Floats, Floats]:
    high = _column(upper)
    return matrix, np.full(high.size, -np.inf) if lower is None else _column(lower), high


def _bounds_apart(
    A: sparse.csr_array, lower: Floats, upper: Floats, low: Floats, high: Floats
) -> tuple[sparse.csr_array, Floats, Floats, Floats, Floats]:
    """Rows x <= b and -x <= b as bounds, where the numbers stay what they are."""
    A.sum_duplicates()
    A.eliminate_zeros()
    low, high, single = low.copy(), high.copy(), np.diff(A.indptr) == 1
    for i in np.flatnonzero(single).tolist():
        j, a = int(A.indices[A.indptr[i]]), float(A.data[A.indptr[i]])
        if abs(a) != 1.0 or lower[i] == upper[i]:
            single[i] = False
            continue
        ends = (lower[i], upper[i]) if a > 0 else (-upper[i], -lower[i])
        low[j], high[j] = max(low[j], ends[0]), min(high[j], ends[1])
    return sparse.csr_array(A[~single]), lower[~single], upper[~single], low, high
