"""Candidates to choose from: a table of rows of W, each with the number of the segment (or pose) that it belongs to.

    segment,ddq [rad/s^2],dq [rad/s],sign          CSV, NPZ (arrays W and segment) or Parquet
    1,0.31,0.2,1
    1,...
    2,...

A segment is run or left as a whole. Rows that stand alone have numbers of their own.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from certify.problems.errors import InputError
from certify.problems.formulas.units import shown
from certify.problems.regressors.regressor import Floats
from certify.problems.regressors.regressor_file import Chosen, read_regressor


@dataclass(frozen=True, eq=False)
class Candidates:
    """Segments by their numbers in the table, the whitened rows of each, and the parameters with their units."""

    numbers: tuple[int, ...]
    rows: tuple[Floats, ...]
    parameters: tuple[str, ...]
    units: tuple[str, ...]


def read_candidates(path: Path, segment: str, columns: str | None = None, noise: str | None = None) -> Candidates:
    """The candidates in a table; `noise` is a column (or a number) of the readings' deviations."""
    found = read_regressor(path, Chosen(segment, noise or "1", columns=columns))
    even = np.full(found.rows, float(found.base))
    deviations = even if found.is_even else (found.upper - found.lower) / 2.0
    return candidates(found.matrix, found.y, deviations, found.names, found.units, str(path))


def candidates(
    matrix: Floats, segments: Floats, deviations: Floats, names: tuple[str, ...], units: tuple[str, ...], place: str
) -> Candidates:
    """Rows put together by their segments; raises InputError where a number is no number of a segment."""
    wrong = np.flatnonzero((segments != np.round(segments)) | (np.abs(segments) > 2.0**53))
    if len(wrong):
        raise InputError(
            f"table {place}, row {int(wrong[0]) + 1}: segment {segments[wrong[0]]:g} is no whole number; number each "
            f"segment, and give all of its rows that number"
        )
    if not (deviations > 0.0).all():
        raise InputError(
            f"table {place}, row {int(np.argmin(deviations)) + 1}: the deviation of its reading is not positive"
        )
    numbers = np.unique(segments)
    if len(numbers) < 2:
        raise InputError(
            f"table {place}: all rows belong to segment {shown(f'{numbers[0]:g}')}; there is nothing to choose from"
        )
    rows = tuple(matrix[segments == n] / deviations[segments == n, None] for n in numbers)
    return Candidates(tuple(int(n) for n in numbers), rows, names, units)
