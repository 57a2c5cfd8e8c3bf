"""A page or a record about an answer from Python, made as `certify report` makes it: the certificates are written to a
folder for the time being, and judged there once more.
"""

from __future__ import annotations

import json
import tempfile
from functools import singledispatch
from pathlib import Path
from typing import Any

from certify.model_fits.fitted import FittedModel
from certify.problems.errors import InputError
from certify.problems.files.disk import write_bytes
from certify.records.options import silent
from certify.records.results import Result
from certify.regressors.identified import Identified
from certify.reports.report import write_report
from certify.runs.calibration import Calibration
from certify.runs.folders import RECORD
from certify.solvers.limits import Limit
from certify.systems.system_record import Record

TITLE = "An answer from Python"


def report(answer: Any, path: Path) -> Path:
    """Write it, HTML or JSON by the end of the name."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        written(answer, folder)
        write_report(folder, Limit(), silent, path.resolve())
    return path


@singledispatch
def written(answer: Any, folder: Path) -> None:
    """Write the certificates of an answer, their problems and a record of what they answer."""
    raise InputError(f"{type(answer).__name__} has no certificates of its own to be reported")


@written.register
def _(answer: Result, folder: Path) -> None:
    answer.save(folder)
    _record(folder, {"title": TITLE, "question": "a problem"})


@written.register
def _(answer: FittedModel, folder: Path) -> None:
    answer.save(folder)
    estimates = [{"name": name, "estimated_least_squares": value} for name, value in answer.values.items()]
    _record(folder, {"title": "A least-squares fit", "question": "a fit", "parameters": estimates})


@written.register
def _(answer: Identified, folder: Path) -> None:
    answer.save(folder)
    _record(folder, {"title": "Parameters of a linear model", **answer.as_json()})


@written.register
def _(answer: Record, folder: Path) -> None:
    answer.save(folder)


@written.register
def _(answer: Calibration, folder: Path) -> None:
    raise InputError("the run has written a folder; report on that with 'certify report FOLDER'")


def _record(folder: Path, told: dict[str, Any]) -> None:
    files = sorted(path.name for path in folder.iterdir())
    write_bytes(folder / RECORD, (json.dumps({**told, "files": [*files, RECORD]}) + "\n").encode())
