"""The canonical problem (specification, section 2): unknowns in a box, measured columns, tapes, families of rows.

Counts are never trusted: a loop over lines ends in a rejection when the lines end. All numbers count from 0.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, NamedTuple, TypeVar

from .outcome import Rejection, ResourceLimit, require
from .text import NATURAL, Lines, matched, name, natural, rational, shown, unit

VERSION: Final = "2"
LINES: Final = 1_000_000
ROWS: Final = 1_000_000
OPERANDS: Final = {
    "const": 0, "pi": 0, "add": 2, "sub": 2, "mul": 2, "div": 2,
    "neg": 1, "sqr": 1, "sqrt": 1, "sin": 1, "cos": 1, "exp": 1, "log": 1, "atan": 1,
}  # fmt: skip
_BINDING: Final = re.compile(rf"([vc])({NATURAL})")

Bounds = tuple[Fraction, Fraction]


class Variable(NamedTuple):
    """An unknown and its bounds."""

    name: str
    bounds: Bounds


class Column(NamedTuple):
    """A measured quantity: one pair of bounds for each entry."""

    name: str
    entries: tuple[Bounds, ...]


class Operation(NamedTuple):
    """One node of a tape; `value` is that of `const`, operands that it does not have are -1."""

    code: str
    value: Fraction
    first: int = -1
    second: int = -1


class Tape(NamedTuple):
    """Straight-line code; nodes 0 ... inputs - 1 are the inputs, the last node is r."""

    name: str
    inputs: int
    operations: tuple[Operation, ...]


@dataclass(frozen=True, slots=True)
class Binding:
    """What an input of a tape is: a variable or a column."""

    measured: bool
    index: int


class Family(NamedTuple):
    """Rows that differ in the entries of their columns only."""

    name: str
    tape: int
    rows: int
    bindings: tuple[Binding, ...]


class CanonicalProblem(NamedTuple):
    """What is asked."""

    variables: tuple[Variable, ...]
    columns: tuple[Column, ...]
    tapes: tuple[Tape, ...]
    families: tuple[Family, ...]


Item = TypeVar("Item", Variable, Column, Tape, Family)


def parse_problem(data: bytes) -> CanonicalProblem:
    """Read a canonical problem; raises Rejection with the line."""
    lines = Lines(data, "problem")
    if data.count(b"\n") > LINES:
        raise ResourceLimit(f"{LINES} lines in the problem")
    try:
        lines.exact("certify-problem", VERSION)
        variables = _block(lines, "variables", _variable)
        columns = _block(lines, "columns", _column, least=0)
        tapes = _block(lines, "tapes", _tape)
        families = _block(lines, "families", lambda source: _family(source, len(variables), columns, tapes))
        lines.exact("end")
        lines.finish()
    except Rejection as rejection:
        rejection.where = lines.where
        raise
    return CanonicalProblem(variables, columns, tapes, families)


def _block(lines: Lines, word: str, read: Callable[[Lines], Item], least: int = 1) -> tuple[Item, ...]:
    """`word COUNT` and so many items with different names."""
    (count,) = lines.fields(word, 1)
    items: dict[str, Item] = {}
    for _ in range(_count(count, word, least)):
        item = read(lines)
        require(item.name not in items, word, f"the name {shown(item.name)} occurs twice")
        items[item.name] = item
    return tuple(items.values())


def _count(token: str, rule: str, least: int = 1) -> int:
    count = natural(token)
    require(count >= least, rule, f"there must be at least {least}")
    return count


def _bounds(tokens: list[str], count: int, rule: str) -> Bounds:
    """The last two of `count` tokens."""
    require(len(tokens) == count, rule, f"{count} tokens were expected, not {len(tokens)}")
    low, high = map(rational, tokens[-2:])
    require(low <= high, rule, "the lower bound is above the upper bound")
    return low, high


def _variable(lines: Lines) -> Variable:
    tokens = lines.tokens()
    bounds = _bounds(tokens, 4, "variables")
    unit(tokens[1])
    return Variable(name(tokens[0]), bounds)


def _column(lines: Lines) -> Column:
    title, measure, count = lines.fields("column", 3)
    unit(measure)
    return Column(name(title), tuple(_bounds(lines.tokens(), 2, "columns") for _ in range(_count(count, "columns"))))


def _tape(lines: Lines) -> Tape:
    title, first, second = lines.fields("tape", 3)
    inputs, count = natural(first), _count(second, "tapes")
    return Tape(name(title), inputs, tuple(_operation(lines.tokens(), inputs + k) for k in range(count)))


def _operation(tokens: list[str], node: int) -> Operation:
    code, *operands = tokens
    require(code in OPERANDS, "operation", f"{shown(code)} is unknown")
    require(
        len(operands) == OPERANDS[code] + (code == "const"),
        "operation",
        f"{code} does not take {len(operands)} operands",
    )
    if code == "const":
        return Operation(code, rational(operands[0]))
    nodes = [natural(operand) for operand in operands]
    require(all(operand < node for operand in nodes), "operation", f"node {node} may refer to earlier nodes only")
    return Operation(code, Fraction(0), *nodes)


def _family(lines: Lines, variables: int, columns: tuple[Column, ...], tapes: tuple[Tape, ...]) -> Family:
    tokens = lines.tokens()
    require(len(tokens) >= 3, "families", "NAME TAPE ROWS BINDING... was expected")
    title, tape, rows, bound = name(tokens[0]), natural(tokens[1]), _count(tokens[2], "families"), tokens[3:]
    require(rows <= ROWS, "families", f"more than {ROWS} rows")
    require(tape < len(tapes), "families", f"there is no tape {shown(tokens[1])}")
    known = tapes[tape]
    require(
        len(bound) == known.inputs,
        "families",
        f"{len(bound)} bindings for {shown(known.name)}, whose inputs are more or fewer",
    )
    return Family(title, tape, rows, tuple(_binding(token, rows, variables, columns) for token in bound))


def _binding(token: str, rows: int, variables: int, columns: tuple[Column, ...]) -> Binding:
    letter, number = matched(_BINDING, token, "binding", "is neither a variable v3 nor a column c5").groups()
    measured, index = letter == "c", int(number)
    require(index < (len(columns) if measured else variables), "binding", f"{shown(token)} does not exist")
    if measured:
        column = columns[index]
        require(
            len(column.entries) == rows,
            "binding",
            f"column {shown(column.name)} has not as many entries as the family has rows",
        )
    return Binding(measured, index)
