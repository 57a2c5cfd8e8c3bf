"""Forward-backward contraction (HC4-revise): evaluate a row, intersect with [-e, e], and project back to its unknowns.

z = f(u, v) in Z implies u in {u : f(u, v) in Z for some v}: the projections below enclose that set, operation by operation, in outward
rounding. *Keeps* every feasible x of the box. A variable is narrowed only by what saves at least 1 % of its width; the part removed is one
on which the row's natural evaluation misses [-e, e], which is the cut's proof. Reference: Benhamou, Goualard, Granvilliers, Puget (1999).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numba import njit

from contractors.arithmetic import above, below, divide, square_root
from contractors.evaluation import ADD, DIV, MUL, NEG, SQR, SQRT, SUB, forward
from contractors.narrowing import Box, Cut, Evaluate, Narrowing
from contractors.rows import Rows

GAIN = 0.01


@njit(cache=True)
def _meet(low: np.ndarray, high: np.ndarray, node: int, a: float, b: float) -> None:
    low[node, 0] = max(low[node, 0], a)
    high[node, 0] = min(high[node, 0], b)


@njit(cache=True)
def _factor(low: np.ndarray, high: np.ndarray, node: int, product: int, other: int) -> None:
    """u from u * other = product; nothing is learned where the other factor may vanish."""
    c, d = low[other, 0], high[other, 0]
    if not (c <= 0.0 <= d):
        a, b = divide(low[product, 0], high[product, 0], c, d)
        _meet(low, high, node, a, b)


@njit(cache=True)
def _from_square(low: np.ndarray, high: np.ndarray, node: int, a: float, b: float) -> None:
    """u from u^2 in [a, b]"""
    inner, outer = square_root(a, b)
    if inner > 0.0 and low[node, 0] > -inner:
        _meet(low, high, node, inner, outer)
    elif inner > 0.0 and high[node, 0] < inner:
        _meet(low, high, node, -outer, -inner)
    else:
        _meet(low, high, node, -outer, outer)


@njit(cache=True)
def backward(inputs: int, code: np.ndarray, low: np.ndarray, high: np.ndarray) -> bool:
    """Project from the last node to the inputs; False if some node became empty."""
    for j in range(code.shape[0] - 1, -1, -1):
        operation, f, s, n = code[j, 0], code[j, 1], code[j, 2], inputs + j
        a, b = low[n, 0], high[n, 0]
        if a > b:
            return False
        if operation == ADD:
            _meet(low, high, f, below(a - high[s, 0]), above(b - low[s, 0]))
            _meet(low, high, s, below(a - high[f, 0]), above(b - low[f, 0]))
        elif operation == SUB:
            _meet(low, high, f, below(a + low[s, 0]), above(b + high[s, 0]))
            _meet(low, high, s, below(low[f, 0] - b), above(high[f, 0] - a))
        elif operation == MUL:
            _factor(low, high, f, n, s)
            _factor(low, high, s, n, f)
        elif operation == DIV:
            c, d = low[s, 0], high[s, 0]
            p, q, r, t = a * c, a * d, b * c, b * d
            if p == p and q == q and r == r and t == t:
                _meet(low, high, f, below(min(min(p, q), min(r, t))), above(max(max(p, q), max(r, t))))
        elif operation == NEG:
            _meet(low, high, f, -b, -a)
        elif operation == SQR:
            _from_square(low, high, f, max(a, 0.0), b)
        elif operation == SQRT:
            a = max(a, 0.0)
            _meet(low, high, f, max(0.0, below(a * a)), above(b * b))
    return True


@njit(cache=True)
def revise(
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
) -> tuple[int, int]:
    """Sweep all rows once, narrowing box_low and box_high in place; returns (cuts written, refuting row or -1)."""
    nodes = inputs + code.shape[0]
    low, high = np.empty((nodes, 1)), np.empty((nodes, 1))
    defined = np.ones(1, dtype=np.bool_)
    written = 0
    for k in range(measured_low.shape[1]):
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
        _meet(low, high, nodes - 1, -epsilon, epsilon)
        if not backward(inputs, code, low, high):
            continue
        for i in range(inputs):
            place = places[i]
            if place < 0:
                continue
            width = box_high[place] - box_low[place]
            if width <= 0.0:
                continue
            grid = 2.0 ** (math.floor(math.log2(width)) - 14.0)
            at = math.floor(low[i, 0] / grid) * grid
            if at > box_low[place] + GAIN * width and at < box_high[place] and written < cuts.shape[0]:
                box_low[place] = at
                cuts[written, 0], cuts[written, 1], cuts[written, 2], cuts[written, 3] = place, at, 1.0, k
                written += 1
            at = math.ceil(high[i, 0] / grid) * grid
            if at < box_high[place] - GAIN * width and at > box_low[place] and written < cuts.shape[0]:
                box_high[place] = at
                cuts[written, 0], cuts[written, 1], cuts[written, 2], cuts[written, 3] = place, at, -1.0, k
                written += 1
    return written, -1


@dataclass(frozen=True, eq=False)
class ForwardBackward:
    """One sweep over all rows of one block."""

    block: int
    rows: Rows
    name: str = "forward-backward"
    cost: int = 0

    @property
    def variables(self) -> tuple[int, ...]:
        """The unknowns of the rows."""
        return tuple(sorted(set(int(p) for p in self.rows.places)))

    def contract(self, box: Box, epsilon: float) -> Narrowing:
        """Narrow by every row in turn."""
        rows = self.rows
        cuts = np.empty((4 * len(self.variables), 4))
        places = np.array(rows.unknowns, dtype=np.int64)
        written, refuting = revise(
            rows.tape.inputs, rows.tape.code, rows.tape.constants, places, rows.lower, rows.upper,
            box.lower.copy(), box.upper.copy(), epsilon, cuts,
        )  # fmt: skip
        found = tuple(Cut(int(v), at, way > 0, Evaluate(self.block, int(k))) for v, at, way, k in cuts[:written].tolist())
        return Narrowing(found, Evaluate(self.block, refuting) if refuting >= 0 else None)


