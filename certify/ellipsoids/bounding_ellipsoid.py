"""The ellipsoid around all parameters that fit a linear model within its bounds, as small as weights on products
of half-spaces can prove.

    every theta in the box with |y_k - W_k theta| <= bound_k for all k  has  (theta - c)^T M (theta - c) <= 1

Floats choose weights, c and M (a semidefinite program); certify/ellipsoids/exact_ellipsoid.py says, with the doubles of
W, y, c and M taken exactly, whether that is true. Nothing is returned for which it does not. What is claimed is
confirmed here: no separate program repeats it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from certify.ellipsoids.exact_ellipsoid import Product, proves
from certify.problems.errors import InputError
from certify.solvers.linear_estimates.ellipsoid import Ellipsoid
from certify.solvers.linear_estimates.product_weights import smallest_by_products
from certify.solvers.linear_estimates.weighted_squares import Floats
from certify.text.shown import Shown

SLACKS = tuple(10.0**exponent for exponent in range(-12, -2))  # by how much M and the weights stay below the floats'
MOST_PARAMETERS = 64


@dataclass(frozen=True, eq=False, repr=False)
class BoundingEllipsoid(Shown):
    """(theta - centre)^T information (theta - centre) <= 1, both exactly these doubles, and the products that prove it.

    `slack` is by how much it is larger than the floats' own, relative; `estimated` is that, for what is computed from
    it in floats (volume, torque bounds: estimates).
    """

    centre: Floats
    information: Floats
    products: tuple[Product, ...]
    slack: float
    estimated: Ellipsoid

    def contains(self, theta: Sequence[Fraction]) -> bool:
        """Whether a point is in the ellipsoid, exactly."""
        away = [value - Fraction(middle) for value, middle in zip(theta, self.centre.tolist(), strict=True)]
        rows = [[Fraction(value) for value in row] for row in self.information.tolist()]
        return (
            sum(a * sum(m * b for m, b in zip(row, away, strict=True)) for a, row in zip(away, rows, strict=True)) <= 1
        )


def bounding_ellipsoid(
    matrix: ArrayLike,
    y: ArrayLike,
    bound: ArrayLike,
    box: tuple[ArrayLike, ArrayLike] | None = None,
    narrow: ArrayLike | None = None,
    mixed: float = 0.0,
) -> BoundingEllipsoid | None:
    """The ellipsoid of a regressor, (rows, p), its outputs, and a positive bound for all rows or for each: as small as
    weights can make it, or, with the rows of another motion in `narrow`, with the narrowest outputs there, or between
    both by the share `mixed` of the volume. Nothing if no weights were confirmed.

    Raises InputError for numbers that are none, and where rows and box leave a direction open, or hardly a point.
    """
    rows, outputs, bounds = _strips(matrix, y, bound, box)
    others = None if narrow is None else _regressor(narrow, rows.shape[1])
    if not 0.0 <= mixed <= 1.0 or (mixed and others is None):
        raise InputError(f"mixed is {mixed:g}; give the volume's share, 0 to 1, beside rows in narrow")
    found = smallest_by_products(rows / bounds[:, None], outputs / bounds, others, mixed)
    sizes = np.concatenate([bounds, bounds, [1.0]])[found.pairs]
    weights = found.weights / sizes[:, 0] / sizes[:, 1]
    sides = {k: _half_space(k, rows, outputs, bounds) for k in np.unique(found.pairs).tolist()}
    centre = [Fraction(value) for value in found.ellipsoid.centre.tolist()]
    for slack in SLACKS:
        information = (1.0 - 2.0 * slack) * found.ellipsoid.information
        information = (information + information.T) / 2.0
        exact = [[Fraction(value) for value in row] for row in information.tolist()]
        products = tuple(
            Product(sides[i], sides[j], Fraction((1.0 - slack) * weight))
            for (i, j), weight in zip(found.pairs.tolist(), weights.tolist(), strict=True)
        )
        if proves(products, centre, exact):
            return BoundingEllipsoid(found.ellipsoid.centre, information, products, slack, found.ellipsoid)
    return None


def _half_space(k: int, rows: Floats, y: Floats, bounds: Floats) -> tuple[Fraction, ...]:
    """One side of a strip, or the number 1, with the exact values of the doubles."""
    if k == 2 * len(y):
        return (*[Fraction(0)] * rows.shape[1], Fraction(1))
    row, sign = k % len(y), 1 if k < len(y) else -1
    return (
        *(sign * Fraction(value) for value in rows[row].tolist()),
        Fraction(float(bounds[row])) - sign * Fraction(float(y[row])),
    )


def _regressor(matrix: ArrayLike, size: int) -> Floats:
    """The rows whose outputs are to be narrow."""
    rows = np.asarray(matrix, dtype=np.float64)
    if rows.ndim != 2 or rows.shape[1] != size or not len(rows) or not np.isfinite(rows).all() or not rows.any():
        raise InputError(
            f"narrow has the shape {rows.shape}; give finite rows of the {size} columns of the regressor, not all 0"
        )
    return rows


def _strips(
    matrix: ArrayLike, y: ArrayLike, bound: ArrayLike, box: tuple[ArrayLike, ArrayLike] | None
) -> tuple[Floats, Floats, Floats]:
    """The rows of the data, and behind them those of the box: unit vectors, its middle and half its width."""
    rows = np.asarray(matrix, dtype=np.float64)
    if rows.ndim != 2 or not 1 <= rows.shape[1] <= MOST_PARAMETERS or not len(rows):
        raise InputError(
            f"the regressor has the shape {rows.shape}; give rows x parameters, 1 to {MOST_PARAMETERS} of them"
        )
    outputs = np.asarray(y, dtype=np.float64).ravel()
    if len(outputs) != len(rows):
        raise InputError(f"there are {len(outputs)} outputs for {len(rows)} rows; give one for each")
    bounds = np.asarray(bound, dtype=np.float64).ravel()
    if len(bounds) not in (1, len(rows)):
        raise InputError(f"there are {len(bounds)} bounds for {len(rows)} rows; give one for all or one for each")
    bounds = np.broadcast_to(bounds, outputs.shape)
    for name, values in (("regressor", rows), ("outputs", outputs), ("bounds", bounds)):
        wrong = np.argwhere(~np.isfinite(values))
        if len(wrong):
            raise InputError(
                f"the {name} have a number that is not finite, in row {wrong[0][0] + 1}; leave the row out"
            )
    if not (bounds > 0).all():
        raise InputError(f"the bound of row {int(np.argmin(bounds)) + 1} is {bounds.min():g}; give positive ones")
    if box is None:
        return rows, outputs, np.array(bounds)
    lower, upper = (np.broadcast_to(np.asarray(end, dtype=np.float64), rows.shape[1]) for end in box)
    if not (lower < upper).all():
        k = int(np.argmax(~(lower < upper)))
        raise InputError(
            f"the box of parameter {k + 1} is {lower[k]:g} to {upper[k]:g}; give ends that ascend, and leave a "
            f"parameter that is known out"
        )
    held = np.flatnonzero(np.isfinite(lower) & np.isfinite(upper))
    middle = (lower[held] + upper[held]) / 2.0
    half = np.nextafter(np.maximum(upper[held] - middle, middle - lower[held]), np.inf)  # outwards
    return np.vstack([rows, np.eye(rows.shape[1])[held]]), np.append(outputs, middle), np.append(bounds, half)
