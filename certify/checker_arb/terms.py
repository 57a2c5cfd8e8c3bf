"""The terms of `aggregate`: polynomials that are <= 0 on S(e), and their weighted sums (specification, sections 6 and 7)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from flint import arb, arb_mat

from .boxes import PointMeasurement, Prepared, Rows
from .interval import Interval, add, negative, scaled, subtract, within_limits
from .outcome import Deadline, Exhausted, Undefined
from .polynomial import CONSTANT, Monomial, Polynomial, product_polynomial, row_polynomial, row_value

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

    def __init__(self, rows: Rows, error: arb, deadline: Deadline) -> None:
        self.rows, self.error, self.deadline = rows, error, deadline
        self._kept = _Kept()

    def row(self, form: str, family: int, row: int, side: int, prepared: Prepared) -> Term:
        """A q or m term."""

        def make() -> Term:
            make_one = self._polynomial_form if form == "q" else self._mean_value_form
            return term_of(make_one(family, row, side, prepared))

        found: Term = self._kept.get((prepared.number, form, family, row, side), make, lambda term: 2 * len(term.monomials))
        return found

    def product(self, i: int, sign_i: int, j: int, sign_j: int, prepared: Prepared) -> Polynomial:
        """The product of two factors that are >= 0 on the prepared box, with a minus."""
        found: Polynomial = self._kept.get(
            (prepared.number, "b", i, sign_i, j, sign_j), lambda: product_polynomial(i, sign_i, j, sign_j, prepared.radii), len
        )
        return found

    def _point_measurement(self, family: int, row: int, side: int, prepared: Prepared) -> PointMeasurement:
        found: PointMeasurement = self._kept.get(
            (prepared.number, family, row, side),
            lambda: self.rows.point_measurement(family, row, side, prepared),
            lambda point: len(point.measured) + 1,
        )
        return found

    def _bound(self, point: PointMeasurement) -> Interval:
        """The number e, lower + slack."""
        bound = self.error + point.slack
        return bound, bound

    def _polynomial_form(self, family: int, row: int, side: int, prepared: Prepared) -> Polynomial:
        plan, places = self.rows.plans[family], self.rows.places[family]
        point = self._point_measurement(family, row, side, prepared)
        value = row_value(plan, row, places, prepared.centres, point.measured, point.key)
        return row_polynomial(value, side, self._bound(point), prepared.shifts)

    def _mean_value_form(self, family: int, row: int, side: int, prepared: Prepared) -> Polynomial:
        plan, places = self.rows.plans[family], self.rows.places[family]
        point = self._point_measurement(family, row, side, prepared)
        nodes = plan.nodes(row, self.rows.variables(family, prepared.intervals), point.measured, point.key)
        slopes = plan.slopes(nodes, plan.variables)
        value = plan.nodes(row, self.rows.variables(family, prepared.centres), point.measured, point.key)[-1]
        found: Polynomial = {CONSTANT: subtract(value if side > 0 else negative(value), self._bound(point))}
        for node, place in zip(plan.variables, places, strict=True):
            slope = slopes[node] if side > 0 else negative(slopes[node])
            known = found.get((place,))
            found[place,] = slope if known is None else add(known, slope)
        return {monomial: within_limits(coefficient) for monomial, coefficient in found.items()}
