"""The noise of a reading: a deviation for all outputs, one for each, or their full covariance from a file.

    '0.5 Nm'                 of every output
    '0.5, 0.5, 0.2 Nm'       of each
    covariance.csv           a line of headings, the outputs' names, and a symmetric positive definite matrix

Whitening is a matrix S with S' S = Sigma^-1: rows S W and readings S y have noise of deviation 1.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from certify.problems.errors import InputError
from certify.problems.files.csv_text import csv_text
from certify.problems.files.table_cells import read_cells, without_blanks
from certify.problems.files.table_columns import listed
from certify.problems.formulas.units import is_decimal, parse_decimals, shown
from certify.problems.motions.excited import Excited
from certify.problems.regressors.regressor import Floats

_AMOUNT = re.compile(r"\s*[-+.\d]")
SYMMETRIC = 1e-9  # of the larger variance: more is no rounding
SINGULAR = 1e-12  # of the largest eigenvalue of the correlations


def noise_of(text: str | None, robot: Excited) -> Floats:
    """The covariance, (outputs, outputs); without a text that of noise of one unit."""
    count = len(robot.outputs)
    if text is None:
        return np.eye(count)
    if not _AMOUNT.match(text):
        return covariance(_matrix(Path(text), robot), robot.outputs, f"--noise {text}")
    parts = [part.strip() for part in text.split(",")]
    found, units = [], list(dict.fromkeys(robot.output_units))
    for part in parts:
        number, _, unit = part.partition(" ")
        if not is_decimal(number) or not float(number.replace(",", ".")) > 0.0:
            raise InputError(f"--noise {shown(part)}: give a positive deviation, such as '0.5 {units[0]}'".rstrip())
        if unit.strip() and unit.strip() not in units:
            raise InputError(f"--noise {shown(part)}: readings are in {' and '.join(units)}; give it in that")
        found.append(float(number))
    if len(found) not in (1, count):
        raise InputError(
            f"--noise {shown(text)} has {len(found)} numbers; give one, or one for each of "
            f"{listed(list(robot.outputs))}"
        )
    return np.diag(np.broadcast_to(np.array(found) ** 2, (count,)))


def _matrix(path: Path, robot: Excited) -> Floats:
    text = csv_text(path)
    headings = without_blanks(next((cells for _, cells in text.cells()), []))
    names = list(headings)
    if sorted(names) != sorted(robot.outputs):
        raise InputError(
            f"--noise {path}: its first line names {listed(headings)}; write one column for each output, "
            f"{', '.join(robot.outputs)}"
        )
    cells = read_cells(text, True, len(headings), range(len(headings)))
    mark = cells.decimal(dict(enumerate(names)))
    columns = [parse_decimals(cells.texts[k], cells.place(name), mark) for k, name in enumerate(names)]
    found = np.array([[float(value) for value in column] for column in columns]).T
    if found.shape[0] != found.shape[1]:
        raise InputError(
            f"--noise {path}: it has {found.shape[0]} lines of numbers and {found.shape[1]} columns; a covariance has "
            f"a line for each column, in the same order"
        )
    order = [names.index(name) for name in robot.outputs]
    return np.asarray(found[np.ix_(order, order)])


def covariance(matrix: Floats, names: tuple[str, ...], place: str) -> Floats:
    """The same matrix, if it is a covariance; raises InputError that names what is wrong."""
    if not np.isfinite(matrix).all():
        raise InputError(f"{place}: it has an entry that is no number; write finite numbers")
    variances = np.diag(matrix)
    if not (variances > 0.0).all():
        k = int(np.argmin(variances))
        raise InputError(f"{place}: the variance of {names[k]} is {variances[k]:.6g}; variances are positive")
    size = np.sqrt(np.outer(variances, variances))
    apart = np.abs(matrix - matrix.T) / size
    if apart.max() > SYMMETRIC:
        i, j = (int(k) for k in np.unravel_index(int(np.argmax(apart)), apart.shape))
        raise InputError(
            f"{place}: it is no covariance: row {names[i]}, column {names[j]} is {matrix[i, j]:.6g}, and row "
            f"{names[j]}, column {names[i]} is {matrix[j, i]:.6g}; the two have to be the same"
        )
    values, directions = np.linalg.eigh((matrix + matrix.T) / 2.0 / size)
    if values[0] <= SINGULAR * values[-1]:
        rank = int((values > SINGULAR * values[-1]).sum())
        share = ", ".join(
            f"{value:+.2g} {name}" for name, value in zip(names, directions[:, 0], strict=True) if abs(value) > 0.1
        )
        raise InputError(
            f"{place}: it is no covariance of {len(names)} outputs: along {share} (each by its deviation) the variance "
            f"is {values[0]:.3g}, not positive; its rank is {rank}. A covariance from repeated periods needs more "
            f"periods than it has rows, {len(names)}: record more, or give deviations only"
        )
    return matrix


def whitening(matrix: Floats) -> Floats:
    """S of a covariance."""
    deviations = np.sqrt(np.diag(matrix))
    lower = np.linalg.cholesky(matrix / np.outer(deviations, deviations))
    return np.asarray(np.linalg.inv(lower) / deviations)
