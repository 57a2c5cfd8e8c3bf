"""An arm and what was measured of it as the model of a problem file: parameters with their words, columns, definitions
and equations.

Every parameter of the arm is there, whether it is free or not: a radius of 0 makes it known exactly, and costs nothing.
Each component of a parameter is called by several words, by which it is chosen: `base`, `tool`, `offsets`, `lengths`,
`tilts`, `joint3` or the joint's own name, and `joint3.x`, `joint3.offset`, `joint3.tilt.y`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import prod

from certify.problems.arms.arm import AXES, Arm
from certify.problems.arms.formulas import Formulas
from certify.problems.arms.measurement import ANGLE, DISTANCE, LENGTH, NUMBER, ORIENTATION, SOCKET, TIPS, Measurement
from certify.problems.arms.steps import (
    Shift,
    Step,
    Turn,
    arm_steps,
    axis_names,
    offset,
    other_steps,
    place,
    reading,
    reversed_steps,
    tilt,
)

BASE, TOOL, ANCHOR, ZERO_LENGTH, MEETING = "base", "tool", "anchor", "zero", "meeting"
Order = tuple[int, int, int]
USUAL: Order = (0, 1, 2)


@dataclass(frozen=True, slots=True)
class Item:
    """A parameter: a number or a vector, its blueprint where the description says one, the words for each component,
    what it is in a line, and the words with the name that the description gives its joint.
    """

    name: str
    dimension: str
    components: tuple[str, ...]
    words: tuple[frozenset[str], ...]
    told: str
    named: tuple[frozenset[str], ...] = ()

    @property
    def numbers(self) -> tuple[str, ...]:
        """The names of its components in answers."""
        return tuple(f"{self.name}_{c}" for c in self.components) if self.components else (self.name,)


@dataclass(frozen=True, slots=True)
class ArmModel:
    """All that stands under [model] of a problem file."""

    arm: Arm
    measurement: Measurement
    items: tuple[Item, ...]
    columns: Mapping[str, str]
    definitions: tuple[tuple[str, str], ...]
    lengths: Mapping[str, Fraction]
    equations: tuple[tuple[str, str], ...]
    errors: tuple[tuple[str, str], ...]


def arm_model(arm: Arm, measurement: Measurement, orders: Mapping[str, Order]) -> ArmModel:
    """The model of an arm; `orders` says in which order the turns of base and tool are made."""
    formulas = Formulas()
    equations, errors = _equations(arm, measurement, orders, formulas)
    turned = measurement.kind == ORIENTATION
    columns = {
        reading(k): LENGTH if joint.slides else ANGLE
        for k, joint in enumerate(arm.joints, 1)
        if not (turned and joint.slides)
    }
    columns |= measurement.columns
    if measurement.kind == SOCKET and measurement.sockets > 1 and not measurement.named:
        columns |= {f"is{k}": NUMBER for k in range(1, measurement.sockets + 1)}
    columns |= {distance.name: LENGTH for distance in measurement.distances}
    items, definitions = _items(arm, measurement), tuple(formulas.definitions)
    return ArmModel(arm, measurement, items, columns, definitions, formulas.lengths, equations, errors)


def turn_steps(name: str, order: Order) -> tuple[Step, ...]:
    """The turns of a frame, the first one first; name[1] is the one about x, and so on."""
    return tuple(Turn(axis, ((1, f"{name}[{axis + 1}]"),)) for axis in order)


def frame_steps(name: str, order: Order) -> tuple[Step, ...]:
    """From a frame to the one in which it stands at `name`, turned by name_turn."""
    return (*turn_steps(f"{name}_turn", order), Shift(name))


def _equations(
    arm: Arm, measurement: Measurement, orders: Mapping[str, Order], formulas: Formulas
) -> tuple[tuple[tuple[str, str], ...], tuple[tuple[str, str], ...]]:
    """The equations and how their errors are told."""
    inside = arm_steps(arm)
    if arm.other is not None:
        first, second = measurement.tools
        here = formulas.point(inside, first)
        there = formulas.point(other_steps(arm, arm.other), second, "s", "tip2")
        return (("closure", f"{here} - {there}"),), (("closure", "mm x y z"),)
    if measurement.is_turned:
        return _pose(inside, measurement, orders, formulas)
    if measurement.has_frames:
        steps = (*inside, *frame_steps(BASE, orders.get(BASE, USUAL)))
        ends = [
            formulas.point(steps, tool, "p" if measurement.points == 1 else f"p{chr(ord('a') + k)}")
            for k, tool in enumerate(measurement.tools)
        ]
        if len(ends) == 1:
            return (("position", f"{ends[0]} - [x, y, z]"),), (("position", "mm x y z"),)
        parts = [
            f"{end}.{axis} - {name}"
            for end, names in zip(ends, measurement.places, strict=True)
            for axis, name in zip(AXES, names, strict=True)
        ]
        told = " ".join(name for names in measurement.places for name in names)
        return (("position", f"[{', '.join(parts)}]"),), (("position", f"mm {told}"),)
    end = formulas.point(inside, TOOL)
    if measurement.kind == DISTANCE:
        return (("distance", f"norm({end} - {ANCHOR}) - (length + {ZERO_LENGTH})"),), (("distance", "mm"),)
    return _closure(measurement, end, formulas)


def _pose(
    inside: tuple[Step, ...], measurement: Measurement, orders: Mapping[str, Order], formulas: Formulas
) -> tuple[tuple[tuple[str, str], ...], tuple[tuple[str, str], ...]]:
    base, tool = (turn_steps(f"{name}_turn", orders.get(name, USUAL)) for name in (BASE, TOOL))
    if measurement.kind == ORIENTATION:
        if measurement.on_hand:
            steps = (*base, *reversed_steps(inside), *reversed_steps(tool))
        else:
            steps = (*tool, *inside, *base)
        return (("orientation", measurement.turning.error(formulas, steps)),), (("orientation", "mrad x y z"),)
    if measurement.on_hand:
        outside = (*reversed_steps(inside), Shift(TOOL, -1), *reversed_steps(tool))
        end, steps = formulas.point(outside, BASE), (*base, *outside)
    else:
        outside = (*inside, *base, Shift(BASE))
        end, steps = formulas.point(outside, TOOL), (*tool, *outside)
    equations = (("position", f"{end} - [x, y, z]"), ("orientation", measurement.turning.error(formulas, steps)))
    return equations, (("position", "mm x y z"), ("orientation", "mrad x y z"))


def _closure(
    measurement: Measurement, end: str, formulas: Formulas
) -> tuple[tuple[tuple[str, str], ...], tuple[tuple[str, str], ...]]:
    """The ball is in its socket, and the sockets are so far apart."""
    numbers = range(1, measurement.sockets + 1)
    for k in numbers if measurement.named else ():
        formulas.define(f"is{k}", _is_socket(k, measurement.sockets))
    socket = "socket1" if measurement.sockets == 1 else f"({' + '.join(f'is{k}*socket{k}' for k in numbers)})"
    if not measurement.distances:
        return (("closure", f"{end} - {socket}"),), (("closure", "mm x y z"),)
    gap = formulas.define("gap", f"{end} - {socket}")
    parts = [f"{gap}.{axis}" for axis in AXES]
    parts += [f"norm(socket{d.first} - socket{d.second}) - {d.name}" for d in measurement.distances]
    told = " ".join(["mm", *AXES, *(distance.name for distance in measurement.distances)])
    return (("closure", f"[{', '.join(parts)}]"),), (("closure", told),)


def _is_socket(number: int, sockets: int) -> str:
    """1 where the column `socket` is this number, 0 where it is another one of 1 to `sockets`."""
    others = [other for other in range(1, sockets + 1) if other != number]
    factors = [f"({SOCKET} - {other})" if other < number else f"({other} - {SOCKET})" for other in others]
    divisor = prod(abs(number - other) for other in others)
    return "*".join(factors) + (f"/{divisor}" if divisor > 1 else "")


def _items(arm: Arm, measurement: Measurement) -> tuple[Item, ...]:
    """The parameters: the frames of who measures, then the arm from the base to the tip."""
    found: list[Item] = []
    on_hand = measurement.on_hand
    if measurement.has_frames:
        what = (
            "where the target stands in the robot's base"
            if on_hand
            else "where the robot's base stands in the frame of who measures"
        )
        if measurement.kind != ORIENTATION:
            found.append(_vector(BASE, LENGTH, what, BASE))
        found.append(_vector(f"{BASE}_turn", ANGLE, "and how it is turned, about x, y and z", BASE, "turn."))
    if measurement.kind == DISTANCE:
        found.append(_vector(ANCHOR, LENGTH, "the other end of what is measured, in the robot's base", ANCHOR))
        told = "what is added to each measured length"
        found.append(Item(ZERO_LENGTH, LENGTH, (), (frozenset({ZERO_LENGTH}),), told))
    for k in range(1, measurement.sockets + 1):
        found.append(_vector(f"socket{k}", LENGTH, f"socket {k} in the robot's base", "sockets"))
    found += _meeting(arm, measurement.tools) if measurement.kind == TIPS else []
    for tool in measurement.tools if measurement.kind not in (TIPS, ORIENTATION) else ():
        what = "the device on the hand" if on_hand else "what is measured" if measurement.kind != SOCKET else "the ball"
        found.append(_vector(tool, LENGTH, f"{what}, in the frame of {arm.tip}", TOOL))
    if measurement.is_turned:
        found.append(_vector(f"{TOOL}_turn", ANGLE, "and how it is turned, about x, y and z", TOOL, "turn."))
    for number, joint in enumerate(arm.joints, 1):
        own = _of_joint(arm, number)
        if measurement.kind == ORIENTATION:  # lengths, and what slides, turn nothing
            own = own[2:] if joint.slides else own[1:]
        found += own
    return tuple(found)


def _meeting(arm: Arm, tools: tuple[str, ...]) -> list[Item]:
    """The points of both tips that meet."""
    links = arm.tip, "" if arm.other is None else arm.other.link
    found = [
        _vector(tool, LENGTH, f"the point that meets the other one, in the frame of {link}", TOOL)
        for tool, link in zip(tools, links, strict=True)
    ]
    return [replace(item, words=tuple(words | {MEETING} for words in item.words)) for item in found]


def _vector(name: str, dimension: str, told: str, word: str, prefix: str = "") -> Item:
    own = name.removesuffix("_turn")
    words = tuple(frozenset({word, own, f"{own}.{prefix}{axis}", *_with_turn(own, prefix)}) for axis in AXES)
    return Item(name, dimension, tuple(AXES), words, told)


def _with_turn(name: str, prefix: str) -> tuple[str, ...]:
    return (f"{name}.turn",) if prefix else (f"{name}.place",)


def _of_joint(arm: Arm, number: int) -> list[Item]:
    joint = arm.joints[number - 1]
    owner = f"joint{number}"

    def words(name: str, groups: tuple[str, ...], *own: str) -> frozenset[str]:
        """What the description has not got is called by its own name only."""
        general = () if name in arm.absent else (*groups, owner, f"{owner}.{own[0]}")
        return frozenset({*general, f"{owner}.{own[-1]}"})

    def named(words: frozenset[str]) -> frozenset[str]:
        return frozenset(joint.name + word.removeprefix(owner) for word in words if word.partition(".")[0] == owner)

    axes = axis_names(joint)
    links, turns = ("lengths", "link translations"), ("tilts", "link rotations")
    moves = tuple(words(f"{place(number)}_{axis}", links, "place", axis) for axis in AXES)
    tilted = tuple(words(f"{tilt(number)}_{axis}", turns, "tilt", f"tilt.{axis}") for axis in axes)
    encoder = words(offset(number), ("offsets", "joint offsets"), "offset")
    what = LENGTH if joint.slides else ANGLE
    found = [
        Item(place(number), LENGTH, tuple(AXES), moves, f"{joint.name}: where it stands in the frame before it"),
        Item(offset(number), what, (), (encoder,), f"{joint.name}: added to what its encoder reads"),
        Item(tilt(number), ANGLE, axes, tilted, f"{joint.name}: small turns of its axis"),
    ]
    return [replace(item, named=tuple(map(named, item.words))) for item in found]
