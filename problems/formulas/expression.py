"""Numbers that write down what is done to them: a model function called with expressions leaves a tape behind.

Expressions live in numpy object arrays, so that `m.R @ x.b - x.a` means the same as with floats. Floats that occur in a
model are taken as the exact doubles they are; write Fraction("0.1") where a decimal is meant.

The functions are those of the table (`certify.problems.functions.function_table`): `certify.exp`, `certify.min` and so
on. Certificates know + - * /, whole powers, pi and sqrt sin cos exp log atan; `trace` writes the others in these where
that is faithful (`certify.problems.functions.forms`). atan2, sign and powers that are not whole cannot be, since a
model does not say on which side of 0 their operands stay: such a model has a tape for the contractors, and is refused
where a certificate is to be written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial, reduce
from typing import Any, Self

import numpy as np

from certify.contractors.tape.tape import Builder, Operation, apply
from certify.problems.errors import InputError
from certify.problems.functions.function_table import FUNCTIONS

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
                raise InputError(
                    f"the model uses the number {value}, which is not finite; remove it from the model function"
                )
            if isinstance(value, (int, np.integer)):
                return self.builder.constant(int(value))
            return self.builder.constant(value if isinstance(value, Fraction) else Fraction(float(value)))
        raise InputError(
            f"the model combines an unknown with {type(value).__name__} {value!r}; use numbers and the "
            f"functions of certify"
        )

    def _with(self, node: int) -> Self:
        return replace(self, node=node)

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
        """Integer powers of all numbers, in squares and products, which certificates know; other powers of positive
        ones, and 0^y = 0 for y > 0.
        """
        number = self.builder.value_of(self._other(exponent))  # also of what a formula writes as pow(x, 2)
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
        raise InputError(
            "the model compares an unknown with something (==, <, max, ...); write it as one formula without cases"
        )

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _compare
    __hash__ = None  # type: ignore[assignment]

    def applied(self, operation: Operation, values: Sequence[Any]) -> Expression:
        """A function of the table of expressions and numbers, of which this is one."""
        if operation is Operation.POWER:
            raised: Expression = values[0] ** values[1]
            return raised
        nodes = [self._other(value) for value in values]
        if len(nodes) == 1:
            return self._with(apply(self.builder, operation, nodes[0], -1))
        return self._with(reduce(lambda first, second: apply(self.builder, operation, first, second), nodes))

    def __float__(self) -> float:
        raise InputError(
            "the model needs the value of an unknown as a float (math.sqrt and its like); use certify.sqrt, "
            "sin, cos, norm"
        )

    def __getattr__(self, name: str) -> Any:
        """A function of the table as a method: numpy's exp, arctan2 and so on of an object call that."""
        if name.startswith("_") or name not in FUNCTIONS:
            raise AttributeError(f"an unknown of a model has no {name}")
        return partial(FUNCTIONS[name], self)


sqrt, sin, cos = (FUNCTIONS[name] for name in ("sqrt", "sin", "cos"))


def radians(value: Any) -> Any:
    """An angle in degrees as radians, with the exact factor pi / 180 where it is traced."""
    if isinstance(value, Expression):
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
    return np.array(rows, dtype=object if isinstance(ca, Expression) else np.float64)
