"""The canonical problem (specification, section 2)."""

from __future__ import annotations

from dataclasses import dataclass

from flint import fmpq

from .outcome import Deadline
from .text import Lines

MOST_LINES = 1_000_000
MOST_ROWS = 1_000_000
BITS_OF_A_DIGIT = 4  # at most, and rounded up

BINARY = frozenset(("add", "sub", "mul", "div"))
UNARY = frozenset(("neg", "sqr", "sqrt", "sin", "cos", "exp", "log", "atan"))


@dataclass(frozen=True, slots=True)
class Quantity:
    """Closed intervals with exact ends: one for a variable, one an entry for a column; no end is beyond 2^bits."""

    name: str
    lower: list[fmpq]
    upper: list[fmpq]
    bits: int


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


@dataclass(frozen=True, slots=True)
class Problem:
    """What is asked."""

    variables: list[Quantity]
    columns: list[Quantity]
    tapes: list[Tape]
    families: list[Family]


def _bits(*tokens: str) -> int:
    """No number that is written so is beyond two to this power."""
    return BITS_OF_A_DIGIT * max(len(token.split("/")[0]) for token in tokens)


class _Reader:
    """The blocks of a canonical problem, one after the other."""

    def __init__(self, lines: Lines) -> None:
        self.lines = lines

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
            if operation in UNARY or operation == "const"
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
        for _ in range(self.lines.natural(count, 1)):
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
        (count,) = self.lines.headed("families", 1)
        found: list[Family] = []
        names: set[str] = set()
        for _ in range(self.lines.natural(count, 1)):
            tokens = self.lines.read()
            if len(tokens) < 3:
                raise self.lines.bad("a family has a name, a tape and a number of rows")
            self._unique(tokens[0], names)
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
            found.append(Family(tokens[0], tape, rows, tuple(bindings)))
        return found


def read_problem(data: bytes, deadline: Deadline) -> Problem:
    """The problem that these bytes are."""
    lines = Lines(data, "problem", deadline, MOST_LINES)
    lines.exactly("certify-problem", "2")
    reader = _Reader(lines)
    variables, columns, tapes = reader.variables(), reader.columns(), reader.tapes()
    families = reader.families(variables, columns, tapes)
    lines.finish()
    return Problem(variables, columns, tapes, families)
