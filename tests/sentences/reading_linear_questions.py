"""What `certify identify` says of wrong rows, and of intervals in spite of them, read back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from statements import NUMBER, Said, Unread, compiled, nothing, number, table_cells

IN_SPITE = re.compile(r"in spite of ([0-9]+) rows?")
INTERVAL = re.compile(rf"(-oo|{NUMBER}) \.\. (oo|{NUMBER})(?: \S+)? \((?:proved|given)\)")


def rows_of(text: str) -> tuple[int, ...]:
    """All rows that are named."""
    return tuple(int(found) for found in re.findall(r"[0-9]+", text))


FURTHER = compiled(
    [
        (
            "Outliers: no row has to be left out, some parameters fit every row (witness).",
            lambda: [("fits without", "", ((),))],
        ),
        (
            "Outliers: at least {I} {W} must be left out for any parameters in the search box to fit all others "
            "(proved, by {I} set{Z} of rows that contradict each other).",
            lambda count, _, sets: [("fewest at least", "", (int(count),))],
        ),
        (
            "Outliers: at least {I} {W} must be left out for any parameters in the search box to fit all others "
            "(proved, in each of {I} parts of it by sets of rows that contradict each other there).",
            lambda count, _, parts: [("fewest at least", "", (int(count),))],
        ),
        (
            "Outliers: without {W} ({I} in all) some parameters fit all others (witness), so no choice of fewer does; "
            "another choice of as many may do so, too.",
            lambda rows, count: [
                ("fits without", "", (rows_of(rows),)),
                ("fewest at least", "", (int(count),)),
                ("named", "", (rows_of(rows), int(count))),
            ],
        ),
        (
            "Outliers: without {W} ({I} in all) some parameters fit all others (witness); another choice of as many "
            "may do so, too.",
            lambda rows, count: [("fits without", "", (rows_of(rows),)), ("named", "", (rows_of(rows), int(count)))],
        ),
        ("Outliers: which rows would have to be left out is not known.", nothing),
        (
            "In spite of {I} {W}: no parameters in the search box fit all rows but at most {I} {W} (proved).",
            lambda count, _, again, __: [("fewest at least", "", (int(count) + 1,))],
        ),
        ("In spite of {I} {W}: no interval was found.", nothing),
        (
            "In spite of {I} {W}: all parameters in the search box that fit all rows but at most {I} {W}, whichever "
            "these are, lie in these intervals (relaxed-{I}.cert).",
            nothing,
        ),
        (
            "Such parameters come within {N} of each interval's width of its ends (by the engine's outward-rounded "
            "arithmetic).",
            lambda gap: [("gap in spite", "", (number(gap),))],
        ),
        ("The given values: {W}.", nothing),
        (
            "The given values fit every row within its bound (witness).",
            lambda: [("given at most", "", (Fraction(0),))],
        ),
        (
            "The given values do not fit every row: row {I} needs a bound that is larger by more than {N} Nm (proved).",
            lambda row, low: [("given above", "", (number(low), int(row)))],
        ),
        (
            "The given values fit every row with bounds that are larger by {N} Nm (witness).",
            lambda high: [("given at most", "", (number(high),))],
        ),
        (
            "The given values lie outside of a prior range, so that they are not judged.",
            lambda: [("given outside", "", ())],
        ),
        (
            "Identified, as 0 is outside of their intervals: {W}.",
            lambda names: [("identified", name, ()) for name in names.split(", ")],
        ),
        (
            "Not identified, as 0 is in their intervals: {W}. A smaller bound, or rows that move them apart, would "
            "narrow them.",
            nothing,
        ),
        (
            "Rows that carry most ends (how many in brackets): {W}.",
            lambda rows: [("named", "", (found := rows_of(re.sub(r"\([0-9]+\)", "", rows)), len(found)))],
        ),
        ("Widths: none were found.", nothing),
        (
            "Polytope: no half-spaces were found; they need intervals with both ends for all parameters.",
            nothing,
        ),
        (
            "Polytope: all parameters in the search box that fit every row also lie between two half-spaces along each "
            "axis, so far apart in parts of what the box of the intervals allows there (proved, polytope.cert; "
            "result.json has the exact coefficients and ends).",
            nothing,
        ),
        (
            "The volume that box and half-spaces leave is at most {N} in the product of the parameters' units, {N} of "
            "the box's (by the engine's outward-rounded arithmetic).",
            lambda volume, share: [("volume at most", "", (number(volume),)), ("share", "", (number(share),))],
        ),
        (
            "Widths: for {I} bounds from {N} Nm to {N} Nm all parameters in the search box that fit every row within "
            "them lie in intervals of these widths (proved, widths-01.cert and on).",
            nothing,
        ),
        (
            "Widths: for {I} bounds from {N} times to {N} times all parameters in the search box that fit every row "
            "within them lie in intervals of these widths (proved, widths-01.cert and on).",
            nothing,
        ),
        ("Times: of all half-widths, those of W and the bounds.", nothing),
        ("Not everything was found ({W}): {W}.", nothing),
    ]
)


def read_tables(lines: list[str]) -> Iterator[Said]:
    """A table of intervals in spite of some rows."""
    for row in table_cells(lines, right=True):
        heading = next(found for found in row if IN_SPITE.fullmatch(found))
        count, cell = int(rows_of(heading)[0]), row[heading]
        if cell == "not known":
            continue
        match = INTERVAL.fullmatch(cell)
        if match is None:
            raise Unread(f"no template reads {cell!r}")
        ends = [None if "oo" in text else number(text) for text in match.groups()]
        yield Said("interval in spite", row["parameter"], (count, *ends), str(row))
        for text, end in zip(row["ends are reached without rows"].split(" / "), ends, strict=True):
            if end is not None and text not in ("?", "-"):
                yield Said("named", "", (rows_of(text), len(rows_of(text))), str(row))


def read_widths(lines: list[str]) -> Iterator[Said]:
    """The table of widths: a column for each bound."""
    for row in table_cells(lines, right=True):
        name = row["width at"].partition(" ")[0]
        for heading, cell in row.items():
            if heading != "width at" and cell != "not known":
                kind = "width at factor" if heading.endswith(" times") else "width at"
                at = number(heading.removesuffix(" Nm").removesuffix(" times"))
                yield Said(kind, name, (at, number(cell)), str(row))


def read_record(record: dict[str, Any]) -> Iterator[Said]:
    """The same of the record."""
    found = record.get("outliers")
    if found is not None:
        yield Said("fewest at least", "", (found["fewest"],), "record")
        if found["rows"] is not None:
            yield Said("fits without", "", (tuple(found["rows"]),), "record")
        for rows in found["conflicts"]:
            yield Said("contradict", "", (tuple(rows),), "record")
    for axis in (record.get("polytope") or {"axes": []})["axes"]:
        values = tuple(map(Fraction, axis["coefficients"])), *map(Fraction, axis["range"])
        yield Said("between", "", values, "record")
    for rung in (record.get("widths") or {"rungs": []})["rungs"]:
        for name, (low, high) in rung["intervals"].items():
            kind, at = ("interval at factor", "factor") if rung["bound"] is None else ("interval at", "bound")
            yield Said(kind, name, (Fraction(rung[at]), low, high), "record")
    relaxed = record.get("relaxed")
    if relaxed is not None and not relaxed["nobody"]:
        for one in relaxed["parameters"]:
            yield Said("interval in spite", one["name"], (relaxed["rows_left_out_at_most"], *one["interval"]), "record")
