"""Rigid motions that follow the parameters, written into a tape.

    a point      T(x) v = c + R(x) (v - c) + t(x)             R(x): turns by w1(x), w2(x), w3(x) about the axes
    a frame      T(x) Q = R(x) Q
    an angle     T(x) a = a + t(x)

with w and t linear in x - x0. Each of them is rigid exactly, for every x: so what is proved of T(x) f(x, q) is proved
of some motion, and the best one does no worse. A deviation is carried as a difference from what the robot computes with
the parameters in use, so that nothing cancels.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from certify.contractors.tape.tape import Builder

POINT, FRAME, ANGLE = "point", "frame", "angle"  # what is moved
AXES = {2: (2,), 3: (0, 1, 2)}  # about which points of so many components are turned

Node = int
Waves = tuple[Node, Node]  # a cosine and a sine


@dataclass(frozen=True, slots=True)
class Motion:
    """The turns and shifts of each parameter (a row for each, a column for each parameter), and the centre of turns."""

    kind: str
    turns: tuple[tuple[Fraction, ...], ...]
    shifts: tuple[tuple[Fraction, ...], ...]
    centre: tuple[Fraction, ...] = ()

    def of_points(
        self, builder: Builder, base: Sequence[Node], change: Sequence[Node], off: Mapping[int, Node]
    ) -> list[Node]:
        """T(x) f(x, q) - f(x0, q) from f(x0, q) and f(x, q) - f(x0, q); `off` has x - x0 by parameter."""
        middle = [
            builder.sub(at, builder.constant(c)) for at, c in zip(base, self.centre or (Fraction(0),), strict=True)
        ]
        found = list(change)
        for axis, row in zip(AXES.get(len(found), ()), self.turns, strict=True):
            angle = combined(builder, row, off)
            i, j = ((axis + 1) % 3, (axis + 2) % 3) if len(found) == 3 else (0, 1)
            half = builder.sin(builder.mul(builder.constant(Fraction(1, 2)), angle))
            less, sine = builder.mul(builder.constant(-2), builder.sqr(half)), builder.sin(angle)  # cos - 1, sin
            u, v = builder.add(middle[i], found[i]), builder.add(middle[j], found[j])
            found[i] = builder.add(found[i], builder.sub(builder.mul(less, u), builder.mul(sine, v)))
            found[j] = builder.add(found[j], builder.add(builder.mul(sine, u), builder.mul(less, v)))
        return [builder.add(node, combined(builder, row, off)) for node, row in zip(found, self.shifts, strict=True)]

    def of_frame(self, builder: Builder, frame: Frame, off: Mapping[int, Node]) -> Frame:
        """R(x) Q(x, q) conj(Q(x0, q)) from the same without R."""
        for axis, row in enumerate(self.turns):
            frame = frame.more(builder, axis, combined(builder, row, off))
        return frame


def combined(builder: Builder, row: Sequence[Fraction], off: Mapping[int, Node]) -> Node:
    """The sum of numbers times x - x0."""
    total = builder.constant(0)
    for k, node in off.items():
        total = builder.add(total, builder.mul(builder.constant(row[k]), node))
    return total


@dataclass(frozen=True, slots=True)
class Frame:
    """The quaternion Q(x, q) conj(Q(x0, q)) by which a frame is turned against the one that the robot computes, as
    nodes: 1 and 0, 0, 0 where it is not. Its vector has the length sin(theta / 2).
    """

    scalar: Node
    vector: tuple[Node, Node, Node]

    @staticmethod
    def unturned(builder: Builder) -> Frame:
        """Both are the same."""
        zero = builder.constant(0)
        return Frame(builder.constant(1), (zero, zero, zero))

    def turned(self, builder: Builder, axis: int, waves: Waves, change: Node | None) -> Frame:
        """Both are turned about an axis: the computed one by an angle with these waves, the other one by `change` more.

        e^(k (a + d)/2) E e^(-k a/2) = e^(k a/2) (e^(k d/2) E) e^(-k a/2), with the axis k: more by d, then a turn of
        the vector by a
        """
        frame = self if change is None else self.more(builder, axis, change)
        vector, (c, s) = list(frame.vector), waves
        i, j = (axis + 1) % 3, (axis + 2) % 3
        u, v = vector[i], vector[j]
        vector[i] = builder.sub(builder.mul(c, u), builder.mul(s, v))
        vector[j] = builder.add(builder.mul(s, u), builder.mul(c, v))
        return Frame(frame.scalar, (vector[0], vector[1], vector[2]))

    def more(self, builder: Builder, axis: int, angle: Node) -> Frame:
        """e^(k angle / 2) E"""
        half = builder.mul(builder.constant(Fraction(1, 2)), angle)
        c, s, w, vector = builder.cos(half), builder.sin(half), self.scalar, self.vector
        i, j = (axis + 1) % 3, (axis + 2) % 3
        found = [builder.mul(c, part) for part in vector]
        found[axis] = builder.add(found[axis], builder.mul(s, w))
        found[i] = builder.sub(found[i], builder.mul(s, vector[j]))
        found[j] = builder.add(found[j], builder.mul(s, vector[i]))
        scalar = builder.sub(builder.mul(c, w), builder.mul(s, vector[axis]))
        return Frame(scalar, (found[0], found[1], found[2]))

    def rotated(self, builder: Builder, quaternion: Sequence[Fraction]) -> Frame:
        """Both are turned by a quaternion of any length."""
        w, x, y, z = quaternion
        n = w * w + x * x + y * y + z * z
        rows = (
            (w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)),
            (2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)),
            (2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z),
        )
        found = [combined(builder, [entry / n for entry in row], dict(enumerate(self.vector))) for row in rows]
        return Frame(self.scalar, (found[0], found[1], found[2]))
