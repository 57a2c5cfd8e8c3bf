"""The hull of a linear relaxation: each variable minimised and maximised over rows that hold in the whole box.

An oracle answers the linear programs in floats; only its multipliers are used. For any multipliers w >= 0 of the rows
matrix y <= bound and 0 <= y <= width,

    y_j >= sum over k of min over y_k of (e_jk + (w matrix)_k) y_k  -  w bound,

computed here in outward rounding (Neumaier and Shcherbina 2004, with the product enclosed too); without y_j on the
left, a positive right side proves the box empty. *Keeps* every solution.

In a large system of rows that read few variables each, a variable is bounded by the rows around it: few variables that
are close to each other (the core of a part), the rows that read one of them, and what else these read. Parts overlap,
and each is narrowed after the one before.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numba import njit

from certify.contractors.checkpoint import checkpoint
from certify.contractors.numbers.rounded import above, below, multiply
from certify.contractors.numbers.rounding import require_nearest
from certify.contractors.protocol.boxes import Boxes, Contractor, Narrowed
from certify.contractors.rows.corner_form import CORNERS, Slope, linear_rows
from certify.contractors.rows.equations import Equations
from certify.contractors.sparse.parts import parts
from certify.contractors.tape.evaluation import Flags, Floats

ENTRIES = 2**22  # of the matrices of boxes that are narrowed at once
STEPS = 2**26  # of the kernel between two checkpoints


class HullOracle(Protocol):
    """Answers with candidate multipliers; nothing is trusted but their shape."""

    def multipliers(self, matrix: Floats, bound: Floats, width: Floats, wanted: Flags, ranged: int) -> Floats:
        """For each wanted box the multipliers (box, 2 ranged + 1, row) of min y_j (at 2 j), of max y_j (at 2 j + 1),
        for the first so many variables, and of a refutation (last).

        Zeros where nothing is known or nothing can be gained.
        """


@njit(cache=True, error_model="numpy")
def _least(weights: np.ndarray, matrix: np.ndarray, bound: np.ndarray, low: np.ndarray, high: np.ndarray,
           variable: int, sign: float,
           p: np.ndarray, q: np.ndarray) -> float:  # fmt: skip
    """A lower bound of sign y_variable (of 0 if sign is 0) over low <= y <= high, from the weights; p and q are
    scratch.
    """
    n = low.size
    p[:], q[:] = 0.0, 0.0
    if sign != 0.0:
        p[variable], q[variable] = sign, sign
    total = 0.0
    for i in range(weights.size):
        w = weights[i]
        if w > 0.0:
            for k in range(n):
                p[k] = below(p[k] + below(w * matrix[i, k]))
                q[k] = above(q[k] + above(w * matrix[i, k]))
            total = below(total - above(w * bound[i]))
    for k in range(n):
        least, _ = multiply(p[k], q[k], low[k], high[k])
        total = below(total + least)
    return total


@njit(cache=True, error_model="numpy", nogil=True)
def _narrow(weights: np.ndarray, matrix: np.ndarray, bound: np.ndarray, lower: np.ndarray, upper: np.ndarray,
            usable: np.ndarray,
            x_low: np.ndarray, x_high: np.ndarray, empty: np.ndarray, y_low: np.ndarray, y_high: np.ndarray,
            first: int, last: int) -> None:  # fmt: skip
    """By some of the weights of each box; all arrays have the batch first; lower is where y = 0, and y is narrowed from
    weights to weights.
    """
    n, refutation = lower.shape[1], weights.shape[1] - 1
    p, q = np.empty(n), np.empty(n)
    for b in range(lower.shape[0]):
        if not usable[b] or empty[b]:
            continue
        low, high = y_low[b], y_high[b]
        if first == 0:
            for k in range(n):
                low[k], high[k] = 0.0, above(upper[b, k] - lower[b, k])
        for v in range(first, last):
            if not weights[b, v].any():
                continue
            j, sign = v // 2, (1.0 if v % 2 == 0 else -1.0) if v < refutation else 0.0
            least = _least(weights[b, v], matrix[b], bound[b], low, high, j, sign, p, q)
            if sign == 0.0:
                empty[b] |= least > 0.0
            elif sign > 0.0 and least > low[j]:
                low[j] = least
                x_low[b, j] = max(x_low[b, j], below(lower[b, j] + least))
            elif sign < 0.0 and -least < high[j]:
                high[j] = -least
                x_high[b, j] = min(x_high[b, j], above(lower[b, j] - least))
            if v < refutation and (low[j] > high[j] or x_low[b, j] > x_high[b, j]):
                empty[b] = True
            if empty[b]:
                break


@dataclass(frozen=True, eq=False)
class LinearHull:
    """Rows expanded at `points` (see `linear_rows`), each variable's range over them; by the part only whose core has
    the variable `changed`, if it is given.
    """

    equations: Equations
    oracle: HullOracle
    points: tuple[float, ...] = CORNERS
    slope: Slope = Slope.SECANT
    changed: int | None = None
    name: str = "linear hull"
    cost: int = 4
    children: tuple[Contractor, ...] = ()

    @property
    def reads(self) -> tuple[int, ...]:
        """All variables that occur in a constraint."""
        return self.equations.occurring

    def near(self, variable: int) -> LinearHull:
        """The same for boxes in which only this variable has changed since they were narrowed."""
        return replace(self, changed=variable)

    def contract(self, boxes: Boxes) -> Narrowed:
        """Narrow a batch, few boxes at a time if they are large."""
        require_nearest()
        pieces = parts(self.equations)
        if not pieces:
            return self._in_turn(self.equations, boxes, boxes.variables)
        low, high = boxes.lower.copy(), boxes.upper.copy()
        empty, left = np.zeros(boxes.count, dtype=np.bool_), np.arange(boxes.count)
        for part in pieces:
            if self.changed is not None and self.changed not in part.core:
                continue
            place = np.ix_(part.variables, left)
            answer = self._in_turn(part.equations, Boxes(low[place], high[place]), len(part.core))
            low[place], high[place], empty[left] = answer.lower, answer.upper, answer.empty
            left = left[~answer.empty]
            if not left.size:
                break
        return Narrowed(low, high, empty)

    def _in_turn(self, equations: Equations, boxes: Boxes, ranged: int) -> Narrowed:
        size = 2 * len(self.points) * len(equations.tape.outputs) * boxes.variables
        some = max(1, ENTRIES // max(1, size))
        starts = range(0, boxes.count, some)
        answers = [self._narrowed(equations, boxes.take(slice(start, start + some)), ranged) for start in starts]
        if len(answers) == 1:
            return answers[0]
        low, high = (
            np.hstack([boxes.lower[:, :0], *ends]) for ends in ([a.lower for a in answers], [a.upper for a in answers])
        )
        return Narrowed(low, high, np.concatenate([np.zeros(0, dtype=np.bool_), *(a.empty for a in answers)]))

    def _narrowed(self, equations: Equations, boxes: Boxes, ranged: int) -> Narrowed:
        checkpoint()
        matrix, bound, usable = linear_rows(equations, boxes, self.points, self.slope)
        lower, upper = boxes.lower.T.copy(order="C"), boxes.upper.T.copy(order="C")
        weights = self.oracle.multipliers(matrix, bound, upper - lower, usable, ranged)
        low, high, empty = lower.copy(), upper.copy(), np.zeros(boxes.count, dtype=np.bool_)
        y_low, y_high = np.empty_like(low), np.empty_like(high)
        step = max(1, STEPS // max(1, matrix.size))
        for first in range(0, weights.shape[1], step):
            checkpoint()
            last = min(first + step, weights.shape[1])
            _narrow(weights, matrix, bound, lower, upper, usable, low, high, empty, y_low, y_high, first, last)
        return Narrowed(low.T.copy(), high.T.copy(), empty)
