"""The rules of the tree (specification, section 6): they show by cases that S(level) is empty, but for what is open or
known.

`Proof` judges one leaf at a time, so that the writer of a certificate replays its leaves by the same code; `tree` walks
through all.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import count, pairwise
from typing import Final, NamedTuple, TypeAlias

from .certificate import Group, Hull
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

Key: TypeAlias = tuple[int, str, int, int, int, tuple[int, ...]]


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
    isolated zeros, volume; groups, a factor on half-widths and a kind, if they are not those of version 5.
    """

    level: Fraction
    squares: bool = False
    discard: int = 0
    hull: Hull | None = None
    zeros: tuple[Box, ...] = ()
    volume: Fraction | None = None
    groups: tuple[Group, ...] = ()
    factor: Fraction = Fraction(1)
    kind: str = ""


class Proof:
    """What can be concluded about S(level) of a scope within a root box; row terms of preparations are remembered."""

    __slots__ = (
        "_above",
        "_algebra",
        "_clock",
        "_further",
        "_numbers",
        "_places",
        "_root_of_level",
        "_squared",
        "_terms",
        "question",
        "root",
        "scope",
    )

    def __init__(
        self,
        problem: CanonicalProblem,
        scope: Sequence[int],
        precision: int,
        question: Question,
        root_box: Box,
        clock: Clock | None = None,
    ) -> None:
        self.scope: Final = Scope(problem, scope, precision, question.groups, question.factor)
        self.question: Final = question
        self._clock: Final = clock or Clock()
        arithmetic, level = self.scope.arithmetic, question.level
        self._algebra: Final = Algebra(arithmetic, self._clock)
        bounds = {family: self.scope.bound(family, level) for family in self.scope.families}
        self._above: Final = {family: arithmetic.ceiling(bound) for family, bound in bounds.items()}
        self._squared: Final = {family: arithmetic.ceiling(bound**2) for family, bound in bounds.items()}
        self._root_of_level: Final = arithmetic.sqrt((arithmetic.ceiling(level),) * 2)[1]
        self._numbers: Final = count()
        self.root: Final = self._preparation(root_box, 1, plain(arithmetic, self._clock, len(root_box)))
        self._terms: dict[Key, Polynomial] = {}
        self._places: dict[tuple[int, int], int] = {}
        self._further: list[Interval] = []

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
            case Aggregate(terms, further):
                require(
                    self.aggregate_bound(preparation, box, terms, further) > 0,
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
        scope, outward, least = self.scope, self.scope.outward(box), 0
        summed = self.question.squares or scope.euclidean(family)
        above = (self._squared if summed and not self.question.squares else self._above)[family]
        for number in scope.member(family) if summed else (family,):
            program = scope.program(number)
            found = program.where_defined(scope.inputs(program, row, outward))
            if found is None:
                return
            low, high = scope.calculus.partial["sqr"](found) if summed else found
            least += low if summed else max(low, -high)
        require(least > above, "evaluate", "the row may reach [-level, level]")

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

    def aggregate_bound(
        self, preparation: Preparation, box: Box, terms: Sequence[Term], further: tuple[int, ...] = ()
    ) -> int:
        """A lower bound of the weighted sum of the terms, each <= 0 at S(level), on the box and on the entries of the
        columns `further`, scaled by 2^precision.
        """
        self._check_terms(terms)
        self._check_further(further)
        require(contains(preparation.box, box), "aggregate", "the box is not within the prepared box")
        (total, scale), pairs = self._sum(preparation, terms, further), zip(box, preparation.centre, strict=True)
        offsets = [self.scope.arithmetic.span(lower - middle, upper - middle) for (lower, upper), middle in pairs]
        if further:
            offsets += self._further
            total = self._algebra.settled(total, offsets, [place for _, place in sorted(self._places.items())])
        return self._algebra.least(total, offsets) >> (self.scope.arithmetic.precision + scale)

    def _check_further(self, further: tuple[int, ...]) -> None:
        """Columns of the scope, ascending, in claims of version 6 about the largest error."""
        allowed = not further or (bool(self.question.kind) and not self.question.squares)
        require(allowed, "aggregate", "measurements are unknowns in version 6 only, with the norm largest")
        ascending = all(earlier < later for earlier, later in pairwise(further))
        require(
            ascending and all(self.scope.named(column) for column in further),
            "aggregate",
            "these are no columns of the scope, in order, each once",
        )

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
                single = self.question.squares or self._joint(term)
                key: tuple[str | int, ...] = (term.family, term.row)
                key = key if single else (term.form, *key, term.side)
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

    def _sum(
        self, preparation: Preparation, terms: Sequence[Term], further: tuple[int, ...] = ()
    ) -> tuple[Polynomial, int]:
        """The sum of weight times polynomial, exactly, less what the rows may reach together, times 2^scale."""
        scale = max(term.weight.denominator.bit_length() - 1 for term in terms)
        weighted = [(term, (term.weight.numerator << scale) // term.weight.denominator) for term in terms]
        reached = self._reached([(term, weight) for term, weight in weighted if isinstance(term, RowTerm)], scale)
        total: Polynomial = {(): (-reached, -reached)} if reached else {}
        for term, weight in weighted:
            for monomial, (low, high) in self.polynomial(preparation, term, further).items():
                old_low, old_high = total.get(monomial, (0, 0))
                total[monomial] = old_low + weight * low, old_high + weight * high
        return total, scale

    def _reached(self, weighted: Sequence[tuple[RowTerm, int]], scale: int) -> int:
        """With the sum of squares: level plus the sum of w^2 / 4. Else the sum over members whose rows are bounded
        together of the bound times the root of the sum of w^2, which w . r does not exceed (Cauchy and Schwarz).
        """
        arithmetic = self.scope.arithmetic
        if self.question.squares:
            spent = self.question.level + sum((term.weight**2 for term, _ in weighted), Fraction(0)) / 4
            return arithmetic.ceiling(spent) << scale
        squares = Counter[tuple[int, int]]()
        for term, weight in weighted:
            if self._joint(term):
                squares[self.scope.member(term.family)[0], term.row] += weight * weight
        reached = 0
        for (family, _), square in squares.items():
            length = arithmetic.sqrt((square << arithmetic.precision,) * 2)[1]
            reached += -(-length * self._above[family] >> arithmetic.precision)
        return reached

    def _joint(self, term: RowTerm) -> bool:
        """Whether the rows of its member are bounded together."""
        return term.form != "q" and self.scope.euclidean(term.family)

    def polynomial(self, preparation: Preparation, term: Term, further: tuple[int, ...] = ()) -> Polynomial:
        """The term without its weight: at S(level), within the prepared box, a selection of it is <= 0."""
        self._clock.check()
        if isinstance(term, Product):
            return self._product(preparation, term)
        key = preparation.number, term.form, term.family, term.row, term.side, further
        found = self._terms.get(key)
        if found is None:
            found = self._row_term(preparation, term, further)
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

    def _row_term(self, preparation: Preparation, term: RowTerm, further: tuple[int, ...]) -> Polynomial:
        program, arithmetic = self.scope.program(term.family, further), self.scope.arithmetic
        corner = self.corner(preparation, term.family, term.row, term.side, further)
        positions = {i: self.scope.positions[variable] for i, variable in program.variables}
        centre = {i: preparation.centre_spans[position] for i, position in positions.items()}
        moves = {i: preparation.chart.moves[position] for i, position in positions.items()}
        for i, column in program.further:
            place, middle = self._unknown(column, term.row)
            centre[i], moves[i] = arithmetic.enclose(middle), {(place,): (arithmetic.one, arithmetic.one)}
        offsets = (*preparation.offsets, *self._further) if program.further else preparation.offsets
        row = Row(self._algebra, program, corner, term.side, centre, moves, offsets)
        if self.question.squares:
            return row.term(term.form, 0, self._root_of_level)
        bound = 0 if self._joint(term) else self._above[term.family]
        return row.term(term.form, bound + corner.slack)

    def _unknown(self, column: int, row: int) -> tuple[int, Fraction]:
        """The place of a measurement behind those of the variables, and its middle."""
        lower, upper = self.scope.entry(column, row)
        if (column, row) not in self._places:
            self._places[column, row] = len(self.root.box) + len(self._further)
            self._further.append(self.scope.arithmetic.span((lower - upper) / 2, (upper - lower) / 2))
        return self._places[column, row], (lower + upper) / 2

    def corner(
        self, preparation: Preparation, family: int, row: int, side: int, further: tuple[int, ...] = ()
    ) -> Corner:
        """H and its slack."""
        program = self.scope.program(family, further)
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
