"""The leaf `aggregate`: a weighted sum that is positive on a box (specification, sections 6, 12.2 and 12.4)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from flint import arb

from .boxes import Rows
from .certificate import Certificate
from .ends import poly_at_ends
from .groups import Row
from .interval import HALF, LARGEST, ONE, ZERO, Interval, between
from .nodes import Nodes, Place
from .outcome import Deadline
from .polynomial import CONSTANT, poly_range
from .terms import Sum, Terms
from .text import point_ball

WEIGHT = r"([1-9][0-9]*(?:p-?(?:0|[1-9][0-9]*))?)"
ROW_TERM = re.compile(r"([qmt])(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)([+-])" + WEIGHT)
PRODUCT_TERM = re.compile(r"b(0|[1-9][0-9]*)([+-])(0|[1-9][0-9]*)([+-])" + WEIGHT)
SIDES = {"+": 1, "-": -1}
MOST_CHOICES = 4  # of further unknowns, whose terms are kept


@dataclass(slots=True)
class Parts:
    """What one leaf adds up: a sum, the range of each unknown, and for each member under a Euclidean norm the sum of
    the squares of its weights.
    """

    terms: Terms
    ranges: dict[int, Interval]
    total: Sum = field(default_factory=Sum)
    lengths: dict[Row, arb] = field(default_factory=dict)


class Aggregates:
    """All leaves `aggregate` of one tree."""

    def __init__(self, nodes: Nodes, certificate: Certificate, terms: Terms, deadline: Deadline) -> None:
        self.nodes, self.certificate, self.deadline = nodes, certificate, deadline
        self.terms = terms
        self._further: dict[frozenset[int], Terms] = {}  # by columns whose entries are unknowns

    def judge(self, tokens: list[str], place: Place) -> None:
        """Reject the certificate if the sum is not positive."""
        further = self._columns(tokens)
        centre = place.prepared.centre
        ranges = [between(low - middle, high - middle) for (low, high), middle in zip(place.box, centre, strict=True)]
        parts = Parts(self._terms(frozenset(further)), dict(enumerate(ranges)))
        seen: set[tuple[object, ...]] = set()
        has_row = False
        for token in tokens[1 + len(further) :]:
            self.deadline.check()
            found, product = ROW_TERM.fullmatch(token), PRODUCT_TERM.fullmatch(token)
            if found:
                name = self._add_row(parts, found, place)
                has_row = True
            elif product:
                name = self._add_product(parts, product, place)
            else:
                raise self.nodes.bad(f"{token[:40]!r} is no term")
            if name in seen:
                raise self.nodes.bad(f"the term {token[:40]!r} occurs twice" + (", or its row" * (len(name) == 2)))
            seen.add(name)
        if not has_row:
            raise self.nodes.bad("there is no row among the terms")
        self._take_away(parts)
        total, variables = parts.total.polynomial(), len(place.box)
        if further:
            total = poly_at_ends(total, parts.ranges, sorted(k for k in parts.ranges if k >= variables), self.deadline)
        least = poly_range(total, parts.ranges)[0]
        if not ZERO < least < LARGEST:
            raise self.nodes.bad("the sum is not proved to be positive")

    def _columns(self, tokens: list[str]) -> list[int]:
        """The columns whose entries are further unknowns."""
        found: list[int] = []
        for token in tokens[1:]:
            if token[0] != "c":
                break
            if not self.certificate.kind or self.certificate.squares:
                raise self.nodes.bad("further unknowns are of version 6, with `norm largest`")
            number = self.nodes.lines.natural(token[1:])
            if number not in self.nodes.scope.bound or self.certificate.problem.columns[number].of_table:
                raise self.nodes.bad("this column is not one of the scope")
            if found and number <= found[-1]:
                raise self.nodes.bad("the columns are not in ascending order, each once")
            found.append(number)
        return found

    def _terms(self, columns: frozenset[int]) -> Terms:
        """The terms with these columns as unknowns; kept for a few choices."""
        if not columns:
            return self.terms
        found = self._further.get(columns)
        if found is None:
            if len(self._further) == MOST_CHOICES:
                self._further.clear()
            known = self.nodes.rows
            rows = Rows(known.problem, known.scope, self.deadline, columns)
            found = Terms(rows, self.certificate.error, self.certificate.squares, self.deadline)
            self._further[columns] = found
        return found

    def _add_row(self, parts: Parts, found: re.Match[str], place: Place) -> tuple[object, ...]:
        """Add a q, m or t term; what may occur only once."""
        form, family_token, row_token, side, weight_token = found.groups()
        family, row = self.nodes.row(family_token, row_token, place)
        weight = point_ball(self.nodes.lines.dyadic(weight_token))
        parts.total.add_term(weight, parts.terms.row(form, family, row, SIDES[side], place.prepared))
        parts.ranges.update((one.place, one.shift) for one in parts.terms.rows.further(family, row))
        if self.certificate.squares:
            loss = -(weight * HALF * HALF)  # r^2 >= weight P - weight^2 / 4
            parts.total.add_polynomial(weight, {CONSTANT: (loss, loss)})
            return family, row
        group = self.nodes.scope.group[family]
        if group.is_euclidean and form != "q":
            member = group.member(family, row)
            parts.lengths[member] = parts.lengths.get(member, ZERO) + weight * weight
            return family, row
        return form, family, row, side

    def _add_product(self, parts: Parts, product: re.Match[str], place: Place) -> tuple[object, ...]:
        """Add a product; what may occur only once."""
        first, first_sign, second, second_sign, weight_token = product.groups()
        i, j = self.nodes.variable(first), self.nodes.variable(second)
        if i > j or (i == j and (first_sign, second_sign) == ("-", "+")):
            raise self.nodes.bad(f"the product {product.group()[:40]!r} is not in order")
        weight = point_ball(self.nodes.lines.dyadic(weight_token))
        polynomial = parts.terms.product(i, SIDES[first_sign], j, SIDES[second_sign], place.prepared)
        parts.total.add_polynomial(weight, polynomial)
        return "b", i, first_sign, j, second_sign

    def _take_away(self, parts: Parts) -> None:
        """What a sum of squares, or the members under a Euclidean norm, may reach: by Cauchy and Schwarz."""
        bounds = [length.sqrt() * parts.terms.bounds[family] for (family, _), length in parts.lengths.items()]
        for bound in [parts.terms.error] if self.certificate.squares else bounds:
            parts.total.add_polynomial(ONE, {CONSTANT: (-bound, -bound)})
