"""What is true of a part with curved rows whose smallest model error is known by construction; a point's need is
enclosed with Arb.

Two readings of one pose, exactly the same but for L, contradict each other by twice D: whatever the unknowns are, one
of both errors is
at least D - h, h being the half-width of L. Where the planted unknowns are near it in all rows, nothing less and
nothing more is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import flint

BITS = 200
Ends = tuple[Fraction, Fraction]


def ball(value: Fraction, half: Fraction = Fraction(0)) -> flint.arb:
    """The interval value +- half."""
    middle = flint.arb(flint.fmpq(value.numerator, value.denominator))
    return middle + flint.arb(0, 1) * flint.arb(flint.fmpq(half.numerator, half.denominator)) if half else middle


def ends(value: flint.arb) -> Ends:
    """Rational ends of a ball."""
    low, high = (flint.fmpq(*_quotient(end)) for end in (value.lower(), value.upper()))
    return Fraction(int(low.p), int(low.q)), Fraction(int(high.p), int(high.q))


def _quotient(value: flint.arb) -> tuple[flint.fmpz, flint.fmpz]:
    mantissa, exponent = value.man_exp()
    power = int(exponent)
    return (mantissa * flint.fmpz(2) ** power, flint.fmpz(1)) if power >= 0 else (mantissa, flint.fmpz(2) ** -power)


@dataclass(frozen=True)
class CurvedRow:
    """value(x, readings) with its readings' middles and half-widths; `own` is the half-width of the reading that is
    subtracted, `true` are the
    readings of a realisation, all at once possible, that explains the planted unknowns.
    """

    name: tuple[str, int]
    value: Callable[[Mapping[str, flint.arb], Sequence[flint.arb]], flint.arb]
    readings: Sequence[Fraction]
    halves: Sequence[Fraction]
    own: Fraction
    true: Sequence[Fraction]


@dataclass(frozen=True)
class CurvedPart:
    """`error` is the smallest model error, exactly: above 0 where two rows contradict each other. `factor` is the
    smallest common
    factor on all half-widths, if it is known.
    """

    box: Mapping[str, Ends]
    rows: Sequence[CurvedRow]
    error: Fraction
    factor: Fraction | None = None

    def least_error(self, only: Collection[tuple[str, int]] | None = None) -> Fraction | None:
        """Of all rows; of some it is not known."""
        return self.error if only is None or {row.name for row in self.rows} <= set(only) else None

    def needs(self, x: Mapping[str, Fraction], without: Collection[tuple[str, int]] = ()) -> Ends:
        """An enclosure of the model error of a point: no realisation does with less than the first number, one does
        with the second.
        """
        with flint.ctx.workprec(BITS):
            point = {name: ball(Fraction(value)) for name, value in x.items()}
            rows = [row for row in self.rows if row.name not in without]
            low = max((_size(row, point, row.readings, row.halves)[0] for row in rows), default=Fraction(0))
            highs = []
            for read in ("readings", "true"):
                exact = [Fraction(0)] * 9
                highs.append(
                    max(
                        (_size(row, point, getattr(row, read), exact[: len(row.readings)])[1] for row in rows),
                        default=Fraction(0),
                    )
                )
            return low, min(highs)

    def consistent(self, level: Fraction, only: Collection[tuple[str, int]] | None = None) -> bool | None:
        """Whether some point of the box needs no more than the level."""
        error = self.least_error(only)
        return None if error is None else error <= level

    def extent(self, coefficients: Mapping[str, Fraction], level: Fraction) -> Ends | None:
        """Not known."""
        return None

    def fewest(self, level: Fraction) -> tuple[int, int]:
        """Between which numbers: one of the two rows that contradict each other is left out, or both."""
        return (1, 2) if level < self.error else (0, 0)

    def least_factor(self) -> Fraction | None:
        """As it was planted."""
        return self.factor

    def least_squares(self) -> None:
        """Not known."""

    def sum_of_squares(self, x: Mapping[str, Fraction]) -> Fraction:
        """A number that the sum at the readings' middles does not exceed."""
        with flint.ctx.workprec(BITS):
            point = {name: ball(Fraction(value)) for name, value in x.items()}
            exact = [
                max(map(abs, ends(row.value(point, [ball(value) for value in row.readings])))) for row in self.rows
            ]
            return sum((value * value for value in exact), Fraction(0))


def _size(row: CurvedRow, x: Mapping[str, flint.arb], readings: Sequence[Fraction], halves: Sequence[Fraction]) -> Ends:
    """An enclosure of how far the row is from 0, with the best reading of its own."""
    low, high = ends(row.value(x, [ball(value, half) for value, half in zip(readings, halves, strict=True)]))
    least = Fraction(0) if low <= 0 <= high else min(abs(low), abs(high))
    return max(least - row.own, Fraction(0)), max(max(abs(low), abs(high)) - row.own, Fraction(0))
