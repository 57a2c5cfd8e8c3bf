"""Hull consistency of a whole system (HC4): forward through the shared tape, every output met with its allowed values,
and one projection back.

Equal subexpressions are one node, so that what one constraint learns of them serves the others in the same sweep.
There is an agenda: a constraint is swept again only if a variable that it reads has been narrowed since, so that
a change costs what it reaches, however large the system. A box stops when a sweep has gained less than `least_gain` of
every width, or when as many operations were spent on it as `sweeps` sweeps over everything have. *Keeps* every
solution. Reference: Benhamou, Goualard, Granvilliers, Puget (1999).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numba import njit

from certify.contractors.checkpoint import checkpoint
from certify.contractors.numbers.rounding import require_nearest
from certify.contractors.protocol.boxes import Boxes, Contractor, Narrowed
from certify.contractors.rows.equations import Equations
from certify.contractors.tape.backward import backward_some
from certify.contractors.tape.dependence import Numbers, needed
from certify.contractors.tape.evaluation import forward_some

BLOCK = 64
LOCAL = 8  # a variable is local if the constraints that read it are this much smaller than all
REACH = 64  # sweeps over the constraints of a local variable that its change may cost


@njit(cache=True, error_model="numpy")
def _meet_outputs(
    listed: np.ndarray, outputs: np.ndarray, allowed: np.ndarray, dirty: np.ndarray, low: np.ndarray, high: np.ndarray
) -> None:
    for o in listed:
        n = outputs[o]
        for b in range(low.shape[1]):
            if dirty[o, b]:
                low[n, b] = max(low[n, b], allowed[0, o])
                high[n, b] = min(high[n, b], allowed[1, o])


@njit(cache=True, error_model="numpy")
def _meet_inputs(
    read: np.ndarray, x_low: np.ndarray, x_high: np.ndarray, low: np.ndarray, high: np.ndarray,
    dead: np.ndarray, empty: np.ndarray, least_gain: float, moving: np.ndarray, changed: np.ndarray,
) -> None:  # fmt: skip
    """Narrow the boxes that still move; one whose widths all gained less than this share stops. `changed` says which of
    the inputs that were read were narrowed.
    """
    for b in range(x_low.shape[1]):
        if not moving[b]:
            continue
        empty[b] = dead[b]
        moving[b] = False
        for k in range(read.size):
            i = read[k]
            width, old_low, old_high = x_high[i, b] - x_low[i, b], x_low[i, b], x_high[i, b]
            x_low[i, b] = max(x_low[i, b], low[i, b])
            x_high[i, b] = min(x_high[i, b], high[i, b])
            if x_low[i, b] > x_high[i, b]:
                empty[b] = True
            changed[k, b] = x_low[i, b] > old_low or x_high[i, b] < old_high
            rest = x_high[i, b] - x_low[i, b]
            if width == np.inf:
                moving[b] = moving[b] or changed[k, b]
            elif width - rest > least_gain * width:
                moving[b] = True
        moving[b] = moving[b] and not empty[b]


@njit(cache=True, error_model="numpy")
def _next(
    read: np.ndarray, changed: np.ndarray, reader_starts: np.ndarray, readers: np.ndarray,
    moving: np.ndarray, dirty: np.ndarray, listed: np.ndarray,
) -> int:  # fmt: skip
    """The constraints that read what has changed in a box that still moves; how many there are."""
    count = 0
    for k in range(read.size):
        for b in range(moving.size):
            if not (changed[k, b] and moving[b]):
                continue
            for o in readers[reader_starts[read[k]] : reader_starts[read[k] + 1]]:
                if not dirty[o].any():
                    listed[count] = o
                    count += 1
                dirty[o, b] = True
    return count


@njit(cache=True, error_model="numpy", nogil=True)
def _propagate(
    inputs: int, code: np.ndarray, constants: np.ndarray, outputs: np.ndarray, allowed: np.ndarray,
    reader_starts: np.ndarray, readers: np.ndarray, costs: np.ndarray, first: np.ndarray,
    x_low: np.ndarray, x_high: np.ndarray, empty: np.ndarray, budget: int, least_gain: float,
) -> None:  # fmt: skip
    """From the constraints `first` on, sweep after sweep."""
    batch, nodes = x_low.shape[1], inputs + code.shape[0]
    low, high = np.empty((nodes, batch)), np.empty((nodes, batch))
    defined, moving = np.ones(batch, dtype=np.bool_), np.ones(batch, dtype=np.bool_)
    dead, left = np.zeros(batch, dtype=np.bool_), np.full(batch, budget)
    dirty, changed = np.zeros((outputs.size, batch), dtype=np.bool_), np.empty((inputs, batch), dtype=np.bool_)
    marked, steps, read = np.zeros(nodes, dtype=np.bool_), np.empty(code.shape[0], np.int64), np.empty(inputs, np.int64)
    listed, count = np.empty(outputs.size, np.int64), first.size
    listed[:count] = first
    dirty[first] = True
    while count > 0:
        now = listed[:count]
        for b in range(batch):
            moving[b] = moving[b] and dirty[now, b].any()  # what has nothing to do is left alone, as if it were alone
        some, several = needed(outputs[now], inputs, code, marked, steps, read)
        for i in read[:several]:
            low[i], high[i] = x_low[i], x_high[i]
        forward_some(steps[:some], inputs, code, constants, low, high, defined)
        _meet_outputs(now, outputs, allowed, dirty, low, high)
        dead[:] = False
        backward_some(steps[:some], inputs, code, low, high, dead)
        _meet_inputs(read[:several], x_low, x_high, low, high, dead, empty, least_gain, moving, changed)
        for o in now:
            for b in range(batch):
                left[b] -= costs[o] if dirty[o, b] else 0
                dirty[o, b] = False
        for b in range(batch):
            moving[b] = moving[b] and left[b] > 0
        count = _next(read[:several], changed, reader_starts, readers, moving, dirty, listed)


@dataclass(frozen=True, eq=False)
class HullConsistency:
    """As much as at most `sweeps` sweeps over all constraints cost; from those on that read the variable `changed`, if
    it is given.
    """

    equations: Equations
    sweeps: int = 10
    least_gain: float = 0.05
    changed: int | None = None
    name: str = "hull consistency"
    cost: int = 0
    children: tuple[Contractor, ...] = ()

    @property
    def reads(self) -> tuple[int, ...]:
        """All variables that occur in a constraint."""
        return self.equations.occurring

    def near(self, variable: int) -> HullConsistency:
        """The same for boxes in which only this variable has changed since they were narrowed."""
        _, readers, costs, _ = self.equations.agenda
        mine = int(costs[readers.part(variable)].sum())
        return replace(self, changed=variable) if LOCAL * mine < costs.sum() else self

    @cached_property
    def _agenda(self) -> tuple[Numbers, int]:
        """The constraints to begin with, and how many operations may be spent on a box."""
        _, readers, costs, _ = self.equations.agenda
        everything = self.sweeps * int(costs.sum())
        if self.changed is None:
            return np.arange(costs.size), everything
        first = readers.part(self.changed)
        return first, min(everything, REACH * int(costs[first].sum()))

    def contract(self, boxes: Boxes) -> Narrowed:
        """Narrow a batch."""
        require_nearest()
        tape, (_, readers, costs, allowed) = self.equations.tape, self.equations.agenda
        first, budget = self._agenda
        low, high = boxes.lower.copy(), boxes.upper.copy()
        empty = np.zeros(boxes.count, dtype=np.bool_)
        together = BLOCK if self.changed is None else 1  # what is reached from a change differs from box to box
        for start in range(0, boxes.count, together):
            checkpoint()
            block = slice(start, start + together)
            a, b, e = np.ascontiguousarray(low[:, block]), np.ascontiguousarray(high[:, block]), empty[block]
            _propagate(
                tape.inputs, tape.code, tape.constants, tape.output_nodes, allowed,
                readers.starts, readers.numbers, costs, first, a, b, e, budget, self.least_gain,
            )  # fmt: skip
            low[:, block], high[:, block] = a, b
        return Narrowed(low, high, empty)
