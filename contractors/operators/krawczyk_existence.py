"""Existence and uniqueness of zeros of square systems: Krawczyk's test.

With C an approximate inverse of the Jacobian's middle and J its enclosure over the box X, K(X) = c - C f(c) + (I - C J)
(X - c). If K(X) lies in the interior of X, X holds exactly one zero, and it lies in K(X) (Krawczyk 1969, Moore 1977);
every zero of X lies in K(X) anyway. J encloses the derivatives on all of X: slopes from the centre alone would prove
existence, not uniqueness. C is any float matrix: it costs tightness, never truth. `preconditioned` makes C J and C f in
outward rounding.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit

from certify.contractors.linear.banded import BandedSystems
from certify.contractors.linear.gauss_seidel import Systems, preconditioned
from certify.contractors.numbers.rounded import above, below, multiply
from certify.contractors.numbers.rounding import require_nearest
from certify.contractors.protocol.boxes import Boxes
from certify.contractors.rows.equations import Equations, finite
from certify.contractors.sparse.band import Band, band_of
from certify.contractors.tape.evaluation import Flags, Floats


@dataclass(frozen=True, slots=True)
class Tested:
    """K(X) met with X (variables, batch); boxes without zero; boxes that hold exactly one."""

    lower: Floats
    upper: Floats
    empty: Flags
    unique: Flags


@njit(cache=True, error_model="numpy", nogil=True)
def _krawczyk(a_low: np.ndarray, a_high: np.ndarray, f_low: np.ndarray, f_high: np.ndarray, c: np.ndarray,
              usable: np.ndarray,
              x_low: np.ndarray, x_high: np.ndarray, k_low: np.ndarray, k_high: np.ndarray,
              inside: np.ndarray) -> None:  # fmt: skip
    """K(X), and whether it lies in the interior of X; arrays have the batch first, a is C J and [f_low, f_high] is -C
    f(c).
    """
    for b in range(c.shape[0]):
        if not usable[b]:
            k_low[b], k_high[b] = x_low[b], x_high[b]
            continue
        inside[b] = True
        for i in range(c.shape[1]):
            low, high = below(c[b, i] + f_low[b, i]), above(c[b, i] + f_high[b, i])
            for j in range(c.shape[1]):
                one = 1.0 if i == j else 0.0
                y_low, y_high = below(x_low[b, j] - c[b, j]), above(x_high[b, j] - c[b, j])
                p, q = multiply(below(one - a_high[b, i, j]), above(one - a_low[b, i, j]), y_low, y_high)
                low, high = below(low + p), above(high + q)
            k_low[b, i], k_high[b, i] = low, high
            inside[b] = inside[b] and low > x_low[b, i] and high < x_high[b, i]


def krawczyk_test(equations: Equations, boxes: Boxes) -> Tested:
    """The test for a batch of boxes; there must be as many equations as unknowns."""
    require_nearest()
    band = band_of(equations)
    if band is not None:
        return _tested_by_band(equations, band, boxes)
    rows, lower, upper = equations.equalities, boxes.lower, boxes.upper
    slope_low, slope_high, usable = equations.slopes(lower, upper)
    usable &= boxes.bounded
    inner_low, inner_high = np.where(usable, lower, 0.0), np.where(usable, upper, 0.0)
    centre = np.clip(0.5 * inner_low + 0.5 * inner_high, inner_low, inner_high)
    values = equations.values(centre, centre)
    f_low, f_high = values.lower[rows], values.upper[rows]
    usable &= values.defined & np.isfinite(f_low).all(axis=0) & np.isfinite(f_high).all(axis=0)
    entries = [
        np.ascontiguousarray(np.moveaxis(np.where(usable, s[rows], 0.0), -1, 0)) for s in (slope_low, slope_high)
    ]
    right = [np.ascontiguousarray(np.where(usable, -f, 0.0).T) for f in (f_high, f_low)]
    systems, regular = preconditioned(Systems(entries[0], entries[1], right[0], right[1]))
    usable &= regular
    x_low, x_high, c = (np.ascontiguousarray(x.T) for x in (lower, upper, centre))
    k_low, k_high, inside = np.empty_like(x_low), np.empty_like(x_high), np.zeros(boxes.count, dtype=np.bool_)
    _krawczyk(
        systems.lower,
        systems.upper,
        systems.right_lower,
        systems.right_upper,
        c,
        usable,
        x_low,
        x_high,
        k_low,
        k_high,
        inside,
    )
    low, high = np.maximum(k_low.T, lower), np.minimum(k_high.T, upper)
    return Tested(low, high, np.asarray((low > high).any(axis=0)), inside)


def _tested_by_band(equations: Equations, band: Band, boxes: Boxes) -> Tested:
    """The same with C = B^-1, left in factors: K(X) = c + B^-1 (-f(c) + (B - J) (X - c)), where C J needs no product.

    That K(X) lies in the interior of X says |I - C S| diam X < diam X for every S in J, as before.
    """
    lower, upper = boxes.lower, boxes.upper
    usable = boxes.bounded
    low, high = np.where(usable, lower, 0.0), np.where(usable, upper, 0.0)
    centre = np.clip(0.5 * low + 0.5 * high, low, high)
    entries, values = equations.slope_entries(low, high), equations.values(centre, centre)
    usable &= finite(entries) & finite(values)
    near = np.where(usable, 0.5 * entries.lower + 0.5 * entries.upper, 0.0)
    right = [np.ascontiguousarray(-f[band.rows].T) for f in (values.upper, values.lower)]
    systems = BandedSystems(band.filled(entries.lower), band.filled(entries.upper), band.under, right[0], right[1])
    y = [np.nextafter(low - centre, -np.inf), np.nextafter(high - centre, np.inf)]
    y = [np.ascontiguousarray(ends[band.columns].T) for ends in y]
    y_low, y_high, usable = systems.images(band.filled(near), y[0], y[1], usable)
    k_low, k_high = lower.copy(), upper.copy()
    k_low[band.columns] = np.where(usable, np.nextafter(centre[band.columns] + y_low.T, -np.inf), -np.inf)
    k_high[band.columns] = np.where(usable, np.nextafter(centre[band.columns] + y_high.T, np.inf), np.inf)
    inside = usable & (k_low > lower).all(axis=0) & (k_high < upper).all(axis=0)
    met_low, met_high = np.maximum(k_low, lower), np.minimum(k_high, upper)
    return Tested(met_low, met_high, np.asarray((met_low > met_high).any(axis=0)), np.asarray(inside))
