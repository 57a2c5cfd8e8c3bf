"""The page that ends a run: written unless it would take long, or cannot be written; a run's answer never depends on
it.

    estimated seconds = bytes of canonical problems and certificates that are read once more / RATE

It may take as long as the run itself has taken, and no longer than what is left of its time limit, or a twentieth of
that limit where less is left. Where a page was asked for (`wanted`) nothing is estimated, and what keeps it from being
written is an error. The checker's word on bytes that it has accepted in this process is not asked for again; everything
else of the page is made as `certify report` makes it.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from pathlib import Path

from certify.problems.errors import InputError
from certify.reports.report import write_report
from certify.runs.folders import RECORD
from certify.solvers.limits import INTERRUPTIONS, Limit

RATE = 1.5e6  # bytes a second, of a slow machine
SHORT, LATE = 0.7, 0.05  # seconds, and the part of a time limit, that no time limit forbids
READ = ("*.canonical", "*.cert")


def closing_line(folder: Path, spent: float, left: float, wanted: bool, progress: Callable[[str], None]) -> str:
    """Write the page of a run that has spent so many seconds, and has so many left; what is told of it, or why there is
    none.
    """
    missing = f"no report was written: {{}}; 'certify report {folder}' makes one"
    seconds = _bytes(folder) / RATE
    late = LATE * (spent + left) if left < inf else 0.0
    if not wanted and seconds > max(min(spent, max(left, late)), SHORT):
        return missing.format(f"reading everything once more may take {seconds:.0f} s")
    try:
        with INTERRUPTIONS.raised():
            made = write_report(folder, Limit.of(max(left, late, SHORT)), progress, again=False)
    except InputError as error:
        if wanted:
            raise
        return missing.format(str(error))
    except KeyboardInterrupt:
        return missing.format(f"it was interrupted (the record, {folder / RECORD}, is written)")
    except Exception as error:  # what we did not foresee must not take the answer away
        if wanted:
            raise
        return missing.format(
            f"it failed with {type(error).__name__} ({error}), which is a bug of certify or want of memory"
        )
    return f"report written to {made.path}"


def _bytes(folder: Path) -> int:
    """What a page reads of a folder, but for the record."""
    return sum(path.stat().st_size for pattern in READ for path in folder.glob(pattern) if path.is_file())
