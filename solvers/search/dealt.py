"""Tasks that wait, the newest treated here, the oldest by workers: these have the most below them.

A worker goes on with what is left of its tasks for a while, and says what it has made of them. So nobody waits for
anybody else as long as there is something to be done, and the tree is the same, whoever has grown which part.
"""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import FIRST_COMPLETED, wait
from dataclasses import dataclass, field

from certify.solvers.limits import Limit
from certify.solvers.search.explore import Stack
from certify.solvers.tasks.growing import Growing
from certify.solvers.tasks.proof_tasks import Task
from certify.solvers.workers.crew import AHEAD, LOOK, Answer, waited

MOST = 64  # tasks that a worker is given at once


@dataclass
class Dealt:
    """What is to be done of a proof: `here` waits, `there` is with workers."""

    growing: Growing
    limit: Limit
    here: Stack[Task]
    there: dict[Answer, list[Task]] = field(default_factory=dict)

    def __len__(self) -> int:
        """Tasks that wait, or are with workers."""
        return len(self.here) + sum(map(len, self.there.values()))

    def take(self, most: int) -> list[Task]:
        """The newest, once there are some. Raises Late."""
        self._collect()
        self._deal()
        while not self.here and self.there:
            self.limit.check()
            wait(self.there, LOOK, FIRST_COMPLETED)
            self._collect()
        self._deal()
        return self.here.take(most)

    def add(self, batch: Iterable[Task]) -> None:
        """The last one comes first."""
        self.here.add(batch)

    put_back = add

    def _collect(self) -> None:
        """What workers have left."""
        for answer in [answer for answer in self.there if answer.done()]:
            self.here.add(self.growing.told(self.there.pop(answer), waited(answer, self.limit), self.limit))

    def _deal(self) -> None:
        """The oldest go to workers that are, or soon will be, without work; one stays here."""
        most = AHEAD * self.growing.crew.count
        while len(self.there) < most and len(self.here) > 1:
            count = max(1, min(MOST, len(self.here) // (2 * most)))
            some = [task for task in self.here[:count] if not self._is_known(task)]
            del self.here[:count]
            if some:
                answer = self.growing.ask(some, self.limit)
                if answer.done() and answer.result() is None:  # nobody is there
                    self.here[:0] = some
                    return
                self.there[answer] = some

    def _is_known(self, task: Task) -> bool:
        """Whether the journal had what was to be said of a task."""
        left = self.growing.recalled(task)
        self.here.add(left or ())
        return left is not None

    def end(self) -> None:
        """Nobody need go on."""
        for answer in self.there:
            answer.cancel()
