"""Raw readings: a CSV file with every single measurement, several of the same pose, or one of each with its stated
accuracy.

    pose,run,image,x [mm],y [mm],z [mm],qw,qx,qy,qz,L1 [mm],...,L6 [mm]
    1,1,1,12.5,-3.25,640.1,0.998,0.01,-0.02,0.05,140.01,...

The orientation is given by Euler angles alpha, beta, gamma (`[deg]` or `[rad]`) or by a quaternion qw, qx, qy, qz (of
any length but 0, either sign). `run` numbers the times that the robot was sent to the pose, `image` the measurements
made while it stood there; both may be left out: then every line is a run of its own, or every line of a run an image of
its own. With one line a pose, a column may have a companion `NAME half-width [unit]` or `NAME deviation [unit]`, and
two components of a quaternion a `NAME NAME covariance`. Numbers are turned into floats: what is computed from raw
readings is estimated.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import degrees
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from certify.problems.errors import InputError
from certify.problems.files.csv_text import csv_lines
from certify.problems.files.table_cells import MAX_LABEL
from certify.problems.formulas.units import Dimension, example_unit, nearest, parse_decimal, shown, unit_of
from certify.problems.geometry.rotations import Floats

POSE, RUN, IMAGE = "pose", "run", "image"
LABELS = (POSE, RUN, IMAGE)
ANGLES, QUATERNION = ("alpha", "beta", "gamma"), ("qw", "qx", "qy", "qz")
HALF_WIDTH, DEVIATION, COVARIANCE = "half-width", "deviation", "covariance"
ROLES = (HALF_WIDTH, DEVIATION, COVARIANCE)
MAX_ROWS = 1_000_000
_NAME = "([A-Za-z][A-Za-z0-9]{0,30})"
_ROLE = "(half-width|deviation|covariance)"
_HEADING = re.compile(rf"{_NAME}(?: (?!{_ROLE}){_NAME})?(?: {_ROLE})?(?: ?\[([^\[\]]*)\])?")

Key = tuple[str, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Readings:
    """Line i measures poses[pose[i]] in run run[i] (numbered through all poses); columns by name, in mm and degrees.

    `stated` holds the columns of stated accuracies: (name, "half-width"), (name, "deviation") and (name, name,
    "covariance").
    """

    poses: tuple[str, ...]
    pose: NDArray[np.int64]
    run: NDArray[np.int64]
    columns: dict[str, Floats]
    stated: dict[Key, Floats]

    @property
    def quaternions(self) -> bool:
        """Whether the orientation is given by quaternions."""
        return QUATERNION[0] in self.columns

    @property
    def runs(self) -> int:
        """How many runs there are of all poses together."""
        return int(self.run.max()) + 1


@dataclass(frozen=True, slots=True)
class _Heading:
    key: Key
    factor: Fraction


def read_readings(path: Path, lengths: Iterable[str]) -> Readings:
    """Read position, orientation and the columns named in `lengths` (leg readings), no fewer and no others."""
    lines = csv_lines(path)
    start, first = next(lines, (0, []))
    if not start:
        raise InputError(
            f"table {path}: it is empty; write a header line such as 'pose,run,x [mm],...' and one line a measurement"
        )
    header = f"table {path}, line {start}"
    headings = _headings(first, ("x", "y", "z", *lengths), header)
    poses: dict[str, int] = {}
    runs: dict[tuple[int, str], int] = {}
    images: dict[tuple[int, str], int] = {}
    pose: list[int] = []
    run: list[int] = []
    cells: dict[Key, list[float]] = {heading.key: [] for heading in headings if heading.key[0] not in LABELS}
    for number, row in lines:
        place = f"table {path}, line {number}"
        if len(row) != len(headings):
            remedy = "add or remove cells, and write numbers with a decimal point"
            raise InputError(f"{place}: it has {len(row)} cells, the header has {len(headings)}; {remedy}")
        if len(pose) >= MAX_ROWS:
            raise InputError(f"{place}: more than {MAX_ROWS} lines; average the images of a run first")
        labels = {
            h.key[0]: _label(text, h.key[0], place) for h, text in zip(headings, row, strict=True) if h.key[0] in LABELS
        }
        pose.append(poses.setdefault(labels[POSE], len(poses)))
        run.append(runs.setdefault((pose[-1], labels.get(RUN, str(number))), len(runs)))
        if IMAGE in labels and images.setdefault((run[-1], labels[IMAGE]), number) != number:
            earlier = images[run[-1], labels[IMAGE]]
            raise InputError(
                f"{place}: image {labels[IMAGE]} of this run of pose {labels[POSE]} is in line {earlier} "
                f"already; number it otherwise"
            )
        for heading, text in zip(headings, row, strict=True):
            if heading.key[0] not in LABELS:
                at = f"{place}, column {' '.join(heading.key)}"
                cells[heading.key].append(_float(parse_decimal(text, at) * heading.factor, heading.key, at))
    if not pose:
        raise InputError(f"table {path}: there is no line behind the header; write one line a measurement")
    arrays = {key: np.array(values) for key, values in cells.items()}
    columns = {key[0]: values for key, values in arrays.items() if key[-1] not in ROLES}
    stated = {key: values for key, values in arrays.items() if key[-1] in ROLES}
    readings = Readings(tuple(poses), np.array(pose), np.array(run), columns, stated)
    _check_stated(readings, path)
    return readings


def _float(value: Fraction, key: Key, at: str) -> float:
    if key[-1] in (HALF_WIDTH, DEVIATION) and value < 0:
        raise InputError(f"{at}: {float(value)} is negative; write how far the true value may be off")
    return float(value)


def _label(text: str, what: str, place: str) -> str:
    if not text or len(text) > MAX_LABEL or not text.isprintable() or text.startswith("#"):
        remedy = f"write 1 to {MAX_LABEL} printable characters, such as 17, that do not begin with #"
        raise InputError(f"{place}, column {what}: {shown(text)} does not name a {what}; {remedy}")
    return text


def _headings(texts: list[str], plain: tuple[str, ...], header: str) -> list[_Heading]:
    """The header's columns: each once, one complete orientation, and companions only of what is there."""
    found = [_heading(text, plain, f"{header}, column {i}") for i, text in enumerate(texts, 1)]
    keys = [heading.key for heading in found]
    for key in keys:
        if keys.count(key) > 1:
            raise InputError(f"{header}: column {' '.join(key)} occurs twice; remove one")
    names = {key[0] for key in keys if len(key) == 1}
    orientation = QUATERNION if QUATERNION[0] in names else ANGLES
    for name in (POSE, *plain, *orientation):
        if name not in names:
            remedy = "add it" if name in plain or name == POSE else "give alpha, beta, gamma, or qw, qx, qy, qz"
            raise InputError(f"{header}: column {name} is missing; {remedy}")
    both = [name for name in (*ANGLES, *QUATERNION) if name in names and name not in orientation]
    if both:
        raise InputError(
            f"{header}: column {both[0]} gives the orientation a second time; give Euler angles or a "
            f"quaternion, not both"
        )
    for key in keys:
        lonely = [name for name in key if name not in ROLES and name not in names]
        if lonely:
            raise InputError(
                f"{header}: column {' '.join(key)} speaks of {lonely[0]}, which the table does not give; add "
                f"column {lonely[0]}"
            )
    return found


def _heading(text: str, plain: tuple[str, ...], place: str) -> _Heading:
    match = _HEADING.fullmatch(text)
    if match is None:
        raise InputError(f"{place}: {shown(text)} is not a column heading; write a name and a unit, such as 'x [mm]'")
    name, _, other, role, unit = match.groups()
    if text in LABELS:
        return _Heading((text,), Fraction(1))
    known = (*plain, *ANGLES, *QUATERNION)
    for each in filter(None, (name, other)):
        if each not in known:
            raise InputError(f"{place}: column {each} is not known here; {nearest(each, (*LABELS, *known))}")
    if role == COVARIANCE:
        return _covariance(name, other, unit, place)
    if other is not None:
        raise InputError(f"{place}: {shown(text)} names two columns; only a covariance does")
    dimension = Dimension.NUMBER if name in QUATERNION else Dimension.ANGLE if name in ANGLES else Dimension.LENGTH
    if unit is None and dimension != Dimension.NUMBER:
        raise InputError(
            f"{place}: column {name} has no unit, {dimension.told} is needed; write it such as '{name} "
            f"[{example_unit(dimension)}]'"
        )
    found = unit_of(unit or "1", dimension, f"{place}: column {name}")
    factor = found.factor * (Fraction(degrees(1.0)) if found.canonical == "rad" else 1)
    return _Heading((name,) if role is None else (name, role), factor)


def _covariance(name: str, other: str | None, unit: str | None, place: str) -> _Heading:
    if name not in QUATERNION or other not in QUATERNION or name == other:
        raise InputError(
            f"{place}: only covariances between two components of a quaternion change an interval; "
            "write variances as 'NAME deviation [unit]' and remove the other covariances"
        )
    if unit not in (None, "1"):
        raise InputError(
            f"{place}: the covariance of {name} and {other} has unit {shown(unit)}; it is a plain number (1)"
        )
    first, second = sorted((name, other), key=QUATERNION.index)
    return _Heading((first, second, COVARIANCE), Fraction(1))


def _check_stated(readings: Readings, path: Path) -> None:
    """Stated accuracies belong to one reading a pose, and each column has one of them."""
    if readings.stated and len(readings.pose) > len(readings.poses):
        repeated = readings.poses[int(np.bincount(readings.pose).argmax())]
        raise InputError(
            f"table {path}: pose {shown(repeated)} is measured several times and accuracies are stated, too; "
            f"give one line a pose, or leave out column {' '.join(next(iter(readings.stated)))}"
        )
    for key in readings.stated:
        if key[-1] == HALF_WIDTH and (key[0], DEVIATION) in readings.stated:
            raise InputError(f"table {path}: column {key[0]} has a half-width and a deviation; remove one of them")
        for name in key[:-1] if key[-1] == COVARIANCE else ():
            if (name, DEVIATION) not in readings.stated:
                raise InputError(f"table {path}: column {' '.join(key)} needs '{name} deviation', too; add it")
