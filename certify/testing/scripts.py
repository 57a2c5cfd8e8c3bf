"""A failing case as a script that needs the solver, numpy and nothing of this project."""

from __future__ import annotations

from typing import Any

import numpy as np

from certify.problems.programs.program import Program

HIGHS = """import highspy

h = highspy.Highs()
h.setOptionValue("output_flag", False)
h.setOptionValue("time_limit", 10.0)
lp = highspy.HighsLp()
lp.num_col_, lp.num_row_ = len(c), len(lower)
lp.col_cost_, lp.col_lower_, lp.col_upper_ = c, low, high
lp.row_lower_, lp.row_upper_ = lower, upper
lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
lp.a_matrix_.start_ = np.arange(len(lower) + 1, dtype=np.int32) * len(c)
lp.a_matrix_.index_ = np.tile(np.arange(len(c), dtype=np.int32), len(lower))
lp.a_matrix_.value_ = A.ravel()
h.passModel(lp)
if P.any():
    columns = [(i, j) for j in range(len(c)) for i in range(j, len(c)) if P[i, j]]
    hessian = highspy.HighsHessian()
    hessian.dim_, hessian.format_ = len(c), highspy.HessianFormat.kTriangular
    hessian.start_ = np.cumsum([0] + [sum(j == k for _, j in columns) for k in range(len(c))]).astype(np.int32)
    hessian.index_ = np.array([i for i, _ in columns], dtype=np.int32)
    hessian.value_ = np.array([P[i, j] for i, j in columns])
    h.passHessian(hessian)
h.run()
print("HiGHS says:", h.modelStatusToString(h.getModelStatus()), h.getInfo().objective_function_value)
print("at", list(h.getSolution().col_value))
"""

LINPROG = """from scipy.optimize import linprog

over, under = np.isfinite(upper), np.isfinite(lower)
done = linprog(
    c, A_ub=np.vstack([A[over], -A[under]]), b_ub=np.concatenate([upper[over], -lower[under]]),
    bounds=np.column_stack([low, high]), method={method!r},
)
print("scipy says:", done.status, done.message, done.fun, done.x)
"""

CVXPY = """import cvxpy as cp

x = cp.Variable(len(c))
objective = c @ x + (0.5 * cp.quad_form(x, cp.psd_wrap(P)) if P.any() else 0)
rows = [a @ x >= l for a, l, u in zip(A, lower, upper) if np.isfinite(l) and l != u]
rows += [a @ x <= u for a, l, u in zip(A, lower, upper) if np.isfinite(u) and l != u]
rows += [a @ x == l for a, l, u in zip(A, lower, upper) if l == u]
rows += [x[j] >= low[j] for j in range(len(c)) if np.isfinite(low[j])]
rows += [x[j] <= high[j] for j in range(len(c)) if np.isfinite(high[j])]
rows += [cp.SOC((F @ x + g)[k], (F @ x + g)[k + 1 : k + size]) for k, size in zip(np.cumsum([0, *cones]), cones)]
problem = cp.Problem(cp.Minimize(objective), rows)
problem.solve(solver={solver!r})
print("cvxpy says:", problem.status, problem.value, x.value)
"""


def script(found: Program, solver: str, version: str, truth: str) -> str:
    """What to run to see it."""
    head = [f"# {version}", *(f"# {line}" for line in truth.splitlines()), "import numpy as np", "", "inf = np.inf"]
    return "\n".join([*head, *_data(found), _call(solver)])


def _data(found: Program) -> list[str]:
    arrays: dict[str, Any] = {
        "c": found.cost, "A": found.matrix.toarray(), "lower": found.lower, "upper": found.upper, "low": found.low,
        "high": found.high, "P": found.quadratic.toarray(), "F": found.cone_matrix.toarray(), "g": found.cone_vector,
    }  # fmt: skip
    shapes = {"A": (found.rows, found.size), "F": (found.cone_vector.size, found.size)}
    lines = []
    for name, values in arrays.items():
        shape = f".reshape{shapes[name]}" if name in shapes else ""
        lines.append(f"{name} = np.array({np.asarray(values).tolist()!r}, dtype=float){shape}")
    return [*lines, f"cones = {list(found.cones)!r}", ""]


def _call(solver: str) -> str:
    if solver == "highs":
        return HIGHS
    if solver.startswith("scipy-"):
        return LINPROG.replace("{method!r}", repr(solver.removeprefix("scipy-")))
    if solver.startswith("cvxpy-"):
        return CVXPY.replace("{solver!r}", repr(solver.removeprefix("cvxpy-").upper()))
    return "# give these arrays to your solver\n"
