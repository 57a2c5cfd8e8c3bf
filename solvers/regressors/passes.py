"""One look at all rows for many points at once: the rows that miss most, and how far rows miss at most, enclosed.

    reach_k(theta, t) = max(a_k . theta - (U_k + b) - t d_k,  (L_k - b) - a_k . theta - t d_k)

A row is left alone where this is not positive. `d` is 1 where t is an error, and half the width of the row's interval
where t is a factor, with the ends at the row's middle. (Of rows of intervals each side has its own a_k, and what counts
at a point are the least and the greatest W theta.) The enclosure holds for any order of summation: a dot product of
n doubles errs by (n + 2) u / (1 - (n + 2) u) times that of their absolute values at most (u = 2^-53), and by a little
where numbers are subnormal.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from certify.problems.regressors.regressor import Floats, Integers, Regressor

BLOCK = 256  # rows, the worst of which is a candidate
LEAST = -np.finfo(float).max  # of a row that is left aside
TINY = 2.0**-1000  # more than subnormal numbers can miss


@dataclass(frozen=True, slots=True)
class Reached:
    """By point: the rows that miss most with their sides, first the worst, and by how much the worst one does."""

    sides: list[list[tuple[int, int]]]
    worst: Floats


def look(
    problem: Regressor, points: Floats, errors: Floats, weights: bool, most: int, check: Callable[[], None],
    without: Sequence[Collection[int]] = (),
) -> Reached:  # fmt: skip
    """The rows that each point (a column) misses by more than its error (or factor: `weights`), so many at most; those
    `without` which it is are left aside.
    """
    values, rows, base = list[Floats](), list[Integers](), float(problem.base)
    across = np.ascontiguousarray(points.T)
    missed: tuple[Floats, ...]
    for piece in problem.pieces():
        check()
        found = across @ problem.along(piece, 1).T
        lower, upper = problem.lower[piece], problem.upper[piece]
        if weights and problem.lower is not problem.upper:
            allowed, middle = np.multiply.outer(errors, (upper - lower) / 2 + base), (lower + upper) / 2
            missed, none = (found - middle - allowed, middle - found - allowed), np.zeros(len(errors))
        elif problem.lower is problem.upper and not problem.has_sides:
            found -= upper
            missed, none = (np.abs(found),), base * errors if weights else base + errors
        else:
            above = found - upper
            below = _downwards(problem, piece, across, found) - lower
            missed, none = (above, -below), base * errors if weights else base + errors
        for side, each in zip((1, -1), missed, strict=False):
            for k, rows_without in enumerate(without):
                if rows_without:
                    each[k, _within(rows_without, piece)] = -np.inf
            worst, value = _worst_of_blocks(each)
            sides = side if len(missed) == 2 else np.where(np.take_along_axis(found, worst, 1) < 0.0, -1, 1)
            values.append(value - none[:, None])
            rows.append(sides * (piece.start + worst + 1))
    value, row = np.hstack(values), np.hstack(rows)
    count = min(most, value.shape[1])
    best = np.argpartition(-value, count - 1, axis=1)[:, :count]
    best = np.take_along_axis(best, np.argsort(-np.take_along_axis(value, best, 1), axis=1), 1)
    value, row = np.take_along_axis(value, best, 1), np.take_along_axis(row, best, 1)
    chosen = [
        [(abs(k) - 1, 1 if k > 0 else -1) for k, much in zip(each, found, strict=True) if much > 0]
        for each, found in zip(row.tolist(), value.tolist(), strict=True)
    ]
    return Reached(chosen, value[:, 0])


def _within(rows: Collection[int], piece: slice) -> list[int]:
    """The rows of a piece, counted from its first one."""
    return [row - piece.start for row in rows if piece.start <= row < piece.stop]


def _downwards(problem: Regressor, piece: slice, across: Floats, upwards: Floats) -> Floats:
    """What the lower inequalities have at points; the same where both have the same coefficients."""
    return np.asarray(across @ problem.along(piece, -1).T) if problem.has_sides else upwards


def _worst_of_blocks(missed: Floats) -> tuple[Integers, Floats]:
    """Of each block of rows, by point, the row that misses most, and by how much."""
    points, rows = missed.shape
    if rows % BLOCK:
        missed = np.hstack([missed, np.full((points, BLOCK - rows % BLOCK), -np.inf)])
    blocks = missed.reshape(points, -1, BLOCK)
    worst = blocks.argmax(axis=2)
    values = np.take_along_axis(blocks, worst[:, :, None], 2)[:, :, 0]
    return worst + BLOCK * np.arange(worst.shape[1]), values


def largest_misses(
    problem: Regressor, points: Floats, check: Callable[[], None], without: Sequence[Collection[int]] = ()
) -> tuple[Floats, list[int]]:
    """By point no less than the largest distance of a_k . theta from [L_k, U_k] over all rows, those left aside
    `without` which it is, and the row where it seems to be.
    """
    count, size = points.shape[1], problem.size
    bound, largest, rows = np.full(count, -np.inf), np.full(count, -np.inf), [0] * count
    unit = (2 * size + 4) * 2.0**-53
    share = 2 * unit / (1 - unit)
    for piece in problem.pieces():
        check()
        least, greatest, sizes = problem.reach(piece, points)
        lower, upper = problem.lower[piece, None], problem.upper[piece, None]
        missed = np.maximum(least - upper, lower - greatest)
        for k, rows_without in enumerate(without):
            missed[_within(rows_without, piece), k] = LEAST
        worst = np.argmax(missed, axis=0)
        for k, row in enumerate(worst.tolist()):
            if missed[row, k] > largest[k]:
                largest[k], rows[k] = missed[row, k], piece.start + row
        ends = np.maximum(np.abs(lower), np.abs(upper))
        most = missed + share * (sizes + ends + np.abs(missed))
        bound = np.maximum(bound, np.where(missed == LEAST, LEAST, most).max(axis=0))
    return np.where(np.isfinite(bound), bound + (4 * 2.0**-53 * np.abs(bound) + TINY), np.inf), rows


def no_less(bound: float, base: Fraction) -> Fraction | None:
    """By how much b must grow for a largest miss of at most `bound`; None if that is not finite."""
    return max(Fraction(bound) - base, Fraction(0)) if np.isfinite(bound) else None


def largest_factor(problem: Regressor, point: Floats, check: Callable[[], None], of_bound: bool = True) -> float:
    """No less than the factor on all half-widths (without `of_bound` not on the bound of all rows) with which the point
    is within every row's interval; infinite if none is known.
    """
    unit, most = (2 * problem.size + 8) * 2.0**-53, -np.inf
    share, base = 2 * unit / (1 - unit), np.nextafter(float(problem.base), -np.inf) if problem.base else 0.0
    for piece in problem.pieces():
        check()
        lower, upper = problem.lower[piece], problem.upper[piece]
        least, greatest, sizes = (part[:, 0] for part in problem.reach(piece, point[:, None]))
        off = np.abs((least + greatest) / 2 - (lower + upper) / 2)
        off += share * (sizes + np.maximum(np.abs(lower), np.abs(upper)) + off) + TINY
        half = (greatest - least) / 2 - share * sizes * problem.has_ends + (upper - lower) / 2
        off, half = (off, half + base) if of_bound else (np.maximum(off - base, 0.0) * (1 + 4 * 2.0**-53), half)
        half *= 1 - 8 * 2.0**-53
        with np.errstate(divide="ignore", invalid="ignore"):
            factor = np.where(half > 0, off / half * (1 + 4 * 2.0**-53), np.where(off > 0, np.inf, 0.0))
        most = max(most, float(factor.max())) if not np.isnan(factor).any() else np.inf
    return float(most)
