"""The words of Minibex: numbers, names and symbols, each with its line and column.

    number = digits [. [digits]] [e [+-] digits]  |  . digits [e [+-] digits]  |  # hexadecimal digits of a double
    name   = [A-Za-z_] [A-Za-z0-9_]*
    blank  = spaces, line ends, // to the end of the line, /* to */

Numbers are exact rationals, never doubles; a sign is an operator.
"""

from __future__ import annotations

import math
import re
import struct
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import NamedTuple

from certify.problems.errors import InputError
from certify.problems.formulas.units import shown

MAX_CHARACTERS = 4 * 1024 * 1024
MAX_TOKENS = 1_000_000
MAX_NAME = 100
MAX_DIGITS = 400
MAX_EXPONENT = 400  # beyond the range of doubles, and a few hundred bytes

KEYWORDS = frozenset(
    {
        "constants",
        "parameters",
        "variables",
        "function",
        "minimize",
        "constraints",
        "begin",
        "end",
        "for",
        "return",
        "in",
    }
)
_SPELLINGS = {
    spelling: word
    for word in KEYWORDS
    for spelling in ((word,) if word == "in" else (word, word.capitalize(), word.upper()))
}
_PATTERN = re.compile(
    r"(?P<blank>[ \t\f\v]+|//[^\n\r]*)"
    r"|(?P<lines>\r\n|\r|\n|/\*(?s:.*?)\*/)"
    r"|(?P<open>/\*)"
    r"|(?P<number>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|#[0-9a-fA-F]+)"
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<symbol><=|>=|[-+*/^'()\[\],;:=<>])"
)
_LINE_END = re.compile(r"\r\n|\r|\n")
_DECIMAL = re.compile(r"([0-9]*)\.?([0-9]*)(?:[eE]([+-]?)([0-9]+))?")


class TokenKind(Enum):
    """What sort of word a token is; the value says it in messages."""

    NUMBER = "number"
    NAME = "name"
    KEYWORD = "keyword"
    SYMBOL = "symbol"
    FINISH = "end of the file"


_KINDS = {"number": TokenKind.NUMBER, "symbol": TokenKind.SYMBOL}


class Token(NamedTuple):
    """A word and where it begins, keywords in small letters; lines and columns count from 1."""

    kind: TokenKind
    text: str
    line: int
    column: int

    @property
    def described(self) -> str:
        """The word as messages quote it."""
        return "the end of the file" if self.kind is TokenKind.FINISH else shown(self.text)


class PlacedError(InputError):
    """An InputError that already names its line and column."""


@dataclass(frozen=True, slots=True)
class Source:
    """The text of a file and the name that messages give it."""

    name: str
    text: str

    def error(self, token: Token, what: str) -> PlacedError:
        """The error at a token."""
        return PlacedError(f"{self.name}, line {token.line}, column {token.column}: {what}")


def tokens_of(source: Source) -> list[Token]:
    """All words of a text, and a last token at its end."""
    text = source.text
    if len(text) > MAX_CHARACTERS:
        raise InputError(f"{source.name}: it has more than {MAX_CHARACTERS} characters; split the problem")
    tokens: list[Token] = []
    position, line, start = 0, 1, 0
    while position < len(text):
        match = _PATTERN.match(text, position)
        group = "" if match is None else match.lastgroup or ""
        if match is None or group == "open":
            unclosed = "the comment /* is never closed; write */ at its end"
            what = unclosed if match else f"the character {text[position]!a} has no meaning in Minibex; remove it"
            raise source.error(Token(TokenKind.SYMBOL, "", line, position - start + 1), what)
        if group == "lines":
            for end in _LINE_END.finditer(match.group()):
                line, start = line + 1, position + end.end()
        elif group != "blank":
            tokens.append(_token(source, group, match.group(), line, position - start + 1))
            if len(tokens) > MAX_TOKENS:
                raise source.error(tokens[-1], f"the file has more than {MAX_TOKENS} words; split the problem")
        position = match.end()
    tokens.append(Token(TokenKind.FINISH, "", line, position - start + 1))
    return tokens


def _token(source: Source, group: str, text: str, line: int, column: int) -> Token:
    if group != "name":
        return Token(_KINDS[group], text, line, column)
    if text in _SPELLINGS:
        return Token(TokenKind.KEYWORD, _SPELLINGS[text], line, column)
    token = Token(TokenKind.NAME, text, line, column)
    if len(text) > MAX_NAME:
        raise source.error(token, f"the name {shown(text)} is longer than {MAX_NAME} characters; shorten it")
    return token


def number_of(source: Source, token: Token) -> Fraction:
    """The exact value of a number."""
    if token.text.startswith("#"):
        return _double_of(source, token)
    match = _DECIMAL.fullmatch(token.text) if len(token.text) <= 2 * MAX_DIGITS else None
    if match is None:
        raise source.error(token, f"the number {shown(token.text)} is too long; write at most {MAX_DIGITS} digits")
    whole, decimals, sign, power = match.groups(default="")
    power = power.lstrip("0")
    if len(whole + decimals) > MAX_DIGITS or len(power) > len(str(MAX_EXPONENT)) or int(power or "0") > MAX_EXPONENT:
        limits = f"at most {MAX_DIGITS} digits and an exponent within +-{MAX_EXPONENT}"
        raise source.error(token, f"the number {shown(token.text)} is too long or too large; write {limits}")
    exponent = int(sign + (power or "0")) - len(decimals)
    digits = int(whole + decimals)
    return Fraction(digits * 10**exponent) if exponent >= 0 else Fraction(digits, 10**-exponent)


def _double_of(source: Source, token: Token) -> Fraction:
    """The double with these bits, in hexadecimal digits behind a #."""
    digits = token.text[1:]
    if len(digits) > 16:
        raise source.error(
            token, f"{shown(token.text)} has more than the 16 hexadecimal digits of a double; shorten it"
        )
    value: float = struct.unpack(">d", bytes.fromhex(digits.rjust(16, "0")))[0]
    if not math.isfinite(value):
        raise source.error(token, f"{shown(token.text)} are the bits of no finite number; write oo for infinity")
    return Fraction(value)
