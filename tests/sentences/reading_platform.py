"""What `certify calibrate` says about a Gough platform, read back: its tables, its sentences, result.json and
parameters.csv.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from reading import CONSISTENT, FIT, error_band, names
from running import Told
from statements import Said, Unread, compiled, nothing, number, read_line, table_cells

from certify.solvers.limits import Stopped

SOLUTIONS = ("x_c", "x_c_sigma")
SUMMARY = ("mean position [mm]", "std position [mm]", "mean orientation [deg]", "std orientation [deg]")
MEANINGS = {
    "x_c": "the sum of f^2 (as Daney et al. 2006, table 4)",
    "x_c_sigma": "the sum of f^2 divided by its first-order variance at this solution (as Daney et al. 2006, table 5)",
}
WHY = {why.value for why in Stopped} | {"not begun"}


def _reasons(part: str, words: str) -> Sequence[tuple[str, str, tuple[Any, ...]]]:
    unknown = [word for word in words.split("; ") if word not in WHY]
    if unknown:
        raise Unread(f"no template reads {unknown} as why {part} ended")
    return []


HEADED = compiled(
    [
        (
            "Classical calibration (estimates; root mean squares over the calibration poses of what is minimised):",
            lambda: [("table", "", ("costs",))],
        ),
        *(
            (f"{name} in mm, which minimises {meaning}:", lambda name=name: [("table", name, ("parameters",))])
            for name, meaning in MEANINGS.items()
        ),
        (
            "Validation on {I} poses that were not used (estimates):",
            lambda count: [("validation poses", "", (int(count),)), ("table", "", ("validation",))],
        ),
        (
            "Proved, for intervals as in poses.csv and within {N} mm of x_c:",
            lambda radius: [("box", "", (number(radius),)), ("table", "", ("questions",))],
        ),
    ]
)
SENTENCES = compiled(
    [
        (
            "Frames of these two tables: origins at the centroids of the joints, a_1y = a_2y and a_1z = a_2z = a_3z, "
            "likewise b.",
            nothing,
        ),
        ("parameters.csv has them as they were fitted, in the frames of the measured poses.", nothing),
        (
            "{P} contradicts {W} of {I} poses (legs 1 to {I}), whatever was true within the intervals (computed in "
            "outward rounding, without a certificate).",
            lambda name, counts, poses, legs: [
                ("contradicts", name, (tuple(map(int, counts.split(", "))), int(poses), int(legs)))
            ],
        ),
        (
            "{P}: the fit of leg {W} did not settle; are the poses enough, and the initial estimate near?",
            lambda name, legs: [("unsettled", name, tuple(map(int, legs.split(", "))))],
        ),
        (
            "{P} lies outside the box around x_c, so nothing is said of it; write a larger radius into problem.toml.",
            lambda name: [("outside", name, ())],
        ),
        (
            "The fits minimise f in mm^2; a model error is one of a leg's length in mm. Their sizes are not to be "
            "compared.",
            nothing,
        ),
        (
            "No validation poses: give a table with --validation to see what calibration gains elsewhere.",
            lambda: [("validation poses", "", (0,))],
        ),
        (
            "{I} of {I} certificates verified by a separate process.",
            lambda done, count: [("certificates", "", (int(done), int(count)))],
        ),
        (
            "written to {W}: {W} and {I} certificates",
            lambda folder, files, count: [("files", folder, (names(files), int(count)))],
        ),
        ("{P}: {W}.", _reasons),
    ]
)


def read_calibrate(told: Told) -> Iterator[Said]:
    """The statements of the text, of the record and of the table of parameters."""
    title, provenance, empty, *lines = told.text.split("\n")
    yield Said("title", "", (title, provenance), title)
    if empty:
        raise Unread(f"no template reads {empty!r}")
    while lines:
        heading = lines.pop(0)
        if not heading:
            continue
        table = lines[: lines.index("")] if "" in lines else lines
        if len(table) > 1 and set(table[1]) <= set("- "):
            for said in read_line(heading, HEADED):
                yield from _table(said.part, said.values[0], table) if said.kind == "table" else [said]
            del lines[: len(table)]
            continue
        yield from read_line(heading, SENTENCES)
    yield from _record(told)


def _table(name: str, kind: str, lines: Sequence[str]) -> Iterator[Said]:
    for row in table_cells(lines, right=True):
        words = "  ".join(row.values())
        if kind == "costs":
            for solution in SOLUTIONS:
                plain, relative = (row[f"{solution}: {what}"] for what in ("f [mm^2]", "f / half-width"))
                yield Said("cost", f"leg{row['leg']}", (solution, plain, relative), words)
        elif kind == "parameters":
            yield Said("in frames", f"leg{row['leg']}", (name, tuple(map(number, list(row.values())[1:]))), words)
        elif kind == "validation":
            label, *cells = row.values()
            for column, cell in zip(list(row)[1:], cells, strict=True):
                yield Said("validation", column.removeprefix("with "), (SUMMARY.index(label), cell), words)
        else:
            yield from _question(row, words)


def _question(row: dict[str, str], words: str) -> Iterator[Said]:
    leg = row["leg"]
    for solution in SOLUTIONS:
        cell = row[f"{solution} consistent?"]
        if cell == "outside the box":
            yield Said("outside", solution, (), words)
            continue
        for said in read_line(cell, FIT):
            yield Said(said.kind, leg, (solution, *said.values), words)
    if row["any value within the box?"] not in CONSISTENT:
        raise Unread(f"no template reads the cell {row['any value within the box?']!r} of {leg}")
    told = [(CONSISTENT[row["any value within the box?"]], "", ())]
    told += error_band(row["smallest model error"])
    told += [("gap", "", (number(row["gap"]), *(values[0] for _, _, values in told[1:])))] if row["gap"] else []
    yield from (Said(kind, leg, values, words) for kind, _, values in told if kind)


def _record(told: Told) -> Iterator[Said]:
    record = told.json
    for solution in record["solutions"]:
        name, file = solution["name"], "result.json"
        yield Said("contradicts", name, (tuple(solution["contradicting_poses"]), None, None), file)
        for parameter, value in solution["estimated_parameters_mm"].items():
            yield Said("estimate", name, (parameter, value), file)
        for place, value in enumerate((solution["estimated_validation"] or {}).values()):
            yield Said("validation", name, (place, value), file)
        for part in solution["parts"]:
            leg, _, _ = part["name"].partition(".")
            yield from (Said(f"fit {said.kind}", leg, (name, *said.values), file) for said in _ends(part))
            yield Said("verified", part["certificate"], (part["verified"],), file)
    for place, value in enumerate((record["estimated_validation_before"] or {}).values()):
        yield Said("validation", "before calibration", (place, value), "result.json")
    yield Said("validation poses", "", (record["validation_poses"],), "result.json")
    for part in record["parts"]:
        yield from _ends(part)
        yield Said("verified", part["certificate"], (part["verified"],), "result.json")
    yield Said("title", "", (record["title"], record["provenance"]), "result.json")
    yield Said("exit code", "", (record["exit_code"],), "result.json")


def _ends(part: dict[str, Any]) -> Iterator[Said]:
    """Doubles that enclose the ends."""
    lower, upper = part["epsilon"]
    yield Said("error at least", part["name"], (Fraction(lower),), "result.json")
    if upper is not None:
        yield Said("error at most", part["name"], (Fraction(upper),), "result.json")
    kind = {"adequate": "consistent", "inadequate": "inconsistent"}.get(part["verdict"])
    if kind:
        yield Said(kind, part["name"], (), "result.json")
    elif not re.fullmatch("undecided|feasible|infeasible", part["verdict"]):
        raise Unread(f"no template reads the verdict {part['verdict']!r}")
