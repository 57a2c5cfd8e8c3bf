"""Independent parts answered side by side, by forked processes that share what is loaded and compiled; one after the
other without fork.

Interruptions are the parent's: a worker shares its count of them (certify.solvers.limits), stops at its next checkpoint
and hands over what it has. What a worker was doing that the system has killed (for want of memory, most often) is done
by the parent, one after the other.
"""

from __future__ import annotations

import gc
import math
import multiprocessing
import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.process import BaseProcess
from typing import TypeVar

from certify.solvers.limits import Limit
from certify.solvers.memory import GARBAGE, garbage_waits
from certify.solvers.workers.processes import begin

Scope = tuple[int, ...]
Answer = TypeVar("Answer")

_task: Callable[[str, Scope], object] | None = None  # what the processes inherit


def _begin() -> None:
    """A worker lives for some parts only: new garbage may wait."""
    begin()
    gc.set_threshold(GARBAGE)


def _call(name: str, scope: Scope) -> object:
    if _task is None:
        raise RuntimeError("a worker without a task")
    return _task(name, scope)


@garbage_waits()
def for_each(parts: Sequence[tuple[str, Scope]], task: Callable[[str, Scope], Answer], workers: int) -> list[Answer]:
    """The task's answers for all parts, in order; an exception of one ends all. Answers must be plain records, for they
    travel between processes.
    """
    global _task
    if workers < 2 or len(parts) < 2 or "fork" not in multiprocessing.get_all_start_methods():
        return [task(name, scope) for name, scope in parts]
    _task = task
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # Python warns of forks beside threads; ours sleep
            with ProcessPoolExecutor(min(workers, len(parts)), multiprocessing.get_context("fork"), _begin) as pool:
                others = set(multiprocessing.active_children())
                try:
                    found = [pool.submit(_call, name, scope) for name, scope in parts]
                    ours = [process for process in multiprocessing.active_children() if process not in others]
                    return [_answer(future, ours, task, *part) for future, part in zip(found, parts, strict=True)]
                except BaseException:  # interrupted, or bad input: nobody waits for the others
                    for process in multiprocessing.active_children():
                        process.kill()
                    raise
    finally:
        _task = None


def _answer(
    future: Future[object],
    ours: Sequence[BaseProcess],
    task: Callable[[str, Scope], Answer],
    name: str,
    scope: Scope,
) -> Answer:
    """Where one was lost the pool waits for the others, which heed no SIGTERM and may wait for the pool to read."""
    try:
        return future.result()  # type: ignore[return-value]
    except BrokenProcessPool:
        for process in ours:
            process.kill()
        return task(name, scope)


def share_each(
    parts: Sequence[tuple[str, Scope]],
    task: Callable[[str, Scope, Limit], Answer],
    workers: int,
    limit: Limit,
    after: int = 0,
) -> list[Answer]:
    """The same, each part with a fair share of the time that is left when its turn comes; `after` more such shares are
    kept for what comes later.
    """
    turns = {scope: turn for turn, (_, scope) in enumerate(parts)}

    def one(name: str, scope: Scope) -> Answer:
        rounds = math.ceil((len(parts) - turns[scope]) / max(workers, 1)) + after
        return task(name, scope, limit.share(1.0 / rounds))

    return for_each(parts, one, workers)
