"""The certificate that outputs reach no further: first what narrows the box of x, then a cut for each face.

A face is cut where the checker's own arithmetic says that the sum of the rows is positive beyond: an output y stands in
this sum with the factor 1, so that one evaluation tells where that is.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import floor

from certify.accuracy.supports import Support
from certify.checker.certificate import Hull
from certify.checker.nodes import Aggregate, Prepare, Split
from certify.checker.outcome import Rejection
from certify.checker.rules import Preparation, Question
from certify.checker.scope import Box
from certify.proofs.certificate_text import OPEN, node, node_line
from certify.proofs.problem_replay import Proving, Replay
from certify.solvers.limits import Limit
from certify.solvers.proof.trace import Steps

CELLS = 2  # as the supports have it
BITS = 30  # of the places of cuts
LEVEL = Fraction(1)


@dataclass(frozen=True, slots=True)
class Face:
    """An output (its number), the sign of its direction, and what shows how far it reaches."""

    output: int
    sign: int
    support: Support


@dataclass(frozen=True, slots=True)
class Proved:
    """How far the faces reach by this certificate about this problem; a face that is missing reaches as far as the box
    of its output.
    """

    canonical: bytes
    certificate: bytes
    reached: dict[tuple[int, int], Fraction]


class Emission:
    """Grows the tree of one derived problem, whose first `variables` variables are the parameters."""

    def __init__(self, proving: Proving, variables: int, families: int, weight: Fraction, limit: Limit) -> None:
        self._proving, self._limit = proving, limit
        self._variables, self._families, self._weight = variables, families, weight
        self._scope = tuple(range(len(proving.problem.families)))
        self._whole: Box = proving.judge(self._scope).box
        self._proof = proving.proof(self._scope, Question(LEVEL, hull=Hull(self._whole)))
        self.begin(self._whole)

    def begin(self, box: Box) -> None:
        """Go on at a leaf of a tree, whose lines are another's: `box` is what is left there of the first variables."""
        self._box = (*box, *self._whole[len(box) :])
        self._preparation: Preparation = self._proof.root
        self._before: list[str] = []
        self._after: list[str] = []

    def narrow(self, steps: Steps) -> None:
        """What the search among the measured rows has cut off, where that is confirmed; one box must be left. Raises
        Withdrawn, or Late.
        """
        replay = Replay(self._proof, self._limit)
        with self._limit.enforced():
            lines = replay.run(steps)
        if len(replay.left) == 1:
            place = lines.index(OPEN)
            self._before, self._after = lines[:place], lines[place + 1 :]
            (self._box,) = replay.left

    def prepare(self) -> None:
        """Rows are told about the box that is left."""
        self._preparation = self._proof.prepare(self._proof.root, self._box, CELLS)
        self._before.append(node_line(Prepare(CELLS)))

    def cut(self, faces: Iterable[Face]) -> Proved:
        """Cut all faces off, as far as there is time."""
        reached = self.reached(faces)
        return Proved(self._proving.canonical, self.document(self._box, self.lines), reached)

    def reached(self, faces: Iterable[Face]) -> dict[tuple[int, int], Fraction]:
        """Where the faces are cut off, as far as there is time."""
        found = {}
        for face in faces:
            if self._limit.late():
                break
            at = self._cut(face)
            if at is not None:
                found[face.output, face.sign] = at
        return found

    @property
    def left(self) -> Box:
        """The box that is left."""
        return self._box

    @property
    def lines(self) -> list[str]:
        """The tree so far."""
        return [*self._before, OPEN, *self._after]

    def document(self, box: Box, lines: list[str]) -> bytes:
        """The certificate that everything lies in the box."""
        return self._proving.enclosure_document(self._scope, LEVEL, box, lines)

    def _cut(self, face: Face) -> Fraction | None:
        """How far the face reaches in its direction, after a cut there; None if there is no cut."""
        place = self._variables + face.output
        low, high = self._box[place]
        reason = face.support.reason(self._families + face.output, -face.sign, float(self._weight))
        leaf = node(reason)
        if not isinstance(leaf, Aggregate):
            raise TypeError("a sum of rows is written as an aggregate")
        at, most = self._beyond(Fraction(face.support.value), place, face.sign, leaf), high if face.sign > 0 else -low
        if at is None:
            return None
        unit = Fraction(2) ** (abs(at).numerator.bit_length() - at.denominator.bit_length() - BITS)
        at = _on_grid(at + unit, unit)
        if at >= most:
            return most  # as far as the output can be at all
        left = self._bound(place, (at, high) if face.sign > 0 else (low, -at), leaf)
        if left is None or left <= 0 or at <= (low if face.sign > 0 else -high):
            return None
        split = node_line(Split(place, at * face.sign))
        self._before.append(split)
        if face.sign > 0:
            self._after.insert(0, node_line(leaf))
        else:
            self._before.append(node_line(leaf))
        kept = (low, at) if face.sign > 0 else (-at, high)
        self._box = (*self._box[:place], kept, *self._box[place + 1 :])
        return at

    def _beyond(self, at: Fraction, place: int, sign: int, leaf: Aggregate) -> Fraction | None:
        """Where the sum begins to be positive: its bound grows with the end of the output, whose factor is 1."""
        low, high = self._box[place]
        at = min(at, high if sign > 0 else -low)
        if not low <= at * sign <= high:
            return None
        bound = self._bound(place, (at, high) if sign > 0 else (low, -at), leaf)
        return None if bound is None else at - bound

    def _bound(self, place: int, ends: tuple[Fraction, Fraction], leaf: Aggregate) -> Fraction | None:
        """A lower bound of the sum where the output lies within these ends; None if a row has no form there."""
        box = (*self._box[:place], ends, *self._box[place + 1 :])
        try:
            found = self._proof.aggregate_bound(self._preparation, box, leaf.terms, leaf.further)
        except Rejection:
            return None
        return Fraction(found, 2**self._proof.scope.arithmetic.precision)


def _on_grid(value: Fraction, unit: Fraction) -> Fraction:
    """The multiple of a unit that is no less; its denominator is a power of two if that of the unit is."""
    return -floor(-value / unit) * unit
