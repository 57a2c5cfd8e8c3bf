"""Lines, tokens and numbers (specification, section 1): anchored grammar, every cap before the number is built.

ASCII; lines end in LF, the last one too; tokens are separated by exactly one space; no empty line.
Anything else is a rejection with its line.
"""

import re
from fractions import Fraction
from typing import Final

from .interval import LIMIT_BITS
from .outcome import Rejection, require

FILE_BYTES: Final = 64 * 1024 * 1024
LINE_CHARACTERS: Final = 1_000_000
EXPONENT: Final = 4096

POSITIVE: Final = r"[1-9][0-9]{0,1999}"
NATURAL: Final = rf"(?:0|{POSITIVE})"
POWER: Final = r"(?:p(0|-?[1-9][0-9]{0,3}))?"
SCALED: Final = rf"({NATURAL}){POWER}"
_NATURAL: Final = re.compile(NATURAL)
_RATIONAL: Final = re.compile(rf"(?:0|-?{POSITIVE})(?:/{POSITIVE})?")
_DYADIC: Final = re.compile(rf"(0|-?{POSITIVE}){POWER}")
_FRACTION: Final = re.compile(r"[01]|0\.[0-9]{1,40}")
_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,63}")
SHA256: Final = re.compile(r"[0-9a-f]{64}")
NO_HASH: Final = "is no hash: a SHA-256 in lower case was expected"
_UNIT: Final = re.compile(r"[A-Za-z0-9_./^-]{1,16}")


def shown(token: str) -> str:
    """The token as it may be printed: quoted, escaped, cut."""
    return repr(token if len(token) <= 40 else token[:40] + "...")


def matched(form: re.Pattern[str], token: str, rule: str, failure: str) -> re.Match[str]:
    """The whole token matches the form, or is rejected: the token, then `failure`."""
    match = form.fullmatch(token)
    if match is None:
        raise Rejection(rule, f"{shown(token)} {failure}")
    return match


def natural(token: str) -> int:
    """0 or a number without sign and leading zeros."""
    return int(matched(_NATURAL, token, "number", "is not a natural number")[0])


def rational(token: str) -> Fraction:
    """A whole number, or a fraction in lowest terms with denominator >= 2, as it is written by `str`;
    there is no -0.
    """
    value = Fraction(matched(_RATIONAL, token, "number", "is not a rational number")[0])
    require(str(value) == token, "number", f"{shown(token)} is not in lowest terms")
    return value


def scaled(mantissa: str, exponent: str | None) -> Fraction:
    """mantissa * 2^exponent of the groups of SCALED."""
    number, power = int(mantissa), int(exponent or 0)
    require(abs(power) <= EXPONENT, "number", f"exponent {power} is not within +-{EXPONENT}")
    require(number.bit_length() + power <= LIMIT_BITS, "number", f"it is not below 2^{LIMIT_BITS}")
    return Fraction(number << power) if power >= 0 else Fraction(number, 1 << -power)


def dyadic(token: str) -> Fraction:
    """NATURAL or NATURAL p EXPONENT, with an optional minus; there is no -0."""
    return scaled(*matched(_DYADIC, token, "number", "is not a dyadic number").groups())


def fraction(token: str) -> Fraction:
    """0, 1, or 0. and up to forty digits."""
    return Fraction(matched(_FRACTION, token, "number", "is not a fraction from 0 to 1")[0])


def name(token: str) -> str:
    """A letter, then letters, digits, `_`, `.` and `-`; 64 at most."""
    return matched(_NAME, token, "name", "is not a name")[0]


def unit(token: str) -> None:
    """Documentation only, but its form is checked."""
    matched(_UNIT, token, "unit", "is not a unit")


class Lines:
    """The lines of a file as lists of tokens, one after the other, without holding them all."""

    def __init__(self, data: bytes, file: str) -> None:
        self.data: Final = data
        self.file: Final = file
        self.offset = 0
        self.number = 0
        self.places: Final[dict[str, int]] = {}
        require(len(data) <= FILE_BYTES, "text", "the file is larger than 64 MiB", file)
        require(data.isascii(), "text", "the file is not ASCII", file)
        require(data.endswith(b"\n"), "text", "the last line does not end in LF", file)

    @property
    def where(self) -> str:
        """The current line, for a message."""
        return f"{self.file} line {self.number}"

    def tokens(self) -> list[str]:
        """The next line's tokens."""
        self.number += 1
        start, stop = self.offset, self.data.find(b"\n", self.offset)
        require(stop >= 0, "text", "the file ends too early")
        require(
            0 < stop - start <= LINE_CHARACTERS,
            "text",
            f"a line has 1 to {LINE_CHARACTERS} characters, not {stop - start}",
        )
        self.offset = stop + 1
        tokens = self.data[start:stop].decode("ascii").split(" ")
        require("" not in tokens, "text", "tokens are separated by exactly one space")
        return tokens

    def exact(self, *expected: str) -> None:
        """The next line is exactly this."""
        tokens = self.tokens()
        require(
            tokens == list(expected),
            "text",
            f"{shown(' '.join(expected))} was expected, not {shown(' '.join(tokens[:4]))}",
        )

    def keyword(self, word: str) -> list[str]:
        """The next line starts with `word`; the tokens after it."""
        first, *others = self.tokens()
        self.places[word] = self.number
        require(first == word, "text", f"a line {shown(word)} was expected, not {shown(first)}")
        return others

    def fields(self, word: str, count: int) -> list[str]:
        """As `keyword`, with exactly `count` tokens."""
        found = self.keyword(word)
        require(len(found) == count, "text", f"{shown(word)} takes {count} tokens, not {len(found)}")
        return found

    def ahead(self, start: str) -> bool:
        """Whether the next line begins so."""
        return self.data.startswith(start.encode("ascii"), self.offset)

    def finish(self) -> None:
        """Nothing may follow."""
        if self.offset != len(self.data):
            self.number += 1
            raise Rejection("text", "something follows after 'end'")
