"""Which unknowns the rows leave free to first order at a point: an estimate from the singular values of the Jacobian.

Its columns are what a half-width of an unknown's box changes, its rows are relative to the largest change in their block: units do not matter.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from contractors.evaluation import Floats
from contractors.rows import Rows
from solvers.least_squares import residuals

RELATIVE = 1e-9


def undetermined(blocks: Sequence[Rows], numbers: tuple[int, ...], variables: tuple[int, ...], x: Floats, radius: Floats) -> tuple[int, ...]:
    """The variables that take part in a direction along which no row changes; none if the Jacobian has full column rank.

    `radius` are the half-widths of all variables; what is known exactly (0) is determined.
    """
    variables = tuple(v for v in variables if radius[v] > 0.0)
    slopes = [residuals(blocks[n], x, 0.5 * (blocks[n].lower + blocks[n].upper))[1][:, list(variables)] * radius[list(variables)] for n in numbers]
    jacobian = np.vstack([block / (np.abs(block).max(initial=0.0) or 1.0) for block in slopes])
    _, values, directions = np.linalg.svd(jacobian, full_matrices=True)
    rank = int((values > RELATIVE * values.max(initial=0.0)).sum())
    free = directions[rank:]
    return tuple(v for k, v in enumerate(variables) if free.size and np.abs(free[:, k]).max() > 1e-6)
