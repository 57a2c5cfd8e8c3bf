"""Expressions, with the precedence of IBEX's own grammar.

    level 1   a + b   a - b   -a   +a      (a sign binds like a sum: -a*b is -(a*b) and -a^2 is -(a^2))
    level 2   a * b   a / b
    level 3   a ^ b   a'                   (from the left: a^b^c is (a^b)^c)
    level 4   a[i]    a(i)    a(i, j)

Operators wait on a stack until one that binds no tighter follows; only what stands in parentheses or brackets is read recursively.
Where IBEX reads a text differently from mathematical custom (a/-b*c is a/(-(b*c)), a^b^c is (a^b)^c) a note says so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from problems.minibex.functions import FUNCTIONS, SUM
from problems.minibex.reading import Reader
from problems.minibex.syntax import Kind, Token, number_of
from problems.minibex.tree import Action, Code, Instruction, Slot

_LEVELS = {"+": 1, "-": 1, "*": 2, "/": 2, "^": 3, "'": 3, "(": 4, "[": 4}


class Waiting(NamedTuple):
    """An operator whose right operand is being read."""

    token: Token
    sign: bool

    @property
    def level(self) -> int:
        """How tightly it binds."""
        return _LEVELS[self.token.text]

    def instruction(self) -> Instruction | None:
        """What it does, once its operands are there."""
        if not self.sign:
            return Instruction(Action.BINARY, self.token)
        return Instruction(Action.NEGATE, self.token) if self.token.text == "-" else None


@dataclass(frozen=True, slots=True)
class Expressions:
    """Reads expressions into code."""

    reader: Reader

    def read(self) -> Code:
        """The code of the expression that begins at the next token."""
        code: list[Instruction] = []
        self._append(code)
        return tuple(code)

    def _append(self, code: list[Instruction]) -> None:
        reader, waiting = self.reader, list[Waiting]()
        with reader.nested(reader.peek()):
            while True:
                while reader.sees("+", "-"):
                    waiting.append(Waiting(reader.take(), sign=True))
                self._operand(code)
                level = self._postfixes(code, waiting)
                self._reduce(code, waiting, level)
                if not level:
                    return
                self._note(waiting, reader.peek())
                waiting.append(Waiting(reader.take(), sign=False))

    def _level(self) -> int:
        token = self.reader.peek()
        return _LEVELS.get(token.text, 0) if token.kind is Kind.SYMBOL else 0

    def _postfixes(self, code: list[Instruction], waiting: list[Waiting]) -> int:
        """Read indices and transpositions; returns the level of the operator that follows, 0 if none does."""
        while (level := self._level()) and self.reader.sees("(", "[", "'"):
            if self.reader.sees("'"):
                self._reduce(code, waiting, level)
                code.append(Instruction(Action.TRANSPOSE, self.reader.take()))
            else:
                self._index(code)
        return level

    def _reduce(self, code: list[Instruction], waiting: list[Waiting], level: int) -> None:
        """Carry out the waiting operators that bind at least as tightly as one of this level."""
        while waiting and waiting[-1].level >= level:
            operator = waiting.pop()
            if operator.token.text == "^" and self.reader.sees("^"):
                self.reader.notes.add(self.reader.peek(), "a^b^c is read as (a^b)^c, as IBEX does; write parentheses to be clear")
            instruction = operator.instruction()
            if instruction is not None:
                code.append(instruction)

    def _note(self, waiting: list[Waiting], token: Token) -> None:
        """Custom would end the operand of a sign before * and /; that makes a difference behind / and ^."""
        before = next((operator for operator in reversed(waiting) if not operator.sign), None)
        if token.text in "*/" and waiting and waiting[-1].sign and before is not None and before.token.text in "/^":
            what = f"the sign behind {before.token.text!r} reaches over {token.text!r} (a{before.token.text}-b{token.text}c is"
            self.reader.notes.add(token, f"{what} a{before.token.text}(-(b{token.text}c))), as in IBEX; write parentheses to be clear")

    def _operand(self, code: list[Instruction]) -> None:
        reader = self.reader
        token = reader.peek()
        if token.kind is Kind.NUMBER:
            code.append(Instruction(Action.NUMBER, reader.take(), value=number_of(reader.source, token)))
        elif reader.sees("("):
            self._group(code)
        elif reader.sees("["):
            self._interval(code)
        elif reader.sees("<"):
            raise reader.error(token, "balls <center, radius> are not supported; write the interval [center-radius, center+radius]")
        elif token.kind is Kind.NAME:
            self._name(code)
        else:
            raise reader.error(token, f"an expression is expected, not {token.described}; write a number, a name or a parenthesis")

    def _name(self, code: list[Instruction]) -> None:
        reader = self.reader
        token = reader.take()
        name = token.text
        if name in reader.values:
            reader.used.add(name)
            code.append(Instruction(Action.NAME, token))
        elif name in reader.functions or name in FUNCTIONS:
            if not reader.sees("("):
                raise reader.error(token, f"the function {name} needs its argument in parentheses; write {name}(...)")
            (self._sum if name == SUM and name not in reader.functions else self._call)(code, token)
        elif name == "pi":
            code.append(Instruction(Action.NAME, token))
        elif name == "oo":
            raise reader.error(token, "oo can only be an end of an interval, such as [0,+oo]; write a number here")
        else:
            raise reader.unknown(token)

    def _series(self, code: list[Instruction], separator: str, item: Callable[[list[Instruction]], None]) -> int:
        """Items with a separator between them, of which the first has been read; returns how many there are."""
        count = 1
        while self.reader.accept(separator):
            item(code)
            count += 1
        return count

    def _call(self, code: list[Instruction], name: Token) -> None:
        self.reader.expect("(", f"behind {name.text}")
        self._append(code)
        count = self._series(code, ",", self._append)
        self.reader.expect(")", f"behind the arguments of {name.text}")
        code.append(Instruction(Action.CALL, name, count))

    def _group(self, code: list[Instruction]) -> None:
        """A parenthesis, a row (a, b) or a column (a; b)."""
        reader = self.reader
        token = reader.take()
        self._append(code)
        for separator, action in ((",", Action.ROW), (";", Action.COLUMN)):
            if reader.sees(separator):
                code.append(Instruction(action, token, self._series(code, separator, self._append)))
                break
        if reader.sees(",", ";"):
            raise reader.error(reader.peek(), "',' and ';' are mixed in one vector; write a matrix as rows: ((a, b); (c, d))")
        reader.expect(")", "behind what the parenthesis contains")

    def _interval(self, code: list[Instruction]) -> None:
        reader = self.reader
        token = reader.take()
        lower = self._end(code, ",", "-oo", below=True)
        reader.expect(",", "between the ends of the interval")
        upper = self._end(code, "]", "oo", below=False)
        reader.expect("]", "behind the interval")
        code.append(Instruction(Action.INTERVAL, token, finite=(lower, upper)))

    def _end(self, code: list[Instruction], closing: str, allowed: str, *, below: bool) -> bool:
        """One end of an interval; returns whether it is finite."""
        reader, signs = self.reader, 0
        while reader.peek(signs).text in ("+", "-"):
            signs += 1
        infinite = reader.peek(signs)
        if infinite.text != "oo" or reader.peek(signs + 1).text != closing:
            self._append(code)
            return True
        minus = sum(reader.take().text == "-" for _ in range(signs)) % 2 == 1
        if minus is not below:
            raise reader.error(infinite, f"this end of an interval can be {allowed} only; correct the sign")
        reader.take()
        return False

    def _index(self, code: list[Instruction]) -> None:
        """[i] from 0, (i) or (i, j) from 1; i is a number, a range a:b or : for all."""
        reader, slots = self.reader, list[Slot]()
        token = reader.take()
        closing = "]" if token.text == "[" else ")"
        slots.append(self._slot(code))
        if closing == ")" and reader.accept(","):
            slots.append(self._slot(code))
        reader.expect(closing, "behind the index")
        code.append(Instruction(Action.INDEX, token, slots=tuple(slots)))

    def _slot(self, code: list[Instruction]) -> Slot:
        if self.reader.accept(":"):
            return Slot.ALL
        self._append(code)
        if not self.reader.accept(":"):
            return Slot.ONE
        self._append(code)
        return Slot.RANGE

    def _sum(self, code: list[Instruction], name: Token) -> None:
        """sum(i = first : last, term)"""
        reader = self.reader
        reader.expect("(", "behind sum")
        with reader.scope():
            iterator = reader.new_name("the iterator of a sum")
            reader.expect("=", "behind the iterator of a sum")
            self._append(code)
            reader.expect(":", "between the first and the last value of a sum")
            self._append(code)
            reader.expect(",", "before the terms of a sum")
            reader.declare(iterator)
            body = self.read()
        reader.expect(")", "behind the terms of a sum")
        code.append(Instruction(Action.SUM, name, iterator=iterator.text, body=body))
