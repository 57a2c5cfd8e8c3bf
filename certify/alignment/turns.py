"""From the formulas of an orientation's error back to the turns that they were written of.

    r0 = [1, 0, 0, 0],   r1, r2, ... = the quaternion of a turn times the one before,   2 vec(conj(measured) r)

is how `certify new arm` tells an orientation (certify.problems.arms.formulas). Each definition is written once more
from what was read of it, and must be the same text: so nothing is taken for a turn that is none. The turns by measured
angles at the end are not the robot's, and are left out.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import log2, prod

from certify.contractors.tape.tape import Tape
from certify.problems.arms.arm import AXES
from certify.problems.arms.formulas import difference, multiplied, turned_by, vector_part
from certify.problems.arms.measurement import EULER, QUATERNION, VECTOR, Orientation
from certify.problems.arms.steps import Turn, reversed_steps
from certify.problems.experiments.experiment import Experiment
from certify.problems.formulas.units import parse_decimal
from certify.problems.model.model import Binding, Family
from certify.problems.robots.components import bound
from certify.problems.robots.text_model import TextModel

_NAME = r"[A-Za-z]\w*"
_FRAME = re.compile(rf"({_NAME})\[[1-4]\]")
_ANGLE = re.compile(rf"\[cos\(({_NAME}(?:\[\d+\])?)/2\)\*")  # one name: of a + b/2 only b is halved
_TERM = re.compile(rf"(-?)(?:(\d+(?:\.\d+)?)\*)?{_NAME}\[([1-4])\]")
CLOSE = Fraction(1, 10**9)  # to a power of two: the square of the length of all known quaternions, which rows divide by
SIGNS = (1, -1, -1, -1)  # of w, x, y, z in the first row of a quaternion's matrix

Quaternion = tuple[Fraction, Fraction, Fraction, Fraction]


@dataclass(frozen=True, slots=True)
class Turned:
    """A turn about a coordinate axis by an angle (radians), or by its negative."""

    axis: int
    sign: int
    angle: Family


@dataclass(frozen=True, slots=True)
class Known:
    """A turn that is known: by a quaternion of any length."""

    quaternion: Quaternion


Turns = tuple[Turned | Known, ...]


@dataclass(frozen=True, slots=True)
class _Read:
    """What a definition says: a known quaternion, or an axis and the text of an angle."""

    quaternion: Quaternion | None
    axis: int = 0
    angle: str = ""


def turns_of(experiment: Experiment) -> dict[str, Turns]:
    """Of each equation that tells an orientation the turns of the robot's frame, the first one first: v -> turn v."""
    model, kind = experiment.kind.model, experiment.kind
    if not isinstance(model, TextModel):
        return {}
    definitions, found = dict(model.definitions), dict[str, Turns]()
    for name, text in model.equations:
        read = _of_robot(text, definitions, kind.columns)
        if read is not None:
            found[name] = _with_angles(experiment, model, read)
    return found


def _with_angles(experiment: Experiment, model: TextModel, read: list[_Read]) -> Turns:
    """The turns with their angles as families over the variables and columns of the problem."""
    moving = [step for step in read if step.quaternion is None]
    texts = tuple((f"turn{k}", step.angle.removeprefix("-")) for k, step in enumerate(moving))
    kind = replace(experiment.kind, model=replace(model, equations=texts, units=("rad",) * len(texts)))
    units = {column.name: column.unit for column in (*experiment.pose_columns, *experiment.columns)}
    fields = kind.variable_fields.values()
    units |= {field.name: parameter.unit for parameter, field in zip(experiment.blueprint, fields, strict=True)}
    inputs = kind.inputs({parameter.name: parameter.nominal for parameter in experiment.blueprint if parameter.fixed})
    tapes = kind.tape(units)
    angles = iter(_angle(name, *bound(tapes[name], inputs)) for name, _ in texts)
    return tuple(
        Known(step.quaternion)
        if step.quaternion is not None
        else Turned(step.axis, -1 if step.angle.startswith("-") else 1, next(angles))
        for step in read
    )


def _angle(name: str, tape: Tape, bindings: tuple[Binding, ...]) -> Family:
    return Family(name, tape, 1, bindings, "rad")


def _of_robot(text: str, definitions: Mapping[str, str], columns: Container[str]) -> list[_Read] | None:
    """The turns of a frame whose difference from the measured one this equation is; None if it is none."""
    name = _frame(text)
    read = _chain(name, definitions)
    if not read:
        return None
    known = [step.quaternion for step in read if step.quaternion is not None]
    length = prod((sum((part * part for part in q), Fraction(0)) for q in known), start=Fraction(1))
    square = 2 ** max(round(log2(length)), 0)
    if abs(length - square) > CLOSE * square:
        return None  # the rows say another number than 2 sin(theta/2)
    for ending in _endings(columns):
        if read[-len(ending) :] == ending and text == vector_part(name, square):
            return read[: -len(ending)]
    return read if text in _differences(name, square, definitions, columns) else None


def _endings(columns: Container[str]) -> Iterator[list[_Read]]:
    """The last turns of a difference from each kind of measured angles: a turn that is read has no unknown in it."""
    for how in EULER:
        steps = reversed_steps(Orientation(how).turns)
        turns = [step for step in steps if isinstance(step, Turn)]
        named = [(turn.axis, sign, name) for turn in turns for sign, name in turn.terms]
        if all(name in columns for _, _, name in named):
            yield [_Read(None, axis, f"{'-' if sign < 0 else ''}{name}") for axis, sign, name in named]


def _differences(name: str, square: int, definitions: Mapping[str, str], columns: Container[str]) -> Iterator[str]:
    """What is written of a measured quaternion, and of a rotation vector."""
    quaternion, vector = (list(Orientation(how).columns) for how in (QUATERNION, VECTOR))
    if all(part in columns for part in quaternion):
        yield difference(name, square, quaternion)
    turn, share = definitions.get("turn"), definitions.get("share")
    if (turn, share) == ("norm([rx, ry, rz])", "sin(turn/2)/turn") and all(part in columns for part in vector):
        yield difference(name, square, ["cos(turn/2)", *(f"share*{part}" for part in vector)])


def _chain(name: str, definitions: Mapping[str, str]) -> list[_Read] | None:
    """From the definition of a frame back to the first one, which is not turned."""
    found: list[_Read] = []
    for _ in definitions:
        text = definitions.get(name, "")
        if text == "[1, 0, 0, 0]":
            return found[::-1]
        name = _frame(text)
        step = _step(text, name)
        if step is None:
            return None
        found.append(step)
    return None


def _frame(text: str) -> str:
    """The name of the quaternion of which a formula speaks last; empty if there is none."""
    return next(reversed(_FRAME.findall(text)), "")


def _step(text: str, before: str) -> _Read | None:
    """The turn of which this text is written, if it is."""
    angle = _ANGLE.match(text)
    if angle is not None:
        for axis in range(len(AXES)):
            for sign in ("", "-"):
                if f"[{', '.join(turned_by(axis, sign + angle.group(1), before))}]" == text:
                    return _Read(None, axis, sign + angle.group(1))
        return None
    parts: list[Fraction] = [Fraction(0)] * 4
    for term in _terms(text.removeprefix("[").partition(",")[0]):
        read = _TERM.fullmatch(term)
        if read is None:
            return None
        minus, number, place = read.groups()
        k = int(place) - 1
        value = Fraction(1) if number is None else parse_decimal(number, before)
        parts[k] = SIGNS[k] * (-value if minus else value)
    w, x, y, z = parts
    written = multiplied((w, x, y, z), before)
    return _Read((w, x, y, z)) if any(parts) and f"[{', '.join(written)}]" == text else None


def _terms(text: str) -> Sequence[str]:
    """a - b + c as a, -b, c"""
    return text.replace(" - ", " + -").split(" + ")
