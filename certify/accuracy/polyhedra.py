"""How far from the origin a vector w can be of which finitely many u . w <= h are known, exactly.

w lies in a polyhedron, which is bounded if every direction -u is known, too, for a basis of directions u; the norm is
convex, so it is largest at a corner, where as many of the bounds are attained as w has components. All is in whole
numbers: directions in parts of 2^-10, bounds rounded up to parts of a unit that is chosen for their size.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import isqrt

GRID = 2**10  # of directions
FINE = 2**30  # of bounds, in parts of the largest
MOST = 40  # half-spaces that are looked at

Half = tuple[tuple[Fraction, ...], Fraction]


@dataclass(frozen=True, slots=True)
class Farthest:
    """A number that no such w exceeds, and the corner that is so far from the origin (None: it is the origin)."""

    distance: Fraction
    corner: tuple[Fraction, ...]


def on_grid(direction: Sequence[float]) -> tuple[Fraction, ...]:
    """A direction in numbers of few digits."""
    return tuple(Fraction(round(part * GRID), GRID) for part in direction)


def farthest(halves: Sequence[Half]) -> Farthest:
    """The farthest corner of the polyhedron of all w with u . w <= h."""
    size = len(halves[0][0])
    unit = max((abs(bound) for _, bound in halves), default=Fraction(0)) / FINE or Fraction(1)
    rows = [(tuple(int(part * GRID) for part in u), -int(-bound / unit * GRID // 1)) for u, bound in _looked_at(halves)]
    best, corner = 0, (Fraction(0),) * size
    squared = 1
    for chosen in combinations(range(len(rows)), size):
        found = _meeting([rows[k] for k in chosen])
        if found is None:
            continue
        top, bottom = found
        length = sum(part * part for part in top)
        if length * squared > best * bottom * bottom and _within(rows, top, bottom):
            best, squared, corner = length, bottom * bottom, tuple(Fraction(part, bottom) * unit for part in top)
    return Farthest(root_above(Fraction(best, squared)) * unit, corner)


def _looked_at(halves: Sequence[Half]) -> list[Half]:
    """Of each direction the tightest, along the axes first: without these the corners of the others say nothing, as
    what is left out may be all that bounds w.
    """
    tightest: dict[tuple[Fraction, ...], Fraction] = {}
    for direction, bound in halves:
        tightest[direction] = min(bound, tightest.get(direction, bound))
    return sorted(tightest.items(), key=lambda half: sum(part != 0 for part in half[0]) > 1)[:MOST]


def root_above(square: Fraction) -> Fraction:
    """A number that is no less than the root, and hardly more."""
    scale = 2**40
    return Fraction(isqrt(-(-square.numerator * scale**2 // square.denominator)) + 1, scale) if square else Fraction(0)


def _within(rows: Sequence[tuple[tuple[int, ...], int]], top: tuple[int, ...], bottom: int) -> bool:
    return all(sum(a * b for a, b in zip(u, top, strict=True)) <= h * bottom for u, h in rows)


def _meeting(rows: Sequence[tuple[tuple[int, ...], int]]) -> tuple[tuple[int, ...], int] | None:
    """Where u . w = h for each of these, by Cramer's rule: numerators and a positive denominator; None if that is no
    single point.
    """
    matrix = [u for u, _ in rows]
    bottom = _determinant(matrix)
    if not bottom:
        return None
    sign = 1 if bottom > 0 else -1
    top = []
    for k in range(len(rows)):
        replaced = [(*u[:k], h, *u[k + 1 :]) for u, h in rows]
        top.append(sign * _determinant(replaced))
    return tuple(top), sign * bottom


def _determinant(matrix: Sequence[tuple[int, ...]]) -> int:
    if len(matrix) == 1:
        return matrix[0][0]
    if len(matrix) == 2:
        return matrix[0][0] * matrix[1][1] - matrix[0][1] * matrix[1][0]
    total = 0
    for k, entry in enumerate(matrix[0]):
        if entry:
            total += (-1) ** k * entry * _determinant([(*row[:k], *row[k + 1 :]) for row in matrix[1:]])
    return total
