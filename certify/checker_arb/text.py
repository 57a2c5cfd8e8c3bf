"""Lines, tokens and numbers of both files (specification, section 1)."""

from __future__ import annotations

import math
import re

from flint import arb, fmpq

from .outcome import Deadline, Exhausted, Rejection

LONGEST_FILE = 64 * 2**20
LONGEST_LINE = 1_000_000
MOST_DIGITS = 2_000
LARGEST_EXPONENT = 4_096
LARGEST_BITS = 8_192
LINES_BETWEEN_LOOKS = 4_096

NATURAL = re.compile(r"0|[1-9][0-9]*")
RATIONAL = re.compile(r"(-?)(0|[1-9][0-9]*)(?:/(0|[1-9][0-9]*))?")
DYADIC = re.compile(r"(-?)(0|[1-9][0-9]*)(?:p(-?)(0|[1-9][0-9]*))?")
FRACTION = re.compile(r"0|1|0\.[0-9]{1,40}")
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,63}")
UNIT = re.compile(r"[A-Za-z0-9_./^-]{1,16}")
HASH = re.compile(r"[0-9a-f]{64}")


def shown(token: str) -> str:
    """A token for a message: short."""
    return repr(token if len(token) <= 40 else token[:40] + "...")


class Lines:
    """One file, read line by line; `number` is the line that was read last, from 1."""

    def __init__(self, data: bytes, file: str, deadline: Deadline, most: int | None = None) -> None:
        self.data, self.file, self.deadline = data, file, deadline
        self.number = 0
        self._at = 0
        if len(data) > LONGEST_FILE:
            raise self.bad(f"the file is larger than {LONGEST_FILE} bytes")
        if not data.isascii():
            raise self.bad("the file is not ASCII")
        if not data.endswith(b"\n"):
            raise self.bad("the last line does not end")
        if most is not None and data.count(b"\n") > most:
            raise Exhausted(f"the {file} has more than {most} lines")

    def bad(self, reason: str) -> Rejection:
        """The rejection of the line that was read last."""
        return Rejection("text", reason, self.file, self.number or None)

    def read(self) -> list[str]:
        """The tokens of the next line."""
        self.number += 1
        if self.number % LINES_BETWEEN_LOOKS == 0:
            self.deadline.check()
        end = self.data.find(b"\n", self._at)
        if end < 0:
            raise self.bad("the file ends too early")
        if end - self._at > LONGEST_LINE:
            raise self.bad(f"the line has more than {LONGEST_LINE} characters")
        tokens = self.data[self._at : end].decode("ascii").split(" ")
        self._at = end + 1
        if "" in tokens:
            raise self.bad("the line is empty, or its tokens are not separated by exactly one space")
        return tokens

    def finish(self) -> None:
        """The line `end`, and nothing after it."""
        self.exactly("end")
        if self._at != len(self.data):
            self.number += 1
            raise self.bad("there is something after `end`")

    def exactly(self, *words: str) -> None:
        """A line of these words."""
        tokens = self.read()
        if tokens != list(words):
            raise self.bad(f"{' '.join(words)!r} was expected, not {shown(' '.join(tokens))}")

    def headed(self, word: str, count: int | None = None) -> list[str]:
        """The tokens after the first one, which must be this word; `count` of them if that is given."""
        tokens = self.read()
        if tokens[0] != word:
            raise self.bad(f"a line {word!r} was expected, not {shown(tokens[0])}")
        if count is not None and len(tokens) != count + 1:
            raise self.bad(f"{count} tokens were expected after {word!r}, not {len(tokens) - 1}")
        return tokens[1:]

    def counted(self, count: int) -> list[str]:
        """The tokens of a line that has so many."""
        tokens = self.read()
        if len(tokens) != count:
            raise self.bad(f"{count} tokens were expected, not {len(tokens)}")
        return tokens

    def match(self, pattern: re.Pattern[str], token: str, what: str) -> re.Match[str]:
        """The token as this pattern has it, all of it."""
        found = pattern.fullmatch(token)
        if found is None:
            raise self.bad(f"{shown(token)} is no {what}")
        return found

    def natural(self, token: str, lowest: int = 0, highest: int | None = None) -> int:
        """A NATURAL from `lowest` to `highest`."""
        self.match(NATURAL, token, "natural number")
        value = self._integer(token)
        if value < lowest or (highest is not None and value > highest):
            raise self.bad(f"{shown(token)} is not between {lowest} and {'any number' if highest is None else highest}")
        return value

    def _integer(self, digits: str) -> int:
        if len(digits) > MOST_DIGITS:
            raise self.bad(f"a number has more than {MOST_DIGITS} digits")
        return int(digits)

    def rational(self, token: str) -> fmpq:
        """A RATIONAL, in lowest terms."""
        sign, upper, lower = self.match(RATIONAL, token, "rational number").groups()
        numerator = self._integer(upper)
        denominator = 1
        if lower is not None:
            denominator = self._integer(lower)
            if denominator < 2 or math.gcd(numerator, denominator) != 1:
                raise self.bad(f"{shown(token)} is not in lowest terms")
        if sign and numerator == 0:
            raise self.bad("-0 is no number")
        return fmpq(-numerator if sign else numerator, denominator)

    def not_negative(self, what: str, token: str) -> fmpq:
        """A RATIONAL that is 0 or larger."""
        value = self.rational(token)
        if value < 0:
            raise self.bad(f"{what} is negative")
        return value

    def dyadic(self, token: str) -> tuple[int, int]:
        """A DYADIC as mantissa and exponent."""
        sign, digits, below, power = self.match(DYADIC, token, "dyadic number").groups()
        mantissa = self._integer(digits)
        exponent = 0
        if power is not None:
            exponent = self._integer(power)
            if exponent > LARGEST_EXPONENT:
                raise self.bad(f"the exponent of {shown(token)} is beyond {LARGEST_EXPONENT}")
        if mantissa.bit_length() + (-exponent if below else exponent) > LARGEST_BITS:
            raise self.bad(f"{shown(token)} is not below 2^{LARGEST_BITS}")
        if (sign and mantissa == 0) or (below and exponent == 0):
            raise self.bad("-0 is no number")
        return (-mantissa if sign else mantissa), (-exponent if below else exponent)

    def fraction(self, token: str) -> fmpq:
        """A FRACTION."""
        self.match(FRACTION, token, "fraction")
        digits = token[2:]
        return fmpq(int(digits), 10 ** len(digits)) if digits else fmpq(int(token))

    def name(self, token: str) -> str:
        """A NAME."""
        self.match(NAME, token, "name")
        return token

    def unit(self, token: str) -> None:
        """A UNIT, which says nothing to us."""
        self.match(UNIT, token, "unit")


def exact(dyadic: tuple[int, int]) -> fmpq:
    """A dyadic number as a rational."""
    mantissa, exponent = dyadic
    return fmpq(mantissa << exponent) if exponent >= 0 else fmpq(mantissa, 1 << -exponent)


def point_ball(dyadic: tuple[int, int]) -> arb:
    """A dyadic number as a ball of radius zero, whatever the precision."""
    return arb(dyadic)
