"""The rules of the tree (specification, section 6): they show by cases that S(level) is empty, but for what is open or known.

`Proof` judges one leaf at a time, so that the writer of a certificate replays its leaves by the same code; `walk` reads a
whole tree with an explicit stack. A leaf's reason of failure is a string, None says that it is proved.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, TypeVar

from .certificate import Aggregate, Evaluate, Hitting, Hull, Known, Node, Nodes, Open, Prepare, Product, RowTerm, Skew, Split, Term
from .interval import Interval, Undefined
from .outcome import Clock, Rejection, ResourceLimit
from .polynomial import Algebra, Monomial, Polynomial, Unsupported
from .problem import CanonicalProblem
from .rows import Corner, Expansion, mean_value, narrow, root_form, squared_form, taylor
from .scope import Box, Scope
from .skew import Chart, plain

GREATEST_CELLS: Final = 256
CACHE: Final = 4096
REMEMBERED: Final = 1000
PENDING: Final = 2_000_000

Key = TypeVar("Key")
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Preparation:
    """A box B, its centre and half-widths, exact and enclosed, and the chart of its coordinates; row terms are remembered."""

    box: Box
    cells: int
    chart: Chart
    centre: tuple[Fraction, ...]
    radius: tuple[Fraction, ...]
    spans: tuple[Interval, ...]
    centre_spans: tuple[Interval, ...]
    offsets: tuple[Interval, ...]
    corners: dict[tuple[int, int, int], Corner] = field(default_factory=dict)
    terms: dict[tuple[str, int, int, int], Polynomial] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Question:
    """What a tree is about: S(level), in the largest error or the sum of squares, some rows left out; hull, boxes of isolated zeros, volume."""

    level: Fraction
    squares: bool = False
    discard: int = 0
    hull: Hull | None = None
    zeros: tuple[Box, ...] = ()
    volume: Fraction | None = None


class Unproved(Exception):
    """A leaf does not prove what it claims."""


class Proof:
    """What can be concluded about S(level) of a scope within a root box."""

    __slots__ = ("_algebra", "_clock", "_root_of_level", "above", "question", "root", "scope")

    def __init__(
        self, problem: CanonicalProblem, scope: Sequence[int], precision: int, question: Question, root_box: Box, clock: Clock | None = None
    ) -> None:
        self.scope: Final = Scope(problem, scope, precision)
        self.question: Final = question
        self._clock: Final = clock or Clock()
        arithmetic = self.scope.arithmetic
        self._algebra: Final = Algebra(arithmetic, self._clock)
        self.above: Final = arithmetic.ceiling(question.level)
        self._root_of_level: Final = arithmetic.sqrt((self.above, self.above))[1]
        self.root: Final = self._preparation(root_box, 1, plain(arithmetic, self._clock, len(root_box)))

    def prepare(self, above: Preparation, box: Box, cells: int) -> Preparation:
        """Rows below are prepared on this box, with so many cells."""
        if not 1 <= cells <= GREATEST_CELLS:
            raise Rejection("prepare", f"1 to {GREATEST_CELLS} cells, not {cells}")
        return self._preparation(box, cells, above.chart)

    def skew(self, above: Preparation, box: Box, frame: Skew) -> Preparation:
        """The box in skew coordinates, prepared with 1 cell."""
        chart, inside = above.chart.into(frame, box)
        return self._preparation(inside, 1, chart)

    def _preparation(self, box: Box, cells: int, chart: Chart) -> Preparation:
        centre = tuple((lower + upper) / 2 for lower, upper in box)
        radius = tuple((upper - lower) / 2 for lower, upper in box)
        arithmetic = self.scope.arithmetic
        return Preparation(
            box,
            cells,
            chart,
            centre,
            radius,
            self.scope.outward(chart.image(box)),
            tuple(arithmetic.enclose(value) for value in chart.point(centre)),
            tuple(arithmetic.span(-value, value) for value in radius),
        )

    def split(self, box: Box, variable: int, at: Fraction) -> tuple[Box, Box]:
        """The two closed parts of a box."""
        position = self.scope.positions.get(variable)
        if position is None:
            raise Rejection("split", f"variable {variable} is not in the scope")
        lower, upper = box[position]
        if not lower < at < upper:
            raise Rejection("split", "the point is not strictly between the bounds")
        before, after = box[:position], box[position + 1 :]
        return (*before, (lower, at), *after), (*before, (at, upper), *after)

    def open(self, preparation: Preparation, box: Box) -> str | None:
        """The box is a subset of the hull: what it holds need not be refuted."""
        hull, found = self.question.hull, preparation.chart.range(box)
        if hull is None:
            return "there is no hull"
        if found is None:
            return None
        if not contains(hull.box, found):
            return "the box is not within the hull"
        return None if all(preparation.chart.satisfies(box, facet) for facet in hull.facets) else "the box exceeds a facet"

    def volume(self, preparation: Preparation, box: Box) -> Fraction:
        """The exact volume of the box, below a frame of its range."""
        found = preparation.chart.range(box)
        return Fraction(0) if found is None else math.prod((upper - lower for lower, upper in found), start=Fraction(1))

    def known(self, preparation: Preparation, box: Box, zero: int) -> str | None:
        """The box is a subset of the zero's box, in which there is no other zero."""
        if not 0 <= zero < len(self.question.zeros):
            return f"there is no zero {zero}"
        found = preparation.chart.range(box)
        return None if found is None or contains(self.question.zeros[zero], found) else f"the box is not within the box of zero {zero}"

    def evaluate(self, preparation: Preparation, box: Box, family: int, row: int) -> str | None:
        """The row misses [-level, level] for all x in the box and all its measurements."""
        reason = self.scope.row_problem(family, row)
        if reason is not None:
            return reason
        program, found = self.scope.program(family), preparation.chart.range(box)
        if found is None:
            return None
        try:
            low, high = program.values(self.scope.inputs(program, row, self.scope.outward(found)))[-1]
            if self.question.squares:
                low, high = self.scope.arithmetic.sqr((low, high))
        except Undefined as undefined:
            return f"the row cannot be enclosed: {undefined}"
        return None if low > self.above or high < -self.above else "the row may reach [-level, level]"

    def aggregate(self, preparation: Preparation, box: Box, terms: Sequence[Term]) -> str | None:
        """The weighted sum of the terms, each <= 0 at S(level), is positive on the box."""
        try:
            return None if self.aggregate_bound(preparation, box, terms) > 0 else "the weighted sum is not proved to be positive"
        except Unproved as unproved:
            return str(unproved)

    def aggregate_bound(self, preparation: Preparation, box: Box, terms: Sequence[Term]) -> int:
        """A lower bound of the weighted sum, scaled by 2^precision. Raises Unproved if a side condition fails."""
        _check_terms(terms, self.question.squares)
        if not contains(preparation.box, box):
            raise Unproved("the box is not within the prepared box")
        try:
            total, scale = self._sum(preparation, terms)
            return self._least(total, self._offsets(preparation, box)) >> (self.scope.arithmetic.precision + scale)
        except Undefined as undefined:
            raise Unproved(f"the sum cannot be enclosed: {undefined}") from None

    def _offsets(self, preparation: Preparation, box: Box) -> list[Interval]:
        """The ranges of d = x - c on the box."""
        pairs = zip(box, preparation.centre, strict=True)
        return [self.scope.arithmetic.span(lower - middle, upper - middle) for (lower, upper), middle in pairs]

    def _sum(self, preparation: Preparation, terms: Sequence[Term]) -> tuple[Polynomial, int]:
        """The sum of weight times polynomial, exactly, times 2^scale."""
        scale = max(term.weight.denominator.bit_length() - 1 for term in terms)
        total: Polynomial = {}
        if self.question.squares:
            spent = self.question.level + sum((term.weight**2 for term in terms if isinstance(term, RowTerm)), Fraction(0)) / 4
            total[()] = (-self.scope.arithmetic.ceiling(spent) << scale,) * 2
        for term in terms:
            weight = (term.weight.numerator << scale) // term.weight.denominator
            for monomial, (low, high) in self.polynomial(preparation, term).items():
                old_low, old_high = total.get(monomial, (0, 0))
                total[monomial] = old_low + weight * low, old_high + weight * high
        return total, scale

    def _least(self, total: Polynomial, offsets: Sequence[Interval]) -> int:
        """The sum's lower bound over the box of d, monomial by monomial, at twice the precision."""
        known: dict[Monomial, Interval] = {}
        bound = 0
        for monomial, (low, high) in total.items():
            left, right = self._algebra.range(monomial, offsets, known)
            bound += min(low * left, low * right, high * left, high * right)
        return bound

    def polynomial(self, preparation: Preparation, term: Term) -> Polynomial:
        """The term without its weight: at S(level), within the prepared box, a selection of it is <= 0."""
        self._clock.check()
        if isinstance(term, Product):
            return self._product(preparation, term)
        key = term.form, term.family, term.row, term.side
        found = preparation.terms.get(key)
        if found is None:
            found = self._row_term(preparation, term)
            _remember(preparation.terms, key, found, len(found))
        return found

    def _product(self, preparation: Preparation, term: Product) -> Polynomial:
        """- (R_I - s_I d_I) (R_J - s_J d_J), multiplied out."""
        first, second = self.scope.positions.get(term.first), self.scope.positions.get(term.second)
        if first is None or second is None:
            raise Unproved("a product's variable is not in the scope")
        enclose, radius = self.scope.arithmetic.enclose, preparation.radius
        left: Polynomial = {(): enclose(-radius[first]), (first,): enclose(Fraction(term.first_sign))}
        right: Polynomial = {(): enclose(radius[second]), (second,): enclose(Fraction(-term.second_sign))}
        return self._algebra.multiply(left, right)

    def _row_term(self, preparation: Preparation, term: RowTerm) -> Polynomial:
        label = f"{term.form}{term.family}.{term.row}{'+' if term.side > 0 else '-'}"
        reason = self.scope.row_problem(term.family, term.row)
        if reason is not None:
            raise Unproved(reason)
        program = self.scope.program(term.family)
        corner = self._corner(preparation, term)
        positions = [self.scope.positions[variable] for _, variable in program.variables]
        expansion = Expansion(
            tuple(preparation.centre_spans[position] for position in positions),
            tuple(preparation.chart.moves[position] for position in positions),
            preparation.offsets,
        )
        bound = 0 if self.question.squares else self.above + corner.slack
        try:
            match term.form:
                case "m":
                    return mean_value(self._algebra, program, corner, expansion, term.side, bound)
                case "t":
                    return taylor(self._algebra, program, corner, expansion, term.side, bound)
            if self.question.squares:
                return squared_form(self._algebra, program, corner, expansion, term.side, self._root_of_level)
            return root_form(self._algebra, program, corner, expansion, term.side, bound)
        except (Undefined, Unsupported) as failure:
            raise Unproved(f"{label}: {failure}") from None

    def _corner(self, preparation: Preparation, term: RowTerm) -> Corner:
        key = term.family, term.row, term.side
        found = preparation.corners.get(key)
        if found is None:
            found = self._find_corner(preparation, *key)
            _remember(preparation.corners, key, found, len(found.inputs))
        return found

    def _find_corner(self, preparation: Preparation, family: int, row: int, side: int) -> Corner:
        program = self.scope.program(family)
        columns = dict(program.quantities)
        bounds = ((i, self.scope.entry(columns[i], row)) for i in program.movable)
        movable = [i for i, (lower, upper) in bounds if lower < upper]
        inputs = self.scope.inputs(program, row, preparation.spans)
        return narrow(program, inputs, movable, side, preparation.cells, self._clock)


def contains(outer: Box, box: Box) -> bool:
    """Whether the box is not inverted and a subset of the outer one."""
    pairs = zip(outer, box, strict=True)
    return all(outer_lower <= lower <= upper <= outer_upper for (outer_lower, outer_upper), (lower, upper) in pairs)


def _remember(cache: dict[Key, Value], key: Key, value: Value, size: int) -> None:
    """Keep what is small, and not too much of it."""
    if len(cache) >= CACHE:
        cache.clear()
    if size <= REMEMBERED:
        cache[key] = value


def _check_terms(terms: Sequence[Term], squares: bool) -> None:
    """Weights are positive, no term (of squares: no row) occurs twice, I <= J, b3+3- but never b3-3+, at least one row."""
    seen: set[tuple[str | int, ...]] = set()
    for term in terms:
        if term.weight <= 0 or term.weight.denominator & (term.weight.denominator - 1):
            raise Unproved("a weight is not a positive dyadic number")
        if isinstance(term, RowTerm):
            key: tuple[str | int, ...] = (term.family, term.row) if squares else (term.form, term.family, term.row, term.side)
        else:
            key = term.first, term.first_sign, term.second, term.second_sign
            if (term.first, -term.first_sign) > (term.second, -term.second_sign):
                raise Unproved("a product is not in order")
        if key in seen:
            raise Unproved("a term occurs twice")
        seen.add(key)
    if not any(isinstance(term, RowTerm) for term in terms):
        raise Unproved("there is no row among the terms")


@dataclass(frozen=True, slots=True)
class Pending:
    """A box that is to be refuted; `rows` collects the rows that do it, below a hitting."""

    box: Box
    preparation: Preparation
    rows: set[tuple[int, int]] | None = None


Conflicts = tuple[set[tuple[int, int]], ...]


def walk(proof: Proof, nodes: Nodes, clock: Clock) -> None:
    """Read the tree; raise Rejection, with the node, unless it proves that S(level) has no point in the root's box that is not open or known."""
    pending: list[Pending | Conflicts] = [Pending(proof.root.box, proof.root)]
    left = proof.question.volume
    try:
        while pending:
            clock.check()
            if len(pending) * (len(proof.root.box) + 8) > PENDING:
                raise ResourceLimit("the depth of the tree")
            part = pending.pop()
            if isinstance(part, Pending):
                node = nodes.node()
                pending.extend(_step(proof, part, node))
                if left is not None and isinstance(node, Open):
                    left -= proof.volume(part.preparation, part.box)
                    if left < 0:
                        raise Rejection("volume", "the boxes left open so far have more of it than is claimed")
            elif hit(part, proof.question.discard, clock):
                raise Rejection("hitting", f"{proof.question.discard} rows meet all conflicts")
        nodes.end()
    except Rejection as rejection:
        rejection.where = nodes.where
        raise


def _step(proof: Proof, part: Pending, node: Node) -> Iterable[Pending | Conflicts]:
    """What is left to prove, last first."""
    box, preparation, rows = part.box, part.preparation, part.rows
    match node:
        case Split(variable, at):
            lower, upper = proof.split(box, variable, at)
            return Pending(upper, preparation, rows), Pending(lower, preparation, rows)
        case Prepare(cells):
            return (Pending(box, proof.prepare(preparation, box, cells), rows),)
        case Skew():
            skewed = proof.skew(preparation, box, node)
            return (Pending(skewed.box, skewed, rows),)
        case Hitting(count):
            if not proof.question.discard or rows is not None or not count:
                raise Rejection("hitting", "it needs discarded rows, a child, and none above")
            conflicts: Conflicts = tuple(set() for _ in range(count))
            return conflicts, *(Pending(box, preparation, found) for found in conflicts)
    rule, reason = _leaf(proof, part, node)
    if reason is not None:
        raise Rejection(rule, reason)
    return ()


def _leaf(proof: Proof, part: Pending, node: Evaluate | Aggregate | Open | Known) -> tuple[str, str | None]:
    """The rule of a leaf, and why it does not hold."""
    box, preparation, rows = part.box, part.preparation, part.rows
    kept = isinstance(node, (Open, Known))
    if kept and rows is not None:
        return "hitting", "nothing is open or known below it"
    if proof.question.discard and not kept and rows is None:
        return "hitting", "rows are refuted below it only, as some may be discarded"
    match node:
        case Evaluate(family, row):
            if rows is not None:
                rows.add((family, row))
            return "evaluate", proof.evaluate(preparation, box, family, row)
        case Aggregate(terms):
            if rows is not None:
                rows.update((term.family, term.row) for term in terms if isinstance(term, RowTerm))
            return "aggregate", proof.aggregate(preparation, box, terms)
        case Open():
            return "open", proof.open(preparation, box)
    return "known", proof.known(preparation, box, node.zero)


def hit(conflicts: Sequence[Collection[tuple[int, int]]], count: int, clock: Clock) -> bool:
    """Whether some set of at most `count` rows meets every conflict."""
    clock.check()
    if not conflicts:
        return True
    apart: set[tuple[int, int]] = set()
    needed = 0
    for conflict in sorted(conflicts, key=len):
        if apart.isdisjoint(conflict):
            apart.update(conflict)
            needed += 1
    if needed > count:
        return False
    smallest = min(conflicts, key=len)
    return any(hit([conflict for conflict in conflicts if row not in conflict], count - 1, clock) for row in smallest)
