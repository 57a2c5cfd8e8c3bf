"""A page or a record about an answer from Python, made as `certify report` makes it: the certificates are written to a
folder for the time being, and judged there once more.
"""

from __future__ import annotations

import json
import tempfile
from functools import singledispatch
from pathlib import Path
from typing import Any

from certify.judging_programs.judged import Judged
from certify.judging_programs.nonconvex.branch_and_bound import GlobalBounds
from certify.linear_questions.further import Further
from certify.model_fits.fit_text import in_units
from certify.model_fits.fitted import FittedModel
from certify.model_fits.largest import LargestFit
from certify.model_fits.linear_fit import LinearFit
from certify.notebooks.estimates import Estimated, estimated_lines
from certify.notebooks.frames import rows
from certify.problems.errors import InputError
from certify.problems.files.disk import write_bytes
from certify.problems.model_fits.units import Units
from certify.questions.next_poses import NextPoses
from certify.records.doubt_records import Doubts
from certify.records.options import silent
from certify.records.results import Result
from certify.regressors.identified import CANONICAL, Identified
from certify.reports.report import write_report
from certify.runs.calibration import Calibration
from certify.runs.doubt_files import write_doubts
from certify.runs.folders import RECORD
from certify.solvers.limits import Limit
from certify.systems.linear_system import LinearAnswer
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
def _(answer: FittedModel | LargestFit, folder: Path) -> None:
    answer.save(folder)
    units = answer.units if isinstance(answer, FittedModel) else None
    sizes = dict.fromkeys(answer.values, 1.0) if units is None else {n: float(u) for n, u in units.parameters.items()}
    estimates = [{"name": n, "estimated_least_squares": value / sizes[n]} for n, value in answer.values.items()]
    title = "A least-squares fit" if isinstance(answer, FittedModel) else "The least possible largest residual"
    _record(folder, {"title": title, "question": "a fit", "parameters": estimates, **_in_units(units)})


def _in_units(units: Units | None) -> dict[str, str]:
    return {} if units is None else {"provenance": in_units(units)}


@written.register
def _(answer: Identified, folder: Path) -> None:
    answer.save(folder)
    _record(folder, {"title": "Parameters of a linear model", **answer.as_json()})


@written.register
def _(answer: Doubts, folder: Path) -> None:
    write_doubts(answer, folder, {"title": "A doubt", "provenance": ""}, silent)


@written.register
def _(answer: NextPoses, folder: Path) -> None:
    _record(folder, {"title": "Which pose to measure next", **answer.as_json()})


@written.register
def _(answer: Judged, folder: Path) -> None:
    answer.save(folder)
    _record(folder, {"title": "A convex program", "question": "a program", **answer.as_json(), **_cells(answer)})


@written.register
def _(answer: LinearFit | GlobalBounds | LinearAnswer, folder: Path) -> None:
    title = "A linear least-squares fit" if isinstance(answer, LinearFit) else "The minimum of a program"
    title = "An interval linear system" if isinstance(answer, LinearAnswer) else title
    _record(folder, {"title": title, "question": "without certificates", **_cells(answer)})


@written.register
def _(answer: Estimated, folder: Path) -> None:
    title = f"{type(answer).__name__}: {estimated_lines(answer)[0]}"
    _record(folder, {"title": title, "question": "without certificates", **_cells(answer)})


@written.register
def _(answer: Further, folder: Path) -> None:
    answer.problem.write(folder / CANONICAL)
    for name, text in answer.documents:
        write_bytes(folder / f"{name}.cert", text)
    _record(folder, {"title": answer.key, "question": answer.key, **_cells(answer)})


def _cells(answer: Any) -> dict[str, Any]:
    """The rows of its frame, to be told as recorded."""
    return {"told": [{key: value for key, value in row.items() if value is not None} for row in rows(answer)]}


@written.register
def _(answer: Record, folder: Path) -> None:
    answer.save(folder)


@written.register
def _(answer: Calibration, folder: Path) -> None:
    raise InputError("the run has written a folder; report on that with 'certify report FOLDER'")


def _record(folder: Path, told: dict[str, Any]) -> None:
    files = sorted(path.name for path in folder.iterdir())
    write_bytes(folder / RECORD, (json.dumps({**told, "files": [*files, RECORD]}) + "\n").encode())
