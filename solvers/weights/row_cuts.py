"""Single rows of a system as a checker judges them: which row refutes a box, and what rows cut off boxes.

A row refutes a box where its natural extension, taken where it is defined, misses what is allowed, or where it is
defined nowhere. It cuts off a slab that hull consistency of this row alone removes and that the natural extension over
the slab confirms. Enclosures are rounded outwards, and *sure* by a margin: what is found here a checker's finer
arithmetic finds, too.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from certify.contractors.numbers.rounding import require_nearest
from certify.contractors.short_numbers import short_inside
from certify.contractors.tape.backward import backward
from certify.contractors.tape.evaluation import Floats, forward
from certify.contractors.tape.tape import Operation
from certify.solvers.weights.row_tapes import Integers, RowTapes

DOUBT = 1e-9  # of the size of a row: more than rounding may have done
CUT_BITS, CUT_MARGIN = 5, 1 / 128  # of the place of a cut, and of its slab, left to other arithmetics
TINY = 2.0**-80  # what misses by less may be lost in a checker's fixed point of 112 bits
SWEEPS = 3
MOST = 2**16  # cuts of a batch
DIV, SQRT, LOG = int(Operation.DIV), int(Operation.SQRT), int(Operation.LOG)


@njit(cache=True, error_model="numpy")
def missing(inputs: int, code: np.ndarray, low: np.ndarray, high: np.ndarray, least: float, most: float) -> float:
    """By how much a row, whose nodes are enclosed, misses [least, most], as a share of its size; all of it where it is
    defined nowhere, nothing where the miss is tiny.
    """
    for j in range(code.shape[0]):
        operation = code[j, 0]
        if operation == DIV:
            node = code[j, 2]
            if low[node, 0] >= 0.0 and high[node, 0] <= 0.0:
                return 1.0
        elif operation == SQRT:
            if high[code[j, 1], 0] < 0.0:
                return 1.0
        elif operation == LOG and high[code[j, 1], 0] <= 0.0:
            return 1.0
    a, b = low[low.shape[0] - 1, 0], high[low.shape[0] - 1, 0]
    miss = max(a - most, least - b)
    if miss < TINY:
        return 0.0
    size = max(abs(a), abs(b))
    if not np.isfinite(size):
        size = 1.0 + abs(miss)
    share = miss / size if size > 0.0 else 0.0
    return share if share == share else 0.0


@njit(cache=True, error_model="numpy", nogil=True)
def _refuting(
    starts: np.ndarray, places: np.ndarray, uses: np.ndarray, code: np.ndarray, constants: np.ndarray,
    allowed: np.ndarray, low: np.ndarray, high: np.ndarray, found: np.ndarray,
) -> None:  # fmt: skip
    """For each box (batch first) the row that misses by most, or -1."""
    defined = np.ones(1, dtype=np.bool_)
    for k in range(starts.size - 1):
        mine, its = code[starts[k] : starts[k + 1]], constants[starts[k] : starts[k + 1]]
        inputs = uses[k + 1] - uses[k]
        a, b = np.empty((inputs + mine.shape[0], 1)), np.empty((inputs + mine.shape[0], 1))
        for box in range(low.shape[0]):
            for i in range(inputs):
                a[i, 0], b[i, 0] = low[box, places[uses[k] + i]], high[box, places[uses[k] + i]]
            forward(inputs, mine, its, a, b, defined)
            miss = missing(inputs, mine, a, b, allowed[0, k], allowed[1, k])
            if miss > found[box, 0]:
                found[box, 0], found[box, 1] = miss, k


@njit(cache=True, error_model="numpy", nogil=True)
def _cut(
    starts: np.ndarray, places: np.ndarray, uses: np.ndarray, code: np.ndarray, constants: np.ndarray,
    allowed: np.ndarray, low: np.ndarray, high: np.ndarray, least: np.ndarray, enough: float, cuts: np.ndarray,
) -> int:  # fmt: skip
    """Cut boxes (batch first, in place) by one row after the other; `least` are widths below which a variable is left
    alone. Returns how many cuts were written: box, variable, whether at its lower face, where, row.
    """
    defined, empty, written = np.ones(1, dtype=np.bool_), np.zeros(1, dtype=np.bool_), 0
    for box in range(low.shape[0]):
        for _ in range(SWEEPS):
            some = False
            for k in range(starts.size - 1):
                mine, its = code[starts[k] : starts[k + 1]], constants[starts[k] : starts[k + 1]]
                inputs = uses[k + 1] - uses[k]
                nodes = inputs + mine.shape[0]
                a, b = np.empty((nodes, 1)), np.empty((nodes, 1))
                for i in range(inputs):
                    v = places[uses[k] + i]
                    a[i, 0], b[i, 0] = low[box, v], high[box, v]
                forward(inputs, mine, its, a, b, defined)
                a[nodes - 1, 0], b[nodes - 1, 0] = (
                    max(a[nodes - 1, 0], allowed[0, k]),
                    min(b[nodes - 1, 0], allowed[1, k]),
                )
                empty[0] = False
                backward(inputs, mine, a, b, empty)
                if empty[0]:
                    continue
                ends = np.empty((inputs, 2))
                for i in range(inputs):
                    ends[i, 0], ends[i, 1] = a[i, 0], b[i, 0]
                for i in range(inputs):
                    v = places[uses[k] + i]
                    for way in range(2):
                        width = high[box, v] - low[box, v]
                        face = low[box, v] if way == 0 else high[box, v]
                        gone = ends[i, 0] - face if way == 0 else face - ends[i, 1]
                        if not (gone > enough * width and width > least[box, v]) or written >= cuts.shape[0]:
                            continue
                        at = short_inside(face, ends[i, way], CUT_BITS, CUT_MARGIN)
                        if not low[box, v] < at < high[box, v]:
                            continue
                        for other in range(inputs):
                            u = places[uses[k] + other]
                            a[other, 0], b[other, 0] = low[box, u], high[box, u]
                        (b if way == 0 else a)[i, 0] = at
                        forward(inputs, mine, its, a, b, defined)
                        if missing(inputs, mine, a, b, allowed[0, k], allowed[1, k]) <= DOUBT:
                            continue
                        (low if way == 0 else high)[box, v] = at
                        cuts[written, 0], cuts[written, 1], cuts[written, 2] = box, v, 1.0 - way
                        cuts[written, 3], cuts[written, 4] = at, k
                        written += 1
                        some = True
            if not some:
                break
    return written


def refuting_rows(rows: RowTapes, low: Floats, high: Floats) -> Integers:
    """For each box (variable, batch) the row that misses by most, or -1."""
    require_nearest()
    found = np.tile((DOUBT, -1.0), (low.shape[1], 1))
    _refuting(rows.starts, rows.places, rows.uses, rows.code, rows.constants, rows.allowed,
              low.T.copy(), high.T.copy(), found)  # fmt: skip
    return found[:, 1].astype(np.int64)


def cut_by_rows(rows: RowTapes, low: Floats, high: Floats, least: Floats, enough: float) -> Floats:
    """The cuts of boxes (variable, batch), in order: box, variable, whether at the lower face, where, row.

    A cut takes more than `enough` of a width, and none of what is narrower than `least`.
    """
    require_nearest()
    cuts = np.empty((MOST, 5))
    written = _cut(rows.starts, rows.places, rows.uses, rows.code, rows.constants, rows.allowed,
                   low.T.copy(), high.T.copy(), least.T.copy(), enough, cuts)  # fmt: skip
    return cuts[:written]
