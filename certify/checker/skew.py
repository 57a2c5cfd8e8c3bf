"""Skew coordinates (specification, section 6, frame): x = m + T y, where y is in the boxes of the tree, within a box G
of x.

`Chart` says how the unknowns of a preparation move with d: in the box's own coordinates x_i = c_i + d_i, in a frame
x_i = (m + T c)_i + sum_j T_ij d_j.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from .certificate import Facet
from .interval import Arithmetic
from .nodes import Skew
from .outcome import Clock, Rejection, require
from .polynomial import Polynomial
from .problem import Bounds
from .scope import Box

SIZE: Final = 64

Matrix = Sequence[Sequence[Fraction]]


@dataclass(frozen=True, slots=True)
class Chart:
    """From boxes of the tree to boxes of x; without a frame they are the same."""

    arithmetic: Arithmetic
    clock: Clock
    moves: tuple[Polynomial, ...]
    frame: Skew | None = None
    inside: Box = ()

    def point(self, y: Sequence[Fraction]) -> tuple[Fraction, ...]:
        """x at y, exactly."""
        if self.frame is None:
            return tuple(y)
        return tuple(start + _dot(row, y) for start, row in zip(self.frame.point, self.frame.matrix, strict=True))

    def image(self, box: Box) -> Box:
        """A box that holds x for all y of the box."""
        return box if self.frame is None else self._outward(self.frame.point, self.frame.matrix, box)

    def range(self, box: Box) -> Box | None:
        """The image within G; None if there is nothing."""
        if self.frame is None:
            return box
        pairs = zip(self.image(box), self.inside, strict=True)
        found = tuple((max(low, least), min(high, greatest)) for (low, high), (least, greatest) in pairs)
        return None if any(low > high for low, high in found) else found

    def satisfies(self, box: Box, facet: Facet) -> bool:
        """Whether the half-space contains x for all y of the box."""
        self.clock.check()
        a, offset = facet.coefficients, Fraction(0)
        if self.frame is not None:
            offset, a = (
                _dot(a, self.frame.point),
                tuple(_dot(a, column) for column in zip(*self.frame.matrix, strict=True)),
            )
        return _reach(offset, a, box)[1] <= facet.bound

    def into(self, frame: Skew, box: Box) -> tuple[Chart, Box]:
        """The chart of a frame that stands at this box, and the box of y that contains the box."""
        require(self.frame is None, "frame", "there is a frame above")
        require(
            len(frame.point) == len(box) <= SIZE,
            "frame",
            f"its size is not that of the {len(box)} variables, at most {SIZE}",
        )
        inverse = _inverse(frame.matrix, self.clock)
        moves: tuple[Polynomial, ...] = tuple(
            {(j,): self.arithmetic.enclose(entry) for j, entry in enumerate(row) if entry} for row in frame.matrix
        )
        chart = Chart(self.arithmetic, self.clock, moves, frame, box)
        return chart, self._outward([-_dot(row, frame.point) for row in inverse], inverse, box)

    def _outward(self, start: Sequence[Fraction], matrix: Matrix, box: Box) -> Box:
        """The ranges of start + matrix x over a box, on the grid."""
        found = []
        for offset, row in zip(start, matrix, strict=True):
            self.clock.check()
            low, high = self.arithmetic.span(*_reach(offset, row, box))
            found.append((Fraction(low, self.arithmetic.one), Fraction(high, self.arithmetic.one)))
        return tuple(found)


def plain(arithmetic: Arithmetic, clock: Clock, size: int) -> Chart:
    """The boxes' own coordinates."""
    return Chart(arithmetic, clock, tuple({(i,): (arithmetic.one, arithmetic.one)} for i in range(size)))


def _dot(left: Sequence[Fraction], right: Sequence[Fraction]) -> Fraction:
    return sum((a * b for a, b in zip(left, right, strict=True)), Fraction(0))


def _reach(offset: Fraction, row: Sequence[Fraction], box: Box) -> Bounds:
    """The exact range of offset + row x over a box."""
    ends = [(a * lower, a * upper) for a, (lower, upper) in zip(row, box, strict=True)]
    return offset + sum(min(pair) for pair in ends), offset + sum(max(pair) for pair in ends)


def _inverse(matrix: Matrix, clock: Clock) -> list[list[Fraction]]:
    """By Gauss and Jordan, exactly; raises Rejection if the matrix is singular."""
    size = len(matrix)
    rows = [[*row, *(Fraction(i == j) for j in range(size))] for i, row in enumerate(matrix)]
    for j in range(size):
        pivot = next((i for i in range(j, size) if rows[i][j]), None)
        if pivot is None:
            raise Rejection("frame", "its matrix is singular")
        rows[j], rows[pivot] = rows[pivot], rows[j]
        rows[j] = [entry / rows[j][j] for entry in rows[j]]
        for i in range(size):
            clock.check()
            if i != j and rows[i][j]:
                factor = rows[i][j]
                rows[i] = [entry - factor * other for entry, other in zip(rows[i], rows[j], strict=True)]
    return [row[size:] for row in rows]
