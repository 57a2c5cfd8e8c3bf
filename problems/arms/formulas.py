"""Steps as the text of formulas: where a point goes, and how a frame is turned, as definitions of a problem file.

Points: `p3 = "t3 + [w3.x, -w3.z, w3.y]"`, from the tip back to the base, so that no rotations are multiplied.

Frames: unit quaternions [w, x, y, z] up to a number, half of each angle at a time. If the frame is turned against the
measured one by an angle theta about a unit vector n, then

    2 vec(conj(measured) * computed)  =  +- 2 sin(theta / 2) n

which is theta n for small angles, is 0 nowhere but where the frames agree, and is largest (2) for half a turn: a frame
that is upside down does not look like one that agrees, as it would with sines of whole angles.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt

import numpy as np

from certify.problems.arms.arm import AXES, IDENTITY, Matrix, decimal
from certify.problems.arms.steps import Fixed, Shift, Slide, Step, Terms, Turn
from certify.problems.formulas.units import format_decimal


@dataclass(slots=True)
class Formulas:
    """Definitions in the order in which they are needed, and the lengths (mm) that they use; a sum of several terms is
    defined once.
    """

    definitions: list[tuple[str, str]] = field(default_factory=list)
    lengths: dict[str, Fraction] = field(default_factory=dict)
    sums: dict[Terms, str] = field(default_factory=dict)

    def define(self, name: str, text: str) -> str:
        """A definition under this name."""
        self.definitions.append((name, text))
        return name

    def angle(self, terms: Terms) -> str:
        """A sum of terms: one name if there are several, with a minus before it if all are negative."""
        if len(terms) == 1:
            sign, name = terms[0]
            return name if sign > 0 else f"-{name}"
        flipped = tuple((-sign, name) for sign, name in terms)
        if terms not in self.sums and flipped in self.sums:
            return f"-{self.sums[flipped]}"
        if terms not in self.sums:
            if all(sign < 0 for sign, _ in terms):
                return f"-{self.angle(flipped)}"
            name = f"a{terms[0][1][1:]}"
            self.sums[terms] = self.define(name, _added(terms))
        return self.sums[terms]

    def point(self, steps: Sequence[Step], start: str, prefix: str = "p", tip: str = "tip") -> str:
        """The name of where the vector `start` is carried; `tip` calls the lengths of steps that are as designed."""
        current, count = start, 0

        def name() -> str:
            nonlocal current, count
            if not current.isidentifier():
                count += 1
                current = self.define(f"{prefix}{count}", current)
            return current

        for step in steps:
            match step:
                case Turn():
                    turned = current if current.isidentifier() else f"({current})"
                    current = f"R{AXES[step.axis]}({self.angle(step.terms)})*{turned}"
                case Shift():
                    current = f"{step.name} + {current}" if step.sign > 0 else f"{current} - {step.name}"
                    name()
                case Slide():
                    way = self.angle(step.terms)
                    current = f"{name()} + [{', '.join(_times(value, way) for value in step.axis)}]"
                    name()
                case Fixed():
                    rows = zip(step.rotation, AXES, step.place, strict=True)
                    parts = [f"{_row(row, name())}{self._plus(tip, axis, length)}" for row, axis, length in rows]
                    current = f"[{', '.join(parts)}]"
        return name()

    def _plus(self, tip: str, axis: str, value: Fraction) -> str:
        """A length that is added, under a name of its own."""
        if not value:
            return ""
        name = f"{tip}_{axis}"
        self.lengths[name] = abs(value)
        return f" {'+' if value > 0 else '-'} {name}"

    def turned(self, steps: Iterable[Step], prefix: str = "r") -> tuple[str, int]:
        """The name of the quaternion of a frame, and the square of its length (1 but for quarter turns)."""
        current, count, square = self.define(f"{prefix}0", "[1, 0, 0, 0]"), 0, 1
        for step in steps:
            if isinstance(step, Turn):
                parts = turned_by(step.axis, self.angle(step.terms), current)
            elif isinstance(step, Fixed) and step.rotation != IDENTITY:
                quaternion, own = quaternion_of(step.rotation)
                square *= own
                parts = multiplied(quaternion, current)
            else:
                continue
            count += 1
            current = self.define(f"{prefix}{count}", f"[{', '.join(parts)}]")
        return current, square


def turned_by(axis: int, angle: str, r: str) -> list[str]:
    """cos and sin of half the angle, as a quaternion, times r."""
    minus, angle = angle.startswith("-"), angle.removeprefix("-")
    c, s = f"cos({angle}/2)", f"sin({angle}/2)"
    i, j = (axis + 1) % 3, (axis + 2) % 3
    plus, less = ("-", "+") if minus else ("+", "-")
    parts = [""] * 4
    parts[0] = f"{c}*{r}[1] {less} {s}*{r}[{axis + 2}]"
    parts[axis + 1] = f"{c}*{r}[{axis + 2}] {plus} {s}*{r}[1]"
    parts[i + 1] = f"{c}*{r}[{i + 2}] {less} {s}*{r}[{j + 2}]"
    parts[j + 1] = f"{c}*{r}[{j + 2}] {plus} {s}*{r}[{i + 2}]"
    return parts


def multiplied(quaternion: Sequence[Fraction], r: str) -> list[str]:
    """A known quaternion times r."""
    w, x, y, z = quaternion
    rows = ((w, -x, -y, -z), (x, w, -z, y), (y, z, w, -x), (z, -y, x, w))
    return [_combined([(c, f"{r}[{k}]") for k, c in enumerate(row, 1)]) for row in rows]


def quaternion_of(rotation: Matrix) -> tuple[tuple[Fraction, ...], int]:
    """A quaternion of a rotation and the square of its length: whole numbers for quarter turns, else of doubles."""
    m = np.array([[float(entry) for entry in row] for row in rotation])
    squares = np.array([1 + np.trace(m), *(1 - np.trace(m) + 2 * m[k, k] for k in range(3))])
    k = int(np.argmax(squares))
    if k == 0:
        parts = np.array([squares[0], m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]])
    else:
        i, j = k % 3, (k + 1) % 3  # the axes behind axis k - 1
        own = k - 1
        parts = np.zeros(4)
        parts[0], parts[k] = m[j, i] - m[i, j], squares[k]
        parts[i + 1], parts[j + 1] = m[i, own] + m[own, i], m[j, own] + m[own, j]
    if all(entry.denominator == 1 for row in rotation for entry in row):
        whole = [round(part / np.abs(parts).max()) for part in parts]
        return tuple(map(Fraction, whole)), sum(part * part for part in whole)
    parts = parts / sqrt(float(parts @ parts))
    return tuple(decimal(part) for part in parts), 1


def difference(computed: str, square: int, measured: Sequence[str]) -> str:
    """2 vec(conj(measured) * computed) for the parts [w, x, y, z] of the measured quaternion, of length 1."""
    r = [f"{computed}[{k}]" for k in range(1, 5)]
    w, x, y, z = measured
    rows = [
        f"{w}*{r[1]} - {x}*{r[0]} - {y}*{r[3]} + {z}*{r[2]}",
        f"{w}*{r[2]} - {y}*{r[0]} - {z}*{r[1]} + {x}*{r[3]}",
        f"{w}*{r[3]} - {z}*{r[0]} - {x}*{r[2]} + {y}*{r[1]}",
    ]
    return f"{_length(square)}*[{', '.join(rows)}]"


def vector_part(computed: str, square: int) -> str:
    """2 vec of a quaternion, which may have a length of its own."""
    return f"{_length(square)}*[{computed}[2], {computed}[3], {computed}[4]]"


def _length(square: int) -> str:
    """2 / sqrt(square), where square is a power of 2."""
    halvings, rest = divmod(square.bit_length() - 1, 2)
    number = format_decimal(Fraction(2, 2**halvings))
    return f"{number}/sqrt(2)" if rest else number


def _added(terms: Terms) -> str:
    return _combined([(Fraction(sign), name) for sign, name in terms])


def _row(row: Sequence[Fraction], vector: str) -> str:
    return _combined([(entry, f"{vector}.{axis}") for entry, axis in zip(row, AXES, strict=True)])


def _times(value: Fraction, name: str) -> str:
    if not value:
        return "0"
    text = {1: name, -1: f"-{name}" if not name.startswith("-") else name[1:]}.get(
        int(value) if value.denominator == 1 else 0, ""
    )
    return text or f"{format_decimal(value)}*{name if not name.startswith('-') else f'({name})'}"


def _combined(parts: Sequence[tuple[Fraction, str]]) -> str:
    """A sum of products with numbers, without those that are 0."""
    text = ""
    for value, name in parts:
        if not value:
            continue
        size = name if abs(value) == 1 else f"{format_decimal(abs(value))}*{name}"
        if not text:
            text = size if value > 0 else f"-{size}"
        else:
            text += f" {'+' if value > 0 else '-'} {size}"
    return text or "0"
