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

EXIT: Final = {Status.VERIFIED: 0, Status.REJECTED: 1, Status.RESOURCE: 3}
BAD_INPUT: Final = 2
INTERNAL_ERROR: Final = 4


class BadInput(Exception):
    """The arguments or the files cannot be used."""


def main(arguments: list[str]) -> int:
    """Check, print one line, and return the exit code."""
    try:
        problem, certificate, seconds = _parse(arguments)
        outcome = check(_read(problem), _read(certificate), seconds)
        print(outcome.message)
        return EXIT[outcome.status]
    except BadInput as error:
        print(error, file=sys.stderr)
        return BAD_INPUT
    except (MemoryError, KeyboardInterrupt) as limit:
        print(f"RESOURCE {type(limit).__name__}")
        return EXIT[Status.RESOURCE]
    except Exception as error:
        print(f"internal error: {type(error).__name__}: {error}", file=sys.stderr)
        return INTERNAL_ERROR


def _parse(arguments: list[str]) -> tuple[str, str, int]:
    match arguments:
        case [problem, certificate]:
            return problem, certificate, DEFAULT_SECONDS
        case [problem, certificate, "--seconds", seconds] | ["--seconds", seconds, problem, certificate] if re.fullmatch("[0-9]{1,9}", seconds):
            return problem, certificate, int(seconds)
    raise BadInput("The arguments must be PROBLEM.canonical FILE.cert [--seconds S], S a whole number of at most nine digits.")


def _read(path: str) -> bytes:
    """At most one byte more than is allowed."""
    try:
        with open(path, "rb") as file:
            return file.read(FILE_BYTES + 1)
    except (OSError, ValueError) as error:
        raise BadInput(f"The file {path!r} cannot be read: {error}.") from None
