"""Pictures of answers: bars of model errors, pavings, intervals of parameters at scales of their own."""

from __future__ import annotations

from dataclasses import dataclass
from functools import singledispatch
from math import isfinite
from pathlib import Path
from typing import Any

from certify.judging_programs.judged import Judged
from certify.judging_programs.nonconvex.branch_and_bound import GlobalBounds
from certify.linear_questions.further import Further
from certify.model_fits.fitted import FittedModel
from certify.model_fits.largest import LargestFit
from certify.model_fits.linear_fit import LinearFit
from certify.notebooks.estimates import Estimated, drawn_rows
from certify.notebooks.frames import ENDS, rows
from certify.notebooks.words import NOT_JUDGED, WAS_JUDGED
from certify.periodic.stationary import StationaryPoint
from certify.pictures.interval_drawing import Interval, draw_intervals
from certify.pictures.paving_picture import paving_picture
from certify.pictures.picture import picture
from certify.problems.errors import InputError
from certify.problems.files.disk import write_bytes
from certify.questions.next_poses import NextPoses
from certify.records.doubt_records import Doubts
from certify.records.results import Result
from certify.regressors.identified import Identified
from certify.runs.calibration import Calibration
from certify.systems.linear_system import LinearAnswer
from certify.systems.system_record import Record, variables_shown


@dataclass(frozen=True, slots=True)
class Picture:
    """A PNG that a notebook shows."""

    png: bytes

    def _repr_png_(self) -> bytes:
        return self.png

    def __repr__(self) -> str:
        return f"<Picture of {len(self.png)} bytes; .save(path) writes it>"

    def save(self, path: Path | str) -> Path:
        """Write it as PNG."""
        write_bytes(Path(path), self.png)
        return Path(path)


@singledispatch
def plot(answer: Any) -> Picture:
    """The picture of an answer."""
    raise InputError(f"there is no picture of {type(answer).__name__}; to_frame() has its numbers")


@plot.register
def _(answer: Calibration) -> Picture:
    parts = [part for part in answer.result.parts if part.epsilon[1] is not None]
    if not parts:
        raise InputError("no part has an upper end, so there is nothing to draw; to_frame() has what is known")
    return Picture(picture(answer.experiment.title, parts, [answer.fits.get(part.name) for part in parts]))


@plot.register
def _(answer: Result) -> Picture:
    found = list(rows(answer))
    if found and "parameter" in found[0]:
        return _intervals("where the parameters are", found, answer.judged)
    if not answer.judged:
        raise InputError("the words of this picture speak of proofs; have the answer judged first: .checked().plot()")
    parts = [part for part in answer.parts if part.epsilon[1] is not None]
    if not parts:
        raise InputError("no part has an upper end, so there is nothing to draw; to_frame() has what is known")
    return Picture(picture("smallest model error", parts, [None] * len(parts)))


@plot.register
def _(answer: FittedModel) -> Picture:
    return _intervals("least squares", list(rows(answer)), True)


@plot.register
def _(answer: Identified) -> Picture:
    return _intervals("where the parameters are", list(rows(answer)), answer.judged)


@plot.register
def _(answer: Record) -> Picture:
    shown = variables_shown(answer.system, None)
    if not shown:
        raise InputError("only systems of two or three variables are drawn; answer.save(folder, plot=['x', 'y'])")
    return Picture(paving_picture(answer.drawing, shown))


@plot.register
def _(answer: Doubts) -> Picture:
    named = [{**row, "parameter": row["model"]} for row in rows(answer)]
    return _intervals("smallest model error of the worst part", named, answer.judged)


@plot.register
def _(answer: NextPoses) -> Picture:
    drawn = [Interval(f"candidate {row['candidate']}", "", 0.0, row["estimated_share"]) for row in rows(answer)]
    return Picture(draw_intervals("share of the hull's width that is left (estimated)", drawn))


@plot.register
def _(answer: Judged) -> Picture:
    return _intervals("a convex program", _finite(answer), answer.accepted is not None)


@plot.register
def _(answer: LinearFit) -> Picture:
    return Picture(_drawn("least squares", list(rows(answer))))


@plot.register
def _(answer: Further) -> Picture:
    return Picture(_drawn(answer.key, _finite(answer)))


@plot.register
def _(answer: LinearAnswer) -> Picture:
    return Picture(_drawn("an interval linear system", [{**row, "parameter": row["unknown"]} for row in rows(answer)]))


@plot.register
def _(answer: GlobalBounds) -> Picture:
    return Picture(_drawn("the minimum", _finite(answer)))


@plot.register
def _(answer: LargestFit) -> Picture:
    return Picture(_drawn("the least possible largest residual", _finite(answer)))


@plot.register
def _(answer: Estimated) -> Picture:
    alone = isinstance(answer, StationaryPoint)
    title = "a box around a stationary point" if alone else f"{type(answer).__name__} (estimated)"
    return Picture(_drawn(title, drawn_rows(answer)))


def _finite(answer: Any) -> list[dict[str, Any]]:
    """The rows with two ends or a number, those that are no numbers left out."""
    found = [{"parameter": row.get("what", ""), **dict.fromkeys(ENDS, _number(row)), **row} for row in rows(answer)]
    ends = [(row, row["lower"], row["upper"]) for row in found]
    return [row for row, low, high in ends if low is not None and high is not None and isfinite(low + high)]


def _number(row: dict[str, Any]) -> float | None:
    value = row.get("value")
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _intervals(title: str, found: list[dict[str, Any]], judged: bool) -> Picture:
    """The parameters with both ends, and whose word it is."""
    return Picture(_drawn(f"{title} ({WAS_JUDGED if judged else NOT_JUDGED})", found))


def _drawn(title: str, found: list[dict[str, Any]]) -> bytes:
    """The parameters with both ends, each at a scale of its own."""
    drawn = [
        Interval(row["parameter"], row.get("unit", ""), row["lower"], row["upper"], _mark(row))
        for row in found
        if row["lower"] is not None and row["upper"] is not None
    ]
    if not drawn:
        raise InputError("no parameter has both ends, so there is nothing to draw; to_frame() has what is known")
    return draw_intervals(title, drawn)


def _mark(row: dict[str, Any]) -> float | None:
    value = row.get("value", row.get("estimated_least_squares"))
    return None if value is None else float(value)
