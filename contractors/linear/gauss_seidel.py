"""Interval Gauss-Seidel: a box of unknowns narrowed by one linear equation for one unknown at a time.

Equation i bounds x_j by the quotient of b_i - sum_(k != j) A_ik x_k by A_ij; where A_ij contains 0 the quotient may
have two pieces, and only what meets the box counts. *Keeps* every x of the box that solves the system for some choice
of coefficients, so the rows may come from anywhere: of A itself, or of C A x = C b for any matrix of floats C. There
are three ways:

- all pairs (i, j), as the rows are (any shape, the linear case of hull consistency): the sums without x_k come from
  running sums from both ends, so that a pass takes some m n operations;
- square, the diagonal pairs only, after a multiplication by the inverse of the middle (E. Hansen, S. Sengupta, Bounding
  solutions of systems of equations using interval analysis, BIT 21, 1981; A. Neumaier, Interval Methods for Systems of
  Equations, section 4.3);
- more rows than columns: the same with a left inverse, and the rows as they are in addition.

Arrays have the batch first: matrices (batch, m, n), right-hand sides (batch, m), boxes (batch, n). Boxes may have
infinite ends. A system of shifted unknowns x - c, as linearised functions have it, is narrowed as it is, with a shifted
box.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit

from certify.contractors.linear.linear_system import IntervalSystem
from certify.contractors.linear.products import middle_and_radius, product
from certify.contractors.numbers.rounded import INFINITY, above, below, multiply
from certify.contractors.numbers.rounding import require_nearest
from certify.contractors.tape.backward import quotient
from certify.contractors.tape.evaluation import Flags, Floats


@dataclass(frozen=True, slots=True)
class NarrowedSystems:
    """Boxes (batch, n), and those proved to hold no solution; the ends of these mean nothing."""

    lower: Floats
    upper: Floats
    empty: Flags


@njit(cache=True, error_model="numpy")
def _solve_for(
    a_low: float, a_high: float, low: float, high: float, x_low: float, x_high: float
) -> tuple[float, float]:
    """What remains of [x_low, x_high] where a x lies in [low, high] for some a."""
    p, q = quotient(low, high, a_low, a_high, x_low, x_high)
    return max(x_low, p), min(x_high, q)


@njit(cache=True, error_model="numpy")
def _row(a_low: np.ndarray, a_high: np.ndarray, b_low: float, b_high: float, x_low: np.ndarray, x_high: np.ndarray,
         after_low: np.ndarray, after_high: np.ndarray) -> bool:  # fmt: skip
    """Narrow every unknown by one row; False if the box holds no solution."""
    n = x_low.size
    after_low[n], after_high[n] = 0.0, 0.0
    for j in range(n - 1, -1, -1):
        low, high = after_low[j + 1], after_high[j + 1]
        if a_low[j] != 0.0 or a_high[j] != 0.0:
            p, q = multiply(a_low[j], a_high[j], x_low[j], x_high[j])
            low, high = below(low + p), above(high + q)
        after_low[j], after_high[j] = low, high
    if after_low[0] > b_high or after_high[0] < b_low:
        return False
    low, high = b_low, b_high
    for j in range(n):
        if a_low[j] == 0.0 and a_high[j] == 0.0:
            continue
        rest_low, rest_high = below(low - after_high[j + 1]), above(high - after_low[j + 1])
        x_low[j], x_high[j] = _solve_for(a_low[j], a_high[j], rest_low, rest_high, x_low[j], x_high[j])
        if x_low[j] > x_high[j]:
            return False
        p, q = multiply(a_low[j], a_high[j], x_low[j], x_high[j])
        low, high = below(low - q), above(high - p)
    return True


@njit(cache=True, error_model="numpy")
def _diagonal(
    a_low: np.ndarray, a_high: np.ndarray, b_low: np.ndarray, b_high: np.ndarray, x_low: np.ndarray, x_high: np.ndarray
) -> bool:
    """Narrow x_i by row i; False if the box holds no solution."""
    for i in range(x_low.size):
        low, high = b_low[i], b_high[i]
        for j in range(x_low.size):
            if j != i and (a_low[i, j] != 0.0 or a_high[i, j] != 0.0):
                p, q = multiply(a_low[i, j], a_high[i, j], x_low[j], x_high[j])
                low, high = below(low - q), above(high - p)
        x_low[i], x_high[i] = _solve_for(a_low[i, i], a_high[i, i], low, high, x_low[i], x_high[i])
        if x_low[i] > x_high[i]:
            return False
    return True


@njit(cache=True, error_model="numpy")
def _progress(
    before_low: np.ndarray, before_high: np.ndarray, x_low: np.ndarray, x_high: np.ndarray, enough: float
) -> bool:
    """Whether an unknown lost more than this share of its width, or its first infinite end."""
    for i in range(x_low.size):
        before, now = before_high[i] - before_low[i], x_high[i] - x_low[i]
        if before == INFINITY:
            if x_low[i] > before_low[i] or x_high[i] < before_high[i]:
                return True
        elif before - now > enough * before:
            return True
    return False


@njit(cache=True, error_model="numpy", nogil=True)
def _narrow(a_low: np.ndarray, a_high: np.ndarray, b_low: np.ndarray, b_high: np.ndarray, x_low: np.ndarray,
            x_high: np.ndarray,
            empty: np.ndarray, diagonal: bool, sweeps: int, enough: float) -> None:  # fmt: skip
    """In place, box by box."""
    batch, rows, n = a_low.shape
    after_low, after_high = np.empty(n + 1), np.empty(n + 1)
    for b in range(batch):
        for _ in range(sweeps):
            if empty[b]:
                break
            before_low, before_high = x_low[b].copy(), x_high[b].copy()
            if diagonal:
                empty[b] = not _diagonal(a_low[b], a_high[b], b_low[b], b_high[b], x_low[b], x_high[b])
            else:
                for i in range(rows):
                    if not _row(
                        a_low[b, i], a_high[b, i], b_low[b, i], b_high[b, i], x_low[b], x_high[b], after_low, after_high
                    ):
                        empty[b] = True
                        break
            if not _progress(before_low, before_high, x_low[b], x_high[b], enough):
                break


@dataclass(frozen=True, slots=True)
class Systems:
    """A batch of systems: matrices (batch, m, n), right-hand sides (batch, m); finite."""

    lower: Floats
    upper: Floats
    right_lower: Floats
    right_upper: Floats

    @staticmethod
    def of(system: IntervalSystem) -> Systems:
        """A batch of one."""
        return Systems(system.lower[None], system.upper[None], system.right_lower[None], system.right_upper[None])


def sweep(
    systems: Systems, lower: Floats, upper: Floats, diagonal: bool = False, sweeps: int = 10, enough: float = 0.01
) -> NarrowedSystems:
    """Narrow by the rows as they are: by all pairs, or the diagonal ones; until no width falls by more than the share
    `enough`.
    """
    require_nearest()
    rows, columns = systems.lower.shape[1:]
    if diagonal and rows < columns:
        raise ValueError(f"the diagonal pairs need a row for each of the {columns} unknowns; there are {rows} rows")
    x_low, x_high = lower.copy(order="C"), upper.copy(order="C")
    empty = np.asarray((x_low > x_high).any(axis=1))
    a_low, a_high = np.ascontiguousarray(systems.lower), np.ascontiguousarray(systems.upper)
    b_low, b_high = np.ascontiguousarray(systems.right_lower), np.ascontiguousarray(systems.right_upper)
    _narrow(a_low, a_high, b_low, b_high, x_low, x_high, empty, diagonal, sweeps, enough)
    return NarrowedSystems(x_low, x_high, empty)


def _inverses(middle: Floats) -> tuple[Floats, Flags]:
    """Approximate inverses or left inverses of a batch, and where they are usable; identities elsewhere."""
    batch, rows, columns = middle.shape
    with np.errstate(all="ignore"):
        usable = np.asarray(np.isfinite(middle).all(axis=(1, 2)))
        if rows == columns:
            usable &= np.linalg.slogdet(np.where(usable[:, None, None], middle, np.eye(columns)))[0] != 0.0
            inverse = np.linalg.inv(np.where(usable[:, None, None], middle, np.eye(columns)))
        else:
            try:
                inverse = np.linalg.pinv(np.where(usable[:, None, None], middle, 0.0))
            except np.linalg.LinAlgError:
                return np.zeros((batch, columns, rows)), np.zeros(batch, dtype=np.bool_)
        usable &= np.isfinite(inverse).all(axis=(1, 2))
    return np.where(usable[:, None, None], inverse, 0.0), usable


def preconditioned(systems: Systems) -> tuple[Systems, Flags]:
    """C A x = C b with C the (left) inverse of the middle of each: n rows. Flags where C was found; elsewhere the rows
    say nothing (0 x = 0).
    """
    require_nearest()
    middle, radius = middle_and_radius(systems.lower, systems.upper)
    right, right_radius = middle_and_radius(systems.right_lower, systems.right_upper)
    inverse, usable = _inverses(middle)
    centre, spread = product(inverse, middle, radius)
    right_centre, right_spread = product(inverse, right[..., None], right_radius[..., None])
    with np.errstate(all="ignore"):
        ends = [np.nextafter(centre - spread, -np.inf), np.nextafter(centre + spread, np.inf)]
        ends += [
            np.nextafter(right_centre - right_spread, -np.inf)[..., 0],
            np.nextafter(right_centre + right_spread, np.inf)[..., 0],
        ]
    for values in ends:
        usable &= np.isfinite(values).all(axis=tuple(range(1, values.ndim)))
    for values in ends:
        values[~usable] = 0.0
    return Systems(*ends), usable


def gauss_seidel(
    systems: Systems, lower: Floats, upper: Floats, sweeps: int = 10, enough: float = 0.01
) -> NarrowedSystems:
    """Narrow by the preconditioned rows (if there are enough rows), and by the rows as they are."""
    rows, columns = systems.lower.shape[1:]
    plain = sweep(systems, lower, upper, False, sweeps, enough)
    if rows < columns:
        return plain
    better, _ = preconditioned(systems)
    kept = ~plain.empty[:, None]
    low, high = np.where(kept, plain.lower, lower), np.where(kept, plain.upper, upper)
    diagonal = sweep(better, low, high, True, sweeps, enough)
    empty = plain.empty | diagonal.empty
    low, high = (
        np.where(diagonal.empty[:, None], low, diagonal.lower),
        np.where(diagonal.empty[:, None], high, diagonal.upper),
    )
    again = sweep(systems, low, high, False, sweeps, enough)
    return NarrowedSystems(again.lower, again.upper, empty | again.empty)
