"""Which rows look wrong: those that a fit misses most which few rows do not drag away. Estimated.

theta = argmin sum_k |a_k . theta - y_k|      by least squares, each row weighted by its last residual
"""

from __future__ import annotations

import numpy as np

from certify.problems.regressors.interval_regressor import IntervalRegressor
from certify.problems.regressors.regressor import Floats, Regressor
from certify.solvers.limits import Limit
from certify.solvers.regressors.triangle import triangle

TURNS = 12
NEAR = 0.1  # of the bound, or of the middle residual: smaller residuals weigh no more


def suspects(problem: Regressor, limit: Limit) -> list[int]:
    """The rows that such a fit misses by more than their bounds, first the one that it misses most."""
    base = float(problem.base)
    half = (problem.upper - problem.lower) / 2 + base
    weights, off, allowed = np.ones(problem.rows), half, half
    for _ in range(TURNS):
        limit.check()
        fit = triangle(problem, weights).fit
        off, allowed = np.abs(_residuals(problem, fit)), half + _spread(problem, fit)
        least = NEAR * max(float(np.median(half)), float(np.median(off))) or np.finfo(float).tiny
        weights = 1.0 / np.sqrt(np.maximum(off, least) / least)
    beyond = off - allowed
    order = np.argsort(-beyond, kind="stable")
    return [int(k) for k in order[: int((beyond > 0).sum())]]


def _spread(problem: Regressor, point: Floats) -> Floats:
    """How far the ends of W's intervals take a row at a point."""
    if not isinstance(problem, IntervalRegressor):
        return np.zeros(problem.rows)
    parts = [(problem.high[piece] - problem.low[piece]) / 2 @ np.abs(point) for piece in problem.pieces()]
    return np.concatenate(parts)


def _residuals(problem: Regressor, point: Floats) -> Floats:
    parts = [
        (problem.lower[piece] + problem.upper[piece]) / 2 - problem.matrix[piece] @ point for piece in problem.pieces()
    ]
    return np.concatenate(parts)
