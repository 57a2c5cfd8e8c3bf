"""Weighted least squares of a linear model whose rows belong to groups with noise of their own (S0 table 2).

    group's deviation    s_g^2 = |y_g - W_g theta_g|^2 / (rows_g - columns_g),  theta_g the group's own least squares
    estimate             theta minimises the sum over groups of |y_g - W_g theta|^2 / s_g^2
    its deviations       the roots of the diagonal of (sum over groups of W_g^T W_g / s_g^2)^-1

Estimates: the deviations hold for independent noise of rows of a true model, which filtered rows and a model with an
error are not.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from certify.problems.errors import InputError

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class WeightedSquares:
    """The estimate, its standard deviations, and the deviation of each group's rows."""

    estimate: Floats
    deviations: Floats
    of_groups: Floats

    @property
    def relative(self) -> Floats:
        """The deviations in per cent of the estimate."""
        with np.errstate(divide="ignore"):
            found: Floats = 100.0 * self.deviations / np.abs(self.estimate)
        return found


def weighted_squares(matrix: Floats, y: Floats, groups: npt.NDArray[np.int64]) -> WeightedSquares:
    """Least squares with each row divided by its group's deviation; raises InputError where they determine nothing."""
    spread = np.array([_deviation(matrix[groups == g], y[groups == g]) for g in range(int(groups.max()) + 1)])
    weights = 1.0 / spread[groups]
    size = np.linalg.norm(matrix, axis=0)
    if not (size > 0).all():
        raise InputError(f"column {int(np.argmin(size)) + 1} of the regressor is 0; leave that parameter out")
    left, values, right = np.linalg.svd(matrix / size * weights[:, None], full_matrices=False)
    if values[-1] <= values[0] * len(y) * np.finfo(np.float64).eps:
        raise InputError("the rows do not determine all parameters (the regressor has not full column rank)")
    inverse = right.T / values
    return WeightedSquares(inverse @ (left.T @ (y * weights)) / size, np.linalg.norm(inverse, axis=1) / size, spread)


def _deviation(matrix: Floats, y: Floats) -> float:
    size = np.linalg.norm(matrix, axis=0)
    scaled = matrix / np.where(size > 0, size, 1.0)
    found, _, rank, _ = np.linalg.lstsq(scaled, y, rcond=None)
    freedom = len(y) - int(rank)
    if freedom < 1:
        raise InputError(f"{len(y)} rows of one group do not tell its noise; give more rows than columns")
    least = np.finfo(np.float64).tiny
    return max(float(np.linalg.norm(y - scaled @ found)) / float(np.sqrt(freedom)), least)
