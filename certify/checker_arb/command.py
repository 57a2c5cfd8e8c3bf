"""The command line of the second checker."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from .decision import check
from .outcome import Status

USAGE = "The arguments must be PROBLEM.canonical FILE.cert [--seconds S]."
CODES = {Status.VERIFIED: 0, Status.REJECTED: 1, Status.RESOURCE: 3}
BAD_INPUT = 2
LONGEST = 64 * 2**20


def _read(path: str) -> bytes:
    """A file, and one byte more than is allowed at most: nobody reads on for hours."""
    with Path(path).open("rb") as stream:
        return stream.read(LONGEST + 1)


def main(words: Sequence[str]) -> int:
    """Judge the certificate in one file for the problem in another; one line on stdout."""
    paths = list(words)
    seconds = 600.0
    if "--seconds" in paths:
        place = paths.index("--seconds")
        try:
            seconds = float(paths[place + 1])
        except (IndexError, ValueError):
            paths = []
        del paths[place : place + 2]
    if len(paths) != 2 or seconds != seconds:
        sys.stderr.write(USAGE + "\n")
        return BAD_INPUT
    try:
        problem, certificate = map(_read, paths)
    except OSError as error:
        sys.stderr.write(f"The file {error.filename!r} cannot be read: {error}.\n")
        return BAD_INPUT
    outcome = check(problem, certificate, seconds)
    print(outcome.message)
    return CODES[outcome.status]
