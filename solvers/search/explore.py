"""The one loop of all searches, which knows no mathematics: it takes what waits, has a step treat it, and lets what the
step leaves wait.

    what waits      a stack (the newest first), the best by a measure, or what a search has of its own
    a step          treats a batch and answers what is left of it to be done; `Ended` ends the search
    how many        nodes are counted, so that answers under such a limit repeat
    a limit         of time or memory, or an interruption, is asked for between steps; a step that it breaks off has
                    done nothing: what it had taken waits again

Whoever searches keeps what it finds; here is only what is still to be done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic, Protocol, TypeVar

from certify.solvers.limits import Late, Limit, Stopped

Batch = TypeVar("Batch")
Item = TypeVar("Item")


class Waiting(Protocol[Batch]):
    """What is to be done."""

    def __len__(self) -> int:
        """How much."""

    def take(self, most: int) -> Batch:
        """What comes next, so many at most."""

    def add(self, batch: Batch) -> None:
        """What is to be done later."""

    def put_back(self, batch: Batch) -> None:
        """What comes next after all."""


class Stack(list[Item]):
    """The newest first; a batch is in the order in which it was added."""

    def take(self, most: int) -> list[Item]:
        """The newest."""
        taken = self[-most:]
        del self[-most:]
        return taken

    def add(self, batch: Iterable[Item]) -> None:
        """The last one comes first."""
        self.extend(batch)

    put_back = add


class Best(Generic[Item]):
    """The smallest by a measure that may change meanwhile; of equals the oldest."""

    def __init__(self, items: Iterable[Item], measure: Callable[[Item], float]) -> None:
        self.items, self._measure = list(items), measure

    def __len__(self) -> int:
        return len(self.items)

    def take(self, most: int) -> list[Item]:
        """The best as they are now."""
        self.items.sort(key=self._measure)
        taken, self.items = self.items[:most], self.items[most:]
        return taken

    def add(self, batch: Iterable[Item]) -> None:
        """They are compared when something is taken."""
        self.items.extend(batch)

    put_back = add


class Ended(Exception):
    """A step ends the search; what is left of its batch waits."""

    def __init__(self, why: Stopped, left: Any = ()) -> None:
        super().__init__(why.value)
        self.why, self.left = why, left


def explore(
    waiting: Waiting[Batch],
    step: Callable[[Batch], Batch],
    limit: Limit,
    batch: int = 1,
    room: Callable[[], int] | None = None,
    progress: Callable[[], None] | None = None,
) -> Stopped:
    """Step after step until nothing waits, or `room` (how many more may be treated) or time is used up; why it
    ended.
    """
    while len(waiting):
        why = limit.why
        if why is not Stopped.FINISHED:
            return why
        most = batch if room is None else min(batch, room())
        if most <= 0:
            return Stopped.SPLITS
        taken = waiting.take(most)
        try:
            left = step(taken)
        except Ended as ended:
            waiting.put_back(ended.left)
            return ended.why
        except (Late, MemoryError) as reached:
            waiting.put_back(taken)
            return reached.why if isinstance(reached, Late) else Stopped.MEMORY
        waiting.add(left)
        if progress is not None:
            progress()
    return Stopped.FINISHED
