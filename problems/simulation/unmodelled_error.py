"""What the leg model leaves out, planted in simulations on purpose.

    none      the model is true
    backlash  each leg is longer or shorter than L + l by size / 2, at random in each pose
    joints    base and platform joints have two axes w1, w2 that pass each other at the distance `size`, instead of
        meeting in a point
    outlier   one leg length of one pose is read off by `size`

With skew axes the centre moves as the leg swings: it lies on the common perpendicular of w1 (fixed in the body) and w2
= w1 x u / |w1 x u| (u: the leg's direction), by size * (w1 x w2) away from where a perfect joint has it. The effect is
of first order in `size`, because w1 x w2 is nearly along the leg. (Along w2 the centre would move across the leg, and
30 mm would stretch it by 1 mm only.)
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np

from certify.problems.errors import InputError
from certify.problems.formulas.expression import rotation_xyz
from certify.problems.formulas.units import format_decimal, nearest, parse_decimal, shown
from certify.problems.robots.forward_kinematics import Floats, Joints, placed

ErrorName = Literal["none", "backlash", "joints", "outlier"]
DEFAULT_SIZES: dict[ErrorName, Fraction] = {
    "none": Fraction(0),
    "backlash": Fraction(1),
    "joints": Fraction(25),
    "outlier": Fraction(5),
}
LARGEST_SIZE = 100
TURN_PER_LEG = 5.0  # degrees by which each leg's first axes are turned further from the tangent of the joint circle


@dataclass(frozen=True, slots=True)
class UnmodelledError:
    """One of the errors above and its size in mm."""

    name: ErrorName
    size: Fraction

    def __str__(self) -> str:
        return self.name if self.name == "none" else f"{self.name} of {format_decimal(self.size)} mm"


def exact_number(value: Fraction | float | str, place: str) -> Fraction:
    """A number from a program or a command line; floats stand for the shortest decimal that they print as."""
    return value if isinstance(value, Fraction) else parse_decimal(str(value), place)


def unmodelled_error(name: str, size: Fraction | float | str | None = None) -> UnmodelledError:
    """The error with this name, of its default size or of the given one in mm."""
    for known, default in DEFAULT_SIZES.items():
        if name == known:
            exact = default if size is None else exact_number(size, "the size of the unmodelled error")
            if not 0 <= exact <= LARGEST_SIZE or (known == "none" and exact):
                raise InputError(
                    f"an error {name} of {float(exact)} mm is out of range; choose 0 to {LARGEST_SIZE} mm (0 for none)"
                )
            return UnmodelledError(known, exact)
    raise InputError(f"there is no unmodelled error {shown(name)}; {nearest(name, DEFAULT_SIZES)}")


def slack(error: UnmodelledError, rows: int, legs: int, random: np.random.Generator) -> Floats:
    """By how much each leg (rows, legs) is longer than L + l: plus or minus half of a backlash, else 0."""
    size = float(error.size) if error.name == "backlash" else 0.0
    return np.where(random.integers(0, 2, (rows, legs)) == 1, size / 2, -size / 2)


def gross_error(
    error: UnmodelledError, rows: int, legs: int, random: np.random.Generator
) -> tuple[int, int, Fraction] | None:
    """Row, leg and amount of an outlier."""
    row, leg, sign = int(random.integers(rows)), int(random.integers(legs)), int(random.integers(2))
    return (row, leg, error.size * (2 * sign - 1)) if error.name == "outlier" else None


def skew_joints(base: Floats, platform: Floats, size: float) -> Joints:
    """Joint centres (n, 3) that move with the directions of their legs."""
    first_base, first_platform = _first_axes(base), _first_axes(platform)

    def joints(pose: Floats) -> tuple[Floats, Floats]:
        upper = placed(pose, platform)
        direction = _normalised(upper - base)
        turned = first_platform @ rotation_xyz(*np.radians(pose[3:])).T
        return base + size * _perpendicular(first_base, direction), upper + size * _perpendicular(turned, -direction)

    return joints


def _first_axes(centres: Floats) -> Floats:
    """For each joint an axis in the plane z = 0, turned leg by leg away from the tangent of the circle of joints."""
    turns = np.radians(TURN_PER_LEG) * np.arange(len(centres)) + np.arctan2(centres[:, 1], centres[:, 0]) + np.pi / 2
    return np.stack([np.cos(turns), np.sin(turns), np.zeros(len(centres))], axis=1)


def _perpendicular(first: Floats, direction: Floats) -> Floats:
    return np.cross(first, _normalised(np.cross(first, direction)))


def _normalised(vectors: Floats) -> Floats:
    norms: Floats = np.sqrt((vectors**2).sum(axis=1, keepdims=True))
    return vectors / norms
