"""Numbers of which only the dimension is known: how a formula is checked once, when its file is read."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


class Unfit(Exception):
    """The values do not go together."""


@dataclass(frozen=True, slots=True)
class Length:
    """A number of which only the dimension is known: length^power; None is the number 0, which is any of them."""

    power: Fraction | None

    def __str__(self) -> str:
        """As a message says it."""
        if self.power is None:
            return "zero"
        return (
            "a plain number (as angles are)"
            if self.power == 0
            else "a length"
            if self.power == 1
            else f"a length to the power {self.power}"
        )

    def __add__(self, other: Length) -> Length:
        return self._like(other, "added or subtracted")

    __sub__ = __add__

    def _like(self, other: Length, what: str) -> Length:
        if None not in (self.power, other.power) and self.power != other.power:
            raise Unfit(f"{self} and {other} cannot be {what}; give a number its unit under [model.constants]")
        return other if self.power is None else self

    def __mul__(self, other: Length) -> Length:
        return Length(None if self.power is None or other.power is None else self.power + other.power)

    def __truediv__(self, other: Length) -> Length:
        if other.power is None:
            raise Unfit("this divides by zero")
        return Length(None if self.power is None else self.power - other.power)

    def __neg__(self) -> Length:
        return self

    def __pow__(self, exponent: int) -> Length:
        if self.power is None and exponent < 0:
            raise Unfit("this divides by zero")
        return Length(None if self.power is None and exponent else (self.power or Fraction(0)) * exponent)


def square(value: Length) -> Length:
    """Twice the power."""
    return value**2


def root(value: Length) -> Length:
    """Half the power."""
    return Length(None if value.power is None else value.power / 2)


def of_angle(value: Length) -> Length:
    """An angle's sine is a number."""
    if value.power:
        raise Unfit(f"the angle is {value}; an angle is needed")
    return Length(Fraction(0))


def of_number(value: Length) -> Length:
    """The exponential, the arctangent, ... of a number is a number."""
    if value.power:
        raise Unfit(f"its value is {value}; a plain number is needed, such as a quotient of two lengths")
    return Length(Fraction(0))


def of_numbers(first: Length, second: Length) -> Length:
    """A number to the power of a number is a number."""
    of_number(first)
    return of_number(second)


def same(value: Length) -> Length:
    """What is not changed."""
    return value


def of_anything(value: Length) -> Length:
    """A sign is a number."""
    return Length(Fraction(0))


def one_of(*values: Length) -> Length:
    """The least of lengths is a length."""
    found = values[0]
    for value in values[1:]:
        found = found._like(value, "compared")
    return found


def between(first: Length, second: Length) -> Length:
    """The angle of a point whose coordinates are alike is a number."""
    first._like(second, "the coordinates of a point")
    return Length(Fraction(0))
