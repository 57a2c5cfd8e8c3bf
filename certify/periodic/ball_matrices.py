"""Products and sums of many balls, with all that doubles' rounding adds.

    |fl(A B) - A B| <= n u / (1 - n u) |A| |B|, u = 2^-53      in whichever order terms are added, fused or not

Radii are of (n + 4) 2 u |A| |B| and more, and 2^-1000 for what is too small for doubles.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from certify.problems.dynamics.balls import Balls

UNIT, TINY = 2.0**-52, 2.0**-1000


def times(left: Balls, right: Balls) -> Balls:
    """Matrices times matrices, the last two axes."""
    terms = left.middle.shape[-1]
    a, b = np.abs(left.middle), np.abs(right.middle)
    radius = a @ right.radius + left.radius @ (b + right.radius) + (terms + 4) * UNIT * (a @ b)
    return Balls(left.middle @ right.middle, radius * (1 + (terms + 8) * 4 * UNIT) + TINY)


def turned(matrix: Balls) -> Balls:
    """The last two axes changed for each other."""
    return Balls(np.swapaxes(matrix.middle, -1, -2), np.swapaxes(matrix.radius, -1, -2))


def total(values: Balls, axis: int) -> Balls:
    """A sum of many."""
    terms = values.middle.shape[axis]
    radius = values.radius.sum(axis) + (terms + 4) * UNIT * np.abs(values.middle).sum(axis)
    return Balls(values.middle.sum(axis), radius * (1 + (terms + 8) * 4 * UNIT) + TINY)


def joined(parts: Sequence[Balls], axis: int) -> Balls:
    """Along an axis that there is."""
    return Balls(*(np.concatenate([getattr(p, half) for p in parts], axis) for half in ("middle", "radius")))


def piled(parts: Sequence[Balls], axis: int) -> Balls:
    """Along a new axis, whatever shapes are stretched to each other."""
    halves = ([getattr(part, half) for part in parts] for half in ("middle", "radius"))
    return Balls(*(np.stack(np.broadcast_arrays(*half), axis=axis) for half in halves))


def moved(values: Balls, source: int, target: int) -> Balls:
    """An axis elsewhere."""
    return Balls(*(np.moveaxis(getattr(values, half), source, target) for half in ("middle", "radius")))


def stretched(values: Balls, shape: tuple[int, ...]) -> Balls:
    """In a larger shape."""
    return Balls(*(np.broadcast_to(getattr(values, half), shape) for half in ("middle", "radius")))
