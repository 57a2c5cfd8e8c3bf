"""Arrays of real numbers as middles and radii, with bounds for what rounding to nearest takes."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

import numpy as np

from certify.contractors.tape.evaluation import Floats

Pair = tuple[Floats, Floats]  # middles and radii
EPS = 2.0**-52
TINY = 1e-290  # more than what underflow takes from a sum
UP = 1.0 + 2.0**-40  # more than what rounding takes from a few sums of radii


def product_of(a: Pair, b: Pair) -> Pair:
    """The matrix product of middles and radii."""
    n = a[0].shape[-1]
    middle = a[0] @ b[0]
    size, other = np.abs(a[0]), np.abs(b[0])
    radius = size @ b[1] + a[1] @ (other + b[1]) + (n + 2) * EPS * (size @ other)
    return middle, radius * UP + TINY


def total(*parts: Pair) -> Pair:
    """The sum of middles and radii."""
    middle, sizes, radius = (
        reduce(np.add, sides) for sides in zip(*((m, np.abs(m), r) for m, r in parts), strict=True)
    )
    return middle, (radius + len(parts) * EPS * sizes) * UP


def exactly(a: Floats) -> Pair:
    """A matrix of doubles."""
    return a, np.zeros_like(a)


def both(a: Pair) -> Pair:
    """a + a'."""
    return total(a, each(lambda side: np.swapaxes(side, -1, -2), a))


def times(a: Pair, factor: float) -> Pair:
    """A pair times a positive double."""
    middle = a[0] * factor
    return middle, (a[1] * factor + EPS * np.abs(middle)) * UP + TINY


def size(a: Pair) -> Floats:
    """The largest size of the numbers of a pair."""
    return (np.abs(a[0]) + a[1]) * UP


def middles(lower: Floats, upper: Floats) -> Pair:
    """Middles and radii; the radius is infinite where an end is."""
    with np.errstate(all="ignore"):
        middle = 0.5 * (lower + upper)
        radius = np.nextafter(np.maximum(upper - middle, middle - lower), np.inf)
    fine = np.isfinite(middle) & np.isfinite(radius)
    return np.where(fine, middle, 0.0), np.where(lower == upper, 0.0, np.where(fine, radius, np.inf))


def each(change: Callable[..., Floats], *pairs: Pair) -> Pair:
    """The same of middles and of radii."""
    return change(*(pair[0] for pair in pairs)), change(*(pair[1] for pair in pairs))
