"""Krawczyk's operator (specification, section 8): K = c - C f(c) + (I - C J) (Y - c) contains x - C f(x) for every x in Y.

If K lies in the interior of Y then f has exactly one zero in Y, it lies in K, and every matrix in J is regular.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .certificate import Zero
from .interval import Arithmetic, Interval
from .outcome import require
from .scope import Scope
from .tape import ZERO

Enclosure = tuple[Interval, ...]


def krawczyk(arithmetic: Arithmetic, zero: Zero, values: Sequence[Interval], slopes: Sequence[Sequence[Interval]]) -> Enclosure:
    """K, outwards, from f(c) and J over Y. Raises Undefined."""
    columns, found = list(zip(*slopes, strict=True)), []
    offsets = [arithmetic.span((low - high) / 2, (high - low) / 2) for low, high in zero.box]
    for i, ((middle, _), entries) in enumerate(zip(zero.centre, zero.inverse, strict=True)):
        factors = [arithmetic.enclose(entry) for entry in entries]
        total = arithmetic.sub(arithmetic.enclose(middle), _dot(arithmetic, factors, values))
        for j, (column, offset) in enumerate(zip(columns, offsets, strict=True)):
            unit = (arithmetic.one, arithmetic.one) if i == j else ZERO
            total = arithmetic.add(total, arithmetic.mul(arithmetic.sub(unit, _dot(arithmetic, factors, column)), offset))
        found.append(total)
    return tuple(found)


def alone(scope: Scope, zero: Zero, found: Enclosure) -> Enclosure:
    """K; raise Rejection unless it lies in the interior of Y and within the bounds."""
    arithmetic = scope.arithmetic
    for variable, (low, high), (lower, upper), (least, greatest) in zip(scope.variables, found, zero.box, scope.box, strict=True):
        interior = arithmetic.floor(lower) < low and high < arithmetic.ceiling(upper)
        require(interior, "zero", f"the operator does not lie in the interior of the box in variable {variable}")
        within = arithmetic.ceiling(least) <= low and high <= arithmetic.floor(greatest)
        require(within, "zero", f"it may be out of the bounds of variable {variable}")
    return found


def _dot(arithmetic: Arithmetic, left: Iterable[Interval], right: Iterable[Interval]) -> Interval:
    total = ZERO
    for a, b in zip(left, right, strict=True):
        total = arithmetic.add(total, arithmetic.mul(a, b))
    return total
