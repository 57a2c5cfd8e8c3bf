"""Skew coordinates: points x = m + T y of a box G, for y in boxes (specification, section 6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from flint import arb_mat, fmpq, fmpq_mat, fmpz

from .certificate import Box
from .interval import LARGEST_BITS, NOTHING, TWO, Interval, thin
from .outcome import Undefined
from .polynomial import CONSTANT, Monomial, Polynomial

MOST_MANTISSA = 2**64
MOST_EXPONENT = 256

Matrix = Any  # of flint
LARGEST = fmpq(fmpz(2) ** LARGEST_BITS)


def _column(entries: Sequence[Any]) -> Matrix:
    return fmpq_mat(len(entries), 1, list(entries))


def _absolute(matrix: Matrix, kind: Any) -> Matrix:
    return kind(matrix.nrows(), matrix.ncols(), [abs(entry) for entry in matrix.entries()])


class Frame:
    """A frame on the box G, with the box of y that stands for it."""

    def __init__(self, origin: Sequence[fmpq], entries: Sequence[fmpq], box: Box, precision: int) -> None:
        size = len(origin)
        self.box, self.precision = box, precision
        self.origin = _column(origin)
        self.matrix = fmpq_mat(size, size, list(entries))
        try:
            inverse = self.matrix.inv()
        except ZeroDivisionError:
            raise Undefined("the matrix of the frame is singular") from None
        self.balls = arb_mat(self.matrix)
        self.sizes = _absolute(self.balls, arb_mat)
        self._absolute = _absolute(self.matrix, fmpq_mat)
        self.start = self._mapped(inverse, _absolute(inverse, fmpq_mat), -(inverse * self.origin), box)

    def _mapped(self, matrix: Matrix, absolute: Matrix, shift: Matrix, box: Box) -> Box:
        """The smallest box with ends on the grid that contains shift + matrix z for all z in a box."""
        centres = (shift + matrix * _column([(low + high) / 2 for low, high in box])).entries()
        radii = (absolute * _column([(high - low) / 2 for low, high in box])).entries()
        grid = fmpz(2) ** self.precision
        found = []
        for centre, radius in zip(centres, radii, strict=True):
            if abs(centre) + radius >= LARGEST:
                raise Undefined("a number beyond 2^8192")
            found.append(
                (fmpq(((centre - radius) * grid).floor(), grid), fmpq(((centre + radius) * grid).ceil(), grid))
            )
        return tuple(found)

    def image(self, box: Box) -> Box:
        """The smallest box with ends on the grid that contains m + T y for all y in a box."""
        return self._mapped(self.matrix, self._absolute, self.origin, box)

    def range(self, box: Box) -> Box | None:
        """The image within G; nothing if they do not meet."""
        both = zip(self.image(box), self.box, strict=True)
        found = tuple((max(low, least), min(high, most)) for (low, high), (least, most) in both)
        return found if all(low <= high for low, high in found) else None

    def point(self, values: Sequence[fmpq]) -> list[fmpq]:
        """m + T y, exactly."""
        return list((self.origin + self.matrix * _column(values)).entries())

    def variable(self, place: int, centre: Interval) -> Polynomial:
        """The variable x_i in terms of the y_j around the centre of a box of y."""
        size = self.matrix.nrows()
        return {
            CONSTANT: centre,
            **{(j,): thin(self.matrix[place, j]) for j in range(size) if self.matrix[place, j] != 0},
        }

    def facet(self, normal: Sequence[fmpq]) -> tuple[fmpq, list[fmpq]]:
        """The function a . x of y: its constant a . m, and its coefficients a . T."""
        row = fmpq_mat(1, len(normal), list(normal))
        constant: fmpq = sum((row * self.origin).entries(), fmpq(0))
        return constant, list((row * self.matrix).entries())

    def first(self, slopes: Mapping[Monomial, Interval]) -> Polynomial:
        """First derivatives by y from those by x; those by further unknowns, whose places come last, stay."""
        size = self.matrix.nrows()
        middle, radius = _middles([slopes.get((i,), NOTHING) for i in range(size)], 1, size)
        found: Polynomial = {
            (j,): value for j, value in enumerate(_intervals(middle * self.balls, radius * self.sizes))
        }
        return {**found, **{place: value for place, value in slopes.items() if place[0] >= size}}

    def second(self, slopes: Mapping[Monomial, Interval]) -> Polynomial:
        """Second derivatives by y from those by x; both for pairs i <= j."""
        size = self.matrix.nrows()
        mixed: dict[int, Polynomial] = {}  # for each further unknown the derivatives by x of that by it
        for (i, j), value in slopes.items():
            if j >= size:
                mixed.setdefault(j, {})[i,] = value
        further: Polynomial = {(i, j): value for j, part in mixed.items() for (i,), value in self.first(part).items()}
        places = [(i, j) for i in range(size) for j in range(size)]
        middle, radius = _middles([slopes.get((min(i, j), max(i, j)), NOTHING) for i, j in places], size, size)
        turned, widened = self.balls.transpose(), self.sizes.transpose()
        found = zip(places, _intervals(turned * middle * self.balls, widened * radius * self.sizes), strict=True)
        return {**{(i, j): value for (i, j), value in found if i <= j}, **further}


def _middles(values: Sequence[Interval], rows: int, columns: int) -> tuple[Matrix, Matrix]:
    """Intervals as middles and half-widths: with exact factors their sums are as sharp as interval by interval."""
    middle = [low if low is high else (low + high) / TWO for low, high in values]
    radius = [NOTHING[0] if low is high else (high - low) / TWO for low, high in values]
    return arb_mat(rows, columns, middle), arb_mat(rows, columns, radius)


def _intervals(middle: Matrix, radius: Matrix) -> list[Interval]:
    pairs = zip(middle.entries(), radius.entries(), strict=True)
    return [(m, m) if r.is_zero() else (m - r, m + r) for m, r in pairs]
