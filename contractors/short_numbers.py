"""Short numbers: doubles with few digits near a given one, where boxes are cut, divided and told.

A number is short for an interval of some width if it is a multiple of the grid 2^(floor(log2(width)) - bits), so that
about 2^bits to 2^(bits + 1) of them lie in the interval. What is said here is exact: a multiple of the grid is a double
as long as it is below 2^53 grids, and any double beyond that is one.
"""

from __future__ import annotations

import math

import numpy as np
from numba.extending import register_jitable
from numpy.typing import NDArray

Floats = NDArray[np.float64]

LARGEST = 2.0**53  # grids: what is larger is a multiple of the grid
SMALLEST = 2.0**-1074
BITS = 10  # of places where boxes are divided: certificates tell them


@register_jitable
def grid(width: float, bits: int) -> float:
    """The distance of short numbers for a positive width."""
    return max(math.ldexp(1.0, math.frexp(width)[1] - 1 - bits), SMALLEST)


@register_jitable
def short_below(value: float, width: float, bits: int) -> float:
    """The largest short number that is not above the value."""
    step = grid(width, bits)
    if abs(value) >= LARGEST * step:
        return value
    found = math.floor(value / step) * step
    return found if found <= value else found - step  # a quotient too near to 0 for doubles


@register_jitable
def short_above(value: float, width: float, bits: int) -> float:
    """The smallest short number that is not below the value."""
    return -short_below(-value, width, bits)


@register_jitable
def short_near(value: float, width: float, bits: int) -> float:
    """The short number nearest to the value; the value itself if there is no width."""
    if not width > 0.0:
        return value
    step = grid(width, bits)
    return value if abs(value) >= LARGEST * step else float(round(value / step) * step)


@register_jitable
def short_inside(face: float, cut: float, bits: int, margin: float) -> float:
    """A short number for the slab from a face to a cut, a little nearer to the face than the cut: by this part of its
    width at least.
    """
    width = abs(cut - face)
    inner = cut - math.copysign(margin * width, cut - face)
    return short_below(inner, width, bits) if cut > face else short_above(inner, width, bits)


def short_between(low: float, high: float, part: float = 0.5, bits: int = BITS) -> float:
    """A short number about this part of the way from one end to the other, strictly between them if a double is.

    An unbounded interval is divided at 0, or geometrically further out, until the constraints bound it.
    """
    return float(shorts_between(np.array([low]), np.array([high]), part, bits)[0])


def shorts_between(low: Floats, high: Floats, part: float = 0.5, bits: int = BITS) -> Floats:
    """The same for each of many intervals."""
    with np.errstate(invalid="ignore", over="ignore"):
        middle = (1.0 - part) * low + part * high
        half = 0.5 * high - 0.5 * low
        step = np.maximum(np.ldexp(1.0, np.frexp(half)[1] - bits), SMALLEST)
        short = np.where(np.abs(middle) >= LARGEST * step, middle, np.rint(middle / step) * step)
        out = np.where(np.isfinite(low), low + np.maximum(1.0, np.abs(low)), high - np.maximum(1.0, np.abs(high)))
    at = np.where((low < short) & (short < high), short, middle)
    both = np.isfinite(low) & np.isfinite(high)
    return np.asarray(np.where(both, at, np.where(np.isfinite(low) | np.isfinite(high), out, 0.0)))
