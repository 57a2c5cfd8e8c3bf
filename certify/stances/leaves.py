"""A leg's consistent parameters, covered by boxes: the tree of one certificate, which faces are cut off from leaf by
leaf.

    split the longest side of the longest box, narrow both halves by the measured rows, and so on

In a smaller box the rows are less curved, so that a linear program says more; a box that is refuted is gone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from certify.accuracy.emission import LEVEL
from certify.checker.certificate import Hull
from certify.checker.nodes import Split
from certify.checker.rules import Question
from certify.checker.scope import Box
from certify.contractors.numbers.enclosures import enclose_rational
from certify.contractors.protocol.contractor import Box as Doubles
from certify.contractors.rows.constraints import Constraints
from certify.contractors.short_numbers import BITS, short_near
from certify.parts.part_search import PartSearch
from certify.problems.model.model import Problem
from certify.proofs.certificate_text import OPEN, node_line
from certify.proofs.problem_replay import Proving, Replay, Withdrawn
from certify.records.options import Options
from certify.solvers.graph.components import build
from certify.solvers.limits import Late, Limit, Stopped
from certify.solvers.linear_programs.ranges import Ranges
from certify.solvers.proof.trace import Steps, left_open
from certify.solvers.search.explore import Best, Ended, explore

TIMES = 3  # that a box is narrowed
SHRUNK = 0.9  # of a side: then it is narrowed again


@dataclass(eq=False)
class Node:
    """A box (None: it is refuted), what comes before and after it in the tree, and its halves."""

    box: Box | None
    before: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)
    halves: tuple[Node, ...] = ()

    @property
    def side(self) -> Fraction:
        """The longest one."""
        return max((high - low for low, high in self.box or ()), default=Fraction(0))


class Leaves:
    """The boxes that are left of a problem whose rows are to be within 1."""

    def __init__(self, problem: Problem, options: Options, limit: Limit) -> None:
        self._limit, scope = limit, tuple(range(len(problem.families)))
        proving = Proving(problem)
        start = np.zeros(len(problem.variables))
        self._search = PartSearch(proving, scope, options, start, limit=limit)
        whole = proving.judge(scope).box
        self._proof = proving.proof(scope, Question(LEVEL, hull=Hull(whole)))
        rows = [(number, problem.blocks[number]) for number in scope]
        self._component = build(Constraints.of(rows, enclose_rational(LEVEL)[1]), Ranges(limit))
        self._root = Node(whole)
        self._narrow(self._root)
        self.nodes = [self._root]

    def grow(self, count: int) -> None:
        """So many boxes, or as many as there is time for; the tree is whole at any moment."""
        waiting = Best(self.nodes, lambda node: -float(node.side))

        def step(taken: list[Node]) -> list[Node]:
            halves = self._halved(taken[0])
            if not halves:
                raise Ended(Stopped.FINISHED, taken)
            return [half for half in halves if half.box is not None]

        explore(waiting, step, self._limit, room=lambda: count - len(waiting))
        self.nodes = waiting.items

    def doubles(self, node: Node) -> Doubles:
        """The box of a leaf in doubles that enclose it."""
        return self._search.around(node.box or ())

    @property
    def boxes(self) -> list[Box]:
        """All of them."""
        return [node.box for node in self.nodes if node.box is not None]

    def lines(self, inside: Callable[[Node], Sequence[str]]) -> list[str]:
        """The whole tree, with these lines in the place of its leaves."""
        return _lines(self._root, inside)

    def _halved(self, node: Node) -> tuple[Node, ...]:
        box = node.box or ()
        place = max(range(len(box)), key=lambda k: box[k][1] - box[k][0])
        low, high = box[place]
        at = Fraction(short_near(float(low + high) / 2, float(high - low), BITS))
        if not low < at < high:
            return ()
        halves = tuple(Node((*box[:place], ends, *box[place + 1 :])) for ends in ((low, at), (at, high)))
        for half in halves:
            self._narrow(half)
        node.halves, node.before = halves, [*node.before, node_line(Split(place, at))]
        return halves

    def _narrow(self, node: Node) -> None:
        """Cut off what the rows refute, as far as the checker's arithmetic confirms it."""
        for _ in range(TIMES):
            before = node.box
            if before is None or not self._narrowed(node) or node.box is None:
                return
            sides = zip(node.box, before, strict=True)
            if all(b - a >= Fraction(SHRUNK) * (high - low) for (a, b), (low, high) in sides):
                return

    def _narrowed(self, node: Node) -> bool:
        """Whether steps were found, and confirmed."""
        steps, box = Steps(), node.box
        replay = Replay(self._proof, self._limit, self._search.repair(LEVEL))
        try:
            with self._limit.enforced():
                self._component.narrow(self.doubles(node), steps, self._limit.late)
                lines = replay.run(steps, box)
        except (Withdrawn, Late):
            return False
        if not left_open(steps) and not replay.left:
            node.box, node.before = None, [*node.before, *lines]
            return True
        if len(replay.left) != 1:
            return False
        place = lines.index(OPEN)
        node.before, node.after = [*node.before, *lines[:place]], [*lines[place + 1 :], *node.after]
        (node.box,) = replay.left
        return True


def _lines(node: Node, inside: Callable[[Node], Sequence[str]]) -> list[str]:
    if node.halves:
        return [*node.before, *(line for half in node.halves for line in _lines(half, inside)), *node.after]
    return [*node.before, *([] if node.box is None else inside(node)), *node.after]
