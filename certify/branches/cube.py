"""A cube of positions at one orientation and on one branch, as cells; between its corners a cell loses a little only.

    |g(q(p)) - sum w_c g(q(c))|  <=  loss         for p in a cell with the corners c;  w_c >= 0, sum w_c = 1

with the weights w_c of multilinear interpolation, which says s^alpha as the product of the s_k whose exponent is odd: a
monomial is off by no more than 1 if an exponent is above 1, and by nothing else. So |g| is at most its largest value at
a corner and the loss, whatever g is that has a Taylor model over the cell.

The branch: each cell has joints that are alone in a tube. Where a corner of a cell lies in another one, the joints
there lie in the tubes of both; so both cells have the same joints there, and on all that they share. The configuration
lies in the tubes of the cells that it touches.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product
from math import floor

import numpy as np

from certify.branches.enclosing import ARITHMETIC, Vector, fraction
from certify.branches.inverse import Branch, Inverse
from certify.branches.pose import Pose
from certify.branches.taylor_models import Model, Number, Space, space
from certify.contractors.checkpoint import checkpoint
from certify.contractors.tape.evaluation import Floats
from certify.problems.model.model import Bounds, Family

ORDER = 6
BITS = 40  # of the joints at a corner, which are known to one more
SMALLEST = Fraction(1, 64)  # of the edge: cells are not halved further
Place = tuple[Fraction, ...]  # in parts of the edge, from the middle


class NotEnclosed(Exception):
    """The joints of a part of the cube are not enclosed; the text says of which."""


@dataclass(frozen=True, slots=True)
class CubeCell:
    """Where it is, and its joints."""

    ends: tuple[tuple[Fraction, Fraction], ...]
    branch: Branch

    @property
    def corners(self) -> tuple[Place, ...]:
        """All of them."""
        return tuple(product(*self.ends))

    def local(self, place: Place) -> Place | None:
        """A place in the coordinates from -1 to 1; None if it is not of this cell."""
        if not all(low <= at <= high for (low, high), at in zip(self.ends, place, strict=True)):
            return None
        return tuple((2 * at - low - high) / (high - low) for (low, high), at in zip(self.ends, place, strict=True))


@dataclass(frozen=True)
class Region:
    """A cube before parameters are chosen: the families of its position over variables of these names, some of them
    known, the columns of the joints with their units, the variables of the tool's point, and the edge in the unit of
    the position.
    """

    families: tuple[Family, ...]
    variables: tuple[str, ...]
    known: Mapping[str, Fraction]
    joints: tuple[int, ...]
    units: tuple[str, ...]
    tool: tuple[int, ...]
    configuration: tuple[Bounds, ...]
    edge: Fraction

    def cube(self, values: Mapping[str, Fraction]) -> Cube:
        """That of a robot which uses these parameters."""
        at = {k: values[name] if name in values else self.known[name] for k, name in enumerate(self.variables)}
        inverse, middle = Pose(self.families, at, self.joints, self.units, self.tool).about(self.configuration)
        return Cube(inverse, middle, self.edge, self.configuration, len(self.families))


@dataclass(frozen=True)
class Cube:
    """Positions within half an edge of that of a configuration along each axis, with its orientation."""

    inverse: Inverse
    middle: Vector
    edge: Fraction
    configuration: tuple[Bounds, ...]
    size: int

    @property
    def kind(self) -> Space:
        """The polynomials over a cell."""
        return space(self.size, ORDER)

    def cells(self, count: int) -> list[CubeCell]:
        """So many along an edge, and where joints are not enclosed their halves. Raises NotEnclosed."""
        lines = [Fraction(k, count) - Fraction(1, 2) for k in range(count + 1)]
        boxes = list(product(pairwise(lines), repeat=self.size))
        boxes.sort(key=lambda box: sum((low + high) ** 2 for low, high in box))
        found: list[CubeCell] = []
        for box in boxes:
            found += self._enclosed(box, found)
        return found

    def _enclosed(self, ends: tuple[Bounds, ...], known: Sequence[CubeCell]) -> Iterator[CubeCell]:
        checkpoint()
        middle = tuple((low + high) / 2 for low, high in ends)
        branch = self.inverse.branch(self._places(ends), self.kind, self._near(middle, known))
        if branch is not None:
            yield CubeCell(ends, branch)
            return
        if any(high - low <= SMALLEST for low, high in ends):
            ranges = (f"{float(low * self.edge):.4g} to {float(high * self.edge):.4g}" for low, high in ends)
            raise NotEnclosed(f"({', '.join(ranges)}) mm from the middle")
        for half in _halves(ends):
            yield from self._enclosed(half, known)

    def _near(self, middle: Place, known: Sequence[CubeCell]) -> Floats:
        """Joints near a place: those of the nearest cell, carried on along its polynomial."""
        if not known:
            return np.array([float(low + high) / 2 for low, high in self.configuration])
        cell = min(
            known,
            key=lambda other: sum((lo + hi - 2 * at) ** 2 for (lo, hi), at in zip(other.ends, middle, strict=True)),
        )
        return cell.branch.middle

    def _places(self, ends: Sequence[Bounds]) -> list[Number]:
        """What the equations say over a cell."""
        found: list[Number] = []
        for k, (low, high) in enumerate(ends):
            middle = ARITHMETIC.add(self.middle[k], ARITHMETIC.enclose((low + high) / 2 * self.edge))
            found.append(self.kind.variable(k, middle, ARITHMETIC.enclose((high - low) / 2 * self.edge)))
        return [*found, *self.middle[self.size :]]

    def joined(self, cells: Sequence[CubeCell]) -> dict[Place, tuple[Bounds, ...]]:
        """The joints at all corners, if all cells have the same where they meet. Raises NotEnclosed."""
        found: dict[Place, tuple[Bounds, ...]] = {}
        for cell in cells:
            for corner in cell.corners:
                if corner not in found:
                    checkpoint()
                    found[corner] = self._corner(cell, corner)
        middle = (Fraction(0),) * self.size
        known = {**found, middle: self.configuration}
        for place, joints in known.items():
            for cell in cells:
                local = cell.local(place)
                if local is not None and not self._alone(cell, local, joints):
                    raise NotEnclosed(f"{self.told(place)}: what meets there may be other branches")
        return found

    def told(self, place: Place) -> str:
        """A place as text."""
        return f"({', '.join(f'{float(at * self.edge):.4g}' for at in place)}) mm from the middle"

    def _corner(self, cell: CubeCell, corner: Place) -> tuple[Bounds, ...]:
        """Short ends that hold joints of a corner."""
        place = list(self.middle)
        for k, at in enumerate(corner):
            place[k] = ARITHMETIC.add(place[k], ARITHMETIC.enclose(at * self.edge))
        local = cell.local(corner) or corner
        start = np.array([float(fraction(value)) for value in _at(self.kind, cell.branch.path, local)])
        joints = self.inverse.at_place(place, start)
        if joints is None:
            raise NotEnclosed(self.told(corner))
        return tuple(
            (
                Fraction(floor(fraction(low) * 2**BITS) - 1, 2**BITS),
                Fraction(-floor(-fraction(high) * 2**BITS) + 1, 2**BITS),
            )
            for low, high in joints
        )

    def _alone(self, cell: CubeCell, local: Place, joints: Sequence[Bounds]) -> bool:
        """Whether joints at a place lie in the tube of a cell."""
        path = _at(self.kind, cell.branch.path, local)
        return all(
            abs(end - fraction(value)) < fraction(by - 2 * len(self.kind.monomials))
            for value, by, ends in zip(path, cell.branch.alone, joints, strict=True)
            for end in ends
        )


def _halves(ends: Sequence[Bounds]) -> list[tuple[Bounds, ...]]:
    return list(product(*(((low, (low + high) / 2), ((low + high) / 2, high)) for low, high in ends)))


def _at(kind: Space, path: Sequence[Model], local: Place) -> list[int]:
    """About the values of polynomials with thin coefficients: off by less than one for each coefficient."""
    powers = [Fraction(1)] * len(kind.monomials)
    for place, exponents in enumerate(kind.monomials):
        for s, times in zip(local, exponents, strict=True):
            powers[place] *= s**times
    return [floor(sum(term * power for term, power in zip(q.low, powers, strict=True))) for q in path]
