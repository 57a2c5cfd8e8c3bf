"""Is P positive semidefinite; if not, how little is missing: a shift with P + shift I positive semidefinite, proved.

P falls into blocks. Those of few rows are decided exactly (L D L' in rationals). For larger ones: if Cholesky's method
runs to its end in floats on a symmetric matrix B of n rows, then (S. M. Rump, Verification of positive definiteness,
BIT 46, 2006; Higham, theorem 10.3)

    B + c I is positive semidefinite,    c = gamma_(n+1) / (1 - gamma_(n+1)) trace(B),  in any order of operations
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from certify.contractors.linear.products import TINY, UNIT, gamma
from certify.ellipsoids.exact_ellipsoid import positive_semidefinite
from certify.problems.programs.exact_sums import Floats

FEW = 24  # rows of a block that is decided in rationals
TRIES = (-4.0, 4.0, 64.0, 2.0**12)  # times c: less first, for then nothing is lost


def missing(quadratic: sparse.csr_array) -> float | None:
    """A shift >= 0 with P + shift I positive semidefinite (0: P is); None if it is not found to be next to nothing."""
    if not quadratic.nnz:
        return 0.0
    count, labels = connected_components(quadratic, directed=False)
    order = np.argsort(labels, kind="stable")
    starts = np.searchsorted(labels[order], np.arange(count + 1))
    shift = 0.0
    for first, last in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
        rows = order[first:last]
        found = _of_block(quadratic[rows][:, rows].toarray())
        if found is None:
            return None
        shift = max(shift, found)
    return shift


def _of_block(block: Floats) -> float | None:
    if len(block) == 1:
        return 0.0 if block[0, 0] >= 0.0 else None
    exact = [[Fraction(value) for value in row] for row in block.tolist()] if len(block) <= FEW else []
    if exact and positive_semidefinite(exact):
        return 0.0
    found = _by_cholesky(block)
    return None if found is None or (exact and _clearly_not(block)) else found


def _clearly_not(block: Floats) -> bool:
    """Whether an eigenvalue is below 0 by more than rounding explains (an estimate: it only ends the attempt)."""
    return bool(np.linalg.eigvalsh(block)[0] < -1e-10 * np.trace(np.abs(block)))


def _by_cholesky(block: Floats) -> float | None:
    n, trace = len(block), float(np.trace(block))
    unit = 2.0 * gamma(n + 1) * trace
    for times in TRIES:
        moved = block.copy()
        moved[np.diag_indices(n)] += times * unit
        try:
            np.linalg.cholesky(moved)
        except np.linalg.LinAlgError:
            continue
        # moved + c I >= 0; moved's diagonal is rounded once
        largest = float(np.abs(np.diag(moved)).max())
        c = 2.0 * gamma(n + 1) * float(np.abs(np.trace(moved))) + 2.0 * UNIT * largest + n * TINY
        return max(0.0, (times * unit + c) * (1.0 + 8.0 * UNIT))
    return None
