"""The folder that a run writes to: its record names every file of the run, and the next run of the same sort removes these and nothing else."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable
from enum import Enum
from pathlib import Path
from typing import Any

from problems.errors import InputError

RECORD = "result.json"
COVERAGE = "coverage"  # a key of records about systems, and of no others


class Sort(Enum):
    """What a record is about."""

    EXPERIMENT = "an experiment"
    SYSTEM = "a system of equations or inequalities"


def _record(path: Path) -> dict[str, Any]:
    """A record of ours, empty if there is none; raises ValueError if it is not ours."""
    if not path.is_file():
        return {}
    record = json.loads(path.read_text("utf-8"))
    if not isinstance(record, dict) or not (COVERAGE in record or isinstance(record.get("files"), list)):
        raise ValueError("not written by a run")
    return record


def written_before(folder: Path, sort: Sort = Sort.EXPERIMENT) -> list[Path]:
    """Make the folder, see that it can be written to, and find what an earlier run of this sort wrote there: refuse now what would fail later."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
        record = _record(folder / RECORD)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else f"its {RECORD} is not ours"
        raise InputError(f"--out {folder}: it cannot be used ({reason}); choose another folder") from error
    found = Sort.SYSTEM if COVERAGE in record else Sort.EXPERIMENT
    if record and found is not sort:
        raise InputError(
            f"--out {folder}: it holds the result of {found.value}, and this is a run of {sort.value}, "
            "whose files would lie among those; choose another folder, or remove this one first"
        )
    names = record.get("files", [])
    return [folder / name for name in names if isinstance(name, str) and Path(name).name == name and (folder / name).is_file()]


def remove(files: Iterable[Path]) -> None:
    """Remove what an earlier run wrote, now that this one has results of its own."""
    for path in files:
        path.unlink(missing_ok=True)
