"""Certificates for systems of equations: exactly so many solutions in the box, each alone in a box of its own.

The solutions come from the engine's search, the proof that there are no others from a search of its own
(`solvers.proof_search`), whose tree is replayed in the checker's arithmetic, trimmed there, and written. A leaf that
fails in the replay is divided where this brings it nearest to a proof; a zero or a box that cannot be confirmed at all
means that there is no certificate, and the answer says why.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from certify.certificate_text import leaf, node_line
from certify.checker.nodes import Aggregate as CheckedAggregate
from certify.checker.nodes import Known as KnownLeaf
from certify.checker.nodes import Node as CheckedNode
from certify.checker.nodes import Prepare, Split, parse_node
from certify.checker.outcome import Rejection
from certify.checker.rules import Preparation, Proof, Question
from certify.checker.scope import Box as ExactBox
from certify.emission import Proving, Withdrawn
from certify.part_search import Progress
from certify.system_zeros import zero_boxes
from certify.trimming import Placed, accepted, holds, trim
from contractors.enclosures import enclose_range
from contractors.equations import Equations
from contractors.evaluation import Floats
from contractors.narrowing import Box, Evaluate
from contractors.tape import Builder, replay
from problems.model import Problem
from problems.system import System
from problems.system_canonical import NotCertifiable, canonical_problem
from solvers.branch_and_prune import Paving
from solvers.proof_search import Exhausted, Limits, Manner, ProofSearch, division_point
from solvers.proof_tree import Fork, Known, Leaf, Node, Ready, Reason
from solvers.refutation import Stopped

MANNERS = (  # one after the other; the search of each may take this part of the time that is left
    (Manner(), 0.4),
    (Manner(power=1.0, dull=0.2, share=0.0), 0.5),
    (Manner(enough=0.2, dull=1.0, share=0.1), 0.7),
)
REPAIRS = 20_000  # of leaves that the checker's arithmetic does not confirm
LATE = "its time ran out"  # in the words of `proof_search` and of the replay
LONGER = "with a longer time limit there may be one"
TOO_SMALL = "a box is too small to be divided further"
AT_AN_EDGE = (
    "most often a box touches the edge of a function's domain (a divisor that may be 0, the root or logarithm of what may be <= 0), and "
    "shrinking the domains of the variables away from it helps"
)
HOPELESS = -(10**3000)  # the margin of what cannot be enclosed


@dataclass(frozen=True, slots=True)
class SystemCertificate:
    """The canonical problem and its certificate, or the reason why there is none."""

    canonical: bytes = b""
    certificate: bytes = b""
    reason: str = ""
    seconds: float = 0.0


def certify_system(system: System, paving: Paving, seconds: float, progress: Progress | None = None) -> SystemCertificate:
    """A certificate for what a search has found, in so many seconds."""
    began = time.perf_counter()
    try:
        proving = Proving(canonical_problem(system))
        _require_complete(paving)
        certificate = _certificate(proving, paving, began + seconds, progress)
    except (NotCertifiable, Exhausted, Withdrawn) as failure:
        return SystemCertificate(reason=_reason(str(failure), seconds), seconds=time.perf_counter() - began)
    return SystemCertificate(proving.canonical, certificate, seconds=time.perf_counter() - began)


def _reason(failure: str, seconds: float) -> str:
    """Why there is no certificate, and what helps, if anything does."""
    if LATE in failure:
        return f"{failure} (in {seconds:.3g} s; {LONGER})"
    return f"{failure}; {AT_AN_EDGE}" if TOO_SMALL in failure else failure


def _require_complete(paving: Paving) -> None:
    left = len(paving.undecided) + len(paving.unexplored)
    if paving.stopped is not Stopped.FINISHED or left:
        boxes = f"{left} {'box' if left == 1 else 'boxes'}"
        cure = f" ({paving.stopped.value}; {LONGER})" if paving.stopped is Stopped.TIME and not paving.undecided else ""
        raise NotCertifiable(f"the search left {boxes} undecided or unexplored, so that the solutions are not counted{cure}")
    if paving.inner:
        raise NotCertifiable("the solutions are not isolated")


def equations_of_problem(problem: Problem) -> Equations:
    """All rows of a problem without columns on one tape: what the checker will enclose, for the engine."""
    builder = Builder(len(problem.variables))
    rows = [(family.tape, replay(family.tape, builder, [b.index for b in family.bindings])) for family in problem.families]
    tape = builder.tape(tuple(nodes[tape.outputs[0]] for tape, nodes in rows))
    return Equations(tape, np.zeros(len(rows)), np.zeros(len(rows)))


def _certificate(proving: Proving, paving: Paving, deadline: float, progress: Progress | None) -> bytes:
    """The text of the certificate; raises Exhausted or Withdrawn."""
    problem, scope = proving.problem, tuple(range(len(proving.problem.families)))
    equations, domain = equations_of_problem(problem), Box(*problem.box)
    found = zero_boxes(equations, [s.enclosure for s in paving.solutions], domain, lambda zero: proving.isolated(scope, zero) is not None)
    zeros = [zero for zero in found if zero is not None]
    if len(zeros) < len(found):
        raise Withdrawn(f"solution {found.index(None) + 1} is not confirmed by the checker's arithmetic as isolated and within the bounds")
    exact = proving.judge(scope).box
    ends = tuple(np.array([getattr(z, end) for z in zeros]).reshape(-1, len(problem.variables)) for end in ("lower", "upper"))
    for number, (manner, share) in enumerate(MANNERS, 1):
        last = number == len(MANNERS)
        now = time.perf_counter()
        limits = Limits(deadline if last else now + share * (deadline - now))
        search = ProofSearch(equations, (ends[0], ends[1]), limits, manner, progress)
        proof = proving.proof(scope, Question(Fraction(0), zeros=tuple(zero.box for zero in zeros)))
        try:
            tree = search.prove(domain)
            search.limits = Limits(deadline)
            if progress is not None:
                progress(f"certificate: {search.leaves} leaves are confirmed in the checker's arithmetic")
            confirming = time.perf_counter()
            nodes = _Replay(proof, search).run(exact, tree)
        except Exhausted:
            if last or time.perf_counter() > deadline:
                raise
            continue
        now = time.perf_counter()  # trimming takes about as long as the replay
        enough = deadline - now > now - confirming
        lines = trim(proof, nodes) if enough else [node_line(placed.node) for placed in nodes]
        return proving.zeros_document(scope, zeros, lines)
    raise AssertionError("there is no manner")


@dataclass
class _Replay:
    """Finds the nodes of one tree as the checker accepts them, in prefix order."""

    proof: Proof
    search: ProofSearch
    nodes: list[Placed] = field(default_factory=list)
    repairs: int = 0

    def run(self, box: ExactBox, tree: Node) -> list[Placed]:
        """All nodes; raises Exhausted."""
        stack: list[tuple[ExactBox, Preparation, Node | None]] = [(box, self.proof.root, tree)]
        while stack:
            if time.perf_counter() > self.search.limits.deadline:
                raise Exhausted(f"{LATE} while a proof of {self.search.leaves} leaves was confirmed")
            box, preparation, node = stack.pop()
            if isinstance(node, Leaf):
                placed = self._leaf(box, preparation, node.reason)
                if placed is None:
                    stack.append((box, preparation, self._repair(box, node.reason)))
                else:
                    self.nodes.append(placed)
            elif isinstance(node, Fork):
                stack += self._fork(box, preparation, node)
            elif isinstance(node, Ready):
                preparation = self.proof.prepare(preparation, box, 1)
                self.nodes.append(Placed(Prepare(1), box, preparation))
                stack.append((box, preparation, node.below))
            else:
                raise AssertionError("a box was lost")
        return self.nodes

    def _fork(self, box: ExactBox, preparation: Preparation, node: Fork) -> list[tuple[ExactBox, Preparation, Node | None]]:
        """The parts, last first: one, where the exact box lies on one side (the search's doubles enclose it)."""
        at = Fraction(node.at)
        low, high = box[self.proof.scope.positions[node.variable]]
        if not low < at < high:
            return [(box, preparation, node.upper if at <= low else node.lower)]
        self.nodes.append(Placed(Split(node.variable, at), box, preparation))
        lower, upper = self.proof.split(box, node.variable, at)
        return [(upper, preparation, node.upper), (lower, preparation, node.lower)]

    def _leaf(self, box: ExactBox, preparation: Preparation, reason: Reason) -> Placed | None:
        if isinstance(reason, Known):
            return Placed(leaf_, box, preparation) if holds(self.proof, preparation, box, leaf_ := KnownLeaf(reason.zero)) else None
        return accepted(self.proof, preparation, box, _parsed(reason))

    def _repair(self, box: ExactBox, reason: Reason) -> Fork:
        """Divide a box whose leaf fails where the same reason comes nearest to a proof of the parts."""
        self.repairs += 1
        if self.repairs > REPAIRS:
            raise Exhausted(f"more than {REPAIRS} leaves of the proof are not confirmed by the checker's arithmetic")
        low, high = (np.array(ends) for ends in zip(*(enclose_range(*ends) for ends in box), strict=True))
        choices = []
        for v, (lower, upper) in enumerate(box):
            at = division_point(low[v], high[v]) if low[v] < high[v] else low[v]
            if lower < Fraction(at) < upper:
                parts = self.proof.split(box, self.proof.scope.variables[v], Fraction(at))
                choices.append((sorted(min(self._margin(part, reason), 0) for part in parts), v, at))
        if not choices:
            raise Exhausted(f"{TOO_SMALL}, and is not refuted")
        _, v, at = max(choices)
        fork = Fork(self.proof.scope.variables[v], at)
        fork.lower, fork.upper = self._again(low, _moved(high, v, at), reason), self._again(_moved(low, v, at), high, reason)
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
                low, high = program.values(scope.inputs(program, reason.row, scope.outward(box)))[-1]
                return max(low, -high)
            node = None if isinstance(reason, Known) else _parsed(reason)
            if not isinstance(node, CheckedAggregate):
                return HOPELESS
            return self.proof.aggregate_bound(self.proof.prepare(self.proof.root, box, 1), box, node.terms)
        except Rejection:
            return HOPELESS


def _parsed(reason: Reason) -> CheckedNode:
    if isinstance(reason, Known):
        return KnownLeaf(reason.zero)
    return parse_node(leaf(reason).split(" "))


def _moved(ends: Floats, v: int, at: float) -> Floats:
    changed = ends.copy()
    changed[v] = at
    return changed
