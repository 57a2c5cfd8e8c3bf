"""One stationary point of PaLiDA's likelihood, alone in a box around the estimate (Krawczyk's theorem).

    |Y g(x)| + sum over j of |I - Y H|_ij r_j < r_i for all i   =>   g has exactly one zero within r of x

g at x and H everywhere in the box are enclosed, Y is near H's inverse; the box is a share of the standard errors
(estimated), around a point that Newton's steps have moved off the estimate. What cannot be enclosed is not decided.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from certify.periodic.ball_matrices import times
from certify.periodic.likelihood_hessian import enclosed_hessian
from certify.problems.dynamics.balls import Balls
from certify.problems.errors import InputError
from certify.problems.palida.geometry import inverse_kinematics
from certify.problems.palida.regressor import regressor
from certify.problems.regressors.regressor import Floats
from certify.records.options import Progress, silent
from certify.solvers.periodic_estimates.estimates import PeriodicEstimates
from certify.solvers.periodic_estimates.likelihood import inverse_information, pack
from certify.text.shown import Shown

SHARES = (1e-3, 1e-4, 3e-5, 1e-5, 3e-6, 1e-6)  # of standard errors
STEPS, STILL, MOST_SAMPLES = 4, 1e-7, 200
MORE = 1 + 2.0**-30  # than sums of some hundred doubles err


@dataclass(frozen=True, eq=False, repr=False)
class StationaryPoint(Shown):
    """All unknowns, their box's radii, and the share of standard errors that these are; None: nothing is proved. How
    many standard errors the box's middle is off the estimate, at most.
    """

    point: Floats
    radius: Floats
    share: float | None
    moved: float = 0.0

    @property
    def unknowns(self) -> int:
        """12 n + 31."""
        return len(self.point)


def stationary_point(found: PeriodicEstimates, progress: Progress = silent) -> StationaryPoint:
    """Of the likelihood of PaLiDA's log, of 200 instants at most."""
    model = found.experiment.model
    if model.regressor is not regressor or model.readings is not inverse_kinematics:
        raise InputError("the likelihood of a model of your own has no formula that could be enclosed; PaLiDA's has")
    if len(found.log.times) > MOST_SAMPLES:
        raise InputError(f"a period has {len(found.log.times)} instants; take every so many-th, {MOST_SAMPLES} at most")
    likely, order = found.likelihood, found.likelihood.motion.harmonics
    point = estimate = pack(likely.estimate.values, likely.motion)
    errors = np.sqrt(np.diag(inverse_information(likely.information)))
    for _ in range(STEPS):
        progress("the likelihood's Hessian")
        here = _enclosed(found, order, point, 0.0 * point)
        near = None if here is None else _near_inverse(here[1])
        if here is None or near is None:
            return StationaryPoint(point, errors, None)
        gradient = here[0]
        step = near @ gradient.middle
        if np.abs(step / errors).max() < STILL:
            break
        point = point - step
    else:
        return StationaryPoint(point, errors, None)
    moved = float((np.abs(point - estimate) / errors).max()) * MORE
    for share in SHARES:
        radius = share * errors
        progress(f"a box of {share:g} standard errors")
        around = _enclosed(found, order, point, radius)
        if around is not None and _contracts(near, gradient, around[1], radius):
            return StationaryPoint(point, radius, share, moved)
    return StationaryPoint(point, errors, None)


def _enclosed(found: PeriodicEstimates, order: int, point: Floats, radius: Floats) -> tuple[Balls, Balls] | None:
    """Gradient and Hessian; None also where a pose of the box may be singular, or no strut may have a length."""
    try:
        return enclosed_hessian(found.experiment, order, point, radius)
    except (InputError, np.linalg.LinAlgError):
        return None


def _near_inverse(hessian: Balls) -> Floats | None:
    try:
        return np.asarray(np.linalg.inv(hessian.middle), dtype=np.float64)
    except np.linalg.LinAlgError:
        return None


def _contracts(near: Floats, gradient: Balls, hessian: Balls, radius: Floats) -> bool:
    product = times(Balls.of(near), hessian)
    off = np.abs(product.middle - np.eye(len(near))) + product.radius + 2.0**-50
    pulled = np.abs(near) @ (np.abs(gradient.middle) + gradient.radius)
    return bool(((pulled + off @ radius) * MORE < radius).all())
