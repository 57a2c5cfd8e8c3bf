"""The checker's judge of aggregates with its arithmetic in compiled code, for many rows at once: bit for bit the same
bounds where `fixed_point` has the operations, and the checker's own code where it has not.

Nothing rests on it: what is written is judged once more by the checker itself, in another process.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress

import numpy as np

from certify.checker.nodes import Product, RowTerm, Term
from certify.checker.problem import CanonicalProblem
from certify.checker.rules import Preparation, Proof, Question, contains
from certify.checker.scope import Box, Scope
from certify.contractors.fixed_point.tapes import PAIR
from certify.contractors.fixed_point.terms import (
    Answer,
    Asked,
    Form,
    Layout,
    Prepared,
    Weighted,
    row_terms,
    weighted_bound,
)
from certify.contractors.fixed_point.wide import LIMBS, Limbs, integer, limbs
from certify.contractors.protocol import contractor as protocol
from certify.proofs.bulk_rows import BulkRows, NoProgram, Numbers, ends
from certify.proofs.term_programs import Monomial, TermProgram, term_program

PREPARATIONS = 64  # whose polynomials are remembered
Key = tuple[int, int, int]  # family, row, side


class BulkForms:
    """The monomials of all rows of a scope, and how each family's coefficients are found; raises NoProgram."""

    def __init__(self, scope: Scope, rows: Mapping[int, BulkRows | None]) -> None:
        self.rows = {family: bulk for family, bulk in rows.items() if bulk is not None}
        if len(self.rows) < len(rows):
            raise NoProgram
        programs = {
            (family, side): term_program(rows.program, scope.positions, side)
            for family, rows in self.rows.items()
            for side in (1, -1)
        }
        self.positions, size = scope.positions, len(scope.variables)
        found: set[Monomial] = {m for program in programs.values() for m in (*program.outputs, *program.guard)}
        monomials = sorted(found | {(), *((i,) for i in range(size))}, key=lambda m: (len(m), m))
        places = {m: k for k, m in enumerate(monomials)}
        table: Numbers = np.full((len(monomials), 2), -1, dtype=np.int64)
        pairs: Numbers = np.full((size, size), -1, dtype=np.int64)
        for m, k in places.items():
            table[k, : len(m)] = m
            if len(m) == 2:
                pairs[m] = pairs[m[::-1]] = k
        self.layout = Layout(table, np.array([places[(i,)] for i in range(size)], dtype=np.int64), pairs)
        self.forms = {key: _form(program, monomials, table) for key, program in programs.items()}


def _form(program: TermProgram, monomials: Sequence[Monomial], table: Numbers) -> Form:
    outputs = np.array([program.outputs.get(m, program.zero) for m in monomials], dtype=np.int64)
    guard = np.array([program.guard.get(m, -1) for m in monomials], dtype=np.int64)
    return Form(program.code, program.registers, outputs, guard, table)


class _Table:
    """The polynomials of the rows on one prepared box, as far as they were asked for."""

    def __init__(self, forms: BulkForms, scope: Scope, above: int, preparation: Preparation) -> None:
        one = scope.arithmetic.one
        self.forms, self.preparation, self.one = forms, preparation, one
        self.spans, self.offsets = ends(preparation.spans), ends(preparation.offsets)
        self.radius = ends(map(scope.arithmetic.enclose, preparation.radius))
        self.above = limbs([above])
        self._numbers = ends([(one, one), (0, 0), *preparation.centre_spans])
        self.index: dict[Key, int] = {}
        self.sizes: list[int] = []
        self.terms: Numbers = np.empty(0, dtype=np.int64)

    def ask(self, keys: Sequence[Key]) -> None:
        """Find the polynomials of these rows; raises NoProgram."""
        missing = [key for key in keys if key not in self.index]
        for family, side in dict.fromkeys((family, side) for family, _, side in missing):
            self._find(family, side, [row for other, row, way in missing if (other, way) == (family, side)])

    def _find(self, family: int, side: int, rows: list[int]) -> None:
        bulk, form, positions = self.forms.rows[family], self.forms.forms[family, side], self.forms.positions
        centres = [2 + positions[variable] for _, variable in bulk.program.variables]
        fixed = self._numbers.reshape(-1, PAIR)[[0, 1, *centres]].ravel()
        answer = Answer(
            np.empty(PAIR * form.outputs.size * len(rows), dtype=np.int64),
            np.empty(LIMBS * len(rows), dtype=np.int64),
            np.empty(len(rows), dtype=np.bool_),
        )
        asked = Asked(bulk.places(rows), *bulk.inputs(rows, self.spans))
        prepared = Prepared(self.offsets, self.preparation.cells, self.above, fixed)
        row_terms(bulk.tape, form, prepared, side, asked, answer)
        if answer.failures.any():
            raise NoProgram
        self.terms = np.concatenate([self.terms, answer.terms])
        for k, row in enumerate(rows):
            self.index[family, row, side] = len(self.sizes)
            self.sizes.append(integer(answer.sizes[LIMBS * k : LIMBS * (k + 1)]))

    def size(self, term: Term, positions: Mapping[int, int]) -> int | None:
        """A bound of the absolute value of a term without its weight; None if its polynomial was not asked for."""
        if isinstance(term, RowTerm):
            place = self.index.get((term.family, term.row, term.side)) if term.form == "q" else None
            return None if place is None else self.sizes[place]
        if term.first == term.second:
            return None
        one = self.one
        first, second = (self.preparation.offsets[positions[v]][1] for v in (term.first, term.second))
        return -(-first * second // one) + 3 * (first * second // one) + 4


class BulkProof(Proof):
    """As `Proof`, faster."""

    __slots__ = ("_forms", "_sizes", "_spans", "_tables")

    def __init__(
        self, problem: CanonicalProblem, scope: Scope, question: Question, root_box: Box, forms: BulkForms | None
    ) -> None:
        """`scope` is what `forms` were found for, if they were."""
        super().__init__(problem, sorted(scope.families), scope.arithmetic.precision, question, root_box)
        self._tables: dict[int, _Table] = {}
        self._sizes: dict[tuple[object, ...], int] = {}
        self._spans: dict[tuple[int, int, int], tuple[object, Limbs]] = {}
        plain = all(group.base == 0 and group.scale == 1 for group in question.groups)
        simple = not question.squares and plain and question.factor == 1
        self._forms = forms if simple else None

    def aggregate_bound(
        self, preparation: Preparation, box: Box, terms: Sequence[Term], further: tuple[int, ...] = ()
    ) -> int:
        """The same bound."""
        forms = self._forms
        if forms is None or further or preparation.chart.frame is not None:
            return super().aggregate_bound(preparation, box, terms, further)
        try:
            if self._sound(terms) and _contains(preparation.box, box):
                return self._bound(self._table(forms, preparation), box, terms)
        except (NoProgram, OverflowError):
            pass
        return super().aggregate_bound(preparation, box, terms)

    def _sound(self, terms: Sequence[Term]) -> bool:
        """Whether the checker surely has nothing against these terms: rows of the scope, once each and from one side,
        ordered products of the scope's variables, and positive dyadic weights.
        """
        rows = [term for term in terms if isinstance(term, RowTerm)]
        products = [term for term in terms if isinstance(term, Product)]
        once = len({term[:4] for term in terms}) == len(terms) and len(rows) + len(products) == len(terms)
        counts = {family: self.scope.problem.families[family].rows for family in self.scope.families}
        known = all(0 <= term.row < counts.get(term.family, 0) for term in rows)
        positions = self.scope.positions
        ordered = all(
            term.first in positions
            and term.second in positions
            and (term.first, -term.first_sign) <= (term.second, -term.second_sign)
            for term in products
        )
        weights = [term.weight.as_integer_ratio() for term in terms]
        return bool(rows) and once and known and ordered and all(n > 0 and not d & (d - 1) for n, d in weights)

    def bound_again(self, preparation: Preparation, box: Box, terms: Sequence[Term]) -> int:
        """The bound of some of the terms that were accepted on this box, with other positive dyadic weights: what
        `aggregate_bound` asks of them besides still holds.
        """
        if self._forms is None or preparation.chart.frame is not None:
            return self.aggregate_bound(preparation, box, terms)
        try:
            return self._bound(self._table(self._forms, preparation), box, terms)
        except (NoProgram, OverflowError):
            return self.aggregate_bound(preparation, box, terms)

    def expect(self, preparation: Preparation, terms: Iterable[protocol.RowTerm]) -> None:
        """Find the polynomials of these rows together, which is faster than one after the other."""
        if self._forms is not None and preparation.chart.frame is None:
            with suppress(NoProgram, OverflowError):
                rows = {(term.block, term.row, term.side) for term in terms if term.form == "q"}
                self._table(self._forms, preparation).ask(sorted(rows))

    def size(self, preparation: Preparation, term: Term) -> int:
        """A bound of the absolute value of a term without its weight on the prepared box."""
        if isinstance(term, Product):
            key: tuple[object, ...] = preparation.number, term.first, term.first_sign, term.second, term.second_sign
        else:
            key = preparation.number, term.form, term.family, term.row, term.side
        if key not in self._sizes:
            table = self._tables.get(preparation.number)
            found = table.size(term, self.scope.positions) if table is not None else None
            self._sizes[key] = self._largest(preparation, term) if found is None else found
        return self._sizes[key]

    def _largest(self, preparation: Preparation, term: Term) -> int:
        precision, total = self.scope.arithmetic.precision, 0
        for monomial, (low, high) in self.polynomial(preparation, term).items():
            size = max(-low, high)
            for position in monomial:
                size = size * preparation.offsets[position][1] >> precision
            total += size + 1
        return total

    def _table(self, forms: BulkForms, preparation: Preparation) -> _Table:
        found = self._tables.get(preparation.number)
        if found is None:
            if len(self._tables) >= PREPARATIONS:
                del self._tables[next(iter(self._tables))]
            found = self._tables[preparation.number] = _Table(
                forms, self.scope, self.scope.arithmetic.ceiling(self.question.level), preparation
            )
        return found

    def _bound(self, table: _Table, box: Box, terms: Sequence[Term]) -> int:
        rows = [term for term in terms if isinstance(term, RowTerm)]
        if any(term.form != "q" for term in rows):
            raise NoProgram
        products = [term for term in terms if isinstance(term, Product)]
        keys = [(term.family, term.row, term.side) for term in rows]
        table.ask(keys)
        positions, precision = self.scope.positions, self.scope.arithmetic.precision
        scale = max(term.weight.denominator.bit_length() - 1 for term in terms)
        faces = [(positions[t.first], t.first_sign, positions[t.second], t.second_sign) for t in products]
        weighted = Weighted(
            np.array([table.index[key] for key in keys], dtype=np.int64),
            _weights(rows, scale),
            np.array(faces, dtype=np.int64).reshape(-1, 4),
            _weights(products, scale),
        )
        offsets, answer = self._offsets(table.preparation, box), np.empty(2 * LIMBS, dtype=np.int64)
        if not weighted_bound(table.terms, weighted, table.radius, table.forms.layout, offsets, precision, answer):
            raise NoProgram
        return integer(answer) >> (precision + scale)

    def _offsets(self, preparation: Preparation, box: Box) -> Limbs:
        """The box around the centre of the prepared one; remembered, for a cut changes one pair of ends."""
        found = []
        for position, (pair, middle) in enumerate(zip(box, preparation.centre, strict=True)):
            key = preparation.number, position, id(pair)
            known = self._spans.get(key)
            if known is None or known[0] is not pair:
                lower, upper = pair
                span = self.scope.arithmetic.span(lower - middle, upper - middle)
                known = self._spans[key] = pair, ends([span])
            found.append(known[1])
        return np.concatenate(found)


def _contains(outer: Box, box: Box) -> bool:
    """As `contains`, where most pairs of ends are the very same ones."""
    pairs = zip(outer, box, strict=True)
    return all(one is other or contains((one,), (other,)) for one, other in pairs)


def _weights(terms: Sequence[RowTerm] | Sequence[Product], scale: int) -> Numbers:
    return limbs(term.weight.numerator << (scale - term.weight.denominator.bit_length() + 1) for term in terms)
