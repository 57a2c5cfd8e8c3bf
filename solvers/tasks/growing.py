"""The boxes of a search for a proof are grown one by one: as a journal has it, in another process, or here.

Each box is treated as if it were alone, so that a tree is the same, byte for byte, whatever the number of processes and
whichever boxes are treated together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from certify.contractors.tape.evaluation import Floats
from certify.solvers.journal.journal import NOTHING, Memory
from certify.solvers.journal.plain import Damaged
from certify.solvers.journal.processes import Processes
from certify.solvers.proof.proof_tree import Ready
from certify.solvers.tasks.grown import CODEC, Sizes, Token, attached, holes_of, leaves, task_bytes, task_of, tokens
from certify.solvers.tasks.proof_tasks import Task

if TYPE_CHECKING:
    from collections.abc import Iterator

FEWEST = 8  # boxes that a process is given
PIECES = 2  # for each process in a round
Piece = tuple[Token, ...]
Asked = tuple[bool, tuple[tuple[Floats, Floats, Floats, int], ...]]


@dataclass
class Growing:
    """`treat` makes what it can of tasks, and says what is left; `covers` whether boxes may stay open."""

    treat: Callable[[list[Task]], list[Task]]
    sizes: Callable[[], Sizes]
    allow: Callable[[bool], None]
    memory: Memory = NOTHING
    workers: int = 1
    leaves: int = 0
    _processes: Processes | None = field(default=None, init=False)

    @contextmanager
    def together(self) -> Iterator[None]:
        """With processes, if there are to be some."""
        if self.workers < 2:
            yield
            return
        with Processes(self._answer, self.workers) as self._processes:
            try:
                yield
            finally:
                self._processes = None

    def grow(self, tasks: list[Task]) -> list[Task]:
        """What is left to be done of tasks, in their order."""
        left = {number: known for number, task in enumerate(tasks) if (known := self._recalled(task)) is not None}
        rest = [number for number in range(len(tasks)) if number not in left]
        fresh = [tasks[number] for number in rest]
        for number, task, piece in zip(rest, fresh, self._pieces(fresh), strict=True):
            key = partial(task_bytes, task)
            self.memory.keep(key, partial(CODEC.encode, piece))
            left[number] = self._attached(task, piece)
        return [task for number in range(len(tasks)) for task in left[number]]

    def _recalled(self, task: Task) -> list[Task] | None:
        return self.memory.recall(partial(task_bytes, task), lambda data: self._attached(task, _piece(data)))

    def _attached(self, task: Task, piece: Piece) -> list[Task]:
        left = attached(task, piece, self.sizes())
        self.leaves += leaves(piece)
        return left

    def _pieces(self, tasks: list[Task]) -> list[Piece]:
        """What is made of each."""
        if self._processes is None or len(tasks) < 2 * FEWEST:
            return self._here(tasks)
        size = max(FEWEST, -(-len(tasks) // (PIECES * self.workers)))
        chunks = [tasks[start : start + size] for start in range(0, len(tasks), size)]
        answers = self._processes.each([self._asked(chunk) for chunk in chunks])
        return [piece for chunk, answer in zip(chunks, answers, strict=True) for piece in self._read(chunk, answer)]

    def _read(self, chunk: list[Task], answer: bytes | None) -> Sequence[Piece]:
        """The answer of a process, or our own where there is none, or none that is sound."""
        try:
            found: tuple[Piece, ...] = () if answer is None else CODEC.decode(answer, tuple[Piece, ...])
        except Damaged:
            found = ()
        return found if len(found) == len(chunk) else self._here(chunk)

    def _here(self, tasks: list[Task]) -> list[Piece]:
        """Each in a tree of its own."""
        if not tasks:
            return []
        own = [task_of(task.low, task.high, task.widths, task.cell) for task in tasks]
        tops = [task.hole.parent for task in own]
        holes = holes_of(self.treat(own))
        return [tokens(top, holes) for top in tops if isinstance(top, Ready)]

    def _asked(self, tasks: list[Task]) -> bytes:
        boxes = tuple((task.low, task.high, task.widths, int(task.cell)) for task in tasks)
        return CODEC.encode((self.sizes().covers, boxes))

    def _answer(self, data: bytes) -> bytes:
        """What a process does."""
        covers, boxes = CODEC.decode(data, Asked)
        self.allow(covers)
        return CODEC.encode(tuple(self._here([task_of(*box) for box in boxes])))


def _piece(data: bytes) -> Piece:
    found: Piece = CODEC.decode(data, Piece)
    return found
