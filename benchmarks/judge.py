"""certify.judge on random cvxpy problems: ends, widths, and times beside the solver's, in seconds of the processor.

    python -m benchmarks judge [COUNT]     # 500 small ones, and one of each kind with some 1,000 rows

A problem is well posed here if the solver says "optimal"; where its ends are not within 1e-7, the reason is counted.
"""

from __future__ import annotations

import time
import warnings
from collections import Counter
from typing import Any

import cvxpy as cp
import numpy as np

from certify.judging_programs.judge import judge

KINDS = ("lp", "degenerate lp", "l1", "lasso", "portfolio", "socp", "infeasible", "unbounded", "chebyshev", "svm")
LARGE = 30  # times as many unknowns


def problem(number: int, times: int = 1) -> tuple[str, Any]:
    """One of each kind in turn."""
    rng, kind = np.random.default_rng(number), KINDS[number % len(KINDS)]
    n = int(rng.integers(2, 12)) * times
    m = int(n * rng.uniform(1.2, 3)) if times == 1 else max(1000, n)
    x = cp.Variable(n)
    A, at, b, c = rng.normal(size=(m, n)), rng.normal(size=n), rng.normal(size=m), rng.normal(size=n)
    if kind == "lp":
        return kind, cp.Problem(cp.Minimize(c @ x), [A @ x <= A @ at + rng.uniform(0, 1, m), cp.abs(x) <= 10])
    if kind == "degenerate lp":
        whole = np.round(A)
        return kind, cp.Problem(cp.Minimize(np.round(c * 3) @ x), [whole @ x <= np.abs(np.round(b)), x >= -1, x <= 1])
    if kind == "l1":
        return kind, cp.Problem(cp.Minimize(cp.norm1(A @ x - b)), [cp.sum(x) == 1])
    if kind == "lasso":
        return kind, cp.Problem(cp.Minimize(cp.sum_squares(A @ x - b) + 0.5 * cp.norm1(x)))
    if kind == "portfolio":
        S = A[:n] @ A[:n].T
        return kind, cp.Problem(cp.Minimize(cp.quad_form(x, cp.psd_wrap(S)) - c @ x), [cp.sum(x) == 1, x >= 0])
    if kind == "socp":
        return kind, cp.Problem(cp.Minimize(cp.norm(A @ x - b) + 0.1 * c @ x), [cp.norm(x) <= 2])
    if kind == "infeasible":
        return kind, cp.Problem(cp.Minimize(cp.sum(x)), [A @ x <= A @ at - 1e-3, A @ x >= A @ at])
    if kind == "unbounded":
        return kind, cp.Problem(cp.Minimize(c @ x), [x[0] >= -1, cp.sum(x) <= 5])
    if kind == "chebyshev":
        return kind, cp.Problem(cp.Minimize(cp.norm_inf(A @ x - b)), [x >= -1])
    return kind, cp.Problem(cp.Minimize(cp.sum_squares(x) + cp.sum(cp.pos(1 - cp.multiply(np.sign(b), A @ x)))))


def measured(number: int, times: int = 1) -> dict[str, Any]:
    """Solver and judge on one problem; the second solve is timed, for the first one compiles."""
    kind, posed = problem(number, times)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        began = time.process_time()
        try:
            posed.solve()
        except cp.SolverError as error:
            return {"kind": kind, "status": f"failed: {str(error)[:40]}", "verdict": "", "width": np.inf, "why": ()}
        solved = time.process_time() - began
        began = time.process_time()
        judged = judge(posed)
        taken = time.process_time() - began
    return {
        "kind": kind, "status": posed.status, "verdict": judged.verdict.value, "width": judged.width,
        "why": judged.why, "solver": posed.solver_stats.solver_name, "solver_seconds": round(solved, 4),
        "seconds": round(taken, 4), "times": round(taken / solved, 2), "margin": judged.margin,
        "rows": judged.program.rows + judged.program.cone_vector.size, "unknowns": judged.program.size,
    }  # fmt: skip


def run(words: list[str]) -> dict[str, Any]:
    """The small ones counted, the large ones one by one."""
    count = int(words[0]) if words else 500
    for number in range(len(KINDS)):
        measured(number)  # compiles
    small = [measured(number) for number in range(count)]
    counts = Counter((one["kind"], one["status"], one["verdict"]) for one in small)
    for key, many in sorted(counts.items()):
        widths = [one["width"] for one in small if (one["kind"], one["status"], one["verdict"]) == key]
        print(f"{many:4} {key[0]:14} solver: {key[1]:20} judged: {key[2]:10} largest width {max(widths):.1e}")
    posed = [one for one in small if one["status"] == "optimal"]
    wide = [one for one in posed if not one["width"] <= 1e-7]
    ratio = sorted(one["times"] for one in small if "times" in one)
    print(f"{len(posed)} optimal, {len(wide)} with ends wider than 1e-7: {[one['why'] for one in wide][:9]}")
    print(f"times the solver's seconds: median {ratio[len(ratio) // 2]}, largest {ratio[-1]}")
    large = [measured(number, LARGE) for number in range(len(KINDS))]
    for one in large:
        print({key: one.get(key) for key in ("kind", "rows", "unknowns", "status", "verdict", "width", "solver_seconds",
                                             "seconds", "times", "why")})  # fmt: skip
    return {"counts": {" / ".join(key): many for key, many in counts.items()}, "wide": wide, "large": large,
            "ratio_median": ratio[len(ratio) // 2], "ratio_largest": ratio[-1]}  # fmt: skip
