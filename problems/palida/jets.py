"""Values with their first and second derivatives, of arrays or of balls: a formula and its derivatives at once.

    f = (f, d_i f, d_ij f)     (f g)_ij = f g_ij + g f_ij + f_i g_j + f_j g_i     u(f)_ij = u' f_ij + u'' f_i f_j

Derivatives stand in front: value (...), first (n, ...), second (n, n, ...), or None where first ones will do. With
`Balls` every entry encloses the derivative everywhere in the box that the values enclose; with arrays it is estimated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from certify.problems.dynamics.balls import Balls
from certify.problems.dynamics.balls import solved as solved_balls
from certify.problems.dynamics.balls import stacked as stacked_balls


@dataclass(frozen=True, eq=False)
class Jet:
    """A value and its derivatives, each an array or each `Balls`."""

    value: Any
    first: Any
    second: Any = None

    __array_ufunc__ = None  # an array times a jet is a jet

    def __getitem__(self, key: Any) -> Jet:
        """Of the value's axes, which are written from an ellipsis on."""
        return Jet(self.value[key], self.first[key], None if self.second is None else self.second[key])

    def __neg__(self) -> Jet:
        return Jet(-self.value, -self.first, None if self.second is None else -self.second)

    def __add__(self, other: Any) -> Jet:
        if not isinstance(other, Jet):
            shifted = self.value + _like(self.value, other)
            return Jet(shifted, _stretched(self.first, shifted, 1), _stretched(self.second, shifted, 2))
        second = None if self.second is None else self.second + other.second
        return Jet(self.value + other.value, self.first + other.first, second)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Jet:
        return self.__add__(-other)

    def __rsub__(self, other: Any) -> Jet:
        return (-self).__add__(other)

    def __mul__(self, other: Any) -> Jet:
        a, b = self, other
        if not isinstance(b, Jet):
            factor = _like(a.value, b)
            return Jet(a.value * factor, a.first * factor, None if a.second is None else a.second * factor)
        first = a.first * b.value + b.first * a.value
        if a.second is None:
            return Jet(a.value * b.value, first)
        mixed = a.first[:, None] * b.first[None] + b.first[:, None] * a.first[None]
        return Jet(a.value * b.value, first, a.second * b.value + b.second * a.value + mixed)

    __rmul__ = __mul__

    def sum(self, axis: int = -1) -> Jet:
        """Over one of the last axes."""
        return Jet(self.value.sum(axis), self.first.sum(axis), None if self.second is None else self.second.sum(axis))

    def chain(self, value: Any, slope: Any, bend: Any) -> Jet:
        """u(f), with u, u' and u'' at f."""
        first = self.first * slope
        if self.second is None:
            return Jet(value, first)
        return Jet(value, first, self.second * slope + self.first[:, None] * self.first[None] * bend)


def _stretched(part: Any, value: Any, ahead: int) -> Any:
    """Derivatives of what a constant was added to, in the shape of the sum, which has no more axes."""
    if part is None:
        return None
    if isinstance(value, Balls):
        return Balls(*(_stretched(half, value.middle, ahead) for half in (part.middle, part.radius)))
    return np.broadcast_to(part, (*part.shape[:ahead], *np.shape(value)))


def _like(value: Any, constant: Any) -> Any:
    """A constant as balls, where the value is of balls."""
    return constant if not isinstance(value, Balls) or isinstance(constant, Balls) else Balls.of(constant)


def cosine(x: Any) -> Any:
    """Of an array, of balls or of a jet."""
    if not isinstance(x, Jet):
        return x.cos() if isinstance(x, Balls) else np.cos(x)
    value = cosine(x.value)
    return x.chain(value, -sine(x.value), -value)


def sine(x: Any) -> Any:
    """Of an array, of balls or of a jet."""
    if not isinstance(x, Jet):
        return x.sin() if isinstance(x, Balls) else np.sin(x)
    value = sine(x.value)
    return x.chain(value, cosine(x.value), -value)


def root(x: Any) -> Any:
    """Of what is positive: sqrt x, 1 / (2 sqrt x), -1 / (4 x sqrt x)."""
    if not isinstance(x, Jet):
        return x.sqrt() if isinstance(x, Balls) else np.sqrt(x)
    value, half = root(x.value), _like(x.value, np.float64(0.5))
    slope = half * inverse(value)
    return x.chain(value, slope, -half * slope * inverse(x.value))


def inverse(x: Any) -> Any:
    """1 / x, -1 / x^2, 2 / x^3."""
    if not isinstance(x, Jet):
        return x.reciprocal() if isinstance(x, Balls) else 1.0 / x
    value = inverse(x.value)
    square = value * value
    return x.chain(value, -square, (square + square) * value)


def stacked(parts: Sequence[Any], axis: int = -1) -> Any:
    """Scalars of one shape along a new last axis, -1, or the one before, -2."""
    if isinstance(parts[0], Jet):
        first, value = (stacked([getattr(part, name) for part in parts], axis) for name in ("first", "value"))
        bent = parts[0].second is not None
        return Jet(value, first, stacked([part.second for part in parts], axis) if bent else None)
    return stacked_balls(parts, axis) if isinstance(parts[0], Balls) else np.stack(parts, axis=axis)


def solved(matrix: Any, right: Any) -> Any:
    """x with A x = b, A (..., m, m) and b (..., m); its derivatives solve A x_i = b_i - A_i x, and

    A x_ij = b_ij - A_i x_j - A_j x_i - A_ij x
    """
    if not isinstance(matrix, Jet):
        if isinstance(matrix, Balls):
            return solved_balls(matrix, right)
        return np.linalg.solve(matrix, right[..., None])[..., 0]
    x = solved(matrix.value, right.value)
    first = solved(matrix.value[None], right.first - _times(matrix.first, x[None]))
    if matrix.second is None or right.second is None:
        return Jet(x, first)
    mixed = _times(matrix.first[:, None], first[None])
    turned = _times(matrix.first[None], first[:, None])
    second = solved(matrix.value[None, None], right.second - mixed - turned - _times(matrix.second, x[None, None]))
    return Jet(x, first, second)


def _times(matrix: Any, vector: Any) -> Any:
    return (matrix * vector[..., None, :]).sum(-1)
