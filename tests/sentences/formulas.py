"""Formulas as a person reads them: evaluated with Arb, names by their values.

Powers bind tighter than a sign, from the right; products and quotients stand in a row, from the left; two things side
by side are a product,
unless this could be read in two ways.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from fractions import Fraction

import flint
from curved_truth import BITS, ball
from statements import Unread

TOKENS = re.compile(
    r""
    r"\s*(?:(?P<number>[0-9]+(?:\.[0-9]+)?)|'(?P<quoted>[^']+)'|"
    r"(?P<name>[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z0-9_]+)*)|(?P<sign>[-+*/^()]))"
)
FUNCTIONS: dict[str, Callable[[flint.arb], flint.arb]] = {
    "sqrt": lambda x: x.sqrt(),
    "sin": lambda x: x.sin(),
    "cos": lambda x: x.cos(),
    "exp": lambda x: x.exp(),
    "log": lambda x: x.log(),
    "atan": lambda x: x.atan(),
}


def value(text: str, names: Mapping[str, Fraction]) -> flint.arb:
    """The value of a formula."""
    with flint.ctx.workprec(BITS):
        reader = _Reader(text, {name: ball(Fraction(number)) for name, number in names.items()})
        found = reader.sum()
        if reader.next is not None:
            raise Unread(f"{text!r} goes on with {reader.next!r}")
        return found


class _Reader:
    """Descends into one formula; `next` is the token to come."""

    def __init__(self, text: str, names: Mapping[str, flint.arb]) -> None:
        self.text, self.names, self.place = text, names, 0
        self.kind, self.next = "", None
        self._step()

    def _step(self) -> str | None:
        taken = self.next
        match = TOKENS.match(self.text, self.place)
        if match is None and self.text[self.place :].strip():
            raise Unread(f"{self.text!r} cannot be read from {self.text[self.place :]!r}")
        self.kind = match.lastgroup or "" if match else ""
        self.next = match[self.kind] if match else None
        self.place = match.end() if match else len(self.text)
        return taken

    def _is(self, *signs: str) -> bool:
        return self.kind == "sign" and self.next in signs

    def sum(self) -> flint.arb:
        """Terms with signs between them, and perhaps before the first."""
        total = self._signed()
        while self._is("+", "-"):
            sign = self._step()
            term = self._signed()
            total = total + term if sign == "+" else total - term
        return total

    def _signed(self) -> flint.arb:
        if self._is("-"):
            self._step()
            return -self._signed()
        return self._product()

    def _product(self) -> flint.arb:
        total, divided = self._power(), False
        while self._is("*", "/", "(") or (self.next is not None and self.kind != "sign"):
            sign = self._step() if self._is("*", "/") else "side by side"
            if sign == "side by side" and divided:
                raise Unread(f"{self.text!r} can be read in two ways at {self.next!r}")
            factor = self._signed_factor()
            total, divided = (total / factor, True) if sign == "/" else (total * factor, divided)
        return total

    def _signed_factor(self) -> flint.arb:
        if self._is("-"):
            self._step()
            return -self._signed_factor()
        return self._power()

    def _power(self) -> flint.arb:
        base = self._atom()
        if not self._is("^"):
            return base
        self._step()
        exponent = self._power()
        whole = exponent.unique_fmpz()
        if whole is None:
            raise Unread(f"{self.text!r} has a power that is not whole")
        power = math.prod([base] * abs(int(whole)), start=flint.arb(1))
        return power if whole >= 0 else 1 / power

    def _atom(self) -> flint.arb:
        kind, word = self.kind, self._step()
        if kind == "number" and word is not None:
            return ball(Fraction(word))
        if kind == "name" and word in FUNCTIONS and self._is("("):
            return FUNCTIONS[word](self._atom())
        if kind == "name" and word == "pi":
            return flint.arb.pi()
        if kind in ("name", "quoted") and word in self.names:
            return self.names[word]
        if kind == "sign" and word == "(":
            found = self.sum()
            if not self._is(")"):
                raise Unread(f"{self.text!r} lacks a bracket")
            self._step()
            return found
        raise Unread(f"{self.text!r} has {word!r} where a number should be")
