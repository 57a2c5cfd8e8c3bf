"""What a basis of a linear program proves in whole numbers: its point and its multipliers, without any rounding.

With the unknowns B in the basis and the rows R at an end (as many), all others at their ends,

    A_RB x_B = ends_R - A_RN x_N,    A_RB' y_R = c_B

are solved exactly (`sparse_equations`). If x keeps all rows and bounds its objective is an upper bound of the
minimum; if every r_j of the multipliers has an end to stand at, and so has every y_i, their sum is a lower bound. Any
basis will do; that of the optimum gives the minimum itself, as a rational number.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

import numpy as np

from certify.judging_programs.sparse_equations import MOST, Equation, solved
from certify.problems.programs.program import Program
from certify.solvers.programs.simplex_basis import Basis

SPARSE = 6  # entries of a row, on average
Numbers = tuple[Fraction, ...]


@dataclass(frozen=True, slots=True)
class Vertex:
    """The point of a basis with its objective if it is feasible, the multipliers with their bound if there is one."""

    point: Numbers | None
    upper: Fraction | None
    rows: Numbers | None
    costs: Numbers | None
    lower: Fraction | None

    @property
    def is_open(self) -> bool:
        """Whether an end is missing."""
        return self.upper is None or self.lower is None


def is_worthwhile(found: Program, basis: Basis) -> bool:
    """Whether the equations of the basis are few, or have few entries: of others nothing is left to take out first."""
    inside = basis.unknowns == 2
    count = int(inside.sum())
    return count <= MOST or found.matrix[basis.rows != 2][:, inside].nnz <= SPARSE * count


def vertex(found: Program, basis: Basis) -> Vertex:
    """Everything that a basis proves."""
    exact = ExactRows(found)
    point = exact.point(basis)
    upper = exact.objective(point) if point is not None and exact.holds(point) else None
    rows = exact.multipliers(basis)
    if rows is None:
        return Vertex(point, upper, None, None, None)
    costs = exact.left(rows)
    return Vertex(point, upper, rows, costs, exact.bound(rows, costs))


def better(first: Vertex, second: Vertex) -> Vertex:
    """The second, with those ends of the first that it has not."""
    merged = second
    if second.upper is None and first.upper is not None:
        merged = replace(merged, point=first.point, upper=first.upper)
    if second.lower is None and first.lower is not None:
        merged = replace(merged, rows=first.rows, costs=first.costs, lower=first.lower)
    return merged


class ExactRows:
    """A program's numbers as rationals; rows as lists of (unknown, coefficient)."""

    def __init__(self, found: Program) -> None:
        self.program = found
        matrix = found.matrix
        values = [Fraction(value) for value in matrix.data.tolist()]
        places, starts = matrix.indices.tolist(), matrix.indptr.tolist()
        self.rows = [list(zip(places[a:b], values[a:b], strict=True)) for a, b in pairwise(starts)]
        self.cost = [Fraction(value) for value in found.cost.tolist()]
        self.ends = _ends(found.lower, found.upper)
        self.bounds = _ends(found.low, found.high)

    def point(self, basis: Basis) -> Numbers | None:
        """x; None if the rows do not determine it."""
        inside, active = np.flatnonzero(basis.unknowns == 2).tolist(), np.flatnonzero(basis.rows != 2).tolist()
        held = {j: self._held(j, int(sign)) for j, sign in enumerate(basis.unknowns.tolist()) if sign != 2}
        place = {j: k for k, j in enumerate(inside)}
        equations: list[Equation] = []
        rights = []
        for i in active:
            end = self.ends[i][0 if basis.rows[i] < 0 else 1]
            if end is None:
                return None
            equations.append({place[j]: a for j, a in self.rows[i] if j in place})
            rights.append(end - sum((a * held[j] for j, a in self.rows[i] if j not in place), Fraction(0)))
        values = solved(equations, rights, len(inside))
        return None if values is None else tuple(held[j] if j in held else values[place[j]] for j in range(self._size))

    @property
    def _size(self) -> int:
        return self.program.size

    def _held(self, j: int, sign: int) -> Fraction:
        end = self.bounds[j][0 if sign < 0 else 1] if sign else None
        return Fraction(0) if end is None else end

    def multipliers(self, basis: Basis) -> Numbers | None:
        """y; None if the basis does not determine them."""
        inside, active = np.flatnonzero(basis.unknowns == 2).tolist(), np.flatnonzero(basis.rows != 2).tolist()
        place = {j: k for k, j in enumerate(inside)}
        equations: list[Equation] = [{} for _ in inside]
        for k, i in enumerate(active):
            for j, a in self.rows[i]:
                if j in place:
                    equations[place[j]][k] = a
        values = solved(equations, [self.cost[j] for j in inside], len(active))
        if values is None:
            return None
        found = [Fraction(0)] * len(self.rows)
        for i, value in zip(active, values, strict=True):
            found[i] = value
        return tuple(found)

    def left(self, rows: Numbers) -> Numbers:
        """r = c - A' y."""
        found = list(self.cost)
        for y, row in zip(rows, self.rows, strict=True):
            if y:
                for j, a in row:
                    found[j] -= y * a
        return tuple(found)

    def bound(self, rows: Numbers, costs: Numbers) -> Fraction | None:
        """What the multipliers prove; None if one of them has no end to stand at."""
        total = Fraction(self.program.offset)
        for factor, ends in [*zip(rows, self.ends, strict=True), *zip(costs, self.bounds, strict=True)]:
            if factor:
                end = ends[0] if factor > 0 else ends[1]
                if end is None:
                    return None
                total += factor * end
        return total

    def objective(self, point: Numbers) -> Fraction:
        """c . x + d."""
        return sum((c * x for c, x in zip(self.cost, point, strict=True) if c), Fraction(self.program.offset))

    def holds(self, point: Numbers) -> bool:
        """Whether the point is feasible."""
        return all(low <= 0 for low in self.excesses(point))

    def excesses(self, point: Numbers) -> list[Fraction]:
        """By how much the point misses the ends of rows and bounds; not positive where it keeps them."""
        found = []
        values = [sum((a * point[j] for j, a in row), Fraction(0)) for row in self.rows]
        for value, (low, high) in [*zip(values, self.ends, strict=True), *zip(point, self.bounds, strict=True)]:
            if low is not None:
                found.append(low - value)
            if high is not None:
                found.append(value - high)
        return found


def _ends(lower: object, upper: object) -> list[tuple[Fraction | None, Fraction | None]]:
    pairs = zip(np.asarray(lower).tolist(), np.asarray(upper).tolist(), strict=True)
    return [tuple(Fraction(end) if np.isfinite(end) else None for end in pair) for pair in pairs]  # type: ignore[misc]
