"""Which unknowns the rows leave free to first order at a point: an estimate from the singular values of the Jacobian."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from contractors.evaluation import Floats
from contractors.rows import Rows
from solvers.least_squares import residuals

RELATIVE = 1e-9


def undetermined(blocks: Sequence[Rows], numbers: tuple[int, ...], variables: tuple[int, ...], x: Floats) -> tuple[int, ...]:
    """The variables that take part in a direction along which no row changes; none if the Jacobian has full column rank."""
    slopes = [residuals(blocks[n], x, 0.5 * (blocks[n].lower + blocks[n].upper))[1] for n in numbers]
    jacobian = np.vstack(slopes)[:, list(variables)]
    _, values, directions = np.linalg.svd(jacobian, full_matrices=True)
    rank = int((values > RELATIVE * values.max(initial=0.0)).sum())
    free = directions[rank:]
    return tuple(v for k, v in enumerate(variables) if free.size and np.abs(free[:, k]).max() > 1e-6)
