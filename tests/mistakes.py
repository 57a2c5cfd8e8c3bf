"""Typical mistakes of who brings an experiment for the first time: how each is made, what the program says, and what
cures it. `python tests/mistakes.py` prints the table of docs/mistakes.md.

A mistake changes the problem file or the table of a robot that is right (a planar robot, 48 poses, simulated), or the
words of a command; what is said is a piece of what is printed then.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

Rows = list[list[str]]


@dataclass(frozen=True)
class Mistake:
    """`code` is the exit code of the command: 2 where the mistake is refused, 0 where it is told beside the answer."""

    told: str
    said: str
    cure: str
    table: Callable[[Rows], Rows] = lambda rows: rows
    problem: Callable[[str], str] = lambda text: text
    words: Sequence[str] = ("inspect", "problem.toml")
    code: int = 2
    file: Callable[[str], str] = field(default=lambda text: text)


def place(rows: Rows, name: str) -> int:
    return next(k for k, heading in enumerate(rows[0]) if heading.split(" ")[0] == name)


def scaled(name: str, factor: float) -> Callable[[Rows], Rows]:
    """A column times a factor, its heading as before."""

    def changed(rows: Rows) -> Rows:
        k = place(rows, name)
        return [rows[0], *([*row[:k], repr(float(row[k]) * factor), *row[k + 1 :]] for row in rows[1:])]

    return changed


def both(first: Callable[[Rows], Rows], second: Callable[[Rows], Rows]) -> Callable[[Rows], Rows]:
    return lambda rows: second(first(rows))


def exchanged(one: str, other: str) -> Callable[[Rows], Rows]:
    """The numbers of two columns in each other's place."""

    def changed(rows: Rows) -> Rows:
        found = [list(row) for row in rows]
        a, b = place(rows, one), place(rows, other)
        for row in found[1:]:
            row[a], row[b] = row[b], row[a]
        return found

    return changed


def cell(line: int, name: str, change: Callable[[str], str]) -> Callable[[Rows], Rows]:
    """One cell; line 0 is the header."""

    def changed(rows: Rows) -> Rows:
        found = [list(row) for row in rows]
        k = place(rows, name)
        found[line][k] = change(found[line][k])
        return found

    return changed


def without(name: str) -> Callable[[Rows], Rows]:
    def changed(rows: Rows) -> Rows:
        k = place(rows, name)
        return [[*row[:k], *row[k + 1 :]] for row in rows]

    return changed


def instead(before: str, after: str) -> Callable[[str], str]:
    """The problem file with other words, which must have been there."""

    def changed(text: str) -> str:
        if before not in text:
            raise ValueError(f"the planted problem has no {before!r}")
        return text.replace(before, after, 1)

    return changed


def lines(text: str) -> Rows:
    return list(csv.reader(line for line in text.splitlines() if not line.startswith("#")))


def written(rows: Rows) -> str:
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows(rows)
    return stream.getvalue()


def make(mistake: Mistake, right: Path, folder: Path) -> None:
    """The right experiment with the mistake in it."""
    folder.mkdir(parents=True, exist_ok=True)
    text = mistake.file(written(mistake.table(lines((right / "poses.csv").read_text()))))
    (folder / "poses.csv").write_text(text)
    (folder / "problem.toml").write_text(mistake.problem((right / "problem.toml").read_text()))


MISTAKES = (
    Mistake(
        "the columns of two legs are exchanged",
        "with columns L1 and L2 exchanged a robust fit is within the radius",
        "exchange them, or say under `[columns]` where they stand",
        exchanged("L1", "L2"),
        code=0,
    ),
    Mistake(
        "a sensor is in m, its heading says mm",
        "with column L1 times 1000 a robust fit is within the radius",
        "write `L1 [m]`",
        scaled("L1", 1e-3),
        code=0,
    ),
    Mistake(
        "all sensors are in inches, their headings say mm",
        "with column L2 times 25.4 a robust fit is within the radius",
        "write `L1 [inch]`, ...",
        both(both(scaled("L1", 1 / 25.4), scaled("L2", 1 / 25.4)), scaled("L3", 1 / 25.4)),
        code=0,
    ),
    Mistake(
        "an axis points the other way",
        "with column x times -1 a robust fit is within the radius",
        "look at the sign: turn the tracker's frame, or write `-x` in the model",
        scaled("x", -1.0),
        code=0,
    ),
    Mistake(
        "an angle turns the other way",
        "with column theta times -1 a robust fit is within the radius",
        "look at the sign of the rotation",
        scaled("theta", -1.0),
        code=0,
    ),
    Mistake(
        "angles are in rad, their heading says deg",
        "with column theta times 57.2958 a robust fit is within the radius",
        "write `theta [rad]`",
        scaled("theta", 0.0174532925199433),
        code=0,
    ),
    Mistake(
        "two coordinates are exchanged",
        "with columns x and y exchanged a robust fit is within the radius",
        "exchange them, or say under `[columns]` where they stand",
        exchanged("x", "y"),
        code=0,
    ),
    Mistake(
        "one reading is wrong by 30 mm",
        "a robust fit misses pose 8 by 29.99 mm",
        "look at that pose; `--discard` proves how few must go",
        cell(8, "L2", lambda text: repr(float(text) + 30)),
        code=0,
    ),
    Mistake(
        "a line was copied over another",
        "poses 1 and 6 are the same in every column: was one copied from another?",
        "remove the copy",
        lambda rows: [*rows[:6], [rows[6][0], *rows[1][1:]], *rows[7:]],
        code=0,
    ),
    Mistake(
        "the radius is too small",
        "further from the blueprint than the radius",
        "a larger `radius`, or a better blueprint",
        problem=instead('radius = "100 mm"', 'radius = "0.01 mm"'),
        code=0,
    ),
    Mistake(
        "the blueprint has a digit too many",
        "is further from the blueprint than the radius (leg1.a_x by",
        "correct the blueprint of that parameter",
        problem=instead('"-259.8076 mm"', '"-2598.076 mm"'),
        code=0,
    ),
    Mistake(
        "a column is missing",
        "column L3 is missing; the header has 'pose', 'x [mm]'",
        "add it, or say under `[columns]` which one it is",
        without("L3"),
    ),
    Mistake(
        "a heading is mistyped",
        "did you mean 'tetha [deg]'? Rename it",
        "rename it, or name it under `[columns]`",
        cell(0, "theta", lambda text: "tetha [deg]"),
    ),
    Mistake(
        "a heading has no unit",
        "column x has no unit, a length (m, cm, mm, um, inch) is needed; write it such as 'x [mm]'",
        "write the unit behind it",
        cell(0, "x", lambda text: "x"),
    ),
    Mistake(
        "a unit that is unknown",
        "column x has unit yard, a length (m, cm, mm, um, inch) is needed",
        "one of those: [units](problem-files.md#units-and-numbers)",
        cell(0, "x", lambda text: "x [yard]"),
    ),
    Mistake(
        "a unit is mistyped",
        "column x has unit MM, a length (m, cm, mm, um, inch) is needed; did you mean 'mm'?",
        "the unit that is offered: capitals count",
        cell(0, "x", lambda text: "x [MM]"),
    ),
    Mistake(
        "a force's unit at a length",
        "column x has unit N, a length (m, cm, mm, um, inch) is needed",
        "the unit of a length, or declare the column a force",
        cell(0, "x", lambda text: "x [N]"),
    ),
    Mistake(
        "an angle's unit at a length",
        "column x has unit deg, a length (m, cm, mm, um, inch) is needed",
        "the unit of a length",
        cell(0, "x", lambda text: "x [deg]"),
    ),
    Mistake(
        "a cell is empty",
        "column y: the number is missing; write a decimal number such as 12.5",
        "leave the pose out, or fill the cell",
        cell(4, "y", lambda text: ""),
    ),
    Mistake(
        "a cell holds NaN",
        "'NaN' is not a decimal number",
        "leave the pose out",
        cell(4, "y", lambda text: "NaN"),
    ),
    Mistake(
        "a cell holds number and unit",
        "is not a decimal number; write the number alone",
        "the unit stands in the heading",
        cell(4, "y", lambda text: f"{text} mm"),
    ),
    Mistake(
        "thousands are separated",
        "commas and points in one file",
        "write 1234.5",
        cell(4, "y", lambda text: "1,234.5"),
    ),
    Mistake(
        "a line has a cell too few",
        "line 5: it has 6 cells, the header has 7",
        "complete the line",
        file=lambda text: "\n".join(
            line.rpartition(",")[0] if number == 4 else line for number, line in enumerate(text.split("\n"))
        ),
    ),
    Mistake(
        "two poses have one name",
        "already names line 2; give each pose its own name",
        'other names, or `pose = "counted"` under `[table]`',
        lambda rows: [*rows[:2], [rows[1][0], *rows[2][1:]], *rows[3:]],
    ),
    Mistake(
        "a half-width is missing",
        "half_widths.L2 is missing: how far may L2 be off?",
        "a line under `[half_widths]`, or a column",
        problem=instead('L2 = "0.03 mm"\n', ""),
    ),
    Mistake(
        "a half-width is negative",
        "half_widths.L2 is -0.03 mm, which is negative",
        "write how far the reading may be off",
        problem=instead('L2 = "0.03 mm"', 'L2 = "-0.03 mm"'),
    ),
    Mistake(
        "a number of the problem file has no unit",
        "half_widths.L2: '0.03' has no unit",
        'write `"0.03 mm"`',
        problem=instead('L2 = "0.03 mm"', 'L2 = "0.03"'),
    ),
    Mistake(
        "a number of the problem file is no text",
        "half_widths.L2: 0.03 is not a value with its unit; write both as text in quotes",
        "write it in quotes, with its unit: a float is no decimal",
        problem=instead('L2 = "0.03 mm"', "L2 = 0.03"),
    ),
    Mistake(
        "a key is mistyped",
        "half_width is not known here; did you mean 'half_widths'?",
        "the name that is offered",
        problem=instead("[half_widths]", "[half_width]"),
    ),
    Mistake(
        "a robot of an unknown kind",
        "there is no kind of robot 'planar_3rrr'; did you mean 'planar_3rpr'?",
        "that kind, or `[model]`",
        problem=instead('kind = "planar_3rpr"', 'kind = "planar_3rrr"'),
    ),
    Mistake(
        "it is not said whether data are measured",
        "begin it with 'simulated: ' or 'measured: '",
        '`provenance = "measured: ..."`',
        problem=instead('provenance = "simulated: ', 'provenance = "'),
    ),
    Mistake(
        "half-widths are neither bounds nor deviations",
        'write "bounds", or how many of them they are',
        '`half_widths_are = "3 standard deviations"`',
        problem=instead('"3 standard deviations"', '"3 sigma"'),
    ),
    Mistake(
        "a leg has no blueprint",
        "legs.leg3 is missing",
        "a table `[legs.leg3]`",
        problem=lambda text: text[: text.index("[legs.leg3]")],
    ),
    Mistake(
        "the table has another name",
        "there is no such file; check the name and the folder",
        '`poses = "..."`, beside the problem file',
        problem=instead('poses = "poses.csv"', 'poses = "poses2.csv"'),
    ),
    Mistake(
        "the folder is named, not the file",
        "is a folder; name the problem.toml in it",
        "`certify run FOLDER/problem.toml`",
        words=("inspect", "."),
    ),
    Mistake(
        "the answer would overwrite the question",
        "is the folder of the problem itself, whose files would be overwritten",
        "another `--out`",
        words=("run", "problem.toml", "--out", "."),
    ),
    Mistake(
        "an epsilon without a unit",
        "--epsilon: '0.5'",
        "`--epsilon '0.5 mm'`",
        words=("run", "problem.toml", "--epsilon", "0.5"),
    ),
)


def cells(text: str) -> str:
    return text.replace("|", "\\|")


def table() -> list[str]:
    """The rows of the page."""
    rows = [f"| {cells(m.told)} | {cells(m.said)} | {cells(m.cure)} |" for m in MISTAKES]
    return ["| mistake | what is said | cure |", "| --- | --- | --- |", *rows]


if __name__ == "__main__":
    print("\n".join(table()))
