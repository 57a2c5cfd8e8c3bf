"""What the parser hands on: statements, whose expressions are straight-line code for a stack machine.

An expression becomes a list of instructions in the order in which they are carried out (reverse Polish notation), so
that neither reading nor running it needs recursion, however long it is: `x + 2*y` is NAME x, NUMBER 2, NAME y, BINARY
*, BINARY +.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from fractions import Fraction
from typing import NamedTuple

from certify.problems.minibex.syntax import Token


class Action(Enum):
    """What an instruction does with the stack."""

    NUMBER = auto()  # push `value`
    NAME = auto()  # push what the token names
    NEGATE = auto()
    TRANSPOSE = auto()
    BINARY = auto()  # the token is + - * / ^
    ROW = auto()  # join `operands` values side by side
    COLUMN = auto()  # join `operands` values one below the other
    INTERVAL = auto()  # from the ends that are not infinite
    INDEX = auto()  # of the value below the indices
    CALL = auto()  # the token names the function, `operands` arguments
    SUM = auto()  # of `body` for the iterator from the lower to the upper value


class Slot(Enum):
    """One index: all entries, one, or a range; the value is how many numbers it needs."""

    ALL = 0
    ONE = 1
    RANGE = 2


class Instruction(NamedTuple):
    """One step of an expression; each action uses the fields that it needs."""

    action: Action
    token: Token
    operands: int = 0
    value: Fraction = Fraction(0)
    slots: tuple[Slot, ...] = ()
    finite: tuple[bool, bool] = (True, True)  # which ends of an INTERVAL are on the stack
    iterator: str = ""
    body: tuple[Instruction, ...] = ()


Code = tuple[Instruction, ...]


@dataclass(frozen=True, slots=True)
class Declaration:
    """A constant, a variable or a parameter: its name, its dimensions, its value or domain."""

    name: Token
    dimensions: tuple[Code, ...]
    domain: Code | None


@dataclass(frozen=True, slots=True)
class Assignment:
    """A name for a value, inside a function or between constraints."""

    name: Token
    value: Code


@dataclass(frozen=True, slots=True)
class Restriction:
    """left relation right, the relation being = < <= > >= or in."""

    left: Code
    relation: Token
    right: Code


@dataclass(frozen=True, slots=True)
class Loop:
    """Statements for each value of an iterator."""

    iterator: Token
    first: Code
    last: Code
    body: tuple[Statement, ...]


Statement = Assignment | Restriction | Loop


@dataclass(frozen=True, slots=True)
class Declared:
    """A function: parameters, assignments, result."""

    name: Token
    parameters: tuple[Declaration, ...]
    assignments: tuple[Assignment, ...]
    result: Code


@dataclass(frozen=True, slots=True)
class Program:
    """A whole file."""

    constants: tuple[Declaration, ...]
    functions: tuple[Declared, ...]
    variables: tuple[Declaration, ...]
    objective: Code | None
    constraints: tuple[Statement, ...]
