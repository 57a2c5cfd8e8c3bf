"""The command line of the second checker."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from .decision import check
from .outcome import Status
from .problem import LONGEST_WITH_TABLES
from .text import LONGEST_FILE

USAGE = "The arguments must be PROBLEM.canonical FILE.cert [--seconds S]."
CODES = {Status.VERIFIED: 0, Status.REJECTED: 1, Status.RESOURCE: 3}
BAD_INPUT = 2


def _read(path: str, longest: int) -> bytes:
    """A file, and one byte more than is allowed at most: nobody reads on for hours."""
    with Path(path).open("rb") as stream:
        return stream.read(longest + 1)


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
        problem, certificate = _read(paths[0], LONGEST_WITH_TABLES), _read(paths[1], LONGEST_FILE)
    except OSError as error:
        sys.stderr.write(f"The file {error.filename!r} cannot be read: {error}.\n")
        return BAD_INPUT
    folder = Path(paths[1]).parent / "pieces"

    def load(digest: str) -> bytes | None:
        path = folder / f"{digest}.cert"
        return _read(str(path), LONGEST_FILE) if path.is_file() else None

    outcome = check(problem, certificate, seconds, load)
    print(outcome.message)
    return CODES[outcome.status]
