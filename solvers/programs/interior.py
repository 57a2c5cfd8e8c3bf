"""Candidates by an interior-point method (Clarabel): a point and multipliers with something to spare everywhere, which
small corrections keep within rows and cones.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from certify.problems.programs.program import Floats, Program

TOLERANCES = (1e-10, 1e-8)


@dataclass(frozen=True, eq=False)
class Candidate:
    """A point, multipliers of rows (y) and cones (z), and the solver's word; nothing of it is proved."""

    status: str
    point: Floats
    rows: Floats
    cones: Floats


def interior(found: Program, tolerance: float = TOLERANCES[0]) -> Candidate | None:
    """What Clarabel finds; None without Clarabel, or if it fails."""
    try:
        import clarabel
    except ImportError:
        return None
    form = _Form(found)
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.max_threads = 1
    for name in ("tol_gap_abs", "tol_gap_rel", "tol_feas", "tol_infeas_abs", "tol_infeas_rel"):
        setattr(settings, name, tolerance)
    cones = [clarabel.ZeroConeT(form.zero), clarabel.NonnegativeConeT(form.plus)]
    cones += [clarabel.SecondOrderConeT(size) for size in found.cones]
    upper = sparse.csc_matrix(sparse.triu(found.quadratic))
    try:
        solver = clarabel.DefaultSolver(upper, found.cost, sparse.csc_matrix(form.matrix), form.right, cones, settings)
        solution = solver.solve()
    except BaseException as error:  # its panics are no Exception
        if isinstance(error, (KeyboardInterrupt, SystemExit)):
            raise
        return None
    x, z = np.array(solution.x), np.array(solution.z)
    if x.size != found.size or not (np.isfinite(x).all() and np.isfinite(z).all()):
        return None
    return Candidate(str(solution.status), x, form.multipliers(z), z[form.zero + form.plus :])


class _Form:
    """A x + s = b with s in zero x non-negative x cones; bounds are rows."""

    def __init__(self, found: Program) -> None:
        self.found = found
        n = found.size
        equal = found.equalities
        fixed = found.low == found.high
        eye = sparse.eye_array(n, format="csr")
        self._equal = equal
        self._over = ~equal & np.isfinite(found.upper)
        self._under = ~equal & np.isfinite(found.lower)
        above, below = ~fixed & np.isfinite(found.high), ~fixed & np.isfinite(found.low)
        self.matrix = sparse.vstack(
            [
                found.matrix[equal], eye[fixed], found.matrix[self._over], -found.matrix[self._under], eye[above],
                -eye[below], -found.cone_matrix,
            ],
            format="csr",
        )  # fmt: skip
        self.right = np.concatenate(
            [
                found.lower[equal], found.low[fixed], found.upper[self._over], -found.lower[self._under],
                found.high[above], -found.low[below], found.cone_vector,
            ]
        )  # fmt: skip
        self.zero = int(equal.sum() + fixed.sum())
        self.plus = int(self._over.sum() + self._under.sum() + above.sum() + below.sum())

    def multipliers(self, z: Floats) -> Floats:
        """Of the rows: positive where the lower end pulls."""
        y = np.zeros(self.found.rows)
        y[self._equal] = -z[: int(self._equal.sum())]
        start, middle = self.zero, self.zero + int(self._over.sum())
        y[self._over] -= z[start:middle]
        y[self._under] += z[middle : middle + int(self._under.sum())]
        return y
