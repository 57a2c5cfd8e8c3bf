"""Forward-backward contraction (HC4-revise): evaluate a row, intersect with [-e, e], and project back to its unknowns.

The projections are those of `backward`. *Keeps* every feasible x of the box. A variable is narrowed only by what saves
at least 1 % of its width; the reason given is that the row's natural evaluation over the part removed misses [-e, e],
which holds where no node is used twice (elsewhere the replay may drop the cut). What depends on measurements only is
evaluated once for each row, so that a box costs no more than what reads the unknowns.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache

import numpy as np
from numba import njit
from numpy.typing import NDArray

from certify.contractors.numbers.rounding import require_nearest
from certify.contractors.protocol.boxes import Boxes, Contractor, Narrowed, box_by_box
from certify.contractors.protocol.contractor import Box, Cut, Evaluate, Narrowing
from certify.contractors.rows.rows import Rows
from certify.contractors.rows.weighted_sums import CUT_BITS
from certify.contractors.short_numbers import short_above, short_below
from certify.contractors.tape.backward import backward
from certify.contractors.tape.evaluation import evaluate, forward
from certify.contractors.tape.tape import Builder, Tape, apply

GAIN = 0.01
SIDE = 128  # rows side by side


@njit(cache=True, error_model="numpy")
def _in_turn(
    inputs: int,
    code: np.ndarray,
    constants: np.ndarray,
    places: np.ndarray,
    measured_low: np.ndarray,
    measured_high: np.ndarray,
    box_low: np.ndarray,
    box_high: np.ndarray,
    epsilon: float,
    cuts: np.ndarray,
    first: int,
    last: int,
    written: int,
) -> tuple[int, int]:
    """Sweep some rows once, narrowing box_low and box_high in place; returns (cuts written, refuting row or -1)."""
    nodes = inputs + code.shape[0]
    low, high = np.empty((nodes, 1)), np.empty((nodes, 1))
    defined, empty = np.ones(1, dtype=np.bool_), np.zeros(1, dtype=np.bool_)
    for k in range(first, last):
        for i in range(inputs):
            place = places[i]
            low[i, 0] = measured_low[i, k] if place < 0 else box_low[place]
            high[i, 0] = measured_high[i, k] if place < 0 else box_high[place]
        defined[0] = True
        forward(inputs, code, constants, low, high, defined)
        if not defined[0]:
            continue
        if low[nodes - 1, 0] > epsilon or high[nodes - 1, 0] < -epsilon:
            return written, k
        low[nodes - 1, 0], high[nodes - 1, 0] = max(low[nodes - 1, 0], -epsilon), min(high[nodes - 1, 0], epsilon)
        empty[0] = False
        backward(inputs, code, low, high, empty)
        if empty[0]:
            continue
        for i in range(inputs):
            place = places[i]
            if place < 0:
                continue
            width = box_high[place] - box_low[place]
            if width <= 0.0:
                continue
            least, most = box_low[place] + GAIN * width, box_high[place] - GAIN * width
            at = short_below(low[i, 0], width, CUT_BITS) if low[i, 0] > least else least
            if at > least and at < box_high[place] and written < cuts.shape[0]:
                box_low[place] = at
                cuts[written, 0], cuts[written, 1], cuts[written, 2], cuts[written, 3] = place, at, 1.0, k
                written += 1
            at = short_above(high[i, 0], width, CUT_BITS) if high[i, 0] < most else most
            if at < most and at > box_low[place] and written < cuts.shape[0]:
                box_high[place] = at
                cuts[written, 0], cuts[written, 1], cuts[written, 2], cuts[written, 3] = place, at, -1.0, k
                written += 1
    return written, -1


@njit(cache=True, error_model="numpy")
def _filled(
    inputs: int, places: np.ndarray, measured_low: np.ndarray, measured_high: np.ndarray,
    box_low: np.ndarray, box_high: np.ndarray, first: int, low: np.ndarray, high: np.ndarray,
) -> None:  # fmt: skip
    """The inputs of some rows side by side."""
    for i in range(inputs):
        place = places[i]
        for b in range(low.shape[1]):
            low[i, b] = measured_low[i, first + b] if place < 0 else box_low[place]
            high[i, b] = measured_high[i, first + b] if place < 0 else box_high[place]


@njit(cache=True, error_model="numpy")
def _nothing_to_do(
    inputs: int, code: np.ndarray, constants: np.ndarray, places: np.ndarray, box_low: np.ndarray, box_high: np.ndarray,
    epsilon: float, low: np.ndarray, high: np.ndarray, defined: np.ndarray, empty: np.ndarray,
) -> bool:  # fmt: skip
    """Whether none of some rows, side by side, refutes the box or narrows it by enough: nor do they in turn then."""
    rows, last = low.shape[1], inputs + code.shape[0] - 1
    defined[:], empty[:] = True, False
    forward(inputs, code, constants, low, high, defined)
    for b in range(rows):
        if defined[b] and (low[last, b] > epsilon or high[last, b] < -epsilon):
            return False
        low[last, b], high[last, b] = max(low[last, b], -epsilon), min(high[last, b], epsilon)
    backward(inputs, code, low, high, empty)
    for i in range(inputs):
        place = places[i]
        if place >= 0 and box_high[place] > box_low[place]:
            width = box_high[place] - box_low[place]
            least, most = box_low[place] + GAIN * width, box_high[place] - GAIN * width
            for b in range(rows):
                if defined[b] and not empty[b] and (low[i, b] > least or high[i, b] < most):
                    return False
    return True


@njit(cache=True, error_model="numpy")
def revise(
    inputs: int, code: np.ndarray, constants: np.ndarray, places: np.ndarray,
    measured_low: np.ndarray, measured_high: np.ndarray, box_low: np.ndarray, box_high: np.ndarray,
    epsilon: float, cuts: np.ndarray,
) -> tuple[int, int]:  # fmt: skip
    """Sweep all rows once, narrowing box_low and box_high in place; returns (cuts written, refuting row or -1).

    Rows are looked at side by side first, and in turn only where one of them has something to say.
    """
    count, written, refuting = measured_low.shape[1], 0, -1
    for first in range(0, count, SIDE):
        last = min(first + SIDE, count)
        low, high = np.empty((inputs + code.shape[0], last - first)), np.empty((inputs + code.shape[0], last - first))
        defined, empty = np.empty(last - first, dtype=np.bool_), np.empty(last - first, dtype=np.bool_)
        _filled(inputs, places, measured_low, measured_high, box_low, box_high, first, low, high)
        if not _nothing_to_do(inputs, code, constants, places, box_low, box_high, epsilon, low, high, defined, empty):
            written, refuting = _in_turn(
                inputs, code, constants, places, measured_low, measured_high, box_low, box_high, epsilon, cuts,
                first, last, written,
            )  # fmt: skip
            if refuting >= 0:
                return written, refuting
    return written, -1


@lru_cache(maxsize=64)
def hoist(rows: Rows) -> Rows:
    """The same rows on a shorter tape, whose measured inputs are the enclosed values of all that does not depend on
    unknowns; the whole line where that is not defined on all of a measurement box.
    """
    tape = rows.tape
    moving = {int(i) for i in rows.unknown_inputs}
    for position, step in enumerate(tape.steps):
        if step.first in moving or step.second in moving:
            moving.add(tape.inputs + position)
    if tape.outputs[0] not in moving:
        return rows
    steps = [(tape.inputs + k, step) for k, step in enumerate(tape.steps) if tape.inputs + k in moving]
    operands = {operand for _, step in steps for operand in (step.first, step.second) if operand >= 0}
    fixed = sorted(operand for operand in operands if operand not in moving and _constant(tape, operand) is None)
    values = evaluate(replace(tape, outputs=tuple(fixed)), rows.lower, rows.upper)
    unknowns = [int(i) for i in rows.unknown_inputs]
    builder = Builder(len(unknowns) + len(fixed))
    nodes = {node: place for place, node in enumerate([*unknowns, *fixed])}
    for operand in operands - moving - set(fixed):
        nodes[operand] = builder.constant(_constant(tape, operand) or 0)
    for node, step in steps:
        nodes[node] = apply(builder, step.operation, nodes[step.first], nodes.get(step.second, -1))
    nothing = np.zeros((len(unknowns), rows.count))
    places = tuple(rows.unknowns[i] for i in unknowns) + (-1,) * len(fixed)
    lower = np.vstack([nothing, np.where(values.defined, values.lower, -np.inf)])
    upper = np.vstack([nothing, np.where(values.defined, values.upper, np.inf)])
    return Rows(rows.name, builder.row(nodes[tape.outputs[0]]), places, lower, upper, (False,) * len(places))


def _constant(tape: Tape, node: int) -> Fraction | None:
    return tape.steps[node - tape.inputs].constant if node >= tape.inputs else None


@dataclass(frozen=True, eq=False)
class ForwardBackward:
    """One sweep over all rows of one block, each of which may be off by epsilon."""

    block: int
    rows: Rows
    epsilon: float
    name: str = "forward-backward"
    cost: int = 0
    children: tuple[Contractor, ...] = ()

    @cached_property
    def reads(self) -> tuple[int, ...]:
        """The unknowns of the rows."""
        return tuple(sorted(set(int(p) for p in self.rows.places)))

    @cached_property
    def _short(self) -> tuple[Rows, NDArray[np.int64]]:
        """The rows on a short tape, and the places of its inputs in the box."""
        rows = hoist(self.rows)
        return rows, np.array(rows.unknowns, dtype=np.int64)

    def contract(self, boxes: Boxes) -> Narrowed:
        """Narrow every box by every row in turn."""
        require_nearest()
        return box_by_box(boxes, (self._narrowing(boxes.box(k)) for k in range(boxes.count)))

    def _narrowing(self, box: Box) -> Narrowing:
        (rows, places), cuts = self._short, np.empty((4 * len(self.reads), 4))
        written, refuting = revise(
            rows.tape.inputs, rows.tape.code, rows.tape.constants, places, rows.lower, rows.upper,
            box.lower.copy(), box.upper.copy(), self.epsilon, cuts,
        )  # fmt: skip
        found = tuple(
            Cut(int(v), at, way > 0, Evaluate(self.block, int(k))) for v, at, way, k in cuts[:written].tolist()
        )
        return Narrowing(found, Evaluate(self.block, refuting) if refuting >= 0 else None)
