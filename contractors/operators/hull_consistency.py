"""Hull consistency of a whole system (HC4): forward through the shared tape, every output met with its allowed values,
and one projection back.

Equal subexpressions are one node, so that what one constraint learns of them serves the others in the same sweep.
Sweeps are repeated until a box gains less than `least_gain` of every width. *Keeps* every solution.
Reference: Benhamou, Goualard, Granvilliers, Puget (1999).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit

from certify.contractors.checkpoint import checkpoint
from certify.contractors.numbers.rounding import require_nearest
from certify.contractors.protocol.boxes import Boxes, Contractor, Narrowed
from certify.contractors.rows.equations import Equations
from certify.contractors.tape.backward import backward
from certify.contractors.tape.evaluation import forward

BLOCK = 64


@njit(cache=True, error_model="numpy")
def _meet_outputs(outputs: np.ndarray, allowed: np.ndarray, low: np.ndarray, high: np.ndarray) -> None:
    for o in range(outputs.size):
        n = outputs[o]
        for b in range(low.shape[1]):
            low[n, b] = max(low[n, b], allowed[0, o])
            high[n, b] = min(high[n, b], allowed[1, o])


@njit(cache=True, error_model="numpy")
def _meet_inputs(
    x_low: np.ndarray,
    x_high: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    dead: np.ndarray,
    empty: np.ndarray,
    least_gain: float,
    moving: np.ndarray,
) -> bool:
    """Narrow the boxes that still move; one whose widths all gained less than this share stops. Whether
    any moves on.
    """
    some = False
    for b in range(x_low.shape[1]):
        if not moving[b]:
            continue
        empty[b] = dead[b]
        moving[b] = False
        for i in range(x_low.shape[0]):
            width, old_low, old_high = x_high[i, b] - x_low[i, b], x_low[i, b], x_high[i, b]
            x_low[i, b] = max(x_low[i, b], low[i, b])
            x_high[i, b] = min(x_high[i, b], high[i, b])
            if x_low[i, b] > x_high[i, b]:
                empty[b] = True
            rest = x_high[i, b] - x_low[i, b]
            if width == np.inf:
                moving[b] = moving[b] or x_low[i, b] > old_low or x_high[i, b] < old_high
            elif width - rest > least_gain * width:
                moving[b] = True
        moving[b] = moving[b] and not empty[b]
        some = some or moving[b]
    return some


@njit(cache=True, error_model="numpy", nogil=True)
def _sweep(
    code: np.ndarray,
    constants: np.ndarray,
    outputs: np.ndarray,
    allowed: np.ndarray,
    x_low: np.ndarray,
    x_high: np.ndarray,
    empty: np.ndarray,
    sweeps: int,
    least_gain: float,
) -> None:
    inputs, batch = x_low.shape
    low, high = np.empty((inputs + code.shape[0], batch)), np.empty((inputs + code.shape[0], batch))
    defined, moving = np.ones(batch, dtype=np.bool_), np.ones(batch, dtype=np.bool_)
    dead = np.zeros(batch, dtype=np.bool_)
    for _ in range(sweeps):
        low[:inputs], high[:inputs] = x_low, x_high
        forward(inputs, code, constants, low, high, defined)
        _meet_outputs(outputs, allowed, low, high)
        dead[:] = False
        backward(inputs, code, low, high, dead)
        if not _meet_inputs(x_low, x_high, low, high, dead, empty, least_gain, moving):
            return


@dataclass(frozen=True, eq=False)
class HullConsistency:
    """At most `sweeps` sweeps over all constraints."""

    equations: Equations
    sweeps: int = 10
    least_gain: float = 0.05
    name: str = "hull consistency"
    cost: int = 0
    children: tuple[Contractor, ...] = ()

    @property
    def reads(self) -> tuple[int, ...]:
        """All variables that occur in a constraint."""
        return self.equations.occurring

    def contract(self, boxes: Boxes) -> Narrowed:
        """Narrow a batch."""
        require_nearest()
        tape = self.equations.tape
        low, high = boxes.lower.copy(), boxes.upper.copy()
        empty = np.zeros(boxes.count, dtype=np.bool_)
        allowed = np.vstack([self.equations.lower, self.equations.upper])
        for start in range(0, boxes.count, BLOCK):
            checkpoint()
            block = slice(start, start + BLOCK)
            a, b, e = np.ascontiguousarray(low[:, block]), np.ascontiguousarray(high[:, block]), empty[block]
            _sweep(tape.code, tape.constants, tape.output_nodes, allowed, a, b, e, self.sweeps, self.least_gain)
            low[:, block], high[:, block] = a, b
        return Narrowed(low, high, empty)
