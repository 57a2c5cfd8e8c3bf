"""A convex program, as doubles that are exact numbers:

    minimise    1/2 x . P x + c . x + d
    subject to  lower <= A x <= upper,   low <= x <= high,   F x + g in Q_1 x Q_2 x ...

Q = {(t, v): |v| <= t} is the second-order cone. Infinite ends are no ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from certify.problems.errors import InputError
from certify.problems.programs.exact_sums import Ends, above, inner, times

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Program:
    """Use `program`, which looks at the numbers first."""

    quadratic: sparse.csr_array
    cost: Floats
    offset: float
    matrix: sparse.csr_array
    lower: Floats
    upper: Floats
    low: Floats
    high: Floats
    cone_matrix: sparse.csr_array
    cone_vector: Floats
    cones: tuple[int, ...]

    @property
    def size(self) -> int:
        """How many unknowns there are."""
        return int(self.cost.size)

    @property
    def rows(self) -> int:
        """How many linear rows there are, bounds of single unknowns aside."""
        return int(self.lower.size)

    @cached_property
    def is_linear(self) -> bool:
        """Whether it is a linear program."""
        return not self.cones and not self.quadratic.nnz

    @cached_property
    def equalities(self) -> Flags:
        """The rows whose ends are equal."""
        return np.asarray(self.lower == self.upper)

    @cached_property
    def blocks(self) -> tuple[slice, ...]:
        """The rows of each cone."""
        ends = np.cumsum([0, *self.cones]).tolist()
        return tuple(slice(a, b) for a, b in pairwise(ends))

    @property
    def scale(self) -> float:
        """The size of the largest coefficient of the cost, at least 1."""
        return float(max(1.0, np.abs(self.cost).max(initial=0.0)))

    def without_cost(self) -> Program:
        """The same set of points, with nothing to be minimised."""
        nothing = sparse.csr_array((self.size, self.size))
        return replace(self, quadratic=nothing, cost=np.zeros(self.size), offset=0.0)

    def value(self, x: Floats) -> tuple[float, float]:
        """An enclosure of the objective at x."""
        low, high = inner(self.cost, x, self.offset)
        if not self.quadratic.nnz:
            return low, high
        halves = times(self.quadratic, x)
        least, most = -0.5 * most_of(-x, halves), 0.5 * most_of(x, halves)
        return float(np.nextafter(low + least, -np.inf)), float(np.nextafter(high + most, np.inf))

    def violation(self, x: Floats) -> tuple[float, float]:
        """An enclosure of the largest violation of a row, a bound or a cone at x, 0 if there is none: the smallest t
        by which all of them must be relaxed for x to be feasible.
        """
        found = [(0.0, 0.0)]
        for (low, high), lower, upper in (
            (times(self.matrix, x), self.lower, self.upper),
            ((x, x), self.low, self.high),
        ):
            with np.errstate(invalid="ignore"):
                under = np.nextafter(lower - high, -np.inf), np.nextafter(lower - low, np.inf)
                over = np.nextafter(low - upper, -np.inf), np.nextafter(high - upper, np.inf)
            found += _largest(_where_ended(under, lower, low, high)) + _largest(_where_ended(over, upper, low, high))
        if self.cones:
            low, high = times(self.cone_matrix, x, self.cone_vector)
            for block in self.blocks:
                least, most = norm_ends((low[block][1:], high[block][1:]))
                found.append((np.nextafter(least - high[block][0], -np.inf), above(most - low[block][0])))
        return max(0.0, max(pair[0] for pair in found)), max(0.0, max(pair[1] for pair in found))


def _where_ended(ends: Ends, end: Floats, low: Floats, high: Floats) -> Ends:
    """Differences of equal numbers are 0; where there is no end, nothing is violated."""
    same, none = (low == high) & (low == end), ~np.isfinite(end)
    least, most = (np.where(same, 0.0, np.where(none, -np.inf, difference)) for difference in ends)
    return least, most


def _largest(ends: Ends) -> list[tuple[float, float]]:
    return [(float(ends[0].max()), float(ends[1].max()))] if ends[0].size else []


def most_of(x: Floats, ends: Ends) -> float:
    """An upper bound of x . y for all y between the ends."""
    return inner(x, np.where(x > 0.0, ends[1], ends[0]))[1]


def norm_ends(ends: Ends) -> tuple[float, float]:
    """Bounds of the Euclidean norm of all vectors between the ends."""
    low, high = ends
    least = np.where((low <= 0.0) & (high >= 0.0), 0.0, np.minimum(np.abs(low), np.abs(high)))
    most = np.maximum(np.abs(low), np.abs(high))
    down, up = float(np.sqrt(max(inner(least, least)[0], 0.0))), float(np.sqrt(inner(most, most)[1]))
    return max(0.0, float(np.nextafter(down, 0.0))), above(up) if up else 0.0


def program(
    cost: Any, matrix: Any = None, lower: Any = None, upper: Any = None, *, low: Any = None, high: Any = None,
    quadratic: Any = None, cone_matrix: Any = None, cone_vector: Any = None, cones: Sequence[int] = (),
    offset: float = 0.0,
) -> Program:  # fmt: skip
    """A program of arrays, dense or sparse; what is left out is not there: no rows, free unknowns, no cones."""
    c = _vector("cost", cost, None, 0.0)
    n = c.size
    A, F = _matrix("matrix", matrix, n), _matrix("cone_matrix", cone_matrix, n)
    P = _matrix("quadratic", quadratic, n) if quadratic is not None else sparse.csr_array((n, n))
    found = Program(
        P, c, float(offset), A,
        _vector("lower", lower, A.shape[0], -np.inf), _vector("upper", upper, A.shape[0], np.inf),
        _vector("low", low, n, -np.inf), _vector("high", high, n, np.inf),
        F, _vector("cone_vector", cone_vector, F.shape[0], 0.0), tuple(int(size) for size in cones),
    )  # fmt: skip
    _look_at(found)
    return found


def _vector(name: str, values: Any, size: int | None, missing: float) -> Floats:
    found = np.full(size or 0, missing) if values is None else np.array(values, dtype=np.float64).ravel()
    if size is not None and found.size != size:
        raise InputError(f"{name} has {found.size} entries where {size} are needed; give one for each row")
    return found


def _matrix(name: str, values: Any, columns: int) -> sparse.csr_array:
    found = sparse.csr_array((0, columns)) if values is None else sparse.csr_array(values, dtype=np.float64)
    if found.ndim != 2 or found.shape[1] != columns:
        raise InputError(f"{name} has the shape {found.shape}; give a matrix with one column for each of the {columns} "
                         "unknowns")  # fmt: skip
    found.sum_duplicates()
    found.eliminate_zeros()
    if not np.isfinite(found.data).all():
        raise InputError(f"{name} has an entry that is no number; give finite ones")
    return found


def _look_at(found: Program) -> None:
    if found.quadratic.shape[0] != found.size or (found.quadratic != found.quadratic.T).nnz:
        raise InputError("quadratic is not symmetric; give P with P = P' exactly, of 1/2 x . P x")
    for name, values in (("cost", found.cost), ("cone_vector", found.cone_vector), ("offset", found.offset)):
        if not np.isfinite(values).all():
            raise InputError(f"{name} has an entry that is no number; give finite ones")
    for name, first, second in (("row", found.lower, found.upper), ("unknown", found.low, found.high)):
        wrong = np.isnan(first) | np.isnan(second) | (first == np.inf) | (second == -np.inf)
        if wrong.any():
            k = int(np.argmax(wrong))
            raise InputError(f"{name} {k + 1} has the ends {first[k]:g} and {second[k]:g}, which nothing lies between")
    if sum(found.cones) != found.cone_vector.size or any(size < 1 for size in found.cones):
        raise InputError(f"cones of the sizes {found.cones} for {found.cone_vector.size} rows; give sizes that add up")
