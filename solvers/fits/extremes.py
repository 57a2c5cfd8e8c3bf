"""Points of the feasible set whose coordinate is as small or as large as can be found: the inner side of a hull.

    maximise direction * x_j  subject to  every row side <= epsilon, each measurement chosen as well as its box allows

by sequential linear programming, as in `minimax` with another objective: the sides are linearised at x with their best
measurements, a violation is paid with somewhat more than the program's own duals, the trust region is measured in
half-widths of a box that encloses the set, and the sides in what they can change in this box. Rows that share
measurements choose these together, as further unknowns. What comes out is an estimate, a local optimum pulled towards
an inner point until no side exceeds epsilon in floats; it is verified elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from certify.contractors.protocol.contractor import Box
from certify.contractors.rows.rows import Rows
from certify.contractors.tape.evaluation import Floats
from certify.solvers.fits.minimax import minimise
from certify.solvers.fits.shared_measurements import Sharing, linearised, minimise_jointly
from certify.solvers.limits import UNLIMITED, Limit
from certify.solvers.linear_programs.highs import is_optimal, new_model

STEPS = 30
LEAST = 1e-5  # of the box's half-width: what a step must promise
DEAR = 1e4  # half-widths for a violation of what a side can change in the box: for the linear program alone
LEFT = 1e-9  # of that: more is a violation that no step removes
SAFE = 1e-10  # of the sides' size, kept free so that rounding to decimals does not matter
LAST = 1e-3  # of the way to an inner point: less is not tried


@dataclass(frozen=True, slots=True)
class Point:
    """Estimated unknowns (all variables of the box), shared entries, and the largest row side there."""

    x: Floats
    shared: Floats
    largest: float


@dataclass(frozen=True, eq=False)
class Sides:
    """The row sides of a scope as functions of its variables (at `places` in the box) and its shared entries."""

    blocks: Sequence[Rows]
    sharing: Sharing
    places: tuple[int, ...]

    def apart(self) -> Sides:
        """The same with measurements that each row has for itself, as a refutation takes them."""
        entries = {number: np.full_like(table, -1) for number, table in self.sharing.entries.items()}
        return replace(self, sharing=Sharing(entries, np.empty(0), np.empty(0), np.empty(0, dtype=np.int64)))

    def at(self, x: Floats, shared: Floats) -> tuple[Floats, Floats]:
        """Estimated values, and slopes (sides, variables and shared entries)."""
        found = linearised(self.blocks, self.sharing, x, shared)
        return found.values, found.slopes.dense()[:, [*self.places, *range(x.size, x.size + shared.size)]]

    def point(self, x: Floats, shared: Floats | None = None) -> Point:
        """The point at these unknowns, the shared entries in the middle if not given."""
        chosen = self.sharing.middle if shared is None else shared
        return Point(x, chosen, float(self.at(x, chosen)[0].max()))


@dataclass(frozen=True, eq=False)
class _Region:
    """Bounds and scales of the unknowns of the linear programs."""

    lower: Floats
    upper: Floats
    scale: Floats


def deepest(sides: Sides, box: Box, start: Floats, trust: float, limit: Limit = UNLIMITED) -> Point:
    """Where the largest side is least, near the start: a point in the middle of the feasible set, if that has an
    inside.
    """
    if sides.sharing.lower.size:
        joint = minimise_jointly(sides.blocks, sides.sharing, box, start, trust, -np.inf, limit)
        return sides.point(joint.x, joint.shared)
    return sides.point(minimise(sides.blocks, tuple(sides.sharing.entries), sides.places, box, start, trust, limit).x)


def furthest(
    sides: Sides, box: Box, start: Point, variable: int, direction: int, epsilon: float, limit: Limit = UNLIMITED
) -> Point:
    """Walk from `start` as far as possible along +-x_variable within the box; the sides may still exceed epsilon a
    little.
    """
    places, sharing = list(sides.places), sides.sharing
    lower, upper = (
        np.concatenate([box.lower[places], sharing.lower]),
        np.concatenate([box.upper[places], sharing.upper]),
    )
    region = _Region(lower, upper, 0.5 * (upper - lower))
    position = places.index(variable)
    if not region.scale[position] > 0.0:
        return start
    place = np.clip(np.concatenate([start.x[places], start.shared]), lower, upper)

    def excess_at(place: Floats, unit: float) -> tuple[Floats, Floats]:
        """By how much the sides exceed epsilon, and their slopes, in this unit."""
        x = start.x.copy()
        x[places] = place[: len(places)]
        values, slopes = sides.at(x, place[len(places) :])
        return (values - epsilon) / unit, slopes / unit

    unit = float((np.abs(excess_at(place, 1.0)[1]) @ region.scale).max()) or 1.0
    values, slopes = excess_at(place, unit)
    trust, price = 2.0, 1.0
    for _ in range(STEPS):
        answer = _step(values, slopes, place, region, trust, position, direction, limit)
        if answer is None:
            break
        step, left, dual = answer
        price = DEAR if left > LEFT else max(min(price, 4.0 * dual), 2.0 * dual)
        violation = max(0.0, float(values.max()))
        promised = direction * step[position] + price * (violation - left)
        if promised <= LEAST:
            break
        trial = np.clip(place + region.scale * step, lower, upper)
        new_values, new_slopes = excess_at(trial, unit)
        gained = direction * (trial[position] - place[position]) / region.scale[position]
        gained += price * (violation - max(0.0, float(new_values.max())))
        if gained > 0.1 * promised:
            place, values, slopes = trial, new_values, new_slopes
            trust = 2.0 * trust if gained > 0.7 * promised else trust
        else:
            trust = 0.25 * min(trust, float(np.abs(step).max()))
        if trust < LEAST:
            break
    x = start.x.copy()
    x[places] = place[: len(places)]
    return Point(x, place[len(places) :], float(values.max()) * unit + epsilon)


def _step(
    excess: Floats,
    slopes: Floats,
    place: Floats,
    region: _Region,
    trust: float,
    position: int,
    direction: int,
    limit: Limit,
) -> tuple[Floats, float, float] | None:
    """The linear program: the step in scales of the region, the violation that is left, and the sum of the duals."""
    size = place.size
    with np.errstate(divide="ignore", invalid="ignore"):
        lower = np.where(region.scale > 0.0, np.clip((region.lower - place) / region.scale, -trust, 0.0), 0.0)
        upper = np.where(region.scale > 0.0, np.clip((region.upper - place) / region.scale, 0.0, trust), 0.0)
    cost = np.zeros(size + 1)
    cost[position], cost[-1] = -direction, DEAR
    matrix = np.hstack([slopes * region.scale, -np.ones((excess.size, 1))])
    solver = new_model(matrix, -excess, np.append(lower, 0.0), np.append(upper, np.inf), cost)
    if not is_optimal(solver, limit):
        return None
    solution = solver.getSolution()
    values = np.array(solution.col_value)
    return (
        np.clip(values[:-1], lower, upper),
        max(float(values[-1]), 0.0),
        float(np.abs(np.array(solution.row_dual)).sum()),
    )


def pulled(sides: Sides, inner: Point, outer: Point, epsilon: float, part: float = 0.0) -> Point:
    """The first point on the way from `outer` to `inner` at which no side exceeds epsilon, after at least the given
    part of the way.
    """
    excess = outer.largest - epsilon
    depth = epsilon - inner.largest
    if excess > 0.0 and depth > 0.0:
        part = max(part, 1.001 * excess / (depth + excess))
    while part < 1.0 - LAST:
        found = sides.point(outer.x + part * (inner.x - outer.x), outer.shared + part * (inner.shared - outer.shared))
        if found.largest <= epsilon - SAFE * (abs(epsilon) + abs(inner.largest)):
            return found
        part = max(min(1.5 * part, 0.5 + 0.5 * part), 1e-9)
    return inner
