"""The minimum of the sum of squares: isolated by Krawczyk's operator for its gradient (specification, section 8)."""

from __future__ import annotations

from flint import arb, fmpq, fmpz

from .boxes import Rows
from .certificate import Certificate, Zero
from .interval import NOTHING, Interval, add, ball, between, multiply, thin
from .outcome import Deadline, Rejection, Undefined
from .polynomial import Polynomial
from .taylor import derivatives, squares, units
from .text import exact
from .zeros import check_enclosure, krawczyk


def _gradient(rows: Rows, ranges: list[Interval]) -> list[Interval]:
    """Half of the gradient: the sum of r grad r."""
    total = [NOTHING] * len(ranges)
    for family, plan in rows.plans.items():
        for row in range(plan.family.rows):
            nodes = rows.nodes(family, row, ranges)
            slopes = plan.slopes(nodes, plan.variables)
            for node, place in zip(plan.variables, rows.places[family], strict=True):
                total[place] = add(total[place], multiply(nodes[-1], slopes[node]))
    return total


def _hessian(rows: Rows, ranges: list[Interval]) -> list[list[Interval]]:
    """Half of the second derivatives: the sum of grad r grad r' + r hess r, the same number at (i, j) and (j, i)."""
    size = len(ranges)
    total: Polynomial = {}
    for family, plan in rows.plans.items():
        for row in range(plan.family.rows):
            nodes = rows.nodes(family, row, ranges)
            first, second = derivatives(plan, units(rows.places[family]), nodes)
            for part in (squares(first), {place: multiply(nodes[-1], value) for place, value in second.items()}):
                for place, value in part.items():
                    total[place] = add(total.get(place, NOTHING), value)
    return [[total.get((min(i, j), max(i, j)), NOTHING) for j in range(size)] for i in range(size)]


def is_positive_definite(matrix: list[list[fmpq]], deadline: Deadline) -> bool:
    """Whether a symmetric matrix is: all its leading minors are positive. Elimination without fractions."""
    common = fmpz(1)
    for row in matrix:
        for entry in row:
            common = common.lcm(entry.q)
    left = [[(entry * common).p for entry in row] for row in matrix]
    last = fmpz(1)
    while left:
        deadline.check()
        top, *others = left
        pivot = top[0]
        if not pivot > 0:
            return False
        left = [
            [(pivot * entry - row[0] * above) // last for entry, above in zip(row[1:], top[1:], strict=True)]
            for row in others
        ]
        last = pivot
    return True


def check_minimum(certificate: Certificate, rows: Rows, deadline: Deadline) -> None:
    """Reject the certificate if its minimum is not proved to be one."""
    if certificate.minimum is None:
        return
    (zero,) = certificate.isolated
    try:
        _check(certificate, zero, rows, deadline)
    except Undefined as failure:
        raise _bad(str(failure), zero) from failure


def _bad(reason: str, zero: Zero) -> Rejection:
    return Rejection("minimum", reason, "certificate", zero.line)


def _check(certificate: Certificate, zero: Zero, rows: Rows, deadline: Deadline) -> None:
    box = [(exact(low), exact(high)) for low, high in zero.box]
    if not all(low < high for low, high in box):
        raise _bad("a lower end is not below the upper end", zero)
    hessian = _hessian(rows, [between(low, high) for low, high in box])
    centre = [thin((low + high) / 2) for low, high in box]
    gradient = _gradient(rows, centre)
    reason = check_enclosure(zero, krawczyk(zero, gradient, hessian, deadline), certificate.start)
    if reason:
        raise _bad(reason, zero)
    middles = [[(fmpq(*_fraction(low)) + fmpq(*_fraction(high))) / 2 for low, high in row] for row in hessian]
    if not is_positive_definite(middles, deadline):
        raise _bad("its second derivatives are not positive definite", zero)
    if not rows.sum_of_squares(centre)[1] <= ball(certificate.error):
        raise _bad("the sum of squares is not proved to be so small", zero)


def _fraction(entry: arb) -> tuple[fmpz, fmpz]:
    """The midpoint of a ball, exactly: one of its numbers."""
    mantissa, exponent = entry.mid().man_exp()
    return (mantissa << exponent, fmpz(1)) if exponent >= 0 else (mantissa, fmpz(1) << -exponent)
