"""What a notebook says of estimates, and of what is proved here without a certificate, from arrays in Python."""

from __future__ import annotations

from certify.ellipsoids.bounding_ellipsoid import BoundingEllipsoid
from certify.ellipsoids.torque_estimates import TorqueEstimates

CONFIRMED = (
    "Every theta that fits all rows within their bounds, and lies in the box if one was given, lies in this ellipsoid "
    "(theta - centre)^T information (theta - centre) <= 1 (proved here in rational numbers, of the doubles of W, y, "
    "the bounds, the box, the centre and the information matrix; no certificate, and no separate program repeats it)."
)
WIDTHS = "The ellipsoid's half-widths are those of its floats (estimated)."


def ellipsoid_lines(found: BoundingEllipsoid) -> list[str]:
    """What is proved of it, and what is not."""
    size = len(found.centre)
    return [f"{_parameters(size)}, {len(found.products)} products of half-spaces", CONFIRMED, WIDTHS]


def torque_lines(found: TorqueEstimates) -> list[str]:
    """Weighted squares, the bound that was used, and the recursion's ellipsoid."""
    recursion, size = found.recursion, len(found.squares.estimate)
    tried = ", ".join(f"{one.bound:.4g} N m ({len(one.found.outliers)} rows outside)" for one in found.tried)
    groups = ", ".join(f"{value:.3g}" for value in found.squares.of_groups)
    return [
        f"{_parameters(size)}, ellipsoid with a bound of {found.bound:.4g} N m (all of it estimated)",
        f"Weighted least squares: deviations of the rows of each joint {groups} N m (estimated).",
        f"Bounds tried: {tried} (estimated).",
        f"The ellipsoid was narrowed by {recursion.used} rows; {len(recursion.outliers)} missed it (estimated: it is "
        f"computed in floats, and bounds nothing).",
    ]


def _parameters(size: int) -> str:
    return "1 parameter" if size == 1 else f"{size} parameters"
