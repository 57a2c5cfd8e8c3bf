"""What users' own contractors remove from the boxes of a proof: cuts with their reasons, each judged before it is
taken.

A reason that is not confirmed cuts less, or nothing: so a wrong one makes a proof longer, never wrong, and others go on
from the box that is left.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from certify.contractors.protocol.boxes import Boxes, Contractor, Narrowed, reasons_of
from certify.contractors.protocol.contractor import Aggregate, Box, Cut, Narrowing
from certify.contractors.protocol.contractor import Reason as Given
from certify.solvers.proof.proof_tree import Leaf, Told
from certify.solvers.tasks.proof_tasks import Task, stacked

RETREATS = (1.0, 0.9, 0.5)  # of what a cut is to remove

# whether a reason holds on a part, where rows were prepared on a box
Confirms = Callable[[Box, Box, Told], bool]


@dataclass(frozen=True)
class OwnSteps:
    """Contractors with reasons, and who judges these."""

    contractors: Sequence[Contractor] = ()
    confirms: Confirms = lambda prepared, removed, told: False

    def take(self, tasks: list[Task], worth: float) -> list[Task]:
        """Cut off what they remove, if that is such a part of some width; the boxes of which something is left."""
        for contractor in self.contractors:
            if tasks:
                boxes = Boxes(*stacked(tasks))
                answer = contractor.contract(boxes)
                changed = _changed(boxes, answer, worth)
                told = {k: reasons_of(contractor, boxes, answer, k) for k in np.flatnonzero(changed).tolist()}
                tasks = [task for k, task in enumerate(tasks) if not self._closed(task, told.get(k))]
        return tasks

    def _closed(self, task: Task, told: Narrowing | None) -> bool:
        """Take the steps that are confirmed; whether nothing is left."""
        if told is None:
            return False
        taking = _Taking(task, self.confirms)
        for cut in told.cuts:
            taking.cut(cut)
        return told.refuted is not None and taking.refuted(told.refuted)


@dataclass
class _Taking:
    """The steps of one box, and the box on which its rows were prepared, if they were."""

    task: Task
    confirms: Confirms
    prepared: Box | None = None

    def cut(self, cut: Cut) -> None:
        """As far as its reason is confirmed."""
        v, low, high = cut.variable, self.task.low, self.task.high
        face = low[v] if cut.below else high[v]
        for part in RETREATS:
            at = float(face + (cut.at - face) * part)
            if not low[v] < at < high[v]:
                continue
            removed = Box(low, high).to(v, at, not cut.below)
            alone = not self._confirmed(removed, cut.reason)
            if not alone or self._confirmed_alone(removed, cut.reason):
                self.task.cut(v, at, cut.below, Told(cut.reason), prepared=alone)
                return

    def refuted(self, reason: Given) -> bool:
        """All that is left."""
        if not self._confirmed(Box(self.task.low, self.task.high), reason):
            return False
        self.task.hole.fill(Leaf(Told(reason)))
        return True

    def _confirmed(self, removed: Box, reason: Given) -> bool:
        """Whether the reason holds; rows are prepared for the first sum that does."""
        whole = self.prepared or Box(self.task.low, self.task.high)
        if not self.confirms(whole, removed, Told(reason)):
            return False
        if self.prepared is None and isinstance(reason, Aggregate):
            self.prepared = whole
            self.task.prepare()
        return True

    def _confirmed_alone(self, removed: Box, reason: Given) -> bool:
        """Whether a sum holds where rows are prepared on the part itself."""
        return isinstance(reason, Aggregate) and self.confirms(removed, removed, Told(reason))


def _changed(boxes: Boxes, answer: Narrowed, worth: float) -> np.ndarray:
    """Which boxes are refuted, or narrower by such a part of some width."""
    with np.errstate(invalid="ignore", over="ignore"):
        gone = np.maximum(answer.lower - boxes.lower, boxes.upper - answer.upper)
        return np.asarray(answer.empty | (gone > worth * (boxes.upper - boxes.lower)).any(axis=0))
