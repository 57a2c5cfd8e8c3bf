"""The measurement lemma: a row with boxes of measurements is replaced by one with point measurements and a small slack.

At a feasible x some M in the row's box has s r(x, M) <= e, for both sides s = +1 and -1. If H is a smaller box of
measurements with

    for all x in the box and all M there is an h in H with  s r(x, h) <= s r(x, M) + slack,

then s r(x, h) <= e + slack. H is found coordinate by coordinate: where the enclosed derivative of s r has a sign over
the box and H, only one end of that measurement counts (and fixing it may decide the signs of others); where it has
none, the integral of the enclosed derivative over `cells` parts of the coordinate bounds how much can be lost by
taking one reference point. That loss is of second order in the size of the boxes. *Keeps* every feasible x, and knows
nothing of what the measurements are.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit

from certify.contractors.numbers.rounding import require_nearest
from certify.contractors.rows.rows import Rows
from certify.contractors.tape.derivative import gradient
from certify.contractors.tape.evaluation import AT_ONCE, LEAST_BLOCK, Flags, Floats, evaluate, forward
from certify.contractors.tape.tape import Tape

SIDES = (1, -1)
ROWS = 512  # at once: the cells of one coordinate are as many boxes for each of them


@dataclass(frozen=True, slots=True)
class PointRows:
    """For each side (axis 0 of length 2: s = +1, s = -1) and row k: H as ends (2, inputs, K), slack (2, K), and where H
    is a point.
    """

    lower: Floats
    upper: Floats
    slack: Floats
    differentiable: Flags


def realise(rows: Rows, box_lower: Floats, box_upper: Floats, cells: int) -> PointRows:
    """Apply the lemma to all rows and both sides over one box of unknowns."""
    if rows.count <= ROWS:
        return _realised(rows, box_lower, box_upper, cells)
    blocks = [np.arange(start, min(start + ROWS, rows.count)) for start in range(0, rows.count, ROWS)]
    parts = [_realised(rows.only(block), box_lower, box_upper, cells) for block in blocks]
    return PointRows(
        np.concatenate([part.lower for part in parts], axis=2),
        np.concatenate([part.upper for part in parts], axis=2),
        np.concatenate([part.slack for part in parts], axis=1),
        np.concatenate([part.differentiable for part in parts], axis=1),
    )


def _realised(rows: Rows, box_lower: Floats, box_upper: Floats, cells: int) -> PointRows:
    count = rows.count
    sides = np.repeat(np.array(SIDES, dtype=np.float64), count)
    whole_low, whole_high = np.tile(rows.lower, 2), np.tile(rows.upper, 2)
    low, high = rows.with_box(box_lower, box_upper, whole_low, whole_high)
    tape = gradient(rows.tape)
    wide = np.zeros(low.shape, dtype=np.bool_)
    for i in rows.measured_inputs:
        wide[i] = (np.nextafter(low[i], np.inf) < high[i]) & (
            not rows.repeated[i]
        )  # a number that no double is, is exact
    defined = _at_ends(tape, sides, low, high, wide)
    slack = np.zeros(2 * count)
    face = (low.copy(), high.copy())
    for i in rows.measured_inputs:
        chosen = np.flatnonzero(wide[i] & defined)
        if chosen.size:
            point, loss = _reference(tape, i, sides[chosen], face[0][:, chosen], face[1][:, chosen], cells)
            keep = np.isfinite(loss)
            low[i, chosen[keep]] = high[i, chosen[keep]] = point[keep]
            slack[chosen[keep]] = above_sum(slack[chosen[keep]], loss[keep])
    shape = (rows.tape.inputs, 2, count)
    return PointRows(
        np.ascontiguousarray(low.reshape(shape).transpose(1, 0, 2)),
        np.ascontiguousarray(high.reshape(shape).transpose(1, 0, 2)),
        slack.reshape(2, count),
        defined.reshape(2, count),
    )


def _at_ends(tape: Tape, sides: Floats, low: Floats, high: Floats, wide: Flags) -> Flags:
    """Put each wide coordinate along which s r only rises (falls) at its lower (upper) end, in place, until there is
    none; where the derivatives are defined in the end. Blocks of rows stay in cache.
    """
    require_nearest()
    outputs, defined = np.array(tape.output_nodes, dtype=np.int64)[1:], np.ones(sides.size, dtype=np.bool_)
    block = max(AT_ONCE // tape.nodes, LEAST_BLOCK)
    _settle(tape.inputs, tape.code, tape.constants, outputs, block, sides, low, high, wide, defined)
    return defined


@njit(cache=True, error_model="numpy", nogil=True)
def _settle(
    inputs: int, code: np.ndarray, constants: np.ndarray, outputs: np.ndarray, block: int, sides: np.ndarray,
    low: np.ndarray, high: np.ndarray, wide: np.ndarray, defined: np.ndarray,
) -> None:  # fmt: skip
    for first in range(0, sides.size, block):
        last, moved = min(first + block, sides.size), True
        lowest, highest = (
            np.empty((inputs + code.shape[0], last - first)),
            np.empty((inputs + code.shape[0], last - first)),
        )
        here = np.empty(last - first, dtype=np.bool_)
        while moved:
            moved, here[:] = False, True
            lowest[:inputs], highest[:inputs] = low[:, first:last], high[:, first:last]
            forward(inputs, code, constants, lowest, highest, here)
            for i in range(outputs.size):
                for b in range(first, last):
                    if wide[i, b] and here[b - first]:
                        least, most = lowest[outputs[i], b - first], highest[outputs[i], b - first]
                        if (least if sides[b] > 0.0 else -most) >= 0.0:
                            high[i, b], wide[i, b], moved = low[i, b], False, True
                        elif (most if sides[b] > 0.0 else -least) <= 0.0:
                            low[i, b], wide[i, b], moved = high[i, b], False, True
        defined[first:last] = here


def above_sum(first: Floats, second: Floats) -> Floats:
    """An upper bound of the sum of two arrays."""
    return np.asarray(np.nextafter(first + second, np.inf))


def _along(sides: Floats, lower: Floats, upper: Floats) -> tuple[Floats, Floats]:
    """The derivatives of s r from those of r."""
    return np.where(sides > 0, lower, -upper), np.where(sides > 0, upper, -lower)


def _reference(
    tape: Tape, i: int, sides: Floats, face_low: Floats, face_high: Floats, cells: int
) -> tuple[Floats, Floats]:
    """The best reference point for input i of each row, a cell boundary, and what may be lost by it (infinite if
    unknown).

    From boundary t to the right, s r changes by at least the sum of w a_j over the cells crossed, and by w min(0, a_j)
    in the cell entered last; to the left likewise with -b_j. The loss is the largest decrease.
    """
    rows = sides.size
    ends = np.linspace(face_low[i], face_high[i], cells + 1)
    ends[0], ends[-1] = face_low[i], face_high[i]
    low, high = np.repeat(face_low, cells, axis=1), np.repeat(face_high, cells, axis=1)
    low[i], high[i] = ends[:-1].T.ravel(), ends[1:].T.ravel()
    enclosure = evaluate(tape, low, high)
    a, b = _along(np.repeat(sides, cells), enclosure.lower[1 + i], enclosure.upper[1 + i])
    a[~enclosure.defined], b[~enclosure.defined] = -np.inf, np.inf
    width = np.diff(ends, axis=0).T
    a, b = a.reshape(rows, cells) * width, b.reshape(rows, cells) * width
    losses = np.zeros((cells + 1, rows))
    for boundary in range(cells + 1):
        for way in (a[:, boundary:], -b[:, :boundary][:, ::-1]):
            if way.shape[1]:
                before = np.cumsum(way, axis=1) - way
                losses[boundary] = np.maximum(losses[boundary], -(before + np.minimum(way, 0.0)).min(axis=1))
    size = np.maximum(np.abs(a), np.abs(b)).sum(axis=1)
    losses[:, ~np.isfinite(size)] = np.inf
    best = losses.argmin(axis=0)
    columns = np.arange(rows)
    return ends[best, columns], losses[best, columns] + 1e-14 * (cells + 4) * size
