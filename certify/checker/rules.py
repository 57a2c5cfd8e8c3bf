"""The rules of the tree (specification, section 6): they show by cases that S(level) is empty, but for what is open or known.

`Proof` judges one leaf at a time, so that the writer of a certificate replays its leaves by the same code; `walk` reads a
whole tree with an explicit stack. A leaf's reason of failure is a string, None says that it is proved.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, TypeVar

from .certificate import Aggregate, Evaluate, Node, Nodes, Open, Prepare, Product, RowTerm, Split, Term
from .interval import Interval, Undefined
from .outcome import Clock, Rejection, ResourceLimit
from .polynomial import Algebra, Monomial, Polynomial, Unsupported
from .problem import CanonicalProblem
from .rows import Corner, mean_value, narrow, root_form
from .scope import Box, Scope

GREATEST_CELLS: Final = 256
CACHE: Final = 4096
REMEMBERED: Final = 1000
PENDING: Final = 2_000_000

Key = TypeVar("Key")
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Preparation:
    """A box B, its centre and half-widths, exact and enclosed; row terms are remembered."""

    box: Box
    cells: int
    centre: tuple[Fraction, ...]
    radius: tuple[Fraction, ...]
    spans: tuple[Interval, ...]
    centre_spans: tuple[Interval, ...]
    offsets: tuple[Interval, ...]
    corners: dict[tuple[int, int, int], Corner] = field(default_factory=dict)
    terms: dict[tuple[str, int, int, int], Polynomial] = field(default_factory=dict)


class Unproved(Exception):
    """A leaf does not prove what it claims."""


class Proof:
    """What can be concluded about S(level) of a scope within a root box, given a hull, or zeros that are isolated in boxes."""

    __slots__ = ("_above", "_algebra", "_clock", "_hull", "_zeros", "root", "scope")

    def __init__(
        self,
        problem: CanonicalProblem,
        scope: Sequence[int],
        precision: int,
        level: Fraction,
        root_box: Box,
        clock: Clock | None = None,
        hull: Box | None = None,
        zeros: Sequence[Box] = (),
    ) -> None:
        self.scope: Final = Scope(problem, scope, precision)
        self._clock: Final = clock or Clock()
        self._algebra: Final = Algebra(self.scope.arithmetic, self._clock)
        self._above: Final = self.scope.arithmetic.ceiling(level)
        self._hull: Final = hull
        self._zeros: Final = zeros
        self.root: Final = self.prepare(root_box, 1)

    def prepare(self, box: Box, cells: int) -> Preparation:
        """Rows below are prepared on this box, with so many cells."""
        if not 1 <= cells <= GREATEST_CELLS:
            raise Rejection("prepare", f"1 to {GREATEST_CELLS} cells, not {cells}")
        centre = tuple((lower + upper) / 2 for lower, upper in box)
        radius = tuple((upper - lower) / 2 for lower, upper in box)
        arithmetic = self.scope.arithmetic
        return Preparation(
            box,
            cells,
            centre,
            radius,
            self.scope.outward(box),
            tuple(arithmetic.enclose(value) for value in centre),
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

    def open(self, box: Box) -> str | None:
        """The box is a subset of the hull: what it holds need not be refuted."""
        if self._hull is None:
            return "there is no hull"
        return None if contains(self._hull, box) else "the box is not within the hull"

    def known(self, box: Box, zero: int) -> str | None:
        """The box is a subset of the zero's box, in which there is no other zero."""
        if not 0 <= zero < len(self._zeros):
            return f"there is no zero {zero}"
        return None if contains(self._zeros[zero], box) else f"the box is not within the box of zero {zero}"

    def evaluate(self, box: Box, family: int, row: int) -> str | None:
        """The row misses [-level, level] for all x in the box and all its measurements."""
        reason = self.scope.row_problem(family, row)
        if reason is not None:
            return reason
        program = self.scope.program(family)
        try:
            low, high = program.values(self.scope.inputs(program, row, self.scope.outward(box)))[-1]
        except Undefined as undefined:
            return f"the row cannot be enclosed: {undefined}"
        return None if low > self._above or high < -self._above else "the row may reach [-level, level]"

    def aggregate(self, preparation: Preparation, box: Box, terms: Sequence[Term]) -> str | None:
        """The weighted sum of the terms, each <= 0 at S(level), is positive on the box."""
        try:
            return None if self.aggregate_bound(preparation, box, terms) > 0 else "the weighted sum is not proved to be positive"
        except Unproved as unproved:
            return str(unproved)

    def aggregate_bound(self, preparation: Preparation, box: Box, terms: Sequence[Term]) -> int:
        """A lower bound of the weighted sum, scaled by 2^precision. Raises Unproved if a side condition fails."""
        _check_terms(terms)
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

    def _sum(self, preparation: Preparation, terms: Iterable[Term]) -> tuple[Polynomial, int]:
        """The sum of weight times polynomial, exactly, times 2^scale."""
        terms = tuple(terms)
        scale = max(term.weight.denominator.bit_length() - 1 for term in terms)
        total: Polynomial = {}
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
        centre = [preparation.centre_spans[position] for position in positions]
        bound = self._above + corner.slack
        try:
            if term.form == "m":
                return mean_value(program, corner, centre, positions, term.side, bound)
            return root_form(self._algebra, program, corner, centre, positions, term.side, bound, preparation.offsets)
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


def _check_terms(terms: Sequence[Term]) -> None:
    """Weights are positive, no term occurs twice, I <= J, b3+3- but never b3-3+, at least one row."""
    seen: set[tuple[str | int, ...]] = set()
    for term in terms:
        if term.weight <= 0 or term.weight.denominator & (term.weight.denominator - 1):
            raise Unproved("a weight is not a positive dyadic number")
        if isinstance(term, RowTerm):
            key: tuple[str | int, ...] = term.form, term.family, term.row, term.side
        else:
            key = term.first, term.first_sign, term.second, term.second_sign
            if (term.first, -term.first_sign) > (term.second, -term.second_sign):
                raise Unproved("a product is not in order")
        if key in seen:
            raise Unproved("a term occurs twice")
        seen.add(key)
    if not any(isinstance(term, RowTerm) for term in terms):
        raise Unproved("there is no row among the terms")


def walk(proof: Proof, box: Box, nodes: Nodes, clock: Clock) -> None:
    """Read the tree; raise Rejection, with the node, unless it proves that S(level) has no point in the box that is not open or known."""
    pending = [(box, proof.root)]
    try:
        while pending:
            clock.check()
            if len(pending) * (len(box) + 8) > PENDING:
                raise ResourceLimit("the depth of the tree")
            part, preparation = pending.pop()
            pending.extend(_step(proof, part, preparation, nodes.node()))
        nodes.end()
    except Rejection as rejection:
        rejection.where = nodes.where
        raise


def _step(proof: Proof, box: Box, preparation: Preparation, node: Node) -> Iterable[tuple[Box, Preparation]]:
    """What is left to prove, last first."""
    match node:
        case Split(variable, at):
            lower, upper = proof.split(box, variable, at)
            return (upper, preparation), (lower, preparation)
        case Prepare(cells):
            return ((box, proof.prepare(box, cells)),)
        case Evaluate(family, row):
            reason = proof.evaluate(box, family, row)
            rule = "evaluate"
        case Aggregate(terms):
            reason = proof.aggregate(preparation, box, terms)
            rule = "aggregate"
        case Open():
            reason = proof.open(box)
            rule = "open"
        case _:
            reason = proof.known(box, node.zero)
            rule = "known"
    if reason is not None:
        raise Rejection(rule, reason)
    return ()
