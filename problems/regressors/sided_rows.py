"""Rows of intervals as linear inequalities, where the signs of parameters are known, or on a box.

    a . theta <= U + b for some a within its ends: the least a_k theta_k is what counts
        theta_k >= 0    a_k is at its lower end          theta_k <= 0    at its upper end           nothing is lost
        -u <= theta_k <= v    a_k is at the j/n of its width w for which the larger one of (1 - j/n) w u and j/n w v,
                              which the bound grows by, is least: |theta_k| under a chord (Beaumont), but for the grid

and a . theta >= L - b likewise. It is what rule `aggregate` makes of such rows after `prepare n` (specification, 7 and
12.6), number by number. A factor makes all half-widths that many times as large, those of W and of y.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cached_property

import numpy as np

from certify.problems.regressors.interval_regressor import IntervalRegressor
from certify.problems.regressors.regressor import FAR, Floats, Integers, Regressor

CELLS = 32  # of rule `prepare`: more gain little, as a split where a parameter is 0 needs none
Box = tuple[tuple[Fraction, Fraction], ...]
SIDES = (1, -1)


@dataclass(frozen=True, slots=True)
class Place:
    """Where in its interval a coefficient stands, from 0 to 1, and by how much times its width the bound grows."""

    share: Fraction
    loss: Fraction


@dataclass(frozen=True, eq=False)
class SidedRows(Regressor):
    """Use `sided`. `lower` and `upper` hold the bounds and losses; `places` are those of the two sides by parameter."""

    whole: IntervalRegressor
    searched: Box
    cells: int
    factor: Fraction
    bound: Fraction
    places: dict[int, tuple[Place, ...]]
    above: Floats
    below: Floats

    @property
    def has_sides(self) -> bool:
        """They do."""
        return True

    @property
    def box(self) -> Box:
        """What it was made for."""
        return self.searched

    @property
    def is_even(self) -> bool:
        """Whether rows weigh the same, losses left aside."""
        return self.whole.is_even

    @cached_property
    def straddling(self) -> tuple[int, ...]:
        """The parameters whose sign is not known."""
        return tuple(j for j, (low, high) in enumerate(self.searched) if low < 0 < high)

    def along(self, rows: slice | Integers, side: int) -> Floats:
        """The coefficients a of the inequalities side a . theta <= side end."""
        return np.asarray((self.above if side > 0 else self.below)[rows])

    def exact(self, row: int, side: int) -> tuple[Fraction, ...]:
        """The same of one row, exactly."""
        pairs = zip(self.whole.low[row].tolist(), self.whole.high[row].tolist(), self.places[side], strict=True)
        return tuple(_at(place.share, low, high) for low, high, place in pairs)

    def ends(self, row: int) -> tuple[Fraction, Fraction]:
        """The ends of both inequalities, exactly."""
        low, high = Fraction(float(self.whole.lower[row])), Fraction(float(self.whole.upper[row]))
        middle, half = (low + high) / 2, self.factor * (high - low) / 2 + self.bound
        lost = {side: sum((self.loss(row, side, j) for j in self.straddling), Fraction(0)) for side in SIDES}
        return middle - half - lost[-1], middle + half + lost[1]

    def loss(self, row: int, side: int, j: int) -> Fraction:
        """By how much one parameter makes the bound of an inequality grow."""
        width = Fraction(float(self.whole.high[row, j])) - Fraction(float(self.whole.low[row, j]))
        return self.places[side][j].loss * width


def sided(
    problem: IntervalRegressor, box: Sequence[tuple[Fraction, Fraction]], factor: Fraction = Fraction(1),
    bound: Fraction | None = None,
) -> SidedRows:  # fmt: skip
    """The rows on a box, with a factor on half-widths, and `bound` in the place of that of all rows."""
    cells = next((n for n in _numbers_of_cells() if not any(_tied(n, *ends) for ends in box)), CELLS)
    cells = cells if any(low < 0 < high for low, high in box) else 1
    places = {side: tuple(_place(side, cells, factor, *ends) for ends in box) for side in SIDES}
    parts = {side: _along(problem, places[side]) for side in SIDES}
    width = problem.high - problem.low
    lost = {side: width @ np.array([float(place.loss) for place in places[side]]) for side in SIDES}
    middle = problem.lower / 2 + problem.upper / 2
    allowed = factor * problem.base if bound is None else bound
    half = float(factor) * (problem.upper - problem.lower) / 2 + float(allowed)
    known = {field.name: getattr(problem, field.name) for field in fields(Regressor)}
    known |= {"lower": middle - half - lost[-1], "upper": middle + half + lost[1], "base": Fraction(0)}
    known["bounds"] = tuple((_known(low), _known(high)) for low, high in box)
    known |= {"whole": problem, "searched": tuple(box), "cells": cells, "factor": factor, "bound": allowed}
    return SidedRows(**known, places=places, above=parts[1], below=parts[-1])


def _at(share: Fraction, low: float, high: float) -> Fraction:
    """So far from one end to the other."""
    if share in (0, 1) or low == high:
        return Fraction(high if share else low)
    return Fraction(low) + share * (Fraction(high) - Fraction(low))


def _known(end: Fraction) -> Fraction | None:
    return None if abs(end) == FAR else end


def _numbers_of_cells() -> list[int]:
    """Powers of two, so that the cells of doubles have ends that are exact."""
    return [CELLS >> k for k in range(CELLS.bit_length())]


def _losses(cells: int, low: Fraction, high: Fraction) -> list[Fraction]:
    """Of the upper inequality, by the cell boundary at which a coefficient of width 1 is put."""
    return [max(Fraction(cells - j, cells) * -low, Fraction(j, cells) * high) for j in range(cells + 1)]


def _tied(cells: int, low: Fraction, high: Fraction) -> bool:
    """Whether two boundaries lose as little: then the checkers may choose either."""
    if not low < 0 < high:
        return False
    losses = _losses(cells, low, high)
    turned = _losses(cells, -high, -low)
    return losses.count(min(losses)) > 1 or turned.count(min(turned)) > 1


def _place(side: int, cells: int, factor: Fraction, low: Fraction, high: Fraction) -> Place:
    """Within the stated ends; with a factor, those grow about the middle."""
    low, high = (low, high) if side > 0 else (-high, -low)
    if low >= 0:
        share, loss = Fraction(0), Fraction(0)
    elif high <= 0:
        share, loss = Fraction(1), Fraction(0)
    else:
        losses = _losses(cells, low, high)
        loss = min(losses)
        share = Fraction(losses.index(loss), cells)
    return Place(Fraction(1, 2) + factor * (share - Fraction(1, 2)), factor * loss)


def _along(problem: IntervalRegressor, places: Sequence[Place]) -> Floats:
    shares = np.array([float(place.share) for place in places])
    found = problem.low + shares * (problem.high - problem.low)
    return np.asarray(np.where(shares == 1, problem.high, found))
