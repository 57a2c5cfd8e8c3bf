"""A campaign whose tasks are answered by the workers of a cluster, and judged here.

What a worker sends back is a folder; its rows are read from certificates that are judged by processes of this machine,
about problems that are made here. What is no answer, or not about its task, or says without a certificate that its
search has ended, is answered here. That a limit has ended a search is a worker's word; its row claims nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, wait
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from pathlib import Path

from certify.campaigns import carried
from certify.campaigns.plan import Task
from certify.campaigns.rows import CODEC as ROWS
from certify.campaigns.rows import Row, rows_of
from certify.campaigns.running import Campaign, Found, Said, run_folder, said_of
from certify.problems.errors import InputError
from certify.records.verdicts import Verdict
from certify.solvers.journal.plain import Damaged, Plain
from certify.solvers.limits import INTERRUPTIONS, Limit, Stopped
from certify.solvers.workers.crew import AHEAD, ALONE, LOOK, Answer, Crew, nobody
from certify.solvers.workers.work import Task as WorkTask
from certify.solvers.workers.work import Work

CODEC = Plain(Task, Row)
Asked = tuple[Task, str, tuple[Row, ...] | None, bytes | None]
UNFINISHED = {why.value for why in Stopped if why is not Stopped.FINISHED}
UNANSWERED = "its process was ended by force, twice; ask this problem alone with certify run"


@dataclass
class SentCampaign(Campaign):
    """`crew` answers, `judges` are processes of this machine."""

    crew: Crew = ALONE
    judges: Crew = ALONE

    def run(self) -> Found:
        """The rows of all tasks, of fewer if it is interrupted."""
        tasks, sent, judged = iter(self.plan.tasks), dict[Answer, Task](), dict[Answer, Task]()
        while not INTERRUPTIONS.count:
            self._send(tasks, sent, len(judged))
            if not sent and not judged:
                break
            wait([*sent, *judged], LOOK, FIRST_COMPLETED)
            for answer in [answer for answer in sent if answer.done()]:
                task = sent.pop(answer)
                judged[self._judge(task, answer.result())] = task
            for answer in [answer for answer in judged if answer.done()]:
                self._told(judged.pop(answer), answer.result(), judged)
        return self.found

    def _send(self, tasks: Iterator[Task], sent: dict[Answer, Task], waiting: int) -> None:
        """So many that nobody waits, and that not too many wait for a judge."""
        most = max(AHEAD * self.crew.count, 1)
        while len(sent) + waiting < most + AHEAD * self.judges.count and len(sent) < most:
            task = next(tasks, None)
            if task is None:
                return
            answer = nobody()
            if self.known(task) is None:
                with suppress(InputError):  # its row says so
                    answer = self.crew.ask(carried.work(), carried.packed(task), inf)
            sent[answer] = task

    def _judge(self, task: Task, data: bytes | None) -> Answer:
        asked = task, str(run_folder(self.folder, task)), self.known(task), data
        return self.judges.ask(Work.of(open_judging, b""), CODEC.encode(asked), inf)

    def _told(self, task: Task, data: bytes | None, judged: dict[Answer, Task]) -> None:
        if INTERRUPTIONS.count:
            return
        said: Said | None = None
        with suppress(Damaged):
            said = None if data is None else ROWS.decode(data, Said)
        if self.take(task, said, UNANSWERED):
            judged[self._judge(task, None)] = task


def _is_answered(row: Row) -> bool:
    """Whether a certificate says what was asked, or a limit may have come before there was one."""
    return (bool(row.certificate) and row.verdict != Verdict.UNDECIDED.value) or row.stopped in UNFINISHED


def open_judging(text: bytes) -> WorkTask:
    """A process of this machine that reads rows from what a worker has sent."""

    def task(piece: bytes, limit: Limit) -> bytes:
        asked, place, known, data = CODEC.decode(piece, Asked)
        folder = Path(place)
        if data is not None:
            with suppress(Damaged, OSError, InputError):
                carried.replaced(folder, carried.accepted(data))
                rows = rows_of(asked, folder, elsewhere=True)
                if all(_is_answered(row) for row in rows):
                    return ROWS.encode((False, rows))
        return ROWS.encode(said_of(asked, folder, known))

    return task
