"""What multipliers prove: a lower bound of the minimum of a convex program (Neumaier and Shcherbina; Jansson).

For every feasible x, any y, any z in the cones, any v, and P positive semidefinite (Wolfe: (x - v) . P (x - v) >= 0)

    objective >= d - v . P v / 2 - z . g + sum_i min over [lower_i, upper_i] of y_i t
                 + sum_j min over [low_j, high_j] of r_j t,     r = c + P v - A' y - F' z

Multipliers are floats with a radius: then the bound holds for exact ones within it, whose r is 0 in given columns.
Where P + shift I is positive semidefinite, and not P, shift / 2 |x - v|^2 is lost, which ends of x bound.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np
from scipy import sparse

from certify.judging_programs.corrections import Corrector, corrected, corrector
from certify.judging_programs.dependent_equations import solved_near
from certify.problems.programs.exact_sums import Ends, Floats, above, inner, rounded_sum, spread, times, widened
from certify.problems.programs.program import Flags, Program, most_of, norm_ends

ROUNDS = 6  # in which columns are added to those that must be 0
FLOOR = 2.0**-40  # of a weight, beside the largest multiplier


@dataclass(frozen=True, eq=False)
class Dual:
    """(y, z, v) one after the other, the radius of each, and the columns in which exact multipliers leave nothing."""

    values: Floats
    radius: Floats
    exact: Flags

    @staticmethod
    def of(program: Program, y: Floats, z: Floats, v: Floats) -> Dual:
        """Floats, taken as they are; those with a sign that no end allows become 0, and those outside of their cone go
        to its surface, a little beyond.
        """
        y = np.where((y > 0.0) & ~np.isfinite(program.lower) | (y < 0.0) & ~np.isfinite(program.upper), 0.0, y)
        z = z.copy()
        for block in program.blocks:
            z[block.start] = max(z[block.start], 0.0)
            tail = norm_ends((z[block][1:], z[block][1:]))[1]
            if z[block.start] < tail:
                z[block.start] = tail
        values = np.concatenate([y, z, v])
        return Dual(values, np.zeros(values.size), np.zeros(program.size, dtype=bool))


@dataclass(frozen=True, eq=False)
class DualBounds:
    """The bounds that multipliers prove of one program; `shift` as above, proved elsewhere."""

    program: Program
    transposed: sparse.csr_array  # (A', F', -P)
    shift: float
    _made: dict[bytes, Corrector | None] = field(default_factory=dict)  # by their columns

    @staticmethod
    def of(program: Program, shift: float = 0.0) -> DualBounds:
        """With the matrix by columns."""
        parts = [program.matrix.T, program.cone_matrix.T, -program.quadratic]
        return DualBounds(program, sparse.csr_array(sparse.hstack(parts, format="csr")), shift)

    def reduced_costs(self, dual: Dual) -> Ends:
        """r."""
        low, high = times(self.transposed, -dual.values, self.program.cost)
        low, high = widened((low, high), spread(self.transposed, dual.radius))
        return np.where(dual.exact, 0.0, low), np.where(dual.exact, 0.0, high)

    def value(self, dual: Dual) -> float:
        """The proved bound, -inf if there is none."""
        found, m, k = self.program, self.program.rows, self.program.cone_vector.size
        low, high = widened((dual.values, dual.values), dual.radius)
        z = low[m : m + k], high[m : m + k]
        if not self._in_cones(z):
            return -math.inf
        with np.errstate(invalid="ignore", over="ignore"):
            terms = [
                *_least((low[:m], high[:m]), found.lower, found.upper),
                *_least(self.reduced_costs(dual), found.low, found.high),
            ]
        terms += [found.offset, -most_of(found.cone_vector, z), -self._curvature((low[m + k :], high[m + k :]))]
        terms.append(-self._lost((low[m + k :], high[m + k :])))
        if any(math.isnan(term) or term == -math.inf for term in terms):
            return -math.inf
        return rounded_sum(terms)[0]

    def _in_cones(self, z: Ends) -> bool:
        return all(
            norm_ends((z[0][block][1:], z[1][block][1:]))[1] <= z[0][block.start] for block in self.program.blocks
        )

    def _curvature(self, v: Ends) -> float:
        """An upper bound of v . P v / 2."""
        if not self.program.quadratic.nnz:
            return 0.0
        middle = 0.5 * v[0] + 0.5 * v[1]
        radius = np.nextafter(np.maximum(v[1] - middle, middle - v[0]), np.inf) * (v[0] < v[1])
        ends = widened(times(self.program.quadratic, middle), spread(self.program.quadratic, radius))
        size = np.maximum(np.abs(ends[0]), np.abs(ends[1]))
        return 0.5 * above(above(most_of(middle, ends)) + inner(radius, size)[1])

    def _lost(self, v: Ends) -> float:
        """An upper bound of shift / 2 |x - v|^2, in the columns that P uses."""
        if not self.shift:
            return 0.0
        used = np.diff(self.program.quadratic.indptr) > 0
        away = np.maximum(self.program.high - v[0], v[1] - self.program.low)[used]
        away = np.nextafter(np.maximum(away, 0.0), np.inf)
        return above(above(0.5 * self.shift) * inner(away, away)[1]) if np.isfinite(away).all() else math.inf

    def mixed(self, first: Dual, second: Dual, share: float) -> Dual:
        """Multipliers on the way from the first to the second; both are floats without radius."""
        return replace(first, values=first.values + share * (second.values - first.values))

    def repaired(self, dual: Dual) -> Dual | None:
        """Multipliers near these that prove a bound: those columns in which what is left would be -inf become 0."""
        wrong = np.zeros(self.program.size, dtype=bool)
        for _ in range(ROUNDS):
            with np.errstate(invalid="ignore", over="ignore"):
                terms = _least(self.reduced_costs(dual), self.program.low, self.program.high)
            more = np.isneginf(terms)
            if not more.any():
                return dual
            wrong |= more
            found = self._exact_in(dual, wrong)
            if found is None:
                return None
            dual = found
        return None

    def _exact_in(self, dual: Dual, columns: Flags) -> Dual | None:
        matrix, at = self.transposed[columns], self.program.cost[columns]
        empty = np.diff(matrix.indptr) == 0
        if (empty & (at != 0.0)).any():
            return None  # a column that nothing holds
        kept, key = sparse.csr_array(matrix[~empty]), columns.tobytes()
        if key not in self._made:
            self._made[key] = corrector(kept, self._weights(dual))
        found = self._made[key]
        if found is None:
            near = solved_near(kept, at[~empty], dual.values, self._weights(dual))
            return None if near is None else replace(dual, values=near[0], radius=near[1], exact=columns.copy())
        values, radius = corrected(dual.values, lambda u: times(kept, -u, at[~empty]), found)
        return replace(dual, values=values, radius=radius, exact=columns.copy())

    def _weights(self, dual: Dual) -> Floats:
        """How far each multiplier may be moved: by its own size where its sign must stay, else anywhere."""
        found, m = self.program, self.program.rows
        y = np.abs(dual.values[:m])
        largest = float(np.abs(dual.values).max(initial=0.0)) or 1.0
        free = np.isfinite(found.lower) & np.isfinite(found.upper)
        parts = [np.where(free, largest, y)]
        for block in found.blocks:
            z = dual.values[m:][block]
            parts.append(np.full(z.size, abs(float(z[0]))))
        parts.append(np.full(found.size if found.quadratic.nnz else 0, largest))
        weights = np.concatenate(parts) / largest
        weights = np.pad(weights, (0, dual.values.size - weights.size))
        return np.where(weights > FLOOR, weights, 0.0)


def _least(factor: Ends, low: Floats, high: Floats) -> list[float]:
    """Lower bounds of the least f t, f within `factor` and t from low to high: a concave function of f."""
    ends = []
    for f in factor:
        end = np.where(f > 0.0, low, high)
        p = np.nextafter(f * end, -np.inf)
        ends.append(np.where((f == 0.0) | (end == 0.0), 0.0, p))
    found: list[float] = np.minimum(*ends).tolist()
    return found
