"""Certificates are written by replaying the search in the checker's own arithmetic.

Every cut becomes a split whose cut-off child is a leaf; the leaf is judged as it is written, by the code that will
judge it again. A cut that fails there is moved outwards, and if that does not help it is left out. Where a refutation
fails, for the checker's enclosures are not the engine's, or has no reason, the search goes on from the box that the
replay has reached; if that comes to nothing the whole claim is withdrawn: nothing is published that the checker has not
accepted. What a search leaves undecided is a leaf that is open (`enclosure`: their hull is the claim) or known
(`isolation`: around a zero that is alone there).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import takewhile
from weakref import WeakValueDictionary

from certify.bulk.bulk_proof import BulkForms, BulkProof
from certify.bulk.bulk_rows import BulkRows, bulk_rows
from certify.checker.certificate import Hull
from certify.checker.interval import Undefined
from certify.checker.isolated import Enclosure, check_square, isolate
from certify.checker.nodes import Known, Node, Open, Prepare, Skew, Split
from certify.checker.outcome import Clock, Rejection
from certify.checker.problem import parse_problem
from certify.checker.rules import Preparation, Question
from certify.checker.scope import Box, Scope
from certify.contractors.protocol.contractor import Aggregate, Cut
from certify.problems.model.canonical import canonical_bytes, digest
from certify.problems.model.model import Problem
from certify.proofs.bulk_witness import distance_needed, rows_needed
from certify.proofs.certificate_text import Claim, Zero, document, groups_of, node_line, said, witness_lines
from certify.proofs.certificate_text import node as leaf_node
from certify.proofs.trimming import Placed, accepted, holds, short_witness, trim
from certify.proofs.witnesses import Witness
from certify.solvers.limits import UNLIMITED, Late, Limit
from certify.solvers.proof.trace import Branch, Framed, Prepared, Refuted, Steps
from certify.text.decimals import round_up

PRECISION = 112
RETREATS = (Fraction(1), Fraction(9, 10), Fraction(1, 2))
MOST_REPAIRS = 1000
TRIMMING = 0.5  # of the time that is left: a certificate that is not short is one all the same

Repair = Callable[[Box, int], Steps | None]  # refutes a box, of which so many refutations have failed


class Withdrawn(Exception):
    """A step of the search could not be replayed: the claim is not made."""


def volume_of(box: Box) -> Fraction:
    """The product of a box's sides."""
    return math.prod((high - low for low, high in box), start=Fraction(1))


@dataclass
class _Place:
    """Where the replay stands: the box, how its rows were prepared, and the steps that lead on."""

    box: Box
    preparation: Preparation
    steps: Steps
    tries: int = 0


@dataclass
class Replay:
    """Finds the nodes of one tree; `left` are the boxes of its open leaves, `repairs` counts the refutations that were
    searched for again.
    """

    proof: BulkProof
    limit: Limit = UNLIMITED
    repair: Repair | None = None
    nodes: list[Placed] = field(default_factory=list)
    left: list[Box] = field(default_factory=list)
    repairs: int = 0

    def run(self, steps: Steps, box: Box | None = None) -> list[str]:
        """The lines, trimmed if there is time, for the root's box or a part of it; raises Withdrawn, or Late.

        Prefix order with an explicit stack; a node on the stack is a leaf that waits for its sibling.
        """
        stack: list[_Place | Placed] = [_Place(self.proof.root.box if box is None else box, self.proof.root, steps)]
        while stack:
            top = stack.pop()
            if isinstance(top, Placed):
                self.nodes.append(top)
            else:
                self.limit.check()
                stack.extend(reversed(self._follow(top)))
        return self._trimmed()

    def _trimmed(self) -> list[str]:
        try:
            with self.limit.share(TRIMMING).enforced():
                return trim(self.proof, self.nodes)
        except Late:
            return [node_line(placed.node) for placed in self.nodes]

    def _follow(self, place: _Place) -> list[_Place | Placed]:
        """Place the actions of one box; returns what comes after, in order."""
        later: list[_Place | Placed] = []
        box, preparation = place.box, place.preparation
        for number, action in enumerate(place.steps.actions):
            if isinstance(action, Prepared):
                if (preparation.cells, preparation.box) != (action.cells, box):
                    preparation = self.proof.prepare(preparation, box, action.cells)
                    self.nodes.append(Placed(Prepare(action.cells), box, preparation))
                self.proof.expect(preparation, self._named(place.steps, number))
            elif isinstance(action, Framed):
                frame = Skew(
                    tuple(map(Fraction, action.start)), tuple(tuple(map(Fraction, row)) for row in action.matrix)
                )
                self.nodes.append(Placed(frame, box, preparation))
                preparation = self.proof.skew(preparation, box, frame)
                box = preparation.box
            else:
                box = self._cut(box, preparation, action, later)
        end = place.steps.end
        if end is None:
            self.nodes.append(Placed(self._undecided(preparation, box), box, preparation))
            return later
        if isinstance(end, Branch):
            at = Fraction(end.at)
            position = self.proof.scope.positions[end.variable]
            low, high = box[position]
            if not low < at < high:
                rest = end.upper if at <= low else end.lower
                return [_Place(box, preparation, rest, place.tries), *later]
            self.nodes.append(Placed(Split(end.variable, at), box, preparation))
            lower, upper = self.proof.split(box, end.variable, at)
            return [
                _Place(lower, preparation, end.lower, place.tries),
                _Place(upper, preparation, end.upper, place.tries),
                *later,
            ]
        reason = None if end.reason is None else leaf_node(end.reason)
        refuted = None if reason is None else accepted(self.proof, preparation, box, reason)
        if refuted is None:
            return [self._repaired(box, preparation, place.tries), *later]
        self.nodes.append(refuted)
        return later

    @staticmethod
    def _named(steps: Steps, number: int) -> Iterator[Aggregate]:
        """The sums whose rows are named on what the action of this number prepares."""
        below = list(takewhile(lambda action: isinstance(action, Cut), steps.actions[number + 1 :]))
        named = [action.reason for action in below if isinstance(action, Cut)]
        if number + 1 + len(below) == len(steps.actions) and isinstance(steps.end, Refuted):
            named += [steps.end.reason] if steps.end.reason is not None else []
        return (reason for reason in named if isinstance(reason, Aggregate))

    def _repaired(self, box: Box, preparation: Preparation, tries: int) -> _Place:
        """The box again, with other steps that refute it."""
        steps = None if self.repair is None or self.repairs >= MOST_REPAIRS else self.repair(box, tries)
        if steps is None:
            self.limit.check()
            raise Withdrawn("the refutation of a box is not confirmed by the checker's arithmetic")
        self.repairs += 1
        return _Place(box, preparation, steps, tries + 1)

    def _undecided(self, preparation: Preparation, box: Box) -> Node:
        """The leaf of a box that was not refuted: open, or known if it lies in the box of a zero."""
        leaves: list[Open | Known] = [Open(), *map(Known, range(len(self.proof.question.zeros)))]
        for undecided in leaves:
            if holds(self.proof, preparation, box, undecided):
                self.left += [box] if isinstance(undecided, Open) else []
                return undecided
        raise Withdrawn("a box is left undecided")

    def _cut(self, box: Box, preparation: Preparation, cut: Cut, later: list[_Place | Placed]) -> Box:
        """Place a cut as far as it is proved; what waits for the rest of the box goes in front of `later`."""
        position = self.proof.scope.positions[cut.variable]
        low, high = box[position]
        node = leaf_node(cut.reason)
        face = low if cut.below else high
        for retreat in RETREATS:
            at = face + (Fraction(cut.at) - face) * retreat
            exact = Fraction(float(at))
            if not low < exact < high:
                continue
            parts = self.proof.split(box, cut.variable, exact)
            removed, rest = parts if cut.below else (parts[1], parts[0])
            refuted = accepted(self.proof, preparation, removed, node)
            if refuted is not None:
                self.nodes.append(Placed(Split(cut.variable, exact), box, preparation))
                if cut.below:
                    self.nodes.append(refuted)
                else:
                    later.insert(0, refuted)
                return rest
        return box


class Proving:
    """A problem in its canonical form, as the checker sees it, with its name."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.canonical = canonical_bytes(problem)
        self.digest = digest(self.canonical)
        self.checked = parse_problem(self.canonical)
        self._judges: dict[tuple[int, ...], Scope] = {}
        self._bulk: dict[tuple[int, ...], dict[int, BulkRows | None]] = {}
        self._forms: dict[tuple[int, ...], BulkForms] = {}

    def judge(self, scope: tuple[int, ...]) -> Scope:
        """The rows of a scope in the checker's arithmetic."""
        if scope not in self._judges:
            self._judges[scope] = Scope(self.checked, scope, PRECISION)
        return self._judges[scope]

    def needed(self, scope: tuple[int, ...], witness: Witness) -> Fraction | None:
        """The smallest short decimal e >= 0 for which the witness is accepted as |r| <= e; None if a row cannot be
        enclosed there.
        """
        try:
            return self._needed(scope, witness)
        except Undefined:
            return None

    def _needed(self, scope: tuple[int, ...], witness: Witness) -> Fraction:
        """Distances are told from one value of each measurement, unless all rows vanish: then there are none."""
        judge = self.judge(scope)
        found = self._rows_needed(scope, witness)
        largest = max(map(max, found.values()))
        if largest and witness.single:
            found = self._rows_needed(scope, witness.of_distances)
            members = ([found[n] for n in families if n in found] for families in self.problem.distances)
            largest = max(*map(max, found.values()), *(distance_needed(judge, rows) for rows in members if rows))
        return round_up(Fraction(largest, 2**PRECISION))

    def _rows_needed(self, scope: tuple[int, ...], witness: Witness) -> dict[int, list[int]]:
        judge, bulk = self.judge(scope), self.bulk(scope)
        values = tuple(witness.values[v] for v in judge.variables)
        return {n: rows_needed(judge, n, bulk[n], values, witness.columns) for n in scope}

    def bulk(self, scope: tuple[int, ...]) -> dict[int, BulkRows | None]:
        """The rows of a scope as compiled code takes them."""
        if scope not in self._bulk:
            self._bulk[scope] = bulk_rows(self.judge(scope))
        return self._bulk[scope]

    def forms(self, scope: tuple[int, ...]) -> BulkForms:
        """Their polynomials, where compiled code can find them."""
        if scope not in self._forms:
            self._forms[scope] = BulkForms(self.judge(scope), partial(self.bulk, scope))
        return self._forms[scope]

    def proof(self, scope: tuple[int, ...], question: Question, box: Box | None = None) -> BulkProof:
        """The checker's judge of leaves, of a claim about errors with its groups."""
        judge = self.judge(scope)
        if not question.squares and all(self.problem.families[number].role == "model" for number in scope):
            claim = Claim(self.names(scope), discard=question.discard)
            question = question._replace(kind="errors", groups=tuple(groups_of(self.problem, claim.scope, claim)))
        return BulkProof(self.checked, judge, question, judge.box if box is None else box, self.forms(scope))

    def tree(
        self,
        scope: tuple[int, ...],
        lower: Fraction,
        steps: Steps,
        point: Sequence[Fraction] | None = None,
        limit: Limit = UNLIMITED,
        repair: Repair | None = None,
    ) -> list[str]:
        """The lines of a tree that refutes everything within `lower`; raises Withdrawn, or Late."""
        box = None if point is None else tuple((value, value) for value in point)
        with limit.enforced():
            return Replay(self.proof(scope, Question(lower), box), limit, repair).run(steps)

    def enclosure(
        self,
        scope: tuple[int, ...],
        level: Fraction,
        steps: Steps,
        limit: Limit = UNLIMITED,
        repair: Repair | None = None,
    ) -> tuple[Box | None, list[str]]:
        """The claim `within level`: the hull of what the search left undecided, and the lines of its tree.

        None: nothing was left, the tree proves `lower level`. Raises Withdrawn if a refutation is not confirmed, or
        Late.
        """
        replay = Replay(self.proof(scope, Question(level, hull=Hull(self.judge(scope).box))), limit, repair)
        with limit.enforced():
            lines = replay.run(steps)
        if not replay.left:
            return None, lines
        return tuple(
            (min(low for low, _ in ends), max(high for _, high in ends)) for ends in zip(*replay.left, strict=True)
        ), lines

    def isolated(self, scope: tuple[int, ...], zero: Zero) -> Enclosure | None:
        """Krawczyk's test in the checker's arithmetic: where the one zero in the box is (scaled by 2^PRECISION); None
        if this is not proved.
        """
        judge = self.judge(scope)
        try:
            check_square(judge)
            return isolate(judge, zero.checked, Clock())
        except Rejection:
            return None

    def enclosure_document(self, scope: tuple[int, ...], level: Fraction, hull: Box, tree: Sequence[str]) -> bytes:
        """The certificate that S(level) is within the hull."""
        return self.written(Claim(self.names(scope), within=level, hull=Hull(hull)), tree)

    def document(
        self,
        scope: tuple[int, ...],
        lower: Fraction | None,
        upper: Fraction | None,
        witness: Witness | None,
        tree: Sequence[str],
        point: Sequence[Fraction] | None = None,
        limit: Limit = UNLIMITED,
    ) -> bytes:
        """The certificate of a lower and an upper end, its witness made short if there is time."""
        if witness is not None and upper is not None:
            witness = witness.of_distances if upper else witness
            with suppress(Late), limit.share(TRIMMING).enforced():
                witness = short_witness(self.judge(scope), witness, upper, self.problem.distances if upper else ())
        block = witness_lines(self.problem, witness) if witness is not None else []
        return self.written(Claim(self.names(scope), point, lower=lower, upper=upper, witness=block), tree)

    def names(self, scope: tuple[int, ...]) -> list[str]:
        """The families of a scope."""
        return [self.problem.families[number].name for number in scope]

    def written(self, claim: Claim, tree: Sequence[str]) -> bytes:
        """The text of a certificate about this problem."""
        return document(self.digest, PRECISION, said(self.problem, claim), tree)


_known: WeakValueDictionary[int, Proving] = (
    WeakValueDictionary()
)  # by the problem's identity, which its Proving keeps from being given to another


def proving_of(problem: Problem) -> Proving:
    """The problem in its canonical form; whoever asks several questions about it holds on to this meanwhile, so that it
    is made once.
    """
    found = _known.get(id(problem))
    if found is None:
        found = _known[id(problem)] = Proving(problem)
    return found
