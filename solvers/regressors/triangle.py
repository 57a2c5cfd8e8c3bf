"""What least squares know of a tall matrix, in one pass: the triangle R of (W, y) = Q R, piece by piece.

From R follow the fit, its residual, how far each parameter can reach where |W theta - y| is bounded, and directions
that the rows leave open. All of it is estimated.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from certify.problems.regressors.regressor import Floats, Regressor

Flags = NDArray[np.bool_]
FLAT = 1e-12  # of the largest singular value of scaled columns: below it a direction is open
NARROW = 1e-6  # of the usual half-width: narrower rows weigh no more
NOTICED = 1e-6  # parts of an open direction that count
TRADED = 0.5  # a correlation that counts


@dataclass(frozen=True, eq=False)
class Triangle:
    """R of W with columns of length 1, the right side Q'y, and the columns' lengths."""

    factor: Floats
    right: Floats
    lengths: Floats
    rows: int

    @cached_property
    def _parts(self) -> tuple[Floats, Floats, Floats]:
        left, values, right = np.linalg.svd(self.factor)
        return left, values, right

    @property
    def _known(self) -> Flags:
        """Which singular values are not 0."""
        values = self._parts[1]
        return np.asarray((values > FLAT * values[0]) & (values[0] > 0))

    @cached_property
    def fit(self) -> Floats:
        """The least-squares fit; of several the shortest one in scaled columns."""
        left, values, right = self._parts
        known = self._known
        coordinates = (left.T @ self.right)[known] / values[known]
        return np.asarray(right[known].T @ coordinates / self.lengths)

    @property
    def inverse(self) -> Floats:
        """That of W'W, open directions left aside."""
        _, values, right = self._parts
        known = self._known
        scaled = right[known].T / values[known] / self.lengths[:, None]
        return np.asarray(scaled @ scaled.T)

    @property
    def partners(self) -> tuple[int | None, ...]:
        """For each parameter the one with which rows correlate it most, if that is much and no direction is open."""
        covariance = self.inverse
        spread = np.sqrt(np.diag(covariance))
        if self.is_open.any() or not (spread > 0).all() or len(spread) < 2:
            return (None,) * len(spread)
        correlation = np.abs(covariance / np.outer(spread, spread)) - np.eye(len(spread))
        best = correlation.argmax(axis=1)
        return tuple(int(k) if row[k] >= TRADED else None for k, row in zip(best, correlation, strict=True))

    @cached_property
    def open_directions(self) -> Floats:
        """Directions in which W theta hardly changes, one a row, the largest part of each 1."""
        found = self._parts[2][~self._known] / self.lengths
        return np.asarray(found / np.abs(found).max(axis=1, keepdims=True))

    @property
    def is_open(self) -> Flags:
        """Which parameters have a part in an open direction."""
        found = self._parts[2][~self._known]
        return np.asarray((np.abs(found) > NOTICED).any(axis=0), dtype=np.bool_)

    def spread(self, error: float) -> Floats:
        """How far each parameter can be from the fit where no row's residual differs from the fit's by more than this,
        open directions left aside: error sqrt(N) |row of the inverse of R|.
        """
        _, values, right = self._parts
        known = self._known
        lengths = np.sqrt(((right[known].T / values[known]) ** 2).sum(axis=1))
        return np.asarray(error * np.sqrt(self.rows) * lengths / self.lengths)


def triangle(problem: Regressor, weights: Floats | None = None) -> Triangle:
    """R of all rows, each times its weight if there are weights: that of each piece below the one so far."""
    lengths = _lengths(problem, weights)
    found = np.zeros((0, problem.size + 1))
    for piece in problem.pieces():
        part = np.hstack([problem.matrix[piece] / lengths, problem.y[piece, None]])
        part = part if weights is None else part * weights[piece, None]
        found = np.asarray(np.linalg.qr(np.vstack([found, part]), mode="r"))
    size = problem.size
    whole = np.zeros((size, size + 1))
    whole[: min(size, len(found))] = found[:size]
    return Triangle(whole[:, :size], whole[:, size], lengths, problem.rows)


def row_weights(problem: Regressor) -> Floats | None:
    """1 by the half-width of each row, those that are much narrower than others like these; None where one bound holds
    for all.
    """
    if problem.is_even:
        return None
    half = (problem.upper - problem.lower) / 2
    wide = half[half > 0]
    return None if not wide.size else 1.0 / np.maximum(half, NARROW * float(np.median(wide)))


def _lengths(problem: Regressor, weights: Floats | None) -> Floats:
    """Of the columns, computed from parts of their largest entries; 1 for columns of zeros."""

    def part(piece: slice) -> Floats:
        found = problem.matrix[piece]
        return found if weights is None else found * weights[piece, None]

    largest = np.max([np.abs(part(piece)).max(axis=0) for piece in problem.pieces()], axis=0)
    largest = np.where(largest > 0, largest, 1.0)
    total = np.zeros(problem.size)
    for piece in problem.pieces():
        total += ((part(piece) / largest) ** 2).sum(axis=0)
    return np.asarray(np.where(total > 0, largest * np.sqrt(total), 1.0))
