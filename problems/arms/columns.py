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
from certify.problems.formulas.units import UNITS, Dimension, shown
from certify.problems.functions.dimensions import GEOMETRIC

_STATED = re.compile(r"\s*([A-Za-z][A-Za-z0-9_]*)\s*=\s*(.+?)\s*(?:\[([^\[\]]+)\])?\s*")
_UNIT_AT_END = re.compile(r"(.*?)\s*(?:\[\s*([^\[\]]+?)\s*\]|\(\s*([^()]+?)\s*\))")
_WORD_ENDS = re.compile(r"[\W_]+")
SPACE = (Dimension.LENGTH, Dimension.ANGLE)
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
NUMBERED = ("q", "q_", "joint", "joint_", "j", "theta", "axis", "a")  # before a joint's number
DEVIATIONS = ("std", "sd", "sigma", "dev", "deviation")
SHOWN = 30


@dataclass(frozen=True, slots=True)
class Found:
    """Where a column of the model stands: a heading or a number, its unit if it is known, which columns may be that of
    its deviations, how it was found, and the heading of a number.
    """

    name: str
    column: str | int
    unit: str | None
    deviations: tuple[str, ...]
    stated: bool
    heading: str = ""

    def deviation(self) -> str | None:
        """The column of its deviations, if there is one; refused where two are called so."""
        if len(self.deviations) > 1:
            raise InputError(
                f"deviations of {self.name}: two columns are called alike, {_told(self.deviations)}; rename one, or "
                f"say --half-width"
            )
        return next(iter(self.deviations), None)

    def refuse_guess(self, guess: str) -> None:
        """Refuse a unit by the size of the numbers where the heading ends in a word that is not known, or another."""
        heading = self.column if isinstance(self.column, str) else self.heading
        match = _UNIT_AT_END.fullmatch(heading)
        written = (match[2] or match[3]) if match is not None else ""
        if written and not written.isdecimal():
            raise InputError(
                f"column {shown(heading)}: {shown(written)} is no unit of an arm; write [mm], [rad] or [deg] behind "
                f"it, or say --columns '{self.name}={heading} [{guess}]'"
            )
        last = UNITS.get(_WORD_ENDS.split(heading)[-1])
        if last is not None and last.dimension in SPACE and len(last.name) > 1 and last.name != guess:
            raise InputError(
                f"column {shown(heading)}: its numbers are {guess} by their size, and its heading ends in {last.name}; "
                f"say --columns '{self.name}={heading} [{last.name}]', or what it is"
            )


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

    def called(self, name: str) -> tuple[str, ...]:
        """Every heading that is called so, whatever its case and unit."""
        return tuple(text for text in self.texts if _bare(text).lower() == name)

    def have(self, names: Sequence[str]) -> bool:
        """Whether there are headings that are called like these."""
        return all(map(self.called, names))

    def one(self, name: str) -> str | None:
        """The heading that is called so, if there is one; refused where two are."""
        alike = self.called(name)
        if len(alike) > 1:
            raise InputError(
                f"table {self.path}: two columns are called alike, {_told(alike)}; rename one, or say which by "
                f"--columns 'NAME=HEADING' (or its number)"
            )
        return next(iter(alike), None)

    def number(self, column: str | int) -> int:
        """Which column a heading is, from 1 on."""
        return column if isinstance(column, int) else self.texts.index(column) + 1

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
        _refuse_shared(headings, said, measurement.columns)
        return said | _in_order(headings, arm, measurement, said)
    found: dict[str, Found] = {}
    for number, joint in enumerate(arm.joints, 1):
        name = reading(number)
        if name not in said:
            found[name] = _joint(headings, joint.name, number, len(arm.joints))
    for names, groups in _groups(measurement):
        if not all(name in said for name in names):
            found |= _group(headings, names, groups, said)
    found |= said
    found = {name: found[name] for name in expected}
    _refuse_shared(headings, found, measurement.columns)
    return {
        name: _with_deviation(where, headings) if name in measurement.columns else where
        for name, where in found.items()
    }


def _refuse_shared(headings: Headings, found: Mapping[str, Found], measured: Mapping[str, str]) -> None:
    """Refuse a column that would be read twice, as a joint called x and as the measured x; two joints may be stated so
    (a column of zeros of joints that stood still).
    """
    readers: dict[int, str] = {}
    for name, where in found.items():
        before = readers.setdefault(headings.number(where.column), name)
        stated = where.stated and found[before].stated and not measured.keys() & {name, before}
        if before != name and not stated:
            raise InputError(
                f"table {headings.path}: column {where.column!r} would be both {before} and {name}; say --columns "
                f"'{name}=...' of one of them. It has {headings.told() or f'{headings.count} columns'}"
            )


def has_quaternions(path: Path) -> bool:
    """Whether a table has headings of quaternions and none of three angles."""
    headings = Headings.of(path)
    angles, quaternions = ([headings.have(names) for names in groups] for groups in (TURNS, QUATERNIONS))
    return any(quaternions) and not any(angles)


def names_sockets(path: Path, stated: Sequence[str]) -> bool:
    """Whether a column of a table says in which socket the ball was, by --columns or its heading."""
    said = (_STATED.fullmatch(part) for whole in stated for part in whole.split(","))
    return any(match is not None and match[1] == SOCKET for match in said) or any(map(Headings.of(path).have, SOCKETS))


def _told(headings: Sequence[str]) -> str:
    return " and ".join(map(shown, headings))


def _bare(heading: str) -> str:
    return _split(heading)[0]


def _split(heading: str) -> tuple[str, str]:
    """A heading's name, and its unit in brackets, or in parentheses if it is a length or an angle."""
    match = _UNIT_AT_END.fullmatch(heading)
    if match is None or (match[3] and (match[3] not in UNITS or UNITS[match[3]].dimension not in SPACE)):
        return heading.strip(), ""
    return match[1].strip(), match[2] or match[3]


def _unit(heading: str) -> str | None:
    """The unit behind a heading."""
    unit = UNITS.get(_split(heading)[1])
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
        if name in found:
            raise InputError(f"--columns {text.strip()!r}: {name} is stated twice; remove one")
        if name not in expected:
            raise InputError(f"--columns {text.strip()!r}: the model has no {name}; it has {', '.join(expected)}")
        heading = _meant(headings, column, text)
        if heading == _whole(text):
            unit = _unit(heading)
        known = [word for word, one in UNITS.items() if one.dimension in GEOMETRIC]
        if unit is not None and unit not in known:
            raise InputError(f"--columns {text.strip()!r}: {unit!r} is no unit of an arm ({', '.join(known)})")
        if heading is None and not (column.isdecimal() and 1 <= int(column) <= headings.count):
            raise InputError(
                f"--columns {text.strip()!r}: table {headings.path} has no column {column!r}; it has "
                f"{headings.told() or f'{headings.count} columns without headings'}"
            )
        if heading is not None:
            found[name] = Found(name, heading, unit or _unit(heading), (), True)
            continue
        own = headings.texts[int(column) - 1] if headings.texts else ""
        told = _unit(own) if _unit(own) != "1" else None  # an index, such as in q[1]
        found[name] = Found(name, int(column), unit or told, (), True, own)
    return found


def _whole(text: str) -> str:
    """What stands behind NAME=, a unit in brackets with it."""
    return text.partition("=")[2].strip()


def _meant(headings: Headings, column: str, text: str) -> str | None:
    """The heading that is stated: as it stands in the file, or without its unit if no other one is called so."""
    alike: list[str] = []
    for called in (_whole(text), column):
        alike = alike or [own for own in headings.texts if own == called]
    alike = alike or [own for own in headings.texts if _bare(own) == column]
    if len(alike) > 1:
        raise InputError(
            f"--columns {text.strip()!r}: several columns are called so ({_told(alike)}); write one as it stands in "
            f"the file, or its number"
        )
    return next(iter(alike), None)


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
    return {name: Found(name, k, None, (), False) for k, name in enumerate(names, 1)}


def _joint(headings: Headings, joint: str, number: int, count: int) -> Found:
    """A joint's column: by the joint's name, or by its number, where no joint of the table is left over."""
    short = joint.lower().removesuffix("_joint")
    matches = [text for name in dict.fromkeys((joint.lower(), short)) if (text := headings.one(name)) is not None]
    words = [word for word in NUMBERED if not matches and headings.called(f"{word}{number}")]
    matches = matches or [text for word in words if (text := headings.one(f"{word}{number}")) is not None]
    if len(matches) != 1:
        what = "no column is called so" if not matches else f"several are: {', '.join(map(repr, matches))}"
        raise InputError(
            f"table {headings.path}: where is joint {joint}? {what}; say --columns '{reading(number)}=HEADING [rad]'. "
            f"It has {headings.told()}"
        )
    over = [text for word in words for k in (0, count + 1) for text in headings.called(f"{word}{k}")]
    if over:
        raise InputError(
            f"table {headings.path}: where is joint {joint}? It is number {number} of {count} between base and tip, "
            f"and the table has {over[0]!r}, too, so its numbers may be those of other joints; say of each joint, such "
            f"as --columns '{reading(number)}={matches[0]}, ...'"
        )
    return Found(reading(number), matches[0], _unit(matches[0]), (), False)


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


def _group(
    headings: Headings, names: tuple[str, ...], groups: tuple[tuple[str, ...], ...], said: Mapping[str, Found]
) -> dict[str, Found]:
    """What is not said of those that belong together, if all are called as usual."""
    matches = [group for group in groups if headings.have(group)]
    if len(matches) != 1:
        what = (
            f"none of the usual headings ({', '.join(groups[0])}, ...) is there"
            if not matches
            else f"it could be {' or '.join(', '.join(headings.called(own)[0] for own in match) for match in matches)}"
        )
        example = ", ".join(f"{name}=HEADING [mm]" for name in names[:1])
        raise InputError(
            f"table {headings.path}: where is {', '.join(names)}? {what}; say --columns '{example}, ...'. It has "
            f"{headings.told()}"
        )
    found = {name: headings.one(own) for name, own in zip(names, matches[0], strict=True) if name not in said}
    return {name: Found(name, text, _unit(text), (), False) for name, text in found.items() if text is not None}


def _with_deviation(found: Found, headings: Headings) -> Found:
    """A column of standard deviations beside it: measurement_std_x beside measurement_x."""
    if not isinstance(found.column, str):
        return found
    bare = _bare(found.column).lower()
    head, _, tail = bare.rpartition("_")
    for word in DEVIATIONS:
        names = [f"{word}_{bare}", f"{bare}_{word}", *([f"{head}_{word}_{tail}"] if head else [])]
        for name in names:
            if alike := headings.called(name):
                return replace(found, deviations=alike)
    return found
