"""Every task of a campaign in a process of its own, so many at a time; what is known already is judged again.

The order in which tasks end does not matter: a table has the rows in the order of the tasks, and nothing in a row
depends on a clock, unless a limit of time ended the search. A process that ends without an answer is a task that is
asked once more; the second time its row says so.
"""

from __future__ import annotations

import hashlib
import multiprocessing
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from certify.campaigns.answering import answer, is_system
from certify.campaigns.plan import CODEC as TASKS
from certify.campaigns.plan import Plan, Task
from certify.campaigns.rows import CODEC as ROWS
from certify.campaigns.rows import Row, failed, rows_of
from certify.problems.errors import InputError
from certify.solvers.journal.journal import Memory
from certify.solvers.journal.plain import Damaged
from certify.solvers.limits import INTERRUPTIONS, Late
from certify.solvers.workers.processes import end_with_parent

PAUSE, TRIES = 0.5, 2
RUNS = "runs"
Found = dict[int, tuple[Row, ...]]
Written = Callable[[Found], None]
Said = tuple[bool, tuple[Row, ...]]


def run_folder(folder: Path, task: Task) -> Path:
    """Where a task's files are."""
    return folder / RUNS / f"{task.number:05d}"


@dataclass
class Campaign:
    """`memory` has the rows of tasks that were answered before; `written` is told of all rows now and then."""

    plan: Plan
    folder: Path
    workers: int
    memory: Memory
    tell: Callable[[str], None]
    written: Written
    found: Found = field(default_factory=dict)
    recalled: int = 0
    _tries: dict[int, int] = field(default_factory=dict)
    _keys: dict[int, bytes] = field(default_factory=dict)

    def run(self) -> Found:
        """The rows of all tasks, of fewer if it is interrupted."""
        tasks, running = iter(self.plan.tasks), dict[Connection, tuple[BaseProcess, Task]]()
        again: list[Task] = []
        try:
            while not INTERRUPTIONS.count:
                while len(running) < self.workers and (task := _next(again, tasks)) is not None:
                    self._begin(task, running)
                if not running:
                    break
                for pipe in wait(list(running), PAUSE):
                    self._end(pipe, running, again)  # type: ignore[arg-type]
        finally:
            for process, _ in running.values():
                process.kill()
                process.join()
        return self.found

    def known(self, task: Task) -> tuple[Row, ...] | None:
        """The rows of a task that was answered before."""
        return self.memory.recall(partial(self._key, task), partial(ROWS.decode, kind=tuple[Row, ...]))

    def _key(self, task: Task) -> bytes:
        """What a task asks, with the system as its file stood when it was asked first."""
        if task.number not in self._keys:
            text = b""
            with suppress(OSError):
                text = Path(task.source).read_bytes() if is_system(task) else b""
            self._keys[task.number] = TASKS.encode(task) + hashlib.sha256(text).digest()
        return self._keys[task.number]

    def _begin(self, task: Task, running: dict[Connection, tuple[BaseProcess, Task]]) -> None:
        known = self.known(task)
        mine, theirs = multiprocessing.get_context("fork").Pipe(duplex=False)
        work = (task, run_folder(self.folder, task), known, theirs)
        process = multiprocessing.get_context("fork").Process(target=_work, args=work)
        process.start()
        theirs.close()
        running[mine] = process, task

    def _end(self, pipe: Connection, running: dict[Connection, tuple[BaseProcess, Task]], again: list[Task]) -> None:
        process, task = running.pop(pipe)
        said = _received(pipe)
        process.join()
        if not INTERRUPTIONS.count and self.take(task, said, _unanswered(process)):
            again.append(task)

    def take(self, task: Task, said: Said | None, unanswered: str) -> bool:
        """The rows of a task, and whether they were known before; without any it is asked once more, and then its row
        says why. Whether it is to be asked again.
        """
        if said is None:
            self._tries[task.number] = self._tries.get(task.number, 0) + 1
            if self._tries[task.number] < TRIES:
                return True
            self.found[task.number] = failed(task, unanswered)
        else:
            self.found[task.number] = said[1]
            self.recalled += said[0]
            if not said[0]:
                self.memory.keep(partial(self._key, task), partial(ROWS.encode, said[1]))
        self.tell(f"{len(self.found)} of {len(self.plan.tasks)} tasks, {task.name} was the last one")
        self.written(self.found)
        return False


def _next(again: list[Task], tasks: Iterator[Task]) -> Task | None:
    return again.pop() if again else next(tasks, None)


def _unanswered(process: BaseProcess) -> str:
    """Why a task has no answer."""
    is_killed = process.exitcode is not None and process.exitcode < 0
    how = "was ended by force, twice" if is_killed else "failed, twice, with what it printed as an error"
    return f"its process {how}; ask this problem alone with certify run"


def _received(pipe: Connection) -> Said | None:
    """Whether the rows were known before, and the rows; None if the process has not said any."""
    try:
        data = pipe.recv_bytes()
        return ROWS.decode(data, tuple[bool, tuple[Row, ...]])  # type: ignore[no-any-return]
    except (EOFError, OSError, Damaged):
        return None
    finally:
        pipe.close()


def _work(task: Task, folder: Path, known: tuple[Row, ...] | None, pipe: Connection) -> None:
    """In a process: the rows of a task, judged again if they are known."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()
    said = said_of(task, folder, known)
    if not INTERRUPTIONS.count:
        with suppress(OSError):
            pipe.send_bytes(ROWS.encode(said))


def said_of(task: Task, folder: Path, known: tuple[Row, ...] | None) -> Said:
    """Whether the rows were known before and are so still, and the rows."""
    found = _judged(task, folder, known)
    return (True, found) if found is not None else (False, _answered(task, folder))


def _judged(task: Task, folder: Path, known: tuple[Row, ...] | None) -> tuple[Row, ...] | None:
    """The rows of a task that was answered before, if its certificates still say so."""
    if known is None or not folder.is_dir() or folder.is_symlink():
        return None
    try:
        return known if rows_of(task, folder) == known else None
    except InputError:
        return None


def _answered(task: Task, folder: Path) -> tuple[Row, ...]:
    try:
        answer(task, folder)
        return rows_of(task, folder)
    except InputError as error:
        return failed(task, str(error))
    except Late as late:
        return failed(task, late.why.value)


@dataclass
class Seldom:
    """Writes a table no more often than every few seconds."""

    write: Callable[[Found], Any]
    every: float = 5.0
    _last: float = field(default_factory=time.monotonic)

    def __call__(self, found: Found) -> None:
        """Perhaps write it now."""
        if time.monotonic() - self._last > self.every:
            self.write(found)
            self._last = time.monotonic()
