"""Certificates are judged by the stand-alone checker in a process of its own: no state of ours, no package but the standard library.

Who wants to trust two programs rather than one has them judged by the second checker as well, in another process: it
shares the specification with the first, and no code, and computes with Arb's balls (python-flint) instead of integers.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from problems.errors import InputError

CHECKER = Path(__file__).parent / "checker"
SECOND_CHECKER = Path(__file__).parent / "checker_arb"
VERIFIED, REJECTED, RESOURCE = 0, 1, 3
GRACE = 10  # seconds after the deadline, which the checker keeps by itself


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


def _judged(flags: list[str], checker: Path, canonical: Path, certificate: Path, seconds: int) -> Check:
    began = time.perf_counter()
    command = [sys.executable, *flags, str(checker), str(canonical), str(certificate), "--seconds", str(seconds)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=seconds + GRACE)
    except subprocess.TimeoutExpired:
        told = f"RESOURCE the checker did not end by its deadline of {seconds} seconds and was stopped"
        return Check(certificate.name, RESOURCE, told, time.perf_counter() - began)
    message = (done.stdout.strip() or done.stderr.strip()).splitlines()
    return Check(certificate.name, done.returncode, message[-1] if message else "no answer", time.perf_counter() - began)


def check_files(canonical: Path, certificate: Path, seconds: int = 600) -> Check:
    """Run the checker on two files."""
    return _judged(["-I", "-S"], CHECKER, canonical, certificate, seconds)


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
