"""The terms of `aggregate`: polynomials that are <= 0 on S(e), and their weighted sums (specification, sections 6 and
7).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from flint import arb, arb_mat, fmpq

from .boxes import PointMeasurement, Prepared, Rows
from .interval import HALF, NOTHING, Interval, add, ball, meet, scaled, subtract, within_limits
from .outcome import Deadline, Exhausted, Undefined
from .polynomial import (
    CONSTANT,
    Monomial,
    Polynomial,
    Shifts,
    poly_negative,
    product_polynomial,
    row_polynomial,
    row_value,
    smaller_polynomial,
)
from .taylor import derivatives, narrowed, units

MOST_KEPT = 1_000_000
MOST_MONOMIALS = 1_000_000


@dataclass(frozen=True, slots=True)
class Term:
    """A polynomial with the ends of its coefficients as vectors; one vector twice if all of them are numbers."""

    monomials: tuple[Monomial, ...]
    low: arb_mat
    high: arb_mat


def term_of(polynomial: Polynomial) -> Term:
    """A polynomial as a term."""
    monomials = tuple(sorted(polynomial))
    size = len(monomials)
    low = arb_mat(1, size, [polynomial[monomial][0] for monomial in monomials])
    if all(coefficient[0] is coefficient[1] for coefficient in polynomial.values()):
        return Term(monomials, low, low)
    return Term(monomials, low, arb_mat(1, size, [polynomial[monomial][1] for monomial in monomials]))


@dataclass(frozen=True, slots=True)
class Inputs:
    """What the variable inputs of a row, and its further unknowns, are on a prepared box and at its centre; `shifts`
    are the ranges of d by place.
    """

    places: tuple[int, ...]
    box: list[Interval]
    centre: list[Interval]
    polynomials: Callable[[], list[Polynomial]]
    shifts: Shifts


class Sum:
    """A sum of polynomials with positive weights. Terms of the same monomials are added as vectors."""

    def __init__(self) -> None:
        self._terms: dict[tuple[Monomial, ...], tuple[Any, Any]] = {}
        self._others: Polynomial = {}
        self._size = 0

    def add_term(self, weight: arb, term: Term) -> None:
        """Add a weight > 0 times a term."""
        known = self._terms.get(term.monomials)
        low = term.low * weight
        high = low if term.low is term.high else term.high * weight
        if known is None:
            self._size += len(term.monomials)
            if self._size > MOST_MONOMIALS:
                raise Exhausted(f"a sum has more than {MOST_MONOMIALS} monomials")
            self._terms[term.monomials] = low, high
        elif known[0] is known[1] and low is high:
            both = known[0] + low
            self._terms[term.monomials] = both, both
        else:
            self._terms[term.monomials] = known[0] + low, known[1] + high

    def add_polynomial(self, weight: arb, polynomial: Polynomial) -> None:
        """Add a weight > 0 times a small polynomial."""
        _add_to(self._others, {monomial: scaled(weight, coefficient) for monomial, coefficient in polynomial.items()})

    def polynomial(self) -> Polynomial:
        """The whole sum."""
        total = self._others.copy()
        for monomials, (low, high) in self._terms.items():
            lows = low.entries()
            highs = lows if low is high else high.entries()
            _add_to(total, dict(zip(monomials, zip(lows, highs, strict=True), strict=True)))
        return total


def _add_to(total: Polynomial, more: Polynomial) -> None:
    for monomial, coefficient in more.items():
        known = total.get(monomial)
        total[monomial] = coefficient if known is None else add(known, coefficient)


class _Kept:
    """What was computed on prepared boxes; all of it is forgotten when it is too much."""

    def __init__(self) -> None:
        self._found: dict[Any, Any] = {}
        self._size = 0

    def get(self, key: Any, make: Callable[[], Any], size: Callable[[Any], int]) -> Any:
        """What is kept, or made now; a failure is kept too and raised again."""
        found = self._found.get(key)
        if found is None:
            try:
                found = make()
                amount = size(found)
            except Undefined as failure:
                found, amount = str(failure), 1
            if self._size + amount > MOST_KEPT:
                self._found.clear()
                self._size = 0
            self._found[key] = found
            self._size += amount
        if isinstance(found, str):
            raise Undefined(found)
        return found


class Terms:
    """The terms of one certificate."""

    def __init__(self, rows: Rows, error: fmpq, squares: bool, deadline: Deadline) -> None:
        self.rows, self.error, self.squares, self.deadline = rows, ball(error), squares, deadline
        self.bounds = {number: ball(group.bound(error)) for number, group in rows.scope.group.items()}
        self._kept = _Kept()

    def row(self, form: str, family: int, row: int, side: int, prepared: Prepared) -> Term:
        """A q, m or t term: <= 0 where the side of the row is within the level; with squares, no larger in size than
        the row.
        """
        forms = {"q": self._polynomial_form, "m": self._mean_value_form, "t": self._taylor_form}

        def make() -> Term:
            return term_of(forms[form](family, row, side, prepared))

        found: Term = self._kept.get(
            (prepared.number, form, family, row, side), make, lambda term: 2 * len(term.monomials)
        )
        return found

    def product(self, i: int, sign_i: int, j: int, sign_j: int, prepared: Prepared) -> Polynomial:
        """The product of two factors that are >= 0 on the prepared box, with a minus."""
        found: Polynomial = self._kept.get(
            (prepared.number, "b", i, sign_i, j, sign_j),
            lambda: product_polynomial(i, sign_i, j, sign_j, prepared.radii),
            len,
        )
        return found

    def _point_measurement(self, family: int, row: int, side: int, prepared: Prepared) -> PointMeasurement:
        found: PointMeasurement = self._kept.get(
            (prepared.number, family, row, side),
            lambda: self.rows.point_measurement(family, row, side, prepared),
            lambda point: len(point.measured) + 1,
        )
        return found

    def _bound(self, family: int, point: PointMeasurement, of_itself: bool) -> Interval:
        """The number e, bound + slack; with squares the row itself is asked for. Under a Euclidean norm a row is `of
        itself` within the bound, but in the forms m and t only the slack counts: the bound is taken once for a member.
        """
        if self.squares:
            return NOTHING
        summed = self.rows.scope.group[family].is_euclidean and not of_itself
        bound = point.slack if summed else self.bounds[family] + point.slack
        return bound, bound

    def _inputs(self, family: int, row: int, prepared: Prepared) -> Inputs:
        """The variable inputs of a row on a prepared box, and its further unknowns."""
        rows, places, further = self.rows, self.rows.places[family], self.rows.further(family, row)
        shifts: Shifts = prepared.shifts
        if further:
            shifts = {**dict(enumerate(prepared.shifts)), **{one.place: one.shift for one in further}}
        return Inputs(
            (*places, *(one.place for one in further)),
            rows.variables(family, prepared.intervals) + [one.whole for one in further],
            rows.variables(family, prepared.centres) + [one.middle for one in further],
            lambda: [*map(prepared.variable, places), *(one.polynomial for one in further)],
            shifts,
        )

    def _polynomial_form(self, family: int, row: int, side: int, prepared: Prepared) -> Polynomial:
        point, inputs = self._point_measurement(family, row, side, prepared), self._inputs(family, row, prepared)
        value = row_value(self.rows.plans[family], row, inputs.polynomials(), inputs.box, point.measured, point.key)
        if self.squares:
            return smaller_polynomial(value, side, self.error.sqrt(), inputs.shifts)
        return row_polynomial(value, side, self._bound(family, point, True), inputs.shifts)

    def _slopes(self, family: int, places: Sequence[int], nodes: list[Any]) -> Polynomial:
        """First derivatives by the variables of the scope, and by further unknowns."""
        plan = self.rows.plans[family]
        slopes = plan.slopes(nodes, plan.variables)
        found: Polynomial = {}
        for node, place in zip(plan.variables, places, strict=True):
            _add_to(found, {(place,): slopes[node]})
        return found

    def _mean_value_form(self, family: int, row: int, side: int, prepared: Prepared) -> Polynomial:
        plan, inputs = self.rows.plans[family], self._inputs(family, row, prepared)
        point = self._point_measurement(family, row, side, prepared)
        slopes = self._slopes(family, inputs.places, plan.nodes(row, inputs.box, point.measured, point.key))
        value = plan.nodes(row, inputs.centre, point.measured, point.key)[-1]
        if prepared.frame:
            slopes = prepared.frame.first(slopes)
        return self._around(value, slopes, side, self._bound(family, point, False))

    def _taylor_form(self, family: int, row: int, side: int, prepared: Prepared) -> Polynomial:
        plan, inputs = self.rows.plans[family], self._inputs(family, row, prepared)
        point = self._point_measurement(family, row, side, prepared)
        nodes = plan.fixed_nodes(row, point.measured, point.key).copy()
        for node, value in zip(plan.variables, inputs.box, strict=True):
            nodes[node] = value
        centres = plan.nodes(row, inputs.centre, point.measured, point.key)
        seeds = [{m: slope for m, slope in polynomial.items() if m} for polynomial in inputs.polynomials()]
        nodes = narrowed(plan, nodes, centres, seeds, inputs.shifts)
        _, second = derivatives(plan, seeds, nodes)
        first = self._slopes(family, inputs.places, centres)
        if prepared.frame:  # by y directly much cancels, by x squares stay squares
            other = prepared.frame.second(derivatives(plan, units(inputs.places), nodes)[1])
            first, second = (
                prepared.frame.first(first),
                {pair: meet(value, other[pair]) for pair, value in second.items()},
            )
        halves: Polynomial = {(i, j): scaled(HALF, value) if i == j else value for (i, j), value in second.items()}
        return self._around(centres[-1], {**first, **halves}, side, self._bound(family, point, False))

    def _around(self, value: Interval, others: Polynomial, side: int, bound: Interval) -> Polynomial:
        """A row around the centre, less its bound: its value there, and its other coefficients."""
        found: Polynomial = {CONSTANT: value, **others}
        if side < 0:
            found = poly_negative(found)
        found[CONSTANT] = subtract(found[CONSTANT], bound)
        return {monomial: within_limits(coefficient) for monomial, coefficient in found.items()}
