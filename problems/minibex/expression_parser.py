"""Expressions, with the precedence of IBEX's own grammar.

    level 1   a + b   a - b   -a   +a      (a sign binds like a sum: -a*b is -(a*b) and -a^2 is -(a^2))
    level 2   a * b   a / b
    level 3   a ^ b   a'                   (from the left: a^b^c is (a^b)^c)
    level 4   a[i]    a(i)    a(i, j)

Operators wait on a stack until one that binds no tighter follows. What stands in parentheses or brackets is an
expression of its own: its reader waits on a stack too, so that no depth of the text is a depth of Python's calls. Where
IBEX reads a text differently from mathematical custom (a/-b*c is a/(-(b*c)), a^b^c is (a^b)^c) a note says so.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from certify.problems.minibex.calls import FUNCTIONS, JUMPING, SUM
from certify.problems.minibex.reading import Reader
from certify.problems.minibex.syntax import Token, TokenKind, number_of
from certify.problems.minibex.tree import Action, Code, Instruction, Slot

Reading = Iterable[list[Instruction]]
Part = Generator[
    list[Instruction], None, None
]  # reads a part; yields the code to which the next expression is to be appended
Counted = Generator[list[Instruction], None, int]
_LEVELS = {"+": 1, "-": 1, "*": 2, "/": 2, "^": 3, "'": 3, "(": 4, "[": 4}


class Waiting(NamedTuple):
    """An operator whose right operand is being read; `behind` is the operator before a sign, or before
    several of them.
    """

    token: Token
    sign: bool
    behind: str = ""

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
        readers = [self._expression(code)]
        while readers:
            inner = next(readers[-1], None)
            if inner is None:
                readers.pop()
            else:
                readers.append(self._expression(inner))
        return tuple(code)

    def _expression(self, code: list[Instruction]) -> Part:
        reader, waiting = self.reader, list[Waiting]()
        with reader.nested(reader.peek()):
            while True:
                while reader.sees("+", "-"):
                    waiting.append(self._sign(waiting))
                yield from self._operand(code)
                level = yield from self._postfixes(code, waiting)
                self._reduce(code, waiting, level)
                if not level:
                    return
                self._note(waiting, reader.peek())
                waiting.append(Waiting(reader.take(), sign=False))

    def _sign(self, waiting: list[Waiting]) -> Waiting:
        last = waiting[-1] if waiting else None
        behind = "" if last is None else last.behind if last.sign else last.token.text
        return Waiting(self.reader.take(), sign=True, behind=behind)

    def _level(self) -> int:
        token = self.reader.peek()
        return _LEVELS.get(token.text, 0) if token.kind is TokenKind.SYMBOL else 0

    def _postfixes(self, code: list[Instruction], waiting: list[Waiting]) -> Counted:
        """Read indices and transpositions; returns the level of the operator that follows, 0 if none does."""
        while (level := self._level()) and self.reader.sees("(", "[", "'"):
            if self.reader.sees("'"):
                self._reduce(code, waiting, level)
                code.append(Instruction(Action.TRANSPOSE, self.reader.take()))
            else:
                yield from self._index(code)
        return level

    def _reduce(self, code: list[Instruction], waiting: list[Waiting], level: int) -> None:
        """Carry out the waiting operators that bind at least as tightly as one of this level."""
        while waiting and waiting[-1].level >= level:
            operator = waiting.pop()
            if operator.token.text == "^" and self.reader.sees("^"):
                self.reader.notes.add(
                    self.reader.peek(), "a^b^c is read as (a^b)^c, as IBEX does; write parentheses to be clear"
                )
            instruction = operator.instruction()
            if instruction is not None:
                code.append(instruction)

    def _note(self, waiting: list[Waiting], token: Token) -> None:
        """Custom would end the operand of a sign before * and /; that makes a difference behind / and ^."""
        before = waiting[-1].behind if waiting else ""
        if token.text in "*/" and before in ("/", "^"):
            what = f"the sign behind {before!r} reaches over {token.text!r} (a{before}-b{token.text}c is"
            self.reader.notes.add(
                token, f"{what} a{before}(-(b{token.text}c))), as in IBEX; write parentheses to be clear"
            )

    def _operand(self, code: list[Instruction]) -> Reading:
        reader = self.reader
        token = reader.peek()
        if token.kind is TokenKind.NUMBER:
            code.append(Instruction(Action.NUMBER, reader.take(), value=number_of(reader.source, token)))
            return ()
        if reader.sees("("):
            return self._group(code)
        if reader.sees("["):
            return self._interval(code)
        if reader.sees("<"):
            raise reader.error(
                token, "balls <center, radius> are not supported; write the interval [center-radius, center+radius]"
            )
        if token.kind is TokenKind.NAME:
            return self._name(code)
        raise reader.error(
            token, f"an expression is expected, not {token.described}; write a number, a name or a parenthesis"
        )

    def _name(self, code: list[Instruction]) -> Reading:
        reader = self.reader
        token = reader.take()
        name = token.text
        if name in reader.values:
            reader.used.add(name)
            code.append(Instruction(Action.NAME, token))
        elif name in reader.functions or name in FUNCTIONS:
            if not reader.sees("("):
                raise reader.error(token, f"the function {name} needs its argument in parentheses; write {name}(...)")
            return self._sum(code, token) if name == SUM and name not in reader.functions else self._call(code, token)
        elif name == "pi":
            code.append(Instruction(Action.NAME, token))
        elif name in JUMPING and reader.sees("("):
            what = f"the function {name} is not supported, only problems over the real numbers are"
            raise reader.error(token, f"{what}; leave it out to solve the relaxed problem")
        elif name == "oo":
            raise reader.error(token, "oo can only be an end of an interval, such as [0,+oo]; write a number here")
        else:
            raise reader.unknown(token)
        return ()

    def _series(self, code: list[Instruction], separator: str) -> Counted:
        """Expressions with a separator between them, of which the first has been read; returns how many there are."""
        count = 1
        while self.reader.accept(separator):
            yield code
            count += 1
        return count

    def _call(self, code: list[Instruction], name: Token) -> Part:
        self.reader.expect("(", f"behind {name.text}")
        yield code
        count = yield from self._series(code, ",")
        self.reader.expect(")", f"behind the arguments of {name.text}")
        code.append(Instruction(Action.CALL, name, count))

    def _group(self, code: list[Instruction]) -> Part:
        """A parenthesis, a row (a, b) or a column (a; b)."""
        reader = self.reader
        token = reader.take()
        yield code
        for separator, action in ((",", Action.ROW), (";", Action.COLUMN)):
            if reader.sees(separator):
                count = yield from self._series(code, separator)
                code.append(Instruction(action, token, count))
                break
        if reader.sees(",", ";"):
            raise reader.error(
                reader.peek(), "',' and ';' are mixed in one vector; write a matrix as rows: ((a, b); (c, d))"
            )
        reader.expect(")", "behind what the parenthesis contains")

    def _interval(self, code: list[Instruction]) -> Part:
        reader = self.reader
        token = reader.take()
        lower = yield from self._end(code, ",", "-oo", below=True)
        reader.expect(",", "between the ends of the interval")
        upper = yield from self._end(code, "]", "oo", below=False)
        reader.expect("]", "behind the interval")
        code.append(Instruction(Action.INTERVAL, token, finite=(lower, upper)))

    def _end(
        self, code: list[Instruction], closing: str, allowed: str, *, below: bool
    ) -> Generator[list[Instruction], None, bool]:
        """One end of an interval; returns whether it is finite."""
        reader, signs = self.reader, 0
        while reader.peek(signs).text in ("+", "-"):
            signs += 1
        infinite = reader.peek(signs)
        if infinite.text != "oo" or reader.peek(signs + 1).text != closing:
            yield code
            return True
        minus = sum(reader.take().text == "-" for _ in range(signs)) % 2 == 1
        if minus is not below:
            raise reader.error(infinite, f"this end of an interval can be {allowed} only; correct the sign")
        reader.take()
        return False

    def _index(self, code: list[Instruction]) -> Part:
        """[i] from 0, (i) or (i, j) from 1; i is a number, a range a:b or : for all."""
        reader, slots = self.reader, list[Slot]()
        token = reader.take()
        closing = "]" if token.text == "[" else ")"
        slots.append((yield from self._slot(code)))
        if closing == ")" and reader.accept(","):
            slots.append((yield from self._slot(code)))
        reader.expect(closing, "behind the index")
        code.append(Instruction(Action.INDEX, token, slots=tuple(slots)))

    def _slot(self, code: list[Instruction]) -> Generator[list[Instruction], None, Slot]:
        if self.reader.accept(":"):
            return Slot.ALL
        yield code
        if not self.reader.accept(":"):
            return Slot.ONE
        yield code
        return Slot.RANGE

    def _sum(self, code: list[Instruction], name: Token) -> Part:
        """sum(i = first : last, term)"""
        reader, body = self.reader, list[Instruction]()
        reader.expect("(", "behind sum")
        with reader.scope():
            iterator = reader.new_name("the iterator of a sum")
            reader.expect("=", "behind the iterator of a sum")
            yield code
            reader.expect(":", "between the first and the last value of a sum")
            yield code
            reader.expect(",", "before the terms of a sum")
            reader.declare(iterator)
            yield body
        reader.expect(")", "behind the terms of a sum")
        code.append(Instruction(Action.SUM, name, iterator=iterator.text, body=tuple(body)))
