"""Forward-backward contraction of many boxes by many rows at once: rows one after the other, boxes as the innermost
loop.

What depends on measurements only is evaluated once for each row (`hoist`), so that the sweep repeats nothing but what
reads the boxes. A block of boxes stays in cache. *Keeps* every feasible x of every box. It records no reasons: for
proofs there is `forward_backward`.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
from numba import njit

from certify.contractors.numbers.rounding import require_nearest
from certify.contractors.rows.rows import Rows
from certify.contractors.tape.backward import backward
from certify.contractors.tape.evaluation import Flags, Floats, evaluate, forward
from certify.contractors.tape.tape import Builder, Tape, apply

BLOCK = 256


def hoist(rows: Rows) -> Rows:
    """The same rows on a shorter tape, whose measured inputs are the enclosed values of all that does not depend on
    unknowns.
    """
    tape = rows.tape
    moving = {int(i) for i in rows.unknown_inputs}
    for position, step in enumerate(tape.steps):
        if step.first in moving or step.second in moving:
            moving.add(tape.inputs + position)
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
    lower, upper = np.vstack([nothing, values.lower]), np.vstack([nothing, values.upper])
    return Rows(rows.name, builder.row(nodes[tape.outputs[0]]), places, lower, upper, (False,) * len(places))


def _constant(tape: Tape, node: int) -> Fraction | None:
    return tape.steps[node - tape.inputs].constant if node >= tape.inputs else None


@njit(cache=True, error_model="numpy")
def _sweep(
    inputs: int,
    code: np.ndarray,
    constants: np.ndarray,
    places: np.ndarray,
    measured_low: np.ndarray,
    measured_high: np.ndarray,
    x_low: np.ndarray,
    x_high: np.ndarray,
    empty: np.ndarray,
    epsilon: float,
) -> None:
    batch, last = x_low.shape[1], inputs + code.shape[0] - 1
    low, high = np.empty((last + 1, batch)), np.empty((last + 1, batch))
    defined = np.ones(batch, dtype=np.bool_)
    for k in range(measured_low.shape[1]):
        for i in range(inputs):
            if places[i] < 0:
                low[i], high[i] = measured_low[i, k], measured_high[i, k]
            else:
                low[i], high[i] = x_low[places[i]], x_high[places[i]]
        forward(inputs, code, constants, low, high, defined)
        for b in range(batch):
            low[last, b], high[last, b] = max(low[last, b], -epsilon), min(high[last, b], epsilon)
        backward(inputs, code, low, high, empty)
        for i in range(inputs):
            p = places[i]
            if p >= 0:
                for b in range(batch):
                    x_low[p, b], x_high[p, b] = max(x_low[p, b], low[i, b]), min(x_high[p, b], high[i, b])
                    empty[b] |= x_low[p, b] > x_high[p, b]


def sweep(rows: Rows, lower: Floats, upper: Floats, epsilon: float) -> tuple[Floats, Floats, Flags]:
    """Narrow a batch of boxes (variables, batch) by all rows once; the third answer marks boxes without
    feasible point.
    """
    require_nearest()
    low, high = lower.copy(), upper.copy()
    empty = np.zeros(lower.shape[1], dtype=np.bool_)
    tape, places = rows.tape, np.array(rows.unknowns, dtype=np.int64)
    for start in range(0, lower.shape[1], BLOCK):
        block = slice(start, start + BLOCK)
        a, b, e = np.ascontiguousarray(low[:, block]), np.ascontiguousarray(high[:, block]), empty[block]
        _sweep(tape.inputs, tape.code, tape.constants, places, rows.lower, rows.upper, a, b, e, epsilon)
        low[:, block], high[:, block] = a, b
    return low, high, empty
