"""Hulls as plain text: a line for each parameter, and what each part's hull is worth in a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from certify.claims.proved_words import (
    NO_WITNESS,
    NOWHERE_ELSE,
    enclosed_lines,
    gap_of_hulls,
    lower_text,
    percent_up,
    together_note,
    upper_text,
)
from certify.parts.hulls import Enclosed, Enclosure
from certify.text.decimals import round_down, show
from certify.text.plain_table import plain_table

DIGITS = 9
HEADINGS = ("parameter", "lower", "upper", "unit", "gap", "")


def hull_section(answer: Enclosure) -> list[str]:
    """The lines of a table of all parameters with a hull, or of a table for each part where parts share parameters, and
    of what is to be said about the parts and about all of them together.
    """
    named = [name for part in answer.parts for name in (part.box.names if part.box is not None else ())]
    if len(set(named)) == len(named):
        lines = _table("", answer.parts)
    else:
        lines = [line for part in answer.parts for line in _table(f"{part.name}: ", (part,))]
    lines += [gap_of_hulls()] if named else []
    lines += [sentence for part in answer.parts for sentence in enclosed_lines(part)]
    bare = (
        f"{', '.join(answer.bare)}: no half-spaces were found within the time limit, or none that the checker accepts."
    )
    return [*lines, *([bare] if answer.bare else []), *([together_note(answer.parts)] if answer.joint else [])]


def _table(name: str, parts: Sequence[Enclosed]) -> list[str]:
    """The parameters of these parts, which were asked about at one level in each unit."""
    rows = [row for part in parts for row in _rows(part)]
    asked = dict.fromkeys((part.level, part.unit) for part in parts)
    # of a level no larger one is said
    levels = [f"{show(round_down(level)) if level else '0'} {unit}".rstrip() for level, unit in asked]
    lines = ["", f"{name}parameters consistent within {' and '.join(levels)}" + (NOWHERE_ELSE if rows else "") + ":"]
    if rows:
        lines += plain_table((HEADINGS, *rows), right=False).split("\n")
    return lines


def _rows(part: Enclosed) -> Iterator[tuple[str, ...]]:
    hull = part.box
    if hull is None:
        return
    for name, unit, (low, high), gap in zip(hull.names, hull.units, hull.faces, hull.gaps, strict=True):
        limited = [word for word, face in (("lower", low), ("upper", high)) if face.limited]
        remark = f"{' and '.join(limited)}: the search box" if limited else ""
        ends = lower_text(low.outer, DIGITS), upper_text(high.outer, DIGITS)
        yield name, *ends, unit, NO_WITNESS if gap is None else percent_up(gap), remark
    for axis in part.polytope.axes if part.polytope is not None else ():
        if axis.name:
            ends = lower_text(axis.lower, DIGITS), upper_text(axis.upper, DIGITS)
            yield axis.name, *ends, axis.unit, percent_up(axis.gap), ""
