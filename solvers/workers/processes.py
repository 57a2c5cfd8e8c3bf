"""Other processes of this machine, each at the end of a pipe: bytes go in, bytes come out.

A process is forked where that is safe (no other threads run), and begun afresh elsewhere; either way it is begun only
when there has been something to do for a while. One that was ended is replaced, and its piece is asked for once more;
then whoever has asked does it. A process ends with the one that has begun it.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import queue
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Self

from certify.solvers.journal.plain import Damaged, Plain
from certify.solvers.workers.crew import Answer, nobody
from certify.solvers.workers.work import Work, answered

WATCH = 1.0  # seconds between two looks whether the parent still lives
SHORT = 0.3  # seconds that a piece should take
PATIENCE = 1.0  # seconds until processes are begun afresh: they load for two
TRIES = 2
KEPT = 16  # texts of works that a process knows
CODEC = Plain()
Asked = tuple[str, bytes, bytes | None, bytes, float]


def end_with_parent() -> None:
    """Nobody reads the answers of a process whose parent was killed, and nobody would end it."""
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(WATCH)
    os._exit(1)


def begin() -> None:
    """Signals are the parent's, and so is what was inherited."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    gc.freeze()
    end_with_parent()


def serve(pipe: Connection) -> None:
    """Answer what comes, until nothing more can come."""
    begin()
    texts: dict[bytes, bytes] = {}
    with suppress(EOFError, OSError):
        while True:
            pipe.send_bytes(_served(pipe.recv_bytes(), texts))
    os._exit(0)


def serve_at(handle: int) -> None:
    """The same in a process that was begun afresh."""
    from certify.solvers.one_thread import one_thread

    one_thread()
    serve(Connection(handle))


def _served(data: bytes, texts: dict[bytes, bytes]) -> bytes:
    opener, mark, text, piece, seconds = CODEC.decode(data, Asked)
    if text is not None:
        _remember(texts, mark, text)
    return CODEC.encode(answered(opener, mark, texts[mark], piece, seconds))


def _remember(texts: dict[bytes, bytes], mark: bytes, text: bytes) -> None:
    """The last ones are kept, on both sides by this rule."""
    texts[mark] = text
    while len(texts) > KEPT:
        del texts[next(iter(texts))]


@dataclass
class _Process:
    """One of them: how it is ended, its pipe, and the texts that it knows."""

    kill: Callable[[], None]
    pipe: Connection
    texts: dict[bytes, bytes] = field(default_factory=dict)

    def ask(self, work: Work, piece: bytes, seconds: float) -> bytes | None:
        """Raises EOFError, OSError or Damaged if there is no answer."""
        text = None if work.mark in self.texts else work.text
        self.pipe.send_bytes(CODEC.encode((work.opener, work.mark, text, piece, seconds)))
        if text is not None:
            _remember(self.texts, work.mark, text)
        found: bytes | None = CODEC.decode(self.pipe.recv_bytes(), bytes | None)
        return found

    def end(self) -> None:
        """At once."""
        self.kill()
        self.pipe.close()


def _forked() -> _Process:
    mine, theirs = multiprocessing.get_context("fork").Pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Python warns of forks beside threads; ours sleep
        process = multiprocessing.get_context("fork").Process(target=serve, args=(theirs,), daemon=True)
        process.start()
    theirs.close()

    def kill() -> None:
        process.kill()
        process.join()

    return _Process(kill, mine)


def _fresh() -> _Process:
    mine, theirs = multiprocessing.Pipe()
    program = f"from certify.solvers.workers.processes import serve_at; serve_at({theirs.fileno()})"
    process = subprocess.Popen(
        [sys.executable, "-c", program], pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    theirs.close()

    def kill() -> None:
        process.kill()
        process.wait()

    return _Process(kill, mine)


_Job = tuple[Answer, Work, bytes, float]


class Processes:
    """So many of them, `forked` if that is safe; with one worker in all, this process, none."""

    def __init__(self, workers: int, forked: bool) -> None:
        can_fork = "fork" in multiprocessing.get_all_start_methods()
        self.count = workers - 1 if os.name == "posix" else 0
        self.seconds, self.elsewhere = SHORT, False
        self._forked = forked and can_fork
        self._patience = 0.0 if self._forked else PATIENCE
        self._since = time.monotonic()
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._processes: dict[int, _Process] = {}
        self._ended, self._owner = False, os.getpid()

    def ask(self, work: Work, piece: bytes, seconds: float) -> Answer:
        """What one of them will answer."""
        if not self._begun():
            return nobody()
        answer: Answer = Answer()
        self._jobs.put((answer, work, piece, seconds))
        return answer

    def begin(self) -> None:
        """At once, before there are other threads."""
        self._patience = 0.0
        self._begun()

    @property
    def pids(self) -> list[int]:
        """Those that have been begun, by their places."""
        return sorted(self._processes)

    def _begun(self) -> bool:
        if (
            self._ended
            or self.count < 1
            or os.getpid() != self._owner
            or time.monotonic() - self._since < self._patience
        ):
            return False
        if not self._threads:
            if self._forked:  # before there are threads
                self._processes = {place: _forked() for place in range(self.count)}
            for place in range(self.count):
                self._threads.append(threading.Thread(target=self._work, args=(place,), daemon=True))
                self._threads[-1].start()
        return True

    def _work(self, place: int) -> None:
        """What comes, with one process after the other."""
        while (job := self._jobs.get()) is not None:
            answer, work, piece, seconds = job
            if not answer.set_running_or_notify_cancel():
                continue
            until, found = time.monotonic() + seconds, None
            for _ in range(TRIES):
                try:
                    if place not in self._processes:
                        self._processes[place] = _fresh()
                    if self._ended:
                        break
                    found = self._processes[place].ask(work, piece, until - time.monotonic())
                    break
                except (EOFError, OSError, Damaged):
                    if self._ended:
                        break
                    if place in self._processes:
                        self._processes.pop(place).end()
            answer.set_result(found)

    def close(self) -> None:
        """End all, in the middle of what they do; a process that was forked meanwhile has none."""
        if os.getpid() != self._owner:
            return
        self._ended = True
        for _ in self._threads:
            self._jobs.put(None)
        for process in list(self._processes.values()):
            process.kill()
        for thread in self._threads:
            thread.join()
        for process in self._processes.values():
            process.pipe.close()
        self._processes.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()
