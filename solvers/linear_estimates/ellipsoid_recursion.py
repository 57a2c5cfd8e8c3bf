"""The ellipsoid that takes in one strip |y - d . theta| <= 1 after the other (S3 eq. 26-35), in two forms.

    of all  alpha (theta - c)^T M (theta - c) + (1 - alpha) (y - d . theta)^2 <= 1  the one of the smallest volume:
    with nu = y - d . c, g = d^T M^-1 d and beta = (1 - alpha) / alpha the positive root of

        (p - 1) g^2 beta^2 + g (2 p - 1 - g + nu^2) beta + p (1 - nu^2) - g = 0

    where there is one, that is where nu^2 + g / p > 1; elsewhere the strip is passed over. |nu| >= 1 + sqrt(g) is a
    strip that the ellipsoid does not meet: an outlier, passed over and counted.

The standard form solves the normal equations (eq. 30, where the last term of delta is theta_k^T N theta_k: the paper
prints theta_(k-1)); the square-root form a triangle by orthogonal rotations (eq. 35), which keeps twice the digits.
Estimates in floats: a point on the rim may be lost.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from certify.solvers.linear_estimates.ellipsoid import Ellipsoid, solved, triangle
from certify.solvers.linear_estimates.weighted_squares import Floats

BLOCK = 512  # rows that are looked at at once
Update = Callable[[Ellipsoid, Floats, float, float], Ellipsoid]


@dataclass(frozen=True, slots=True)
class Recursion:
    """The last ellipsoid, how many strips narrowed it, and which missed it."""

    ellipsoid: Ellipsoid
    used: int
    outliers: tuple[int, ...]


class NotPositiveError(ArithmeticError):
    """The information matrix is positive definite no more: rounding has eaten it."""


def square_root_form(ellipsoid: Ellipsoid, rows: Floats, y: Floats) -> Recursion:
    """S3's square root information ellipsoid filter over strips |y_k - d_k . theta| <= 1."""
    return _recursion(ellipsoid, rows, y, _rotate)


def standard_form(ellipsoid: Ellipsoid, rows: Floats, y: Floats) -> Recursion:
    """S3 eq. 30; raises NotPositiveError where rounding breaks it."""
    return _recursion(ellipsoid, rows, y, _normal)


def _recursion(ellipsoid: Ellipsoid, rows: Floats, y: Floats, update: Update) -> Recursion:
    """An ellipsoid stays as it is until a strip narrows it, so that many strips are looked at at once."""
    p, used, outliers, k = rows.shape[1], 0, list[int](), 0
    while k < len(y):
        block = slice(k, k + BLOCK)
        nu, g = y[block] - rows[block] @ ellipsoid.centre, ellipsoid.half_widths(rows[block]) ** 2
        wanted = np.flatnonzero(nu**2 + g / p > 1.0)
        if not len(wanted):
            k += BLOCK
            continue
        first = int(wanted[0])
        k += first + 1
        if abs(nu[first]) >= 1.0 + np.sqrt(g[first]):
            outliers.append(k - 1)
            continue
        beta = _weight(p, float(nu[first]), float(g[first]))
        ellipsoid = update(ellipsoid, rows[k - 1], float(y[k - 1]), 1.0 / (1.0 + beta))
        used += 1
    return Recursion(ellipsoid, used, tuple(outliers))


def _weight(p: int, nu: float, g: float) -> float:
    """The positive root, written so that nothing cancels: the last coefficient is negative."""
    a, b, c = (p - 1) * g * g, g * (2 * p - 1 - g + nu * nu), p * (1.0 - nu * nu) - g
    root = float(np.sqrt(b * b - 4.0 * a * c))
    return -2.0 * c / (b + root) if b > 0 else (root - b) / (2.0 * a)


def _rotate(before: Ellipsoid, d: Floats, y: float, alpha: float) -> Ellipsoid:
    """S3 eq. 35: Q [sqrt(alpha) (X, X c); sqrt(1 - alpha) (d, y)] = [U, u; 0, tau], then (U, u) / sqrt(1 - tau^2)."""
    p = len(d)
    above = np.sqrt(alpha) * np.column_stack([before.root, before.root @ before.centre])
    below = np.sqrt(1.0 - alpha) * np.append(d, y)
    upper = triangle(np.vstack([above, below]))
    scale = np.sqrt(max(1.0 - upper[p, p] ** 2, np.finfo(np.float64).tiny))
    centre = solved(upper[:p, :p], upper[:p, p])
    return Ellipsoid(centre, upper[:p, :p] / scale)


def _normal(before: Ellipsoid, d: Floats, y: float, alpha: float) -> Ellipsoid:
    """S3 eq. 30."""
    information, centre = before.information, before.centre
    matrix = alpha * information + (1.0 - alpha) * np.outer(d, d)
    after = solved(matrix, alpha * information @ centre + (1.0 - alpha) * d * y)
    delta = alpha * centre @ information @ centre + (1.0 - alpha) * y * y - after @ matrix @ after
    try:
        return Ellipsoid(after, np.asarray(np.linalg.cholesky(matrix / (1.0 - delta)).T, dtype=np.float64))
    except np.linalg.LinAlgError as error:
        raise NotPositiveError(
            "the information matrix of the standard form lost its sign; use the square root"
        ) from error
