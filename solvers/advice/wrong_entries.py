"""One entry of a table that several rows share, and whose change would explain all of them: an estimate.

min over d of sum_n r_n(x_n, M + d e_c)^2   by Gauss-Newton, for each column c that all these rows use
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from certify.contractors.tape.derivative import gradient
from certify.contractors.tape.evaluation import Floats, evaluate
from certify.problems.model.model import Problem

STEPS = 12
FEW = 2.0  # times what the half-widths explain


def wrong_entry(problem: Problem, points: Mapping[int, Floats], row: int) -> tuple[int, float] | None:
    """The column, and what must be added to its entry in this row so that these families miss there by no more than a
    little; None if no one is it.

    `points` has the unknowns for each family.
    """
    bound = [{b.index for b in problem.families[n].bindings if b.measured} for n in points]
    found = []
    for column in sorted(set.intersection(*bound)):
        change = _change(problem, points, row, column)
        if change is not None:
            found.append((column, change))
    return found[0] if len(found) == 1 else None


def _change(problem: Problem, points: Mapping[int, Floats], row: int, column: int) -> float | None:
    """What must be added to the entry, if that explains all rows."""
    change = 0.0
    for _ in range(STEPS):
        parts = [_at(problem, n, x, row, column, change) for n, x in points.items()]
        values, slopes = np.array([p[0] for p in parts]), np.array([p[1] for p in parts])
        if not np.isfinite(slopes).all() or not slopes.any():
            return None
        change -= float(slopes @ values / (slopes @ slopes))
    final = [_at(problem, n, x, row, column, change) for n, x in points.items()]
    return change if all(abs(value) <= FEW * explained for value, _, explained in final) else None


def _at(problem: Problem, number: int, x: Floats, row: int, column: int, change: float) -> tuple[float, float, float]:
    """The row with the entry changed, its slope, and by how much the half-widths let it miss."""
    rows, bindings = problem.blocks[number].only([row]), problem.families[number].bindings
    middle, half = 0.5 * (rows.lower + rows.upper), 0.5 * (rows.upper - rows.lower)
    mine = [i for i, b in enumerate(bindings) if b.measured and b.index == column]
    measured = [i for i, b in enumerate(bindings) if b.measured]
    middle[mine] += change
    found = evaluate(gradient(rows.tape), *rows.with_box(x, x, middle, middle)).estimated_middle[:, 0]
    slopes = found[1:]
    return float(found[0]), float(slopes[mine].sum()), float(np.abs(slopes[measured]) @ half[measured, 0])
