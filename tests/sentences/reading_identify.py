"""What `certify identify` says of a linear model, read back: its table, its sentences and its record."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from reading_bodies import BODIES, PHYSICAL, read_bodies_record, read_physical
from reading_linear_questions import FURTHER, read_record, read_tables, read_widths
from running import Told
from statements import NUMBER, Said, Unread, compiled, nothing, number, read_line, table_cells

INTERVAL = re.compile(rf"(-oo|{NUMBER}) \.\. (oo|{NUMBER})(?: \S+)? \((?:proved|given)\)")


def numbers(text: str) -> tuple[int, ...]:
    """The rows that are named."""
    return tuple(int(found) for found in re.findall(r"[0-9]+", text.partition(" and ")[0]))


SENTENCES = compiled(
    [
        ("", nothing),
        ("Some parameters fit every row within its bound (witness).", lambda: [("error at most", "", (Fraction(0),))]),
        (
            "No parameters in the search box fit every row within its bound: all bounds must grow by more than {N} Nm "
            "(proved, by {W}); with {N} Nm more some do (witness).",
            lambda low, rows, high: [
                ("error above", "", (number(low),)),
                ("error above of rows", "", (number(low), numbers(rows))),
                ("error at most", "", (number(high),)),
            ],
        ),
        (
            "Whether any parameters fit every row within its bound is undecided. With {N} Nm more some do (witness).",
            lambda high: [("error at most", "", (number(high),))],
        ),
        (
            "With all bounds times {N} no parameters fit every row (proved, by {W}), that is with a bound of {N} Nm.",
            lambda factor, _, bound: [
                ("factor at least", "", (number(factor),)),
                ("bound at least", "", (number(bound),)),
            ],
        ),
        (
            "With all bounds times {N} some do (witness), that is with a bound of {N} Nm.",
            lambda factor, bound: [("factor at most", "", (number(factor),)), ("bound at most", "", (number(bound),))],
        ),
        (
            "With all bounds times {N} no parameters fit every row (proved, by {W}).",
            lambda factor, _: [("factor at least", "", (number(factor),))],
        ),
        ("With all bounds times {N} some do (witness).", lambda factor: [("factor at most", "", (number(factor),))]),
        (
            "The least-squares values fit every row within its bound (witness).",
            lambda: [("fit at most", "", (Fraction(0),))],
        ),
        (
            "The least-squares values do not fit every row: row {I} needs a bound that is larger by more than {N} Nm "
            "(proved).",
            lambda row, low: [("fit above", "", (number(low), int(row)))],
        ),
        (
            "With bounds that are larger by {N} Nm they do (witness).",
            lambda high: [("fit at most", "", (number(high),))],
        ),
        (
            "Intervals: all parameters in the search box that fit every row lie in them (hull.cert, by {I} of {I} "
            "rows).",
            lambda _, rows: [("rows", "", (int(rows),))],
        ),
        (
            "Parameters that fit come within {N} of each interval's width of its ends (by the engine's "
            "outward-rounded arithmetic).",
            lambda gap: [("gap", "", (number(gap),))],
        ),
        (
            "The rows leave a direction open (estimated): {W}. Rows that excite it, or a prior range of one of these "
            "parameters, would close it.",
            nothing,
        ),
        (
            "Closed form: all parameters that fit every row lie in it (by the engine's outward-rounded arithmetic). Up "
            "to rounding it is the box of the least-squares values of all measurements within their bounds. Narrowed: "
            "those of the search box that fit lie in it (by the engine's outward-rounded arithmetic).",
            nothing,
        ),
        (
            "Closed form: all parameters that fit every row lie in it (by the engine's outward-rounded arithmetic). "
            "It is one step of preconditioned Gauss-Seidel from intervals of W, around the fit of their middles. "
            "Narrowed: those of the search box that fit lie in it (by the engine's outward-rounded arithmetic).",
            nothing,
        ),
        ("Closed form: none, as the rows leave a direction open (estimated).", nothing),
        ("Where no prior end was given the search box ends at 10^100: {W}.", nothing),
        (
            "Entries of W are known within half-widths: parameters fit if for some W within them, each entry for "
            "itself, they fit every row.",
            nothing,
        ),
        (
            "With all half-widths, of W and of the bounds, times {N} no parameters fit (proved, by {W}).",
            lambda factor, _: [("factor at least", "", (number(factor),))],
        ),
        (
            "With all half-widths, of W and of the bounds, times {N} some do (witness).",
            lambda factor: [("factor at most", "", (number(factor),))],
        ),
        (
            "With the half-widths of W alone times {N} no parameters fit (proved, by {W}).",
            lambda factor, _: [("factor of W at least", "", (number(factor),))],
        ),
        (
            "With the half-widths of W alone times {N} some do (witness).",
            lambda factor: [("factor of W at most", "", (number(factor),))],
        ),
        ("Whether some do with a larger factor on {W} is undecided.", nothing),
        ("Where no prior end was given the search box ends far off: {W}.", nothing),
        (
            "Encoders: each reading is within half a step of {W} of its angle, for itself. Through filters and central "
            "differences this is in the half-widths of W. Assumed: these leave the true motion and its torques as they "
            "are, whose band ends below the filters'; what they change is for the bound to hold.",
            nothing,
        ),
        (
            "At {I} of {I} rows the joint's velocity may be 0: there the sign of friction is any number from -1 to 1.",
            lambda still, rows: [("still", "", (int(still), int(rows)))],
        ),
        ("Not everything was found: {W}.", nothing),
        ("Certificates accepted by a separate process: {I} of {I}.", nothing),
        ("written to {W}", nothing),
    ]
)


def read_identify(told: Told) -> Iterator[Said]:
    """The statements of the text and of the record."""
    lines = told.text.split("\n")
    begin = next(place for place, line in enumerate(lines) if line.startswith("parameter"))
    end = begin + lines[begin:].index("")
    for row in table_cells(lines[begin:end], right=True):
        yield from _parameter(row)
    boxes = [place for place, line in enumerate(lines) if line.startswith("parameter") and place > begin]
    for place in reversed(boxes):
        stop = place + lines[place:].index("")
        reader = _closed if "closed form" in lines[place] else read_tables
        reader = read_physical if PHYSICAL in lines[place] else reader
        yield from reader(lines[place:stop])
        del lines[place:stop]
    for place in reversed([place for place, line in enumerate(lines) if line.startswith(("width at", "axis "))]):
        stop = place + lines[place:].index("")
        if lines[place].startswith("width at"):
            yield from read_widths(lines[place:stop])
        del lines[place:stop]
    for line in lines[end:]:
        yield from read_line(line, [*SENTENCES, *FURTHER, *BODIES])
    record = told.json
    yield from read_record(record)
    yield from read_bodies_record(record)
    for found in record["parameters"]:
        low, high = (None if value is None else Fraction(value) for value in found["interval"])  # doubles
        yield Said("interval", found["name"], (low, high), "record")
        if found["identified"]:
            yield Said("identified", found["name"], (), "record")
    parts = (("error", "error"), ("factor", "factor"), ("fit", "least_squares_fit"))
    for kind, part in (*parts, ("factor of W", "factor_on_half_widths_of_w")):
        if record[part] is not None:
            low, high = record[part]["ends"]
            yield Said(f"{kind} at least", "", (Fraction(low),), "record")
            if high is not None:
                yield Said(f"{kind} at most", "", (Fraction(high),), "record")


def _closed(lines: list[str]) -> Iterator[Said]:
    """The table of the closed form, whose two columns of ratios have one heading."""
    first = lines[0].replace("times as wide", "first ratio  ", 1)
    for row in table_cells([first, *lines[1:]], right=True):
        for heading in ("closed form", "narrowed by the rows"):
            if row[heading] != "empty":
                low, high = map(number, row[heading].split(" ")[0:3:2])
                yield Said("interval", row["parameter"], (low, high), str(row))


def _parameter(row: dict[str, str]) -> Iterator[Said]:
    name, cell = row["parameter"], row["interval"]
    if cell != "not known":
        match = INTERVAL.fullmatch(cell)
        if match is None:
            raise Unread(f"no template reads {cell!r}")
        ends = [None if "oo" in text else number(text) for text in match.groups()]
        yield Said("interval", name, tuple(ends), str(row))
    if row["identified?"] == "yes":
        yield Said("identified", name, (), str(row))
    elif row["identified?"] not in ("", "no: nothing bounds it", "no: 0 is in its interval"):
        raise Unread(f"no template reads {row['identified?']!r}")
