"""Tables and pictures beside the certificates of linear models, from records as they stand after the check."""

from __future__ import annotations

import csv
import io
from fractions import Fraction

from certify.claims.linear.linear_question_claims import INTERVAL_TITLE, PLOT_TITLE
from certify.contractors.numbers.enclosures import enclose_rational
from certify.linear_questions.further import Further
from certify.linear_questions.widths import PICTURE, TABLE, Widths
from certify.pictures.interval_drawing import Interval, draw_intervals
from certify.pictures.width_drawing import Band, draw_widths
from certify.regressors.identified import Identified

INTERVALS = "intervals.png"
End = Fraction | None


def intervals_picture(answer: Identified) -> bytes | None:
    """The parameters with both ends proved, each with its least-squares value; None if there are none."""
    proved = {face.parameter for face in answer.faces}
    drawn = [
        Interval(name, answer.problem.units[j], *_outwards(low, high), answer.estimate[j] if answer.estimate else None)
        for j, (name, (low, high)) in enumerate(zip(answer.problem.names, answer.box, strict=True))
        if j in proved and low is not None and high is not None
    ]
    return draw_intervals(INTERVAL_TITLE, drawn) if drawn else None


def extras(found: Further) -> dict[str, bytes]:
    """What the names `extras` promise."""
    if not isinstance(found, Widths) or not found.rungs:
        return {}
    return {TABLE: _widths_table(found).encode(), PICTURE: _widths_picture(found)}


def _outwards(low: Fraction, high: Fraction) -> tuple[float, float]:
    return enclose_rational(low)[0], enclose_rational(high)[1]


def _widths_table(found: Widths) -> str:
    """A line for each rung and parameter, bounds rounded down; what is not known is blank."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["factor", "bound", "bound_unit", "parameter", "unit", "lower", "upper", "width"])
    for rung in found.rungs:
        bound = found.bound(rung)
        shown = ("", "") if bound is None else (enclose_rational(bound)[0], found.problem.unit)
        for j, (low, high) in enumerate(rung.box):
            width = rung.width(j)
            ends = (low and enclose_rational(low)[0], high and enclose_rational(high)[1])
            cells = ["" if value is None else value for value in (*ends, width and enclose_rational(width)[1])]
            table.writerow(
                [enclose_rational(rung.factor)[0], *shown, found.problem.names[j], found.problem.units[j], *cells]
            )
    return text.getvalue()


def _widths_picture(found: Widths) -> bytes:
    """The parameters that have both ends at every rung."""
    base, unit = found.problem.base, found.problem.unit
    stated = float(base) if base else 1.0
    at = [float(bound if (bound := found.bound(rung)) is not None else rung.factor) for rung in found.rungs]
    bands = []
    for j, name in enumerate(found.problem.names):
        boxes = [rung.box[j] for rung in found.rungs]
        pairs = [_outwards(low, high) for low, high in boxes if low is not None and high is not None]
        if len(pairs) == len(boxes):
            lower, upper = zip(*pairs, strict=True)
            bands.append(
                Band(name, found.problem.units[j], lower, upper, found.estimate[j] if found.estimate else None)
            )
    axis = f"bound of all rows{f' [{unit}]' if unit else ''}" if base else "factor on all bounds"
    return draw_widths(PLOT_TITLE, f"{axis}; dotted: as it was asked", at, stated, bands)
