"""How much longer a leg may have to be than the robot thinks, by places of a grid of poses and between them.

    d(x, p) = f(x, p) - f(x0, p)

At each node of the grid a certificate bounds d over all consistent x. Between nodes d loses at most what multilinear
interpolation does (`losses`), for all x of the boxes that are left: with weights that are not negative and add up to 1,

    sum w_c lower_c - below  <=  d(x, p)  <=  sum w_c upper_c + above

so that over a box of poses the bounds are those at its corners, and at the lines of the grid in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from certify.accuracy.outputs import Deviation
from certify.branches.enclosing import ARITHMETIC
from certify.checker.scope import Box
from certify.problems.model.model import Bounds
from certify.stances.losses import most_lost

FINE = 30  # binary digits of a weight
Integers = np.ndarray[Any, Any]  # of Python's integers, in parts of 2^-PRECISION
Ends = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Grid:
    """The places along each coordinate of a pose between which is interpolated."""

    lines: tuple[tuple[Fraction, ...], ...]

    @property
    def nodes(self) -> tuple[tuple[Fraction, ...], ...]:
        """All places where lines meet, the last coordinate the fastest."""
        return tuple(product(*self.lines))

    @property
    def shape(self) -> tuple[int, ...]:
        """How many lines there are of each coordinate."""
        return tuple(len(line) for line in self.lines)


@dataclass(frozen=True, eq=False)
class Readout:
    """Bounds of one leg at the nodes, and what is lost between them, below and above."""

    grid: Grid
    lower: Integers
    upper: Integers
    below: int
    above: int

    def over(self, ends: Sequence[Bounds]) -> Ends:
        """Between which d lies over a box of poses within the grid."""
        low, high = self.lower, self.upper
        for axis, ((first, last), line) in enumerate(zip(ends, self.grid.lines, strict=True)):
            if not line[0] <= first <= last <= line[-1]:
                raise ArithmeticError("a pose lies beyond the grid")
            places = dict.fromkeys((first, *(at for at in line if first < at < last), last))
            low = np.stack([_between(low, axis, line, at, up=False) for at in places], axis=axis)
            high = np.stack([_between(high, axis, line, at, up=True) for at in places], axis=axis)
        return int(low.min()) - self.below, int(high.max()) + self.above


def _between(values: Integers, axis: int, line: Sequence[Fraction], at: Fraction, up: bool) -> Integers:
    """The values interpolated along an axis, rounded outwards."""
    after = next(k for k in range(1, len(line)) if at <= line[k])
    width = line[after] - line[after - 1]
    share = (at - line[after - 1]) / width if width else Fraction(0)
    weight = round(share * 2**FINE)  # another weight is another place: no further off than the slope of the values
    first, second = values.take(after - 1, axis), values.take(after, axis)
    exact = Fraction(weight, 2**FINE) == share
    found = first * (2**FINE - weight) + second * weight
    if not exact:
        found = found + abs(second - first) * (1 if up else -1)
    rounded: Integers = -(-found >> FINE) if up else found >> FINE
    return rounded


def readout(
    grid: Grid, deviation: Deviation, boxes: Sequence[Box], bounds: Sequence[tuple[Fraction, Fraction]]
) -> Readout:
    """That of a leg whose coordinates lie in one of the boxes, from bounds at the nodes. Raises Undefined."""
    lower = np.array([ARITHMETIC.enclose(low)[0] for low, _ in bounds], dtype=object).reshape(grid.shape)
    upper = np.array([ARITHMETIC.enclose(high)[1] for _, high in bounds], dtype=object).reshape(grid.shape)
    below, above = (ARITHMETIC.enclose(lost)[1] for lost in most_lost(grid.lines, deviation, boxes))
    return Readout(grid, lower, upper, below, above)
