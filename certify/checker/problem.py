"""The canonical problem (specification, section 2): unknowns in a box, measured columns, tapes, families of rows.

Counts are never trusted: a loop over lines ends in a rejection when the lines end. All numbers count from 0.

A table (section 12) is a family like others: its tape is a_1 x_1 + ... + a_p x_p - y, its coefficients and its y are
columns without names behind the declared ones, whose entries are read from the records when they are asked for; each
coefficient is one number of a record or, of `intervals`, two.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from struct import unpack_from
from typing import Final, NamedTuple, TypeVar

from .outcome import Rejection, ResourceLimit, require
from .text import NATURAL, Lines, matched, name, natural, rational, shown, unit

VERSIONS: Final = ("2", "3")
END: Final = b"\nend\n"
BYTES: Final = 1 << 30
RECORDS: Final = 100_000_000
TABLES: Final = {"table": -1, "intervals": -2}  # their numbers of tapes, before they have one
LINES: Final = 1_000_000
BROKEN: Final = "is not finite, or its ends are not in order"
ROWS: Final = 1_000_000
OPERANDS: Final = {
    "const": 0, "pi": 0, "add": 2, "sub": 2, "mul": 2, "div": 2,
    "neg": 1, "sqr": 1, "sqrt": 1, "sin": 1, "cos": 1, "exp": 1, "log": 1, "atan": 1, "erf": 1,
}  # fmt: skip
_BINDING: Final = re.compile(rf"([vc])({NATURAL})")

Bounds = tuple[Fraction, Fraction]


class Variable(NamedTuple):
    """An unknown and its bounds."""

    name: str
    bounds: Bounds


@dataclass(frozen=True, slots=True)
class Records:
    """Two numbers of each record of a table, exactly: bounds."""

    data: bytes
    start: int
    numbers: int
    rows: int
    places: tuple[int, int]

    def __len__(self) -> int:
        return self.rows

    def __iter__(self) -> Iterator[Bounds]:
        return map(self.__getitem__, range(self.rows))

    def whole(self, row: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The numbers m 2^(e - 1075) of a record: all m, all e. Raises Rejection unless they are finite."""
        mantissas, exponents = [], []
        for bits in unpack_from(f"<{self.numbers}Q", self.data, self.start + 8 * self.numbers * row):
            exponent, mantissa = bits >> 52 & 2047, bits & (1 << 52) - 1
            require(exponent < 2047, "table", f"a number of record {row} {BROKEN}")
            size = mantissa + (1 << 52) if exponent else mantissa
            mantissas.append(-size if bits >> 63 else size)
            exponents.append(exponent or 1)
        return tuple(mantissas), tuple(exponents)

    def __getitem__(self, row: int) -> Bounds:
        """Raises Rejection unless both are finite and in order."""
        first = self.start + 8 * self.numbers * row
        places = self.places if self.places[0] != self.places[1] else self.places[:1]
        ends = [binary(self.data[first + 8 * place : first + 8 * place + 8]) for place in places]
        lower, upper = ends[0], ends[-1]
        if lower is None or upper is None or (len(ends) > 1 and lower > upper):
            raise Rejection("table", f"a number of record {row} {BROKEN}")
        return lower, upper


def binary(data: bytes) -> Fraction | None:
    """The number of eight bytes of binary64, exactly; None if it is not finite."""
    bits = int.from_bytes(data, "little")
    exponent, mantissa = bits >> 52 & 2047, bits & (1 << 52) - 1
    if exponent == 2047:
        return None
    size = mantissa + (1 << 52) if exponent else mantissa
    power = max(exponent, 1) - 1075
    signed = -size if bits >> 63 else size
    return Fraction(signed << power) if power >= 0 else Fraction(signed, 1 << -power)


class Column(NamedTuple):
    """A measured quantity: one pair of bounds for each entry."""

    name: str
    entries: tuple[Bounds, ...] | Records


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
    require(len(data) <= BYTES, "text", "the file is larger than 1 GiB", "problem")
    stop = data.find(END) + len(END) if data.startswith(b"certify-problem 3\n") and END in data else len(data)
    lines = Lines(data[:stop], "problem")
    if lines.data.count(b"\n") > LINES:
        raise ResourceLimit(f"{LINES} lines in the problem")
    try:
        (version,) = lines.fields("certify-problem", 1)
        require(version in VERSIONS, "text", f"'certify-problem 2' or 3 was expected, not {shown(version)}")
        new = version == "3"
        variables = _block(lines, "variables", _variable)
        columns = _block(lines, "columns", _column, least=0)
        tapes = _block(lines, "tapes", lambda source: _tape(source, new), least=1 - new)
        families = _block(lines, "families", lambda source: _family(source, len(variables), columns, tapes, new))
        lines.exact("end")
        lines.finish()
        return _with_tables(CanonicalProblem(variables, columns, tapes, families), data, stop)
    except Rejection as rejection:
        rejection.where = lines.where
        raise


def _with_tables(problem: CanonicalProblem, data: bytes, start: int) -> CanonicalProblem:
    """The tables with their tapes and columns; their records fill what follows the text."""
    columns, tapes, families = list(problem.columns), list(problem.tapes), list(problem.families)
    for number, family in enumerate(families):
        if family.tape < 0:
            count = len(family.bindings)
            ends = 2 if family.tape == TABLES["intervals"] else 1
            numbers = ends * count + 2
            size = 8 * numbers * family.rows
            require(start + size <= len(data), "table", f"the records of {family.name} are not all there")
            places = [(place, place + ends - 1) for place in range(0, ends * count, ends)] + [
                (numbers - 2, numbers - 1)
            ]
            own = [Column("", Records(data, start, numbers, family.rows, pair)) for pair in places]
            bindings = family.bindings + tuple(Binding(True, len(columns) + k) for k in range(len(own)))
            families[number] = family._replace(tape=len(tapes), bindings=bindings)
            columns += own
            tapes.append(_linear(count))
            start += size
    require(start == len(data), "table", "something follows after the last record")
    return CanonicalProblem(problem.variables, tuple(columns), tuple(tapes), tuple(families))


def _linear(count: int) -> Tape:
    """a . x - y, of x, a and y."""
    products = [Operation("mul", Fraction(0), k, count + k) for k in range(count)]
    first = 2 * count + 1
    sums = [
        Operation("add", Fraction(0), first + count + k - 2 if k > 1 else first, first + k) for k in range(1, count)
    ]
    return Tape("", first, (*products, *sums, Operation("sub", Fraction(0), first + 2 * count - 2, 2 * count)))


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


def _tape(lines: Lines, new: bool) -> Tape:
    title, first, second = lines.fields("tape", 3)
    inputs, count = natural(first), _count(second, "tapes")
    return Tape(name(title), inputs, tuple(_operation(lines.tokens(), inputs + k, new) for k in range(count)))


def _operation(tokens: list[str], node: int, new: bool) -> Operation:
    code, *operands = tokens
    require(code in OPERANDS and (new or code != "erf"), "operation", f"{shown(code)} is unknown")
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


def _family(lines: Lines, variables: int, columns: tuple[Column, ...], tapes: tuple[Tape, ...], new: bool) -> Family:
    tokens = lines.tokens()
    require(len(tokens) >= 3, "families", "NAME TAPE ROWS BINDING... was expected")
    table = new and tokens[1] in TABLES
    title, tape, rows, bound = (
        name(tokens[0]),
        TABLES[tokens[1]] if table else natural(tokens[1]),
        tokens[2],
        tokens[3:],
    )
    count, most = _count(rows, "families"), RECORDS if table else ROWS
    require(count <= most, "families", f"more than {most} rows")
    if not table:
        require(tape < len(tapes), "families", f"there is no tape {shown(tokens[1])}")
        known = tapes[tape]
        require(
            len(bound) == known.inputs,
            "families",
            f"{len(bound)} bindings for {shown(known.name)}, whose inputs are more or fewer",
        )
    bindings = tuple(_binding(token, count, variables, () if table else columns) for token in bound)
    ascending = not table or (bound and all(one.index < other.index for one, other in pairwise(bindings)))
    require(bool(ascending), "families", "a table is of variables, ascending, each once")
    return Family(title, tape, count, bindings)


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
