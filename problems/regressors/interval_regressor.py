"""A linear model whose coefficients are known within intervals, too: each W_kj is some number between its ends, for
itself, as each y_k is.

    theta fits  <=>  for some W within its ends and y within its bounds every row is W_k . theta = y_k
                <=>  |middle_k . theta - y_k| <= half-width_k . |theta| + b_k  in every row      (Oettli and Prager)

What is made here are the ends; where signs of parameters are known each row is two inequalities (`sided_rows`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from certify.contractors.numbers.enclosures import enclose_rational
from certify.problems.errors import InputError
from certify.problems.regressors.regressor import (
    FAR,
    MOST_BYTES,
    Floats,
    Integers,
    Regressor,
    exact,
    finite,
    of_doubles,
    rounded_up,
)

BEYOND = 4  # digits
UNSIGNED = "rows of intervals have no coefficients of their own before signs are known; use sided(...)"


@dataclass(frozen=True, eq=False)
class IntervalRegressor(Regressor):
    """Use `with_errors`. `matrix` are the middles, of which nothing is proved; `far`, if it is stated: where the search
    box ends in each parameter for which no bound is given.
    """

    low: Floats
    high: Floats
    far: tuple[Fraction, ...] = ()

    @property
    def kind(self) -> str:
        """What its records are."""
        return "intervals"

    @property
    def has_ends(self) -> bool:
        """They are."""
        return True

    @cached_property
    def box(self) -> tuple[tuple[Fraction, Fraction], ...]:
        """The search box. A parameter whose sign is not known ends where it had to be ten thousand times as large as
        the measurements ask of its column alone: chords of intervals cost more, the longer they are.
        """
        most = float(self.base) + max(
            float(np.abs(ends[p]).max()) for ends in (self.lower, self.upper) for p in self.pieces()
        )
        found = []
        for j, (low, high) in enumerate(self.bounds):
            size = max(float(np.abs(self.matrix[p, j]).max()) for p in self.pieces())
            ratio = most / size if size else np.inf
            ends = FAR if not 0 < ratio < np.inf else Fraction(10) ** (math.ceil(math.log10(ratio)) + BEYOND)
            known = (low is not None and low >= 0) or (high is not None and high <= 0)
            far = self.far[j] if self.far else Fraction(FAR if known else min(ends, FAR))
            found.append((-far if low is None else low, far if high is None else high))
        return tuple(found)

    @property
    def is_parted(self) -> bool:
        """Whether some sign is not known."""
        return any(low < 0 < high for low, high in self.box)

    def records(self, rows: slice | Sequence[int]) -> bytes:
        """The records of some rows: both ends of each coefficient."""
        chosen = rows if isinstance(rows, slice) else np.array(rows, dtype=np.int64)
        low, high = self.low[chosen], self.high[chosen]
        pairs = np.stack([low, high], axis=2).reshape(len(low), -1)
        return np.hstack([pairs, self.lower[chosen, None], self.upper[chosen, None]]).astype("<f8").tobytes()

    def along(self, rows: slice | Integers, side: int) -> Floats:
        """None of their own: the coefficients depend on the signs of theta (`sided_rows`)."""
        raise TypeError(UNSIGNED)

    def exact(self, row: int, side: int) -> tuple[Fraction, ...]:
        """The same of one row."""
        raise TypeError(UNSIGNED)

    def reach(self, rows: slice, points: Floats) -> tuple[Floats, Floats, Floats]:
        """The least and the greatest W theta at points, and twice the size of what was added up."""
        low, high = self.low[rows], self.high[rows]
        above, below = np.maximum(points, 0.0), np.maximum(-points, 0.0)
        sizes = np.maximum(np.abs(low), np.abs(high)) @ np.abs(points)
        return low @ above - high @ below, high @ above - low @ below, 2 * sizes

    def exact_reach(self, row: int, point: Sequence[Fraction]) -> tuple[Fraction, Fraction]:
        """The least and the greatest W_k . theta, exactly."""
        pairs = zip(self.low[row].tolist(), self.high[row].tolist(), point, strict=True)
        ends = [sorted((Fraction(low) * x, Fraction(high) * x)) for low, high, x in pairs]
        return sum((pair[0] for pair in ends), Fraction(0)), sum((pair[1] for pair in ends), Fraction(0))


def with_factor(problem: IntervalRegressor, factor: Fraction) -> IntervalRegressor:
    """The same with a factor on all half-widths, in floats: for choosing, nothing is proved of it."""
    times = float(factor)
    low, high = (problem.matrix + times * (ends - problem.matrix) for ends in (problem.low, problem.high))
    middle, half = problem.lower / 2 + problem.upper / 2, times * (problem.upper - problem.lower) / 2
    lower = problem.lower if problem.is_even else middle - half
    upper = problem.upper if problem.is_even else middle + half
    return replace(problem, low=low, high=high, lower=lower, upper=upper, base=factor * problem.base)


def with_errors(problem: Regressor, W_error: Any) -> Regressor:
    """The model with half-widths of W: one number, one for each column, one for each entry, or a pair (lower, upper) of
    arrays of ends, of which W then is the middle; None for none.
    """
    if W_error is None:
        return problem
    shape = problem.matrix.shape
    if 8 * shape[0] * (2 * shape[1] + 2) > MOST_BYTES:
        raise InputError(
            f"W has {shape[0]} rows and {shape[1]} columns with two ends each, more than 1 GiB; leave out rows"
        )
    if isinstance(W_error, tuple):
        low, high = _ends(W_error, shape)
        if ((problem.matrix < low) | (problem.matrix > high)).any():
            raise InputError(
                "W_error: some entries of W are outside of their ends; give W between them, as their middle"
            )
    else:
        half = _half_widths(W_error, shape)
        low, high = -rounded_up(-problem.matrix, half), rounded_up(problem.matrix, half)
    if not (finite(low) and finite(high)):
        raise InputError("W and its half-widths are too large to be added; choose another unit")
    if (low == high).all():
        return problem
    known = {field.name: getattr(problem, field.name) for field in fields(Regressor)}
    return IntervalRegressor(**{**known, "matrix": low / 2 + high / 2}, low=low, high=high)


def _ends(pair: tuple[Any, ...], shape: tuple[int, ...]) -> tuple[Floats, Floats]:
    if len(pair) != 2:
        raise InputError(f"W_error is a tuple of {len(pair)}; give half-widths, or the pair (lower, upper) of arrays")
    low, high = (
        of_doubles(f"W_error, {name} ends", part, 2) for name, part in zip(("lower", "upper"), pair, strict=True)
    )
    if low.shape != shape or high.shape != shape:
        raise InputError(
            f"W_error: its ends have the shapes {low.shape} and {high.shape}, W has {shape}; give one end each"
        )
    if (low > high).any():
        row, column = (int(k) + 1 for k in np.argwhere(low > high)[0])
        raise InputError(f"W_error, row {row}, column {column}: the lower end exceeds the upper end; exchange them")
    return low, high


def _half_widths(given: Any, shape: tuple[int, ...]) -> Floats:
    """For each entry, rounded up."""
    if isinstance(given, str) or np.ndim(given) == 0:
        found = np.array(_one(given.item() if isinstance(given, np.ndarray) else given, "W_error"))
    elif isinstance(given, (list, tuple)) or np.ndim(given) == 1:
        found = np.array([_one(value, f"W_error, column {k}") for k, value in enumerate(given, 1)])
        if found.shape != shape[1:]:
            raise InputError(f"W_error has {found.size} half-widths for {shape[1]} columns of W; give one for each")
    else:
        found = of_doubles("W_error", given, 2)
        if found.shape != shape:
            raise InputError(f"W_error has the shape {found.shape}, W has {shape}; give a half-width for each entry")
    if (found < 0).any():
        raise InputError(f"W_error: {float(found.min()):g} is negative; give how far the entries may be off")
    return np.broadcast_to(found, shape)


def _one(value: Any, what: str) -> float:
    return enclose_rational(exact(value, what))[1]
