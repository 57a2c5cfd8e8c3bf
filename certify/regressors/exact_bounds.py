"""What the rows of a basis prove, in exact numbers: how far a parameter reaches, or which error (or factor) is needed.

Any weights v prove a bound: where all rows are within their intervals, widened by t d_k,

    sum_k v_k a_k . theta <= sum_k v_k (upper end of row k if v_k > 0, else its lower end) + t sum_k |v_k| d_k

What is left of c - sum_k v_k a_k, or of 0, is bounded by the search box.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm

from certify.problems.regressors.regressor import FAR, Regressor
from certify.solvers.regressors.exact_weights import Row, kernel, point_of, product, solved
from certify.solvers.regressors.few_rows import Basis, Side

Bounds = tuple[Fraction, Fraction]
KEPT = 4096  # rows that are remembered


@dataclass(frozen=True, slots=True)
class Weighted:
    """A row, and its weight; the sign is that of its side."""

    row: int
    weight: Fraction


@dataclass(frozen=True, slots=True)
class Bound:
    """What weighted rows prove."""

    value: Fraction
    terms: tuple[Weighted, ...]


class ExactRows:
    """The rows of one problem as rational numbers, each read when it is asked for."""

    def __init__(self, problem: Regressor) -> None:
        self.problem, self.box = problem, problem.box
        self._known: dict[Side, Row] = {}

    def coefficients(self, side: Side) -> Row:
        """a_k, of one side."""
        found = self._known.get(side)
        if found is None:
            if len(self._known) > KEPT:
                self._known.clear()
            found = self._known[side] = self.problem.exact(*side)
        return found

    def intervals(self, row: int, weights: bool) -> tuple[Fraction, Fraction, Fraction]:
        """Both ends at t = 0, and d: with `weights` the middle twice, and the half-width."""
        low, high = self.problem.ends(row)
        middle = (low + high) / 2
        return (middle, middle, (high - low) / 2) if weights else (low, high, Fraction(1))

    def face(self, basis: Basis, parameter: int, sign: int) -> Bound | None:
        """sign theta_j is at most this value; None if the basis does not show it."""
        return self.support(basis, [Fraction(sign * (j == parameter)) for j in range(self.problem.size)])

    def support(self, basis: Basis, wanted: Sequence[Fraction]) -> Bound | None:
        """c . theta is at most this value; None if the basis does not show it."""
        rows, free = self._of(basis)
        weights = solved([self.coefficients(side) for side in rows], free, wanted)
        if weights is None:
            return None
        terms, free = self._kept(rows, weights, free)
        rest = self._rest(terms, wanted, free)
        return Bound(self._most(terms) + rest, tuple(terms)) if terms and rest is not None else None

    def smallest(self, basis: Basis, weights: bool) -> Bound | None:
        """t is no less than this value; None if the basis does not show it."""
        rows, free = self._of(basis)
        found = kernel([self.coefficients(side) for side in rows], free)
        if found is None:
            return None
        bounds = []
        for direction in (1, -1):
            terms, whole = self._kept(rows, [direction * v for v in found], free)
            ends = {term.row: self.intervals(term.row, weights) for term in terms}
            most = sum((t.weight * ends[t.row][t.weight > 0] for t in terms), Fraction(0))
            grown = sum((abs(t.weight) * ends[t.row][2] for t in terms), Fraction(0))
            rest = self._rest(terms, [Fraction(0)] * self.problem.size, whole)
            if grown and rest is not None:
                bounds.append(Bound((-most - rest) / grown, tuple(terms)))
        return max(bounds, key=lambda bound: bound.value, default=None)

    def vertex(self, basis: Basis, weights: bool) -> Row | None:
        """Where the rows of a basis of the smallest t meet, with the other columns at the point's values."""
        rows, free = self._of(basis)
        equations = []
        for row, side in {row: side for row, side in basis.sides}.items():
            low, high, grows = self.intervals(row, weights)
            known = self.coefficients((row, side))
            end = (high if side > 0 else low) - sum(
                (known[j] * self._held(basis, j) for j in range(self.problem.size) if j not in free), Fraction(0)
            )
            equations.append([*(known[j] for j in free), -side * grows, end])
        found = point_of(equations)
        if found is None or len(rows) != len(free) + 1:
            return None
        values = dict(zip(free, found[:-1], strict=True))
        return tuple(values.get(j, self._held(basis, j)) for j in range(self.problem.size))

    def _held(self, basis: Basis, j: int) -> Fraction:
        """The end of the search box at which a parameter stands."""
        low, high = self.box[j]
        return low if (basis.point[j] <= 0 and -low < FAR) or high == FAR else high

    def _of(self, basis: Basis) -> tuple[list[Side], list[int]]:
        """Rows, each once where both of its sides say the same, and the parameters that stand at no end."""
        held = set(basis.columns)
        once = {row if not self.problem.has_sides else (row, side): (row, side) for row, side in basis.sides}
        return list(once.values()), [j for j in range(self.problem.size) if j not in held]

    def _kept(
        self, sides: Sequence[Side], weights: Sequence[Fraction], free: list[int]
    ) -> tuple[list[Weighted], list[int]]:
        """The terms, and the columns in which they cancel: none if some term is left out as its weight has the sign of
        the other side, whose coefficients differ.
        """
        pairs = [(row, side, weight) for (row, side), weight in zip(sides, weights, strict=True) if weight]
        terms = [
            Weighted(row, weight)
            for row, side, weight in pairs
            if not self.problem.has_sides or (weight > 0) == (side > 0)
        ]
        return terms, free if len(terms) == len(pairs) else []

    def _most(self, terms: Sequence[Weighted]) -> Fraction:
        ends = (self.problem.ends(term.row)[term.weight > 0] for term in terms)
        return product([term.weight for term in terms], tuple(ends))

    def _rest(self, terms: Sequence[Weighted], wanted: Sequence[Fraction], free: Collection[int]) -> Fraction | None:
        """The most that is left of c . theta within the search box, nothing in the columns that are free; None if that
        has no end there.
        """
        rows = [self.coefficients((term.row, 1 if term.weight > 0 else -1)) for term in terms]
        total = Fraction(0)
        for j, (low, high) in enumerate(self.box):
            if j in free:
                continue
            left = wanted[j] - sum((t.weight * row[j] for t, row in zip(terms, rows, strict=True)), Fraction(0))
            end = high if left > 0 else low
            if left and abs(end) == FAR:
                return None
            total += left * end
        return total


def whole(terms: Sequence[Weighted]) -> tuple[Weighted, ...]:
    """The same weights in whole numbers without a common factor: certificates have dyadic ones."""
    common = lcm(*(term.weight.denominator for term in terms))
    numbers = [int(term.weight * common) for term in terms]
    shared = gcd(*numbers)
    return tuple(Weighted(t.row, Fraction(n // shared)) for t, n in zip(terms, numbers, strict=True))
