"""A candidate for the smallest model error: minimise over x the largest of |r_k(x, M_k)|, each M_k chosen as well as its box allows.

Sequential linear programming: at x every row side has its best measurement (`realise`), the sides s r + s dr/dx . step are linearised there, and a
linear program minimises their maximum within a trust region. Near a solution with as many active sides as unknowns the convergence is
quadratic. Steps are measured in half-widths of the box, the program is stated in multiples of the trust region and of what a side can change in it:
its tolerance is absolute, and so nothing depends on units. Everything here is an estimate; the witness that comes out is verified elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from contractors.derivative import gradient
from contractors.evaluation import Floats, evaluate
from contractors.measurements import SIDES, realise
from contractors.narrowing import Box
from contractors.rows import Rows
from solvers.highs import is_optimal, new_model
from solvers.least_squares import residuals
from solvers.limits import UNLIMITED, Limit

CELLS = 64
STEPS = 60
ENOUGH = 0.1  # of what is promised: a step that gains less is not taken
TRUSTED = 0.7  # of that: a step that gains more doubles the trust region
FINE = 1e-12  # of the largest value: a smaller promise is none
TOLERANCE = 1e-6  # of what a side can change: a smaller promise may be an error of the linear program
CLOSER = 1e-3  # by this the trust region shrinks then
NEAREST = 1e-15  # the smallest trust region, in scales of the unknowns
WIDE = 1e3  # times the largest value: what a half-width that is used as a scale may change a side by at most


@dataclass(frozen=True, slots=True)
class Candidate:
    """An estimated minimiser x (all variables of the box) and the estimated smallest largest row side there (may be negative)."""

    x: Floats
    epsilon: float


def sides_at(blocks: Sequence[Rows], numbers: tuple[int, ...], x: Floats) -> tuple[Floats, Floats]:
    """Estimated values of all row sides at x with their best measurements, and their slopes (sides, variables)."""
    values, slopes = [], []
    for number in numbers:
        rows = blocks[number]
        points = realise(rows, x, x, CELLS)
        for position, side in enumerate(SIDES):
            enclosure = evaluate(gradient(rows.tape), *rows.with_box(x, x, points.lower[position], points.upper[position]))
            middle = enclosure.estimated_middle * side
            slope = np.zeros((rows.count, x.size))
            for i in rows.unknown_inputs:
                slope[:, rows.unknowns[i]] += middle[1 + i]
            values.append(middle[0])
            slopes.append(slope)
    return np.concatenate(values), np.vstack(slopes)


def error_at(blocks: Sequence[Rows], numbers: tuple[int, ...], x: Floats) -> float:
    """The estimated largest row side at x: the model error that x needs (may be negative)."""
    return float(sides_at(blocks, numbers, x)[0].max())


def scales(values: Floats, slopes: Floats, radius: Floats) -> Floats:
    """Of each unknown (a column of slopes) a step of natural size: the half-width of its box, or less where that is out of all proportion."""
    steepest = np.abs(slopes).max(axis=0, initial=0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        reach = WIDE * np.abs(values).max() / steepest
    return np.minimum(radius, np.where(steepest > 0.0, reach, np.inf))


def spread(blocks: Sequence[Rows], numbers: tuple[int, ...], variables: tuple[int, ...], box: Box) -> float:
    """By how much a row varies over the box, to first order around its centre and at most; 0 where it is not defined there (estimated)."""
    places, largest = list(variables), 0.0
    for number in numbers:
        values, slopes = residuals(blocks[number], box.centre, 0.5 * (blocks[number].lower + blocks[number].upper))
        defined = np.isfinite(values) & np.isfinite(slopes).all(axis=1)
        if defined.any():
            chosen = slopes[defined][:, places]
            largest = max(largest, float((np.abs(chosen) @ scales(values[defined], chosen, box.radius[places])).max()))
    return largest


@dataclass(frozen=True, slots=True)
class _Step:
    """A move, what it promises to take from the largest side, and how much a side can change in the trust region."""

    move: Floats
    promised: float
    change: float


def _step(values: Floats, slopes: Floats, reach: Floats, lower: Floats, upper: Floats, limit: Limit) -> _Step | None:
    """Minimise the largest linearised side over lower <= move <= upper, which lie within +-reach; sides that cannot be the largest are left out."""
    largest = float(values.max())
    changes = np.abs(slopes) @ reach
    change = float(changes.max())
    kept, moved = values + changes >= (values - changes).max(), reach > 0.0
    if not change > 0.0:
        return _Step(np.zeros(reach.size), 0.0, 0.0)
    matrix = np.hstack([slopes[kept][:, moved] * (reach[moved] / change), -np.ones((int(kept.sum()), 1))])
    cost = np.zeros(matrix.shape[1])
    cost[-1] = 1.0
    low, high = np.append(lower[moved] / reach[moved], -1.0), np.append(upper[moved] / reach[moved], 0.0)
    solver = new_model(matrix, (largest - values[kept]) / change, low, high, cost)
    if not is_optimal(solver, limit):
        return None
    move = np.zeros(reach.size)
    move[moved] = np.clip(np.array(solver.getSolution().col_value)[:-1] * reach[moved], lower[moved], upper[moved])
    return _Step(move, largest - float((values + slopes @ move).max()), change)


def minimise(
    blocks: Sequence[Rows], numbers: tuple[int, ...], variables: tuple[int, ...], box: Box, start: Floats, trust: float, limit: Limit = UNLIMITED
) -> Candidate:
    """Descend from `start` within the box, as far as the limit allows; `trust` is the first trust radius, in parts of every half-width."""
    x = np.clip(start, box.lower, box.upper)
    places = list(variables)
    values, slopes = sides_at(blocks, numbers, x)
    scale = scales(values, slopes[:, places], box.radius[places])
    for _ in range(STEPS):
        largest, reach = float(values.max()), trust * scale
        lower, upper = (np.clip(ends[places] - x[places], -reach, reach) for ends in (box.lower, box.upper))
        step = _step(values, slopes[:, places], reach, lower, upper, limit)
        if step is None or trust < NEAREST:
            break
        if step.promised <= FINE * np.abs(values).max():
            if TOLERANCE * step.change <= FINE * np.abs(values).max():
                break
            trust *= CLOSER
            continue
        trial = x.copy()
        trial[places] = np.clip(x[places] + step.move, box.lower[places], box.upper[places])
        new_values, new_slopes = sides_at(blocks, numbers, trial)
        gained = largest - float(new_values.max())
        if gained > ENOUGH * step.promised:
            x, values, slopes = trial, new_values, new_slopes
            trust = 2.0 * trust if gained > TRUSTED * step.promised else trust
        else:
            trust = 0.25 * min(trust, float(np.max(np.abs(step.move[scale > 0.0]) / scale[scale > 0.0])))
    return Candidate(x, float(values.max()))
