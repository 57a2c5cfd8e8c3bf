"""Which families contradict each other at a joint minimum of the largest row side: those whose rows have weights in the
linear program that finds no better point nearby.

Rows that share measurements are independent but for these, so most of them have nothing to do with the minimum: of a
platform's six legs two or three. A refutation by these alone is one of all, in a third of the unknowns. Estimates.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from certify.contractors.protocol.contractor import Box
from certify.contractors.rows.rows import Rows
from certify.contractors.tape.evaluation import Floats
from certify.solvers.fits.shared_measurements import Sharing, linearised
from certify.solvers.limits import UNLIMITED, Limit
from certify.solvers.linear_programs.highs import GrowingModel

NEAR = 0.01  # of the half-widths of the unknowns: how far the linear program looks
HARDLY = 1e-3  # of all weights: a family with less does not count


def conflicting(
    blocks: Sequence[Rows], sharing: Sharing, box: Box, x: Floats, shared: Floats, limit: Limit = UNLIMITED
) -> tuple[int, ...]:
    """The families with weights at x and these shared entries, the heaviest first; all if there is no telling."""
    here = linearised(blocks, sharing, x, shared)
    counts = [2 * blocks[number].count for number in sharing.entries]
    reach = NEAR * box.radius
    lower = np.concatenate([np.maximum(box.lower - x, -reach), sharing.lower - shared])
    upper = np.concatenate([np.minimum(box.upper - x, reach), sharing.upper - shared])
    down, up = here.slopes.extremes(lower, upper)
    matrix = here.slopes.extended(np.zeros(here.values.size, dtype=np.int64), 1, -1.0)
    ends = (here.values + down).min(), (here.values + up).max()
    model = GrowingModel(matrix, -here.values, np.append(lower, ends[0]), np.append(upper, ends[1]), 0.0, few=False)
    found = model.minimise(np.append(np.zeros(lower.size), 1.0), limit)
    if found is None:
        return tuple(sharing.entries)
    parts = np.split(found.weights, np.cumsum(counts)[:-1])
    weights = {number: float(part.sum()) for number, part in zip(sharing.entries, parts, strict=True)}
    heavy = [number for number in weights if weights[number] > HARDLY * sum(weights.values())]
    return tuple(sorted(heavy, key=lambda number: -weights[number]))
