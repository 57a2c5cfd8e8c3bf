"""Formulas over numbered variables: constants, variables and operations, with equal parts shared.

    f ::= Constant(lower, upper) | Symbol(index) | Apply(operation, operands)

The operations are those of a tape. POWER with an exact integer exponent is the integer power here (x^0 = 1); with any
other exponent e it is exp(e log x), for x > 0, and 0^e = 0 for e > 0, the limit.

`Formulas` makes the nodes: it gives equal formulas the same node (hash-consing), so that within one store "equal" is
"is", and it computes what is rational exactly. A Constant with lower < upper is an interval: each of its occurrences
may take any value in it, also when two occurrences share the node, so c - c is not 0. The value of a formula at a point
is then the set that interval arithmetic gives. Formulas may be very deep: walk them with `ordered`.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass, field
from fractions import Fraction

from certify.contractors.tape.tape import Operation as Operation
from certify.problems.errors import InputError
from certify.problems.functions.function_table import ROWS

MAX_BITS = 4096  # of the numerator and of the denominator of a constant
MAX_NODES = 1_000_000


_SYMBOLS = {
    Operation.ADD: "+",
    Operation.SUB: "-",
    Operation.MUL: "*",
    Operation.DIV: "/",
    Operation.NEG: "unary -",
    Operation.POWER: "^",
}


def symbol(operation: Operation) -> str:
    """Its name in messages."""
    return _SYMBOLS.get(operation, operation.name.lower())


@dataclass(frozen=True, slots=True, eq=False)
class Constant:
    """A number (lower = upper) or an interval; None is an infinite end."""

    lower: Fraction | None
    upper: Fraction | None

    @property
    def exact(self) -> Fraction | None:
        """The number, or None where it is an interval."""
        return self.lower if self.lower is not None and self.lower == self.upper else None


@dataclass(frozen=True, slots=True, eq=False)
class Symbol:
    """The variable number `index`, from 0."""

    index: int


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Apply:
    """An operation on one, two or (MIN and MAX) more operands; PI has none."""

    operation: Operation
    operands: tuple[Formula, ...]

    def __repr__(self) -> str:
        """Only the operation: a formula may be deeper than any text."""
        return f"Apply({self.operation.name}, {len(self.operands)} operands)"


Formula = Constant | Symbol | Apply


def exact_value(formula: Formula) -> Fraction | None:
    """The number that a formula is, if it is a number."""
    return formula.exact if isinstance(formula, Constant) else None


def ordered(formulas: Iterable[Formula], known: Container[int] = ()) -> list[Formula]:
    """All nodes of the formulas, each once, operands before the operations that use them; without those whose id is
    known.
    """
    done: dict[int, Formula] = {}
    stack: list[tuple[Formula, bool]] = [(formula, False) for formula in formulas][::-1]
    while stack:
        node, expanded = stack.pop()
        if id(node) in done or id(node) in known:
            continue
        if expanded or not isinstance(node, Apply):
            done[id(node)] = node
        else:
            stack.append((node, True))
            stack.extend((operand, False) for operand in reversed(node.operands))
    return list(done.values())


def checked(value: Fraction) -> Fraction:
    """The value, if it has no more than MAX_BITS bits."""
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > MAX_BITS:
        raise InputError(f"a constant has more than {MAX_BITS} bits; write smaller numbers or exponents")
    return value


def exact_power(base: Fraction, exponent: Fraction) -> Fraction | None:
    """base ^ exponent for an integer exponent, else None."""
    if exponent.denominator != 1:
        return None
    if base == 0 and exponent < 0:
        raise InputError("0 is raised to a negative power; correct the formula")
    growth = max(abs(base.numerator), base.denominator).bit_length() - 1
    if growth * abs(exponent.numerator) > MAX_BITS:
        raise InputError(f"a constant has more than {MAX_BITS} bits; write smaller numbers or exponents")
    if growth == 0:  # 0 or +-1, whatever the size of the exponent
        return base ** (2 - exponent.numerator % 2 if exponent else 0)
    return Fraction(base**exponent.numerator)


def _quotient(first: Fraction, second: Fraction) -> Fraction:
    if second == 0:
        raise InputError("a constant is divided by 0; correct the formula")
    return first / second


_EXACT: dict[Operation, Callable[..., Fraction | None]] = {
    Operation.ADD: lambda a, b: a + b,
    Operation.SUB: lambda a, b: a - b,
    Operation.MUL: lambda a, b: a * b,
    Operation.DIV: _quotient,
    Operation.NEG: lambda a: -a,
    Operation.POWER: exact_power,
    **{row.operation: row.exact for row in ROWS if row.exact},
}


@dataclass(slots=True)
class Formulas:
    """Makes nodes; equal formulas of one store are the same node."""

    operations: int = 0
    _known: dict[object, Formula] = field(default_factory=dict)

    def _shared(self, key: object, node: Formula) -> Formula:
        return self._known.setdefault(key, node)

    def interval(self, lower: Fraction | None, upper: Fraction | None) -> Formula:
        """The interval [lower, upper]; None is an infinite end."""
        return self._shared((lower, upper), Constant(lower, upper))

    def constant(self, value: Fraction | int) -> Formula:
        """An exact number."""
        number = checked(Fraction(value))
        return self.interval(number, number)

    def variable(self, index: int) -> Formula:
        """The variable with this number, from 0."""
        return self._shared(index, Symbol(index))

    def apply(self, operation: Operation, *operands: Formula) -> Formula:
        """The operation on the operands; a number, where it is rational and all operands are."""
        fold = _EXACT.get(operation)
        if fold is not None:
            numbers = [number for number in map(exact_value, operands) if number is not None]
            value = fold(*numbers) if len(numbers) == len(operands) else None
            if value is not None:
                return self.constant(value)
        key = (
            "",
            operation,
            *map(id, operands),
        )  # the text tells it from the ends of an interval, as operations are numbers
        if key not in self._known:
            self.operations += 1
            if self.operations > MAX_NODES:
                raise InputError(f"the formulas have more than {MAX_NODES} different operations; split the problem")
        return self._shared(key, Apply(operation, operands))
