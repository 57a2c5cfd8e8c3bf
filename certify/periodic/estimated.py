"""Everything that is estimated from a log of a motion that repeats, as an answer that shows itself in a notebook."""

from __future__ import annotations

from dataclasses import fields

from certify.problems.periodic.periodic_log import PeriodicLog
from certify.problems.periodic.periodic_model import PeriodicModel
from certify.problems.regressors.regressor import Floats
from certify.solvers.periodic_estimates.estimates import ORDER
from certify.solvers.periodic_estimates.estimates import PeriodicEstimates as Found
from certify.solvers.periodic_estimates.estimates import periodic_estimates as estimate
from certify.text.shown import Shown


class PeriodicEstimates(Shown, Found):
    """What the estimators say, that shows itself in a notebook."""


def periodic_estimates(
    log: PeriodicLog, model: PeriodicModel, *, order: int = ORDER, cut_off: float | None = None,
    of_readings: Floats | None = None, of_forces: Floats | None = None,
) -> PeriodicEstimates:  # fmt: skip
    """Least squares, Gauss-Markov and maximum likelihood from one log: harmonics of the motion, the cut-off of filtered
    poses in Hz, and covariances of one period's readings and forces, where these are known.
    """
    found = estimate(log, model, order=order, cut_off=cut_off, of_readings=of_readings, of_forces=of_forces)
    return PeriodicEstimates(**{one.name: getattr(found, one.name) for one in fields(found)})
