"""What a worker is asked, and how it answers: plain bytes both ways.

    a work      the name of a function of ours, and a text (bytes) of which it makes a task
    a piece     bytes that the task answers by bytes, in so many seconds; None if it could not

A task depends on nothing but its text, so that it is the same wherever it is opened; a worker keeps the last ones open.
Which process answers decides nothing: whoever asks judges the answer, and what has none it does itself.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import blake2b
from importlib import import_module

from certify.contractors.checkpoint import checkpoints
from certify.solvers.limits import Limit

Task = Callable[[bytes, Limit], bytes]
Opener = Callable[[bytes], Task]

OPEN = 4  # tasks that a worker keeps
MARK = 16  # bytes of a text's digest

_local = threading.local()  # a task may have a state of its own, so that threads do not share it


@dataclass(frozen=True)
class Work:
    """`opener` is the name of a function of ours, `text` what it opens, `mark` its digest."""

    opener: str
    text: bytes
    mark: bytes

    @staticmethod
    def of(opener: Opener, text: bytes) -> Work:
        """A work by its function."""
        return Work(f"{opener.__module__}:{opener.__qualname__}", text, blake2b(text, digest_size=MARK).digest())


def answered(opener: str, mark: bytes, text: bytes, piece: bytes, seconds: float) -> bytes | None:
    """What a worker does with a piece."""
    limit = Limit.of(seconds)
    try:
        with limit.enforced(), checkpoints(limit.check):
            return _opened(opener, mark, text)(piece, limit)
    except Exception:
        return None


def _opened(opener: str, mark: bytes, text: bytes) -> Task:
    """The task of a text, as it was opened before."""
    known: OrderedDict[tuple[str, bytes], Task] = _local.__dict__.setdefault("tasks", OrderedDict())
    key = opener, mark
    if key not in known:
        module, _, name = opener.partition(":")
        if not module.startswith("certify."):
            raise ValueError(f"{opener} is no function of certify")
        known[key] = getattr(import_module(module), name)(text)
        while len(known) > OPEN:
            known.popitem(last=False)
    known.move_to_end(key)
    return known[key]


def open_echo(text: bytes) -> Task:
    """A task that does nothing: what asking costs."""
    return lambda piece, limit: piece
