"""The command line: python -I -S checker PROBLEM.canonical FILE.cert [--seconds S].

Exit codes: 0 verified, 1 rejected, 2 a file or an argument cannot be used, 3 a limit was reached, 4 an error of ours.
"""

from __future__ import annotations

import re
import sys
from typing import Final

from .decision import check
from .outcome import DEFAULT_SECONDS, Status
from .text import FILE_BYTES

USAGE: Final = "PROBLEM.canonical FILE.cert [--seconds S]"
EXIT: Final = {Status.VERIFIED: 0, Status.REJECTED: 1, Status.RESOURCE: 3}
BAD_INPUT: Final = 2
INTERNAL_ERROR: Final = 4


class BadArguments(Exception):
    """The arguments cannot be used."""


def main(arguments: list[str]) -> int:
    """Check, print one line, and return the exit code."""
    try:
        problem, certificate, seconds = _parse(arguments)
        texts = _read(problem), _read(certificate)
    except BadArguments as error:
        print(error, file=sys.stderr)
        return BAD_INPUT
    except MemoryError:
        return _resource("MemoryError")
    try:
        outcome = check(*texts, seconds)
        print(outcome.message)
        return EXIT[outcome.status]
    except KeyboardInterrupt:
        return _resource("interrupted")
    except Exception as error:
        print(f"internal error: {type(error).__name__}: {error}", file=sys.stderr)
        return INTERNAL_ERROR


def _resource(limit: str) -> int:
    print(f"RESOURCE {limit}")
    return EXIT[Status.RESOURCE]


def _parse(arguments: list[str]) -> tuple[str, str, int]:
    match arguments:
        case [problem, certificate]:
            return problem, certificate, DEFAULT_SECONDS
        case [problem, certificate, "--seconds", seconds] | ["--seconds", seconds, problem, certificate]:
            if re.fullmatch(r"[0-9]{1,9}", seconds, re.ASCII) is None:
                raise BadArguments(f"--seconds takes a whole number of seconds, not {seconds!r}.")
            return problem, certificate, int(seconds)
    raise BadArguments(f"The arguments must be {USAGE}.")


def _read(path: str) -> bytes:
    """At most one byte more than is allowed."""
    try:
        with open(path, "rb") as file:
            return file.read(FILE_BYTES + 1)
    except (OSError, ValueError) as error:
        raise BadArguments(f"The file {path!r} cannot be read: {error}.") from None
