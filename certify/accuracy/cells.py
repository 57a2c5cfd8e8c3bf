"""The workspace as finitely many cells: an arc of the unit circle for each joint that turns, an interval for other
columns.

A joint at the angle q within [a, b] stands in a model by (cos q, sin q), a point of an arc. In a frame turned by an
angle in its middle this arc lies in the triangle of its ends and of the point where the tangents there meet:

    (C, S), (C, -S), (1/C, 0)          C <= the cosine of the half arc,  S = sqrt(1 - C^2)

and in the rectangle [C, 1] x [-S, S]. All is rational, and rounded so that it holds. What is affine in a point of a
triangle is largest at a corner; of other functions the rectangle is a box of measurements.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import cos, floor, isqrt, sin

from certify.checker.elementary import Elementary, enclose_pi
from certify.checker.interval import Arithmetic
from certify.problems.errors import InputError
from certify.problems.model.model import Bounds

BITS = 60  # of what is rounded
PRECISION = 128
WIDEST = Fraction(5, 2)  # radians: a wider arc is told in parts

Cell = tuple[Bounds, ...]  # one interval for each local coordinate of a column


@dataclass(frozen=True, slots=True)
class Arc:
    """An arc within [C, 1] x [-S, S] in the frame of (cosine, sine), a point of the unit circle."""

    cosine: Fraction
    sine: Fraction
    least: Fraction
    half: Fraction

    @property
    def rectangle(self) -> Cell:
        """What holds the arc."""
        return (self.least, Fraction(1)), (-self.half, self.half)

    @property
    def corners(self) -> tuple[Cell, ...]:
        """The triangle that holds it."""
        apex, half = _up(1 / self.least), self.half
        if apex > 1:  # its sides must miss the circle: half^2 (apex^2 - 1) >= (apex - least)^2
            half = max(half, _root((apex - self.least) ** 2 / (apex**2 - 1)))
        ends = [((self.least,) * 2, (sign * half,) * 2) for sign in (1, -1)]
        return (*ends, ((apex, apex), (Fraction(0), Fraction(0))))

    @property
    def sides(self) -> tuple[Cell, ...]:
        """Two sides of the rectangle, whose hull it is."""
        return tuple(((self.least, Fraction(1)), (sign * self.half,) * 2) for sign in (1, -1))


def _up(value: Fraction) -> Fraction:
    return Fraction(-floor(-value * 2**BITS), 2**BITS)


def arc(low: Fraction, high: Fraction) -> Arc:
    """That of the angles from low to high, in radians, no wider than 2.5."""
    if not low <= high <= low + WIDEST:
        raise InputError(f"an arc from {float(low)} to {float(high)} rad is too wide; give a smaller range")
    half = (float(low) + float(high)) / 4
    if abs(cos(half)) > abs(sin(half)):
        cosine, sine = _point(sin(half) / cos(half))
    else:
        cosine, sine = _point(cos(half) / sin(half))
        cosine = -cosine
    least = min(_along(cosine, sine, angle) for angle in (low, high))
    if least <= 0:
        raise InputError(f"an arc from {float(low)} to {float(high)} rad is too wide; give a smaller range")
    return Arc(cosine, sine, least, _root(1 - least**2))


def _root(square: Fraction) -> Fraction:
    """A number that is no less than the root."""
    return Fraction(isqrt(floor(square * 4**BITS)) + 1, 2**BITS)


def _point(about: float) -> tuple[Fraction, Fraction]:
    """The rational point of the unit circle at about twice the angle of this tangent."""
    tangent = Fraction(round(about * 2**20), 2**20)
    whole = 1 + tangent**2
    return (1 - tangent**2) / whole, 2 * tangent / whole


def _along(cosine: Fraction, sine: Fraction, angle: Fraction) -> Fraction:
    """A number that is no more than cosine cos(angle) + sine sin(angle), nor than 1."""
    arithmetic = Arithmetic(PRECISION)
    functions = Elementary(arithmetic)
    at = arithmetic.enclose(angle)
    products = [
        arithmetic.mul(arithmetic.enclose(part), wave(at))
        for part, wave in ((cosine, functions.cos), (sine, functions.sin))
    ]
    found = Fraction(sum(low for low, _ in products), 2**PRECISION)
    below: Fraction = min(Fraction(floor(found * 2**BITS), 2**BITS), Fraction(1))
    return below


def radians(low: Fraction, high: Fraction, unit: str) -> Bounds:
    """The range of an angle in radians, rounded outwards."""
    if unit == "deg":
        below, above = (Fraction(end, 2**PRECISION) / 180 for end in enclose_pi(PRECISION))
        return min(low * below, low * above), max(high * below, high * above)
    factor = Fraction(1, 1000) if unit == "mrad" else Fraction(1)
    return low * factor, high * factor


def outward(low: Fraction, high: Fraction) -> Bounds:
    """A range with short ends that holds it."""
    return Fraction(floor(low * 2**BITS), 2**BITS), _up(high)
