"""Ellipsoids of parameters, and what they say of torques.

E(c, M) = {theta: (theta - c)^T M (theta - c) <= 1}                     S3 eq. 26
d . theta for theta in E:  d . c -+ sqrt(d^T M^-1 d)                    S3 eq. 37
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from certify.solvers.linear_estimates.weighted_squares import Floats


def solved(matrix: Floats, right: Floats) -> Floats:
    """The solution of a square system."""
    return np.asarray(np.linalg.solve(matrix, right), dtype=np.float64)


def triangle(matrix: Floats) -> Floats:
    """The upper triangle R of A = Q R."""
    return np.asarray(np.linalg.qr(matrix, mode="r"), dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Ellipsoid:
    """Its centre, (p,), and an upper triangular X with M = X^T X, (p, p)."""

    centre: Floats
    root: Floats

    @property
    def information(self) -> Floats:
        """M, (p, p)."""
        found: Floats = self.root.T @ self.root
        return found

    @property
    def log_determinant(self) -> float:
        """log det M^-1: S3's uncertainty volume, of which the volume is the square root times that of the unit ball."""
        return float(-2.0 * np.log(np.abs(np.diag(self.root))).sum())

    def half_widths(self, rows: Floats) -> Floats:
        """sqrt(d^T M^-1 d) of rows d, (rows,)."""
        found: Floats = np.linalg.norm(solved(self.root.T, rows.T), axis=0)
        return found

    def bounds(self, rows: Floats) -> tuple[Floats, Floats]:
        """The smallest and largest d . theta in the ellipsoid, for rows d (S3 eq. 37, figure 4)."""
        middle, width = rows @ self.centre, self.half_widths(rows)
        return middle - width, middle + width

    def box(self) -> tuple[Floats, Floats]:
        """The smallest box around it."""
        return self.bounds(np.eye(len(self.centre)))

    def distances(self, points: Floats) -> Floats:
        """(theta - c)^T M (theta - c) of points, (points, p)."""
        found: Floats = (((points - self.centre) @ self.root.T) ** 2).sum(axis=1)
        return found


def around_box(lower: Floats, upper: Floats) -> Ellipsoid:
    """The smallest ellipsoid around a box: half axes sqrt(p) times its half-widths."""
    return Ellipsoid((lower + upper) / 2.0, np.diag(2.0 / ((upper - lower) * np.sqrt(len(lower)))))
