"""The canonical problem (specification, section 2): unknowns in a box, measured columns, tapes, families of rows.

Counts are never trusted: a loop over lines ends in a rejection when the lines end. All numbers count from 0.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, TypeVar

from .outcome import Rejection
from .text import NATURAL, Lines, name, natural, rational, shown, unit

VERSION: Final = "1"
LINES: Final = 4_000_000
OPERANDS: Final = {"const": 0, "pi": 0, "add": 2, "sub": 2, "mul": 2, "div": 2, "neg": 1, "sqr": 1, "sqrt": 1, "sin": 1, "cos": 1}
_BINDING: Final = re.compile(rf"([vc])({NATURAL})", re.ASCII)

Bounds = tuple[Fraction, Fraction]
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Variable:
    """An unknown and its bounds."""

    name: str
    bounds: Bounds


@dataclass(frozen=True, slots=True)
class Column:
    """A measured quantity: one pair of bounds for each entry."""

    name: str
    entries: tuple[Bounds, ...]


@dataclass(frozen=True, slots=True)
class Operation:
    """One node of a tape; operands that it does not have are -1, `value` is that of `const`."""

    code: str
    first: int = -1
    second: int = -1
    value: Fraction = Fraction(0)


@dataclass(frozen=True, slots=True)
class Tape:
    """Straight-line code; nodes 0 ... inputs - 1 are the inputs, the last node is r."""

    name: str
    inputs: int
    operations: tuple[Operation, ...]


@dataclass(frozen=True, slots=True)
class Binding:
    """What an input of a tape is: a variable or a column."""

    measured: bool
    index: int


@dataclass(frozen=True, slots=True)
class Family:
    """Rows that differ in the entries of their columns only."""

    name: str
    tape: int
    rows: int
    bindings: tuple[Binding, ...]


@dataclass(frozen=True, slots=True)
class CanonicalProblem:
    """What is asked."""

    variables: tuple[Variable, ...]
    columns: tuple[Column, ...]
    tapes: tuple[Tape, ...]
    families: tuple[Family, ...]


def parse_problem(data: bytes) -> CanonicalProblem:
    """Read a canonical problem; raises Rejection with the line."""
    lines = None
    try:
        lines = Lines(data, "problem", LINES)
        return _problem(lines)
    except Rejection as rejection:
        rejection.where = "problem" if lines is None else lines.where
        raise


def _problem(lines: Lines) -> CanonicalProblem:
    lines.exact("certify-problem", VERSION)
    variables = _block(lines, "variables", 1, _variable, lambda item: item.name)
    columns = _block(lines, "columns", 0, _column, lambda item: item.name)
    tapes = _block(lines, "tapes", 1, _tape, lambda item: item.name)

    def family(source: Lines) -> Family:
        return _family(source, len(variables), columns, tapes)

    families = _block(lines, "families", 1, family, lambda item: item.name)
    lines.exact("end")
    lines.finish()
    return CanonicalProblem(variables, columns, tapes, families)


def _block(lines: Lines, word: str, least: int, read: Callable[[Lines], Item], name_of: Callable[[Item], str]) -> tuple[Item, ...]:
    """`word COUNT` and so many items with different names."""
    (token,) = lines.fields(word, 1)
    count = _at_least(natural(token), least, word)
    items: list[Item] = []
    names: set[str] = set()
    for _ in range(count):
        items.append(read(lines))
        if name_of(items[-1]) in names:
            raise Rejection(word, f"the name {shown(name_of(items[-1]))} occurs twice")
        names.add(name_of(items[-1]))
    return tuple(items)


def _at_least(number: int, least: int, what: str) -> int:
    if number < least:
        raise Rejection(what, f"there must be at least {least}")
    return number


def _split(lines: Lines, count: int, rule: str) -> list[str]:
    tokens = lines.tokens()
    if len(tokens) != count:
        raise Rejection(rule, f"{count} tokens were expected, not {len(tokens)}")
    return tokens


def _bounds(lower: str, upper: str, rule: str) -> Bounds:
    low, high = rational(lower), rational(upper)
    if low > high:
        raise Rejection(rule, "the lower bound is above the upper bound")
    return low, high


def _variable(lines: Lines) -> Variable:
    title, measure, lower, upper = _split(lines, 4, "variables")
    unit(measure)
    return Variable(name(title), _bounds(lower, upper, "variables"))


def _column(lines: Lines) -> Column:
    title, measure, token = lines.fields("column", 3)
    unit(measure)
    count = _at_least(natural(token), 1, "columns")
    entries: list[Bounds] = []
    for _ in range(count):
        lower, upper = _split(lines, 2, "columns")
        entries.append(_bounds(lower, upper, "columns"))
    return Column(name(title), tuple(entries))


def _tape(lines: Lines) -> Tape:
    title, first, second = lines.fields("tape", 3)
    inputs, count = natural(first), _at_least(natural(second), 1, "tapes")
    operations: list[Operation] = []
    for _ in range(count):
        operations.append(_operation(lines.tokens(), inputs + len(operations)))
    return Tape(name(title), inputs, tuple(operations))


def _operation(tokens: list[str], node: int) -> Operation:
    code, operands = tokens[0], tokens[1:]
    if code not in OPERANDS:
        raise Rejection("operation", f"{shown(code)} is unknown")
    if len(operands) != OPERANDS[code] + (code == "const"):
        raise Rejection("operation", f"{code} does not take {len(operands)} operands")
    if code == "const":
        return Operation(code, value=rational(operands[0]))
    nodes = [natural(operand) for operand in operands]
    if any(operand >= node for operand in nodes):
        raise Rejection("operation", f"node {node} may refer to earlier nodes only")
    first, second = (*nodes, -1, -1)[:2]
    return Operation(code, first, second)


def _family(lines: Lines, variables: int, columns: tuple[Column, ...], tapes: tuple[Tape, ...]) -> Family:
    tokens = lines.tokens()
    if len(tokens) < 3:
        raise Rejection("families", "NAME TAPE ROWS BINDING... was expected")
    title, tape, rows = name(tokens[0]), natural(tokens[1]), _at_least(natural(tokens[2]), 1, "families")
    if tape >= len(tapes):
        raise Rejection("families", f"there is no tape {shown(tokens[1])}")
    if len(tokens) - 3 != tapes[tape].inputs:
        raise Rejection("families", f"{len(tokens) - 3} bindings for {shown(tapes[tape].name)}, whose inputs are more or fewer")
    return Family(title, tape, rows, tuple(_binding(token, rows, variables, columns) for token in tokens[3:]))


def _binding(token: str, rows: int, variables: int, columns: tuple[Column, ...]) -> Binding:
    match = _BINDING.fullmatch(token)
    if match is None:
        raise Rejection("binding", f"{shown(token)} is neither a variable v3 nor a column c5")
    measured, index = match[1] == "c", int(match[2])
    if index >= (len(columns) if measured else variables):
        raise Rejection("binding", f"{shown(token)} does not exist")
    if measured and len(columns[index].entries) != rows:
        raise Rejection("binding", f"column {shown(columns[index].name)} has not as many entries as the family has rows")
    return Binding(measured, index)
