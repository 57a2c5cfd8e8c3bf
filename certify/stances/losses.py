"""What multilinear interpolation between the nodes of a grid loses of a leg's difference d(x, p), for all x of some
boxes.

    d - interpolated  <=  sum_k (h_k^2 / 2) max -d^2 d / dp_k^2        h_k: half the side of a cell along p_k

(and the same below) because interpolation along one coordinate after the other, with weights that are not negative,
never makes a difference larger. The second derivatives are enclosed in doubles that are rounded outwards, over parts of
a cell, and so are the first ones: how much the slopes of a leg change with its parameters.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import numpy as np

from certify.accuracy.outputs import Deviation
from certify.branches.enclosing import ARITHMETIC
from certify.checker.interval import Undefined
from certify.checker.scope import Box
from certify.contractors.checkpoint import checkpoint
from certify.contractors.numbers.enclosures import enclose_range
from certify.contractors.rows.rows import Rows
from certify.contractors.tape.derivative import jacobian
from certify.contractors.tape.evaluation import Floats
from certify.contractors.tape.tape import Builder, Tape, replay
from certify.problems.model.model import Binding, Bounds, Column, Family, Problem, Variable

HALVINGS = 6  # of a box of parameters
PARTS = 2  # of a side, over which a second derivative is enclosed

Cell = tuple[Bounds, ...]
Grid = Sequence[Sequence[Fraction]]


def most_lost(lines: Grid, deviation: Deviation, boxes: Sequence[Box]) -> Bounds:
    """The most that a cell between these lines loses, below and above. Raises Undefined."""
    tapes = _seconds(deviation.components, len(lines))
    cells = list(product(*(pairwise(line) for line in lines)))
    blocks = rows_over(tapes, deviation, [part for cell in cells for part in parted(cell)])
    below, above = [Fraction(0)], [Fraction(0)]
    for box in boxes:
        checkpoint()
        losses = [[Fraction(0), Fraction(0)] for _ in cells]
        for axis, rows in blocks:
            for cell, lost, (least, most) in zip(cells, losses, extremes(rows, box, len(cells)), strict=True):
                low, high = cell[axis]
                weight = ((high - low) / 2) ** 2 / 2
                lost[0] += weight * max(most, Fraction(0))
                lost[1] += weight * max(-least, Fraction(0))
        below += [lost[0] for lost in losses]
        above += [lost[1] for lost in losses]
    return max(below), max(above)


def slopes_of(lines: Sequence[Sequence[Fraction]], deviation: Deviation, boxes: Sequence[Box]) -> np.ndarray[Any, Any]:
    """The largest size of each derivative, in parts of 2^-PRECISION. Raises Undefined."""
    first = deviation.components.inputs - len(lines)
    tapes = [(k, tape) for k in range(len(lines)) if (tape := along(deviation.components, first + k)) is not None]
    blocks = rows_over(tapes, deviation, parted([(line[0], line[-1]) for line in lines]))
    found = np.zeros(len(lines), dtype=object)
    for box in boxes:
        for axis, rows in blocks:
            ((least, most),) = extremes(rows, box)
            found[axis] = max(found[axis], ARITHMETIC.enclose(max(-least, most))[1])
    return found


def extremes(rows: Rows, box: Box, groups: int = 1) -> list[Bounds]:
    """Between which the rows of each group are over a box; all groups have equally many. Where a division by 0 is not
    excluded the box is halved. Raises Undefined.
    """
    least, most = _extremes(rows, box, groups, HALVINGS)
    return [(Fraction(low), Fraction(high)) for low, high in zip(least.tolist(), most.tolist(), strict=True)]


def _extremes(rows: Rows, box: Box, groups: int, halvings: int) -> tuple[Floats, Floats]:
    ends = np.array([enclose_range(low, high) for low, high in box])
    values = rows.enclose(ends[:, 0], ends[:, 1])
    least, most = values.lower[0].reshape(groups, -1).min(axis=1), values.upper[0].reshape(groups, -1).max(axis=1)
    if np.isfinite([least, most]).all():
        return least, most
    if not halvings:
        raise Undefined("a derivative has no bound over a part of the workspace")
    place = max(range(len(box)), key=lambda k: box[k][1] - box[k][0])
    low, high = box[place]
    parts = [(*box[:place], half, *box[place + 1 :]) for half in ((low, (low + high) / 2), ((low + high) / 2, high))]
    found = [_extremes(rows, part, groups, halvings - 1) for part in parts]
    return np.minimum(found[0][0], found[1][0]), np.maximum(found[0][1], found[1][1])


def parted(cell: Sequence[Bounds]) -> list[Cell]:
    """Its parts."""
    lines = ([low + (high - low) * k / PARTS for k in range(PARTS + 1)] for low, high in cell)
    return list(product(*(pairwise(line) for line in lines)))


def _seconds(difference: Tape, axes: int) -> list[tuple[int, Tape]]:
    """The second derivative along each of the last inputs, if it is not 0 everywhere."""
    found, first = [], difference.inputs - axes
    for axis in range(axes):
        slope = along(difference, first + axis)
        bend = None if slope is None else along(slope, first + axis)
        if bend is not None:
            found.append((axis, bend))
    return found


def along(tape: Tape, place: int) -> Tape | None:
    """The derivative of a tape's value by an input; None if it is 0 everywhere."""
    slopes, places = jacobian(tape)
    for output, (_, i) in zip(slopes.outputs, places.tolist(), strict=True):
        if i == place:
            builder = Builder(tape.inputs)
            return builder.row(replay(slopes, builder, list(range(tape.inputs)))[output])
    return None


def rows_over(tapes: list[tuple[int, Tape]], deviation: Deviation, parts: Sequence[Cell]) -> list[tuple[int, Rows]]:
    """Functions of the parameters and the pose as rows, one for each part of a cell."""
    variables = tuple(Variable(v.name, v.unit, v.lower, v.upper) for v in deviation.problem.variables)
    columns = tuple(
        Column(f"p{k}", "1", tuple(part[k][0] for part in parts), tuple(part[k][1] for part in parts))
        for k in range(len(parts[0]))
    )
    bindings = (
        *(Binding(False, k) for k in range(len(variables))),
        *(Binding(True, k) for k in range(len(columns))),
    )
    found = []
    for axis, tape in tapes:
        problem = Problem(variables, columns, (Family("bend", tape, len(parts), bindings),))
        found.append((axis, problem.blocks[0]))
    return found
