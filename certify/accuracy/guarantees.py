"""The answer about one deviation over one box of the workspace: its pieces of proof, and what follows from those that
the checker has accepted.

    upper    for each cell a polyhedron of faces, each from a certificate; the farthest corner of all
    lower    a witness

Faces without an accepted certificate are as far away as the deviation can be at all, whatever was measured.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import isqrt

from certify.accuracy.ascent import Attained
from certify.accuracy.outputs import Direction
from certify.accuracy.polyhedra import Half, farthest
from certify.problems.model.groups import EUCLIDEAN
from certify.text.decimals import ends_so_far

Document = tuple[bytes, bytes]  # a canonical problem, a certificate


@dataclass(frozen=True, slots=True)
class Piece:
    """What one certificate proves: half-spaces of the polyhedra of cells (a covering, the number of a cell in it)."""

    canonical: bytes
    certificate: bytes
    faces: tuple[tuple[int, int, Direction, Fraction], ...]


@dataclass(frozen=True, slots=True)
class Level:
    """A model error assumed for the rows of one part, and how the errors of one member's rows are measured."""

    part: str
    unit: str
    epsilon: Fraction
    norm: str
    families: tuple[str, ...]

    @property
    def distance(self) -> Fraction:
        """No less than the Euclidean length of such errors: epsilon, or its rows' number's root times as much."""
        if self.norm == EUCLIDEAN or len(self.families) == 1:
            return self.epsilon
        scale = 10**12
        return self.epsilon * Fraction(isqrt(len(self.families) * scale**2) + 1, scale)


@dataclass(frozen=True, slots=True)
class Guarantee:
    """One deviation over one workspace; `coverings` has for each covering of it, and each of its cells, how much
    further the deviation may reach than the polyhedron of the cell says: 0 for a box of joints. `aligned`: it is what
    is left after the best common rigid motion, and `coordinates` are the columns that are taken for those of a point;
    parameters that are `held` are those in use.
    """

    name: str
    level: Level
    workspace: str
    coverings: tuple[tuple[Fraction, ...], ...]
    pieces: tuple[Piece, ...] = ()
    attained: Attained | None = None
    complete: bool = False
    aligned: bool = False
    coordinates: tuple[str, ...] = ()
    held: tuple[str, ...] = ()

    @property
    def levels(self) -> tuple[Level, ...]:
        """All that are assumed of it: one."""
        return (self.level,)

    @property
    def unit(self) -> str:
        """The unit in which it is told."""
        return self.level.unit

    @property
    def upper(self) -> Fraction | None:
        """The deviation is at most this; None if there is no bound but that of the search box itself."""
        known = [found for covering in range(len(self.coverings)) if (found := self._over(covering)) is not None]
        return min(known, default=None)

    @property
    def total(self) -> Fraction | None:
        """The same with the model error."""
        return None if self.upper is None else self.upper + self.level.distance

    @property
    def lower(self) -> Fraction:
        """Somewhere it is at least this."""
        return Fraction(0) if self.attained is None else self.attained.distance

    @property
    def so_far(self) -> str:
        """Both ends while the search goes on, in a few digits, outwards."""
        return f"{ends_so_far(self.lower, self.upper)} {self.unit}"

    def _over(self, covering: int) -> Fraction | None:
        further = self.coverings[covering]
        halves: list[list[Half]] = [[] for _ in further]
        for piece in self.pieces:
            for number, cell, direction, bound in piece.faces:
                if number == covering:
                    halves[cell].append((direction, bound))
        if not all(_bounded(found) for found in halves):
            return None
        return max((farthest(found).distance + more for found, more in zip(halves, further, strict=True)), default=None)

    def standing(self, accepted: Collection[bytes]) -> Guarantee:
        """What is left where the checker has accepted these certificates and no others."""
        pieces = tuple(piece for piece in self.pieces if piece.certificate in accepted)
        kept = self.attained is not None and self.attained.certificate in accepted
        whole = len(pieces) == len(self.pieces) and (kept or self.attained is None)
        return replace(self, pieces=pieces, attained=self.attained if kept else None, complete=self.complete and whole)

    @property
    def documents(self) -> tuple[tuple[str, Document], ...]:
        """All certificates by the ends of their names, each after its canonical problem."""
        found = [(f"-{k}", (p.canonical, p.certificate)) for k, p in enumerate(self.pieces, 1)]
        if self.attained is not None:
            found.append(("-witness", (self.attained.canonical, self.attained.certificate)))
        return tuple(found)


def _bounded(halves: Sequence[Half]) -> bool:
    """Whether every component is bounded from both sides."""
    known = {direction for direction, _ in halves}
    size = len(next(iter(known))) if known else 0
    axes = [tuple(Fraction(sign * int(i == j)) for j in range(size)) for i in range(size) for sign in (1, -1)]
    return bool(axes) and known.issuperset(axes)
