"""The rules of the tree (specification, section 6): they show by cases that S(level) is empty, but for what is open or
known.

`Proof` judges one leaf at a time, so that the writer of a certificate replays its leaves by the same code; `tree` walks
through all.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from typing import Final, NamedTuple, TypeAlias

from .certificate import Hull
from .interval import Interval
from .nodes import Aggregate, Evaluate, Known, Leaf, Product, RowTerm, Skew, Term
from .outcome import Clock, Rejection, require
from .polynomial import Algebra, Polynomial
from .problem import CanonicalProblem
from .rows import Corner, Row, narrow
from .scope import Box, Scope
from .skew import Chart, plain

GREATEST_CELLS: Final = 256
CACHE: Final = 4096
REMEMBERED: Final = 256

Key: TypeAlias = tuple[int, str, int, int, int]


@dataclass(frozen=True, slots=True)
class Preparation:
    """A box B, its centre and half-widths, exact and enclosed, and the chart of its coordinates; no other has its
    number.
    """

    number: int
    box: Box
    cells: int
    chart: Chart
    centre: tuple[Fraction, ...]
    radius: tuple[Fraction, ...]
    spans: tuple[Interval, ...]
    centre_spans: tuple[Interval, ...]
    offsets: tuple[Interval, ...]


class Question(NamedTuple):
    """What a tree is about: S(level), in the largest error or the sum of squares, some rows left out; hull, boxes of
    isolated zeros, volume.
    """

    level: Fraction
    squares: bool = False
    discard: int = 0
    hull: Hull | None = None
    zeros: tuple[Box, ...] = ()
    volume: Fraction | None = None


class Proof:
    """What can be concluded about S(level) of a scope within a root box; row terms of preparations are remembered."""

    __slots__ = ("_algebra", "_clock", "_numbers", "_root_of_level", "_terms", "above", "question", "root", "scope")

    def __init__(
        self,
        problem: CanonicalProblem,
        scope: Sequence[int],
        precision: int,
        question: Question,
        root_box: Box,
        clock: Clock | None = None,
    ) -> None:
        self.scope: Final = Scope(problem, scope, precision)
        self.question: Final = question
        self._clock: Final = clock or Clock()
        arithmetic = self.scope.arithmetic
        self._algebra: Final = Algebra(arithmetic, self._clock)
        self.above: Final = arithmetic.ceiling(question.level)
        self._root_of_level: Final = arithmetic.sqrt((self.above, self.above))[1]
        self._numbers: Final = count()
        self.root: Final = self._preparation(root_box, 1, plain(arithmetic, self._clock, len(root_box)))
        self._terms: dict[Key, Polynomial] = {}

    def prepare(self, above: Preparation, box: Box, cells: int) -> Preparation:
        """Rows below are prepared on this box, with so many cells."""
        require(1 <= cells <= GREATEST_CELLS, "prepare", f"1 to {GREATEST_CELLS} cells, not {cells}")
        return self._preparation(box, cells, above.chart)

    def skew(self, above: Preparation, box: Box, frame: Skew) -> Preparation:
        """The box in skew coordinates, prepared with 1 cell."""
        chart, inside = above.chart.into(frame, box)
        return self._preparation(inside, 1, chart)

    def _preparation(self, box: Box, cells: int, chart: Chart) -> Preparation:
        arithmetic = self.scope.arithmetic
        centre, radius = (
            tuple((lower + upper) / 2 for lower, upper in box),
            tuple((upper - lower) / 2 for lower, upper in box),
        )
        centre_spans = tuple(arithmetic.enclose(value) for value in chart.point(centre))
        offsets = tuple(arithmetic.span(-value, value) for value in radius)
        return Preparation(
            next(self._numbers),
            box,
            cells,
            chart,
            centre,
            radius,
            self.scope.outward(chart.image(box)),
            centre_spans,
            offsets,
        )

    def split(self, box: Box, variable: int, at: Fraction) -> tuple[Box, Box]:
        """The two closed parts of a box."""
        position = self._position("split", variable)
        lower, upper = box[position]
        require(lower < at < upper, "split", "the point is not strictly between the bounds")
        before, after = box[:position], box[position + 1 :]
        return (*before, (lower, at), *after), (*before, (at, upper), *after)

    def _position(self, rule: str, variable: int) -> int:
        require(variable in self.scope.positions, rule, f"variable {variable} is not in the scope")
        return self.scope.positions[variable]

    def judge(self, preparation: Preparation, box: Box, leaf: Leaf) -> None:
        """Raise Rejection unless the leaf holds on the box."""
        match leaf:
            case Evaluate(family, row):
                self._evaluate(preparation.chart.range(box), family, row)
            case Aggregate(terms):
                require(
                    self.aggregate_bound(preparation, box, terms) > 0,
                    "aggregate",
                    "the weighted sum is not proved to be positive",
                )
            case Known(zero):
                require(0 <= zero < len(self.question.zeros), "known", f"there is no zero {zero}")
                require(
                    contains(self.question.zeros[zero], preparation.chart.range(box)),
                    "known",
                    f"the box is not within the box of zero {zero}",
                )
            case _:
                self._open(preparation.chart, box)

    def volume(self, preparation: Preparation, box: Box) -> Fraction:
        """The exact volume of the box, below a frame of its range."""
        found = preparation.chart.range(box)
        return Fraction(0) if found is None else math.prod((upper - lower for lower, upper in found), start=Fraction(1))

    def _evaluate(self, box: Box | None, family: int, row: int) -> None:
        """The row misses [-level, level] for all x in the box and all its measurements at which it is defined."""
        self.scope.check_row("evaluate", family, row)
        if box is None:
            return
        program = self.scope.program(family)
        found = program.where_defined(self.scope.inputs(program, row, self.scope.outward(box)))
        if found is None:
            return
        low, high = self.scope.calculus.partial["sqr"](found) if self.question.squares else found
        require(low > self.above or high < -self.above, "evaluate", "the row may reach [-level, level]")

    def _open(self, chart: Chart, box: Box) -> None:
        """What the box holds need not be refuted: it is within the hull."""
        hull = self.question.hull
        if hull is None:
            raise Rejection("open", "there is no hull")
        found = chart.range(box)
        require(contains(hull.box, found), "open", "the box is not within the hull")
        require(
            found is None or all(chart.satisfies(box, facet) for facet in hull.facets),
            "open",
            "the box exceeds a facet",
        )

    def aggregate_bound(self, preparation: Preparation, box: Box, terms: Sequence[Term]) -> int:
        """A lower bound of the weighted sum of the terms, each <= 0 at S(level), on the box, scaled by 2^precision."""
        self._check_terms(terms)
        require(contains(preparation.box, box), "aggregate", "the box is not within the prepared box")
        (total, scale), pairs = self._sum(preparation, terms), zip(box, preparation.centre, strict=True)
        offsets = [self.scope.arithmetic.span(lower - middle, upper - middle) for (lower, upper), middle in pairs]
        return self._algebra.least(total, offsets) >> (self.scope.arithmetic.precision + scale)

    def _check_terms(self, terms: Sequence[Term]) -> None:
        """Rows and variables of the scope, positive weights, no term (of squares: no row) twice, I <= J, b3+3- but
        never b3-3+, at least one row.
        """
        seen: set[tuple[str | int, ...]] = set()
        for term in terms:
            dyadic = term.weight.denominator & (term.weight.denominator - 1) == 0
            require(dyadic and term.weight > 0, "aggregate", "a weight is not a positive dyadic number")
            if isinstance(term, RowTerm):
                self.scope.check_row("aggregate", term.family, term.row)
                key: tuple[str | int, ...] = (
                    (term.family, term.row) if self.question.squares else (term.form, term.family, term.row, term.side)
                )
            else:
                require(
                    (term.first, -term.first_sign) <= (term.second, -term.second_sign),
                    "aggregate",
                    "a product is not in order",
                )
                key = (
                    self._position("aggregate", term.first),
                    term.first_sign,
                    self._position("aggregate", term.second),
                    term.second_sign,
                )
            require(key not in seen, "aggregate", "a term occurs twice")
            seen.add(key)
        require(any(isinstance(term, RowTerm) for term in terms), "aggregate", "there is no row among the terms")

    def _sum(self, preparation: Preparation, terms: Sequence[Term]) -> tuple[Polynomial, int]:
        """The sum of weight times polynomial, exactly, times 2^scale."""
        scale = max(term.weight.denominator.bit_length() - 1 for term in terms)
        total: Polynomial = {}
        if self.question.squares:
            spent = (
                self.question.level
                + sum((term.weight**2 for term in terms if isinstance(term, RowTerm)), Fraction(0)) / 4
            )
            total[()] = (-self.scope.arithmetic.ceiling(spent) << scale,) * 2
        for term in terms:
            weight = (term.weight.numerator << scale) // term.weight.denominator
            for monomial, (low, high) in self.polynomial(preparation, term).items():
                old_low, old_high = total.get(monomial, (0, 0))
                total[monomial] = old_low + weight * low, old_high + weight * high
        return total, scale

    def polynomial(self, preparation: Preparation, term: Term) -> Polynomial:
        """The term without its weight: at S(level), within the prepared box, a selection of it is <= 0."""
        self._clock.check()
        if isinstance(term, Product):
            return self._product(preparation, term)
        key = preparation.number, term.form, term.family, term.row, term.side
        found = self._terms.get(key)
        if found is None:
            found = self._row_term(preparation, term)
            if len(self._terms) >= CACHE:
                self._terms.clear()
            if len(found) <= REMEMBERED:
                self._terms[key] = found
        return found

    def _product(self, preparation: Preparation, term: Product) -> Polynomial:
        """- (R_I - s_I d_I) (R_J - s_J d_J), multiplied out."""
        first, second = self.scope.positions[term.first], self.scope.positions[term.second]
        enclose, radius = self.scope.arithmetic.enclose, preparation.radius
        left: Polynomial = {(): enclose(-radius[first]), (first,): enclose(Fraction(term.first_sign))}
        right: Polynomial = {(): enclose(radius[second]), (second,): enclose(Fraction(-term.second_sign))}
        return self._algebra.multiply(left, right)

    def _row_term(self, preparation: Preparation, term: RowTerm) -> Polynomial:
        program = self.scope.program(term.family)
        corner = self.corner(preparation, term.family, term.row, term.side)
        positions = {i: self.scope.positions[variable] for i, variable in program.variables}
        centre = {i: preparation.centre_spans[position] for i, position in positions.items()}
        moves = {i: preparation.chart.moves[position] for i, position in positions.items()}
        row = Row(self._algebra, program, corner, term.side, centre, moves, preparation.offsets)
        if self.question.squares:
            return row.term(term.form, 0, self._root_of_level)
        return row.term(term.form, self.above + corner.slack)

    def corner(self, preparation: Preparation, family: int, row: int, side: int) -> Corner:
        """H and its slack."""
        program = self.scope.program(family)
        bounds = ((i, self.scope.entry(program.family.bindings[i].index, row)) for i in program.movable)
        movable = [i for i, (lower, upper) in bounds if lower < upper]
        inputs = self.scope.inputs(program, row, preparation.spans)
        return narrow(program, inputs, movable, side, preparation.cells, self._clock)


def contains(outer: Box, box: Box | None) -> bool:
    """Whether the box is not inverted and a subset of the outer one; None is nothing."""
    if box is None:
        return True
    pairs = zip(outer, box, strict=True)
    return all(outer_lower <= lower <= upper <= outer_upper for (outer_lower, outer_upper), (lower, upper) in pairs)
