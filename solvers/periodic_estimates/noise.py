"""What repeated periods tell of noise: covariances across channels, and whether it is Gaussian and white. Estimates.

    S = sum over periods k and instants i of d_ki d_ki' / (N (K - 1)),   d_ki = y_ki - mean over k of y_ki

of one period's readings; means of K periods have S / K. Noise is taken to be alike at all instants.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from certify.problems.errors import InputError
from certify.problems.regressors.regressor import Floats

MOST_TESTED = 5000  # readings of a channel: Shapiro and Wilk's p-values are not known beyond
SINGULAR = 1e-12  # of the largest eigenvalue


@dataclass(frozen=True, eq=False)
class Noise:
    """The covariance of one period's readings, and of each channel: skewness, excess kurtosis, p-values of D'Agostino
    and Pearson's test and of Shapiro and Wilk's that it is Gaussian, and the correlation of neighbours in time.
    """

    covariance: Floats
    skewness: Floats
    kurtosis: Floats
    normal: Floats
    shapiro: Floats
    neighbours: Floats
    residuals: Floats  # (channels, samples), of the variance of one reading

    @property
    def deviations(self) -> Floats:
        """Standard deviations by channel."""
        return np.sqrt(np.diag(self.covariance))

    @property
    def correlation(self) -> Floats:
        """Across channels."""
        return np.asarray(self.covariance / np.outer(self.deviations, self.deviations))

    def gaussian_at(self, level: float) -> bool:
        """Whether neither test rejects any channel, each at `level` shared by all tests (Bonferroni)."""
        tests = np.concatenate([self.normal, self.shapiro])
        return bool((tests >= level / len(tests)).all())


def noise_of(periods: Floats, what: str) -> Noise:
    """Of readings (K, N, channels)."""
    from scipy.stats import kurtosis, normaltest, shapiro, skew

    count, samples, channels = periods.shape
    if count < 2:
        raise InputError(
            f"{what}: one period does not tell its noise; record two or more, or give the covariance of the {what}"
        )
    if (count - 1) * samples < channels:
        raise InputError(
            f"{what}: {count} periods of {samples} instants leave {(count - 1) * samples} deviations from their mean, "
            f"fewer than the covariance of {channels} channels has rows; record {channels // samples + 2} periods"
        )
    off = (periods - periods.mean(0)) * np.sqrt(count / (count - 1))
    flat = off.reshape(-1, channels)
    found = checked_covariance(flat.T @ flat / len(flat), channels, f"the covariance of the {what}")
    step = max(1, len(flat) // MOST_TESTED + (len(flat) % MOST_TESTED > 0))
    few = flat[::step]
    with np.errstate(all="ignore"):
        tests = [normaltest(few, axis=0).pvalue if len(few) >= 20 else np.full(channels, np.nan)]
        tests.append(np.array([shapiro(column).pvalue if len(few) >= 3 else np.nan for column in few.T]))
    near = (off[:, 1:] * off[:, :-1]).mean((0, 1)) / (off**2).mean((0, 1))
    return Noise(found, skew(flat, axis=0), kurtosis(flat, axis=0), np.asarray(tests[0]), tests[1], near, flat.T)


def checked_covariance(matrix: Floats, size: int, what: str) -> Floats:
    """A symmetric, positive definite matrix of so many rows; raises InputError of any other."""
    matrix = np.asarray(matrix, dtype=np.float64)
    if matrix.shape != (size, size):
        raise InputError(f"{what} has the shape {matrix.shape}; give {size} rows and columns, one for each channel")
    if not np.isfinite(matrix).all():
        i, j = np.argwhere(~np.isfinite(matrix))[0]
        raise InputError(f"{what}: entry ({i + 1}, {j + 1}) is {matrix[i, j]}; give numbers")
    apart = np.abs(matrix - matrix.T)
    if (apart > 1e-9 * np.abs(matrix).max()).any():
        i, j = np.unravel_index(int(np.argmax(apart)), apart.shape)
        raise InputError(
            f"{what} is not symmetric: entry ({i + 1}, {j + 1}) is {matrix[i, j]:.6g}, ({j + 1}, {i + 1}) is "
            f"{matrix[j, i]:.6g}; give a covariance, whose halves agree"
        )
    values = np.linalg.eigvalsh(matrix)
    if not values[0] > SINGULAR * abs(values[-1]):
        raise InputError(
            f"{what} is no covariance of independent channels: its smallest eigenvalue is {values[0]:.3g}, the largest "
            f"{values[-1]:.3g}; give a positive definite matrix, or leave out a channel that others determine"
        )
    return np.asarray((matrix + matrix.T) / 2.0)


def whitening(covariance: Floats) -> Floats:
    """D with D' D = covariance^-1 (S1 eq. 5), lower triangular."""
    return np.asarray(np.linalg.inv(np.linalg.cholesky(covariance)))
