"""Where the joints and what was measured stand in a table: by the joints' names, by usual headings, or as stated.

    --columns "x=measurement_x [mm], q1=3 [rad]"       a heading as it stands in the file, or the number of a column

What is found is told with its unit and why; what is ambiguous or missing is refused with the headings that there are.
Nothing is taken for a column that is not named after it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from certify.problems.arms.arm import Arm
from certify.problems.arms.measurement import ANGLE, NUMBER, SOCKET, Measurement
from certify.problems.arms.steps import reading
from certify.problems.errors import InputError
from certify.problems.files.csv_text import csv_text
from certify.problems.formulas.units import UNITS, shown
from certify.problems.functions.dimensions import GEOMETRIC

_STATED = re.compile(r"\s*([A-Za-z][A-Za-z0-9_]*)\s*=\s*(.+?)\s*(?:\[([^\[\]]+)\])?\s*")
_UNIT_AT_END = re.compile(r"(.*?)\s*\[([^\[\]]+)\]")
PLACES = ("", "p", "t", "pos_", "position_", "measurement_", "measured_", "tcp_", "target_", "marker_")
TURNS = (
    ("rx", "ry", "rz"),
    ("measurement_rx", "measurement_ry", "measurement_rz"),
    ("measured_rx", "measured_ry", "measured_rz"),
    ("phix", "phiy", "phiz"),
    ("phix1", "phiy1", "phiz1"),
    ("roll", "pitch", "yaw"),
    ("rot_x", "rot_y", "rot_z"),
)
QUATERNIONS = (
    ("qw", "qx", "qy", "qz"),
    ("measurement_qw", "measurement_qx", "measurement_qy", "measurement_qz"),
    ("quat_w", "quat_x", "quat_y", "quat_z"),
)
SOCKETS = (("socket",), ("ball",), ("hole",))
LENGTHS = (("length",), ("distance",), ("l",), ("measured_length",))
DEVIATIONS = ("std", "sd", "sigma", "dev", "deviation")
SHOWN = 30


@dataclass(frozen=True, slots=True)
class Found:
    """Where a column of the model stands: a heading or a number, its unit if it is known, a deviation's column if there
    is one, and how it was found.
    """

    name: str
    column: str | int
    unit: str | None
    deviation: str | None
    stated: bool


@dataclass(frozen=True, slots=True)
class Headings:
    """The headings of a table, or none, and how many columns it has."""

    path: Path
    texts: tuple[str, ...]
    count: int

    @staticmethod
    def of(path: Path) -> Headings:
        """Those of a file's first line; a line of numbers is none."""
        first = next(csv_text(path).cells(), (0, []))[1]
        if not first:
            raise InputError(f"table {path}: it is empty; give the measured poses, one a line")
        numbers = all(_is_number(text) for text in first)
        return Headings(path, () if numbers else tuple(first), len(first))

    def find(self, names: Sequence[str]) -> tuple[str, ...] | None:
        """The headings that are called like these, whatever their case and unit, if all are there."""
        bare = {_bare(text).lower(): text for text in self.texts}
        return tuple(bare[name] for name in names) if all(name in bare for name in names) else None

    def told(self) -> str:
        """The headings, for a message."""
        more = f" and {len(self.texts) - SHOWN} more" if len(self.texts) > SHOWN else ""
        return ", ".join(shown(text) for text in self.texts[:SHOWN]) + more


def find_columns(path: Path, arm: Arm, measurement: Measurement, stated: Sequence[str]) -> dict[str, Found]:
    """Every column that the model reads, by name."""
    headings = Headings.of(path)
    expected = {reading(k): ANGLE for k in range(1, len(arm.joints) + 1)} | measurement.columns
    said = _stated(stated, expected, headings)
    if not headings.texts:
        return said | _in_order(headings, arm, measurement, said)
    found: dict[str, Found] = {}
    for number, joint in enumerate(arm.joints, 1):
        name = reading(number)
        if name not in said:
            found[name] = _joint(headings, joint.name, number)
    for names, groups in _groups(measurement):
        if not all(name in said for name in names):
            found |= _group(headings, names, groups)
    found |= said
    return {
        name: _with_deviation(found[name], headings) if name in measurement.columns else found[name]
        for name in expected
    }


def has_quaternions(path: Path) -> bool:
    """Whether a table has headings of quaternions and none of three angles."""
    headings = Headings.of(path)
    angles, quaternions = ([headings.find(names) for names in groups] for groups in (TURNS, QUATERNIONS))
    return any(quaternions) and not any(angles)


def names_sockets(path: Path, stated: Sequence[str]) -> bool:
    """Whether a column of a table says in which socket the ball was, by --columns or its heading."""
    said = (_STATED.fullmatch(part) for whole in stated for part in whole.split(","))
    return any(match is not None and match[1] == SOCKET for match in said) or any(map(Headings.of(path).find, SOCKETS))


def _bare(heading: str) -> str:
    match = _UNIT_AT_END.fullmatch(heading)
    return (match[1] if match is not None else heading).strip()


def _unit(heading: str) -> str | None:
    """The unit in brackets behind a heading."""
    match = _UNIT_AT_END.fullmatch(heading)
    unit = UNITS.get(match[2]) if match is not None else None
    return unit.name if unit is not None and unit.dimension in GEOMETRIC else None


def _is_number(text: str) -> bool:
    return re.fullmatch(r"[+-]?[0-9]*[.,]?[0-9]+([.,][0-9]*)?([eE][+-]?[0-9]+)?", text) is not None


def _stated(texts: Sequence[str], expected: Mapping[str, str], headings: Headings) -> dict[str, Found]:
    """What --columns says."""
    found: dict[str, Found] = {}
    for text in (part for whole in texts for part in whole.split(",")):
        match = _STATED.fullmatch(text)
        if match is None:
            raise InputError(f"--columns {text.strip()!r}: write such as 'x=measurement_x [mm]' or 'q1=3 [rad]'")
        name, column, unit = match.groups()
        if name not in expected:
            raise InputError(f"--columns {text.strip()!r}: the model has no {name}; it has {', '.join(expected)}")
        known = [word for word, one in UNITS.items() if one.dimension in GEOMETRIC]
        if unit is not None and unit not in known:
            raise InputError(f"--columns {text.strip()!r}: {unit!r} is no unit of an arm ({', '.join(known)})")
        exact = next((own for own in headings.texts if own == column or _bare(own) == column), None)
        if exact is None and not (column.isdecimal() and 1 <= int(column) <= headings.count):
            raise InputError(
                f"--columns {text.strip()!r}: table {headings.path} has no column {column!r}; it has "
                f"{headings.told() or f'{headings.count} columns without headings'}"
            )
        found[name] = Found(name, exact or int(column), unit or (_unit(exact) if exact else None), None, True)
    return found


def _in_order(headings: Headings, arm: Arm, measurement: Measurement, said: Mapping[str, Found]) -> dict[str, Found]:
    """A table without headings: joints in their order, and behind them what was measured, if that is all there is."""
    names = [*(reading(k) for k in range(1, len(arm.joints) + 1)), *measurement.columns]
    if set(said) == set(names):
        return {}
    if said or headings.count != len(names):
        raise InputError(
            f"table {headings.path} has {headings.count} columns without headings, the model reads {len(names)} "
            f"({', '.join(names)}); say which is which: --columns 'q1=1 [rad], ...'"
        )
    return {name: Found(name, k, None, None, False) for k, name in enumerate(names, 1)}


def _joint(headings: Headings, joint: str, number: int) -> Found:
    """A joint's column: by the joint's name, or by its number."""
    short = joint.lower().removesuffix("_joint")
    names = (joint.lower(), short, f"q{number}", f"q_{number}", f"joint{number}", f"joint_{number}", f"j{number}",
             f"theta{number}", f"axis{number}", f"a{number}")  # fmt: skip
    matches = [found[0] for name in dict.fromkeys(names[:2]) if (found := headings.find((name,))) is not None]
    if not matches:
        matches = [found[0] for name in names[2:] if (found := headings.find((name,))) is not None]
    if len(matches) != 1:
        what = "no column is called so" if not matches else f"several are: {', '.join(map(repr, matches))}"
        raise InputError(
            f"table {headings.path}: where is joint {joint}? {what}; say --columns '{reading(number)}=HEADING [rad]'. "
            f"It has {headings.told()}"
        )
    return Found(reading(number), matches[0], _unit(matches[0]), None, False)


def _groups(measurement: Measurement) -> list[tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]]:
    """What belongs together, and how it may be called."""
    found: list[tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]] = []
    for names in measurement.places:
        number = names[0][1:]
        groups = [tuple(f"{prefix}{axis}{number}" for axis in "xyz") for prefix in PLACES]
        if not number:
            groups.append(("x1", "y1", "z1"))
        else:
            groups += [tuple(f"p{number}{middle}{axis}" for axis in "xyz") for middle in ("", "_")]
        found.append((names, tuple(groups)))
    if measurement.orientation is not None:
        columns = tuple(measurement.orientation.columns)
        known = {NUMBER: QUATERNIONS, ANGLE: (*TURNS, ("e1", "e2", "e3"))}
        found.append((columns, known[next(iter(measurement.orientation.columns.values()))]))
    if measurement.named:
        found.append(((SOCKET,), SOCKETS))
    if "length" in measurement.columns:
        found.append((("length",), LENGTHS))
    return found


def _group(headings: Headings, names: tuple[str, ...], groups: tuple[tuple[str, ...], ...]) -> dict[str, Found]:
    matches = [match for group in groups if (match := headings.find(group)) is not None]
    if len(matches) != 1:
        what = (
            f"none of the usual headings ({', '.join(groups[0])}, ...) is there"
            if not matches
            else f"it could be {' or '.join(', '.join(match) for match in matches)}"
        )
        example = ", ".join(f"{name}=HEADING [mm]" for name in names[:1])
        raise InputError(
            f"table {headings.path}: where is {', '.join(names)}? {what}; say --columns '{example}, ...'. It has "
            f"{headings.told()}"
        )
    return {name: Found(name, text, _unit(text), None, False) for name, text in zip(names, matches[0], strict=True)}


def _with_deviation(found: Found, headings: Headings) -> Found:
    """A column of standard deviations beside it: measurement_std_x beside measurement_x."""
    if not isinstance(found.column, str):
        return found
    bare = _bare(found.column).lower()
    head, _, tail = bare.rpartition("_")
    for word in DEVIATIONS:
        names = [f"{word}_{bare}", f"{bare}_{word}", *([f"{head}_{word}_{tail}"] if head else [])]
        for name in names:
            match = headings.find((name,))
            if match is not None:
                return replace(found, deviation=match[0])
    return found
