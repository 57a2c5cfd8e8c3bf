"""What a fit's statistics are, enclosed: with Z = (J'J)^-1 at the minimiser the standard errors sqrt(S / (n - p) Z_ii)
and the correlations Z_ij / sqrt(Z_ii Z_jj).

J are the slopes of the n residuals in the p parameters, enclosed over a box that holds the minimiser, by
outward-rounded arithmetic. Column i of Z is z in  r + J z = 0,  J' r = -e_i,  whose matrix is much better conditioned
than J'J; its solutions for all J in the enclosure are enclosed. Where that dense system would be too large Z is
enclosed from J T, T an approximate inverse of J's triangle. They are no part of a certificate.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from certify.contractors.linear.enclosure import enclose
from certify.contractors.linear.linear_system import LinearVerdict, interval_system
from certify.contractors.rows.rows import Rows
from certify.contractors.tape.derivative import gradient
from certify.contractors.tape.evaluation import Floats, evaluate
from certify.model_fits.linear_fit import Ends, outward, root
from certify.solvers.tall_squares.verified import inverse_of_squares

MOST = 1500  # observations and parameters: the system is dense


@dataclass(frozen=True, eq=False)
class FitStatistics:
    """Standard errors, rounded outwards, and the ends of Z."""

    errors: list[tuple[float, float]]
    lower: Floats
    upper: Floats

    def correlation(self, i: int, j: int) -> tuple[float, float]:
        """Of two parameters."""
        return outward(
            correlation(*((Fraction(self.lower[k]), Fraction(self.upper[k])) for k in ((i, j), (i, i), (j, j))))
        )


def correlation(mixed: Ends, first: Ends, second: Ends) -> Ends:
    """mixed / sqrt(first second), in [-1, 1]."""
    if first[0] <= 0 or second[0] <= 0:
        return Fraction(-1), Fraction(1)
    least, most = root(first[0] * second[0])[0], root(first[1] * second[1])[1]
    low = mixed[0] / (most if mixed[0] >= 0 else least)
    high = mixed[1] / (least if mixed[1] >= 0 else most)
    return max(low, Fraction(-1)), min(high, Fraction(1))


def error(entry: Ends, sum_of_squares: Ends, spare: int) -> Ends:
    """sqrt(S / spare Z_ii)."""
    low, high = (s / spare * max(z, Fraction(0)) for s, z in zip(sum_of_squares, entry, strict=True))
    return root(max(low, Fraction(0)))[0], root(high)[1]


def statistics(rows: Rows, lower: Floats, upper: Floats, sum_of_squares: tuple[float, float]) -> FitStatistics | None:
    """Of every parameter, if the box is narrow enough and there are more observations than parameters."""
    spare = rows.count - lower.size
    if spare < 1:
        return None
    low, high = _slopes(rows, lower, upper)
    if not (np.isfinite(low).all() and np.isfinite(high).all()):
        return None
    found = _dense(low, high) if rows.count + lower.size <= MOST else _tall(low, high)
    if found is None or not (np.isfinite(found[0]).all() and np.isfinite(found[1]).all()):
        return None
    total = Fraction(sum_of_squares[0]), Fraction(sum_of_squares[1])
    diagonal = [(Fraction(found[0][k, k]), Fraction(found[1][k, k])) for k in range(lower.size)]
    return FitStatistics([outward(error(entry, total, spare)) for entry in diagonal], *found)


def _slopes(rows: Rows, lower: Floats, upper: Floats) -> tuple[Floats, Floats]:
    """The ends of J (observations, parameters)."""
    ranges = evaluate(gradient(rows.tape), *rows.with_box(lower, upper, rows.lower, rows.upper))
    low, high = np.zeros((rows.count, lower.size)), np.zeros((rows.count, lower.size))
    for i in rows.unknown_inputs:  # each parameter is one input of the tape
        low[:, rows.unknowns[i]], high[:, rows.unknowns[i]] = ranges.lower[1 + i], ranges.upper[1 + i]
    low[~ranges.defined] = np.nan
    return low, high


def _dense(low: Floats, high: Floats) -> tuple[Floats, Floats] | None:
    """Both ends of Z, column by column."""
    count, size = low.shape
    matrices = []
    for slopes in (low, high):
        whole = np.zeros((count + size, count + size))
        whole[:count, :count] = np.eye(count)
        whole[:count, count:], whole[count:, :count] = slopes, slopes.T
        matrices.append(whole)
    ends = np.empty((2, size, size))
    for k in range(size):
        right = np.zeros(count + size)
        right[count + k] = -1.0
        answer = enclose(interval_system(matrices[0], matrices[1], right, right))
        if answer.verdict is not LinearVerdict.BOUNDED:
            return None
        ends[0, :, k], ends[1, :, k] = answer.lower[count:], answer.upper[count:]
    return ends[0], ends[1]


def _tall(low: Floats, high: Floats) -> tuple[Floats, Floats] | None:
    """Both ends of Z, from J T."""
    middle = 0.5 * (low + high)
    radius = np.nextafter(np.maximum(high - middle, middle - low), np.inf)
    found = inverse_of_squares(middle, radius)
    if found is None:
        return None
    return np.nextafter(found[0] - found[1], -np.inf), np.nextafter(found[0] + found[1], np.inf)
