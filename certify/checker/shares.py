"""The leaves of one tree, judged by several processes (specification, section 9): by whom a leaf is judged does not
matter, for each is judged alone.

Every process reads the whole tree, and judges leaves of its own: blocks of them in turn. They are forked from the one
that has read the files, so that all judge the same bytes; the tree is valid if every one of them has said so.
"""

import os
import signal
from collections.abc import Callable
from functools import partial
from typing import Final, NamedTuple

from .outcome import Rejection, ResourceLimit

BLOCK: Final = 512  # leaves that follow each other often share a preparation, which each process works out
VALID: Final = "valid"


class Share(NamedTuple):
    """What one of so many processes judges."""

    number: int = 0
    of: int = 1

    def has(self, block: int) -> bool:
        """Whether a block is its own."""
        return block % self.of == self.number


def in_shares(judge: Callable[[Share], None], processes: int) -> None:
    """Judge all shares, the first one here; raise what the first of those raises that raise anything."""
    others: list[tuple[int, int]] = []
    try:
        for number in range(1, processes):
            others.append(_begun(partial(judge, Share(number, processes))))
        judge(Share(0, processes))
        for _, pipe in others:
            _hear(pipe)
    finally:
        for process, pipe in others:
            os.close(pipe)
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)


def _begun(judge: Callable[[], None]) -> tuple[int, int]:
    """A process that judges a share, and the pipe at which it will say what it has found."""
    read, write = os.pipe()
    process = os.fork()
    if process == 0:
        try:
            os.write(write, said(judge).encode())
        finally:
            os._exit(0)
    os.close(write)
    return process, read


def said(judge: Callable[[], None]) -> str:
    """That a share is valid; or where its rejection is, and why; or after an empty line which limit it has reached."""
    try:
        judge()
    except Rejection as rejection:
        return f"{rejection.where}\n{rejection}"
    except (ResourceLimit, MemoryError, RecursionError) as limit:
        return f"\n{str(limit) or type(limit).__name__}"
    return VALID


def _hear(pipe: int) -> None:
    """Raise what a process has said, unless it is that its share is valid: also if it was ended without a word."""
    with os.fdopen(os.dup(pipe), encoding="utf-8") as stream:
        told = stream.read()
    where, _, text = told.partition("\n")
    if told == VALID:
        return
    if not where:
        raise ResourceLimit(text or "a process of the check was ended")
    rule, _, reason = text.partition(": ")
    raise Rejection(rule, reason, where)
