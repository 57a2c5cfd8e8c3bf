"""Columns of boxes to second order: middles and radii of values, slopes and curves, row by row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from certify.contractors.tape.evaluation import Floats, Ranges
from certify.solvers.projected.confluent import Differences
from certify.solvers.projected.pairs import Pair, middles, times


@dataclass(frozen=True)
class Taylor:
    """Middles and radii of N boxes' columns, the last one what is left of the row without them: values at the middle of
    the box (N, K, q), slopes there (N, d, K, q), second derivatives over the box (N, d, d, K, q), where the rows are
    `smooth` (N, K), twice differentiable on all of the box. Elsewhere the values are those over the box.
    """

    value: Pair
    slope: Pair
    curve: Pair
    smooth: NDArray[np.bool_]
    stretch: Floats | None = None  # (N, d): how much exponents of factors vary in each direction, at most, by estimate


@dataclass(frozen=True)
class Parts:
    """What columns of boxes are made of, to be completed: values at the middle, over the box, slopes and curves."""

    value: Pair
    natural: Pair
    slope: Pair
    curve: Pair

    def put(
        self, found: Differences, order: int, boxes: NDArray[np.int64], column: int, places: list[int | None]
    ) -> None:
        """A divided difference of the first `order` + 1 parameters, which stand at these places, as a column."""
        chosen = tuple(range(order + 1))
        _store(self.value, (boxes, slice(None), column), found.at(chosen))
        _store(self.natural, (boxes, slice(None), column), found.over(chosen))
        for pair in (self.slope, self.curve):
            for side in pair:
                side[boxes, ..., column] = 0.0
        moving = [i for i in chosen if places[i] is not None]
        for i in moving:
            _store(self.slope, (boxes, places[i], slice(None), column), found.at(tuple(sorted((*chosen, i)))))
            for j in moving:
                bent = times(found.over(tuple(sorted((*chosen, i, j)))), 2.0 if i == j else 1.0)
                _store(self.curve, (boxes, places[i], places[j], slice(None), column), bent)


def spread(
    names: list[tuple[int, ...]],
    ranges: Ranges,
    smooth: NDArray[np.bool_],
    shape: tuple[int, int],
    sizes: tuple[int, ...],
) -> Pair:
    """Middles and radii (N, ..., K, q) of derivatives, 0 where rows are not smooth."""
    *axes, q = sizes
    sides = tuple(np.zeros((shape[0], *axes, shape[1], q)) for _ in range(2))
    for name, low, high in zip(names, ranges.lower, ranges.upper, strict=True):
        column, *places = name
        for side, found in zip(sides, middles(np.where(smooth, low, 0.0), np.where(smooth, high, 0.0)), strict=True):
            where: Any = (slice(None), *places, slice(None), column)
            side[where] = found.reshape(shape)
    return sides[0], sides[1]


def _store(pair: Pair, where: Any, found: Pair) -> None:
    for side, values in zip(pair, found, strict=True):
        side[where] = values
