"""What was measured of an arm, and how: a point, a pose, a distance, or that a ball sits in a socket.

    position     B tip(q) = p                one point of the tool, or several; B: the base in the frame of who measures
    pose         B T(q) X = (p, R)           point and orientation of a target on the tool, seen by a tracker
    orientation  B T(q) X = (., R)           the same without the point
    on the hand  X^-1 T(q)^-1 B = (p, R)     the same where the device is on the hand and the target stands still
    distance     |tip(q) - anchor| = length  a ball bar or a cable
    socket       tip(q) = socket             a ball at the tip sits in one of several sockets; only joints are read
    tips         tip(q) = other tip(q)       a point on each of two tips, as a ball in a socket; only joints are read

An orientation comes as three Euler angles, a quaternion or a rotation vector. "ZYX" is the product Rz Ry Rx, whose
angles are in the columns named after their axes; "ZYZ" and its like have their angles in the order of the product.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy as np

from certify.problems.arms.arm import AXES
from certify.problems.arms.formulas import Formulas, difference, vector_part
from certify.problems.arms.steps import Floats, Step, Turn, frames, reversed_steps
from certify.problems.errors import InputError
from certify.problems.formulas.units import nearest

POSITION, POSE, ORIENTATION, DISTANCE, SOCKET, TIPS = "position", "pose", "orientation", "distance", "socket", "tips"
KINDS = (POSITION, POSE, ORIENTATION, DISTANCE, SOCKET, TIPS)
QUATERNION, VECTOR = "quaternion", "rotation vector"
EULER = tuple("".join(order) for order in product("XYZ", repeat=3) if order[0] != order[1] != order[2])
LENGTH, ANGLE, NUMBER = "length", "angle", "number"
UNIT_LENGTH = 1e-3  # by how much a measured quaternion's length may miss 1
SMALLEST = 1e-4  # rad: rotation vectors that are shorter have no direction


@dataclass(frozen=True, slots=True)
class Orientation:
    """How orientations are told: "ZYX" and its like, a quaternion or a rotation vector."""

    how: str

    @staticmethod
    def named(text: str) -> Orientation:
        """From a word of the command line."""
        word = text.strip().lower()
        order = word.removeprefix("euler").strip().upper()
        if word in (QUATERNION, VECTOR):
            return Orientation(word)
        if order in EULER:
            return Orientation(order)
        raise InputError(
            f"--orientation {text!r} is not known: write the product of the turns, such as ZYX for Rz Ry Rx, or "
            f"'{QUATERNION}' or '{VECTOR}'; {nearest(order, EULER)}"
        )

    @property
    def columns(self) -> dict[str, str]:
        """The measured columns, and what each of them is."""
        if self.how == QUATERNION:
            return dict.fromkeys(("qw", "qx", "qy", "qz"), NUMBER)
        if self.how == VECTOR or len(set(self.how)) == 3:
            return dict.fromkeys(("rx", "ry", "rz"), ANGLE)
        return dict.fromkeys(("e1", "e2", "e3"), ANGLE)

    @property
    def turns(self) -> tuple[Step, ...]:
        """The turns that make the measured frame, the first one first; of Euler angles only."""
        found = []
        for number, letter in enumerate(self.how, 1):
            axis = AXES.index(letter.lower())
            name = f"r{AXES[axis]}" if len(set(self.how)) == 3 else f"e{number}"
            found.append(Turn(axis, ((1, name),)))
        return tuple(reversed(found))

    def matrices(self, columns: dict[str, Floats]) -> Floats:
        """The measured rotations (K, 3, 3), angles in radians; what is none is refused."""
        if self.how in EULER:
            poses = len(next(iter(columns.values())))
            return frames(self.turns, columns, poses)[0]
        if self.how == QUATERNION:
            parts = np.stack([columns[name] for name in self.columns])
            lengths = np.linalg.norm(parts, axis=0)
            worst = int(np.argmax(np.abs(lengths - 1.0)))
            if abs(lengths[worst] - 1.0) > UNIT_LENGTH:
                raise InputError(
                    f"row {worst + 1}: the quaternion ({', '.join(self.columns)}) has the length {lengths[worst]:.6g}, "
                    f"not 1; name the columns of w, x, y and z by --columns"
                )
            return _of_quaternions(parts / lengths)
        parts = np.stack([columns[name] for name in self.columns])
        angles = np.linalg.norm(parts, axis=0)
        shortest = int(np.argmin(angles))
        if angles[shortest] < SMALLEST:
            raise InputError(
                f"row {shortest + 1}: the rotation vector is {angles[shortest]:.3g} rad long, so it has no direction; "
                f"write the orientations as quaternions"
            )
        return _of_quaternions(np.vstack([np.cos(angles / 2)[None], np.sin(angles / 2) / angles * parts]))

    def error(self, formulas: Formulas, steps: tuple[Step, ...]) -> str:
        """The formula of the orientation's error; the definitions that it needs are added."""
        if self.how in EULER:
            name, square = formulas.turned((*steps, *reversed_steps(self.turns)))
            return vector_part(name, square)
        name, square = formulas.turned(steps)
        if self.how == QUATERNION:
            return difference(name, square, list(self.columns))
        turn = formulas.define("turn", "norm([rx, ry, rz])")
        sine = formulas.define("share", f"sin({turn}/2)/{turn}")
        return difference(name, square, [f"cos({turn}/2)", *(f"{sine}*{name}" for name in self.columns)])


def _of_quaternions(parts: Floats) -> Floats:
    w, x, y, z = parts
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    found: Floats = np.moveaxis(np.array(rows), -1, 0)
    return found


@dataclass(frozen=True, slots=True)
class Distance:
    """How far apart two sockets are, in mm, and by how much that may be off."""

    first: int
    second: int
    value: Fraction
    half_width: Fraction

    @property
    def name(self) -> str:
        """Its column."""
        return f"d{self.first}{self.second}"


@dataclass(frozen=True, slots=True)
class Measurement:
    """What was measured; `on_hand`: the device moves with the tool and sees a target that stands still; `named`: a
    column says in which socket the ball was, by its number.
    """

    kind: str
    points: int = 1
    orientation: Orientation | None = None
    on_hand: bool = False
    sockets: int = 0
    distances: tuple[Distance, ...] = ()
    named: bool = False

    @property
    def tools(self) -> tuple[str, ...]:
        """The measured points of the tool, or one on each of two tips."""
        if self.kind == TIPS:
            return "tool1", "tool2"
        return ("tool",) if self.points == 1 else tuple(f"tool{k}" for k in range(1, self.points + 1))

    @property
    def places(self) -> tuple[tuple[str, str, str], ...]:
        """The columns of the measured points."""
        if self.kind not in (POSITION, POSE):
            return ()
        ends = ("",) if self.points == 1 else tuple(str(k) for k in range(1, self.points + 1))
        return tuple((f"x{end}", f"y{end}", f"z{end}") for end in ends)

    @property
    def columns(self) -> dict[str, str]:
        """What is read in each pose but for the joints, and what each of it is; not what is the same for a file."""
        found = {name: LENGTH for names in self.places for name in names}
        if self.orientation is not None:
            found |= self.orientation.columns
        found |= {SOCKET: NUMBER} if self.named else {}
        return found | ({"length": LENGTH} if self.kind == DISTANCE else {})

    @property
    def turning(self) -> Orientation:
        """How the orientations of poses are told."""
        if self.orientation is None:
            raise InputError("a pose has an orientation; say how it is told (--orientation)")
        return self.orientation

    @property
    def has_frames(self) -> bool:
        """Whether someone measures in a frame of his own."""
        return self.kind in (POSITION, POSE, ORIENTATION)

    @property
    def is_turned(self) -> bool:
        """Whether orientations are measured."""
        return self.kind in (POSE, ORIENTATION)
