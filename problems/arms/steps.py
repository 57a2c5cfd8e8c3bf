"""What a rigid body's points go through from one frame to the next, one step after the other: written once, computed in
floats (certify.problems.arms.placing) and told as formulas (certify.problems.arms.formulas).

    Turn     v -> R_axis(angle) v            angle: a sum of named numbers with signs, such as q3 + o3
    Shift    v -> v +- t                     t: a named vector
    Slide    v -> v + (q + o) axis
    Fixed    v -> C v + t                    numbers of the maker's description
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from certify.problems.arms.arm import (
    AXES,
    IDENTITY,
    ZERO,
    Arm,
    Joint,
    Matrix,
    Tip,
    Vector,
    decimal,
    matrix,
    moved,
    transposed,
)

Floats = NDArray[np.float64]
Terms = tuple[tuple[int, str], ...]  # signs and names


@dataclass(frozen=True, slots=True)
class Turn:
    """About a coordinate axis, by a sum of named angles; name[2] is the second component of a vector."""

    axis: int
    terms: Terms


@dataclass(frozen=True, slots=True)
class Shift:
    """By a named vector or its negative."""

    name: str
    sign: int = 1


@dataclass(frozen=True, slots=True)
class Slide:
    """Along a direction, by a sum of named lengths."""

    axis: Vector
    terms: Terms


@dataclass(frozen=True, slots=True)
class Fixed:
    """As it was designed."""

    rotation: Matrix
    place: Vector = ZERO

    @property
    def inverse(self) -> Fixed:
        """The way back."""
        back = transposed(self.rotation)
        x, y, z = (-value for value in moved(back, self.place, ZERO))
        return Fixed(back, (x, y, z))


Step = Turn | Shift | Slide | Fixed


def place(number: int) -> str:
    """Where a joint's frame stands in the one before it."""
    return f"t{number}"


def offset(number: int) -> str:
    """What its encoder reads too little."""
    return f"o{number}"


def tilt(number: int) -> str:
    """How its axis is tilted, by two small angles."""
    return f"tilt{number}"


def reading(number: int) -> str:
    """What its encoder reads."""
    return f"q{number}"


def arm_steps(arm: Arm) -> tuple[Step, ...]:
    """From the tip's frame to the base's."""
    count = len(arm.joints) if arm.other is None else arm.other.behind
    return _from_tip(arm, range(1, count + 1), Fixed(arm.rotation, arm.place))


def other_steps(arm: Arm, tip: Tip) -> tuple[Step, ...]:
    """From the second tip's frame to the base's."""
    return _from_tip(arm, range(tip.behind + 1, len(arm.joints) + 1), Fixed(tip.rotation, tip.place))


def _from_tip(arm: Arm, numbers: Sequence[int], tip: Fixed) -> tuple[Step, ...]:
    found: list[Step] = _designed(tip)
    for number in reversed(numbers):
        joint = arm.joints[number - 1]
        found += _moving(joint, number)
        first, second = joint.across
        found += [Turn(second, ((1, f"{tilt(number)}[2]"),)), Turn(first, ((1, f"{tilt(number)}[1]"),))]
        found += [*_designed(Fixed(joint.rotation)), Shift(place(number))]
    return tuple(found)


def _moving(joint: Joint, number: int) -> list[Step]:
    """A joint's own motion, behind what its zero is; about an oblique axis in a frame whose z is the axis."""
    zero = _designed(Fixed(joint.zero))
    if joint.slides:
        return [*zero, Slide(joint.axis, ((1, reading(number)), (1, offset(number))))]
    along = joint.along
    if along is not None:
        axis, sign = along
        return [*zero, Turn(axis, ((sign, reading(number)), (sign, offset(number))))]
    turned = aligned(joint.axis)
    return [*zero, Fixed(transposed(turned)), Turn(2, ((1, reading(number)), (1, offset(number)))), Fixed(turned)]


def _designed(step: Fixed) -> list[Step]:
    return [] if step == Fixed(IDENTITY) else [step]


def aligned(axis: Vector) -> Matrix:
    """A rotation whose third column is the axis."""
    z = np.array([float(value) for value in axis])
    x = np.eye(3)[int(np.argmin(np.abs(z)))]
    x = x - (x @ z) * z
    x = x / np.linalg.norm(x)
    y = np.cross(z, x)
    return matrix([[decimal(value) for value in row] for row in np.column_stack([x, y, z])])


def reversed_steps(steps: Sequence[Step]) -> tuple[Step, ...]:
    """The way back."""
    return tuple(_reversed(step) for step in reversed(steps))


def _reversed(step: Step) -> Step:
    match step:
        case Turn():
            return Turn(step.axis, _negative(step.terms))
        case Shift():
            return Shift(step.name, -step.sign)
        case Slide():
            return Slide(step.axis, _negative(step.terms))
        case Fixed():
            return step.inverse


def _negative(terms: Terms) -> Terms:
    return tuple((-sign, name) for sign, name in terms)


def names_of(steps: Iterable[Step]) -> set[str]:
    """The names of what is turned, shifted or slid by, without components."""
    found: set[str] = set()
    for step in steps:
        if isinstance(step, Shift):
            found.add(step.name)
        elif not isinstance(step, Fixed):
            found |= {name.partition("[")[0] for _, name in step.terms}
    return found


def carried(steps: Iterable[Step], values: Mapping[str, Any], points: Floats) -> Floats:
    """Where points (..., 3) end in floats; values are numbers or one for each pose (K,), or such vectors (3,)."""
    x, y, z = (points[..., k] for k in range(3))
    for step in steps:
        match step:
            case Turn():
                parts = [x, y, z]
                i, j = (step.axis + 1) % 3, (step.axis + 2) % 3
                angle = _sum(step.terms, values)
                c, s = np.cos(angle), np.sin(angle)
                parts[i], parts[j] = c * parts[i] - s * parts[j], s * parts[i] + c * parts[j]
                x, y, z = parts
            case Shift():
                x, y, z = (p + step.sign * v for p, v in zip((x, y, z), values[step.name], strict=True))
            case Slide():
                way = _sum(step.terms, values)
                x, y, z = (p + float(a) * way for p, a in zip((x, y, z), step.axis, strict=True))
            case Fixed():
                rows = [[float(entry) for entry in row] for row in step.rotation]
                x, y, z = (r[0] * x + r[1] * y + r[2] * z + float(p) for r, p in zip(rows, step.place, strict=True))
    return np.stack(np.broadcast_arrays(x, y, z), axis=-1)


def _sum(terms: Terms, values: Mapping[str, Any]) -> Any:
    total: Any = 0.0
    for sign, name in terms:
        base, bracket, component = name.partition("[")
        value = values[base][int(component[:-1]) - 1] if bracket else values[base]
        total = total + sign * value
    return total


def frames(steps: Iterable[Step], values: Mapping[str, Any], poses: int) -> tuple[Floats, Floats]:
    """Rotations (K, 3, 3) and origins (K, 3) of the frame that the steps carry."""
    corners = np.broadcast_to(np.vstack([np.zeros(3), np.eye(3)])[:, None, :], (4, poses, 3))
    found = carried(tuple(steps), values, corners)
    return np.moveaxis(found[1:] - found[0], 0, 2), found[0]


def design(arm: Arm) -> dict[str, Any]:
    """The values of all parameters of an arm as it was designed."""
    found: dict[str, Any] = {}
    for number, joint in enumerate(arm.joints, 1):
        found |= {place(number): tuple(map(float, joint.place)), offset(number): 0.0, tilt(number): (0.0, 0.0)}
    return found


def axis_names(joint: Joint) -> tuple[str, str]:
    """What the two tilts of a joint turn about."""
    first, second = joint.across
    return AXES[first], AXES[second]
