"""How large a change of pose is: the length of what it shifts, and by how much it turns.

Of angles with R = Rx(a) Ry(b) Rz(c) a turn is no larger than the way on which the angles change in proportion:

    |w|^2 = a'^2 + b'^2 + c'^2 + 2 sin(b) a' c'

Other angles are told by the root of the sum of their squares. Squares are exact, in whole numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from certify.accuracy.cells import radians
from certify.accuracy.polyhedra import root_above
from certify.branches.enclosing import ARITHMETIC, CALCULUS, fraction
from certify.checker.interval import Interval
from certify.problems.errors import InputError
from certify.problems.model.model import Bounds

MRAD = 1000
POSITION, ORIENTATION, ANGLES = "position", "orientation", "angles"
Integers = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True)
class Measure:
    """One part of a pose: its coordinates, their unit, in which it is told, and whether they are angles about x, y and
    z of frames that follow each other.
    """

    name: str
    coordinates: tuple[int, ...]
    unit: str
    turned: bool = False

    @property
    def told(self) -> str:
        """The unit in which it is told."""
        return "mm" if self.unit == "mm" else "mrad"

    @property
    def factor(self) -> Fraction:
        """No less than one unit of the coordinates in that one."""
        return Fraction(1) if self.unit == "mm" else MRAD * radians(Fraction(1), Fraction(1), self.unit)[1]

    def most(self, shifts: Integers, scale: int, about: Sequence[Bounds]) -> Fraction:
        """No less than the size of any of these changes (rows, in parts of 2^-scale) of poses within these ends."""
        parts = [shifts[:, i] for i in self.coordinates]
        squares: Integers = np.sum([part * part for part in parts], axis=0)
        if self.turned:
            products = parts[0] * parts[2]
            ends = [2 * end * products for end in self._sine(about)]
            largest = max(int((squares * ARITHMETIC.one + end).max()) for end in ends)
            found = Fraction(largest, ARITHMETIC.one * 4**scale)
        else:
            found = Fraction(int(squares.max()), 4**scale)
        return root_above(found) * self.factor

    def size(self, sizes: Sequence[int] | Integers, scale: int) -> Fraction:
        """No less than that of a change whose coordinates have these sizes at most."""
        parts = [sizes[i] for i in self.coordinates]
        square = sum(part * part for part in parts) + (2 * parts[0] * parts[2] if self.turned else 0)
        return root_above(Fraction(square, 4**scale)) * self.factor

    def least(self, there: Sequence[Interval], here: Sequence[Interval]) -> Fraction:
        """No more than the size of the change between two poses that are known so closely. Of a turn by an angle t the
        matrices differ by 2 sqrt(2) sin(t / 2), root of the sum of squares, which is no more than sqrt(2) t.
        """
        if self.turned:
            first, second = (self._matrix([pose[i] for i in self.coordinates]) for pose in (there, here))
            return _norm(first, second) / root_above(Fraction(2)) * MRAD
        found = _norm([there[i] for i in self.coordinates], [here[i] for i in self.coordinates])
        return found * (1 if self.unit == "mm" else MRAD * radians(Fraction(1), Fraction(1), self.unit)[0])

    def _matrix(self, angles: Sequence[Interval]) -> list[Interval]:
        """Rx(a) Ry(b) Rz(c), row after row."""
        mul, add, sub = ARITHMETIC.mul, ARITHMETIC.add, ARITHMETIC.sub
        sin, cos = CALCULUS.functions["sin"], CALCULUS.functions["cos"]
        turns = [ARITHMETIC.mul(angle, self._radian) for angle in angles]
        (sa, sb, sc), (ca, cb, cc) = [sin(t) for t in turns], [cos(t) for t in turns]
        return [
            mul(cb, cc), sub((0, 0), mul(cb, sc)), sb,
            add(mul(ca, sc), mul(mul(sa, sb), cc)), sub(mul(ca, cc), mul(mul(sa, sb), sc)), sub((0, 0), mul(sa, cb)),
            sub(mul(sa, sc), mul(mul(ca, sb), cc)), add(mul(sa, cc), mul(mul(ca, sb), sc)), mul(ca, cb),
        ]  # fmt: skip

    @property
    def _radian(self) -> Interval:
        return ARITHMETIC.span(*radians(Fraction(1), Fraction(1), self.unit))

    def _sine(self, about: Sequence[Bounds]) -> tuple[int, int]:
        low, high = radians(*about[self.coordinates[1]], self.unit)
        ends: tuple[int, int] = CALCULUS.functions["sin"](ARITHMETIC.span(low, high))
        return ends


def _norm(first: Sequence[Interval], second: Sequence[Interval]) -> Fraction:
    """No more than the root of the sum of the squares of differences."""
    squares = [ARITHMETIC.sqr(ARITHMETIC.sub(a, b))[0] for a, b in zip(first, second, strict=True)]
    least: Interval = ARITHMETIC.sqrt((sum(squares), sum(squares)))
    return fraction(least[0])


def measures(units: Sequence[str], turned: bool) -> tuple[Measure, ...]:
    """Those of a pose whose coordinates have these units; `turned` says that its three angles are those above."""
    others = {unit for unit in units if unit != "mm"}
    if len(others) > 1 or others - {"deg", "rad", "mrad"}:
        raise InputError(
            f"the coordinates of the pose are in {', '.join(units)}; give lengths, and angles that are "
            f"all in deg or all in rad"
        )
    lengths = tuple(i for i, unit in enumerate(units) if unit == "mm")
    angles = tuple(i for i, unit in enumerate(units) if unit != "mm")
    found = []
    if lengths:
        found.append(Measure(POSITION, lengths, "mm"))
    if angles:
        name = ORIENTATION if turned or len(angles) == 1 else ANGLES
        found.append(Measure(name, angles, units[angles[0]], turned))
    return tuple(found)
