"""A function as straight-line code: one flat list of operations with back-references only.

Node i < inputs is input i; node inputs + j is the value of operation j; the last node is the first output's default.
The same tape serves floats, intervals, polynomials and derivatives, over any number of rows and boxes at once.
`Builder` shares equal operations and folds what is trivially constant (x + 0, 1 * x, 0 * x), so that derived tapes stay
small. Constants are exact.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from certify.contractors.numbers.enclosures import enclose_rational


class Operation(IntEnum):
    """What a node computes; `first` and `second` are its operands. A new one takes the next number: kernels compare
    numbers.

    POWER is first^second for first > 0, and 0^y = 0 for y > 0. INTEGER_POWER takes the n of x^n from a CONSTANT as its
    second operand. LESS and FLAT occur in derivatives only: LESS is 1 where first <= second everywhere, 0 where
    first >= second everywhere, else [0, 1]; FLAT is the slope of SIGN, 0 away from its jump.
    """

    CONSTANT = 0
    PI = 1
    ADD = 2
    SUB = 3
    MUL = 4
    DIV = 5
    NEG = 6
    SQR = 7
    SQRT = 8
    SIN = 9
    COS = 10
    TAN = 11
    EXP = 12
    LOG = 13
    ASIN = 14
    ACOS = 15
    ATAN = 16
    SINH = 17
    COSH = 18
    TANH = 19
    ABS = 20
    ASINH = 21
    ACOSH = 22
    ATANH = 23
    SIGN = 24
    FLAT = 25
    MIN = 26
    MAX = 27
    LESS = 28
    ATAN2 = 29
    POWER = 30
    INTEGER_POWER = 31
    ERF = 32


_ARITHMETIC = frozenset({Operation.ADD, Operation.SUB, Operation.MUL, Operation.DIV})
BINARY = _ARITHMETIC | {
    Operation.MIN,
    Operation.MAX,
    Operation.LESS,
    Operation.ATAN2,
    Operation.POWER,
    Operation.INTEGER_POWER,
}
NULLARY = frozenset({Operation.CONSTANT, Operation.PI})
LARGEST_EXPONENT = 2**53  # of an integer power: doubles hold it exactly
LARGEST_FOLDED = 4096  # bits of a constant power that is computed


PARTIAL = frozenset(
    Operation[name]
    for name in ("DIV", "SQRT", "TAN", "LOG", "ASIN", "ACOS", "ATAN2", "ACOSH", "ATANH", "POWER", "INTEGER_POWER")
)  # defined for some numbers only, or taken as such


class Step(NamedTuple):
    """One operation; operands that it does not use are -1."""

    operation: Operation
    first: int = -1
    second: int = -1
    constant: Fraction | None = None


@dataclass(frozen=True)
class Tape:
    """Straight-line code from `inputs` numbers to the values of the nodes `outputs`."""

    inputs: int
    steps: tuple[Step, ...]
    outputs: tuple[int, ...]

    @property
    def nodes(self) -> int:
        """Number of inputs and operations together."""
        return self.inputs + len(self.steps)

    @cached_property
    def code(self) -> NDArray[np.int64]:
        """Rows (operation, first, second) for the kernels."""
        return np.array([[s.operation, s.first, s.second] for s in self.steps], dtype=np.int64).reshape(-1, 3)

    @cached_property
    def constants(self) -> NDArray[np.float64]:
        """For each step the enclosure of its constant (zeros where there is none)."""
        return np.array(
            [enclose_rational(s.constant) if s.constant is not None else (0.0, 0.0) for s in self.steps]
        ).reshape(-1, 2)

    @cached_property
    def output_nodes(self) -> NDArray[np.int64]:
        """The outputs as an array."""
        return np.array(self.outputs, dtype=np.int64)


@dataclass
class Builder:
    """Grows a tape; every method returns the number of the node that holds the result."""

    inputs: int
    steps: list[Step] = field(default_factory=list)
    _known: dict[Step, int] = field(default_factory=dict)
    _partial: set[int] = field(default_factory=set)

    def _node(self, step: Step) -> int:
        found = self._known.get(step)
        if found is None:
            found = self._known[step] = self.inputs + len(self.steps)
            self.steps.append(step)
            if step.operation in PARTIAL or step.first in self._partial or step.second in self._partial:
                self._partial.add(found)
        return found

    def _vanishing(self, node: int) -> int:
        """0 times a node: just 0, unless the node may be undefined somewhere; then it stays, and with it where it is
        defined.
        """
        zero = self.constant(0)
        return self._node(Step(Operation.MUL, zero, node)) if node in self._partial else zero

    def value_of(self, node: int) -> Fraction | None:
        """The exact constant that a node holds, or None."""
        return None if node < self.inputs else self.steps[node - self.inputs].constant

    def constant(self, value: Fraction | int) -> int:
        """An exact constant."""
        return self._node(Step(Operation.CONSTANT, constant=Fraction(value)))

    def pi(self) -> int:
        """The number pi."""
        return self._node(Step(Operation.PI))

    def add(self, first: int, second: int) -> int:
        """first + second"""
        a, b = self.value_of(first), self.value_of(second)
        if a is not None and b is not None:
            return self.constant(a + b)
        if a == 0:
            return second
        if b == 0:
            return first
        return self._node(Step(Operation.ADD, first, second))

    def sub(self, first: int, second: int) -> int:
        """first - second"""
        a, b = self.value_of(first), self.value_of(second)
        if a is not None and b is not None:
            return self.constant(a - b)
        if b == 0:
            return first
        if a == 0:
            return self.neg(second)
        return self._node(Step(Operation.SUB, first, second))

    def mul(self, first: int, second: int) -> int:
        """first * second"""
        a, b = self.value_of(first), self.value_of(second)
        if a is not None and b is not None:
            return self.constant(a * b)
        if a == 0 or b == 0:
            return self._vanishing(second if a == 0 else first)
        if a == 1:
            return second
        if b == 1:
            return first
        if a == -1:
            return self.neg(second)
        if b == -1:
            return self.neg(first)
        if first == second:
            return self.sqr(first)
        return self._node(Step(Operation.MUL, first, second))

    def div(self, first: int, second: int) -> int:
        """first / second"""
        a, b = self.value_of(first), self.value_of(second)
        if a is not None and b:
            return self.constant(a / b)
        if b == 1:
            return first
        return self._node(Step(Operation.DIV, first, second))

    def neg(self, first: int) -> int:
        """- first"""
        a = self.value_of(first)
        if a is not None:
            return self.constant(-a)
        if first >= self.inputs and self.steps[first - self.inputs].operation is Operation.NEG:
            return self.steps[first - self.inputs].first
        return self._node(Step(Operation.NEG, first))

    def sqr(self, first: int) -> int:
        """first squared"""
        a = self.value_of(first)
        return self.constant(a * a) if a is not None else self._node(Step(Operation.SQR, first))

    def sqrt(self, first: int) -> int:
        """The square root of first"""
        return self._node(Step(Operation.SQRT, first))

    def sin(self, first: int) -> int:
        """The sine of first, in radians"""
        return self.constant(0) if self.value_of(first) == 0 else self._node(Step(Operation.SIN, first))

    def cos(self, first: int) -> int:
        """The cosine of first, in radians"""
        return self.constant(1) if self.value_of(first) == 0 else self._node(Step(Operation.COS, first))

    def function(self, operation: Operation, first: int) -> int:
        """Any other function of one number."""
        a = self.value_of(first)
        if a is not None and operation in (Operation.ABS, Operation.SIGN):
            return self.constant(abs(a) if operation is Operation.ABS else (a > 0) - (a < 0))
        return self._node(Step(operation, first))

    def min(self, first: int, second: int) -> int:
        """The lesser of two numbers"""
        a, b = self.value_of(first), self.value_of(second)
        if a is not None and b is not None:
            return self.constant(min(a, b))
        return first if first == second else self._node(Step(Operation.MIN, first, second))

    def max(self, first: int, second: int) -> int:
        """The greater of two numbers"""
        a, b = self.value_of(first), self.value_of(second)
        if a is not None and b is not None:
            return self.constant(max(a, b))
        return first if first == second else self._node(Step(Operation.MAX, first, second))

    def less(self, first: int, second: int) -> int:
        """The share of `first` in the slope of min(first, second)"""
        return self._node(Step(Operation.LESS, first, second))

    def atan2(self, first: int, second: int) -> int:
        """The angle in (-pi, pi] of the point with the ordinate `first` and the abscissa `second`, not both 0"""
        return self._node(Step(Operation.ATAN2, first, second))

    def power(self, first: int, second: int) -> int:
        """first ^ second for first > 0, and 0^y = 0 for y > 0"""
        return (
            self.sqrt(first)
            if self.value_of(second) == Fraction(1, 2)
            else self._node(Step(Operation.POWER, first, second))
        )

    def integer_power(self, first: int, exponent: int) -> int:
        """first ^ exponent for an integer, as one operation"""
        if abs(exponent) > LARGEST_EXPONENT:
            raise ValueError(f"the exponent {exponent} is larger than 2^53")
        if exponent == 0:
            return self.add(self._vanishing(first), self.constant(1))
        if exponent == 1:
            return first
        if exponent == 2:
            return self.sqr(first)
        a = self.value_of(first)
        if a is not None and (a or exponent > 0) and _bits(a) * abs(exponent) <= LARGEST_FOLDED:
            return self.constant(a**exponent)
        return self._node(Step(Operation.INTEGER_POWER, first, self.constant(exponent)))

    def power_by_products(self, first: int, exponent: int) -> int:
        """first ^ exponent for an integer, from squares and products only, the operations that certificates know."""
        if exponent == 0:
            return self.add(self._vanishing(first), self.constant(1))
        result = first
        for bit in bin(abs(exponent))[3:]:
            result = self.sqr(result)
            if bit == "1":
                result = self.mul(result, first)
        return result if exponent > 0 else self.div(self.constant(1), result)

    def row(self, result: int) -> Tape:
        """The finished tape of one number, which is its last node whatever the result was."""
        tape = self.tape((result,))
        if tape.steps and tape.outputs[0] == tape.nodes - 1:
            return tape
        zero = Step(Operation.CONSTANT, constant=Fraction(0))
        steps = (*tape.steps, zero, Step(Operation.ADD, tape.outputs[0], tape.nodes))
        return Tape(tape.inputs, steps, (tape.nodes + 1,))

    def tape(self, outputs: tuple[int, ...]) -> Tape:
        """The finished tape, without the operations that no output needs."""
        needed = set(outputs)
        for node in range(self.inputs + len(self.steps) - 1, self.inputs - 1, -1):
            if node in needed:
                step = self.steps[node - self.inputs]
                needed.update(operand for operand in (step.first, step.second) if operand >= 0)
        places = {node: node for node in range(self.inputs)}
        kept: list[Step] = []
        for position, step in enumerate(self.steps):
            node = self.inputs + position
            if node in needed:
                places[node] = self.inputs + len(kept)
                kept.append(step._replace(first=places.get(step.first, -1), second=places.get(step.second, -1)))
        return Tape(self.inputs, tuple(kept), tuple(places[node] for node in outputs))


def _bits(value: Fraction) -> int:
    return max(value.numerator.bit_length(), value.denominator.bit_length())


def replay(tape: Tape, builder: Builder, inputs: list[int]) -> list[int]:
    """Append the tape's operations to a builder, its inputs being the given nodes; returns the node of each of its
    nodes.
    """
    nodes = list(inputs)
    for operation, first, second, constant in tape.steps:
        nodes.append(
            apply(
                builder, operation, nodes[first] if first >= 0 else -1, nodes[second] if second >= 0 else -1, constant
            )
        )
    return nodes


def apply(builder: Builder, operation: Operation, first: int, second: int, constant: Fraction | None = None) -> int:
    """One operation by its code."""
    if operation is Operation.CONSTANT:
        return builder.constant(constant if constant is not None else 0)
    if operation is Operation.PI:
        return builder.pi()
    if operation is Operation.INTEGER_POWER:
        return builder.integer_power(first, int(builder.value_of(second) or 0))
    method = getattr(builder, operation.name.lower(), None)
    if method is None:
        return builder.function(operation, first)
    result: int = method(first, second) if operation in BINARY else method(first)
    return result
