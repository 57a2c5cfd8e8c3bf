"""Isolated zeros (specification, section 8): rows of a scope are n equations for n variables, each zero is alone in a
box Y.

Krawczyk's operator K = c - C f(c) + (I - C J) (Y - c) contains x - C f(x) for every x in Y. If K lies in the interior
of Y then f has exactly one zero in Y, it lies in K, and every matrix in J is regular. The K of two zeros are disjoint:
they are two.

Conditions are the rows that are bound to measurements: on K they take values <= 0 at one end of all their measurements,
>= 0 at the other. So at the zero they are 0 for some measurements in between; no measurement is shared, so one
realisation serves all.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from .certificate import Zero
from .interval import Arithmetic, Interval
from .outcome import Clock, Rejection, require
from .scope import Scope
from .tape import ZERO
from .text import shown

VARIABLES: Final = 64

Enclosure = tuple[Interval, ...]


def check_zeros(scope: Scope, zeros: Sequence[Zero], clock: Clock) -> list[Enclosure]:
    """Where they are; raise Rejection, with the zero, unless each box holds one zero, all different and within the
    bounds.
    """
    check_square(scope)
    enclosures = []
    for number, zero in enumerate(zeros):
        try:
            enclosures.append(isolate(scope, zero, clock))
        except Rejection as rejection:
            rejection.where = f"zero {number}"
            raise
    if (pair := overlapping(enclosures, clock)) is not None:
        raise Rejection("zeros", f"zeros {pair[0]} and {pair[1]} may be the same")
    return enclosures


def check_square(scope: Scope) -> None:
    """Raise Rejection unless the scope has as many rows without measurements as variables, and no measurement is used
    twice.
    """
    rows = sum(scope.problem.families[family].rows for family in scope.families if not scope.measured(family))
    require(
        rows == len(scope.variables) > 0,
        "zeros",
        f"there are {shown(str(rows))} rows without measurements for {len(scope.variables)} variables",
    )
    require(all(uses == 1 for uses in scope.uses.values()), "zeros", "a measurement is used more than once")
    check_size(scope, "zeros")


def check_size(scope: Scope, rule: str) -> None:
    """Raise Rejection if there are too many variables."""
    require(len(scope.variables) <= VARIABLES, rule, f"{len(scope.variables)} variables are more than {VARIABLES}")


def isolate(scope: Scope, zero: Zero, clock: Clock) -> Enclosure:
    """The enclosure K of the one zero in Y; raise Rejection unless this is proved, that it is within the bounds, and
    meets the conditions.
    """
    found = alone(scope, zero, krawczyk(scope.arithmetic, zero, *linearised(scope, zero, clock)))
    for family, row in scope.rows():
        require(
            not scope.measured(family) or met(scope, family, row, found, clock),
            "zero",
            f"condition {family}.{row} may not be met",
        )
    return found


def met(scope: Scope, family: int, row: int, found: Enclosure, clock: Clock) -> bool:
    """Whether the row is continuous on K and its measurements, <= 0 at the one end of these and >= 0 at the other.
    Raises Undefined.
    """
    clock.check()
    program = scope.program(family)
    first, second, _ = (program.values(scope.inputs(program, row, found, end))[-1] for end in (0, 1, None))
    return first[1] <= 0 <= second[0] or second[1] <= 0 <= first[0]


def linearised(scope: Scope, zero: Zero, clock: Clock) -> tuple[list[Interval], list[list[Interval]]]:
    """f(c), equation by equation, and J: their derivatives over Y, 0 where a row has none. Raises Undefined."""
    values, slopes = [], []
    centre, spans = scope.outward(zero.centre), scope.outward(zero.box)
    for family, row in scope.rows():
        clock.check()
        if scope.measured(family):
            continue
        program = scope.program(family)
        values.append(program.values(scope.inputs(program, row, centre))[-1])
        gradient = program.gradient(
            program.values(scope.inputs(program, row, spans)), tuple(i for i, _ in program.variables)
        )
        slopes.append([ZERO] * len(spans))
        for (_, variable), slope in zip(program.variables, gradient, strict=True):
            position = scope.positions[variable]
            slopes[-1][position] = scope.arithmetic.add(slopes[-1][position], slope)
    return values, slopes


def overlapping(enclosures: Sequence[Enclosure], clock: Clock) -> tuple[int, int] | None:
    """Two of the boxes that have a point in common: of those that reach into it from the left, in the first variable,
    each is compared.
    """
    reaching: list[int] = []
    for number in sorted(range(len(enclosures)), key=lambda member: enclosures[member][0]):
        box = enclosures[number]
        reaching = [other for other in reaching if box[0][0] <= enclosures[other][0][1]]
        for other in reaching:
            clock.check()
            if all(a[0] <= b[1] and b[0] <= a[1] for a, b in zip(enclosures[other], box, strict=True)):
                return min(other, number), max(other, number)
        reaching.append(number)
    return None


def krawczyk(
    arithmetic: Arithmetic, zero: Zero, values: Sequence[Interval], slopes: Sequence[Sequence[Interval]]
) -> Enclosure:
    """K, outwards, from f(c) and J over Y. Raises Undefined."""
    columns, found = list(zip(*slopes, strict=True)), []
    offsets = [arithmetic.span((low - high) / 2, (high - low) / 2) for low, high in zero.box]
    for i, ((middle, _), entries) in enumerate(zip(zero.centre, zero.inverse, strict=True)):
        factors = [arithmetic.enclose(entry) for entry in entries]
        total = arithmetic.sub(arithmetic.enclose(middle), _dot(arithmetic, factors, values))
        for j, (column, offset) in enumerate(zip(columns, offsets, strict=True)):
            unit = (arithmetic.one, arithmetic.one) if i == j else ZERO
            total = arithmetic.add(
                total, arithmetic.mul(arithmetic.sub(unit, _dot(arithmetic, factors, column)), offset)
            )
        found.append(total)
    return tuple(found)


def alone(scope: Scope, zero: Zero, found: Enclosure) -> Enclosure:
    """K; raise Rejection unless it lies in the interior of Y and within the bounds."""
    arithmetic = scope.arithmetic
    for variable, (low, high), (lower, upper), (least, greatest) in zip(
        scope.variables, found, zero.box, scope.box, strict=True
    ):
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
