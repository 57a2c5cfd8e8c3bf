"""A minimum of the sum of squares (specification, section 8): its gradient has one zero z in a box Y, and its Hessian
is positive definite on Y.

F is the sum of r^2 over all rows; f half its gradient, J half its Hessian. Krawczyk's operator of f lies in the
interior of Y: there is one zero, and every matrix in J is regular. One symmetric matrix in J is positive definite: so
are all. F is strictly convex on Y.
"""

from fractions import Fraction

from .certificate import Zero
from .interval import Interval
from .isolated import Enclosure, alone, check_size, krawczyk
from .jet import Jet, Jets
from .outcome import Clock, require
from .polynomial import Algebra, Polynomial
from .scope import Box, Scope
from .tape import ZERO


def check_minimum(scope: Scope, zero: Zero, value: Fraction, clock: Clock) -> Enclosure:
    """Where the minimiser in Y is; raise Rejection unless it is proved to be the only one there, and to reach no more
    than the value.
    """
    check_size(scope, "minimum")
    gradient, _ = derivatives(scope, zero.centre, clock)
    _, hessian = derivatives(scope, zero.box, clock)
    found = alone(scope, zero, krawczyk(scope.arithmetic, zero, gradient, hessian))
    definite = positive_definite([[(low + high) >> 1 for low, high in row] for row in hessian], clock)
    require(definite, "minimum", "the Hessian is not proved to be positive definite")
    require(
        scope.sum_of_squares(scope.outward(zero.centre), clock)[1] <= scope.arithmetic.floor(value),
        "minimum",
        "it may exceed the value",
    )
    return found


def derivatives(scope: Scope, box: Box, clock: Clock) -> tuple[list[Interval], list[list[Interval]]]:
    """Half the gradient and half the Hessian of F over a box. Raises Undefined."""
    arithmetic, algebra = scope.arithmetic, Algebra(scope.arithmetic, clock)
    one = arithmetic.one, arithmetic.one
    half = arithmetic.div(one, arithmetic.add(one, one))
    spans, centre = scope.outward(box), [arithmetic.enclose((lower + upper) / 2) for lower, upper in box]
    offsets = [arithmetic.span((lower - upper) / 2, (upper - lower) / 2) for lower, upper in box]
    total = Jet(ZERO, {}, {})
    for family, row in scope.rows():
        program = scope.program(family)
        moves: dict[int, Polynomial] = {i: {(scope.positions[variable],): one} for i, variable in program.variables}
        jets, middle = Jets(algebra, program), program.values(scope.inputs(program, row, centre))
        square = jets.squared(jets.row(scope.inputs(program, row, spans), middle, moves, offsets))
        total = Jet(ZERO, algebra.add(total.linear, square.linear), algebra.add(total.square, square.square))
    size = range(len(box))
    gradient = [arithmetic.mul(half, total.linear.get((i,), ZERO)) for i in size]
    mixed = algebra.scale(total.square, half)
    hessian = [
        [total.square.get((i, i), ZERO) if i == j else mixed.get((min(i, j), max(i, j)), ZERO) for j in size]
        for i in size
    ]
    return gradient, hessian


def positive_definite(matrix: list[list[int]], clock: Clock) -> bool:
    """Whether all leading minors of a symmetric matrix are positive (Sylvester), by Bareiss' elimination without
    fractions.
    """
    rows, before = [list(row) for row in matrix], 1
    for k, pivots in enumerate(rows):
        pivot = pivots[k]
        if pivot <= 0:
            return False
        for row in rows[k + 1 :]:
            clock.check()
            factor = row[k]
            row[k + 1 :] = [
                (pivot * entry - factor * other) // before
                for entry, other in zip(row[k + 1 :], pivots[k + 1 :], strict=True)
            ]
        before = pivot
    return True
