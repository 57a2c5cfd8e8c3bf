"""Numbers of which only the dimension is known: how a formula is checked once, when its file is read."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import isqrt

from certify.problems.functions.dimensions import ROW_UNITS, Dimension, Product, product_of, unit_of_powers


class Unfit(Exception):
    """The values do not go together."""


@dataclass(frozen=True, slots=True)
class Powers:
    """A number of which only the dimension is known: a product of powers of coherent units, in which angles are plain
    numbers; None is the number 0, which is any of them.

    `scale` is how many coherent units the value's unit is if what is declared comes in the units that it is kept in:
    torques, and products of voltages and currents, in units of 1000. It is None where values of different scales meet,
    so that the formula is right in coherent units alone.
    """

    units: Product | None = ()
    scale: Fraction | None = field(default=Fraction(1), compare=False)

    @staticmethod
    def of(dimension: Dimension) -> Powers:
        """Those of what has this dimension."""
        return Powers(dimension.in_formula, dimension.scale)

    @property
    def unit(self) -> str:
        """As in "1", "mm", "mm^2", "Nm", "N.mm^-1"."""
        return unit_of_powers(self.units or ())

    def __str__(self) -> str:
        """As a message says it."""
        if self.units is None:
            return "zero"
        if not self.units:
            return "a plain number (as angles are)"
        known = ROW_UNITS.get(self.units)
        if known is not None:
            return f"a {known.words}"
        if len(self.units) == 1 and self.units[0][0] == "mm":
            return f"a length to the power {self.units[0][1]}"
        return f"a value in {self.unit}"

    def __add__(self, other: Powers) -> Powers:
        return self._like(other, "added or subtracted")

    __sub__ = __add__

    def _like(self, other: Powers, what: str) -> Powers:
        if None not in (self.units, other.units) and self.units != other.units:
            raise Unfit(f"{self} and {other} cannot be {what}; give a number its unit under [model.constants]")
        if None in (self.units, other.units):
            return other if self.units is None else self
        return self if self.scale == other.scale else Powers(self.units, None)

    def __mul__(self, other: Powers) -> Powers:
        return self._times(other, 1)

    def __truediv__(self, other: Powers) -> Powers:
        if other.units is None:
            raise Unfit("this divides by zero")
        return self._times(other, -1)

    def _times(self, other: Powers, sign: int) -> Powers:
        """With the other's powers added, or taken away."""
        if self.units is None or other.units is None:
            return Powers(None)
        total = dict(self.units)
        for name, power in other.units:
            total[name] = total.get(name, Fraction(0)) + sign * power
        scale = None if self.scale is None or other.scale is None else self.scale * other.scale**sign
        return Powers(product_of(total), scale)

    def __neg__(self) -> Powers:
        return self

    def __pow__(self, exponent: int) -> Powers:
        if self.units is None and exponent < 0:
            raise Unfit("this divides by zero")
        return self.raised(Fraction(exponent)) if exponent else Powers()

    def raised(self, exponent: Fraction) -> Powers:
        """All powers times an exponent other than 0."""
        units = None if self.units is None else tuple((name, power * exponent) for name, power in self.units)
        return Powers(units, None if self.scale is None else _raised(self.scale, exponent))


def _raised(scale: Fraction, exponent: Fraction) -> Fraction | None:
    """A power, or a root if that is rational."""
    if exponent.denominator == 1:
        return scale**exponent.numerator
    roots = Fraction(isqrt(scale.numerator), isqrt(scale.denominator))
    return roots**exponent.numerator if exponent.denominator == 2 and roots**2 == scale else None


def _number(*values: Powers) -> Powers:
    """A plain number, which is right if these are numbers in no unit, too."""
    return Powers((), Fraction(1) if all(value.units is None or value.scale == 1 for value in values) else None)


def square(value: Powers) -> Powers:
    """Twice the power."""
    return value**2


def root(value: Powers) -> Powers:
    """Half the power."""
    return value.raised(Fraction(1, 2))


def of_angle(value: Powers) -> Powers:
    """An angle's sine is a number."""
    if value.units:
        raise Unfit(f"the angle is {value}; an angle is needed")
    return _number(value)


def of_number(value: Powers) -> Powers:
    """The exponential, the arctangent, ... of a number is a number."""
    if value.units:
        raise Unfit(f"its value is {value}; a plain number is needed, such as a quotient of two lengths")
    return _number(value)


def of_numbers(first: Powers, second: Powers) -> Powers:
    """A number to the power of a number is a number."""
    of_number(first)
    of_number(second)
    return _number(first, second)


def same(value: Powers) -> Powers:
    """What is not changed."""
    return value


def of_anything(value: Powers) -> Powers:
    """A sign is a number."""
    return Powers((), None if value.scale is None else Fraction(1))


def one_of(*values: Powers) -> Powers:
    """The least of lengths is a length."""
    found = values[0]
    for value in values[1:]:
        found = found._like(value, "compared")
    return found


def between(first: Powers, second: Powers) -> Powers:
    """The angle of a point whose coordinates are alike is a number."""
    found = first._like(second, "the coordinates of a point")
    return Powers((), None if found.scale is None else Fraction(1))
