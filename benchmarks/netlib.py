"""Infeasible linear programs of Netlib (plain arrays, in a folder that is given): what solvers say, what is proved.

    python -m benchmarks netlib FOLDER

Each file has c, A_ub, b_ub, A_eq, b_eq and bounds (empty: x >= 0). Seconds are of the processor.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from certify.judging_programs.judge import judge_program
from certify.problems.errors import InputError
from certify.problems.programs.program import Program, program
from certify.testing.adapters.found import program_solvers


def read(path: Path) -> Program:
    """One file."""
    data = np.load(path)
    n = data["c"].size
    parts = [sparse.csr_array(data[name].reshape(-1, n)) for name in ("A_ub", "A_eq")]
    upper, right = data["b_ub"].ravel(), data["b_eq"].ravel()
    bounds = data["bounds"]
    low, high = (np.zeros(n), np.full(n, np.inf)) if not bounds.size else bounds.astype(float).T
    low, high = np.where(np.isnan(low), -np.inf, low), np.where(np.isnan(high), np.inf, high)
    lower = np.concatenate([np.full(upper.size, -np.inf), right])
    matrix = sparse.vstack(parts, format="csr")
    return program(data["c"], matrix, lower, np.concatenate([upper, right]), low=low, high=high)


def run(words: list[str]) -> dict[str, Any]:
    """Everything in the folder."""
    if not words or not Path(words[0]).is_dir():
        raise InputError("python -m benchmarks netlib FOLDER: give the folder with the .npz files")
    solvers, found = program_solvers(), {}
    for path in sorted(Path(words[0]).glob("*.npz")):
        one = read(path)
        began = time.process_time()
        judged = judge_program(one)
        seconds = time.process_time() - began
        accepted = sorted(judged.checked().accepted or ())
        said = {}
        for name, solver in solvers.items():
            began = time.process_time()
            answer = solver.solve(one)
            said[name] = f"{answer.said.value} ({answer.word}), {time.process_time() - began:.2f} s"
        found[path.stem] = {
            "rows": one.rows, "unknowns": one.size, "verdict": judged.verdict.value, "margin": judged.margin,
            "verified": accepted, "seconds": round(seconds, 3), "solvers": said,
        }  # fmt: skip
        print(path.stem, one.rows, one.size, judged.verdict.value, judged.margin, accepted, f"{seconds:.2f} s")
        print("    " + "; ".join(f"{name}: {word}" for name, word in said.items()))
    return {"programs": found}
