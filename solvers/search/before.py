"""What an interrupted search for solutions has made of batches of boxes, as its journal has it, or a worker.

What is read is judged: remains lie within the boxes that they come from, and boxes that are said to hold one zero each
are tested once more. That what was cut off holds none is the word of the run that has written it, as it is the
engine's in any run; a certificate, which is replayed from the start, does not rest on it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from certify.contractors.protocol.boxes import Boxes
from certify.solvers.graph.accounts import Account, Books, Count
from certify.solvers.graph.schedule import Proved, Report
from certify.solvers.journal.journal import Memory
from certify.solvers.journal.plain import Damaged, Plain

Remains = tuple[Boxes, NDArray[np.int64], Report]  # the boxes, which of the batch these were, and the report
CODEC = Plain(Boxes, Report, Count, Books, Account, Proved)


@dataclass(frozen=True)
class Before:
    """`memory` of one search; `are_proved` judges boxes that are said to hold one zero each."""

    memory: Memory
    are_proved: Callable[[Proved], bool]

    def recalled(self, boxes: Boxes, books: Books) -> Remains | None:
        """What remained of a batch, at what the graph had learnt."""
        return self.memory.recall(partial(question, boxes, books), partial(self.read, boxes))

    def keep(self, boxes: Boxes, books: Books, found: Remains) -> None:
        """What remains now, unless it may be narrowed further."""
        if not found[2].late:
            self.memory.keep(partial(question, boxes, books), partial(answer_bytes, found))

    def read(self, asked: Boxes, data: bytes) -> Remains:
        """What remained of a batch, if that can be so. Raises Damaged."""
        return self._judged(asked, CODEC.decode(data, Remains))

    def read_each(self, asked: Sequence[Boxes], data: bytes) -> tuple[Remains, ...]:
        """What remained of several. Raises Damaged."""
        found = CODEC.decode(data, tuple[Remains, ...])
        if len(found) != len(asked):
            raise Damaged("another number of batches")
        return tuple(map(self._judged, asked, found))

    def _judged(self, asked: Boxes, found: Remains) -> Remains:
        """What remained, if that can be so. Raises Damaged."""
        boxes, kept, report = found
        if report.late or report.boxes != asked.count or not _within(boxes, kept, asked):
            raise Damaged("remains of other boxes")
        if not all(_shaped(proved, asked.variables) and self.are_proved(proved) for proved in report.proved):
            raise Damaged("a zero that is none")
        return found


def question(boxes: Boxes, books: Books) -> bytes:
    """What is asked of a batch."""
    return CODEC.encode((boxes, books))


def piece_of(batches: Sequence[Boxes], books: Books) -> bytes:
    """What a worker is asked of several batches, each of which it narrows as if it were alone."""
    return CODEC.encode((tuple(batches), books))


def batches_of(data: bytes) -> tuple[tuple[Boxes, ...], Books]:
    """The batches, and what the graph had learnt."""
    found: tuple[tuple[Boxes, ...], Books] = CODEC.decode(data, tuple[tuple[Boxes, ...], Books])
    return found


def answer_bytes(found: Remains) -> bytes:
    """What remains."""
    return CODEC.encode(found)


def answers_bytes(found: Sequence[Remains]) -> bytes:
    """What remains of each."""
    return CODEC.encode(tuple(found))


def _within(boxes: Boxes, kept: NDArray[np.int64], asked: Boxes) -> bool:
    """Whether boxes are parts of those that they are said to come from."""
    shape = (asked.variables, kept.size)
    if kept.ndim != 1 or boxes.lower.shape != shape or boxes.upper.shape != shape:
        return False
    if kept.size and not (kept[0] >= 0 and kept[-1] < asked.count and (np.diff(kept) > 0).all()):
        return False
    ends = asked.take(kept)
    inside = (ends.lower <= boxes.lower) & (boxes.lower <= boxes.upper) & (boxes.upper <= ends.upper)
    return bool(inside.all())


def _shaped(proved: Proved, variables: int) -> bool:
    """Whether boxes with a zero are told in pairs of the right size, the lower end first."""
    pairs = proved.enclosures, proved.only_one_in
    shapes = {ends.shape for pair in pairs for ends in (pair.lower, pair.upper)}
    sized = len(shapes) == 1 and len(shape := shapes.pop()) == 2 and shape[0] == variables
    return sized and all(bool((pair.lower <= pair.upper).all()) for pair in pairs)
