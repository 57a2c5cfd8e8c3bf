"""Where work that takes long may be broken off: contractors pass checkpoints, whoever runs them says what happens
there.

    with checkpoints(check):        check() may raise, and what was under way has no answer
        contractor.contract(boxes)

Each thread has checkpoints of its own; without any nothing happens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_check: ContextVar[Callable[[], None] | None] = ContextVar("check", default=None)


def checkpoint() -> None:
    """Here work may be broken off."""
    check = _check.get()
    if check is not None:
        check()


@contextmanager
def checkpoints(check: Callable[[], None]) -> Iterator[None]:
    """Call `check` at the checkpoints of what runs meanwhile, in this thread."""
    before = _check.set(check)
    try:
        yield
    finally:
        _check.reset(before)
