"""The command line: python -I -S checker PROBLEM.canonical FILE.cert [--seconds S] [--processes N].

Exit codes: 0 verified, 1 rejected, 2 a file or an argument cannot be used, 3 a limit was reached, 4 an error of ours.
"""

import importlib
import os
import re
import signal
import sys
from contextlib import ExitStack
from functools import partial
from typing import Final

from .decision import check
from .outcome import DEFAULT_SECONDS, ResourceLimit, Status
from .problem import BYTES
from .text import FILE_BYTES

EXIT: Final = {Status.VERIFIED: 0, Status.REJECTED: 1, Status.RESOURCE: 3}
BAD_INPUT: Final = 2
INTERNAL_ERROR: Final = 4
PIECES: Final = "pieces"  # the folder beside a certificate that holds its pieces
MEMORY: Final = 4 * 1024 * 1024 * 1024
PROCESSES: Final = "[1-9][0-9]?"


class BadInput(Exception):
    """The arguments or the files cannot be used."""


def main(arguments: list[str]) -> int:
    """Check, print one line, and return the exit code."""
    try:
        problem, certificate, seconds, processes = _parse(arguments)
        with ExitStack() as stack:
            _limit(seconds, stack)
            pieces = partial(_piece, os.path.join(os.path.dirname(certificate), PIECES))
            outcome = check(_read(problem, BYTES), _read(certificate, FILE_BYTES), seconds, pieces, processes)
        print(outcome.message)
        return EXIT[outcome.status]
    except BadInput as error:
        print(error, file=sys.stderr)
        return BAD_INPUT
    except (ResourceLimit, MemoryError, KeyboardInterrupt) as limit:
        print(f"RESOURCE {str(limit) or type(limit).__name__}")
        return EXIT[Status.RESOURCE]
    except Exception as error:
        print(f"internal error: {type(error).__name__}: {error}", file=sys.stderr)
        return INTERNAL_ERROR


def _limit(seconds: int, stack: ExitStack) -> None:
    """Until the stack is left: an alarm a second after the deadline, and no more than MEMORY, where the system knows
    such limits.
    """

    def late(*_: object) -> None:
        raise ResourceLimit(f"the deadline of {seconds} seconds")

    if hasattr(signal, "setitimer"):
        resource = importlib.import_module("resource")
        soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
        if soft == resource.RLIM_INFINITY or soft > MEMORY:
            resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, hard))
            stack.callback(resource.setrlimit, resource.RLIMIT_DATA, (soft, hard))
        stack.callback(signal.signal, signal.SIGALRM, signal.signal(signal.SIGALRM, late))
        signal.setitimer(signal.ITIMER_REAL, seconds + 1)
        stack.callback(signal.setitimer, signal.ITIMER_REAL, 0)


def _parse(arguments: list[str], seconds: int = DEFAULT_SECONDS, processes: int = 1) -> tuple[str, str, int, int]:
    match arguments:
        case [problem, certificate]:
            return problem, certificate, seconds, processes if hasattr(os, "fork") else 1
        case ["--seconds", number, *others] | [*others, "--seconds", number] if re.fullmatch("[0-9]{1,9}", number):
            return _parse(others, int(number), processes)
        case ["--processes", number, *others] | [*others, "--processes", number] if re.fullmatch(PROCESSES, number):
            return _parse(others, seconds, int(number))
    raise BadInput(
        "The arguments must be PROBLEM.canonical FILE.cert [--seconds S] [--processes N], S a whole number of at most "
        "nine digits, N from 1 to 99."
    )


def _piece(folder: str, digest: str) -> bytes | None:
    """The piece with this hash, if it is there."""
    path = os.path.join(folder, f"{digest}.cert")
    return _read(path, FILE_BYTES) if os.path.isfile(path) else None


def _read(path: str, most: int) -> bytes:
    """At most one byte more than is allowed."""
    try:
        with open(path, "rb") as file:
            return file.read(most + 1)
    except (OSError, ValueError) as error:
        raise BadInput(f"The file {path!r} cannot be read: {error}.") from None
