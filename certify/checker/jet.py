"""Taylor's form of second order (specification, section 7): values with enclosures of their first and second derivatives.

Theorem (of every operation): let d be a displacement and the operands' inputs within the enclosures. A jet (value, linear,
square) of a node contains its value, its derivative in the direction d, and half its second derivative in that direction,
as polynomials in d with interval coefficients. Chain rule: phi(u)' = phi'(u) u', phi(u)''/2 = phi'(u) u''/2 + phi''(u)/2 u'^2.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from .interval import Interval
from .polynomial import Algebra, Polynomial
from .problem import Operation
from .tape import ZERO, Program


@dataclass(frozen=True, slots=True)
class Jet:
    """An enclosed value, its derivative and half its second derivative in the direction d."""

    value: Interval
    linear: Polynomial
    square: Polynomial


class Jets:
    """Evaluates tapes with jets."""

    __slots__ = ("_algebra", "_program")

    def __init__(self, algebra: Algebra, program: Program) -> None:
        self._algebra: Final = algebra
        self._program: Final = program

    def row(self, inputs: Sequence[Interval], centre: Sequence[Interval], moves: Mapping[int, Polynomial], offsets: Sequence[Interval]) -> Jet:
        """The jet of r over the inputs; `centre` encloses all nodes at d = 0, `moves` says how the variables move with d. Raises Undefined.

        A value is intersected with the mean-value form: in skew coordinates this is much sharper.
        """
        values = self._program.constants(inputs)
        jets = [Jet(value, {}, {}) for value in values]
        for i, move in moves.items():
            jets[i] = self._sharpened(Jet(values[i], move, {}), centre[i], offsets)
        for node, operation in self._program.nodes():
            self._algebra.clock.check()
            if self._program.depends[node]:
                jets[node] = self._sharpened(self._evaluate(operation, jets), centre[node], offsets)
        return jets[-1]

    def _sharpened(self, jet: Jet, centre: Interval, offsets: Sequence[Interval]) -> Jet:
        """The value within its enclosure at d = 0 plus the derivative times d."""
        arithmetic = self._program.calculus.arithmetic
        low, high = centre
        for (place,), slope in jet.linear.items():
            part = arithmetic.mul(slope, offsets[place])
            low, high = low + part[0], high + part[1]
        return Jet((max(low, jet.value[0]), min(high, jet.value[1])), jet.linear, jet.square)

    def _product(self, u: Jet, w: Jet, value: Interval) -> Jet:
        """u w, whose value is known."""
        algebra = self._algebra
        linear = algebra.add(algebra.scale(u.linear, w.value), algebra.scale(w.linear, u.value))
        square = algebra.add(algebra.scale(u.square, w.value), algebra.scale(w.square, u.value))
        return Jet(value, linear, algebra.add(square, algebra.multiply(u.linear, w.linear)))

    def squared(self, u: Jet) -> Jet:
        """u^2, without its value."""
        return self._function("sqr", u, ZERO)

    def _evaluate(self, operation: Operation, jets: Sequence[Jet]) -> Jet:
        algebra, u, w = self._algebra, jets[operation.first], jets[operation.second]
        arithmetic, functions = self._program.calculus.arithmetic, self._program.calculus.functions
        match operation.code:
            case "add":
                return Jet(arithmetic.add(u.value, w.value), algebra.add(u.linear, w.linear), algebra.add(u.square, w.square))
            case "sub":
                return Jet(arithmetic.sub(u.value, w.value), algebra.sub(u.linear, w.linear), algebra.sub(u.square, w.square))
            case "neg":
                return Jet(arithmetic.neg(u.value), algebra.neg(u.linear), algebra.neg(u.square))
            case "mul":
                return self._product(u, w, arithmetic.mul(u.value, w.value))
            case "div":
                inverse = self._function("inverse", w, arithmetic.div(self._one, w.value))
                return self._product(u, inverse, arithmetic.div(u.value, w.value))
        return self._function(operation.code, u, functions[operation.code](u.value))

    @property
    def _one(self) -> Interval:
        one = self._program.calculus.arithmetic.one
        return one, one

    def _function(self, code: str, u: Jet, value: Interval) -> Jet:
        """phi(u): phi' and phi'' / 2 at the values of u."""
        calculus = self._program.calculus
        arithmetic, functions = calculus.arithmetic, calculus.functions
        half = arithmetic.div(self._one, arithmetic.add(self._one, self._one))
        match code:
            case "sqr":
                first, second = arithmetic.add(u.value, u.value), self._one
            case "sqrt":
                first = arithmetic.div(half, value)
                second = arithmetic.neg(arithmetic.div(arithmetic.mul(arithmetic.sqr(half), first), u.value))
            case "inverse":
                first = arithmetic.neg(arithmetic.sqr(value))
                second = arithmetic.neg(arithmetic.mul(first, value))
            case "sin":
                first, second = functions["cos"](u.value), arithmetic.neg(arithmetic.mul(half, value))
            case _:
                first, second = arithmetic.neg(functions["sin"](u.value)), arithmetic.neg(arithmetic.mul(half, value))
        algebra = self._algebra
        square = algebra.add(algebra.scale(u.square, first), algebra.scale(algebra.square(u.linear), second))
        return Jet(value, algebra.scale(u.linear, first), square)
