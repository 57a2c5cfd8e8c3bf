"""What `certify run` says of a robot without legs beside what it says of any: what is redundant, held or kept apart,
which errors are distances, which poses are left out; read back from its text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reading import SENTENCES, _hull_row, error_band, names
from running import Told
from statements import Said, Unread, compiled, nothing, number, read_line, table_cells

TABLE = re.compile(r"-+(  +-+)*")
ARM = compiled(
    [
        (
            "held at the blueprint: {W}. Everything below is about the robot with {W}.",
            lambda values, _: [
                ("held", value.split(" = ")[0], (value.split(" = ")[1],)) for value in values.split(", ")
            ],
        ),
        (
            "{I} poses are kept apart for validation; all but that is about the other ones.",
            lambda count: [("apart", "", (int(count),))],
        ),
        (
            "{P}: the error of a pose is a distance, the root of the sum of the squares of its components {W}.",
            lambda p, components: [("distance", p, (names(components),))],
        ),
        (
            "{P}: the error of a pose is the root of the sum of the squares of those of {W}, in mm.",
            lambda p, equations: [("distance", p, (names(equations),))],
        ),
        (
            "{P}: its measurements determine {W}, not each parameter of these alone (estimated, to first order at the "
            "fit); all parts together tell them apart.",
            lambda p, sums: [("determined", p, (names(sums), True))],
        ),
        (
            "{P}: its measurements determine {W}, not each parameter of these alone (estimated, to first order at the "
            "fit).",
            lambda p, sums: [("determined", p, (names(sums), False))],
        ),
        ("what to do: --redundant fix holds {W} at the blueprint, and says so; or leave {W}.", nothing),
        (
            "{I} poses kept apart, of which the parameters know nothing ({W}):",
            lambda count, poses: [("apart", "", (int(count),)), ("kept apart", "", (names(poses),))],
        ),
        ("error that each pose needs (estimated):", nothing),
        ("{P}: parameters consistent within 0 {U}: none outside these intervals (proved):", nothing),
        (
            "fewest poses to leave out so that the rest is consistent in the search box:",
            lambda: [("level", "", ())],
        ),
        (
            "{P}: {I} (proved to be the fewest), for instance pose{Z} {W}; {I} conflict{Z} of {W} poses.",
            lambda p, count, poses, *_: [("fewest", p, (int(count), names(poses)))],
        ),
        ("{I} of {I} certificates verified by a separate process; parts {S} s, together {S} s, {W}", nothing),
        ("{P}: a robust fit misses {W}, the other {I} poses by about {W} (estimated): look there first.", nothing),
    ]
)


def read_arm(told: Told) -> Iterator[Said]:
    """The statements of the text, line by line and table by table."""
    lines = told.text.split("\n")[2:]
    while lines:
        if len(lines) > 1 and TABLE.fullmatch(lines[1]):
            size = next((k for k, text in enumerate(lines) if not text or text.startswith("gap:")), len(lines))
            yield from _table(lines[:size])
            lines = lines[size:]
            continue
        line, lines = lines[0], lines[1:]
        if line:
            try:
                yield from read_line(line, ARM)
            except Unread:
                yield from read_line(line, SENTENCES)


def _table(lines: list[str]) -> Iterator[Said]:
    if lines[0].startswith("parameter"):
        for row in table_cells(lines):
            yield from _hull_row(row)
    elif lines[0].startswith("pose"):
        for row in table_cells(lines, right=True):
            pose, *errors = row.values()
            for heading, error in zip(list(row)[1:], errors, strict=True):
                part, which = heading.split(", ")
                yield Said("pose needs", part, (pose, which, number(error.split(" ")[0])), str(row))
    elif "parameters" in lines[0]:
        for row in table_cells(lines, right=True):
            part, which, consistent, error = row.values()
            yield Said("validated", part, (which, consistent.startswith("yes")), str(row))
            for kind, _, values in error_band(error):
                yield Said(f"validated {kind}", part, (which, *values), str(row))
    elif lines[0].startswith("part  ") and "any value" in lines[0]:
        for row in table_cells(lines):
            told = row["any value consistent?"]
            yield Said(
                "consistent" if told.startswith(("yes", "within")) else "inconsistent", row["part"], (), str(row)
            )
            for kind, _, values in error_band(row["smallest model error"]):
                yield Said(kind, row["part"], values, str(row))
            yield Said("verified" if row["certificate"] == "verified" else "not verified", row["part"], (), str(row))
    elif "half-widths times" not in lines[0]:
        raise Unread(f"no reader for the table {lines[0]!r}")
