"""Certificates are judged by the stand-alone checker in a process of its own: no state of ours, no package but the
standard library.

Who wants to trust two programs rather than one has them judged by the second checker as well, in another process: it
shares the specification with the first, and no code, and computes with Arb's balls (python-flint) instead of integers.
"""

from __future__ import annotations

import importlib.util
import json
import math
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from certify.checker.command import PIECES
from certify.checks.accepted import ACCEPTED, sums_of
from certify.problems.errors import InputError
from certify.solvers.limits import Limit, Stopped

CHECKER = Path(__file__).parents[1] / "checker"
EACH = Path(__file__).parent / "__main__.py"
SECOND_CHECKER = Path(__file__).parents[1] / "checker_arb"
VERIFIED, REJECTED, RESOURCE = 0, 1, 3
MOST_PROCESSES = 99
GRACE = 10  # seconds after the deadline, which the checker keeps by itself
LONGEST = 600  # seconds for one certificate
LONGEST_IN_PIECES = 10**6
SMALL = 2**16  # bytes of a certificate that one process judges, whoever else is there
LITTLE = 5.0  # seconds in which perhaps not all is checked
PAUSE = 0.01  # seconds between two looks at checkers that run
FLAGS = ["-I", "-S"]


@dataclass(frozen=True, slots=True)
class Check:
    """What the checker said about one certificate; `code` 0 verified, 1 rejected, 3 a limit was reached."""

    certificate: str
    code: int
    message: str
    seconds: float

    @property
    def verified(self) -> bool:
        """Whether the certificate was accepted."""
        return self.code == 0


def _judged(
    flags: list[str], checker: Path, canonical: Path, certificate: Path, seconds: int, processes: int = 1
) -> Check:
    began = time.perf_counter()
    command = [sys.executable, *flags, str(checker), str(canonical), str(certificate), "--seconds", str(seconds)]
    command += ["--processes", str(processes)] if processes > 1 else []
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=seconds + GRACE)
    except subprocess.TimeoutExpired:
        told = f"RESOURCE the checker did not end by its deadline of {seconds} seconds and was stopped"
        return Check(certificate.name, RESOURCE, told, time.perf_counter() - began)
    return _said(certificate, done.returncode, done.stdout, done.stderr, began)


def _said(certificate: Path, code: int, output: str, errors: str, began: float) -> Check:
    message = (output.strip() or errors.strip()).splitlines()
    if code < 0:
        return Check(
            certificate.name, RESOURCE, f"RESOURCE the checker was ended by signal {-code}", time.perf_counter() - began
        )
    return Check(certificate.name, code, message[-1] if message else "no answer", time.perf_counter() - began)


class _Judge:
    """The checker, loaded once in a process and a session of its own; each certificate is judged in a process forked
    from it.
    """

    def __init__(self) -> None:
        command, pipe = [sys.executable, *FLAGS, str(EACH), str(CHECKER)], subprocess.PIPE
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, start_new_session=True)
        self._ended = False

    def judge(self, canonical: Path, certificate: Path, seconds: int, processes: int) -> Check | None:
        """What the checker says, in so many processes; None if it was ended meanwhile."""
        began = time.perf_counter()
        asked, told = self._process.stdin, self._process.stdout
        if asked is None or told is None:
            raise RuntimeError("a checker without pipes")
        try:
            asked.write(json.dumps([str(canonical), str(certificate), seconds, processes]) + "\n")
            asked.flush()
            code, output = json.loads(told.readline())
            return _said(certificate, code, output, "", began)
        except (OSError, ValueError):  # it ended, perhaps in the middle of a line
            pass
        return (
            None
            if self._ended
            else Check(
                certificate.name, RESOURCE, "RESOURCE the checker ended without a word", time.perf_counter() - began
            )
        )

    def end(self) -> None:
        """Stop it, and what it has forked."""
        self._ended = True
        with suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()


def _size(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0


def _size_of_pieces(certificate: Path) -> int:
    """Bytes of the pieces beside a certificate."""
    with suppress(OSError):
        return sum(entry.stat().st_size for entry in os.scandir(certificate.parent / PIECES))
    return 0


def _longest(pair: tuple[Path, Path]) -> float:
    """Seconds for one certificate; one in pieces is many."""
    return LONGEST_IN_PIECES if (pair[1].parent / PIECES).is_dir() else LONGEST


def _in_turn(pairs: Sequence[tuple[Path, Path]], limit: Limit) -> list[int]:
    """The longest first, so that they end together; where there is little time, in the order in which they were asked
    for, the most important ones first.
    """
    numbers = list(range(len(pairs)))
    if limit.remaining < LITTLE:
        return numbers
    return sorted(numbers, key=lambda number: -_size(pairs[number][1]))


def _shared(pairs: Sequence[tuple[Path, Path]], workers: int) -> list[int]:
    """How many processes judge each: of a certificate that takes as long as all others together, or is alone, its share
    of the workers. A manifest is as long as its pieces.
    """
    sizes = [_size(certificate) + _size_of_pieces(certificate) for _, certificate in pairs]
    whole = max(sum(sizes), 1)
    return [min(max(1, round(workers * size / whole)), MOST_PROCESSES) if size >= SMALL else 1 for size in sizes]


class Checking:
    """The checker at work on pairs of a canonical problem and a certificate, as many side by side as there are
    `workers` (one a processor if None), some of them at one certificate where it is long.

    What is not checked within the limit is stopped, and said not to be checked. A terminal's interruption reaches us,
    and not the checkers.
    """

    def __init__(self, pairs: Sequence[tuple[Path, Path]], limit: Limit, workers: int | None = None) -> None:
        self._pairs, self._limit = pairs, limit
        workers = workers or os.cpu_count() or 1
        self._processes = _shared(pairs, workers)
        self._waiting = iter(_in_turn(pairs, limit))
        self._taking = threading.Lock()
        self._judges: list[_Judge] = []
        self._found: dict[int, Check] = {}
        count = min(workers, len(pairs))
        self._threads = [threading.Thread(target=self._work, daemon=True) for _ in range(count)]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        with self._taking:
            self._waiting = iter(())
            for judge in self._judges:
                judge.end()
        for thread in self._threads:
            thread.join()

    def finish(self) -> tuple[Check, ...]:
        """The answers, when all are there or the limit is reached."""
        while any(thread.is_alive() for thread in self._threads) and not self._limit.late():
            time.sleep(PAUSE)
        why = self._limit.reached(Stopped.TIME).value
        return tuple(
            self._found.get(k, Check(pair[1].name, RESOURCE, f"not checked: {why}", 0.0))
            for k, pair in enumerate(self._pairs)
        )

    def _next(self, judge: _Judge | None) -> tuple[int | None, _Judge | None]:
        """What is to be judged next, and by whom."""
        with self._taking:
            number = None if self._limit.late() else next(self._waiting, None)
            if number is not None and judge is None:
                judge = _Judge()
                self._judges.append(judge)
        return number, judge

    def _work(self) -> None:
        number, judge = self._next(None)
        while number is not None and judge is not None:
            sums = sums_of(self._pairs[number])
            found = judge.judge(
                *self._pairs[number],
                math.ceil(min(self._limit.remaining, _longest(self._pairs[number]))),
                self._processes[number],
            )
            if found is not None:
                self._found[number] = found
            if found is not None and found.verified and sums is not None and sums == sums_of(self._pairs[number]):
                ACCEPTED.add(sums, found.message)
            number, judge = self._next(None if found is None or found.code == RESOURCE else judge)


def check_each(pairs: Sequence[tuple[Path, Path]], limit: Limit, workers: int | None = None) -> tuple[Check, ...]:
    """What the checker says of all of them within the limit."""
    with Checking(pairs, limit, workers) as checking:
        return checking.finish()


def check_files(canonical: Path, certificate: Path, seconds: int = 600) -> Check:
    """Run the checker on two files."""
    (processes,) = _shared([(canonical, certificate)], os.cpu_count() or 1)
    return _judged(FLAGS, CHECKER, canonical, certificate, seconds, processes)


def second_check_files(canonical: Path, certificate: Path, seconds: int = 600) -> Check:
    """Run the second checker on two files."""
    if importlib.util.find_spec("flint") is None:
        raise InputError("the second checker needs python-flint, which is not installed here: pip install python-flint")
    return _judged(["-I"], SECOND_CHECKER, canonical, certificate, seconds)


def agreed(first: Check, second: Check) -> Check:
    """What two checkers say together: the same answer; nothing is known if one reached a limit; else rejected."""
    seconds = first.seconds + second.seconds
    if first.code == second.code:
        return Check(first.certificate, first.code, f"{first.message} (both checkers say so)", seconds)
    both = f"the first checker says {first.message!r}, the second says {second.message!r}"
    if RESOURCE in (first.code, second.code) and {first.code, second.code} <= {VERIFIED, REJECTED, RESOURCE}:
        return Check(first.certificate, RESOURCE, f"RESOURCE one checker came to no answer: {both}", seconds)
    return Check(first.certificate, REJECTED, f"REJECTED the checkers disagree: {both}", seconds)


def check_files_twice(canonical: Path, certificate: Path, seconds: int = 600) -> Check:
    """Run both checkers on two files, each in a process of its own."""
    second = second_check_files(canonical, certificate, seconds)
    return agreed(check_files(canonical, certificate, seconds), second)
