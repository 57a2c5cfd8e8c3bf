"""Least squares and Gauss-Markov with noise that is correlated across channels (S1 eq. 7). Estimates.

    p_GM = (W' S^-1 W)^-1 W' S^-1 y,   covariance (W' S^-1 W)^-1
    p_LS = (W' W)^-1 W' y,             covariance (W' W)^-1 W' S W (W' W)^-1

S is block diagonal, the same block at each instant. Both take W to be exact: where it comes from noisy readings they
are biased, and their deviations are too small.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from certify.problems.errors import InputError
from certify.problems.regressors.regressor import Floats
from certify.solvers.periodic_estimates.noise import whitening


@dataclass(frozen=True, eq=False)
class Estimate:
    """What an estimator says of all parameters, and the covariance that it has by its own account."""

    name: str
    values: Floats
    covariance: Floats

    @property
    def deviations(self) -> Floats:
        """Standard errors."""
        return np.sqrt(np.diag(self.covariance))


def least_squares(matrix: Floats, forces: Floats, covariance: Floats) -> Estimate:
    """Of W (N, channels, p) and y (N, channels)."""
    inverse = _pseudo_inverse(matrix.reshape(-1, matrix.shape[-1]))
    wide = inverse.reshape(len(inverse), *forces.shape)
    spread = np.einsum("pnr,rs,qns->pq", wide, covariance, wide)
    return Estimate("LS", inverse @ forces.ravel(), spread)


def gauss_markov(matrix: Floats, forces: Floats, covariance: Floats) -> Estimate:
    """The same, weighted by the covariance of a sample."""
    white = whitening(covariance)
    inverse = _pseudo_inverse((white @ matrix).reshape(-1, matrix.shape[-1]))
    return Estimate("GM", inverse @ (forces @ white.T).ravel(), inverse @ inverse.T)


def _pseudo_inverse(matrix: Floats) -> Floats:
    size = np.linalg.norm(matrix, axis=0)
    if not (size > 0).all():
        raise InputError(f"column {int(np.argmin(size)) + 1} of the regressor is 0; leave that parameter out")
    left, values, right = np.linalg.svd(matrix / size, full_matrices=False)
    if values[-1] <= values[0] * len(matrix) * np.finfo(np.float64).eps:
        raise InputError(
            "the motion does not tell all parameters apart (the regressor has not full column rank); record a motion "
            "with more harmonics or larger amplitudes, or leave parameters out"
        )
    return np.asarray((right.T / values) @ left.T / size[:, None])
