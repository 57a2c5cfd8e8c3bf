"""Certificates are written by replaying the search in the checker's own arithmetic.

Every cut becomes a split whose cut-off child is a leaf; the leaf is judged as it is written, by the code that will
judge it again. A cut that fails there is moved outwards, and if that does not help it is left out; a refutation that
fails withdraws the whole claim: nothing is published that the checker has not accepted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from certify.certificate_text import document, leaf, split, witness_lines
from certify.checker import Aggregate, Box, Evaluate, Preparation, Proof, Scope, Undefined, parse_node, parse_problem
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
    """Writes the lines of one tree."""

    proof: Proof
    lines: list[str] = field(default_factory=list)

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
            raise Withdrawn("a box is left undecided")
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

    def needed(self, scope: tuple[int, ...], witness: Witness) -> Fraction | None:
        """The smallest short decimal e >= 0 for which the witness is accepted as |r| <= e; None if a row cannot be enclosed there."""
        try:
            return self._needed(scope, witness)
        except Undefined:
            return None

    def _needed(self, scope: tuple[int, ...], witness: Witness) -> Fraction:
        judge = Scope(self.checked, scope, PRECISION)
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
        judge = Scope(self.checked, scope, PRECISION)
        box = judge.box if point is None else tuple((value, value) for value in point)
        proof = Proof(self.checked, scope, PRECISION, lower, box)
        return _Replay(proof).run(box, steps)

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

