"""At least q of m constraints hold: robust against outliers, without saying which constraints are wrong.

With S_1, ..., S_m the sets that the children stand for, this stands for {x : x lies in at least q of the S_i}. Each
child narrows the same box X to X_i. A solution in X lies in q of the X_i, and so does each of its coordinates:

*Projection.* Along one variable the points covered by at least q intervals begin at a lower end and finish at an upper
end, found in one pass over the sorted ends, O(m log m). An X_i that misses the result cannot cover a solution and is
dropped; this is repeated until nothing changes.

*Exact hull in two variables.* The q-intersection of boxes is a union of boxes whose sides are sides of the X_i. So its
leftmost points lie on the lower side of some X_i: the first such side on which, among the boxes that meet it, q overlap
along the other variable; O(m^2) after sorting, and likewise for the other three sides.

In more variables the exact hull costs O(m^n) (and is hard if n is not fixed), so that only the projection is made.
References: Jaulin (2009), robust set-membership state estimation; Carbonnel, Trombettoni, Vismara, Chabert (2014),
Q-intersection algorithms for constraint-based robust parameter estimation.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit

from certify.contractors.compositions.composed import OfMany
from certify.contractors.protocol.boxes import Boxes, Contractor, Narrowed


@njit(cache=True, error_model="numpy")
def _covered(
    low: np.ndarray, high: np.ndarray, by_low: np.ndarray, by_high: np.ndarray, chosen: np.ndarray, q: int
) -> tuple[bool, float, float]:
    """Whether q of the chosen intervals have a point in common, and the first and the last such point; by_low and
    by_high sort the ends.
    """
    found, first, last, depth, i, j = False, np.inf, -np.inf, 0, 0, 0
    while j < by_high.size:
        if i < by_low.size and low[by_low[i]] <= high[by_high[j]]:
            k = by_low[i]
            i += 1
            depth += chosen[k]
            if chosen[k] and depth == q and not found:
                found, first = True, low[k]
        else:
            k = by_high[j]
            j += 1
            if chosen[k] and depth == q:
                last = high[k]
            depth -= chosen[k]
    return found, first, last


@njit(cache=True, error_model="numpy")
def _project(low: np.ndarray, high: np.ndarray, by_low: np.ndarray, by_high: np.ndarray, chosen: np.ndarray, q: int,
             x_low: np.ndarray, x_high: np.ndarray) -> bool:  # fmt: skip
    """Narrow one box variable by variable, until no child's box is dropped any more; False if no q boxes overlap."""
    dropped = True
    while dropped:
        dropped = False
        for v in range(x_low.size):
            found, first, last = _covered(low[v], high[v], by_low[v], by_high[v], chosen, q)
            if not found:
                return False
            x_low[v], x_high[v] = first, last
            for k in range(chosen.size):
                if chosen[k] and (high[v, k] < first or low[v, k] > last):
                    chosen[k], dropped = 0, True
    return True


@njit(cache=True, error_model="numpy")
def _meets(
    at: float,
    v: int,
    low: np.ndarray,
    high: np.ndarray,
    by_low: np.ndarray,
    by_high: np.ndarray,
    chosen: np.ndarray,
    q: int,
) -> bool:
    """Whether q boxes overlap somewhere on the line x_v = at, in two variables."""
    on_line, count, w = np.zeros_like(chosen), 0, 1 - v
    for k in range(chosen.size):
        if chosen[k] and low[v, k] <= at <= high[v, k]:
            on_line[k] = 1
            count += 1
    return count >= q and _covered(low[w], high[w], by_low[w], by_high[w], on_line, q)[0]


@njit(cache=True, error_model="numpy")
def _exact(low: np.ndarray, high: np.ndarray, by_low: np.ndarray, by_high: np.ndarray, chosen: np.ndarray, q: int,
           x_low: np.ndarray, x_high: np.ndarray) -> bool:  # fmt: skip
    """The hull in two variables: move each side of the projection to the first side of a child's box on which q boxes
    overlap.
    """
    for v in range(2):
        found = False
        for k in by_low[v]:
            if chosen[k] and low[v, k] >= x_low[v] and _meets(low[v, k], v, low, high, by_low, by_high, chosen, q):
                x_low[v], found = low[v, k], True
                break
        if not found:
            return False
        for k in by_high[v][::-1]:
            if chosen[k] and high[v, k] <= x_high[v] and _meets(high[v, k], v, low, high, by_low, by_high, chosen, q):
                x_high[v] = high[v, k]
                break
    return True


@njit(cache=True, error_model="numpy")
def _relax(
    low: np.ndarray,
    high: np.ndarray,
    kept: np.ndarray,
    q: int,
    x_low: np.ndarray,
    x_high: np.ndarray,
    empty: np.ndarray,
) -> None:
    """low, high: the children's answers (batch, variables, children); kept (batch, children); x_low, x_high (batch,
    variables).
    """
    batch, n, m = low.shape
    by_low, by_high = np.empty((n, m), dtype=np.int64), np.empty((n, m), dtype=np.int64)
    for b in range(batch):
        chosen = kept[b].copy()
        if chosen.sum() < q:
            empty[b] = True
            continue
        for v in range(n):
            by_low[v], by_high[v] = np.argsort(low[b, v]), np.argsort(high[b, v])
        alive = _project(low[b], high[b], by_low, by_high, chosen, q, x_low[b], x_high[b])
        if alive and n == 2 and q > 1:
            alive = _exact(low[b], high[b], by_low, by_high, chosen, q, x_low[b], x_high[b])
        empty[b] = not alive


@dataclass(frozen=True, eq=False)
class QIntersection(OfMany):
    """At least `at_least` of the children's constraints hold; with all of them it is an intersection,
    with 1 a union.
    """

    children: tuple[Contractor, ...]
    at_least: int
    name: str = "q-intersection"

    def __post_init__(self) -> None:
        if not 1 <= self.at_least <= len(self.children):
            raise ValueError(
                f"at least {self.at_least} of {len(self.children)} constraints: give a number from 1 to "
                f"{len(self.children)}"
            )

    @staticmethod
    def all_but(outliers: int, children: tuple[Contractor, ...]) -> QIntersection:
        """All constraints hold but this many, at most."""
        return QIntersection(children, len(children) - outliers)

    def contract(self, boxes: Boxes) -> Narrowed:
        """Narrow a batch."""
        answers = [child.contract(boxes) for child in self.children]
        kept = np.ascontiguousarray(np.array([~answer.empty for answer in answers]).T.astype(np.int64))
        low = np.array([np.where(answer.empty, np.inf, answer.lower) for answer in answers])
        high = np.array([np.where(answer.empty, np.inf, answer.upper) for answer in answers])
        x_low, x_high = boxes.lower.T.copy(order="C"), boxes.upper.T.copy(order="C")
        empty = np.zeros(boxes.count, dtype=np.bool_)
        low, high = (np.ascontiguousarray(np.moveaxis(ends, 0, -1).swapaxes(0, 1)) for ends in (low, high))
        _relax(low, high, kept, self.at_least, x_low, x_high, empty)
        return Narrowed(x_low.T.copy(), x_high.T.copy(), empty)
