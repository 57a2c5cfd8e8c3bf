"""Interval Newton for square systems: narrowing by preconditioned Gauss-Seidel, existence and uniqueness by Krawczyk's
test.

With C an approximate inverse of the Jacobian's middle, every zero in X satisfies C J(X) (x - c) = -C f(c) for some
matrix of the enclosure: solving row by row for one unknown narrows X and *keeps* every zero. If Krawczyk's operator
K(X) = c - C f(c) + (I - C J(X)) (X - c) lies in the interior of X, X holds exactly one zero, and it lies in K(X)
(Krawczyk 1969, Moore 1977; J encloses the derivatives on all of X). C is any float matrix: it costs tightness, never
truth.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit

from contractors.arithmetic import above, below, divide, multiply
from contractors.boxes import BoxContractor, Boxes, Narrowed
from contractors.equations import Equations
from contractors.evaluation import Flags, Floats
from contractors.rounding import require_nearest


@dataclass(frozen=True, slots=True)
class Newton:
    """Narrowed boxes (variables, batch); boxes without zero; boxes that hold exactly one, and Krawczyk's enclosure K(X) met with X."""

    lower: Floats
    upper: Floats
    empty: Flags
    unique: Flags


@njit(cache=True, error_model="numpy")
def _sum(total_low: float, total_high: float, low: float, high: float) -> tuple[float, float]:
    return below(total_low + low), above(total_high + high)


@njit(cache=True, error_model="numpy")
def _precondition(inverse: np.ndarray, low: np.ndarray, high: np.ndarray, out_low: np.ndarray, out_high: np.ndarray) -> None:
    """out = inverse times [low, high], columns being vectors or matrices."""
    for i in range(inverse.shape[0]):
        for j in range(low.shape[1]):
            p, q = 0.0, 0.0
            for k in range(inverse.shape[1]):
                factor = inverse[i, k]
                if factor != 0.0 and (low[k, j] != 0.0 or high[k, j] != 0.0):
                    r, s = multiply(factor, factor, low[k, j], high[k, j])
                    p, q = _sum(p, q, r, s)
            out_low[i, j], out_high[i, j] = p, q


@njit(cache=True, error_model="numpy")
def _krawczyk(a_low: np.ndarray, a_high: np.ndarray, f_low: np.ndarray, f_high: np.ndarray, c: np.ndarray,
              x_low: np.ndarray, x_high: np.ndarray, k_low: np.ndarray, k_high: np.ndarray) -> bool:  # fmt: skip
    """K(X), and whether it lies in the interior of X."""
    inside = True
    for i in range(c.size):
        low, high = below(c[i] - f_high[i]), above(c[i] - f_low[i])
        for j in range(c.size):
            one = 1.0 if i == j else 0.0
            p, q = multiply(below(one - a_high[i, j]), above(one - a_low[i, j]), below(x_low[j] - c[j]), above(x_high[j] - c[j]))
            low, high = _sum(low, high, p, q)
        k_low[i], k_high[i] = low, high
        inside = inside and low > x_low[i] and high < x_high[i]
    return inside


@njit(cache=True, error_model="numpy")
def _gauss_seidel(a_low: np.ndarray, a_high: np.ndarray, f_low: np.ndarray, f_high: np.ndarray, c: np.ndarray,
                  x_low: np.ndarray, x_high: np.ndarray) -> bool:  # fmt: skip
    """Narrow X in place; False if it holds no zero."""
    for i in range(c.size):
        if a_low[i, i] <= 0.0 <= a_high[i, i]:
            continue
        low, high = -f_high[i], -f_low[i]
        for j in range(c.size):
            if j != i:
                p, q = multiply(a_low[i, j], a_high[i, j], below(x_low[j] - c[j]), above(x_high[j] - c[j]))
                low, high = _sum(low, high, -q, -p)
        low, high = divide(low, high, a_low[i, i], a_high[i, i])
        x_low[i], x_high[i] = max(x_low[i], below(c[i] + low)), min(x_high[i], above(c[i] + high))
        if x_low[i] > x_high[i]:
            return False
    return True


@njit(cache=True, error_model="numpy")
def _newton(inverse: np.ndarray, usable: np.ndarray, s_low: np.ndarray, s_high: np.ndarray, f_low: np.ndarray, f_high: np.ndarray,
            c: np.ndarray, x_low: np.ndarray, x_high: np.ndarray, empty: np.ndarray, unique: np.ndarray) -> None:  # fmt: skip
    """All arrays have the batch first."""
    batch, n = x_low.shape
    a_low, a_high = np.empty((n, n)), np.empty((n, n))
    r_low, r_high = np.empty((n, 1)), np.empty((n, 1))
    k_low, k_high = np.empty(n), np.empty(n)
    for b in range(batch):
        if not usable[b]:
            continue
        _precondition(inverse[b], s_low[b], s_high[b], a_low, a_high)
        _precondition(inverse[b], f_low[b].reshape(n, 1), f_high[b].reshape(n, 1), r_low, r_high)
        unique[b] = _krawczyk(a_low, a_high, r_low[:, 0], r_high[:, 0], c[b], x_low[b], x_high[b], k_low, k_high)
        empty[b] = not _gauss_seidel(a_low, a_high, r_low[:, 0], r_high[:, 0], c[b], x_low[b], x_high[b])
        if unique[b]:
            for i in range(n):
                x_low[b, i], x_high[b, i] = max(x_low[b, i], k_low[i]), min(x_high[b, i], k_high[i])


def interval_newton(equations: Equations, lower: Floats, upper: Floats) -> Newton:
    """One step for a batch of boxes; the system must be square."""
    require_nearest()
    rows = equations.equalities
    slope_low, slope_high, usable = equations.slopes(lower, upper)
    usable &= np.isfinite(lower).all(axis=0) & np.isfinite(upper).all(axis=0)
    s_low, s_high = (np.ascontiguousarray(np.moveaxis(s[rows], -1, 0)) for s in (slope_low, slope_high))
    middle = np.zeros_like(s_low)
    middle[usable] = 0.5 * (s_low[usable] + s_high[usable])
    middle[~usable] = np.eye(equations.variables)
    regular = usable & (np.linalg.slogdet(middle)[0] != 0.0)
    middle[~regular] = np.eye(equations.variables)
    inverse = np.linalg.inv(middle)
    regular &= np.isfinite(inverse).all(axis=(1, 2))
    c = 0.5 * np.where(usable, lower, 0.0) + 0.5 * np.where(usable, upper, 0.0)
    values = equations.values(c, c)
    f_low, f_high = np.ascontiguousarray(values.lower[rows].T), np.ascontiguousarray(values.upper[rows].T)
    regular &= values.defined & np.isfinite(f_low).all(axis=1) & np.isfinite(f_high).all(axis=1)
    x_low, x_high = lower.T.copy(order="C"), upper.T.copy(order="C")
    empty, unique = np.zeros(lower.shape[1], dtype=np.bool_), np.zeros(lower.shape[1], dtype=np.bool_)
    _newton(inverse, regular, s_low, s_high, f_low, f_high, np.ascontiguousarray(c.T), x_low, x_high, empty, unique)
    return Newton(x_low.T.copy(), x_high.T.copy(), empty, unique)


@dataclass(frozen=True, eq=False)
class IntervalNewton:
    """One step as a contractor, without the proofs of existence."""

    equations: Equations
    name: str = "interval Newton"
    cost: int = 2
    children: tuple[BoxContractor, ...] = ()

    @property
    def reads(self) -> tuple[int, ...]:
        """All variables that occur in a constraint."""
        return self.equations.occurring

    def contract(self, boxes: Boxes) -> Narrowed:
        """Narrow a batch."""
        newton = interval_newton(self.equations, boxes.lower, boxes.upper)
        return Narrowed(newton.lower, newton.upper, newton.empty)
