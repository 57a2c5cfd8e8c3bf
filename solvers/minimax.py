"""A candidate for the smallest model error: minimise over x the largest of |r_k(x, M_k)|, each M_k chosen as well as its box allows.

Sequential linear programming: at x every row side has its best measurement (`realise`), the sides s r + s dr/dx . step are linearised there, and a
linear program minimises their maximum within a trust region. Near a solution with as many active sides as unknowns the convergence is
quadratic. Everything here is an estimate; the witness that comes out is verified elsewhere.
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

CELLS = 64
STEPS = 60


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


def _step(values: Floats, slopes: Floats, lower: Floats, upper: Floats) -> tuple[Floats, float] | None:
    """Minimise the largest linearised side over lower <= step <= upper; the step and the predicted maximum."""
    matrix = np.hstack([slopes, -np.ones((values.size, 1))])
    cost = np.zeros(lower.size + 1)
    cost[-1] = 1.0
    solver = new_model(matrix, -values, np.append(lower, -1e7), np.append(upper, 1e7), cost)
    if not is_optimal(solver):
        return None
    solution = np.array(solver.getSolution().col_value)
    return np.clip(solution[:-1], lower, upper), float((values + slopes @ solution[:-1]).max())


def minimise(blocks: Sequence[Rows], numbers: tuple[int, ...], variables: tuple[int, ...], box: Box, start: Floats, trust: float) -> Candidate:
    """Descend from `start` within the box; `trust` is the first trust radius."""
    x = np.clip(start, box.lower, box.upper)
    places = list(variables)
    values, slopes = sides_at(blocks, numbers, x)
    for _ in range(STEPS):
        largest = float(values.max())
        lower = np.maximum(box.lower - x, -trust)[places]
        upper = np.minimum(box.upper - x, trust)[places]
        answer = _step(values, slopes[:, places], lower, upper)
        if answer is None:
            break
        step, predicted = answer
        promised = largest - predicted
        if promised <= 1e-12 * (1.0 + abs(largest)):
            break
        trial = x.copy()
        trial[places] += step
        trial = np.clip(trial, box.lower, box.upper)
        new_values, new_slopes = sides_at(blocks, numbers, trial)
        gained = largest - float(new_values.max())
        if gained > 0.1 * promised:
            x, values, slopes = trial, new_values, new_slopes
            trust = 2.0 * trust if gained > 0.7 * promised else trust
        else:
            trust = 0.25 * min(trust, float(np.abs(step).max()))
        if trust < 1e-13:
            break
    return Candidate(x, float(values.max()))
