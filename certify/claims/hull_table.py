"""Hulls as plain text: a line for each parameter, and what each part's hull is worth in a sentence."""

from __future__ import annotations

from collections.abc import Iterator

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

DIGITS = 9
HEADINGS = ("parameter", "lower", "upper", "unit", "gap", "")


def hull_section(answer: Enclosure) -> list[str]:
    """The lines of a table of all parameters with a hull, and of what is to be said about the parts and about all of
    them together.
    """
    rows = [row for part in answer.parts for row in _rows(part)]
    unit = answer.parts[0].unit if answer.parts else ""
    level = show(round_down(answer.level)) if answer.level else "0"  # nothing is said of a larger one
    lines = ["", f"parameters consistent within {level} {unit}".rstrip() + (NOWHERE_ELSE if rows else "") + ":"]
    if rows:
        widths = [max(len(row[k]) for row in (HEADINGS, *rows)) for k in range(len(HEADINGS))]
        told = [
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
            for row in (HEADINGS, *rows)
        ]
        lines += [told[0], "  ".join("-" * width for width in widths[:-1]), *told[1:], gap_of_hulls()]
    lines += [sentence for part in answer.parts for sentence in enclosed_lines(part)]
    bare = (
        f"{', '.join(answer.bare)}: no half-spaces were found within the time limit, or none that the checker accepts."
    )
    return [*lines, *([bare] if answer.bare else []), *([together_note(answer.parts)] if answer.joint else [])]


def _rows(part: Enclosed) -> Iterator[tuple[str, ...]]:
    hull = part.box
    if hull is None:
        return
    for name, unit, (low, high), gap in zip(hull.names, hull.units, hull.faces, hull.gaps, strict=True):
        limited = [word for word, face in (("lower", low), ("upper", high)) if face.limited]
        remark = f"{' and '.join(limited)}: the search box" if limited else ""
        ends = lower_text(low.outer, DIGITS), upper_text(high.outer, DIGITS)
        yield name, *ends, unit, NO_WITNESS if gap is None else percent_up(gap), remark
