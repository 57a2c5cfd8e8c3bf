"""Certificates are judged by the stand-alone checker in a process of its own: no state of ours, no package but the standard library.

Who wants to trust two programs rather than one has them judged by the second checker as well, in another process: it
shares the specification with the first, and no code, and computes with Arb's balls (python-flint) instead of integers.
"""

from __future__ import annotations

import importlib.util
import math
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from problems.errors import InputError
from solvers.limits import Limit, Stopped

CHECKER = Path(__file__).parent / "checker"
SECOND_CHECKER = Path(__file__).parent / "checker_arb"
VERIFIED, REJECTED, RESOURCE = 0, 1, 3
GRACE = 10  # seconds after the deadline, which the checker keeps by itself
LONGEST = 600  # seconds for one certificate
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


def _command(flags: list[str], checker: Path, canonical: Path, certificate: Path, seconds: int) -> list[str]:
    return [sys.executable, *flags, str(checker), str(canonical), str(certificate), "--seconds", str(seconds)]


def _judged(flags: list[str], checker: Path, canonical: Path, certificate: Path, seconds: int) -> Check:
    began = time.perf_counter()
    command = _command(flags, checker, canonical, certificate, seconds)
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=seconds + GRACE)
    except subprocess.TimeoutExpired:
        told = f"RESOURCE the checker did not end by its deadline of {seconds} seconds and was stopped"
        return Check(certificate.name, RESOURCE, told, time.perf_counter() - began)
    return _said(certificate, done.returncode, done.stdout, done.stderr, began)


def _said(certificate: Path, code: int, output: str, errors: str, began: float) -> Check:
    message = (output.strip() or errors.strip()).splitlines()
    return Check(certificate.name, code, message[-1] if message else "no answer", time.perf_counter() - began)


@dataclass(frozen=True, slots=True)
class _Running:
    """A checker at work on one certificate; its few words wait in the pipe."""

    certificate: Path
    process: subprocess.Popen[str]
    began: float

    @property
    def ended(self) -> bool:
        """Whether it has."""
        return self.process.poll() is not None

    def said(self) -> Check:
        """What it said, once it has ended."""
        output, errors = self.process.communicate()
        return _said(self.certificate, self.process.returncode, output, errors, self.began)

    def end(self) -> None:
        """Stop it."""
        self.process.kill()
        self.process.communicate()


class Checking:
    """The checker at work on pairs of a canonical problem and a certificate, side by side, each in a process and a session of its own.

    What is not checked within the limit is stopped, and said not to be checked. A terminal's interruption reaches us, and not the checkers.
    """

    def __init__(self, pairs: Sequence[tuple[Path, Path]], limit: Limit) -> None:
        self._pairs, self._limit = pairs, limit
        self._waiting = list(range(len(pairs)))
        self._running: dict[int, _Running] = {}
        self._found: dict[int, Check] = {}

    def __enter__(self) -> Self:
        self._start()
        return self

    def __exit__(self, *_: object) -> None:
        for checker in self._running.values():
            checker.end()

    def finish(self) -> tuple[Check, ...]:
        """The answers, when all are there or the limit is reached."""
        while (self._waiting or self._running) and not self._limit.late():
            time.sleep(PAUSE)
            for number, checker in list(self._running.items()):
                if checker.ended:
                    self._found[number] = self._running.pop(number).said()
            self._start()
        why = self._limit.reached(Stopped.TIME).value
        return tuple(self._found.get(k, Check(pair[1].name, RESOURCE, f"not checked: {why}", 0.0)) for k, pair in enumerate(self._pairs))

    def _start(self) -> None:
        while self._waiting and len(self._running) < (os.cpu_count() or 1) and not self._limit.late():
            number = self._waiting.pop(0)
            self._running[number] = _started(*self._pairs[number], math.ceil(min(self._limit.remaining, LONGEST)))


def _started(canonical: Path, certificate: Path, seconds: int) -> _Running:
    command, pipe = _command(FLAGS, CHECKER, canonical, certificate, seconds), subprocess.PIPE
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, text=True, start_new_session=True)
    return _Running(certificate, process, time.perf_counter())


def check_each(pairs: Sequence[tuple[Path, Path]], limit: Limit) -> tuple[Check, ...]:
    """What the checker says of all of them within the limit."""
    with Checking(pairs, limit) as checking:
        return checking.finish()


def check_files(canonical: Path, certificate: Path, seconds: int = 600) -> Check:
    """Run the checker on two files."""
    return _judged(FLAGS, CHECKER, canonical, certificate, seconds)


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
