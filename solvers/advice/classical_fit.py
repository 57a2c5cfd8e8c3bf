"""Classical calibration of a Gough platform, S2 section 3.2: two least-squares solutions, leg by leg.

    x_c       = argmin sum_k f_k(x)^2                              f = |P + R b - a|^2 - (L + l)^2   in mm^2
    x_c_sigma = argmin sum_k (f_k(x) / s_k)^2,                     s_k^2 = sum_j (df_k/dM_j sigma_j)^2

s_k is the first-order standard deviation of f_k; S2 prints its inverse as dF/dM times the inverse of Sigma_M, which has
the unit of neither. The weights are held while a weighted fit is made, and made anew at its solution until it stays
(iteratively reweighted least squares). Only the proportions of the sigmas matter. Estimates: what they are worth is
proved elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from certify.problems.errors import InputError
from certify.problems.robots.gough_squared import Leg
from certify.solvers.fits.levenberg_marquardt import Floats, minimise

ROUNDS = 50
STAYS = 1e-9  # mm


@dataclass(frozen=True, eq=False, slots=True)
class ClassicalFit:
    """The estimated parameters (7,), the sum of squares that they minimise, and the accepted steps of all rounds
    together.
    """

    x: Floats
    cost: float
    steps: int
    stationary: bool


def unweighted_fit(leg: Leg, start: Floats) -> ClassicalFit:
    """x_c of one leg."""
    found = minimise(lambda x: (leg.values(x), leg.slopes(x)), start)
    return ClassicalFit(found.x, found.cost, found.steps, found.stationary)


def deviations_of_f(leg: Leg, x: Floats, sigmas: Floats) -> Floats:
    """s_k: the first-order standard deviations (K,) of f at x, with those of x, y, z, alpha, beta, gamma
    and L, (K, 7).
    """
    deviations: Floats = np.sqrt(((leg.measured_slopes(x) * sigmas) ** 2).sum(axis=1))
    return deviations


def weighted_fit(leg: Leg, start: Floats, sigmas: Floats) -> ClassicalFit:
    """x_c_sigma of one leg; sigmas (K, 7) as in `deviations_of_f`."""
    x, steps = np.array(start, dtype=np.float64), 0
    for _ in range(ROUNDS):
        scale = deviations_of_f(leg, x, sigmas)
        if not (scale > 0.0).all():
            raise InputError(
                f"pose {int(scale.argmin()) + 1} has only half-widths of 0, so it would weigh infinitely; give "
                f"it an accuracy"
            )
        found = minimise(lambda y, s=scale: (leg.values(y) / s, leg.slopes(y) / s[:, None]), x)  # type: ignore[misc]
        moved, x, steps = float(np.abs(found.x - x).max()), found.x, steps + found.steps
        if moved <= STAYS:
            break
    return ClassicalFit(x, found.cost, steps, found.stationary and moved <= 1e3 * STAYS)
