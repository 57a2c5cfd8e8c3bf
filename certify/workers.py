"""Independent parts answered side by side, by forked processes that share what is loaded and compiled; one after the other without fork."""

from __future__ import annotations

import gc
import multiprocessing
import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import TypeVar

Scope = tuple[int, ...]
Answer = TypeVar("Answer")

GARBAGE = 200_000  # new objects between two collections

_task: Callable[[str, Scope], object] | None = None  # what the processes inherit


def _begin() -> None:
    """A worker lives for some parts only: what it inherits is never garbage, and new garbage may wait."""
    gc.freeze()
    gc.set_threshold(GARBAGE)


def _call(name: str, scope: Scope) -> object:
    if _task is None:
        raise RuntimeError("a worker without a task")
    return _task(name, scope)


def for_each(parts: Sequence[tuple[str, Scope]], task: Callable[[str, Scope], Answer], workers: int) -> list[Answer]:
    """The task's answers for all parts, in order; an exception of one ends all. Answers must be plain records, for they travel between processes."""
    global _task
    if workers < 2 or len(parts) < 2 or "fork" not in multiprocessing.get_all_start_methods():
        return [task(name, scope) for name, scope in parts]
    _task = task
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # Python warns of forks beside threads; ours sleep
            with ProcessPoolExecutor(min(workers, len(parts)), multiprocessing.get_context("fork"), _begin) as pool:
                try:
                    found = [pool.submit(_call, name, scope) for name, scope in parts]
                    return [future.result() for future in found]  # type: ignore[misc]
                except BaseException:  # interrupted, or bad input: nobody waits for the others
                    for process in multiprocessing.active_children():
                        process.terminate()
                    raise
    finally:
        _task = None
