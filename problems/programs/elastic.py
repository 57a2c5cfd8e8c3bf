"""Programs made of a program: by how much must it be relaxed, and in which directions does it go on for ever?

elastic      minimise t >= 0: rows, bounds and cones relaxed by t (t more at each end, t more for the cone's head)
dual_set     the multipliers (y, z, v) that prove a bound: y with the signs that ends allow, z in the cones, and
             c + P v - A' y - F' z with those that ends of x allow
recession    minimise c . d, P d = 0, A d, d and F d within what rows, bounds and cones leave for ever, |d| <= 1
"""

from __future__ import annotations

import numpy as np
from scipy import sparse

from certify.problems.programs.program import Floats, Program


def elastic(found: Program, least: float = 0.0) -> Program:
    """Feasible for a large t; its minimum is the smallest uniform relaxation. With `least` below 0 equations are kept
    as they are, and t < 0 is a point with so much to spare in all that is no equation.
    """
    n, keep = found.size, least < 0.0
    parts, lower, upper = [], [], []
    rows = sparse.vstack([found.matrix, sparse.eye_array(n, format="csr")], format="csr")
    ends = np.concatenate([found.lower, found.low]), np.concatenate([found.upper, found.high])
    equal = ends[0] == ends[1]
    if keep and equal.any():
        parts.append(_with(rows[equal], np.zeros(equal.sum())))
        lower.append(ends[0][equal])
        upper.append(ends[1][equal])
    for sign, end in ((-1.0, ends[1]), (1.0, ends[0])):
        chosen = np.isfinite(end) & ~(equal & keep)
        parts.append(_with(rows[chosen], np.full(chosen.sum(), sign)))
        lower.append(end[chosen] if sign > 0 else np.full(chosen.sum(), -np.inf))
        upper.append(end[chosen] if sign < 0 else np.full(chosen.sum(), np.inf))
    heads = np.zeros(found.cone_vector.size)
    heads[[block.start for block in found.blocks]] = 1.0
    return Program(
        sparse.csr_array((n + 1, n + 1)),
        np.append(np.zeros(n), 1.0),
        0.0,
        sparse.csr_array(sparse.vstack(parts, format="csr")),
        np.concatenate(lower),
        np.concatenate(upper),
        np.append(np.full(n, -np.inf), least),
        np.full(n + 1, np.inf),
        _with(found.cone_matrix, heads),
        found.cone_vector,
        found.cones,
    )


def _with(matrix: sparse.csr_array, column: Floats) -> sparse.csr_array:
    return sparse.csr_array(sparse.hstack([matrix, sparse.csr_array(column[:, None])], format="csr"))


def recession(found: Program) -> Program:
    """Its feasible points are directions in which feasible points stay feasible; the optimum is 0, or below it where
    the program is unbounded or infeasible.
    """
    n = found.size
    rows = sparse.csr_array(sparse.vstack([found.matrix, found.quadratic], format="csr"))
    zero = np.zeros(n)
    return Program(
        sparse.csr_array((n, n)),
        found.cost,
        0.0,
        rows,
        np.concatenate([_end(found.lower, -np.inf), zero]),
        np.concatenate([_end(found.upper, np.inf), zero]),
        _end(found.low, -1.0),
        _end(found.high, 1.0),
        found.cone_matrix,
        np.zeros(found.cone_vector.size),
        found.cones,
    )


def _end(values: Floats, free: float) -> Floats:
    return np.where(np.isfinite(values), 0.0, free)


def dual_set(found: Program) -> Program:
    """Its points are multipliers; nothing is minimised."""
    n, m, k = found.size, found.rows, found.cone_vector.size
    transposed = sparse.hstack([found.matrix.T, found.cone_matrix.T, -found.quadratic], format="csr")
    below, above = np.isfinite(found.low), np.isfinite(found.high)
    kept = ~(below & above)
    under, over = np.isfinite(found.lower), np.isfinite(found.upper)
    free = np.full(k + n, np.inf)
    return Program(
        sparse.csr_array((m + k + n, m + k + n)),
        np.zeros(m + k + n),
        0.0,
        sparse.csr_array(transposed[kept]),
        np.where(below, -np.inf, found.cost)[kept],
        np.where(above, np.inf, found.cost)[kept],
        np.concatenate([np.where(over, -np.inf, 0.0), -free]),
        np.concatenate([np.where(under, np.inf, 0.0), free]),
        sparse.csr_array(sparse.eye_array(m + k + n, format="csr")[m : m + k]),
        np.zeros(k),
        found.cones,
    )
