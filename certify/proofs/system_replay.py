"""A tree of cases that a search in floats has found, followed in the checker's arithmetic: every leaf is judged.

A leaf that fails is divided where the same reason brings its parts nearest to a proof, and weights are chosen anew; or
it stays open, where boxes may. Where they may, what is not reached in time stays open too.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from certify.checker.nodes import Aggregate as CheckedAggregate
from certify.checker.nodes import Evaluate as CheckedEvaluate
from certify.checker.nodes import Known as KnownLeaf
from certify.checker.nodes import Leaf as CheckedLeaf
from certify.checker.nodes import Open as CheckedOpen
from certify.checker.nodes import Prepare, Split, parse_term
from certify.checker.outcome import Rejection
from certify.checker.rules import Preparation, Proof
from certify.checker.scope import Box as ExactBox
from certify.contractors.numbers.enclosures import enclose_range
from certify.contractors.protocol.contractor import Box, Evaluate
from certify.contractors.short_numbers import short_between
from certify.contractors.tape.evaluation import Floats
from certify.proofs.certificate_text import leaf
from certify.proofs.trimming import Placed, accepted
from certify.solvers.limits import Late
from certify.solvers.proof.proof_tree import Fork, Known, Leaf, Node, Open, Ready, Reason
from certify.solvers.search.proof_search import Exhausted, ProofSearch, Why, late
from certify.solvers.search.proof_tasks import ASIDE, ASIDE_BITS

REPAIRS = 20_000  # of leaves that the checker's arithmetic does not confirm
HOPELESS = -(10**3000)  # the margin of what cannot be enclosed


_Todo = tuple[ExactBox, Preparation, Node | None]


@dataclass
class ProofReplay:
    """Finds the nodes of one tree as the checker accepts them, in prefix order."""

    proof: Proof
    search: ProofSearch
    may_stay: bool = False  # open, what is not refuted or not reached in time
    nodes: list[Placed] = field(default_factory=list)
    repairs: int = 0

    def run(self, box: ExactBox, tree: Node) -> list[Placed]:
        """All nodes; raises Exhausted."""
        stack: list[_Todo] = [(box, self.proof.root, tree)]
        while stack:
            todo = stack.pop()
            try:
                with self.search.limits.limit.enforced():
                    placed, later = self._step(*todo)
            except Late as reached:
                if not self.may_stay:
                    raise late(reached.why, f"while a proof of {self.search.leaves} leaves was confirmed") from None
                placed, later = Placed(CheckedOpen(), todo[0], todo[1]), []
            self.nodes += [] if placed is None else [placed]
            stack += later
        return self.nodes

    def _step(self, box: ExactBox, preparation: Preparation, node: Node | None) -> tuple[Placed | None, list[_Todo]]:
        """The node of a box, if there is one, and what comes after it, last first."""
        if isinstance(node, Leaf):
            placed = self._leaf(box, preparation, node.reason)
            return placed, [(box, preparation, self._repair(box, node.reason))] if placed is None else []
        if isinstance(node, Fork):
            return self._fork(box, preparation, node)
        if isinstance(node, Ready):
            preparation = self.proof.prepare(preparation, box, 1)
            return Placed(Prepare(1), box, preparation), [(box, preparation, node.below)]
        raise AssertionError("a box was lost")

    def _fork(self, box: ExactBox, preparation: Preparation, node: Fork) -> tuple[Placed | None, list[_Todo]]:
        """Both parts, or one, where the exact box lies on one side (the search's doubles enclose it)."""
        at = Fraction(node.at)
        low, high = box[self.proof.scope.positions[node.variable]]
        if not low < at < high:
            return None, [(box, preparation, node.upper if at <= low else node.lower)]
        lower, upper = self.proof.split(box, node.variable, at)
        return Placed(Split(node.variable, at), box, preparation), [
            (upper, preparation, node.upper),
            (lower, preparation, node.lower),
        ]

    def _leaf(self, box: ExactBox, preparation: Preparation, reason: Reason) -> Placed | None:
        found = None if self.may_stay and isinstance(reason, Known | Open) else _parsed(reason)
        placed = None if found is None else accepted(self.proof, preparation, box, found)
        return Placed(CheckedOpen(), box, preparation) if placed is None and self.may_stay else placed

    def _repair(self, box: ExactBox, reason: Reason) -> Fork:
        """Divide a box whose leaf fails where the same reason comes nearest to a proof of the parts."""
        self.repairs += 1
        if self.repairs > REPAIRS:
            raise Exhausted(
                Why.UNCONFIRMED,
                f"more than {REPAIRS} leaves of the proof are not confirmed by the checker's arithmetic",
            )
        low, high = (np.array(ends) for ends in zip(*(enclose_range(*ends) for ends in box), strict=True))
        choices = []
        for v, (lower, upper) in enumerate(box):
            at = short_between(low[v], high[v], ASIDE, ASIDE_BITS)
            if lower < Fraction(at) < upper:
                parts = self.proof.split(box, self.proof.scope.variables[v], Fraction(at))
                choices.append((sorted(min(self._margin(part, reason), 0) for part in parts), v, at))
        if not choices:
            raise Exhausted(Why.TOO_SMALL, f"{Why.TOO_SMALL.value}, and is not refuted")
        _, v, at = max(choices)
        fork = Fork(self.proof.scope.variables[v], at)
        fork.lower, fork.upper = (
            self._again(low, _moved(high, v, at), reason),
            self._again(_moved(low, v, at), high, reason),
        )
        return fork

    def _again(self, low: Floats, high: Floats, reason: Reason) -> Node:
        """The same reason, if it is a row; weights are chosen anew."""
        return Leaf(reason) if isinstance(reason, Evaluate) else self.search.prove(Box(low, high))

    def _margin(self, box: ExactBox, reason: Reason) -> int:
        """By how much the reason proves a box, or fails (negative)."""
        scope = self.proof.scope
        try:
            if isinstance(reason, Evaluate):
                program = scope.program(reason.block)
                low, high = program.where_defined(scope.inputs(program, reason.row, scope.outward(box))) or (1, 1)
                return max(low, -high)
            node = _parsed(reason)
            if not isinstance(node, CheckedAggregate):
                return HOPELESS
            return self.proof.aggregate_bound(self.proof.prepare(self.proof.root, box, 1), box, node.terms)
        except Rejection:
            return HOPELESS


def _parsed(reason: Reason) -> CheckedLeaf:
    match reason:
        case Known(zero):
            return KnownLeaf(zero)
        case Open():
            return CheckedOpen()
        case Evaluate(family, row):
            return CheckedEvaluate(family, row)
    return CheckedAggregate(tuple(parse_term(term) for term in leaf(reason).split(" ")[1:]))


def _moved(ends: Floats, v: int, at: float) -> Floats:
    changed = ends.copy()
    changed[v] = at
    return changed
