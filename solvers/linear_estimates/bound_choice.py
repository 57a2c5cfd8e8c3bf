"""S3's choice of the bound of the torques: the smallest of some shares of the range whose outliers are negligible.

    share 5 %, 6 %, ... 15 % of the range;  the first one at which at most NEGLIGIBLE of the strips miss the ellipsoid

The data are gone through again until a pass narrows no more: after one pass the ellipsoid is too large for a strip to
miss it. An estimate: that no strip misses the ellipsoid does not say that all strips have a point in common.
"""

from __future__ import annotations

from dataclasses import dataclass

from certify.solvers.linear_estimates.ellipsoid import Ellipsoid
from certify.solvers.linear_estimates.ellipsoid_recursion import Recursion, square_root_form
from certify.solvers.linear_estimates.weighted_squares import Floats

SHARES = tuple(percent / 100.0 for percent in range(5, 16))
NEGLIGIBLE = 3e-4  # S3: "less than 0.03 %"
PASSES, NARROWED = 20, 0.02  # of log det M^-1


@dataclass(frozen=True, slots=True)
class Choice:
    """A share of the range, the bound, and what the last pass of the recursion finds with it."""

    share: float
    bound: float
    found: Recursion


def choose_bound(start: Ellipsoid, matrix: Floats, y: Floats, full_range: float) -> list[Choice]:
    """The shares in turn, up to the first one whose outliers are negligible (or the last)."""
    tried: list[Choice] = []
    for share in SHARES:
        bound = share * full_range
        tried.append(Choice(share, bound, _passes(start, matrix / bound, y / bound)))
        if len(tried[-1].found.outliers) <= NEGLIGIBLE * len(y):
            break
    return tried


def _passes(start: Ellipsoid, rows: Floats, y: Floats) -> Recursion:
    found = square_root_form(start, rows, y)
    for _ in range(PASSES - 1):
        before, found = found, square_root_form(found.ellipsoid, rows, y)
        gain = before.ellipsoid.log_determinant - found.ellipsoid.log_determinant
        if gain < NARROWED and len(found.outliers) <= len(before.outliers):
            break
    return found
