"""Certificates are written by replaying the search in the checker's own arithmetic.

Every cut becomes a split whose cut-off child is a leaf; the leaf is judged as it is written, by the code that will
judge it again. A cut that fails there is moved outwards, and if that does not help it is left out; a refutation that
fails withdraws the whole claim: nothing is published that the checker has not accepted. What a search leaves undecided is
a leaf that is open (`enclosure`: their hull is the claim) or known (`isolation`: around a zero that is alone there).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from certify import checker
from certify.certificate_text import OPEN, Zero, document, known, leaf, split, witness_lines
from certify.checker import (
    Aggregate,
    Box,
    Clock,
    Enclosure,
    Evaluate,
    Preparation,
    Proof,
    Rejection,
    Scope,
    Undefined,
    isolate,
    parse_node,
    parse_problem,
)
from certify.decimals import round_up
from certify.witnesses import Witness
from contractors.narrowing import Cut
from problems.canonical import canonical_bytes, digest
from problems.model import Problem
from solvers.trace import Branch, Prepared, Steps

PRECISION = 112
RETREATS = (Fraction(1), Fraction(9, 10), Fraction(1, 2))


class Withdrawn(Exception):
    """A step of the search could not be replayed: the claim is not made."""


@dataclass
class _Place:
    """Where the replay stands: the box, how its rows were prepared, and the steps that lead on."""

    box: Box
    preparation: Preparation
    steps: Steps


@dataclass
class _Replay:
    """Writes the lines of one tree; `left` are the boxes of its open leaves."""

    proof: Proof
    zeros: Sequence[Box] = ()
    lines: list[str] = field(default_factory=list)
    left: list[Box] = field(default_factory=list)

    def run(self, box: Box, steps: Steps) -> list[str]:
        """Prefix order with an explicit stack; a string on the stack is a line that waits for its sibling."""
        stack: list[_Place | str] = [_Place(box, self.proof.root, steps)]
        while stack:
            top = stack.pop()
            if isinstance(top, str):
                self.lines.append(top)
            else:
                stack.extend(reversed(self._follow(top)))
        return self.lines

    def _follow(self, place: _Place) -> list[_Place | str]:
        """Write the actions of one box; returns what comes after, in order."""
        later: list[_Place | str] = []
        box, preparation = place.box, place.preparation
        for action in place.steps.actions:
            if isinstance(action, Prepared):
                self.lines.append(f"prepare {action.cells}")
                preparation = self.proof.prepare(box, action.cells)
            else:
                box = self._cut(box, preparation, action, later)
        end = place.steps.end
        if end is None:
            self.lines.append(self._undecided(box))
            return later
        if isinstance(end, Branch):
            at = Fraction(end.at)
            position = self.proof.scope.positions[end.variable]
            low, high = box[position]
            if not low < at < high:
                rest = end.upper if at <= low else end.lower
                return [_Place(box, preparation, rest), *later]
            self.lines.append(split(end.variable, end.at))
            lower, upper = self.proof.split(box, end.variable, at)
            return [_Place(lower, preparation, end.lower), _Place(upper, preparation, end.upper), *later]
        line = leaf(end.reason)
        if not self._proved(preparation, box, line):
            raise Withdrawn("the refutation of a box is not confirmed by the checker's arithmetic")
        self.lines.append(line)
        return later

    def _undecided(self, box: Box) -> str:
        """The leaf of a box that was not refuted: open, or known if it lies in the box of a zero."""
        if self.proof.open(box) is None:
            self.left.append(box)
            return OPEN
        for number in range(len(self.zeros)):
            if self.proof.known(box, number) is None:
                return known(number)
        raise Withdrawn("a box is left undecided")

    def _cut(self, box: Box, preparation: Preparation, cut: Cut, later: list[_Place | str]) -> Box:
        """Write a cut as far as it is proved; what waits for the rest of the box goes in front of `later`."""
        position = self.proof.scope.positions[cut.variable]
        low, high = box[position]
        line = leaf(cut.reason)
        face = low if cut.below else high
        for retreat in RETREATS:
            at = face + (Fraction(cut.at) - face) * retreat
            exact = Fraction(float(at))
            if not low < exact < high:
                continue
            parts = self.proof.split(box, cut.variable, exact)
            removed, rest = parts if cut.below else (parts[1], parts[0])
            if self._proved(preparation, removed, line):
                self.lines.append(split(cut.variable, float(exact)))
                if cut.below:
                    self.lines.append(line)
                else:
                    later.insert(0, line)
                return rest
        return box

    def _proved(self, preparation: Preparation, box: Box, line: str) -> bool:
        node = parse_node(line.split(" "))
        if isinstance(node, Evaluate):
            return self.proof.evaluate(box, node.family, node.row) is None
        return isinstance(node, Aggregate) and self.proof.aggregate(preparation, box, node.terms) is None


class Proving:
    """A problem in its canonical form, as the checker sees it, with its name."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.canonical = canonical_bytes(problem)
        self.digest = digest(self.canonical)
        self.checked = parse_problem(self.canonical)
        self._judges: dict[tuple[int, ...], Scope] = {}

    def judge(self, scope: tuple[int, ...]) -> Scope:
        """The rows of a scope in the checker's arithmetic."""
        if scope not in self._judges:
            self._judges[scope] = Scope(self.checked, scope, PRECISION)
        return self._judges[scope]

    def needed(self, scope: tuple[int, ...], witness: Witness) -> Fraction | None:
        """The smallest short decimal e >= 0 for which the witness is accepted as |r| <= e; None if a row cannot be enclosed there."""
        try:
            return self._needed(scope, witness)
        except Undefined:
            return None

    def _needed(self, scope: tuple[int, ...], witness: Witness) -> Fraction:
        judge = self.judge(scope)
        values = tuple(witness.values[v] for v in judge.variables)
        largest = 0
        for number in scope:
            family = self.problem.families[number]
            measured = [b.index for b in family.bindings if b.measured]
            for row in range(family.rows):
                first, second = ({c: witness.columns[c][row][way] for c in measured} for way in (0, 1))
                largest = max(largest, judge.enclose_row(number, row, values, first)[1])
                largest = max(largest, -judge.enclose_row(number, row, values, second)[0])
                if first != second:
                    judge.enclose_row(number, row, values, first, second)  # continuous in between, or Undefined
        return round_up(Fraction(largest, 2**PRECISION))

    def tree(self, scope: tuple[int, ...], lower: Fraction, steps: Steps, point: Sequence[Fraction] | None = None) -> list[str]:
        """The lines of a tree that refutes everything within `lower`; raises Withdrawn."""
        judge = self.judge(scope)
        box = judge.box if point is None else tuple((value, value) for value in point)
        proof = Proof(self.checked, scope, PRECISION, lower, box)
        return _Replay(proof).run(box, steps)

    def enclosure(self, scope: tuple[int, ...], level: Fraction, steps: Steps) -> tuple[Box | None, list[str]]:
        """The claim `within level`: the hull of what the search left undecided, and the lines of its tree.

        None: nothing was left, the tree proves `lower level`. Raises Withdrawn if a refutation is not confirmed.
        """
        box = self.judge(scope).box
        replay = _Replay(Proof(self.checked, scope, PRECISION, level, box, hull=box))
        lines = replay.run(box, steps)
        if not replay.left:
            return None, lines
        return tuple((min(low for low, _ in ends), max(high for _, high in ends)) for ends in zip(*replay.left, strict=True)), lines

    def isolated(self, scope: tuple[int, ...], zero: Zero) -> Enclosure | None:
        """Krawczyk's test in the checker's arithmetic: where the one zero in the box is (scaled by 2^PRECISION); None if this is not proved."""
        judge = self.judge(scope)
        try:
            checker.check_square(judge)
            return isolate(judge, checker.Zero(zero.box, tuple(tuple(map(Fraction, row)) for row in zero.inverse)), Clock())
        except Rejection:
            return None

    def zeros_tree(self, scope: tuple[int, ...], zeros: Sequence[Zero], steps: Steps) -> list[str]:
        """The lines of a tree whose undecided boxes are known, each within the box of one zero; raises Withdrawn."""
        box = self.judge(scope).box
        boxes = [zero.box for zero in zeros]
        return _Replay(Proof(self.checked, scope, PRECISION, Fraction(0), box, zeros=boxes), boxes).run(box, steps)

    def zeros_document(self, scope: tuple[int, ...], zeros: Sequence[Zero], tree: Sequence[str]) -> bytes:
        """The certificate of exactly these zeros; raises Withdrawn if one of them is not isolated or two may be the same."""
        enclosures = [found for zero in zeros if (found := self.isolated(scope, zero)) is not None]
        if len(enclosures) < len(zeros) or checker.overlapping(enclosures, Clock()) is not None:
            raise Withdrawn("the zeros are not isolated from each other")
        names = [self.problem.families[n].name for n in scope]
        return document(self.digest, PRECISION, names, None, None, None, (), tree, zeros=zeros)

    def enclosure_document(self, scope: tuple[int, ...], level: Fraction, hull: Box, tree: Sequence[str]) -> bytes:
        """The certificate that S(level) is within the hull."""
        names = [self.problem.families[n].name for n in scope]
        return document(self.digest, PRECISION, names, None, None, None, (), tree, within=level, hull=hull)

    def document(
        self,
        scope: tuple[int, ...],
        lower: Fraction | None,
        upper: Fraction | None,
        witness: Witness | None,
        tree: Sequence[str],
        point: Sequence[Fraction] | None = None,
    ) -> bytes:
        """The certificate."""
        names = [self.problem.families[n].name for n in scope]
        block = witness_lines(self.problem, witness) if witness is not None else []
        return document(self.digest, PRECISION, names, point, lower, upper, block, tree)
