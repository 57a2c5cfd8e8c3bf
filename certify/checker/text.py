"""Lines, tokens and numbers (specification, section 1): anchored grammar, every cap before the number is built.

ASCII; lines end in LF, the last one too; tokens are separated by exactly one space; no empty line.
Anything else is a rejection with its line.
"""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import Final

from .outcome import Rejection, ResourceLimit

FILE_BYTES: Final = 64 * 1024 * 1024
LINE_CHARACTERS: Final = 1_000_000
EXPONENT: Final = 4096

NATURAL: Final = r"(?:0|[1-9][0-9]{0,1999})"
SCALED: Final = rf"({NATURAL})(?:p(-?(?:0|[1-9][0-9]{{0,3}})))?"
_NATURAL: Final = re.compile(NATURAL, re.ASCII)
_RATIONAL: Final = re.compile(rf"(-?)({NATURAL})(?:/({NATURAL}))?", re.ASCII)
_DYADIC: Final = re.compile(rf"(-?){SCALED}", re.ASCII)
_FRACTION: Final = re.compile(r"([01])|0\.([0-9]{1,40})", re.ASCII)
_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,63}", re.ASCII)
_UNIT: Final = re.compile(r"[A-Za-z0-9_./^-]{1,16}", re.ASCII)


def shown(token: str) -> str:
    """The token as it may be printed: quoted, escaped, cut."""
    return repr(token if len(token) <= 40 else token[:40] + "...")


def natural(token: str) -> int:
    """0 or a number without sign and leading zeros."""
    if _NATURAL.fullmatch(token) is None:
        raise Rejection("number", f"{shown(token)} is not a natural number")
    return int(token)


def rational(token: str) -> Fraction:
    """A whole number, or a fraction in lowest terms with denominator >= 2; there is no -0."""
    match = _RATIONAL.fullmatch(token)
    if match is None:
        raise Rejection("number", f"{shown(token)} is not a rational number")
    sign, over, under = match.groups()
    numerator, denominator = int(over), 1 if under is None else int(under)
    if (sign and not numerator) or (under is not None and (denominator < 2 or math.gcd(numerator, denominator) > 1)):
        raise Rejection("number", f"{shown(token)} is not in lowest terms")
    return Fraction(-numerator if sign else numerator, denominator)


def scaled(mantissa: str, exponent: str | None) -> Fraction:
    """mantissa * 2^exponent of the groups of SCALED."""
    power = 0 if exponent is None else int(exponent)
    if exponent == "-0" or abs(power) > EXPONENT:
        raise Rejection("number", f"exponent {exponent} is not within +-{EXPONENT}, without -0")
    return Fraction(int(mantissa) << power) if power >= 0 else Fraction(int(mantissa), 1 << -power)


def dyadic(token: str) -> Fraction:
    """NATURAL or NATURAL p EXPONENT, with an optional minus."""
    match = _DYADIC.fullmatch(token)
    if match is None:
        raise Rejection("number", f"{shown(token)} is not a dyadic number")
    sign, mantissa, exponent = match.groups()
    value = scaled(mantissa, exponent)
    if sign and not value:
        raise Rejection("number", f"{shown(token)} is a negative zero")
    return -value if sign else value


def fraction(token: str) -> Fraction:
    """0, 1, or 0. and up to forty digits."""
    match = _FRACTION.fullmatch(token)
    if match is None:
        raise Rejection("number", f"{shown(token)} is not a fraction from 0 to 1")
    whole, digits = match.groups()
    return Fraction(int(whole)) if digits is None else Fraction(int(digits), 10 ** len(digits))


def name(token: str) -> str:
    """A letter, then letters, digits, `_`, `.` and `-`; 64 at most."""
    if _NAME.fullmatch(token) is None:
        raise Rejection("name", f"{shown(token)} is not a name")
    return token


def unit(token: str) -> None:
    """Documentation only, but its form is checked."""
    if _UNIT.fullmatch(token) is None:
        raise Rejection("unit", f"{shown(token)} is not a unit")


class Lines:
    """The lines of a file as lists of tokens, one after the other, without holding them all."""

    __slots__ = ("data", "file", "limit", "number", "offset")

    def __init__(self, data: bytes, file: str, limit: int | None = None) -> None:
        self.data: Final = data
        self.file: Final = file
        self.limit: Final = limit
        self.offset = 0
        self.number = 0
        if len(data) > FILE_BYTES:
            raise Rejection("text", "the file is larger than 64 MiB")
        if not data.isascii():
            raise Rejection("text", "the file is not ASCII")
        if not data.endswith(b"\n"):
            raise Rejection("text", "the last line does not end in LF")

    @property
    def where(self) -> str:
        """The current line, for a message."""
        return f"{self.file} line {self.number}"

    def tokens(self) -> list[str]:
        """The next line's tokens."""
        self.number += 1
        stop = self.data.find(b"\n", self.offset)
        if stop < 0:
            raise Rejection("text", "the file ends too early")
        if not 0 < stop - self.offset <= LINE_CHARACTERS:
            raise Rejection("text", f"a line has 1 to {LINE_CHARACTERS} characters, not {stop - self.offset}")
        if self.limit is not None and self.number > self.limit:
            raise ResourceLimit(f"{self.limit} lines in the {self.file}")
        tokens = self.data[self.offset : stop].decode("ascii").split(" ")
        self.offset = stop + 1
        if "" in tokens:
            raise Rejection("text", "tokens are separated by exactly one space")
        return tokens

    def exact(self, *expected: str) -> None:
        """The next line is exactly this."""
        tokens = self.tokens()
        if tokens != list(expected):
            raise Rejection("text", f"{shown(' '.join(expected))} was expected, not {shown(' '.join(tokens[:4]))}")

    def keyword(self, word: str) -> list[str]:
        """The next line starts with `word`; the tokens after it."""
        tokens = self.tokens()
        if tokens[0] != word:
            raise Rejection("text", f"a line {shown(word)} was expected, not {shown(tokens[0])}")
        return tokens[1:]

    def fields(self, word: str, count: int) -> list[str]:
        """As `keyword`, with exactly `count` tokens."""
        found = self.keyword(word)
        if len(found) != count:
            raise Rejection("text", f"{shown(word)} takes {count} tokens, not {len(found)}")
        return found

    def ahead(self, start: str) -> bool:
        """Whether the next line begins so."""
        return self.data.startswith(start.encode("ascii"), self.offset)

    def finish(self) -> None:
        """Nothing may follow."""
        if self.offset != len(self.data):
            self.number += 1
            raise Rejection("text", "something follows after 'end'")
