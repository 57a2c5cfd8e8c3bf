"""Isolated zeros (specification, section 8): the rows of a scope are n equations for n variables, each zero is alone in a box Y.

Krawczyk's operator K = c - C f(c) + (I - C J) (Y - c) contains x - C f(x) for every x in Y. If it lies in the interior of Y there
is exactly one zero in Y, and it lies in K. K within the bounds: it counts. The K of two zeros are disjoint: they are two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Final

from .certificate import Certificate, Zero
from .interval import Arithmetic, Interval, Undefined
from .outcome import Clock, Rejection, ResourceLimit
from .scope import Box, Scope
from .tape import ZERO

VARIABLES: Final = 64
ENDS: Final = 4_000_000

Enclosure = tuple[Interval, ...]


def check_square(scope: Scope) -> None:
    """Raise Rejection unless the scope has no columns and as many rows as variables, not too many."""
    rows, variables = sum(scope.problem.families[family].rows for family in scope.families), len(scope.variables)
    if scope.columns:
        raise Rejection("zeros", "the scope has columns")
    if rows != variables:
        raise Rejection("zeros", f"the scope has {variables} variables, but not as many rows")
    check_size(scope, "zeros")


def check_size(scope: Scope, rule: str) -> None:
    """Raise Rejection if there are too many variables."""
    if len(scope.variables) > VARIABLES:
        raise Rejection(rule, f"{len(scope.variables)} variables are more than {VARIABLES}")


def check_isolated(scope: Scope, certificate: Certificate, judge: Callable[[Scope, Zero, Clock], Enclosure], clock: Clock) -> tuple[Box, ...]:
    """The boxes Y of all zeros; raise Rejection, with the zero, unless each holds one zero by this judge, all different and within the bounds."""
    count = 1 if certificate.minimum is not None else certificate.zeros or 0
    if count * 2 * len(scope.variables) > ENDS:
        raise ResourceLimit(f"{ENDS} ends of boxes of zeros")
    zeros, boxes, enclosures = certificate.isolated_zeros(len(scope.variables)), [], []
    try:
        for _ in range(count):
            zero = zeros.zero()
            enclosures.append(judge(scope, zero, clock))
            boxes.append(zero.box)
        pair = overlapping(enclosures, clock)
        if pair is not None:
            raise Rejection("zero", f"zeros {pair[0]} and {pair[1]} may be the same")
    except Rejection as rejection:
        rejection.where = zeros.where
        raise
    return tuple(boxes)


def isolate(scope: Scope, zero: Zero, clock: Clock) -> Enclosure:
    """The enclosure K of the one zero in Y; raise Rejection unless it lies in the interior of Y and within the bounds."""
    try:
        centre = [(lower + upper) / 2 for lower, upper in zero.box]
        return enclosed(scope, zero, krawczyk(scope.arithmetic, zero, _values(scope, centre, clock), _slopes(scope, zero.box, clock)))
    except Undefined as undefined:
        raise Rejection("zero", f"the operator cannot be enclosed: {undefined}") from None


def enclosed(scope: Scope, zero: Zero, found: Enclosure) -> Enclosure:
    """K; raise Rejection unless it lies in the interior of Y and within the bounds."""
    arithmetic = scope.arithmetic
    for variable, (low, high), (lower, upper), (least, greatest) in zip(scope.variables, found, zero.box, scope.box, strict=True):
        if not (arithmetic.floor(lower) < low and high < arithmetic.ceiling(upper)):
            raise Rejection("zero", f"the operator does not lie in the interior of the box in variable {variable}")
        if not (arithmetic.ceiling(least) <= low and high <= arithmetic.floor(greatest)):
            raise Rejection("zero", f"it may be out of the bounds of variable {variable}")
    return found


def krawczyk(arithmetic: Arithmetic, zero: Zero, values: Sequence[Interval], slopes: Sequence[Sequence[Interval]]) -> Enclosure:
    """c - C f(c) + (I - C J) (Y - c), outwards, from f(c) and J over Y. Raises Undefined."""
    columns, found = list(zip(*slopes, strict=True)), []
    for i, ((lower, upper), entries) in enumerate(zip(zero.box, zero.inverse, strict=True)):
        factors = [arithmetic.enclose(entry) for entry in entries]
        total = arithmetic.sub(arithmetic.enclose((lower + upper) / 2), _dot(arithmetic, factors, values))
        for j, (column, (low, high)) in enumerate(zip(columns, zero.box, strict=True)):
            unit = (arithmetic.one, arithmetic.one) if i == j else ZERO
            offset = arithmetic.span((low - high) / 2, (high - low) / 2)
            total = arithmetic.add(total, arithmetic.mul(arithmetic.sub(unit, _dot(arithmetic, factors, column)), offset))
        found.append(total)
    return tuple(found)


def _values(scope: Scope, centre: Sequence[Fraction], clock: Clock) -> list[Interval]:
    """f(c), row by row."""
    found = []
    for family, row in scope.rows():
        clock.check()
        found.append(scope.enclose_row(family, row, centre, {}))
    return found


def _slopes(scope: Scope, box: Box, clock: Clock) -> list[list[Interval]]:
    """J: the derivatives of each row in the variables of the scope over the box, 0 where the row has none."""
    spans, found = scope.outward(box), []
    for family, row in scope.rows():
        clock.check()
        program = scope.program(family)
        slopes = [ZERO] * len(box)
        values = program.values(scope.inputs(program, row, spans))
        gradient = program.gradient(values, tuple(i for i, _ in program.variables))
        for (_, variable), slope in zip(program.variables, gradient, strict=True):
            position = scope.positions[variable]
            slopes[position] = scope.arithmetic.add(slopes[position], slope)
        found.append(slopes)
    return found


def _dot(arithmetic: Arithmetic, left: Iterable[Interval], right: Iterable[Interval]) -> Interval:
    total = ZERO
    for a, b in zip(left, right, strict=True):
        total = arithmetic.add(total, arithmetic.mul(a, b))
    return total


def overlapping(enclosures: Sequence[Enclosure], clock: Clock) -> tuple[int, int] | None:
    """Two of the boxes that have a point in common. In each variable they are in one chain of overlapping intervals: only such are compared."""
    groups = [list(range(len(enclosures)))]
    for variable in range(len(enclosures[0]) if enclosures else 0):
        spans = [box[variable] for box in enclosures]
        groups = [chain for group in groups for chain in _chains(group, spans) if len(chain) > 1]
    for group in groups:
        for first, second in combinations(sorted(group), 2):
            clock.check()
            if all(a[0] <= b[1] and b[0] <= a[1] for a, b in zip(enclosures[first], enclosures[second], strict=True)):
                return first, second
    return None


def _chains(group: list[int], spans: Sequence[Interval]) -> list[list[int]]:
    """The group in order of the lower ends, cut where no interval reaches across."""
    chains: list[list[int]] = []
    reach = 0
    for number in sorted(group, key=lambda member: spans[member]):
        low, high = spans[number]
        if chains and low <= reach:
            chains[-1].append(number)
            reach = max(reach, high)
        else:
            chains.append([number])
            reach = high
    return chains
