"""A tree of cases that a search in floats has found becomes the lines of a certificate.

What the search is sure of, for its outward-rounded sums leave a margin that the checker's finer arithmetic cannot lose,
is written as it is. Any other leaf is judged here, as the checker will judge it. A leaf that fails is divided where the
same reason brings its parts nearest to a proof, and weights are chosen anew; or it stays open, where boxes may. Where
they may, what is not reached in time stays open too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

import numpy as np

from certify.checker import nodes
from certify.checker.outcome import Rejection
from certify.checker.rules import Preparation, Proof
from certify.checker.scope import Box as ExactBox
from certify.contractors.numbers.enclosures import enclose_range
from certify.contractors.protocol.contractor import Aggregate, Box, Evaluate
from certify.contractors.short_numbers import short_between
from certify.proofs.certificate_text import OPEN, known, node_line, split
from certify.proofs.certificate_text import node as leaf_node
from certify.proofs.trimming import holds
from certify.proofs.weighted_lines import WeightedLines
from certify.solvers.limits import Late
from certify.solvers.proof.proof_tree import Fork, Known, Leaf, Node, Open, Ready, Reason, Told, Weighted
from certify.solvers.search.proof_search import Exhausted, ProofSearch, Why, late
from certify.solvers.tasks.proof_tasks import ASIDE, ASIDE_BITS

TOGETHER = 200  # nodes that are written between two looks at the limit; what it breaks off stays open
MOST_NODES = 2_000_000  # of the trees of groups of variables together
REPAIRS = 20_000  # of leaves that the checker's arithmetic does not confirm
Ends = list[float]  # of a box: a list is copied and read sooner than an array of so few
Line = str | nodes.Known  # zeros have other numbers where trees of groups of variables are put together
PREPARED = node_line(nodes.Prepare(1))
HOPELESS = -(10**3000)  # the margin of what cannot be enclosed


@dataclass
class _Prepared:
    """A box on which rows are prepared; in the checker's arithmetic if a leaf below is judged."""

    low: Ends
    high: Ends
    made: Preparation | None = None


_Todo = tuple[Ends, Ends, _Prepared, Node | None]


@dataclass
class ProofReplay:
    """Finds the lines of one tree, in prefix order; `left` are the boxes of its open leaves.

    With `every` no leaf is written that was not judged.
    """

    proof: Proof
    search: ProofSearch
    may_stay: bool = False  # open, what is not refuted or not reached in time
    every: bool = False
    found: list[Line] = field(default_factory=list)
    left: list[ExactBox] = field(default_factory=list)
    repairs: int = 0
    judged: int = 0
    own: int = 0  # leaves with reasons of users' contractors
    refuted: int = 0  # leaves that close a box by a row, or by several
    _last: tuple[Box, _Prepared] | None = None

    def __post_init__(self) -> None:
        self._root = self.proof.root.box
        self.rows = sorted(self.proof.scope.families)
        self._low, self._high = _doubles(self._root)
        self._sure: list[tuple[int, Weighted]] = []  # whose lines are written together
        self._lines = WeightedLines(lambda reason: node_line(self.leaf(reason)))

    def run(self, tree: Node) -> list[Line]:
        """All lines; raises Exhausted."""
        first = _Prepared(self._low, self._high, self.proof.root)
        stack: list[_Todo] = [(self._low, self._high, first, tree)]
        while stack:
            kept, written, left = list(stack), len(self.found), len(self.left)
            own, refuted = self.own, self.refuted
            try:
                with self.search.limits.limit.enforced():
                    for _ in range(TOGETHER):
                        if stack:
                            stack += self._step(*stack.pop())
                    self._write()
            except Late as reached:
                if not self.may_stay:
                    raise late(reached.why, f"while a proof of {self.search.leaves} leaves was confirmed") from None
                del self.found[written:], self.left[left:]
                self.own, self.refuted = own, refuted
                self._sure.clear()
                for low, high, _, _ in reversed(kept):
                    self._opened(low, high)
                break
        return self.found

    def _write(self) -> None:
        """The lines that have waited to be written together."""
        for (place, _), line in zip(self._sure, self._lines.lines([reason for _, reason in self._sure]), strict=True):
            self.found[place] = line
        self._sure.clear()

    def _step(self, low: Ends, high: Ends, prepared: _Prepared, node: Node | None) -> list[_Todo]:
        """Write the node of a box, if there is one; what comes after it, last first."""
        if isinstance(node, Fork):
            return self._fork(low, high, prepared, node)
        if isinstance(node, Ready):
            self.found.append(PREPARED)
            return [(low, high, _Prepared(low, high), node.below)]
        if isinstance(node, Leaf):
            if self._leaf(low, high, prepared, node.reason):
                return []
            return [(low, high, prepared, self._repair(self._exact(low, high), node.reason))]
        raise AssertionError("a box was lost")

    def _fork(self, low: Ends, high: Ends, prepared: _Prepared, node: Fork) -> list[_Todo]:
        """Both parts, or one, where the exact box lies on one side (the search's doubles enclose it)."""
        v, at = node.variable, node.at
        if at <= low[v] or (low[v] == self._low[v] and at <= self._root[v][0]):
            return [(low, high, prepared, node.upper)]
        if at >= high[v] or (high[v] == self._high[v] and at >= self._root[v][1]):
            return [(low, high, prepared, node.lower)]
        self.found.append(split(self.proof.scope.variables[v], at))
        return [(_moved(low, v, at), high, prepared, node.upper), (low, _moved(high, v, at), prepared, node.lower)]

    def _leaf(self, low: Ends, high: Ends, prepared: _Prepared, reason: Reason) -> bool:
        """Write a leaf, if it is proved, or may stay open."""
        if self.may_stay and isinstance(reason, Known | Open):
            self._opened(low, high)
            return True
        if isinstance(reason, Weighted) and reason.sure and not self.every:
            self._sure.append((len(self.found), reason))
            self.found.append("")
            self.refuted += 1
            return True
        leaf = self.leaf(reason)
        sure = isinstance(reason, Known | Evaluate | Told) and not self.every
        if not sure and not self._holds(low, high, prepared, leaf):
            if self.may_stay:
                self._opened(low, high)
            return self.may_stay
        self.found.append(leaf if isinstance(leaf, nodes.Known) else node_line(leaf))
        self.refuted += isinstance(leaf, nodes.Evaluate | nodes.Aggregate)
        self.own += isinstance(reason, Told)
        return True

    def confirms(self, prepared: Box, removed: Box, told: Told) -> bool:
        """Whether the checker accepts a reason on a part, where rows were prepared on this box."""
        if self._last is None or self._last[0] is not prepared:
            self._last = prepared, _Prepared(prepared.lower.tolist(), prepared.upper.tolist())
        return self._holds(removed.lower.tolist(), removed.upper.tolist(), self._last[1], self.leaf(told))

    def _opened(self, low: Ends, high: Ends) -> None:
        self.left.append(self._exact(low, high))
        self.found.append(OPEN)

    def leaf(self, reason: Reason) -> nodes.Leaf:
        """The leaf as the checker holds it."""
        said = reason.reason if isinstance(reason, Told) else reason
        match said:
            case Known(zero):
                return nodes.Known(zero)
            case Open():
                return nodes.Open()
            case Evaluate(row, _):
                return nodes.Evaluate(self.rows[row], 0)
            case Aggregate():
                return leaf_node(self._named(said))
        return leaf_node(self._named(self.search.aggregate(said)))

    def _named(self, found: Aggregate) -> Aggregate:
        """The combination, rows and variables told of the whole problem."""
        rows, variables = self.rows, self.proof.scope.variables
        return Aggregate(
            tuple(replace(term, block=rows[term.block]) for term in found.rows),
            tuple(replace(term, first=variables[term.first], second=variables[term.second]) for term in found.products),
        )

    def _holds(self, low: Ends, high: Ends, prepared: _Prepared, leaf: nodes.Leaf) -> bool:
        """Whether the checker accepts a leaf."""
        self.judged += 1
        if prepared.made is None:
            prepared.made = self.proof.prepare(self.proof.root, self._exact(prepared.low, prepared.high), 1)
        return holds(self.proof, prepared.made, self._exact(low, high), leaf)

    def _exact(self, low: Ends, high: Ends) -> ExactBox:
        """The box of which these doubles are the ends; those of the domain stand for its exact ones."""
        return tuple(
            (root[0] if a == first else Fraction(a), root[1] if b == last else Fraction(b))
            for a, b, first, last, root in zip(low, high, self._low, self._high, self._root, strict=True)
        )

    def _repair(self, box: ExactBox, reason: Reason) -> Fork:
        """Divide a box whose leaf fails where the same reason comes nearest to a proof of the parts."""
        self.repairs += 1
        if self.repairs > REPAIRS:
            raise Exhausted(
                Why.UNCONFIRMED,
                f"more than {REPAIRS} leaves of the proof are not confirmed by the checker's arithmetic",
            )
        low, high = _doubles(box)
        choices = []
        for v, (lower, upper) in enumerate(box):
            at = short_between(low[v], high[v], ASIDE, ASIDE_BITS)
            if lower < Fraction(at) < upper:
                parts = self.proof.split(box, self.proof.scope.variables[v], Fraction(at))
                choices.append((sorted(min(self._margin(part, reason), 0) for part in parts), v, at))
        if not choices:
            raise Exhausted(Why.TOO_SMALL, f"{Why.TOO_SMALL.value}, and is not refuted")
        _, v, at = max(choices)
        fork = Fork(v, at)
        fork.lower, fork.upper = (
            self._again(low, _moved(high, v, at), reason),
            self._again(_moved(low, v, at), high, reason),
        )
        return fork

    def _again(self, low: Ends, high: Ends, reason: Reason) -> Node:
        """The same reason, if it is a row; weights are chosen anew."""
        return Leaf(reason) if isinstance(reason, Evaluate) else self.search.prove(Box(np.array(low), np.array(high)))

    def _margin(self, box: ExactBox, reason: Reason) -> int:
        """By how much the reason proves a box, or fails (negative)."""
        scope = self.proof.scope
        try:
            if isinstance(reason, Evaluate):
                program = scope.program(self.rows[reason.block])
                low, high = program.where_defined(scope.inputs(program, reason.row, scope.outward(box))) or (1, 1)
                return max(low, -high)
            node = self.leaf(reason)
            if not isinstance(node, nodes.Aggregate):
                return HOPELESS
            return self.proof.aggregate_bound(self.proof.prepare(self.proof.root, box, 1), box, node.terms)
        except Rejection:
            return HOPELESS


def _doubles(box: ExactBox) -> tuple[Ends, Ends]:
    """Ends of a box that encloses this one."""
    low, high = (list(ends) for ends in zip(*(enclose_range(*ends) for ends in box), strict=True))
    return low, high


def _moved(ends: Ends, v: int, at: float) -> Ends:
    changed = ends.copy()
    changed[v] = at
    return changed


Tree = tuple[list[Line], int]  # its lines, and how many zeros there are


def outermost_first(trees: Sequence[Tree]) -> list[int]:
    """The order in which trees of different variables make the shortest one, each at the leaves of known zeros of the
    one before. Raises Exhausted if that is too long.
    """

    def leaves(k: int) -> int:
        return sum(isinstance(node, nodes.Known) for node in trees[k][0])

    order = sorted(range(len(trees)), key=lambda k: len(trees[k][0]) / max(leaves(k) - 1, 0.5), reverse=True)
    total = 0
    for k in reversed(order):
        total = len(trees[k][0]) + leaves(k) * total
    if total > MOST_NODES:
        raise Exhausted(Why.LEAVES, f"the proof for all groups of variables together has more than {MOST_NODES} lines")
    return order


def nested(trees: Sequence[Tree], above: int = 0) -> list[Line]:
    """One tree of several in different variables: where one ends in the box of a zero the next one goes on, and zeros
    are numbered as combinations are, the last tree's first.
    """
    (tree, zeros), *others = trees
    found: list[Line] = []
    for node in tree:
        if isinstance(node, nodes.Known):
            number = above * zeros + node.zero
            found += nested(others, number) if others else [nodes.Known(number)]
        else:
            found.append(node)
    return found


def lines_of(tree: Sequence[Line]) -> list[str]:
    """The text of a tree."""
    return [known(line.zero) if isinstance(line, nodes.Known) else line for line in tree]
