"""Forward-backward contraction (HC4-revise): evaluate a row, intersect with [-e, e], and project back to its unknowns.

The projections are those of `backward`. *Keeps* every feasible x of the box. A variable is narrowed only by what saves
at least 1 % of its width; the reason given is that the row's natural evaluation over the part removed misses [-e, e],
which holds where no node is used twice (elsewhere the replay may drop the cut).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit

from certify.contractors.numbers.rounding import require_nearest
from certify.contractors.protocol.boxes import Boxes, Contractor, Narrowed, box_by_box
from certify.contractors.protocol.contractor import Box, Cut, Evaluate, Narrowing
from certify.contractors.rows.rows import Rows
from certify.contractors.rows.weighted_sums import CUT_BITS
from certify.contractors.short_numbers import short_above, short_below
from certify.contractors.tape.backward import backward
from certify.contractors.tape.evaluation import forward

GAIN = 0.01


@njit(cache=True, error_model="numpy")
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
    defined, empty = np.ones(1, dtype=np.bool_), np.zeros(1, dtype=np.bool_)
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
            at = short_below(low[i, 0], width, CUT_BITS)
            if at > box_low[place] + GAIN * width and at < box_high[place] and written < cuts.shape[0]:
                box_low[place] = at
                cuts[written, 0], cuts[written, 1], cuts[written, 2], cuts[written, 3] = place, at, 1.0, k
                written += 1
            at = short_above(high[i, 0], width, CUT_BITS)
            if at < box_high[place] - GAIN * width and at > box_low[place] and written < cuts.shape[0]:
                box_high[place] = at
                cuts[written, 0], cuts[written, 1], cuts[written, 2], cuts[written, 3] = place, at, -1.0, k
                written += 1
    return written, -1


@dataclass(frozen=True, eq=False)
class ForwardBackward:
    """One sweep over all rows of one block, each of which may be off by epsilon."""

    block: int
    rows: Rows
    epsilon: float
    name: str = "forward-backward"
    cost: int = 0
    children: tuple[Contractor, ...] = ()

    @property
    def reads(self) -> tuple[int, ...]:
        """The unknowns of the rows."""
        return tuple(sorted(set(int(p) for p in self.rows.places)))

    def contract(self, boxes: Boxes) -> Narrowed:
        """Narrow every box by every row in turn."""
        require_nearest()
        return box_by_box(boxes, (self._narrowing(boxes.box(k)) for k in range(boxes.count)))

    def _narrowing(self, box: Box) -> Narrowing:
        rows = self.rows
        cuts = np.empty((4 * len(self.reads), 4))
        places = np.array(rows.unknowns, dtype=np.int64)
        written, refuting = revise(
            rows.tape.inputs, rows.tape.code, rows.tape.constants, places, rows.lower, rows.upper,
            box.lower.copy(), box.upper.copy(), self.epsilon, cuts,
        )  # fmt: skip
        found = tuple(
            Cut(int(v), at, way > 0, Evaluate(self.block, int(k))) for v, at, way, k in cuts[:written].tolist()
        )
        return Narrowing(found, Evaluate(self.block, refuting) if refuting >= 0 else None)
