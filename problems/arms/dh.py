"""Tables of Denavit and Hartenberg: one row a joint, as textbooks and makers print them.

    joint,a [mm],alpha [deg],d [mm],theta [deg],slides        theta is added to what the encoder reads (d, if it slides)
    1,0,90,128,0,
    2,-612.7,0,0,0,

    standard  (--dh):   T_k = Rz(theta + q) Tz(d) Tx(a) Rx(alpha)
    modified  (--mdh):  T_k = Rx(alpha) Tx(a) Rz(theta + q) Tz(d)      alpha and a of the frame before

Both say the same of what stands between two joints: t = (a, 0, d), C = Rx(alpha), where a, alpha and d are those of one
row, or d is that of the row before. A shift along y and a turn about y are not in the table (`absent`): they can be set
free all the same, and parallel axes need that turn (Hayati).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import pi
from pathlib import Path

from certify.problems.arms.arm import IDENTITY, ZERO, Arm, Joint, Matrix, about
from certify.problems.errors import InputError
from certify.problems.files.csv_table import read_table
from certify.problems.files.csv_text import csv_text
from certify.problems.files.layout import PLAIN, Layout, Place, Source
from certify.problems.files.table_columns import VALUE
from certify.problems.formulas.units import UNITS, Dimension

WHAT, SLIDES = "DH table", "slides"
Z = (Fraction(0), Fraction(0), Fraction(1))


@dataclass(frozen=True, slots=True)
class Row:
    """One joint: a and d in mm, alpha and theta in rad."""

    name: str
    a: Fraction
    alpha: Fraction
    d: Fraction
    theta: Fraction
    slides: bool


def read_dh(path: Path, modified: bool) -> Arm:
    """The arm that a table describes."""
    rows = read_rows(path)
    joints = []
    before = Row("", Fraction(0), Fraction(0), Fraction(0), Fraction(0), False)
    for row in rows:
        link = replace(row, d=before.d) if modified else before
        joints.append(
            Joint(row.name, row.slides, (link.a, Fraction(0), link.d), about(0, link.alpha), Z, about(2, row.theta))
        )
        before = row
    place, rotation = ((Fraction(0), Fraction(0), before.d), IDENTITY) if modified else _tip(before)
    numbers = range(1, len(joints) + 1)
    absent = tuple(name for k in numbers for name in (f"t{k}_y", f"tilt{k}_y"))
    return Arm(path.stem, "the base", "the last joint", tuple(joints), place, rotation, absent=absent)


def _tip(row: Row) -> tuple[tuple[Fraction, Fraction, Fraction], Matrix]:
    return (row.a, ZERO[1], row.d), about(0, row.alpha)


def read_rows(path: Path) -> tuple[Row, ...]:
    """The rows of a table; angles in degrees that are quarter turns are so exactly."""
    expected = {"a": Dimension.LENGTH, "alpha": Dimension.ANGLE, "d": Dimension.LENGTH, "theta": Dimension.ANGLE}
    headings = next(csv_text(path).cells(), (0, [""]))[1]
    layout = PLAIN
    if SLIDES in headings:
        expected[SLIDES] = Dimension.NUMBER
        layout = Layout(places={SLIDES: Place({VALUE: Source(f"{WHAT} {path}", SLIDES, UNITS["1"])})})
    table = read_table(path, expected, layout)
    columns = table.columns
    rows = []
    for k, name in enumerate(table.poses):
        turns = [
            value * Fraction(pi) / 180 if columns[angle].unit == "deg" else value
            for angle in ("alpha", "theta")
            for value in [columns[angle].values[k]]
        ]
        slides = columns[SLIDES].values[k] if SLIDES in columns else Fraction(0)
        if slides not in (0, 1):
            raise InputError(f"{WHAT} {path}, joint {name}: {SLIDES} is {float(slides):g}; write 1 if d moves, else 0")
        label = name if not name.isdecimal() else f"joint{name}"
        rows.append(Row(label, columns["a"].values[k], turns[0], columns["d"].values[k], turns[1], bool(slides)))
    return tuple(rows)
