"""The boxes of a search for a proof are grown one by one: as a journal has it, by a worker, or here.

Each box is treated as if it were alone, so that a tree is the same, byte for byte, whatever the number of workers,
whichever boxes are treated together, and however far a worker goes on with what is left of a box.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from certify.contractors.tape.evaluation import Floats
from certify.solvers.journal.journal import NOTHING, Memory
from certify.solvers.journal.plain import Damaged
from certify.solvers.limits import Limit
from certify.solvers.proof.proof_tree import Ready
from certify.solvers.tasks.grown import (
    CODEC,
    Piece,
    Sizes,
    attached,
    holes_of,
    leaves,
    pieces_bytes,
    pieces_of,
    task_bytes,
    task_of,
    tokens,
    walked,
)  # fmt: skip
from certify.solvers.tasks.proof_tasks import Task
from certify.solvers.workers.crew import ALONE, Answer, Crew, Round, believed
from certify.solvers.workers.work import Work

FEWEST, MOST = 8, 64  # boxes in a piece of a round; boxes that are treated together where a worker goes on
Asked = tuple[bool, float, tuple[tuple[Floats, Floats, Floats, int], ...]]


@dataclass
class Growing:
    """`treat` makes what it can of tasks, and says what is left; `covers` whether boxes may stay open; `work` is what a
    worker makes the same of.
    """

    treat: Callable[[list[Task]], list[Task]]
    sizes: Callable[[], Sizes]
    allow: Callable[[bool], None]
    work: Callable[[], Work]
    memory: Memory = NOTHING
    crew: Crew = ALONE
    leaves: int = 0

    def grow(self, tasks: list[Task], limit: Limit) -> list[Task]:
        """What is left to be done of tasks, in their order, after one step with each. Raises Late."""
        if self.memory.journal is None and not self.crew.count:
            return self._in_place(tasks)
        left = {number: known for number, task in enumerate(tasks) if (known := self.recalled(task)) is not None}
        rest = [number for number in range(len(tasks)) if number not in left]
        fresh = [tasks[number] for number in rest]
        for number, task, piece in zip(rest, fresh, self._pieces(fresh, limit), strict=True):
            left[number] = self._taken(task, piece)
        return [task for number in range(len(tasks)) for task in left[number]]

    def _in_place(self, tasks: list[Task]) -> list[Task]:
        """The same, where nobody else is told: no piece is written, read and judged to be put where it grew."""
        roots = [task.hole for task in tasks]
        holes = holes_of(self.treat(tasks))
        left: list[Task] = []
        for root in roots:
            rest, closed = walked(root, holes)
            left += rest
            self.leaves += closed
        return left

    def recalled(self, task: Task) -> list[Task] | None:
        """What is left of a task of which the journal knows more."""
        return self.memory.recall(partial(self._key, task), lambda data: self._attached(task, _pieces(data, 1)[0]))

    def ask(self, tasks: list[Task], limit: Limit) -> Answer:
        """What a worker will make of tasks, going on with what is left of them for a while."""
        return self.crew.ask(self.work(), self._asked(tasks, self.crew.seconds), limit.remaining)

    def told(self, tasks: list[Task], data: bytes | None, limit: Limit) -> list[Task]:
        """What is left of tasks after a worker's answer; of those without a sound one after a step here."""
        found = believed(data, partial(_pieces, count=len(tasks)))
        if found is None:
            return self.grow(tasks, limit)
        left: list[Task] = []
        for task, piece in zip(tasks, found, strict=True):
            try:
                left += self._taken(task, piece)
            except Damaged:
                left += self.grow([task], limit)
        return left

    def _key(self, task: Task) -> bytes:
        """Where boxes may stay open a search stops in the middle, and steps are not put together."""
        return task_bytes(task) + (b" covers" if self.sizes().covers else b"")

    def _taken(self, task: Task, piece: Piece) -> list[Task]:
        """What is left of a task, whose piece is kept. Raises Damaged."""
        key = partial(self._key, task)()
        left = self._attached(task, piece)
        self.memory.keep(lambda: key, partial(pieces_bytes, (piece,)))
        return left

    def _attached(self, task: Task, piece: Piece) -> list[Task]:
        left = attached(task, piece, self.sizes())
        self.leaves += leaves(piece)
        return left

    def _pieces(self, tasks: list[Task], limit: Limit) -> Sequence[Piece]:
        """What one step makes of each."""
        if not self.crew.count or len(tasks) < 2 * FEWEST:
            return self._here(tasks)
        size = max(FEWEST, -(-len(tasks) // (2 + 2 * self.crew.count)))
        chunks = [tasks[start : start + size] for start in range(0, len(tasks), size)]

        def read(number: int, data: bytes) -> Sequence[Piece] | None:
            found = _pieces(data, len(chunks[number]))
            for task, piece in zip(chunks[number], found, strict=True):
                attached(task_of(task.low, task.high, task.widths, task.cell), piece, self.sizes())
            return found

        asked = Round(self.crew, self.work(), read, lambda number: self._here(chunks[number]))
        answers = asked.each([self._asked(chunk, 0.0) for chunk in chunks], limit)
        return [piece for pieces in answers for piece in pieces]

    def _here(self, tasks: list[Task], seconds: float = 0.0) -> Sequence[Piece]:
        """Each in a tree of its own, step after step for so long."""
        if not tasks:
            return []
        until = time.perf_counter() + seconds
        own = [task_of(task.low, task.high, task.widths, task.cell) for task in tasks]
        tops, left = [task.hole.parent for task in own], self.treat(own)
        while left and time.perf_counter() < until:
            rest, some = left[:-MOST], left[-MOST:]
            left = rest + self.treat(some)
        holes = holes_of(left)
        return [tokens(top, holes) for top in tops if isinstance(top, Ready)]

    def _asked(self, tasks: list[Task], seconds: float) -> bytes:
        boxes = tuple((task.low, task.high, task.widths, int(task.cell)) for task in tasks)
        return CODEC.encode((self.sizes().covers, seconds, boxes))

    def answer(self, data: bytes) -> bytes:
        """What a worker says."""
        covers, seconds, boxes = CODEC.decode(data, Asked)
        self.allow(covers)
        return pieces_bytes(self._here([task_of(*box) for box in boxes], seconds))


def _pieces(data: bytes, count: int) -> Sequence[Piece]:
    """So many pieces. Raises Damaged."""
    found = pieces_of(data)
    if len(found) != count:
        raise Damaged("another number of pieces")
    return found
