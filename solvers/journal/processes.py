"""Forked processes that answer bytes by bytes: the pieces of one round of a search, done on all cores of a machine.

What a process is to do it inherits when it is forked; what travels are plain data. Answers come in the order of the
pieces, whoever has done them. A piece whose process was ended, or that came to a limit, has no answer (None).
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import threading
import time
import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from types import TracebackType
from typing import Self

from certify.solvers.limits import Late

WATCH = 1.0  # seconds between two looks whether the parent still lives
Task = Callable[[bytes], bytes]

_task: Task | None = None  # what the processes inherit


def begin() -> None:
    """Signals are the parent's, and so is what was inherited."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    gc.freeze()
    end_with_parent()


def end_with_parent() -> None:
    """Nobody reads the answers of a process whose parent was killed, and nobody would end it."""
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(WATCH)
    os._exit(1)


def _call(piece: bytes) -> bytes | None:
    if _task is None:
        raise RuntimeError("a process without a task")
    try:
        return _task(piece)
    except (Late, MemoryError):
        return None


class Processes:
    """So many forked processes for one task, begun with the first round; none where there is no fork, or no need."""

    def __init__(self, task: Task, count: int) -> None:
        self._task, self.count = task, count if "fork" in multiprocessing.get_all_start_methods() else 1
        self._pool: ProcessPoolExecutor | None = None

    def each(self, pieces: Sequence[bytes]) -> list[bytes | None]:
        """The answers, in order."""
        pool = self._begun()
        if pool is None:
            return [None] * len(pieces)
        try:
            waiting = [pool.submit(_call, piece) for piece in pieces]
        except BrokenProcessPool:
            self._end()
            return [None] * len(pieces)
        return [_answer(future) for future in waiting]

    def _begun(self) -> ProcessPoolExecutor | None:
        global _task
        if self._pool is None and self.count > 1:
            _task = self._task
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DeprecationWarning)  # Python warns of forks beside threads; ours sleep
                self._pool = ProcessPoolExecutor(self.count, multiprocessing.get_context("fork"), begin)
                for future in [self._pool.submit(os.getpid) for _ in range(self.count)]:
                    future.result()
        return self._pool

    def _end(self) -> None:
        global _task
        if self._pool is not None:
            for process in list((self._pool._processes or {}).values()):
                process.kill()
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool, _task = None, None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._end()


def _answer(future: Future[bytes | None]) -> bytes | None:
    try:
        return future.result()
    except BrokenProcessPool:
        return None
