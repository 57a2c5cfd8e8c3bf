"""Which unknowns the rows leave free to first order at a point: an estimate from the singular values of the Jacobian.

Its columns have norm 1, but for those that are nothing but rounding beside what a half-width of other unknowns changes:
units do not matter.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from certify.contractors.rows.rows import Rows
from certify.contractors.tape.evaluation import Floats
from certify.solvers.fits.plain_fit import residuals

RELATIVE = 1e-9  # of the largest singular value
NOTHING = 1e-13  # of the largest change
KNOWN = 4.0  # spacings of doubles: an interval that is no wider encloses one number
TAKES_PART = 1e-6  # of a direction's length


def undetermined(
    blocks: Sequence[Rows], numbers: tuple[int, ...], variables: tuple[int, ...], x: Floats, radius: Floats
) -> tuple[int, ...]:
    """The variables that take part in a direction along which no row changes; none if the Jacobian has full column
    rank.

    `radius` are the half-widths of all variables; what is known exactly is determined.
    """
    variables = tuple(v for v in variables if radius[v] > KNOWN * np.spacing(np.abs(x[v])))
    places = list(variables)
    slopes = [residuals(blocks[n], x, 0.5 * (blocks[n].lower + blocks[n].upper))[1][:, places] for n in numbers]
    jacobian = np.vstack(slopes)
    norms = np.sqrt((jacobian**2).sum(axis=0))
    changes = norms * radius[places]
    scaled = np.where(changes > NOTHING * changes.max(initial=0.0), jacobian / (norms + (norms == 0.0)), 0.0)
    # the triangle has the same singular values and directions, and not a square matrix with a row for each row
    _, values, directions = np.linalg.svd(np.linalg.qr(scaled, mode="r"))
    rank = int((values > RELATIVE * values.max(initial=0.0)).sum())
    free = directions[rank:]
    return tuple(v for k, v in enumerate(variables) if free.size and np.abs(free[:, k]).max() > TAKES_PART)
