"""Candidates for rows that share measurements: one realisation of each shared entry for all its rows.

    minimise over x and over the shared entries m the largest row side,
    the entries that only one row uses being chosen as well as their box allows

by sequential linear programming, with the shared entries as further unknowns. At a fixed x the entries of one pose
meet in the rows of this pose only: as many small problems as there are poses. Estimates; the witness is verified
elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from certify.contractors.protocol.contractor import Box
from certify.contractors.rows.measurements import SIDES, realise
from certify.contractors.rows.rows import Rows
from certify.contractors.tape.derivative import gradient
from certify.contractors.tape.evaluation import Floats, evaluate
from certify.solvers.fits.grouped_descent import Linear, Region, descend
from certify.solvers.fits.minimax import CELLS, scales
from certify.solvers.limits import UNLIMITED, Limit
from certify.solvers.linear_programs.sparse import Indices, Sparse

SLACK = 0.05  # of what its own measurements let a row move: so far from its ends it is left alone


@dataclass(frozen=True, eq=False)
class Sharing:
    """For each family an array (inputs, K): the number of the shared entry that an input of a row takes, or -1.

    `lower` and `upper` are the boxes of the entries, `poses` the rows that use them: an entry of pose k is used by
    rows k of the families only. `groups` are the numbers of families whose rows of one number are a distance together.
    """

    entries: dict[int, NDArray[np.int64]]
    lower: Floats
    upper: Floats
    poses: Indices
    groups: dict[int, int] = field(default_factory=dict)

    def members(self, blocks: Sequence[Rows]) -> Indices | None:
        """The member of each side, in the order of `linearised` (-1: alone); None if there are none."""
        if not self.groups:
            return None
        found = []
        for number in self.entries:
            rows, group = np.arange(blocks[number].count), self.groups.get(number, -1)
            found.append(np.tile(rows * (1 + max(self.groups.values())) + group if group >= 0 else rows * 0 - 1, 2))
        return np.concatenate(found)

    @property
    def middle(self) -> Floats:
        """The middles of the entries' boxes."""
        return np.asarray(0.5 * (self.lower + self.upper))

    @property
    def radius(self) -> Floats:
        """The half-widths of the entries' boxes."""
        return np.asarray(0.5 * (self.upper - self.lower))

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
    fixed = entries >= 0
    return replace(rows, lower=np.where(fixed, values, rows.lower), upper=np.where(fixed, values, rows.upper))


def linearised(blocks: Sequence[Rows], sharing: Sharing, x: Floats, shared: Floats) -> Linear:
    """All sides, family by family, first s = +1 then s = -1: values, and slopes for x, then for the shared entries."""
    values, slopes = [], []
    for number, entries in sharing.entries.items():
        rows = fixed_rows(blocks[number], entries, shared)
        points = realise(rows, x, x, CELLS)
        places = np.where(entries >= 0, x.size + entries, np.array(rows.unknowns)[:, None])
        inputs, which = np.nonzero(places >= 0)
        for position, side in enumerate(SIDES):
            inside = rows.with_box(x, x, points.lower[position], points.upper[position])
            middle = evaluate(gradient(rows.tape), *inside).estimated_middle * side
            values.append(middle[0])
            shape = rows.count, x.size + shared.size
            slopes.append(Sparse.of(shape, which, places[inputs, which], middle[1 + inputs, which]))
    return Linear(np.concatenate(values), Sparse.stacked(slopes))


def minimise_jointly(
    blocks: Sequence[Rows],
    sharing: Sharing,
    box: Box,
    start: Floats,
    trust: float,
    goal: float,
    limit: Limit = UNLIMITED,
    guess: Floats | None = None,
    little: float = 0.0,
) -> JointCandidate:
    """Descend from `start` and the shared entries `guess` (their middles) until no side exceeds `goal` or nothing is
    gained.

    `trust` is the first trust radius of the unknowns in parts of their half-widths, `goal` is what no realisation can
    undercut, `little` the part of the way there that is not worth a step (see Region).
    """
    x = np.clip(start, box.lower, box.upper)
    entries = sharing.middle if guess is None else guess
    first = linearised(blocks, sharing, x, entries)
    scale = np.concatenate([trust * scales(first.values, first.slopes, box.radius), sharing.radius])
    lower, upper = np.concatenate([box.lower, sharing.lower]), np.concatenate([box.upper, sharing.upper])
    members = sharing.members(blocks)
    region = Region.of_one_group(lower, upper, scale, first.values.size, goal, little, members)

    def sides(z: Floats) -> Linear:
        return linearised(blocks, sharing, z[: x.size], z[x.size :])

    z, values = descend(sides, np.concatenate([x, entries]), region, limit)
    return JointCandidate(z[: x.size], z[x.size :], float(region.largest(values)[0]))


def realisation(blocks: Sequence[Rows], sharing: Sharing, x: Floats, start: Floats, limit: Limit = UNLIMITED) -> Floats:
    """Shared entries with which the largest row side at x is as small as can be found, pose by pose.

    A pose stays as it is where each of its rows can vanish by its own measurements, with some slack.
    """
    counts = [blocks[number].count for number in sharing.entries]
    poses = np.concatenate([np.tile(np.arange(count), 2) for count in counts])

    def sides(shared: Floats) -> Linear:
        found = linearised(blocks, sharing, x, shared)
        every = np.ones(found.values.size, dtype=np.bool_)
        return Linear(found.values, found.slopes.part(every, np.arange(x.size + shared.size) >= x.size))

    values, goals = linearised(blocks, sharing, x, start).values, np.full(max(counts), np.inf)
    pairs = np.split(values, np.cumsum([2 * count for count in counts])[:-1])
    for count, pair in zip(counts, pairs, strict=True):
        own = -0.5 * (pair[:count] + pair[count:])
        goals[:count] = np.minimum(goals[:count], -SLACK * own)
    members = sharing.members(blocks)
    region = Region(sharing.lower, sharing.upper, sharing.radius, sharing.poses, poses, goals, members=members)
    return descend(sides, start, region, limit)[0]


def with_turning_entries(
    blocks: Sequence[Rows], sharing: Sharing, x: Floats, shared: Floats
) -> tuple[Sharing, Floats] | None:
    """Where a side is > 0 at x though an entry of the row stands at neither end: all entries of such rows as shared
    ones.

    There the row turns, or it is not differentiable: where it is least is to be searched for, not an end of the box.
    Returns the larger sharing, and a guess; None if there is no such row.
    """
    entries = {number: table.copy() for number, table in sharing.entries.items()}
    lower, upper, guess, poses = (list(part) for part in (sharing.lower, sharing.upper, shared, sharing.poses))
    for number, table in entries.items():
        rows = fixed_rows(blocks[number], table, shared)
        points = realise(rows, x, x, CELLS)
        middle, own = 0.5 * (points.lower + points.upper), (table < 0) & (rows.lower < rows.upper)
        own[rows.unknown_inputs] = False
        for position, side in enumerate(SIDES):
            between = own & (middle[position] > rows.lower) & (middle[position] < rows.upper)
            if not between.any():
                continue
            values = evaluate(rows.tape, *rows.with_box(x, x, middle[position], middle[position])).estimated_middle[0]
            for i, k in zip(
                *np.nonzero(own & (table < 0) & (between.any(axis=0) & (side * values > 0.0))), strict=True
            ):
                table[i, k] = len(guess)
                lower.append(rows.lower[i, k])
                upper.append(rows.upper[i, k])
                guess.append(middle[position, i, k])
                poses.append(k)
    if len(guess) == shared.size:
        return None
    ends = np.array(lower), np.array(upper), np.array(poses, dtype=np.int64)
    return Sharing(entries, *ends, sharing.groups), np.array(guess)
