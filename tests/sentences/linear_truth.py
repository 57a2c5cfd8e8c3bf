"""What is true of a part whose rows are linear in the unknowns (or in their squares), decided in rationals.

    row k:  c_k + sum a_kj x_j + sum b_ki M_i,  every reading M_i in its interval        need at x: the least max_k
    |row k|

Its smallest model error, hull, fewest discards and smallest factor on the half-widths are linear programs, its sum of
squares has normal equations.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import isqrt

from linear_programs import ONE, ZERO, largest, smallest

Ends = tuple[Fraction, Fraction]
DIGITS = 10**40
LARGEST_FACTOR = Fraction(10**6)


def root(value: Fraction) -> Ends:
    """An enclosure of a square root of 40 digits."""
    scaled = value.numerator * DIGITS**2 // value.denominator
    low = isqrt(scaled)
    exact = low * low * value.denominator == value.numerator * DIGITS**2
    return Fraction(low, DIGITS), Fraction(low + (not exact), DIGITS)


@dataclass(frozen=True)
class LinearRow:
    """`half` is how far readings of this row alone move it, `widths` how far for each unit of an unknown (which is
    positive);
    `shared` are the factors of readings that other rows may use, by name.
    """

    name: tuple[str, int]
    slopes: Mapping[str, Fraction]
    constant: Fraction
    half: Fraction
    widths: Mapping[str, Fraction]
    shared: Mapping[str, Fraction]

    def folded(self, alone: Collection[str], halves: Mapping[str, Fraction]) -> LinearRow:
        """The same row, where these readings are used by no other one."""
        more = sum((abs(f) * halves[key] for key, f in self.shared.items() if key in alone), ZERO)
        return replace(
            self, half=self.half + more, shared={key: f for key, f in self.shared.items() if key not in alone}
        )

    def at(self, x: Mapping[str, Fraction]) -> Fraction:
        """The row's value, with its readings at their middles."""
        return self.constant + sum((a * x[name] for name, a in self.slopes.items()), ZERO)


@dataclass(frozen=True)
class LinearPart:
    """The rows of a part, the box of its unknowns, and the half-widths of shared readings (their middles are in the
    constants).

    The unknowns in `squared` enter the rows by their squares: box, points and answers are in the unknowns themselves,
    `rows` in the squares.
    """

    box: Mapping[str, Ends]
    rows: Sequence[LinearRow]
    halves: Mapping[str, Fraction]
    squared: Collection[str] = ()

    def scaled(self, factor: Fraction) -> LinearPart:
        """The same with half-widths so many times as wide."""

        def times(widths: Mapping[str, Fraction]) -> dict[str, Fraction]:
            return {name: factor * width for name, width in widths.items()}

        rows = [replace(row, half=factor * row.half, widths=times(row.widths)) for row in self.rows]
        return replace(self, rows=rows, halves=times(self.halves))

    @cached_property
    def _names(self) -> list[str]:
        return list(self.box)

    def _inner(self, name: str, value: Fraction) -> Fraction:
        return value * value if name in self.squared else value

    def _outer(self, name: str, value: Fraction) -> Ends:
        return root(value) if name in self.squared else (value, value)

    def _program(
        self, rows: Sequence[LinearRow], box: Mapping[str, Ends], level: Fraction | None = None, factor: bool = False
    ):
        """Rows a.x <= b over unknowns, shared readings' deviations and one more number: the error, the factor, or 0
        where a level is given.
        """
        uses = [key for row in rows for key in row.shared]
        alone = {key for key in uses if uses.count(key) == 1}
        rows = [row.folded(alone, self.halves) for row in rows]
        names, keys = self._names, sorted(set(uses) - alone)
        size = len(names) + len(keys) + 1
        place = {name: k for k, name in enumerate((*names, *keys))}
        lower = (
            [self._inner(name, box[name][0]) for name in names]
            + [-self.halves[key] * (LARGEST_FACTOR if factor else 1) for key in keys]
            + [ZERO]
        )
        program = [(self._unit(place[name], size), self._inner(name, box[name][1])) for name in names]
        for key in keys:
            for sign in (1, -1):
                line = self._unit(place[key], size, Fraction(sign))
                line[-1] = -self.halves[key] if factor else ZERO
                program.append((line, ZERO if factor else self.halves[key]))
        for row in rows:
            for sign in (1, -1):
                line = [ZERO] * size
                for terms in (row.slopes, row.shared):
                    for name, value in terms.items():
                        line[place[name]] += sign * value
                for name, value in row.widths.items():
                    line[place[name]] -= value
                line[-1] = -row.half if factor else -ONE if level is None else ZERO
                program.append((line, (ZERO if factor else row.half) + (level or ZERO) - sign * row.constant))
        return program, lower, size

    @staticmethod
    def _unit(place: int, size: int, value: Fraction = ONE) -> list[Fraction]:
        return [value if k == place else ZERO for k in range(size)]

    def least_error(self, only: Collection[tuple[str, int]] | None = None) -> Fraction:
        """The smallest model error in the box, of all rows or of some only."""
        return self._error(self._chosen(only), self.box)

    def _error(self, rows: Sequence[LinearRow], box: Mapping[str, Ends]) -> Fraction:
        program, lower, size = self._program(rows, box)
        found = smallest(self._unit(size - 1, size), program, lower)
        if found is None:
            raise AssertionError("the box is empty")
        return found

    def _chosen(self, only: Collection[tuple[str, int]] | None) -> list[LinearRow]:
        return [row for row in self.rows if only is None or row.name in only]

    def needs(self, x: Mapping[str, Fraction], without: Collection[tuple[str, int]] = ()) -> Ends:
        """The model error of one point, in or out of the box."""
        rows = [row for row in self.rows if row.name not in without]
        found = self._error(rows, {name: (Fraction(x[name]),) * 2 for name in self._names}) if rows else ZERO
        return found, found

    def consistent(self, level: Fraction, only: Collection[tuple[str, int]] | None = None) -> bool:
        """Whether some point of the box needs no more than the level."""
        program, lower, size = self._program(self._chosen(only), self.box, level)
        return largest([ZERO] * size, program, lower) is not None

    def extent(self, coefficients: Mapping[str, Fraction], level: Fraction) -> Ends | None:
        """Bounds of a linear function over all that is consistent within the level (enclosing them); None if nothing
        is.
        """
        if any(name in self.squared for name in coefficients) and list(coefficients.values()) != [1]:
            return None
        program, lower, size = self._program(self.rows, self.box, level)
        goal = [coefficients.get(name, ZERO) for name in self._names] + [ZERO] * (size - len(self._names))
        low, high = smallest(goal, program, lower), largest(goal, program, lower)
        if low is None or high is None:
            return None
        name = next(iter(coefficients))
        return (self._outer(name, low)[1], self._outer(name, high)[0]) if name in self.squared else (low, high)

    def fewest(self, level: Fraction) -> tuple[int, int]:
        """How many rows must be left out so that the rest is consistent, twice."""
        names = {row.name for row in self.rows}
        count = next(count for count in range(len(names) + 1) if self._suffices(names, count, level))
        return count, count

    def _suffices(self, names: set[tuple[str, int]], count: int, level: Fraction) -> bool:
        return any(self.consistent(level, names - set(out)) for out in combinations(sorted(names), count))

    def least_factor(self) -> Fraction | None:
        """The smallest common factor on all half-widths at which the model fits exactly; None if no factor does, or it
        is not known.
        """
        if any(row.widths for row in self.rows):
            return None
        program, lower, size = self._program(self.rows, self.box, factor=True)
        return smallest(self._unit(size - 1, size), program, lower)

    def least_squares(self) -> tuple[dict[str, Ends], Fraction] | None:
        """The minimiser of the sum of squares at the readings' middles, and the sum; None if it is not alone or not
        inside the box.
        """
        names = self._names
        matrix = [
            [sum((row.slopes.get(i, ZERO) * row.slopes.get(j, ZERO) for row in self.rows), ZERO) for j in names]
            for i in names
        ]
        right = [-sum((row.slopes.get(i, ZERO) * row.constant for row in self.rows), ZERO) for i in names]
        found = _solved(matrix, right)
        if found is None:
            return None
        point = dict(zip(names, found, strict=True))
        if not all(
            self._inner(name, low) < point[name] < self._inner(name, high) for name, (low, high) in self.box.items()
        ):
            return None
        return {name: self._outer(name, value) for name, value in point.items()}, sum(
            (row.at(point) ** 2 for row in self.rows), ZERO
        )

    def sum_of_squares(self, x: Mapping[str, Fraction]) -> Fraction:
        """At any point."""
        return sum((row.at({name: self._inner(name, x[name]) for name in self._names}) ** 2 for row in self.rows), ZERO)


def _solved(matrix: list[list[Fraction]], right: Iterable[Fraction]) -> list[Fraction] | None:
    """Gauss's elimination; None if the matrix is singular."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for k in range(len(rows)):
        pivot = next((i for i in range(k, len(rows)) if rows[i][k]), None)
        if pivot is None:
            return None
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [entry / rows[k][k] for entry in rows[k]]
        for i in range(len(rows)):
            if i != k and rows[i][k]:
                rows[i] = [p - rows[i][k] * q for p, q in zip(rows[i], rows[k], strict=True)]
    return [row[-1] for row in rows]
