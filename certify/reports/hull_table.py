"""Hulls as plain text: a line for each parameter, and what each part's hull is worth in a sentence."""

from __future__ import annotations

from collections.abc import Iterator

from certify.decimals import round_down, round_up, show
from certify.hulls import Enclosed, Enclosure
from certify.verdicts import Verdict
from solvers.limits import Stopped

DIGITS = 9  # lower ends are rounded down, upper ends up
HEADINGS = ("parameter", "lower", "upper", "unit", "gap", "")


def hull_section(answer: Enclosure) -> list[str]:
    """The lines of a table of all parameters with a hull, and of what is to be said about the parts."""
    rows = [row for part in answer.parts for row in _rows(part)]
    unit = answer.parts[0].unit if answer.parts else ""
    claim = ": none outside these intervals (proved)" if rows else ":"
    lines = ["", f"parameters consistent within {show(round_down(answer.level))} {unit}".rstrip() + claim]
    if rows:
        widths = [max(len(row[k]) for row in (HEADINGS, *rows)) for k in range(len(HEADINGS))]
        told = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in (HEADINGS, *rows)]
        lines += [told[0], "  ".join("-" * width for width in widths[:-1]), *told[1:]]
        lines += ["gap: from an end to a parameter vector that is consistent (verified), at most, in parts of the interval's width"]
    lines += [sentence for part in answer.parts for sentence in _sentences(part)]
    return [*lines, *answer.notes]


def _rows(part: Enclosed) -> Iterator[tuple[str, ...]]:
    hull = part.box
    if hull is None:
        return
    for name, unit, (low, high), gap in zip(hull.names, hull.units, hull.faces, hull.gaps, strict=True):
        limited = [word for word, face in (("lower", low), ("upper", high)) if face.limited]
        remark = f"{' and '.join(limited)}: the search box" if limited else ""
        ends = (show(round_down(low.outer, DIGITS)), show(round_up(high.outer, DIGITS)))
        yield name, *ends, unit, "no witness" if gap is None else f"{gap:.2%}", remark


def _sentences(part: Enclosed) -> Iterator[str]:
    if part.verdict is Verdict.INFEASIBLE:
        yield f"{part.name}: no value at all is consistent (proved)."
    elif part.verdict is Verdict.UNDECIDED:
        yield f"{part.name}: no consistent value was found, so there may be none; {part.stopped.value}."
    if part.polytope is not None:
        gap, share = max(axis.gap for axis in part.polytope.axes), part.polytope.estimated_share
        count = f"{2 * len(part.polytope.axes)} half-spaces along the principal axes (proved; within {gap:.2%} of verified witnesses)"
        yield f"{part.name}: {count} leave about {share:.2g} of the box's volume."
    if part.box is not None and part.verdict is Verdict.ENCLOSED and part.stopped is not Stopped.FINISHED:
        reasons = sorted({face.stopped.value for pair in part.box.faces for face in pair} - {Stopped.FINISHED.value}) if part.box else []
        yield f"{part.name}: some ends could not be brought nearer to a witness: {'; '.join(reasons)}."
