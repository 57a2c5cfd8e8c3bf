"""What S0 and S3 estimate of a linear model beside its enclosures: weighted squares, S3's bound, and its ellipsoid.

All of it is in floats, and called estimated wherever it is told.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from certify.problems.dynamics.signal_chain import Regression
from certify.problems.errors import InputError
from certify.solvers.linear_estimates.bound_choice import Choice, choose_bound
from certify.solvers.linear_estimates.ellipsoid import around_box
from certify.solvers.linear_estimates.ellipsoid_recursion import Recursion, square_root_form
from certify.solvers.linear_estimates.weighted_squares import WeightedSquares, weighted_squares
from certify.text.shown import Shown


@dataclass(frozen=True, eq=False, repr=False)
class TorqueEstimates(Shown):
    """Weighted least squares (S0 table 2), the bounds that S3 would try, and the ellipsoid that one pass over the data
    gives with `bound` (S3 table I).
    """

    squares: WeightedSquares
    tried: tuple[Choice, ...]
    recursion: Recursion
    bound: float


def torque_estimates(
    rows: Regression, full_range: float, box: tuple[ArrayLike, ArrayLike], bound: float | None = None
) -> TorqueEstimates:
    """The estimates of the equations of a log; `full_range` in N m is what S3's shares are of, `box` where the
    parameters are searched, `bound` in N m that of the ellipsoid (the one that S3 would choose, if nothing is said).
    """
    size = rows.matrix.shape[1]
    lower, upper = (np.broadcast_to(np.asarray(end, dtype=np.float64), size) for end in box)
    if not (np.isfinite(lower) & np.isfinite(upper) & (lower < upper)).all():
        raise InputError("the box of the parameters has to be bounded on all sides; give finite ends that ascend")
    if not (full_range > 0 and (bound is None or bound > 0)):
        raise InputError(f"the range {full_range:g} N m and the bound have to be positive; give them in N m")
    start = around_box(lower, upper)
    tried = choose_bound(start, rows.matrix, rows.torques, full_range)
    used = tried[-1].bound if bound is None else bound
    return TorqueEstimates(
        weighted_squares(rows.matrix, rows.torques, rows.joints),
        tuple(tried),
        square_root_form(start, rows.matrix / used, rows.torques / used),
        used,
    )
