"""Rational enclosures of formulas without variables, for ends of intervals: [0, 2*pi] becomes [0, u] with u just above
2 pi.

What is rational stays exact; pi is enclosed to 50 decimals, a root to 2^-200, all other functions as the table of
functions says, outwards. All is computed in integers: this is a part of the translation that a certificate trusts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from math import isqrt

from certify.problems.errors import InputError
from certify.problems.formulas.graph import (
    Apply,
    Constant,
    Formula,
    Operation,
    Symbol,
    checked,
    exact_power,
    exact_value,
    ordered,
    symbol,
)
from certify.problems.functions.function_table import enclosed

Range = tuple[Fraction, Fraction]

_PI = Fraction(314159265358979323846264338327950288419716939937510, 10**50)  # the first 50 decimals, so below pi
_PI_RANGE = (_PI, _PI + Fraction(1, 10**50))
_ROOT_BITS = 200
MAX_NODES = 100_000


@dataclass(frozen=True, slots=True)
class Bounds:
    """All values lie between the ends, None being infinite; `thin` if there is only one value (known exactly where the
    ends are equal).
    """

    lower: Fraction | None
    upper: Fraction | None
    thin: bool


@dataclass(frozen=True, slots=True)
class Enclosures:
    """Encloses the formulas of one store; what was enclosed is remembered, so that a growing chain of constants stays
    cheap.
    """

    known: dict[int, tuple[Range, bool]] = field(default_factory=dict)

    def of(self, formula: Formula) -> Bounds:
        """Bounds of a formula without variables."""
        if isinstance(formula, Constant):
            return Bounds(formula.lower, formula.upper, formula.exact is not None)
        nodes = ordered((formula,), self.known)
        if len(self.known) + len(nodes) > MAX_NODES:
            raise InputError(f"the bounds contain more than {MAX_NODES} operations; write numbers")
        for node in nodes:
            lower, upper = self._range_of(node)
            thin = (
                all(self.known[id(o)][1] for o in node.operands)
                if isinstance(node, Apply)
                else exact_value(node) is not None
            )
            self.known[id(node)] = ((checked(lower), checked(upper)), thin)
        (lower, upper), thin = self.known[id(formula)]
        return Bounds(lower, upper, thin)

    def _range_of(self, node: Formula) -> Range:
        if isinstance(node, Symbol):
            raise InputError("a constant is expected here, but a variable occurs; write a number")
        if isinstance(node, Constant):
            if node.lower is None or node.upper is None:
                raise InputError("an infinite interval cannot be calculated with; write the result instead")
            return node.lower, node.upper
        operands = [self.known[id(operand)][0] for operand in node.operands]
        if node.operation is Operation.POWER:
            exponent = exact_value(node.operands[1])
            return (
                _enclosed(node.operation, operands)
                if exponent is None or exponent.denominator != 1
                else _power(exponent, operands[0])
            )
        function = _RANGES.get(node.operation)
        return _enclosed(node.operation, operands) if function is None else function(*operands)


def _hull(*values: Fraction) -> Range:
    return min(values), max(values)


def _product(a: Range, b: Range) -> Range:
    return _hull(a[0] * b[0], a[0] * b[1], a[1] * b[0], a[1] * b[1])


def _quotient(a: Range, b: Range) -> Range:
    if b[0] <= 0 <= b[1]:
        raise InputError("a bound is divided by 0; correct it")
    return _product(a, (1 / b[1], 1 / b[0]))


def _enclosed(operation: Operation, operands: list[Range]) -> Range:
    """Any other function, where it has values and is bounded."""
    found = enclosed(operation, operands)
    if found is None:
        raise InputError(f"a bound uses {symbol(operation)} where it is not defined or not bounded; correct it")
    return found


def _power(exponent: Fraction, base: Range) -> Range:
    if exponent < 0:
        return _quotient((Fraction(1), Fraction(1)), _monomial(base, -exponent))
    return _monomial(base, exponent)


def _monomial(base: Range, exponent: Fraction) -> Range:
    ends = [value for end in base if (value := exact_power(end, exponent)) is not None]
    if exponent > 0 and exponent.numerator % 2 == 0 and base[0] < 0 < base[1]:
        ends.append(Fraction(0))
    return _hull(*ends)


def _root(a: Range) -> Range:
    if a[0] < 0:
        raise InputError("a bound is the root of a negative number; correct it")
    return _root_below(a[0]), _root_above(a[1])


def _root_below(value: Fraction) -> Fraction:
    """The floor of sqrt(value) on a grid, exact for squares of rationals."""
    root = Fraction(isqrt(value.numerator), isqrt(value.denominator))
    if root * root == value:
        return root
    return Fraction(isqrt((value.numerator << 2 * _ROOT_BITS) // value.denominator), 1 << _ROOT_BITS)


def _root_above(value: Fraction) -> Fraction:
    """The next number of that grid, unless the root is exact."""
    below = _root_below(value)
    return below if below * below == value else below + Fraction(1, 1 << _ROOT_BITS)


_RANGES: dict[Operation, Callable[..., Range]] = {
    Operation.PI: lambda: _PI_RANGE,
    Operation.ADD: lambda a, b: (a[0] + b[0], a[1] + b[1]),
    Operation.SUB: lambda a, b: (a[0] - b[1], a[1] - b[0]),
    Operation.MUL: _product,
    Operation.DIV: _quotient,
    Operation.NEG: lambda a: (-a[1], -a[0]),
    Operation.SQRT: _root,
}
