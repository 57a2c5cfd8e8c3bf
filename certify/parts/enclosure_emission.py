"""The certificate of a hull, written while it is found: what is cut off is replayed at once in the checker's
arithmetic.

The box that is left is always the checker's own: a cut that fails there is moved outwards or left out, a slab whose
refutation fails stays. So the next step of the search starts from what is proved, and the hull at the end is that box.
"""

from __future__ import annotations

from fractions import Fraction

from certify.checker.certificate import Hull
from certify.checker.rules import Question
from certify.checker.scope import Box as ExactBox
from certify.contractors.protocol.contractor import Box
from certify.parts.part_search import PartSearch
from certify.proofs.certificate_text import OPEN
from certify.proofs.problem_replay import Replay, Withdrawn
from certify.solvers.limits import Late
from certify.solvers.proof.trace import Branch, Steps


class HullProof:
    """A tree that grows at one leaf, which is open: the lines before that leaf, and the lines after it."""

    def __init__(self, search: PartSearch, epsilon: Fraction) -> None:
        proving, scope = search.proving, search.scope
        self._proving, self._scope, self._epsilon, self._search = proving, scope, epsilon, search
        self.exact: ExactBox = proving.judge(scope).box
        self._proof = proving.proof(scope, Question(epsilon, hull=Hull(self.exact)))
        self._before: list[str] = []
        self._after: list[str] = []
        self._tree: list[str] | None = None

    @property
    def box(self) -> Box:
        """What is left, in doubles that enclose it; variables outside the scope keep their bounds."""
        return self._search.around(self.exact)

    @property
    def tree(self) -> list[str]:
        """The lines of the tree."""
        return self.with_open([OPEN]) if self._tree is None else self._tree

    def with_open(self, lines: list[str]) -> list[str]:
        """The tree with other lines where it is open."""
        return [*self._before, *lines, *self._after]

    def certificate(self) -> bytes:
        """The claim that everything within epsilon lies in the box that is left."""
        return self._proving.enclosure_document(self._scope, self._epsilon, self.exact, self.tree)

    def replace(self, box: ExactBox, tree: list[str]) -> None:
        """Take another proof: this tree, whose open leaves lie in the box."""
        self.exact, self._tree = box, tree

    def grow(self, steps: Steps) -> bool:
        """Go on where the tree is open with steps that leave one box undecided; False if they are not confirmed in
        time, and nothing is changed.
        """
        replay = Replay(self._proof, self._search.limit, self._search.repair(self._epsilon))
        try:
            with self._search.limit.enforced():
                lines = replay.run(steps, self.exact)
        except (Withdrawn, Late):
            return False
        if len(replay.left) != 1:
            return False
        place = lines.index(OPEN)
        self._before += lines[:place]
        self._after[:0] = lines[place + 1 :]
        (self.exact,) = replay.left
        return True

    def remove(self, variable: int, at: float, below: bool, refutation: Steps) -> bool:
        """Cut off the slab x_variable <= at (if `below`) or >= at, which the steps refute; False if that is not
        confirmed.
        """
        before, rest = self.exact, Steps()
        ends = (refutation, rest) if below else (rest, refutation)
        return self.grow(Steps([], Branch(variable, at, *ends))) and self.exact != before
