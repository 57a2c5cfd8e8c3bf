"""The folder that a run writes to: its record names every file of the run, and the next run of the same sort removes
these and nothing else.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from enum import Enum
from functools import partial
from pathlib import Path
from typing import Any

from certify.checker.command import PIECES
from certify.problems.errors import InputError
from certify.problems.files.disk import HIDDEN, read_json
from certify.solvers.journal.locks import Busy, taken

RECORD = "result.json"
REPORT = "report.html"  # of certify report: out of date as soon as there is another run
CERTIFICATE = "report.xml"  # of certify report --laboratory
REPORT_MARK = "<!doctype html>\n<!-- written by certify report -->\n"
CERTIFICATE_MARK = "<?xml version='1.0' encoding='utf-8'?>\n<!-- written by certify report -->\n"
MARKS = {REPORT: REPORT_MARK, CERTIFICATE: CERTIFICATE_MARK, "report.json": '{\n "format": "certify-report '}
COVERAGE = "coverage"  # a key of records about systems, and of no others


class Sort(Enum):
    """What a record is about."""

    EXPERIMENT = "an experiment"
    SYSTEM = "a system of equations or inequalities"


def _record(path: Path) -> dict[str, Any]:
    """A record of ours, empty if there is none. Raises ValueError (which InputError is) if it is not ours."""
    if not path.is_file():
        return {}
    record = read_json(path, "record")
    if not isinstance(record, dict) or not (COVERAGE in record or isinstance(record.get("files"), list)):
        raise ValueError("not written by a run")
    return record


def written_before(folder: Path, sort: Sort = Sort.EXPERIMENT) -> list[Path]:
    """Make the folder, see that it can be written to and that no other command writes there, and find what an earlier
    run of this sort wrote there: refuse now what would fail later.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if taken(folder):
            _sweep(folder)
        with tempfile.TemporaryFile(dir=folder):
            pass
        record = _record(folder / RECORD)
    except Busy:
        raise
    except (OSError, ValueError) as error:
        cause = error.__cause__ if isinstance(error, InputError) else error
        reason = cause.strerror if isinstance(cause, OSError) and cause.strerror else f"its {RECORD} is not ours"
        raise InputError(f"--out {folder}: it cannot be used ({reason}); choose another folder") from error
    found = Sort.SYSTEM if COVERAGE in record else Sort.EXPERIMENT
    if record and found is not sort:
        raise InputError(
            f"--out {folder}: it holds the result of {found.value}, and this is a run of {sort.value}, "
            "whose files would lie among those; choose another folder, or remove this one first"
        )
    return _files(folder, record)


def _files(folder: Path, record: dict[str, Any]) -> list[Path]:
    names = [*record.get("files", []), *_reports(folder)]
    return [
        folder / name
        for name in names
        if isinstance(name, str) and Path(name).name == name and (folder / name).is_file()
    ]


def written_by_any(folder: Path) -> list[Path]:
    """What runs of either sort have written, those included that were ended by force; not the pieces of a proof."""
    record: dict[str, Any] = {}
    with suppress(OSError, ValueError):
        record = _record(folder / RECORD)
    return [folder / RECORD, *_files(folder, record), *folder.glob("*.cert"), *folder.glob("*.canonical")]


def _sweep(folder: Path) -> None:
    """Remove what a command that was ended by force has left half written."""
    for place in (folder, folder / PIECES):
        for path in () if place == folder / PIECES and place.is_symlink() else place.glob(f"{HIDDEN}*"):
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)


def _reports(folder: Path) -> list[str]:
    """The reports of ours, and no files of the user's with the same names."""
    return [name for name, mark in MARKS.items() if _begins(folder / name, mark.encode())]


def _begins(path: Path, mark: bytes) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(mark)) == mark


@contextmanager
def staged(folder: Path, old: Iterable[Path]) -> Iterator[Path]:
    """A folder for the files of a run, which then take the place of the old ones all at once, the record last; nothing
    changes if that fails.
    """
    with tempfile.TemporaryDirectory(prefix=HIDDEN, dir=folder) as name:
        stage = Path(name)
        yield stage
        files = sorted(stage.iterdir(), key=lambda path: path.name == RECORD)
        steps: list[Callable[[], object]] = [
            partial(Path.unlink, path, missing_ok=True) for path in (folder / RECORD, *old)
        ]
        steps += [partial(os.replace, path, folder / path.name) for path in files]
        _all_of(steps)


def _all_of(steps: list[Callable[[], object]]) -> None:
    """Do them, an interruption comes after the last."""
    interruption = None
    while steps:
        try:
            steps[0]()
            steps.pop(0)
        except KeyboardInterrupt as found:
            interruption = found
        except FileNotFoundError:  # done before it was interrupted
            steps.pop(0)
    if interruption is not None:
        raise interruption


def remove_report(folder: Path) -> None:
    """Remove the page of an earlier run, and its other forms, before another one changes what they tell."""
    remove(folder / name for name in _reports(folder))


def remove(files: Iterable[Path]) -> None:
    """Remove what an earlier run wrote, now that this one has results of its own."""
    for path in files:
        path.unlink(missing_ok=True)
