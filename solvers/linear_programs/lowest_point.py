"""Where one column of a small dense linear program is least: a point of matrix y <= bound, lower <= y <= upper, found
by the dual simplex method of `simplex`. An estimate, as all programs' answers are.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from certify.contractors.tape.evaluation import Floats
from certify.solvers.linear_programs.simplex import LARGE, dual, objective, start, vertex


@njit(cache=True, error_model="numpy", nogil=True)
def _lowest(matrix: np.ndarray, bound: np.ndarray, width: np.ndarray, column: int, y: np.ndarray) -> bool:
    """The point of matrix y <= bound, 0 <= y <= width, in parts of the widths; whether there is one."""
    m, n = matrix.shape
    table, values, scale = np.empty((m + 1, n)), np.empty(m), np.empty(m)
    basic, nonbasic, at_upper = n + np.arange(m), np.arange(n), np.zeros(n + 1, dtype=np.bool_)
    start(matrix, bound, width, table, values, scale)
    objective(table, basic, nonbasic, column, 1.0)
    found = dual(table, values, basic, nonbasic, at_upper, 50 + 5 * (m + n)) == -1
    vertex(values, basic, nonbasic, at_upper, y)
    return found


def lowest_point(matrix: Floats, bound: Floats, lower: Floats, upper: Floats, column: int) -> Floats | None:
    """The point; None if there is none, if the steps ran out, or if the matrix is too large to be dealt with so."""
    if matrix.size >= LARGE or not (np.isfinite(lower).all() and np.isfinite(upper).all()):
        return None
    width, y = upper - lower, np.empty(lower.size)
    found = _lowest(np.ascontiguousarray(matrix), bound - matrix @ lower, width, column, y)
    return np.clip(lower + width * y, lower, upper) if found and np.isfinite(y).all() else None
