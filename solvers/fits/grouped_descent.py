"""Minimax by sequential linear programming, of one problem or of many small ones at once: each group of rows has
unknowns of its own.

    minimise over lower <= z <= upper, group by group, the largest value of its rows

At z the rows are linearised, and one linear program minimises the sum of the largest values of the groups, each
within its trust region. Rows that cannot be the largest there, and unknowns that only they have, are left out, which
changes nothing. The program is stated in multiples of the trust region and of what rows can change in it, and these
are made small enough for its absolute tolerance: so nothing depends on units, nor on how near the end is. Near a
solution with as many active rows as unknowns the convergence is quadratic. Rows of a member count together, as the
length of what is positive of them (their largest value if nothing is), which the program knows by its directions.
Everything here is an estimate.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from certify.contractors.tape.evaluation import Flags, Floats
from certify.solvers.limits import UNLIMITED, Limit
from certify.solvers.linear_programs.directions import Members
from certify.solvers.linear_programs.highs import GrowingModel
from certify.solvers.linear_programs.lowest_point import lowest_point
from certify.solvers.linear_programs.simplex import LARGE
from certify.solvers.linear_programs.sparse import Indices, Sparse

STEPS = 60
ENOUGH = 0.1  # of what is promised: a step that gains less is not taken
TRUSTED = 0.7  # of that: a step that gains more doubles the trust region
TOLERANCE = 1e-6  # of what rows can change: a promise below may be an error of the linear program
COARSE = 1e6  # times the largest value: more need rows not change in one step
CLOSER = 1e-3  # by this the trust region shrinks where the program promises nothing
NEAREST = 1e-15  # the smallest trust region, in scales of the unknowns
FINE = 1e-12  # of the largest value: a smaller promise is none
EXACT = 1e-9  # of what rows can change: a row that a step violates by less stays out of the linear program
DEEP = 1e-2  # the same where all values of the group are negative


@dataclass(frozen=True, eq=False)
class Linear:
    """Values of all rows at a point, and their slopes there."""

    values: Floats
    slopes: Sparse

    def replaced(self, rows: Flags, other: Linear) -> Linear:
        """The same with these rows of another one."""
        if rows.all():
            return other
        return Linear(np.where(rows, other.values, self.values), self.slopes.replaced(rows, other.slopes))


@dataclass(frozen=True, eq=False)
class Region:
    """Bounds of the unknowns, how far each may move at trust 1, and which group has which unknowns and rows.

    `goals` are values that are good enough, by group. Where the rows bend so much that a step is refused which promised
    no more than the part `little` of the way to the goal (to 0 where there is none), that group ends: what is left is
    as little.
    """

    lower: Floats
    upper: Floats
    scale: Floats
    unknown_groups: Indices
    row_groups: Indices
    goals: Floats
    little: float = 0.0
    members: Indices | None = None

    @staticmethod
    def of_one_group(
        lower: Floats,
        upper: Floats,
        scale: Floats,
        rows: int,
        goal: float = -np.inf,
        little: float = 0.0,
        members: Indices | None = None,
    ) -> Region:
        """All unknowns and so many rows together."""
        first = [np.zeros(size, dtype=np.int64) for size in (lower.size, rows)]
        return Region(lower, upper, scale, first[0], first[1], np.array([goal]), little, members)

    def largest(self, values: Floats) -> Floats:
        """The largest value of the rows of each group, or of its members."""
        return _largest(self.row_groups, lengths(values, self.members), self.goals.size)

    def is_little(self, promised: Floats, largest: Floats) -> Flags:
        """Whether what is promised to each group is hardly a part of its way to the goal."""
        goals = np.where(np.isfinite(self.goals), self.goals, 0.0)
        with np.errstate(invalid="ignore"):
            return np.asarray(promised <= self.little * (largest - goals))

    def length(self, move: Floats) -> Floats:
        """The largest move of each group, in scales."""
        parts = np.divide(np.abs(move), self.scale, out=np.zeros_like(move), where=self.scale > 0.0)
        return np.maximum(_largest(self.unknown_groups, parts, self.goals.size), 0.0)


@dataclass(frozen=True, eq=False)
class _Window:
    """The trust region around a point: its moves, rows that can be the largest of their group, what they change."""

    reach: Floats
    low: Floats
    high: Floats
    rows: Flags
    lowest: Floats
    change: Floats


@dataclass(frozen=True, eq=False)
class _Step:
    """What the linear program proposes: a move, and what it promises by group."""

    move: Floats
    promised: Floats


def descend(
    sides: Callable[[Floats], Linear], start: Floats, region: Region, limit: Limit = UNLIMITED
) -> tuple[Floats, Floats]:
    """The best point found from `start`, and the values of all rows there.

    A group that cannot be improved any further decides how low the others need go.
    """
    z = np.clip(start, region.lower, region.upper)
    here = sides(z)
    trust, ended = np.ones(region.goals.size), np.zeros(region.goals.size, dtype=np.bool_)
    for _ in range(STEPS):
        largest = region.largest(here.values)
        floor = np.maximum(region.goals, largest[ended].max(initial=-np.inf))
        active = ~ended & (largest > floor)
        if not active.any() or limit.late():
            break
        window = _fine_window(here, z, region, trust, active)
        step = _step(here, window, region, floor, limit)
        worth = np.where(largest > 0.0, FINE, DEEP) * np.abs(largest)
        poor = active & (step.promised <= worth)
        ended |= (poor & (TOLERANCE * window.change <= worth)) | (active & (trust < NEAREST))
        trust[poor] *= CLOSER
        asked = active & ~poor
        if asked.any():
            trial_z = np.where(asked[region.unknown_groups], np.clip(z + step.move, region.lower, region.upper), z)
            trial = sides(trial_z)
            gained = largest - region.largest(trial.values)
            taken = asked & (gained > ENOUGH * step.promised)
            trust[taken & (gained > TRUSTED * step.promised)] *= 2.0
            refused = asked & ~taken
            trust[refused] = 0.25 * np.minimum(trust, region.length(step.move))[refused]
            ended |= refused & region.is_little(step.promised, largest)
            z, here = np.where(taken[region.unknown_groups], trial_z, z), here.replaced(taken[region.row_groups], trial)
    return z, here.values


def lengths(values: Floats, members: Indices | None) -> Floats:
    """The values of rows; of those of a member (>= 0) the length of what is positive of them, if anything is."""
    if members is None:
        return values
    joined = members >= 0
    known, owners = np.unique(members[joined], return_inverse=True)
    squares = np.bincount(owners, weights=np.maximum(values[joined], 0.0) ** 2, minlength=known.size)
    found = values.copy()
    found[joined] = np.where(squares[owners] > 0.0, np.sqrt(squares[owners]), found[joined])
    return found


def _largest(groups: Indices, values: Floats, count: int) -> Floats:
    found = np.full(count, -np.inf)
    np.maximum.at(found, groups, values)
    return found


def _fine_window(here: Linear, z: Floats, region: Region, trust: Floats, active: Flags) -> _Window:
    """The window of the active groups; their trust is lowered (in place) to where the program can tell what matters."""
    window = _window(here, z, region, trust, active)
    most = COARSE * np.abs(region.largest(here.values))
    coarse = window.change > most
    if not coarse.any():
        return window
    trust[coarse] *= most[coarse] / window.change[coarse]
    return _window(here, z, region, trust, active)


def _window(here: Linear, z: Floats, region: Region, trust: Floats, active: Flags) -> _Window:
    reach = trust[region.unknown_groups] * region.scale
    low, high = np.maximum(region.lower - z, -reach), np.minimum(region.upper - z, reach)
    down, up = here.slopes.extremes(low, high)
    lowest = region.largest(here.values + down)
    rows = active[region.row_groups] & (lengths(here.values + up, region.members) >= lowest[region.row_groups])
    change = np.maximum(_largest(region.row_groups[rows], (up - down)[rows], trust.size), 0.0)
    return _Window(reach, low, high, rows & (change[region.row_groups] > 0.0), lowest, change)


def _step(here: Linear, window: _Window, region: Region, floor: Floats, limit: Limit) -> _Step:
    """The linear program of a window; where it has no answer nothing is promised."""
    rows, largest = window.rows, region.largest(here.values)
    move, none = np.zeros(window.reach.size), np.zeros(floor.size)
    if not rows.any():
        return _Step(move, none)
    columns = (window.low < window.high) & here.slopes.columns_of(rows)
    part, owners, length = here.slopes.part(rows, columns), region.row_groups[rows], window.reach[columns]
    unit, values = window.change[owners], here.values[rows]
    room = np.zeros_like(floor)
    np.divide(largest - np.maximum(floor, window.lowest), window.change, out=room, where=window.change > 0.0)
    scaled, excess = part.scaled(1.0 / unit, length), (largest[owners] - values) / unit
    members = None if region.members is None else region.members[rows]
    distances = None if members is None else (members, largest[owners] / unit)
    ends = window.low[columns] / length, window.high[columns] / length
    relative = _solved(scaled, excess, owners, room, ends, limit, distances)
    if relative is None:
        return _Step(move, none)
    move[columns] = relative * length
    reached = lengths(values + part.times(move[columns]), members)
    predicted = np.maximum(_largest(owners, reached, floor.size), floor)
    return _Step(move, np.where(window.change > 0.0, largest - predicted, 0.0))


def _solved(
    matrix: Sparse,
    excess: Floats,
    owners: Indices,
    room: Floats,
    ends: tuple[Floats, Floats],
    limit: Limit,
    distances: tuple[Indices, Floats] | None,
) -> Floats | None:
    """Minimise the sum of t over ends of s and -room <= t <= 0, with matrix s - t_owner <= excess; the s. `distances`
    are the members of rows, and the levels that are part of their excess.
    """
    present, places = np.unique(owners, return_inverse=True)
    low, high = ends
    lower, upper = np.append(low, -room[present]), np.append(high, np.zeros(present.size))
    cost = np.append(np.zeros(low.size), np.ones(present.size))
    few = present.size == 1  # a group of which no row has entered would promise all there is
    whole = matrix.extended(places, present.size, -1.0)
    if few and distances is None and math.prod(whole.shape) < LARGE:
        point = lowest_point(whole.dense(), excess, lower, upper, low.size)
        if point is not None:
            return np.asarray(point[: low.size])
    members = None if distances is None else Members(*distances, np.arange(lower.size) >= low.size)
    model = GrowingModel(whole, excess, lower, upper, EXACT, few, members)
    found = model.minimise(cost, limit)
    return None if found is None else np.asarray(np.clip(found.point[: low.size], low, high))
