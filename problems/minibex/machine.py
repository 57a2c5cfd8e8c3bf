"""Runs the code of expressions: names, calls and sums are replaced by formulas, whose equal parts are shared.

Functions of the file are inlined. All work is counted, so that a small text cannot stand for an unbounded formula.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction

from certify.problems.errors import InputError
from certify.problems.formulas.graph import Constant, Formula, Formulas, Operation, exact_value
from certify.problems.formulas.units import shown
from certify.problems.functions.function_table import FUNCTIONS
from certify.problems.minibex.bounds import Bounds, Enclosures
from certify.problems.minibex.calls import ENDS, SQUARE, UNSUPPORTED
from certify.problems.minibex.matrix import Matrix, combined, joined, number, product, quotient
from certify.problems.minibex.reading import Notes
from certify.problems.minibex.syntax import PlacedError, Source, Token
from certify.problems.minibex.tree import Action, Code, Declared, Instruction, Slot

MAX_WORK = 3_000_000
ITERATION = 4  # the work of beginning one turn of a loop
MAX_CALLS = 100
MAX_SIZE = 1_000_000  # entries of a vector or matrix

ROUNDED = (
    "not known as a rational number; it is rounded outwards, and what lies between the true one and "
    "the rounded one counts, too"
)
_ENTRYWISE = frozenset(
    {Action.NEGATE, Action.TRANSPOSE, Action.BINARY}
)  # the others count what they make before they make it

Names = ChainMap[str, Matrix]


@dataclass(frozen=True, slots=True)
class Inline:
    """A function whose parameters have dimensions."""

    function: Declared
    dimensions: tuple[tuple[int, int], ...]


@dataclass(slots=True)
class Machine:
    """The formulas made so far, the names that are global, and how much work was done."""

    source: Source
    notes: Notes
    formulas: Formulas = field(default_factory=Formulas)
    enclosures: Enclosures = field(default_factory=Enclosures)
    constants: dict[str, Matrix] = field(default_factory=dict)
    functions: dict[str, Inline] = field(default_factory=dict)
    work: int = 0
    calls: int = 0

    def spend(self, amount: int, token: Token) -> None:
        """Count work, up to MAX_WORK."""
        self.work += amount
        if self.work > MAX_WORK:
            raise self.source.error(
                token, f"loops, sums and calls expand to more than {MAX_WORK} operations; split the problem"
            )

    def run(self, code: Code, names: Names) -> Matrix:
        """The value of an expression."""
        stack: list[Matrix] = []
        for step in code:
            self.spend(1, step.token)
            try:
                value = self._step(step, stack, names)
            except PlacedError:
                raise
            except InputError as error:
                raise self.source.error(step.token, str(error)) from None
            if step.action in _ENTRYWISE:
                self.spend(len(value.entries), step.token)
            stack.append(value)
        return stack.pop()

    @contextmanager
    def nested(self, token: Token) -> Iterator[None]:
        """One call or sum deeper, up to MAX_CALLS."""
        self.calls += 1
        if self.calls > MAX_CALLS:
            raise self.source.error(
                token, f"calls and sums are nested more than {MAX_CALLS} levels deep; combine some functions"
            )
        yield
        self.calls -= 1

    def _step(self, step: Instruction, stack: list[Matrix], names: Names) -> Matrix:
        match step.action:
            case Action.NUMBER:
                return number(self.formulas.constant(step.value))
            case Action.NAME:
                found = names.get(step.token.text)
                return found if found is not None else self._predefined(step.token)
            case Action.NEGATE:
                return stack.pop().map(lambda entry: self.formulas.apply(Operation.NEG, entry))
            case Action.TRANSPOSE:
                return stack.pop().transposed()
            case Action.BINARY:
                second, first = stack.pop(), stack.pop()
                return self._binary(step.token, first, second)
            case Action.ROW | Action.COLUMN:
                parts = self._popped(stack, step.operands)
                self.spend(sum(len(part.entries) for part in parts), step.token)
                return joined(parts, in_a_row=step.action is Action.ROW)
            case Action.INTERVAL:
                return self._interval(step, stack)
            case Action.INDEX:
                numbers = self._popped(stack, sum(slot.value for slot in step.slots))
                return self._index(
                    step, stack.pop(), [self.integer(step.token, value, "an index") for value in numbers]
                )
            case Action.CALL:
                return self._call(step.token, self._popped(stack, step.operands))
            case Action.SUM:
                last, first = stack.pop(), stack.pop()
                return self._sum(
                    step,
                    self.integer(step.token, first, "the first value"),
                    self.integer(step.token, last, "the last value"),
                    names,
                )

    def _predefined(self, token: Token) -> Matrix:
        if token.text != "pi":
            raise self.source.error(
                token, f"{shown(token.text)} has no value here; use it behind the place where it is declared"
            )
        return number(self.formulas.apply(Operation.PI))

    def _popped(self, stack: list[Matrix], count: int) -> list[Matrix]:
        taken = stack[len(stack) - count :]
        del stack[len(stack) - count :]
        return taken

    def _binary(self, token: Token, first: Matrix, second: Matrix) -> Matrix:
        match token.text:
            case "+":
                return combined(self.formulas, Operation.ADD, first, second)
            case "-":
                return combined(self.formulas, Operation.SUB, first, second)
            case "*":
                self.spend(len(first.entries) * (second.columns if first.columns == second.rows else 1), token)
                return product(self.formulas, first, second)
            case "/":
                return quotient(self.formulas, first, second)
        return self._applied(Operation.POWER, "^", [first, second])

    def _applied(self, operation: Operation, name: str, arguments: list[Matrix]) -> Matrix:
        for argument in arguments:
            if not argument.is_number:
                raise InputError(f"{name} of {argument.size} has no meaning; write it for each entry")
        return number(self.formulas.apply(operation, *(argument.entries[0] for argument in arguments)))

    def integer(self, token: Token, value: Matrix, what: str) -> int:
        """The integer that a constant expression is."""
        exact = exact_value(value.entries[0]) if value.is_number else None
        if exact is None or exact.denominator != 1:
            raise self.source.error(
                token, f"{what} is no integer constant; write an integer or an expression of constants and iterators"
            )
        return exact.numerator

    def bounds(self, token: Token, formula: Formula) -> Bounds:
        """Rational ends that enclose a constant formula."""
        try:
            return self.enclosures.of(formula)
        except InputError as error:
            raise self.source.error(token, str(error)) from None

    def _interval(self, step: Instruction, stack: list[Matrix]) -> Matrix:
        ends: list[Fraction | None] = [None, None]
        for place in (1, 0):
            if step.finite[place]:
                value = stack.pop()
                if not value.is_number:
                    raise InputError(f"an end of an interval is {value.size}; write a number")
                bounds = self.enclosures.of(value.entries[0])
                ends[place] = bounds.upper if place else bounds.lower
                if bounds.lower != bounds.upper:
                    self.notes.add(step.token, f"an end of the interval is {ROUNDED}")
        lower, upper = ends
        if lower is not None and upper is not None and lower > upper:
            raise InputError("the interval is empty, its lower end exceeds its upper end; exchange them")
        return number(self.formulas.interval(lower, upper))

    def _index(self, step: Instruction, value: Matrix, numbers: list[int]) -> Matrix:
        base = 0 if step.token.text == "[" else 1
        limits = (value.rows, value.columns)
        if len(step.slots) == 1:  # a row vector is indexed along its columns, all else along its rows
            axis = 1 if value.rows == 1 else 0
            chosen = [range(value.rows), range(value.columns)]
            chosen[axis] = self._range(step.token, step.slots[0], numbers, base, limits[axis])
        else:
            first, second = step.slots
            rows = self._range(step.token, first, numbers[: first.value], base, value.rows)
            chosen = [rows, self._range(step.token, second, numbers[first.value :], base, value.columns)]
        self.spend(len(chosen[0]) * len(chosen[1]), step.token)
        return value.part(chosen[0], chosen[1])

    def _range(self, token: Token, slot: Slot, numbers: list[int], base: int, limit: int) -> range:
        if slot is Slot.ALL:
            return range(limit)
        first, last = numbers[0], numbers[-1]
        if not base <= first <= last < base + limit:
            texts = [str(value) if abs(value) < 10**9 else "a giant number" for value in dict.fromkeys((first, last))]
            count = (
                "(i) counts from 1" if base else "[i] counts from 0 (old IBEX files count it from 1: write (i) there)"
            )
            what = f"the index {':'.join(texts)} is not within {base}:{base + limit - 1}"
            raise self.source.error(token, f"{what}; {count}, and a range goes upwards")
        return range(first - base, last - base + 1)

    def _call(self, token: Token, arguments: list[Matrix]) -> Matrix:
        name = token.text
        if name in self.functions:
            return self._inlined(token, self.functions[name], arguments)
        if name in UNSUPPORTED:
            raise self.source.error(token, f"the function {name} is not supported; write its formula")
        if name in ENDS:
            return self._end_of(token, arguments)
        function = FUNCTIONS[name]
        if not function.takes(len(arguments)):
            expects = f"{function.expects} argument{'s' if function.operands > 1 else ''}"
            raise self.source.error(token, f"{name} takes {expects}, not {len(arguments)}; correct the call")
        if name == SQUARE:
            return self._applied(Operation.POWER, name, [*arguments, number(self.formulas.constant(2))])
        return self._applied(function.operation, name, arguments)

    def _end_of(self, token: Token, arguments: list[Matrix]) -> Matrix:
        """inf, mid and sup of a constant interval."""
        constant = arguments[0].entries[0]
        if (
            len(arguments) != 1
            or not isinstance(constant, Constant)
            or constant.lower is None
            or constant.upper is None
        ):
            raise self.source.error(
                token, f"{token.text} takes one bounded constant interval; write it such as {token.text}([0,1])"
            )
        values = {"inf": constant.lower, "mid": (constant.lower + constant.upper) / 2, "sup": constant.upper}
        return number(self.formulas.constant(values[token.text]))

    def _inlined(self, token: Token, inline: Inline, arguments: list[Matrix]) -> Matrix:
        function = inline.function
        if len(arguments) != len(function.parameters):
            raise InputError(
                f"the number of arguments of {token.text} is {len(function.parameters)}, not {len(arguments)}; "
                f"correct the call"
            )
        local: dict[str, Matrix] = {}
        for parameter, dimensions, argument in zip(function.parameters, inline.dimensions, arguments, strict=True):
            if (argument.rows, argument.columns) != dimensions:
                needed = "a number" if dimensions == (1, 1) else f"a matrix of {dimensions[0]} x {dimensions[1]}"
                what = (
                    f"the argument {shown(parameter.name.text)} of {token.text} is {argument.size}, {needed} is needed"
                )
                raise self.source.error(token, f"{what}; correct the call")
            local[parameter.name.text] = argument
        names = ChainMap(local, self.constants)
        with self.nested(token):
            for assignment in function.assignments:
                local[assignment.name.text] = self.run(assignment.value, names)
            return self.run(function.result, names)

    def _sum(self, step: Instruction, first: int, last: int, names: Names) -> Matrix:
        total: Matrix | None = None
        inner = names.new_child()
        with self.nested(step.token):
            for value in range(first, last + 1):
                self.spend(ITERATION, step.token)
                inner[step.iterator] = number(self.formulas.constant(value))
                term = self.run(step.body, inner)
                total = term if total is None else combined(self.formulas, Operation.ADD, total, term)
        return total if total is not None else number(self.formulas.constant(0))
