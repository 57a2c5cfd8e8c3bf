"""The text of a formula in a problem file, read into a tree. Nothing is executed: what is not in this grammar is
refused, with its place.

    sum      = product {("+" | "-") product}             product = signed {("*" | "/") signed}
    signed   = {"+" | "-"} power                         power   = entry ["^" ["-"] whole number]
    entry    = atom {"[" whole number {"," whole number} "]" | "." ("x" | "y" | "z")}
    atom     = number | name | name "(" sum {"," sum} ")" | "[" sum {"," sum} "]" | "(" sum ")"

So -x^2 is -(x^2), `v[1]` is the first component of a vector (`v.x` the same), and `[a, b, c]` a vector. Numbers are
exact decimals.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from certify.problems.errors import InputError
from certify.problems.formulas.units import parse_decimal, shown

MAX_CHARACTERS = 4000
MAX_DEPTH = 40
AXES = ("x", "y", "z")
_TOKEN = re.compile(
    r"\s*(?:([A-Za-z][A-Za-z0-9_]*)|((?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)|(\*\*|[-+*/^()\[\],.]))",
    re.ASCII,
)
_END = ""


@dataclass(frozen=True, slots=True)
class Number:
    """An exact decimal."""

    value: Fraction
    column: int


@dataclass(frozen=True, slots=True)
class Name:
    """Something that was declared."""

    name: str
    column: int


@dataclass(frozen=True, slots=True)
class Call:
    """A function of its arguments; `+ - * / ^ [] neg` are functions too."""

    function: str
    arguments: tuple[Node, ...]
    column: int


@dataclass(frozen=True, slots=True)
class Entry:
    """A component of a vector or of a matrix, counted from 1."""

    value: Node
    indices: tuple[int, ...]
    column: int


Node = Number | Name | Call | Entry


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    column: int


@lru_cache(maxsize=256)
def parse_formula(text: str, place: str) -> Node:
    """The tree of a formula; `place` says where its text stands."""
    if len(text) > MAX_CHARACTERS:
        raise InputError(
            f"{place} has {len(text)} characters, more than {MAX_CHARACTERS}; move parts of it to [model.definitions]"
        )
    reader = _Reader(_tokens(text, place), place)
    tree = reader.sum(0)
    if reader.next.text != _END:
        raise reader.error(
            f"{shown(reader.next.text)} stands where the formula could end; is an operator missing before it?"
        )
    return tree


def _tokens(text: str, place: str) -> list[_Token]:
    tokens, position, end = [], 0, len(text.rstrip())
    while position < end:
        match = _TOKEN.match(text, position)
        if match is None:
            rest = text[position:].lstrip()
            raise InputError(
                f"{place}, column {len(text) - len(rest) + 1}: {shown(rest[:1])} means nothing in a formula; remove it"
            )
        found = match[match.lastindex or 0]
        tokens.append(_Token(found, match.end() - len(found) + 1))
        position = match.end()
    return [*tokens, _Token(_END, end + 1)]


@dataclass(slots=True)
class _Reader:
    tokens: list[_Token]
    place: str
    position: int = 0

    @property
    def next(self) -> _Token:
        return self.tokens[self.position]

    def error(self, message: str) -> InputError:
        return InputError(f"{self.place}, column {self.next.column}: {message}")

    def take(self, *texts: str) -> _Token | None:
        token = self.next
        if token.text not in texts or token.text == _END:
            return None
        self.position += 1
        return token

    def expect(self, text: str, why: str) -> None:
        if self.take(text) is None:
            found = shown(self.next.text) if self.next.text else "the end of the formula"
            raise self.error(f"{text!r} is needed here {why}, not {found}")

    def sum(self, depth: int) -> Node:
        if depth > MAX_DEPTH:
            raise self.error(
                f"more than {MAX_DEPTH} brackets are open; move parts of the formula to [model.definitions]"
            )
        left = self.product(depth)
        while (token := self.take("+", "-")) is not None:
            left = Call(token.text, (left, self.product(depth)), token.column)
        return left

    def product(self, depth: int) -> Node:
        left = self.signed(depth)
        while (token := self.take("*", "/")) is not None:
            left = Call(token.text, (left, self.signed(depth)), token.column)
        return left

    def signed(self, depth: int) -> Node:
        minus, column = False, self.next.column
        while (token := self.take("+", "-")) is not None:
            minus ^= token.text == "-"
        power = self.power(depth)
        return Call("neg", (power,), column) if minus else power

    def power(self, depth: int) -> Node:
        base = self.entry(depth)
        if self.next.text == "**":
            raise self.error("'**' is written '^' here, as in x^2")
        token = self.take("^")
        if token is None:
            return base
        minus = self.take("-") is not None
        exponent = self.whole("an exponent such as 2")
        return Call("^", (base, Number(Fraction(-exponent if minus else exponent), token.column)), token.column)

    def whole(self, what: str) -> int:
        token = self.next
        if not token.text.isdecimal() or len(token.text) > 4:
            raise self.error(
                f"{what} is needed here, a whole number in digits, not "
                f"{shown(token.text) if token.text else 'the end of the formula'}"
            )
        self.position += 1
        return int(token.text)

    def entry(self, depth: int) -> Node:
        value = self.atom(depth)
        while (token := self.take("[", ".")) is not None:
            if token.text == ".":
                axis = self.take(*AXES)
                if axis is None:
                    raise self.error("behind '.' write x, y or z: the first, second or third component of a vector")
                indices: tuple[int, ...] = (AXES.index(axis.text) + 1,)
            else:
                indices = (self.whole("a number that counts components from 1"),)
                while self.take(",") is not None:
                    indices = (*indices, self.whole("a number that counts components from 1"))
                self.expect("]", "behind a component's number")
            value = Entry(value, indices, token.column)
        return value

    def atom(self, depth: int) -> Node:
        token = self.next
        if token.text == _END:
            raise self.error("the formula ends where a number, a name or a bracket is needed")
        self.position += 1
        if token.text in ("(", "["):
            inside = self.listed(depth, ")" if token.text == "(" else "]")
            if token.text == "[":
                return Call("[]", inside, token.column)
            if len(inside) == 1:
                return inside[0]
            self.position -= 1
            raise self.error("these brackets hold several values; a vector is written [a, b, c]")
        if token.text[0].isalpha():
            return (
                Call(token.text, self.listed(depth, ")"), token.column)
                if self.take("(") is not None
                else Name(token.text, token.column)
            )
        if token.text[0].isdigit() or (token.text[0] == "." and len(token.text) > 1):
            return Number(parse_decimal(token.text, f"{self.place}, column {token.column}"), token.column)
        self.position -= 1
        raise self.error(f"{shown(token.text)} stands where a number, a name or a bracket is needed")

    def listed(self, depth: int, closing: str) -> tuple[Node, ...]:
        values = [self.sum(depth + 1)]
        while self.take(",") is not None:
            values.append(self.sum(depth + 1))
        self.expect(closing, "(or an operator)")
        return tuple(values)
