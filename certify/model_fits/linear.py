"""Linear least squares of any size: y = x b by the engine's outward rounding, or in rational numbers."""

from __future__ import annotations

import time
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from certify.contractors.tape.evaluation import Floats
from certify.model_fits.exact_linear import MOST_SECONDS, exact_seconds, scaled, solved
from certify.model_fits.linear_fit import LinearFit
from certify.model_fits.statistics import correlation, error
from certify.problems.errors import InputError
from certify.problems.model_fits.losses import SQUARES
from certify.problems.model_fits.observations import observations
from certify.records.options import Progress
from certify.solvers.tall_squares.verified import Enclosed, enclosed_squares

MODEL = "linear"
FEW = 20_000  # numbers that are taken as fractions at once, where nobody said how


def linear(model: str, x: Any, y: Any, *, weights: Any, loss: str, exact: bool | None, progress: Progress) -> LinearFit:
    """The minimum of |x b - y|^2, a parameter for each column of x."""
    if model != MODEL or loss != SQUARES:
        raise InputError(
            f'the model is {model!r} with the loss {loss!r}; give a function, or "linear" with the loss "squares"'
        )
    table = None if exact or weights is not None else _doubles(x, y)
    if exact is False and table is None:
        raise InputError("x and y are not both columns of doubles without weights; leave out exact=False")
    if table is None or (exact is None and table[1].size <= FEW):
        return _in_fractions(x, y, weights, progress, exact)
    names, matrix, right = table
    began = time.process_time()
    found = enclosed_squares(matrix, right)
    if found is None:
        raise InputError(
            f"the columns {', '.join(names)} are too nearly dependent for doubles, or their numbers are beyond 2^400; "
            f"leave one out, or ask for exact=True"
        )
    return _fit(names, found, len(right), time.process_time() - began)


def _doubles(x: Any, y: Any) -> tuple[tuple[str, ...], Floats, Floats] | None:
    """Names, matrix and right side, where all are arrays (or columns) of doubles: lists may hold whole numbers that no
    double is, and masks are no numbers.
    """
    if isinstance(x, Mapping) or (hasattr(x, "columns") and hasattr(x, "__getitem__")):
        names = tuple(map(str, x if isinstance(x, Mapping) else x.columns))
        given = [x[name] for name in (x if isinstance(x, Mapping) else x.columns)]
        if not all(map(_is_doubles, given)) or len(set(names)) < len(names):
            return None
        columns = [np.asarray(column) for column in given]
        if not columns or any(column.dtype != np.float64 or column.ndim != 1 for column in columns):
            return None
        matrix = np.column_stack(columns)
    elif not _is_doubles(x):
        return None
    else:
        matrix = np.asarray(x)
        matrix = matrix[:, None] if matrix.ndim == 1 else matrix
        names = tuple(f"b{k}" for k in range(1, matrix.shape[-1] + 1)) if matrix.ndim == 2 else ()
    if not _is_doubles(y):
        return None
    right = np.asarray(y)
    if matrix.dtype != np.float64 or right.dtype != np.float64 or matrix.ndim != 2 or right.ndim != 1:
        return None
    if len(matrix) != len(right) or len(right) < matrix.shape[1]:
        raise InputError(
            f"x has {len(matrix)} rows and {matrix.shape[1]} columns, y has {len(right)} numbers; give as many numbers "
            f"as rows, and not fewer than columns"
        )
    if not (np.isfinite(matrix).all() and np.isfinite(right).all()):
        raise InputError("x or y holds a number that is not finite; leave that observation out")
    return names, matrix, right


def _is_doubles(values: Any) -> bool:
    return getattr(values, "dtype", None) == np.float64 and not isinstance(values, np.ma.MaskedArray)


def _in_fractions(x: Any, y: Any, weights: Any, progress: Progress, asked: bool | None) -> LinearFit:
    """Exactly, told how long it takes."""
    told = exact_seconds(len(y), 1 + (np.shape(x)[1] if np.ndim(x) == 2 else 1))
    progress(f"rational numbers: some {told:.2g} s of processor time, more if the numbers are long")
    data = observations(x, y, weights)
    weighed = data.weights or (Fraction(1),) * data.count
    columns = [*data.predictors.values(), data.response]
    rows = [[w * value for value in row] for w, *row in zip(weighed, *columns, strict=True)]
    names = tuple(f"b{k}" for k in range(1, len(columns))) if _nameless(x) else tuple(data.predictors)
    if data.count < len(names):
        raise InputError(f"there are {data.count} observations and {len(names)} parameters; give more observations")
    table = scaled(names, rows)
    if not asked and table.seconds > MOST_SECONDS:
        raise InputError(
            f"rational numbers would take some {table.seconds:.0f} s; give x and y as doubles, or ask for exact=True"
        )
    found = solved(table)
    if found is None:
        raise InputError(
            f"the columns {', '.join(names)} are linearly dependent, exactly: many parameters fit alike; leave one out"
        )
    return found


def _nameless(x: Any) -> bool:
    return not (isinstance(x, Mapping) or hasattr(x, "columns"))


def _fit(names: tuple[str, ...], found: Enclosed, count: int, seconds: float) -> LinearFit:
    """Ends and statistics, in fractions."""
    middles = [sum(map(Fraction, three), Fraction(0)) for three in zip(*found.middle[0], found.middle[1], strict=True)]
    radii = list(map(Fraction, found.radius.tolist()))
    ends = {name: (m - r, m + r) for name, m, r in zip(names, middles, radii, strict=True)}
    least = (Fraction(found.least[0]), Fraction(found.least[1]))
    entries = [
        [(Fraction(m) - Fraction(r), Fraction(m) + Fraction(r)) for m, r in zip(*row, strict=True)]
        for row in zip(found.inverse[0].tolist(), found.inverse[1].tolist(), strict=True)
    ]
    spare = count - len(names)
    errors = {name: error(entries[i][i], least, spare) for i, name in enumerate(names)} if spare > 0 else {}
    correlations = {
        (names[j], names[i]): correlation(entries[i][j], entries[i][i], entries[j][j])
        for i in range(len(names))
        for j in range(i)
    }
    estimate = {name: float(middle) for name, middle in zip(names, middles, strict=True)}
    return LinearFit(estimate, ends, least, errors, correlations, count, False, seconds)
