"""A candidate for the smallest model error: minimise over x the largest of |r_k(x, M_k)|, each M_k chosen as well as
its box allows.

Sequential linear programming: at x every row side has its best measurement (`realise`), the sides s r + s dr/dx . step
are linearised there, and a linear program minimises their maximum within a trust region (`grouped_descent`). Steps are
measured in half-widths of the box. Everything here is an estimate; the witness that comes out is verified elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from certify.contractors.protocol.contractor import Box
from certify.contractors.rows.measurements import SIDES, realise
from certify.contractors.rows.rows import Rows
from certify.contractors.tape.derivative import gradient
from certify.contractors.tape.evaluation import Floats, evaluate
from certify.solvers.fits.grouped_descent import Linear, Region, descend
from certify.solvers.fits.plain_fit import residuals
from certify.solvers.limits import UNLIMITED, Limit
from certify.solvers.linear_programs.sparse import Sparse

CELLS = 64
WIDE = 1e3  # times the largest value: what a half-width that is used as a scale may change a side by at most


@dataclass(frozen=True, slots=True)
class Candidate:
    """An estimated minimiser x (all variables of the box) and the estimated smallest largest row side there (may be
    negative).
    """

    x: Floats
    epsilon: float


def sides_at(blocks: Sequence[Rows], numbers: tuple[int, ...], x: Floats) -> tuple[Floats, Floats]:
    """Estimated values of all row sides at x with their best measurements, and their slopes (sides, variables)."""
    values, slopes = [], []
    for number in numbers:
        rows = blocks[number]
        points = realise(rows, x, x, CELLS)
        for position, side in enumerate(SIDES):
            enclosure = evaluate(
                gradient(rows.tape), *rows.with_box(x, x, points.lower[position], points.upper[position])
            )
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


def scales(values: Floats, slopes: Sparse, radius: Floats) -> Floats:
    """Of each unknown (a column of slopes) a step of natural size: the half-width of its box, or less where that is out
    of all proportion.
    """
    steepest = slopes.steepest()[: radius.size]
    with np.errstate(divide="ignore", invalid="ignore"):
        reach = WIDE * np.abs(values).max() / steepest
    return np.minimum(radius, np.where(steepest > 0.0, reach, np.inf))


def spread(blocks: Sequence[Rows], numbers: tuple[int, ...], variables: tuple[int, ...], box: Box) -> float:
    """By how much a row varies over the box, to first order around its centre and at most; 0 where it is not defined
    there (estimated).
    """
    places, largest = list(variables), 0.0
    for number in numbers:
        values, slopes = residuals(blocks[number], box.centre, 0.5 * (blocks[number].lower + blocks[number].upper))
        defined = np.isfinite(values) & np.isfinite(slopes).all(axis=1)
        if defined.any():
            chosen = slopes[defined][:, places]
            largest = max(
                largest,
                float((np.abs(chosen) @ scales(values[defined], Sparse.of_array(chosen), box.radius[places])).max()),
            )
    return largest


def minimise(
    blocks: Sequence[Rows],
    numbers: tuple[int, ...],
    variables: tuple[int, ...],
    box: Box,
    start: Floats,
    trust: float,
    limit: Limit = UNLIMITED,
) -> Candidate:
    """Descend from `start` within the box, as far as the limit allows; `trust` is the first trust radius, in parts of
    every half-width.
    """
    places, x = list(variables), np.clip(start, box.lower, box.upper)

    def at(z: Floats) -> Linear:
        point = x.copy()
        point[places] = z
        values, slopes = sides_at(blocks, numbers, point)
        return Linear(values, Sparse.of_array(slopes[:, places]))

    first = at(x[places])
    scale = trust * scales(first.values, first.slopes, box.radius[places])
    region = Region.of_one_group(box.lower[places], box.upper[places], scale, first.values.size)
    found, reached = descend(at, x[places], region, limit)
    x[places] = found
    return Candidate(x, float(reached.max()))
