"""What all parts of the parser share: the place in the text, the names that are declared there, and the notes to the
user.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from certify.problems.errors import InputError
from certify.problems.formulas.units import nearest, shown
from certify.problems.minibex.calls import RESERVED
from certify.problems.minibex.syntax import Source, Token, TokenKind

MAX_DEPTH = 1000  # of expressions, which are read without recursion
MAX_LOOPS = 50
MAX_NOTES = 50
_FIXED = frozenset({TokenKind.SYMBOL, TokenKind.KEYWORD})


@dataclass(slots=True)
class Notes:
    """What a reader should know although it is no error; at most MAX_NOTES, the rest is counted."""

    texts: list[str] = field(default_factory=list)
    dropped: int = 0

    def add(self, token: Token, what: str) -> None:
        """Note something about the place of a token."""
        if len(self.texts) < MAX_NOTES:
            self.texts.append(f"line {token.line}, column {token.column}: {what}")
        else:
            self.dropped += 1

    def all(self) -> tuple[str, ...]:
        """The notes in order."""
        return (*self.texts, f"and {self.dropped} more notes") if self.dropped else tuple(self.texts)


@dataclass(slots=True)
class Reader:
    """The next token, the declared names (values and functions), the nesting depth."""

    source: Source
    tokens: list[Token]
    notes: Notes
    position: int = 0
    depth: int = 0
    values: set[str] = field(default_factory=set)
    functions: set[str] = field(default_factory=set)
    used: set[str] = field(default_factory=set)
    fresh: set[str] = field(default_factory=set)  # what the innermost scope declared

    def peek(self, ahead: int = 0) -> Token:
        """The next token, or a later one; the last token is at the end of the file."""
        return self.tokens[min(self.position + ahead, len(self.tokens) - 1) if ahead else self.position]

    def take(self) -> Token:
        """The next token, which is consumed."""
        token = self.tokens[self.position]
        self.position += token.kind is not TokenKind.FINISH
        return token

    def sees(self, *texts: str) -> bool:
        """Whether the next token is one of these symbols or keywords."""
        token = self.tokens[self.position]
        return token.text in texts and token.kind in _FIXED

    def accept(self, text: str) -> bool:
        """Consume this symbol or keyword if it is next."""
        found = self.sees(text)
        self.position += found
        return found

    def expect(self, text: str, where: str) -> Token:
        """Consume this symbol or keyword, which must be next."""
        if not self.sees(text):
            raise self.error(
                self.peek(),
                f"{where}, {text!r} is expected, not {self.peek().described}; write it or correct what stands before",
            )
        return self.take()

    def error(self, token: Token, what: str) -> InputError:
        """The error at a token."""
        return self.source.error(token, what)

    def new_name(self, what: str) -> Token:
        """Consume a name that is free to be declared."""
        token = self.take()
        if token.kind not in (TokenKind.NAME, TokenKind.KEYWORD):
            raise self.error(
                token,
                f"the name of {what} is expected, not {token.described}; write a letter followed by letters, "
                f"digits and _",
            )
        if token.kind is TokenKind.KEYWORD or token.text in RESERVED:
            raise self.error(
                token,
                f"{token.described} has a meaning of its own in Minibex and cannot name {what}; choose another name",
            )
        if token.text in self.values or token.text in self.functions:
            raise self.error(token, f"the name {token.described} is declared twice; rename one")
        return token

    def declare(self, token: Token) -> None:
        """From here on the name stands for a value."""
        self.values.add(token.text)
        self.fresh.add(token.text)

    def unknown(self, token: Token) -> InputError:
        """The error for a name that is not declared."""
        hint = (
            nearest(token.text, sorted(self.values | self.functions))
            if len(self.values) <= 1000
            else "check its spelling"
        )
        return self.error(token, f"{shown(token.text)} is not declared; declare it before it is used ({hint})")

    @contextmanager
    def nested(self, token: Token) -> Iterator[None]:
        """One level deeper, up to MAX_DEPTH."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.error(
                token, f"the text is nested deeper than {MAX_DEPTH} levels; give a part of it a name of its own"
            )
        yield
        self.depth -= 1

    @contextmanager
    def scope(self) -> Iterator[None]:
        """Names that are declared inside are forgotten behind."""
        outer, self.fresh = self.fresh, set()
        yield
        self.values.difference_update(self.fresh)
        self.fresh = outer
