"""A candidate for the smallest model error of rows that share measurements: one realisation of each shared entry for all its rows.

    minimise over x and over the shared entries m the largest row side, the entries that only one row uses being chosen as well as their box allows

by the same sequential linear programming as `minimax`, with the shared entries as further unknowns. An estimate; the witness is verified elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from contractors.derivative import gradient
from contractors.evaluation import Floats, evaluate
from contractors.measurements import SIDES, realise
from contractors.narrowing import Box
from contractors.rows import Rows
from solvers.highs import is_optimal, new_model
from solvers.limits import UNLIMITED, Limit
from solvers.minimax import CELLS, NEAREST, STEPS, scales


@dataclass(frozen=True, eq=False)
class Sharing:
    """For each family an array (inputs, K): the number of the shared entry that an input of a row takes, or -1; and the entries' boxes."""

    entries: dict[int, NDArray[np.int64]]
    lower: Floats
    upper: Floats

    def widened(self, factor: float) -> Sharing:
        """The entries with boxes `factor` times as wide around their middles, for estimates."""
        middle, half = 0.5 * (self.lower + self.upper), 0.5 * factor * (self.upper - self.lower)
        return replace(self, lower=middle - half, upper=middle + half)


@dataclass(frozen=True, slots=True)
class JointCandidate:
    """Estimated x, shared entries and smallest largest row side."""

    x: Floats
    shared: Floats
    epsilon: float


def fixed_rows(rows: Rows, entries: NDArray[np.int64], shared: Floats) -> Rows:
    """The rows with their shared measurements fixed at points."""
    if not shared.size:
        return rows
    values = shared[np.maximum(entries, 0)]
    return replace(rows, lower=np.where(entries >= 0, values, rows.lower), upper=np.where(entries >= 0, values, rows.upper))


def _linearised(blocks: Sequence[Rows], sharing: Sharing, x: Floats, shared: Floats) -> tuple[Floats, Floats, Floats]:
    """Values of all sides, slopes for x and for the shared entries."""
    values, slopes, shared_slopes = [], [], []
    for number, entries in sharing.entries.items():
        rows = fixed_rows(blocks[number], entries, shared)
        points = realise(rows, x, x, CELLS)
        for position, side in enumerate(SIDES):
            enclosure = evaluate(gradient(rows.tape), *rows.with_box(x, x, points.lower[position], points.upper[position]))
            middle = enclosure.estimated_middle * side
            slope, shared_slope = np.zeros((rows.count, x.size)), np.zeros((rows.count, shared.size))
            for i, place in enumerate(rows.unknowns):
                if place >= 0:
                    slope[:, place] += middle[1 + i]
                else:
                    k = np.flatnonzero(entries[i] >= 0)
                    shared_slope[k, entries[i, k]] += middle[1 + i, k]
            values.append(middle[0])
            slopes.append(slope)
            shared_slopes.append(shared_slope)
    return np.concatenate(values), np.vstack(slopes), np.vstack(shared_slopes)


def minimise_jointly(
    blocks: Sequence[Rows], sharing: Sharing, box: Box, start: Floats, trust: float, goal: float, limit: Limit = UNLIMITED
) -> JointCandidate:
    """Descend from `start` and the middles of the shared entries until no side exceeds `goal` or nothing is gained.

    `goal` is what no realisation can undercut.
    """
    x = np.clip(start, box.lower, box.upper)
    shared = 0.5 * (sharing.lower + sharing.upper)
    values, slopes, shared_slopes = _linearised(blocks, sharing, x, shared)
    scale = scales(values, np.hstack([slopes, shared_slopes]), np.concatenate([box.radius, 0.5 * (sharing.upper - sharing.lower)]))[: x.size]
    for _ in range(STEPS):
        largest = float(values.max())
        size = np.concatenate([x, shared])
        lower = np.concatenate([np.maximum(box.lower - x, -trust * scale), sharing.lower - shared])
        upper = np.concatenate([np.minimum(box.upper - x, trust * scale), sharing.upper - shared])
        matrix = np.hstack([slopes, shared_slopes, -np.ones((values.size, 1))])
        cost = np.zeros(size.size + 1)
        cost[-1] = 1.0
        solver = new_model(matrix, -values, np.append(lower, goal), np.append(upper, 1e7), cost)
        solver.setOptionValue("solver", "choose")
        if not is_optimal(solver, limit):
            break
        step = np.clip(np.array(solver.getSolution().col_value)[:-1], lower, upper)
        promised = largest - max(goal, float((values + matrix[:, :-1] @ step).max()))
        if promised <= 1e-12 * float(np.abs(values).max()):
            break
        trial_x = np.clip(x + step[: x.size], box.lower, box.upper)
        trial_shared = np.clip(shared + step[x.size :], sharing.lower, sharing.upper)
        trial = _linearised(blocks, sharing, trial_x, trial_shared)
        gained = largest - float(trial[0].max())
        if gained > 0.1 * promised:
            x, shared, (values, slopes, shared_slopes) = trial_x, trial_shared, trial
            trust = 2.0 * trust if gained > 0.7 * promised else trust
        else:
            trust = 0.25 * min(trust, float(np.max(np.abs(step[: x.size][scale > 0.0]) / scale[scale > 0.0])))
        if trust < NEAREST or values.max() <= goal:
            break
    return JointCandidate(x, shared, float(values.max()))


