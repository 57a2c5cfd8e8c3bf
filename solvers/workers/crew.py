"""Who answers pieces of a work: a crew of workers, or nobody.

What comes back is judged by `read`, which raises Damaged or answers None where it does not believe it; a piece without
an answer is done here. So results depend on nobody else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, Future
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Generic, Protocol, TypeVar

from certify.solvers.journal.plain import Damaged
from certify.solvers.limits import Limit
from certify.solvers.workers.work import Work

LOOK = 0.05  # seconds between two looks at the limit, while somebody else works
AHEAD = 2  # pieces for each worker that are asked for before they are needed
Found = TypeVar("Found")
Answer = Future[bytes | None]


class Crew(Protocol):
    """Workers; `count` of them, besides this process."""

    @property
    def count(self) -> int:
        """How many pieces are answered at once."""

    @property
    def seconds(self) -> float:
        """How long a piece should take, so that asking for it costs little."""

    @property
    def elsewhere(self) -> bool:
        """Whether other machines have answered, whose word is not this program's."""

    def ask(self, work: Work, piece: bytes, seconds: float) -> Answer:
        """What will be answered; None, if nobody does. Can be cancelled as long as nobody has begun."""


@dataclass(frozen=True)
class Alone:
    """Nobody."""

    count: int = 0
    seconds: float = 0.0
    elsewhere: bool = False

    def ask(self, work: Work, piece: bytes, seconds: float) -> Answer:
        """None."""
        return nobody()


ALONE = Alone()


def nobody() -> Answer:
    """No answer."""
    answer: Answer = Future()
    answer.set_result(None)
    return answer


def waited(answer: Answer, limit: Limit) -> bytes | None:
    """An answer, as soon as it is there. Raises Late."""
    while True:
        try:
            return answer.result(LOOK)
        except TimeoutError:
            limit.check()
        except CancelledError:
            return None


@contextmanager
def given_back(answers: Sequence[Answer]) -> Iterator[None]:
    """What nobody has begun in the end is not wanted any more."""
    try:
        yield
    finally:
        for answer in answers:
            answer.cancel()


def believed(data: bytes | None, read: Callable[[bytes], Found | None]) -> Found | None:
    """What an answer says, if it is one."""
    try:
        return None if data is None else read(data)
    except Damaged:
        return None


@dataclass
class Round(Generic[Found]):
    """Pieces that wait for each other: `read` judges the answer to one of them, `here` answers it in this process."""

    crew: Crew
    work: Work
    read: Callable[[int, bytes], Found | None]
    here: Callable[[int], Found]

    def each(self, pieces: Sequence[bytes], limit: Limit) -> Iterator[Found]:
        """All answers in order, each as soon as it is there: whoever asks goes on with the first ones while the others
        are worked at. Raises Late.
        """
        answers = [self.crew.ask(self.work, piece, limit.remaining) for piece in pieces]
        found: dict[int, Found] = {}
        back = len(pieces)  # the others begin at the front
        with given_back(answers):
            for number, answer in enumerate(answers):
                while number < back and not answer.done():
                    limit.check()
                    back -= 1
                    if answers[back].cancel():
                        found[back] = self.here(back)
                yield found.pop(number) if number in found else self._taken(number, answer, limit)

    def _taken(self, number: int, answer: Answer, limit: Limit) -> Found:
        """What has been answered, or is found here."""
        told = believed(waited(answer, limit), partial(self.read, number))
        if told is None:
            limit.check()
            return self.here(number)
        return told
