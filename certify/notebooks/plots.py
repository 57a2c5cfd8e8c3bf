"""Pictures of answers: bars of model errors, pavings, intervals of parameters at scales of their own."""

from __future__ import annotations

from dataclasses import dataclass
from functools import singledispatch
from pathlib import Path
from typing import Any

from certify.model_fits.fitted import FittedModel
from certify.notebooks.frames import rows
from certify.notebooks.words import NOT_JUDGED, WAS_JUDGED
from certify.pictures.interval_drawing import Interval, draw_intervals
from certify.pictures.paving_picture import paving_picture
from certify.pictures.picture import picture
from certify.problems.errors import InputError
from certify.problems.files.disk import write_bytes
from certify.records.results import Result
from certify.regressors.identified import Identified
from certify.runs.calibration import Calibration
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


def _intervals(title: str, found: list[dict[str, Any]], judged: bool) -> Picture:
    """The parameters with both ends, each at a scale of its own."""
    drawn = [
        Interval(row["parameter"], row.get("unit", ""), row["lower"], row["upper"], _mark(row))
        for row in found
        if row["lower"] is not None and row["upper"] is not None
    ]
    if not drawn:
        raise InputError("no parameter has both ends, so there is nothing to draw; to_frame() has what is known")
    return Picture(draw_intervals(f"{title} ({WAS_JUDGED if judged else NOT_JUDGED})", drawn))


def _mark(row: dict[str, Any]) -> float | None:
    value = row.get("value", row.get("estimated_least_squares"))
    return None if value is None else float(value)
