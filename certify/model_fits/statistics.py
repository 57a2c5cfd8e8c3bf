"""What a fit's statistics are, enclosed: the standard errors  sqrt(S / (n - p) * ((J' J)^-1)_ii)  at the minimiser.

J are the slopes of the n residuals in the p parameters, enclosed over a box that holds the minimiser, by
outward-rounded arithmetic. Column i of (J' J)^-1 is z in  r + J z = 0,  J' r = -e_i,  whose matrix is much better
conditioned than J' J; its solutions for all J in the enclosure are enclosed. They are no part of a certificate.
"""

from __future__ import annotations

import math

import numpy as np

from certify.contractors.linear.enclosure import enclose
from certify.contractors.linear.linear_system import LinearVerdict, interval_system
from certify.contractors.rows.rows import Rows
from certify.contractors.tape.derivative import gradient
from certify.contractors.tape.evaluation import Floats, evaluate

MOST = 1500  # observations and parameters: the system is dense
Ends = tuple[float, float]


def standard_errors(rows: Rows, lower: Floats, upper: Floats, sum_of_squares: Ends) -> list[Ends] | None:
    """Of every parameter, if the box is narrow enough and there are more observations than parameters."""
    spare = rows.count - lower.size
    if spare < 1 or rows.count + lower.size > MOST:
        return None
    low, high = _slopes(rows, lower, upper)
    if not (np.isfinite(low).all() and np.isfinite(high).all()):
        return None
    found = [_inverse_entry(low, high, k) for k in range(lower.size)]
    if any(ends is None for ends in found):
        return None
    return [_error(ends, sum_of_squares, spare) for ends in found if ends is not None]


def _slopes(rows: Rows, lower: Floats, upper: Floats) -> tuple[Floats, Floats]:
    """The ends of J (observations, parameters)."""
    ranges = evaluate(gradient(rows.tape), *rows.with_box(lower, upper, rows.lower, rows.upper))
    low, high = np.zeros((rows.count, lower.size)), np.zeros((rows.count, lower.size))
    for i in rows.unknown_inputs:  # each parameter is one input of the tape
        low[:, rows.unknowns[i]], high[:, rows.unknowns[i]] = ranges.lower[1 + i], ranges.upper[1 + i]
    low[~ranges.defined] = np.nan
    return low, high


def _inverse_entry(low: Floats, high: Floats, k: int) -> Ends | None:
    """Entry (k, k) of (J' J)^-1, not negative."""
    count, size = low.shape
    matrices = []
    for slopes in (low, high):
        whole = np.zeros((count + size, count + size))
        whole[:count, :count] = np.eye(count)
        whole[:count, count:], whole[count:, :count] = slopes, slopes.T
        matrices.append(whole)
    right = np.zeros(count + size)
    right[count + k] = -1.0
    answer = enclose(interval_system(matrices[0], matrices[1], right, right))
    if answer.verdict is not LinearVerdict.BOUNDED:
        return None
    return max(float(answer.lower[count + k]), 0.0), float(answer.upper[count + k])


def _error(entry: Ends, sum_of_squares: Ends, spare: int) -> Ends:
    """sqrt(S / spare * entry), rounded outwards: each operation by a neighbour."""
    ends = []
    for s, z, towards in zip(sum_of_squares, entry, (-math.inf, math.inf), strict=True):
        product = math.nextafter(math.nextafter(s / spare, towards) * z, towards)
        ends.append(max(math.nextafter(math.sqrt(max(product, 0.0)), towards), 0.0))
    return ends[0], ends[1]
