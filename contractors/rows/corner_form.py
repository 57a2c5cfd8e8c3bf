"""Linear inequalities that every solution of a system in a box satisfies: the mean value form made linear.

With c in the box and slopes a_j in [A_j, B_j] over the box, f(x) = f(c) + sum a_j (x_j - c_j). For any number g_j,

    f(x) >= f(c) + sum g_j (x_j - c_j) + sum min over a_j and x_j of (a_j - g_j) (x_j - c_j),

so that f(x) <= U gives one row g . x <= h, and f(x) >= L another. The last sum vanishes where c_j is an end of the
interval and g_j the end of the slopes on the right side: expansion at corners (X-Taylor; Lin and Stadtherr 2004, Araya,
Trombettoni and Neveu 2012), which is the theorem of Oettli and Prager (1964) in the only orthant that x - c can lie in.
In between, the best g_j is the secant of the concave function min(A_j y, B_j y), y = x_j - c_j: Beaumont's relaxation
(1999); g_j = the middle slope is the decomposition of Krawczyk's type. Rows are written for y = x - lower; g is exact,
h is rounded upwards.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np
from numba import njit

from certify.contractors.numbers.rounded import above, below, multiply
from certify.contractors.protocol.boxes import Boxes
from certify.contractors.rows.equations import Equations
from certify.contractors.tape.evaluation import Flags, Floats


class Slope(IntEnum):
    """How a slope interval becomes one number where the expansion point lies between the ends."""

    MIDDLE = 0
    SECANT = 1


@njit(cache=True, error_model="numpy")
def _side(limit: float, f: float, a_low: np.ndarray, a_high: np.ndarray, lower: np.ndarray, upper: np.ndarray,
          c: np.ndarray,
          slope: int, row: np.ndarray) -> float:  # fmt: skip
    """f(x) <= limit, f >= `f` at c and its slopes being enclosed: writes g and returns h."""
    h = above(limit - f)
    for j in range(c.size):
        y_low, y_high = below(lower[j] - c[j]), above(upper[j] - c[j])
        if c[j] == lower[j]:
            y_low, g = 0.0, a_low[j]
        elif c[j] == upper[j]:
            y_high, g = 0.0, a_high[j]
        elif slope == 0:
            g = 0.5 * (a_low[j] + a_high[j])
        else:
            g = (min(a_low[j] * y_high, a_high[j] * y_high) - min(a_low[j] * y_low, a_high[j] * y_low)) / (
                y_high - y_low
            )
        rest, _ = multiply(below(a_low[j] - g), above(a_high[j] - g), y_low, y_high)
        if c[j] == lower[j]:
            rest = 0.0 if a_low[j] == g else rest
            shift = 0.0
        else:
            rest = 0.0 if c[j] == upper[j] and a_high[j] == g else rest
            _, shift = multiply(g, g, below(c[j] - lower[j]), above(c[j] - lower[j]))
        row[j] = g
        h = above(above(h - rest) + shift)
    return h


@njit(cache=True, error_model="numpy", nogil=True)
def _rows(allowed: np.ndarray, f_low: np.ndarray, f_high: np.ndarray, a_low: np.ndarray, a_high: np.ndarray,
          lower: np.ndarray,
          upper: np.ndarray, c: np.ndarray, slope: int, usable: np.ndarray, matrix: np.ndarray, bound: np.ndarray,
          first: int) -> int:  # fmt: skip
    """Both sides of all constraints, expanded at c; arrays have the batch first. Returns the place behind
    the last row.
    """
    n = c.shape[1]
    place = first
    for i in range(allowed.shape[1]):
        for way in range(2):
            if not np.isfinite(allowed[1 - way, i]):
                continue
            for b in range(c.shape[0]):
                if not usable[b]:
                    matrix[b, place] = 0.0
                    bound[b, place] = 0.0
                elif way == 0:
                    bound[b, place] = _side(
                        allowed[1, i],
                        f_low[b, i],
                        a_low[b, i],
                        a_high[b, i],
                        lower[b],
                        upper[b],
                        c[b],
                        slope,
                        matrix[b, place],
                    )
                else:
                    bound[b, place] = _side(-allowed[0, i], -f_high[b, i], -a_high[b, i], -a_low[b, i], lower[b],
                                            upper[b], c[b], slope,
                                            matrix[b, place])  # fmt: skip
                if not np.isfinite(bound[b, place]):
                    for j in range(n):
                        matrix[b, place, j] = 0.0
                    bound[b, place] = 0.0
            place += 1
    return place


CORNERS = (0.0, 1.0)


def linear_rows(
    equations: Equations, boxes: Boxes, points: tuple[float, ...] = CORNERS, slope: Slope = Slope.SECANT
) -> tuple[Floats, Floats, Flags]:
    """matrix (box, row, variable), bound (box, row): matrix (x - lower) <= bound; and in which boxes this says
    anything.

    A point t expands at lower + t (upper - lower).
    """
    lower, upper = boxes.lower, boxes.upper
    usable = boxes.bounded
    low, high = (
        np.ascontiguousarray(np.where(usable, lower, 0.0).T),
        np.ascontiguousarray(np.where(usable, upper, 0.0).T),
    )
    allowed = np.vstack([equations.lower, equations.upper])
    rows = len(points) * int(np.isfinite(allowed).sum())
    matrix, bound = np.empty((boxes.count, rows, boxes.variables)), np.empty((boxes.count, rows))
    place = 0
    for point in points:
        c = low if point == 0.0 else high if point == 1.0 else np.clip((1.0 - point) * low + point * high, low, high)
        centre = np.ascontiguousarray(c.T)
        a_low, a_high, known = equations.progressive_slopes(lower, upper, centre)
        a_low, a_high = (
            np.ascontiguousarray(np.moveaxis(a_low, -1, 0)),
            np.ascontiguousarray(np.moveaxis(a_high, -1, 0)),
        )
        values = equations.values(centre, centre)
        f_low, f_high = np.ascontiguousarray(values.lower.T), np.ascontiguousarray(values.upper.T)
        place = _rows(
            allowed,
            f_low,
            f_high,
            a_low,
            a_high,
            low,
            high,
            c,
            int(slope),
            usable & known & values.defined,
            matrix,
            bound,
            place,
        )
    return matrix, bound, usable
