"""How far from where it should be the platform can stand, over a box of poses: bounds of the legs become bounds of the
pose, cell by cell, where they are largest in smaller cells.

Within `reach` of each pose p there is exactly one pose p' with f(x, p') = f(x0, p) + e, whatever x is consistent and e
within the errors:

    there is one     all D of f(x0, p + D) - f(x0, p) = c v, 0 <= c <= 1, that are within the reach are strictly within
                     it, D = 0 is the only one for c = 0, and regular: so the degree of the map is 1 or -1 for c = 1
    no other         where f(x, p1) = f(x, p2) both are within the reach of p, and the mean of f'(x, .) between them is
                     regular: |I - C J| + |C| |d'| is a contraction about each m within the reach

The second test is made in a covering of its own; it says that no parameters of the boxes that are left make the
platform singular near the workspace.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy as np

from certify.branches.enclosing import ARITHMETIC, PRECISION
from certify.checker.interval import Undefined
from certify.contractors.tape.tape import Tape
from certify.problems.model.model import Bounds
from certify.solvers.limits import Limit, Stopped
from certify.solvers.search.explore import Best, Ended, explore
from certify.stances.cells import GRID, Cell, Cells, Ends, Integers
from certify.stances.lengths import Measure
from certify.stances.readouts import Readout

CLOSE = 1.02  # times what is known to be reached: then a cell is small enough
SMALLEST = Fraction(1, 64)  # of a box: cells are not halved further
MANY = 256  # cells, of which some are not shown to hold the platform: then none will be
SCALE = GRID + PRECISION

Box = tuple[Bounds, ...]


class NotStanding(Exception):
    """The platform is not shown to stand near all poses; the text says where."""


@dataclass(frozen=True, slots=True)
class Legs:
    """What is known of the legs: their tape, the bounds of each, and the error of each that is assumed."""

    tape: Tape
    readouts: tuple[Readout, ...]
    errors: tuple[Fraction, ...]

    def box(self, ends: Sequence[Bounds], erring: bool) -> list[Ends]:
        """That of v over these poses."""
        found = []
        for readout, error in zip(self.readouts, self.errors, strict=True):
            low, high = readout.over(ends)
            by = ARITHMETIC.enclose(error)[1] if erring else 0
            found.append((-high - by, -low + by))
        return found


@dataclass(frozen=True, eq=False)
class Piece:
    """A cell, what is within its reach (None: that is not shown), and what C v is at most by measure: without errors
    and with them; estimates of what is reached in its middle.
    """

    ends: Box
    cell: Cell | None
    within: tuple[Integers, Integers] | None
    shifts: tuple[tuple[Fraction, Fraction], ...]
    reached: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """For each measure how far the platform can stand from where it should, without and with the errors; for each
    coordinate the same with the errors.
    """

    deviations: tuple[tuple[Fraction, Fraction], ...]
    sizes: tuple[Fraction, ...]
    cells: int


def widened(box: Sequence[Bounds], by: Sequence[Fraction], times: Fraction = Fraction(1)) -> Box:
    """A box that is larger on all sides."""
    return tuple((low - times * more, high + times * more) for (low, high), more in zip(box, by, strict=True))


def stand(
    legs: Legs, box: Sequence[Bounds], reach: Sequence[Fraction], measures: Sequence[Measure], most: int, limit: Limit
) -> Standing:
    """The bounds over the box. Raises NotStanding, or Late before there are any."""
    search = _Search(legs, reach, measures)
    half = Fraction(1, 2)
    whole = widened(box, reach, half)
    pieces = [search.piece(whole)]
    sides = [high - low for low, high in whole]

    def refine(taken: list[Piece]) -> list[Piece]:
        (piece,) = taken
        if piece.within is not None and (
            len(pieces) >= most or search.measure(piece) <= CLOSE * search.largest(pieces)
        ):
            raise Ended(Stopped.FINISHED, taken)
        axis = search.axis(piece, sides)
        if piece.within is None and (
            len(pieces) > MANY or piece.ends[axis][1] - piece.ends[axis][0] <= SMALLEST * sides[axis]
        ):
            raise NotStanding(told(piece.ends))
        found = [search.piece(ends) for ends in halves(piece.ends, axis)]
        pieces.remove(piece)
        pieces.extend(found)
        return found

    explore(Best(pieces, lambda piece: -search.measure(piece)), refine, limit)
    limit_reached = any(piece.within is None for piece in pieces)
    if limit_reached:
        limit.check()
        raise NotStanding(told(whole))
    return search.result(pieces)


def halves(ends: Box, axis: int) -> tuple[Box, Box]:
    """Both halves of a box."""
    low, high = ends[axis]
    middle = (low + high) / 2
    return (*ends[:axis], (low, middle), *ends[axis + 1 :]), (*ends[:axis], (middle, high), *ends[axis + 1 :])


def told(ends: Sequence[Bounds]) -> str:
    """A box of poses in few digits."""
    return ", ".join(f"{float(low):.4g} .. {float(high):.4g}" for low, high in ends)


class _Search:
    """Makes pieces, and says what follows from all of them."""

    def __init__(self, legs: Legs, reach: Sequence[Fraction], measures: Sequence[Measure]) -> None:
        self._legs, self._measures, self._cells = legs, measures, Cells(legs.tape, reach)
        self._reach = list(reach)
        self._within = [ARITHMETIC.enclose(by)[0] for by in reach]

    def piece(self, ends: Box) -> Piece:
        """That of a cell of the poses in the middle."""
        try:
            cell = self._cells.cell(ends)
        except (np.linalg.LinAlgError, Undefined):
            return Piece(ends, None, None, (), ())
        about = widened(ends, self._reach, Fraction(1, 2))
        boxes = [self._legs.box(about, erring) for erring in (False, True)]
        left = cell.left(self._within)
        within = tuple(cell.sizes(box) + left for box in boxes)
        if any(found >= by for found, by in zip(within[1], self._within, strict=True)):
            return Piece(ends, cell, None, (), ())
        found = []
        for box in boxes:
            shifts = cell.shifts(box)
            found.append([measure.most(shifts, SCALE, about) for measure in self._measures])
        return Piece(ends, cell, (within[0], within[1]), tuple(zip(*found, strict=True)), self._reached(cell, ends))

    def _reached(self, cell: Cell, ends: Box) -> tuple[float, ...]:
        """What the bounds of the legs allow in the middle, with the errors."""
        middle = [((low + high) / 2,) * 2 for low, high in ends]
        box = self._legs.box(middle, erring=True)
        shifts = cell.matrices[0].dot(_corners(box)).T
        return tuple(float(measure.most(shifts, SCALE, middle)) for measure in self._measures)

    def measure(self, piece: Piece) -> float:
        """How much a piece allows, in parts of what is reached in its middle; without a bound, infinite."""
        return max((float(pair[1]) / self._unit[k] for k, pair in enumerate(piece.shifts)), default=np.inf)

    def largest(self, pieces: Sequence[Piece]) -> float:
        """What is reached in the middle of some piece."""
        return max((value / self._unit[k] for piece in pieces for k, value in enumerate(piece.reached)), default=0.0)

    def axis(self, piece: Piece, sides: Sequence[Fraction]) -> int:
        """Along which coordinate to halve: that along which C v changes most, or the longest side."""
        shares = [
            float((high - low) / side) if side else 0.0 for (low, high), side in zip(piece.ends, sides, strict=True)
        ]
        if piece.cell is None or piece.within is None:
            return int(np.argmax(shares))
        box = self._legs.box(piece.ends, erring=True)
        sizes = np.array([max(abs(low), abs(high)) for low, high in box], dtype=object)
        changes = []
        for matrix, share in zip(piece.cell.matrices[1:], shares, strict=True):
            moved = [int(value) for value in abs(matrix).dot(sizes)]
            changes.append(
                share and max(float(m.size(moved, SCALE)) / self._unit[k] for k, m in enumerate(self._measures))
            )
        return int(np.argmax(changes))

    @property
    def _unit(self) -> list[float]:
        return [float(measure.size([int(by) for by in self._within], PRECISION)) or 1.0 for measure in self._measures]

    def result(self, pieces: Sequence[Piece]) -> Standing:
        """The largest of all, with what I - C J leaves, for changes no larger than any piece has."""
        known = [piece for piece in pieces if piece.within is not None and piece.cell is not None]
        deviations = []
        for k, measure in enumerate(self._measures):
            ends = []
            for erring in (0, 1):
                sizes = [max(int(p.within[erring][i]) for p in known if p.within) for i in range(len(self._within))]
                ends.append(
                    max(
                        piece.shifts[k][erring] + measure.size(piece.cell.left(sizes), PRECISION)
                        for piece in known
                        if piece.cell is not None
                    )
                )
            deviations.append((ends[0], ends[1]))
        largest = [max(int(p.within[1][i]) for p in known if p.within) for i in range(len(self._within))]
        return Standing(tuple(deviations), tuple(Fraction(v, ARITHMETIC.one) for v in largest), len(known))


def _corners(box: Sequence[Ends]) -> Integers:
    return np.array(list(product(*box)), dtype=object).T


def alone(tape: Tape, slopes: Integers, box: Sequence[Bounds], reach: Sequence[Fraction], limit: Limit) -> int:
    """Show that no other pose within the reach has the same legs, for parameters whose d' has these sizes (legs,
    coordinates); how many cells that took. Raises NotStanding, or Late.
    """
    cells = Cells(tape, [2 * by for by in reach])
    whole = widened(box, reach)
    within = np.array([ARITHMETIC.enclose(by)[0] for by in reach], dtype=object)
    waiting, count = [whole], 0
    while waiting:
        limit.check()
        ends = waiting.pop()
        if _contracts(cells, ends, slopes, within):
            count += 1
            continue
        shares = [(high - low) / (b - a) if b > a else 0 for (low, high), (a, b) in zip(ends, whole, strict=True)]
        axis = max(range(len(shares)), key=lambda k: shares[k])
        if shares[axis] <= SMALLEST or count + len(waiting) > MANY:
            raise NotStanding(told(ends))
        waiting += halves(ends, axis)
    return count


def _contracts(cells: Cells, ends: Box, slopes: Integers, within: Integers) -> bool:
    try:
        cell = cells.cell(ends)
    except (np.linalg.LinAlgError, Undefined):
        return False
    sizes = abs(cell.matrices).sum(axis=0)
    moved = np.array([-(-value >> PRECISION) for value in slopes.dot(within)], dtype=object)
    found = cell.left(within) + np.array([-(-value >> GRID) for value in sizes.dot(moved)], dtype=object)
    return all(a < b for a, b in zip(found, within, strict=True))
