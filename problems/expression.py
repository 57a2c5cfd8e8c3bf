"""Numbers that write down what is done to them: a model function called with expressions leaves a tape behind.

Expressions live in numpy object arrays, so that `m.R @ x.b - x.a` means the same as with floats. Floats that occur in a model are taken as the exact
doubles they are; write Fraction("0.1") where a decimal is meant.

Certificates know + - * /, whole powers, pi and sqrt sin cos exp log atan; `trace` writes the other functions of this file in
these where that is faithful (`problems.certified`), so abs, minimum, maximum, tan, asinh and their like can be stated too. atan2, sign
and powers that are not whole cannot, since a model does not say on which side of 0 their operands stay: such a model has a tape for
the contractors, and is refused where a certificate is to be written.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from contractors.tape import Builder, Operation
from problems.errors import InputError

LARGEST_POWER = 64  # of a model; what a certificate states are its products


@dataclass(frozen=True, eq=False)
class Expression:
    """A node of a tape under construction."""

    builder: Builder
    node: int

    def _other(self, value: Any) -> int:
        if isinstance(value, Expression):
            return value.node
        if isinstance(value, (int, float, Fraction, np.integer, np.floating)) and not isinstance(value, bool):
            if isinstance(value, (float, np.floating)) and not np.isfinite(value):
                raise InputError(f"the model uses the number {value}, which is not finite; remove it from the model function")
            if isinstance(value, (int, np.integer)):
                return self.builder.constant(int(value))
            return self.builder.constant(value if isinstance(value, Fraction) else Fraction(float(value)))
        raise InputError(f"the model combines an unknown with {type(value).__name__} {value!r}; use numbers and the functions of certify")

    def _with(self, node: int) -> Expression:
        return Expression(self.builder, node)

    def __add__(self, other: Any) -> Expression:
        return self._with(self.builder.add(self.node, self._other(other)))

    def __radd__(self, other: Any) -> Expression:
        return self._with(self.builder.add(self._other(other), self.node))

    def __sub__(self, other: Any) -> Expression:
        return self._with(self.builder.sub(self.node, self._other(other)))

    def __rsub__(self, other: Any) -> Expression:
        return self._with(self.builder.sub(self._other(other), self.node))

    def __mul__(self, other: Any) -> Expression:
        return self._with(self.builder.mul(self.node, self._other(other)))

    def __rmul__(self, other: Any) -> Expression:
        return self._with(self.builder.mul(self._other(other), self.node))

    def __truediv__(self, other: Any) -> Expression:
        return self._with(self.builder.div(self.node, self._other(other)))

    def __rtruediv__(self, other: Any) -> Expression:
        return self._with(self.builder.div(self._other(other), self.node))

    def __neg__(self) -> Expression:
        return self._with(self.builder.neg(self.node))

    def __pow__(self, exponent: Any) -> Expression:
        """Integer powers of all numbers, in squares and products, which certificates know; other powers of positive ones, and 0^y = 0 for y > 0."""
        number = None if isinstance(exponent, Expression) else self.builder.value_of(self._other(exponent))
        if number is None or number.denominator != 1:
            return self._with(self.builder.power(self.node, self._other(exponent)))
        if abs(number) > LARGEST_POWER:
            raise InputError(f"the model raises to the power {exponent!r}; the largest known is {LARGEST_POWER}")
        return self._with(self.builder.power_by_products(self.node, number.numerator))

    def __rpow__(self, base: Any) -> Expression:
        return self._with(self.builder.power(self._other(base), self.node))

    def __abs__(self) -> Expression:
        return self._with(self.builder.function(Operation.ABS, self.node))

    def __bool__(self) -> bool:
        raise InputError("the model decides by the value of an unknown (if, while, and, or); write it as one formula")

    def _compare(self, other: object) -> bool:
        raise InputError("the model compares an unknown with something (==, <, max, ...); write it as one formula without cases")

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _compare
    __hash__ = None  # type: ignore[assignment]

    def __float__(self) -> float:
        raise InputError("the model needs the value of an unknown as a float (math.sqrt and its like); use certify.sqrt, sin, cos, norm")

    def sqrt(self) -> Expression:
        """Square root; numpy's sqrt of an array of expressions calls this."""
        return self._with(self.builder.sqrt(self.node))

    def sin(self) -> Expression:
        """Sine, as called by numpy."""
        return self._with(self.builder.sin(self.node))

    def cos(self) -> Expression:
        """Cosine, as called by numpy."""
        return self._with(self.builder.cos(self.node))


def _is_traced(value: Any) -> bool:
    return isinstance(value, Expression)


def _function(operation: Operation, of_floats: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def function(value: Any) -> Any:
        """The function of a float or of an expression; angles are in radians."""
        return Expression(value.builder, value.builder.function(operation, value.node)) if _is_traced(value) else of_floats(value)

    return function


exp, log, tan = _function(Operation.EXP, np.exp), _function(Operation.LOG, np.log), _function(Operation.TAN, np.tan)
asin, acos, atan = _function(Operation.ASIN, np.arcsin), _function(Operation.ACOS, np.arccos), _function(Operation.ATAN, np.arctan)
sinh, cosh, tanh = _function(Operation.SINH, np.sinh), _function(Operation.COSH, np.cosh), _function(Operation.TANH, np.tanh)
asinh, acosh, atanh = _function(Operation.ASINH, np.arcsinh), _function(Operation.ACOSH, np.arccosh), _function(Operation.ATANH, np.arctanh)
sign = _function(Operation.SIGN, np.sign)


def _of_two(name: str, first: Any, second: Any, of_floats: Callable[[Any, Any], Any]) -> Any:
    traced = first if _is_traced(first) else second
    if not _is_traced(traced):
        return of_floats(first, second)
    u, v = (value.node if _is_traced(value) else traced._other(value) for value in (first, second))
    return Expression(traced.builder, getattr(traced.builder, name)(u, v))


def atan2(y: Any, x: Any) -> Any:
    """The angle in (-pi, pi] of the point (x, y)."""
    return _of_two("atan2", y, x, np.arctan2)


def minimum(first: Any, second: Any) -> Any:
    """The lesser of two floats or expressions."""
    return _of_two("min", first, second, np.minimum)


def maximum(first: Any, second: Any) -> Any:
    """The greater of two floats or expressions."""
    return _of_two("max", first, second, np.maximum)


def sqrt(value: Any) -> Any:
    """Square root of a float or of an expression."""
    return value.sqrt() if _is_traced(value) else np.sqrt(value)


def sin(value: Any) -> Any:
    """Sine of a float or of an expression, in radians."""
    return value.sin() if _is_traced(value) else np.sin(value)


def cos(value: Any) -> Any:
    """Cosine of a float or of an expression, in radians."""
    return value.cos() if _is_traced(value) else np.cos(value)


def radians(value: Any) -> Any:
    """An angle in degrees as radians, with the exact factor pi / 180 where it is traced."""
    if _is_traced(value):
        return value * Expression(value.builder, value.builder.pi()) / 180
    return np.radians(value)


def norm(vector: Any) -> Any:
    """Euclidean length of a vector of floats or of expressions."""
    squares = [v * v for v in vector]
    total = squares[0]
    for square in squares[1:]:
        total = total + square
    return sqrt(total)


def rotation_xyz(alpha: Any, beta: Any, gamma: Any) -> Any:
    """The matrix Rx(alpha) Ry(beta) Rz(gamma) of three angles in radians."""
    (ca, sa), (cb, sb), (cg, sg) = ((cos(angle), sin(angle)) for angle in (alpha, beta, gamma))
    rows = [
        [cb * cg, -(cb * sg), sb],
        [ca * sg + sa * sb * cg, ca * cg - sa * sb * sg, -(sa * cb)],
        [sa * sg - ca * sb * cg, sa * cg + ca * sb * sg, ca * cb],
    ]
    return np.array(rows, dtype=object if _is_traced(ca) else np.float64)
