"""A serial arm as its maker describes it: one joint behind the other from the base to the tip, with exact numbers.

A point v in the frame that joint k moves is, in the frame before it, at

    t_k + C_k (tilt (turn about the joint's axis by q_k + o_k  v))        or     t_k + C_k (tilt (v + (q_k + o_k) axis))

t_k and C_k are the description's own (URDF: xyz and rpy); the offset o_k of the encoder and the tilt, two small turns
about the axes across, are 0 as it was designed. Behind the last joint the tip stands fixed at (t, C). `absent`
names parameters that the description has not got, such as a shift along y in a table of Denavit and Hartenberg.

Where two tips meet, as of two arms that hold each other, the base is the link that both hang on, and the joints that
carry the second tip are behind those that carry the first one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import cos, pi, sin

from certify.problems.errors import InputError
from certify.problems.formulas.units import format_decimal

Vector = tuple[Fraction, Fraction, Fraction]
Matrix = tuple[Vector, Vector, Vector]

ZERO: Vector = (Fraction(0), Fraction(0), Fraction(0))
IDENTITY: Matrix = tuple(tuple(Fraction(int(i == j)) for j in range(3)) for i in range(3))  # type: ignore[assignment]
AXES = "xyz"
NEAR = 1e-5  # rad: an angle this near to a quarter turn is one
ROUNDING = Fraction(1, 10**14)
MOST_JOINTS = 16


@dataclass(frozen=True, slots=True)
class Joint:
    """A joint that moves: where its frame stands in the one before it (mm), and its axis, of length 1; `zero` turns
    what it carries about that axis, as theta does in the convention of Denavit and Hartenberg.
    """

    name: str
    slides: bool
    place: Vector
    rotation: Matrix
    axis: Vector
    zero: Matrix = IDENTITY

    @property
    def along(self) -> tuple[int, int] | None:
        """The coordinate axis (0, 1, 2) that it turns about, and its sign; None if the axis is oblique."""
        for k, value in enumerate(self.axis):
            if abs(value) == 1:
                return k, int(value)
        return None

    @property
    def across(self) -> tuple[int, int]:
        """The two coordinate axes that are most across to its own one: about these its axis may tilt."""
        own = max(range(3), key=lambda k: (abs(self.axis[k]), k))
        first, second = (k for k in range(3) if k != own)
        return first, second


@dataclass(frozen=True, slots=True)
class Tip:
    """A second tip: its link, how many joints there are that do not carry it but the first tip, and where it stands in
    the frame of its last joint.
    """

    link: str
    behind: int
    place: Vector
    rotation: Matrix


@dataclass(frozen=True, slots=True)
class Arm:
    """The joints that move, from the base to the tip, and where the tip stands in the last one's frame; `snapped` tells
    which angles were taken as quarter turns.
    """

    name: str
    base: str
    tip: str
    joints: tuple[Joint, ...]
    place: Vector
    rotation: Matrix
    snapped: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    other: Tip | None = None

    def __post_init__(self) -> None:
        start = self.base if self.other is None else self.other.link
        if not self.joints:
            raise InputError(f"between {start} and {self.tip} no joint moves; name a tip beyond the joints (--tip)")
        if len(self.joints) > MOST_JOINTS:
            raise InputError(
                f"{len(self.joints)} joints move between {start} and {self.tip}, more than {MOST_JOINTS}; name a "
                f"base and a tip of one arm (--base, --tip)"
            )

    @property
    def way(self) -> str:
        """From where to where, in words."""
        if self.other is None:
            return f"from {self.base} to {self.tip}"
        return f"from {self.tip} by {self.base} to {self.other.link}"


def quarter_turns(angle: Fraction) -> int | None:
    """How many quarter turns an angle in rad is, to within NEAR; None if it is none."""
    quarters = round(float(angle) / (pi / 2))
    return quarters if abs(float(angle) - quarters * pi / 2) <= NEAR else None


def about(axis: int, angle: Fraction) -> Matrix:
    """The turn about a coordinate axis: exact where the angle is a quarter turn, else of the doubles nearest to it."""
    quarters = quarter_turns(angle)
    if quarters is not None:
        c, s = ((1, 0), (0, 1), (-1, 0), (0, -1))[quarters % 4]
        cosine, sine = Fraction(c), Fraction(s)
    else:
        cosine, sine = decimal(cos(float(angle))), decimal(sin(float(angle)))
    rows = [list(row) for row in IDENTITY]
    i, j = (axis + 1) % 3, (axis + 2) % 3
    rows[i][i] = rows[j][j] = cosine
    rows[j][i], rows[i][j] = sine, -sine
    return matrix(rows)


def decimal(value: float) -> Fraction:
    """A double by the shortest decimal that means it."""
    return Fraction(repr(float(value)))


def matrix(rows: Sequence[Sequence[Fraction]]) -> Matrix:
    """Rows as a matrix: of whole numbers if all entries are (but for rounding), else of the doubles nearest to them."""
    whole = all(abs(entry - round(entry)) <= ROUNDING for row in rows for entry in row)
    entries = [[Fraction(round(entry)) if whole else decimal(float(entry)) for entry in row] for row in rows]
    return tuple(tuple(row) for row in entries)  # type: ignore[return-value]


def product(first: Matrix, second: Matrix) -> Matrix:
    """The product of two matrices."""
    return matrix(
        [[sum((first[i][k] * second[k][j] for k in range(3)), Fraction(0)) for j in range(3)] for i in range(3)]
    )


def transposed(rows: Matrix) -> Matrix:
    """The transposed matrix: of a rotation, its inverse."""
    return matrix(list(zip(*rows, strict=True)))


def moved(rotation: Matrix, point: Vector, place: Vector) -> Vector:
    """rotation * point + place, exactly if the rotation consists of quarter turns."""
    turned = [sum((r * p for r, p in zip(row, point, strict=True)), Fraction(0)) for row in rotation]
    exact = all(entry.denominator == 1 for row in rotation for entry in row)
    x, y, z = ((t if exact else decimal(float(t))) + p for t, p in zip(turned, place, strict=True))
    return x, y, z


def told(values: Sequence[Fraction]) -> str:
    """Numbers as text."""
    return " ".join(format_decimal(value) for value in values)
