"""Exact decimals with units: "0.0231 mm" is the rational number 231/10000 and the unit mm, never a double.

    number   = [+-] digits [. digits] [e [+-] digits]        (ASCII only, at most 100 digits, exponent within +-100)
    quantity = number " " unit

What a unit may be, and to which one its values are converted, says `certify.problems.functions.dimensions`: a length is
kept in mm, a force in N, a torque in Nm, with exact factors. Degrees and radians have no exact factor between them, so
each angle keeps its own unit.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from fractions import Fraction

from certify.problems.errors import InputError
from certify.problems.functions.dimensions import UNITS, Dimension, Unit, unit_named

__all__ = ["UNITS", "Dimension", "Unit", "unit_named"]

MAX_DIGITS = 100
MAX_EXPONENT = 100
_NUMBER = re.compile(r"([+-]?)(?:([0-9]+)(?:\.([0-9]*))?|\.([0-9]+))(?:[eE]([+-]?[0-9]{1,4}))?")
_WITH_UNIT = re.compile(r"([+-]?[0-9.]{1,40})([A-Za-z][A-Za-z0-9./^]{0,20})", re.ASCII)
_SHOWN = 40


@dataclass(frozen=True, slots=True)
class Quantity:
    """An exact value in a canonical unit."""

    value: Fraction
    unit: str

    @property
    def dimension(self) -> Dimension:
        """What it measures."""
        known = unit_named(self.unit)
        return Dimension.NUMBER if known is None else known.dimension


def shown(text: str) -> str:
    """A user's text as an error message quotes it: escaped, and cut when it is long."""
    return ascii(text) if len(text) <= _SHOWN else f"{text[:_SHOWN]!a}... ({len(text)} characters)"


def described(value: object) -> str:
    """A value of a wrong type as an error message quotes it, whatever its size."""
    if isinstance(value, str):
        return shown(value)
    if isinstance(value, (bool, float)):
        return str(value)
    if isinstance(value, int):
        return str(value) if abs(value) < 10**_SHOWN else "a very long number"
    return "a table" if isinstance(value, dict) else f"a {type(value).__name__}"


def nearest(name: str, known: Iterable[str]) -> str:
    """A hint for a mistyped name: the nearest known one, or all of them."""
    choices = list(known)
    return mistyped(name, choices) or f"known are {', '.join(map(repr, choices)) or 'none'}"


def is_length(unit: str) -> bool:
    """Whether numbers in this unit are lengths."""
    known = unit_named(unit)
    return known is not None and known.dimension == Dimension.LENGTH


def require_known(what: str, given: Iterable[object], known: Iterable[str]) -> None:
    """Refuse names that nothing is called by: whoever gave them would believe that they were heeded."""
    choices = list(known)
    for name in given:
        if name not in choices:
            raise InputError(f"{what}: there is no {shown(str(name))}; {nearest(str(name), choices)}")


def mistyped(name: str, choices: Sequence[str]) -> str:
    """A hint for a mistyped name: the nearest one of these; nothing if none is near."""
    close = [choice for choice in choices if choice.lower() == name.lower()]
    close = close or get_close_matches(name[:_SHOWN], choices, n=1, cutoff=0.5)
    return f"did you mean {close[0]!r}?" if close else ""


def parse_decimal(text: str, place: str) -> Fraction:
    """The exact value of a decimal number; `place` says where it stands."""
    value = _exact(text)
    if value is not None:
        return value
    if not text:
        raise InputError(f"{place}: the number is missing; write a decimal number such as 12.5")
    if len(text) > 2 * MAX_DIGITS or _NUMBER.fullmatch(text) is None:
        raise InputError(f"{place}: {shown(text)} is not a decimal number; {_remedy(text)}")
    raise InputError(
        f"{place}: {shown(text)} has more than {MAX_DIGITS} digits or an exponent beyond +-{MAX_EXPONENT}; shorten it"
    )


def parse_decimals(
    texts: Sequence[str], place: Callable[[int], str], mark: str = ".", factor: Fraction = Fraction(1)
) -> list[Fraction]:
    """The exact values of many numbers with this decimal mark, times a factor; `place(k)` says where number k
    stands.
    """
    known: dict[str, Fraction] = {}
    for k, written in enumerate(texts):
        if written in known:
            continue
        text = written.replace("\u2212", "-")  # a minus sign of typesetting
        value = _exact(_with_point(text) if mark == "," else text, factor)
        if value is None and mark == "," and "." in text and _NUMBER.fullmatch(text):
            raise InputError(
                f"{place(k)}: {shown(text)} has a point, but the decimal mark of the file is the comma; correct it"
            )
        if value is None and mark == "," and is_decimal(text):
            text = text.replace(",", ".")  # it is too long
        known[written] = parse_decimal(text, place(k)) if value is None else value
    return [known[text] for text in texts]


def is_decimal(text: str) -> bool:
    """Whether a text is a decimal number, with a decimal point or a decimal comma."""
    return _NUMBER.fullmatch(_with_point(text) if "," in text else text) is not None


def _with_point(text: str) -> str:
    """A number with a decimal comma as one with a decimal point; any other text with a point as no number."""
    return text.replace(".", "?").replace(",", ".", 1)


def _exact(text: str, factor: Fraction = Fraction(1)) -> Fraction | None:
    """The value of a decimal number that is not too long, times a factor; None if it is none."""
    match = _NUMBER.fullmatch(text) if len(text) <= 2 * MAX_DIGITS else None
    if match is None:
        return None
    sign, whole, decimals, bare, power = match.groups("")
    decimals = decimals or bare
    exponent = int(power or "0")
    if len(whole + decimals) > MAX_DIGITS or abs(exponent) > MAX_EXPONENT:
        return None
    digits, power_of_ten = int(sign + whole + decimals) * factor.numerator, exponent - len(decimals)
    if power_of_ten >= 0:
        return Fraction(digits * 10**power_of_ten, factor.denominator)
    return Fraction(digits, 10**-power_of_ten * factor.denominator)


def _remedy(text: str) -> str:
    """What to do about a text that is no number."""
    if _NUMBER.fullmatch(text.replace(",", ".", 1)):
        return "write a decimal point instead of the comma"
    joined = _WITH_UNIT.fullmatch(text)
    if joined is not None and unit_named(joined[2]) is not None:
        return f"leave a space between number and unit: '{joined[1]} {joined[2]}'"
    number, _, unit = text.partition(" ")
    if unit_named(unit) is not None and _NUMBER.fullmatch(number):
        return "write the number alone, its unit stands elsewhere (in the heading of a table)"
    return "write digits such as 12.5 or -3e-2"


def format_decimal(value: Fraction) -> str:
    """The exact decimal of a rational number, without an exponent and without trailing zeros; parse_decimal gives the
    same number back.
    """
    rest, twos, fives = value.denominator, 0, 0
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    places = max(twos, fives)
    scaled = abs(value.numerator) * 10**places // value.denominator
    if rest != 1 or places >= MAX_DIGITS or scaled >= 10**MAX_DIGITS:
        about = float(value) if abs(value) < 10**300 else "a giant number"
        raise InputError(f"{about} cannot be written as a decimal of at most {MAX_DIGITS} digits; round it first")
    digits, sign = str(scaled).rjust(places + 1, "0"), "-" if value < 0 else ""
    return sign + (f"{digits[:-places]}.{digits[-places:]}" if places else digits)


def unit_of(name: str, dimension: Dimension, place: str) -> Unit:
    """The unit with this name, which must measure the given dimension."""
    unit = unit_named(name)
    if unit is None or unit.dimension != dimension:
        told = name if name.isascii() and name.isalnum() else shown(name)
        raise InputError(f"{place} has unit {told}, {dimension.told} is needed{_meant(name, unit, dimension)}")
    return unit.of(dimension)


def _meant(name: str, unit: Unit | None, dimension: Dimension) -> str:
    """What a unit that is not known was meant to be, if one of this dimension is written alike."""
    if unit is not None:
        return ""
    if "deg" in re.split(r"[^A-Za-z]+", name) and dimension.canonical != "deg":
        return "; of degrees no other unit is an exact part: write it with rad"
    hint = mistyped(name, [known for known, one in UNITS.items() if one.dimension == dimension])
    return hint and f"; {hint}"


def parse_quantity(value: object, dimension: Dimension, place: str) -> Quantity:
    """The exact value of a string "number unit", in its canonical unit."""
    if not isinstance(value, str):
        raise InputError(
            f"{place}: {described(value)} is not a value with its unit; write both as text in quotes, such "
            f'as "0.0231 mm"'
        )
    number, space, name = value.strip(" ").partition(" ")
    parsed = parse_decimal(number, place)
    if not space:
        remedy = f"write it such as '{number} {example_unit(dimension)}'"
        raise InputError(f"{place}: {shown(value)} has no unit, {dimension.told} is needed; {remedy}")
    unit = unit_of(name.strip(" "), dimension, f"{place}: {shown(value)}")
    return Quantity(parsed * unit.factor, unit.canonical)


def format_quantity(quantity: Quantity) -> str:
    """The text that parse_quantity reads."""
    return f"{format_decimal(quantity.value)} {quantity.unit}"


def is_quantity(text: str) -> bool:
    """Whether a text is a number with a unit, such as "0.5 A", rather than a heading, such as "motor A"."""
    number, _, unit = text.strip(" ").partition(" ")
    return is_decimal(number) and unit_named(unit.strip(" ")) is not None


def example_unit(dimension: Dimension) -> str:
    """A unit of this dimension, to show to a user."""
    return next((unit.name for unit in UNITS.values() if unit.dimension == dimension), dimension.canonical)
