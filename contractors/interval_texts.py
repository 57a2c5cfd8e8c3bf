"""Numbers and intervals as text: what a text states, exactly, and texts that enclose."""

from __future__ import annotations

import math
import re
from decimal import ROUND_FLOOR, Context, Decimal
from fractions import Fraction

from certify.contractors.numbers.enclosures import enclose_rational
from certify.contractors.numbers.rounded import INFINITY

Exact = Fraction | float  # a float only where it is infinite


def written(end: float, rounding: str) -> str:
    """An end as Python writes it, if that decimal is not inside the interval; else 17 digits."""
    short = repr(end)
    inside = math.isfinite(end) and (
        Fraction(short) > Fraction(end) if rounding == ROUND_FLOOR else Fraction(short) < Fraction(end)
    )
    return str(Context(prec=17, rounding=rounding).create_decimal_from_float(end)).lower() if inside else short


FORM = re.compile(r"\.(\d{1,3})([ef])")


def decimals(end: float, form: re.Match[str], rounding: str) -> str:
    """An end in so many decimals."""
    if math.isinf(end):
        return repr(end)
    places, exact = int(form[1]), Decimal(end)
    last = Decimal(1).scaleb(-places + (exact.adjusted() if form[2] == "e" and end else 0))
    return format(exact.quantize(last, rounding, Context(prec=2000)), form[0])


def is_infinite(value: Exact) -> bool:
    return isinstance(value, float)


def enclosed(value: Exact) -> tuple[float, float]:
    return (value, value) if isinstance(value, float) else enclose_rational(value)


_DIGITS = r"\d+\.?\d*|\.\d+"
_DECIMAL = re.compile(rf"(?P<sign>[+-]?)(?P<digits>{_DIGITS})(?:e(?P<power>[+-]?\d+))?")
_HEXADECIMAL = re.compile(r"(?P<sign>[+-]?)0x(?P<digits>[0-9a-f]+\.?[0-9a-f]*|\.[0-9a-f]+)p(?P<power>[+-]?\d+)")
_RATIONAL = re.compile(r"(?P<above>[+-]?\d+)\s*/\s*(?P<under>\d*[1-9]\d*)")
_UNCERTAIN = re.compile(
    rf"(?P<sign>[+-]?)(?P<digits>{_DIGITS})\?(?P<radius>\d*|\?)(?P<way>[ud]?)(?:e(?P<power>[+-]?\d+))?"
)
_LONGEST = 100_000
_LARGEST_POWER = 10_000  # beyond, a number with few digits is far below the least double or above the largest


def _scaled(digits: str, base: int, power: str, unit: int) -> tuple[Fraction, Fraction]:
    """The number with these digits times unit^power, and the unit of its last place."""
    whole, _, rest = digits.partition(".")
    exponent = max(-_LARGEST_POWER - 4 * len(digits), min(int(power or "0"), _LARGEST_POWER + 4 * len(digits)))
    last = Fraction(1, base ** len(rest)) * Fraction(unit) ** exponent
    return int(whole + rest, base) * last, last


def literal(text: str) -> Exact:
    """A number: decimal, hexadecimal with a binary exponent, rational or infinite."""
    text = text.lower()
    if len(text) <= _LONGEST:
        if text in ("inf", "+inf", "-inf", "infinity", "+infinity", "-infinity"):
            return -INFINITY if text[0] == "-" else INFINITY
        for pattern, base, unit in ((_DECIMAL, 10, 10), (_HEXADECIMAL, 16, 2)):
            match = pattern.fullmatch(text)
            if match is not None:
                value = _scaled(match["digits"], base, match["power"], unit)[0]
                return -value if match["sign"] == "-" else value
        match = _RATIONAL.fullmatch(text)
        if match is not None:
            return Fraction(int(match["above"]), int(match["under"]))
    raise ValueError(f"{text[:40]!r} is no number; write such as 0.1, -2.5e3, 1/3, 0x1.8p-1 or inf")


def parsed(text: str) -> tuple[float, float]:
    """The ends that a text states, outwards."""
    first, last = stated(text)
    return enclosed(first)[0], enclosed(last)[1]


def stated(text: str) -> tuple[Exact, Exact]:
    """The ends that a text states, exactly."""
    inner = text.strip().lower()
    if len(inner) > _LONGEST:
        raise ValueError("the text of an interval is too long")
    match = _UNCERTAIN.fullmatch(inner)
    if match is not None:
        return _uncertain(match)
    if not inner.startswith("["):
        return (one_number(literal(inner)),) * 2
    if not inner.endswith("]"):
        raise ValueError(f"{text[:40]!r} is no interval; write such as [0.1, 2.5e3]")
    parts = [part.strip() for part in inner[1:-1].split(",")]
    if parts in (["empty"], [""]):
        return INFINITY, -INFINITY
    if parts == ["entire"]:
        return -INFINITY, INFINITY
    if len(parts) == 1:
        return (one_number(literal(parts[0])),) * 2
    if len(parts) != 2:
        raise ValueError(f"{text[:40]!r} is no interval; write such as [0.1, 2.5e3]")
    first = literal(parts[0]) if parts[0] else -INFINITY
    last = literal(parts[1]) if parts[1] else INFINITY
    if first > last or first == INFINITY or last == -INFINITY:
        raise ValueError(f"{text[:40]!r}: no real number lies between these ends; write [empty] for the empty interval")
    return first, last


def one_number(value: Exact) -> Exact:
    if is_infinite(value):
        raise ValueError("an infinite number is no interval; write [1, inf] for all numbers from 1 on")
    return value


def _uncertain(match: re.Match[str]) -> tuple[Exact, Exact]:
    """m?r is m plus or minus r units in the last place, half a unit without r, no limit for r = ?; u and d go one way
    only.
    """
    value, unit = _scaled(match["digits"], 10, match["power"], 10)
    value = -value if match["sign"] == "-" else value
    endless = match["radius"] == "?"
    radius = Fraction(1, 2) if match["radius"] in ("", "?") else Fraction(int(match["radius"]))
    low = value if match["way"] == "u" else value - radius * unit
    high = value if match["way"] == "d" else value + radius * unit
    return (
        -INFINITY if endless and match["way"] != "u" else low,
        INFINITY if endless and match["way"] != "d" else high,
    )
