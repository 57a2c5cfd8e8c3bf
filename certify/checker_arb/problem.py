"""The canonical problem (specification, section 2)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

from flint import fmpq

from .outcome import Deadline, Exhausted, Undefined
from .tables import BITS, NOT_IN_ORDER, Table
from .text import Lines, shown

VERSIONS = ("2", "3")
MOST_LINES = 1_000_000
MOST_ROWS = 1_000_000
MOST_RECORDS = 100_000_000
MOST_NODES = 2_000_000  # of the tapes of all tables
LONGEST_WITH_TABLES = 2**30
END = b"\nend\n"
OF_INTERVALS = "intervals"
TABLES = ("table", OF_INTERVALS)
ONCE = fmpq(1)
BITS_OF_A_DIGIT = 4  # at most, and rounded up

BINARY = frozenset(("add", "sub", "mul", "div"))
UNARY = frozenset(("neg", "sqr", "sqrt", "sin", "cos", "exp", "log", "atan"))
NEW_UNARY = frozenset(("erf",))  # of version 3


class Entries(Protocol):
    """A list of numbers, or what reads them when they are asked for."""

    def __len__(self) -> int: ...

    def __getitem__(self, entry: int, /) -> fmpq: ...


@dataclass(frozen=True, slots=True)
class Quantity:
    """Closed intervals with exact ends: one for a variable, one an entry for a column; no end is beyond 2^bits. A
    factor makes them that much wider, around their middles (specification, 12.3).
    """

    name: str
    lower: Entries
    upper: Entries
    bits: int
    factor: fmpq = ONCE
    of_table: bool = False

    def ends(self, entry: int) -> tuple[fmpq, fmpq]:
        """The ends of an entry."""
        low, high = self.lower[entry], self.upper[entry]
        if low > high:
            raise Undefined(NOT_IN_ORDER)
        if low == high or self.factor == 1:
            return low, high
        middle, radius = (low + high) / 2, (high - low) / 2 * self.factor
        return middle - radius, middle + radius

    def widened(self, factor: fmpq) -> Quantity:
        """The same entries with a factor on their half-widths."""
        return replace(self, factor=factor, bits=self.bits + factor.p.bit_length() + 1) if factor != 1 else self


@dataclass(frozen=True, slots=True)
class Step:
    """One line of straight-line code: its operation, the nodes that it reads, and the number of a `const`."""

    operation: str
    first: int = -1
    second: int = -1
    constant: fmpq | None = None
    bits: tuple[int, int] = (0, 0)  # of a constant: it lies between 2^-bits[1] (if it is not 0) and 2^bits[0]


@dataclass(frozen=True, slots=True)
class Tape:
    """A function of `inputs` numbers; its value is that of the last step."""

    name: str
    inputs: int
    steps: list[Step]


@dataclass(frozen=True, slots=True)
class Binding:
    """What an input of a tape is: variable or column number so and so."""

    measured: bool
    number: int


@dataclass(frozen=True, slots=True)
class Family:
    """`rows` rows of one tape."""

    name: str
    tape: int
    rows: int
    bindings: tuple[Binding, ...]
    table: Table | None = None


@dataclass(frozen=True, slots=True)
class Problem:
    """What is asked. The tapes and columns of tables come after those that have numbers."""

    variables: list[Quantity]
    columns: list[Quantity]
    tapes: list[Tape]
    families: list[Family]

    def widened(self, factor: fmpq) -> Problem:
        """The problem with a factor on all half-widths of measurements."""
        return replace(self, columns=[column.widened(factor) for column in self.columns])


def _bits(*tokens: str) -> int:
    """No number that is written so is beyond two to this power."""
    return BITS_OF_A_DIGIT * max(len(token.split("/")[0]) for token in tokens)


class _Reader:
    """The blocks of a canonical problem, one after the other; the records of its tables are what follows its text."""

    def __init__(self, lines: Lines, version: str, records: memoryview) -> None:
        self.lines, self.is_old, self.records = lines, version == "2", records
        self.unary = UNARY if self.is_old else UNARY | NEW_UNARY
        self.read = 0  # bytes of the records
        self.nodes = 0  # of the tapes of tables

    def _unique(self, token: str, known: set[str]) -> str:
        name = self.lines.name(token)
        if name in known:
            raise self.lines.bad(f"the name {name!r} is used twice")
        known.add(name)
        return name

    def _interval(self, low: str, high: str) -> tuple[fmpq, fmpq]:
        lower, upper = self.lines.rational(low), self.lines.rational(high)
        if lower > upper:
            raise self.lines.bad("the lower end is above the upper end")
        return lower, upper

    def variables(self) -> list[Quantity]:
        (count,) = self.lines.headed("variables", 1)
        found: list[Quantity] = []
        names: set[str] = set()
        for _ in range(self.lines.natural(count, 1)):
            name, unit, low, high = self.lines.counted(4)
            self._unique(name, names)
            self.lines.unit(unit)
            lower, upper = self._interval(low, high)
            found.append(Quantity(name, [lower], [upper], _bits(low, high)))
        return found

    def columns(self) -> list[Quantity]:
        (count,) = self.lines.headed("columns", 1)
        found: list[Quantity] = []
        names: set[str] = set()
        for _ in range(self.lines.natural(count)):
            name, unit, entries = self.lines.headed("column", 3)
            self._unique(name, names)
            self.lines.unit(unit)
            lowers, uppers, bits = [], [], 0
            for _ in range(self.lines.natural(entries, 1)):
                low, high = self.lines.counted(2)
                lower, upper = self._interval(low, high)
                lowers.append(lower)
                uppers.append(upper)
                bits = max(bits, _bits(low, high))
            found.append(Quantity(name, lowers, uppers, bits))
        return found

    def _step(self, nodes: int) -> Step:
        """A line of a tape that has so many nodes before it."""
        tokens = self.lines.read()
        operation, operands = tokens[0], tokens[1:]
        expected = (
            2
            if operation in BINARY
            else 1
            if operation in self.unary or operation == "const"
            else 0
            if operation == "pi"
            else None
        )
        if expected is None:
            raise self.lines.bad(f"there is no operation {operation[:40]!r}")
        if len(operands) != expected:
            raise self.lines.bad(f"{operation} takes {expected} operands, not {len(operands)}")
        if operation == "const":
            constant = self.lines.rational(operands[0])
            upper, _, lower = operands[0].partition("/")
            return Step(operation, constant=constant, bits=(BITS_OF_A_DIGIT * len(upper), BITS_OF_A_DIGIT * len(lower)))
        references = [self.lines.natural(token) for token in operands]
        if any(node >= nodes for node in references):
            raise self.lines.bad("a step may refer to earlier nodes only")
        first, second = (*references, -1, -1)[:2]
        return Step(operation, first, second)

    def tapes(self) -> list[Tape]:
        (count,) = self.lines.headed("tapes", 1)
        found: list[Tape] = []
        names: set[str] = set()
        for _ in range(self.lines.natural(count, 1 if self.is_old else 0)):
            name, inputs, operations = self.lines.headed("tape", 3)
            self._unique(name, names)
            width = self.lines.natural(inputs)
            length = self.lines.natural(operations, 1)
            steps: list[Step] = []
            for k in range(length):
                steps.append(self._step(width + k))
            found.append(Tape(name, width, steps))
        return found

    def families(self, variables: list[Quantity], columns: list[Quantity], tapes: list[Tape]) -> list[Family]:
        """The families; the tapes and columns of tables are added to the others."""
        (count,) = self.lines.headed("families", 1)
        found: list[Family] = []
        names: set[str] = set()
        for _ in range(self.lines.natural(count, 1)):
            tokens = self.lines.read()
            if len(tokens) < 3:
                raise self.lines.bad("a family has a name, a tape and a number of rows")
            self._unique(tokens[0], names)
            is_table = tokens[1] in TABLES and not self.is_old
            found.append(
                self._table(tokens, variables) if is_table else self._family(tokens, variables, columns, tapes)
            )
        for number, family in enumerate(found):
            if family.table is not None:
                found[number] = _bound(family, family.table, columns, tapes)
        return found

    def _family(
        self, tokens: list[str], variables: list[Quantity], columns: list[Quantity], tapes: list[Tape]
    ) -> Family:
        tape = self.lines.natural(tokens[1], 0, len(tapes) - 1)
        rows = self.lines.natural(tokens[2], 1, MOST_ROWS)
        if len(tokens) - 3 != tapes[tape].inputs:
            raise self.lines.bad(f"the tape has {tapes[tape].inputs} inputs, the family {len(tokens) - 3} bindings")
        bindings = []
        for token in tokens[3:]:
            measured = token[0] == "c"
            if token[0] not in "vc":
                raise self.lines.bad(f"{token[:40]!r} is no binding")
            number = self.lines.natural(token[1:], 0, len(columns if measured else variables) - 1)
            if measured and len(columns[number].lower) != rows:
                raise self.lines.bad(
                    f"column {number} has {len(columns[number].lower)} entries, the family {rows} rows"
                )
            bindings.append(Binding(measured, number))
        return Family(tokens[0], tape, rows, tuple(bindings))

    def _table(self, tokens: list[str], variables: list[Quantity]) -> Family:
        """A table, bound to its variables only."""
        rows = self.lines.natural(tokens[2], 1, MOST_RECORDS)
        bindings: list[Binding] = []
        for token in tokens[3:]:
            if token[0] != "v":
                raise self.lines.bad(f"{token[:40]!r} is no variable of a table")
            number = self.lines.natural(token[1:], 0, len(variables) - 1)
            if bindings and number <= bindings[-1].number:
                raise self.lines.bad("the variables of a table are not in ascending order, each once")
            bindings.append(Binding(False, number))
        if not bindings:
            raise self.lines.bad("a table has no variable")
        table = Table(self.records, self.read, len(bindings), rows, tokens[1] == OF_INTERVALS)
        self.read += table.size
        self.nodes += 4 * len(bindings) + 1
        if self.nodes > MOST_NODES:
            raise Exhausted(f"the tables have rows of more than {MOST_NODES} nodes")
        return Family(tokens[0], -1, rows, tuple(bindings), table)


def _bound(family: Family, table: Table, columns: list[Quantity], tapes: list[Tape]) -> Family:
    """The table as a family like any other: x_1 a_1 + ... - y, with columns for a_1, ... and y."""
    width = table.width
    places = [Binding(True, len(columns) + place) for place in range(width + 1)]
    columns += [Quantity("", low, high, BITS, of_table=True) for low, high in table.columns()]
    steps = [Step("mul", k, width + k) for k in range(width)]
    total = first = 2 * width + 1
    for k in range(1, width):
        steps.append(Step("add", total, first + k))
        total = first + len(steps) - 1
    tapes.append(Tape("", first, [*steps, Step("sub", total, 2 * width)]))
    return replace(family, tape=len(tapes) - 1, bindings=(*family.bindings, *places))


def read_problem(data: bytes, deadline: Deadline) -> Problem:
    """The problem that these bytes are: text, and the records of its tables after the first line `end`."""
    size = data.find(END) + len(END)
    text = data[:size] if size >= len(END) else data
    records = memoryview(data)[len(text) :]
    lines = Lines(text, "problem", deadline, MOST_LINES)
    if len(data) > LONGEST_WITH_TABLES:
        raise lines.bad(f"the file is larger than {LONGEST_WITH_TABLES} bytes")
    (version,) = lines.headed("certify-problem", 1)
    if version not in VERSIONS:
        raise lines.bad(f"{shown(version)} is no version of problems")
    reader = _Reader(lines, version, records)
    variables, columns, tapes = reader.variables(), reader.columns(), reader.tapes()
    families = reader.families(variables, columns, tapes)
    lines.finish()
    if reader.read != len(records):
        what = "records are missing" if reader.read > len(records) else "there is something"
        raise lines.bad(f"{what} after `end`")
    return Problem(variables, columns, tapes, families)
