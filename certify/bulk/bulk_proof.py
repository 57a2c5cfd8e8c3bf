"""The checker's judge of aggregates with its arithmetic in compiled code, for many rows at once: bit for bit the same
bounds where `fixed_point` has the operations, and the checker's own code where it has not.

Nothing rests on it: what is written is judged once more by the checker itself, in another process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction

import numpy as np

from certify.bulk.bulk_rows import BulkRows, NoProgram, Numbers, bulk_rows, ends
from certify.bulk.register_writer import Monomial, TermProgram
from certify.bulk.registers import Registers
from certify.bulk.term_programs import TermPrograms
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

PREPARATIONS, BOXES = 64, 4096  # whose polynomials are remembered, and whose ends
Key = tuple[int, int, int]  # family, row, side
Multiple = tuple[int, int]  # a weight: mantissa and exponent of 2
Further = tuple[int, ...]  # columns whose entries are unknowns


class BulkForms:
    """The forms of the rows of a scope, each made when it is asked for, and so are these `rows`."""

    def __init__(self, scope: Scope, rows: Callable[[], Mapping[int, BulkRows | None]]) -> None:
        self.scope, self._plain = scope, rows
        self._rows: dict[Further, Mapping[int, BulkRows | None]] = {}
        self._known: dict[tuple[str, Further], FormPrograms] = {}

    def of(self, form: str, further: Further = ()) -> FormPrograms:
        """One form."""
        if (form, further) not in self._known:
            if further not in self._rows:
                self._rows[further] = bulk_rows(self.scope, further) if further else self._plain()
            rows = {family: bulk for family, bulk in self._rows[further].items() if bulk is not None}
            self._known[form, further] = FormPrograms(self.scope, rows, form, further)
        return self._known[form, further]


class FormPrograms:
    """The monomials of all rows in one form, and how each family's coefficients are found. Measurements that are
    unknowns have positions behind the variables, column by column: they are others for each number of rows.
    """

    def __init__(self, scope: Scope, rows: Mapping[int, BulkRows], form: str, further: Further) -> None:
        self.rows, self.further, self.scope = rows, further, scope
        programs: dict[tuple[int, int], TermProgram] = {}
        found_programs = TermPrograms(form, further)
        for family, bulk in rows.items():
            with suppress(NoProgram):
                programs |= {(family, side): program for side, program in found_programs.of(bulk).items()}
        self.registers = {family: Registers.of(bulk, further) for family, bulk in rows.items()}
        self._reaches: dict[int, Numbers] = {}
        size, every = len(scope.variables), len(scope.variables) + len(further)
        found: set[Monomial] = {m for program in programs.values() for m in (*program.outputs, *program.guard)}
        monomials = sorted(found | {(), *((i,) for i in range(every))}, key=lambda m: (len(m), m))
        places = {m: k for k, m in enumerate(monomials)}
        table: Numbers = np.full((len(monomials), 2), -1, dtype=np.int64)
        pairs: Numbers = np.full((every, every), -1, dtype=np.int64)
        for m, k in places.items():
            table[k, : len(m)] = m
            if len(m) == 2:
                pairs[m] = pairs[m[::-1]] = k
        linear = np.array([places[(i,)] for i in range(every)], dtype=np.int64)
        self.layout = Layout(table, linear, pairs, np.array([max(m, default=0) >= size for m in monomials]))
        self.forms = {key: _form(program, monomials, table) for key, program in programs.items()}

    def reaches(self, row: int) -> Numbers:
        """How far the measurements of rows of a number are from their middles, where there are such."""
        if row not in self._reaches:
            span, spans = self.scope.arithmetic.span, []
            for column in self.further:
                known = row < len(self.scope.problem.columns[column].entries)
                lower, upper = self.scope.entry(column, row) if known else (Fraction(0), Fraction(0))
                spans.append(span((lower - upper) / 2, (upper - lower) / 2))
            self._reaches[row] = ends(spans)
        return self._reaches[row]


def _form(program: TermProgram, monomials: Sequence[Monomial], table: Numbers) -> Form:
    outputs = np.array([program.outputs.get(m, program.zero) for m in monomials], dtype=np.int64)
    guard = np.array([program.guard.get(m, -1) for m in monomials], dtype=np.int64)
    return Form(program.code, program.registers, outputs, guard, table)


class _Table:
    """The polynomials of the rows on one prepared box in one form, as far as they were asked for."""

    def __init__(self, forms: FormPrograms, scope: Scope, above: Mapping[int, int], preparation: Preparation) -> None:
        self.forms, self.preparation, self.arithmetic = forms, preparation, scope.arithmetic
        self.spans, self.offsets = ends(preparation.spans), ends(preparation.offsets)
        self.radius = ends(map(scope.arithmetic.enclose, preparation.radius))
        self.above = above
        self.index: dict[Key, int] = {}
        self.sizes: list[int] = []
        self.terms: Numbers = np.empty(0, dtype=np.int64)

    def ask(self, keys: Sequence[Key]) -> None:
        """Find the polynomials of these rows; raises NoProgram."""
        missing = [key for key in keys if key not in self.index]
        for family, side in dict.fromkeys((family, side) for family, _, side in missing):
            self._find(family, side, [row for other, row, way in missing if (other, way) == (family, side)])

    def _find(self, family: int, side: int, rows: list[int]) -> None:
        if (family, side) not in self.forms.forms:
            raise NoProgram
        bulk, form = self.forms.rows[family], self.forms.forms[family, side]
        fixed = ends(self.forms.registers[family].fixed(self.arithmetic, self.preparation))
        answer = Answer(
            np.empty(PAIR * form.outputs.size * len(rows), dtype=np.int64),
            np.empty(LIMBS * len(rows), dtype=np.int64),
            np.empty(len(rows), dtype=np.bool_),
        )
        entries, own = np.array(self.forms.registers[family].entries, dtype=np.int64), [bulk.entries(k) for k in rows]
        middles, reaches = (np.array([one[way] for one in own]).reshape(len(rows), -1) for way in (0, 1))
        asked = Asked(bulk.places(rows), *bulk.inputs(rows, self.spans), entries, middles, reaches)
        prepared = Prepared(self.offsets, self.preparation.cells, limbs([self.above[family]]), fixed)
        row_terms(bulk.tape, form, prepared, side, asked, answer)
        if answer.failures.any():
            raise NoProgram
        self.terms = np.concatenate([self.terms, answer.terms])
        for k, row in enumerate(rows):
            self.index[family, row, side] = len(self.sizes)
            self.sizes.append(integer(answer.sizes[LIMBS * k : LIMBS * (k + 1)]))


class BulkProof(Proof):
    """As `Proof`, faster."""

    __slots__ = ("_boxes", "_forms", "_sizes", "_spans", "_tables")

    def __init__(
        self, problem: CanonicalProblem, scope: Scope, question: Question, root_box: Box, forms: BulkForms | None
    ) -> None:
        """`scope` is what `forms` were found for, if they were."""
        super().__init__(problem, sorted(scope.families), scope.arithmetic.precision, question, root_box)
        self._tables: dict[tuple[int, str, Further], _Table] = {}
        self._sizes: dict[tuple[object, ...], int] = {}
        self._spans: dict[tuple[int, int, int], tuple[object, Limbs]] = {}
        self._boxes: dict[tuple[int, int], tuple[Box, Limbs]] = {}
        self._forms = forms if question.factor == 1 else None

    def aggregate_bound(self, preparation: Preparation, box: Box, terms: Sequence[Term], further: Further = ()) -> int:
        """The same bound."""
        forms = self._forms
        if forms is None or preparation.chart.frame is not None:
            return super().aggregate_bound(preparation, box, terms, further)
        self._check_further(further)
        weights = [term.weight.as_integer_ratio() for term in terms]
        try:
            if self._sound(terms, weights) and _contains(preparation.box, box):
                return self._bound(
                    forms, preparation, box, terms, [(n, 1 - d.bit_length()) for n, d in weights], further
                )
        except (NoProgram, OverflowError):
            pass
        return super().aggregate_bound(preparation, box, terms, further)

    def _sound(self, terms: Sequence[Term], weights: Sequence[tuple[int, int]]) -> bool:
        """Whether the checker surely has nothing against these terms: rows of the scope, once each and from one side
        (or once at all, if rows are bounded together), ordered products of the scope's variables, and positive dyadic
        weights, numerators and denominators.
        """
        rows = [term for term in terms if isinstance(term, RowTerm)]
        products = [term for term in terms if isinstance(term, Product)]
        together = [(term.family, term.row) for term in rows if self._together(term.family, term.form)]
        alone = [term[:4] for term in terms if isinstance(term, Product) or not self._together(term.family, term.form)]
        once = len(set(together)) + len(set(alone)) == len(terms) == len(rows) + len(products)
        counts = {family: self.scope.problem.families[family].rows for family in self.scope.families}
        known = all(0 <= term.row < counts.get(term.family, 0) for term in rows)
        positions = self.scope.positions
        ordered = all(
            term.first in positions
            and term.second in positions
            and (term.first, -term.first_sign) <= (term.second, -term.second_sign)
            for term in products
        )
        return bool(rows) and once and known and ordered and all(n > 0 and not d & (d - 1) for n, d in weights)

    def _together(self, family: int, form: str) -> bool:
        """Whether what rows may be off is told of their sum, so that no row is off by itself."""
        return self.question.squares or (form != "q" and self.scope.euclidean(family))

    def bound_again(
        self,
        preparation: Preparation,
        box: Box,
        terms: Sequence[Term],
        multiples: Sequence[Multiple],
        further: Further = (),
    ) -> int:
        """The bound of some of the terms that were accepted on this box, with other positive weights: what
        `aggregate_bound` asks of them besides still holds.
        """
        forms = None if self.question.squares or preparation.chart.frame is not None else self._forms
        if forms is not None:
            with suppress(NoProgram, OverflowError):
                return self._bound(forms, preparation, box, terms, multiples, further)
        pairs = zip(terms, multiples, strict=True)
        weighted = tuple(
            term._replace(weight=Fraction(2) ** exponent * mantissa) for term, (mantissa, exponent) in pairs
        )
        return self.aggregate_bound(preparation, box, weighted, further)

    def expect(self, preparation: Preparation, reasons: Iterable[protocol.Aggregate]) -> None:
        """Find the polynomials of the rows of these together, which is faster than one after the other."""
        if self._forms is None or preparation.chart.frame is not None:
            return
        rows: dict[tuple[str, Further], set[Key]] = {}
        for reason in reasons:
            for term in reason.rows:
                rows.setdefault((term.form, reason.further), set()).add((term.block, term.row, term.side))
        for (form, further), keys in rows.items():
            with suppress(NoProgram, OverflowError):
                self._table(self._forms, preparation, form, further).ask(sorted(keys))

    def _ask(self, preparation: Preparation, terms: Sequence[Term], further: Further) -> None:
        """The same of terms that were accepted, and were perhaps forgotten."""
        if self._forms is None or preparation.chart.frame is not None:
            return
        rows = [term for term in terms if isinstance(term, RowTerm)]
        for form in dict.fromkeys(term.form for term in rows):
            with suppress(NoProgram, OverflowError):
                table = self._table(self._forms, preparation, form, further)
                table.ask([(term.family, term.row, term.side) for term in rows if term.form == form])

    def sizes(self, preparation: Preparation, terms: Sequence[Term], further: Further = ()) -> list[int]:
        """Bounds of the absolute values of accepted terms, without their weights, on the prepared box."""
        keys = [(preparation.number, further, *term[:-1]) for term in terms]
        missing = [pair for pair in zip(keys, terms, strict=True) if pair[0] not in self._sizes]
        if missing:
            self._ask(preparation, [term for _, term in missing], further)
        for key, term in missing:
            found = self._quickly(preparation, term, further)
            self._sizes[key] = self._largest(preparation, term, further) if found is None else found
        return [self._sizes[key] for key in keys]

    def _quickly(self, preparation: Preparation, term: Term, further: Further) -> int | None:
        """The size of a term, if it is known without its polynomial."""
        if isinstance(term, RowTerm):
            table = self._tables.get((preparation.number, term.form, further))
            place = None if table is None else table.index.get((term.family, term.row, term.side))
            return None if table is None or place is None else table.sizes[place]
        if term.first == term.second:
            return None
        positions, one = self.scope.positions, self.scope.arithmetic.one
        first, second = (preparation.offsets[positions[v]][1] for v in (term.first, term.second))
        return -(-first * second // one) + 3 * (first * second // one) + 4

    def _largest(self, preparation: Preparation, term: Term, further: Further) -> int:
        precision, total = self.scope.arithmetic.precision, 0
        polynomial, offsets = self.polynomial(preparation, term, further), [*preparation.offsets, *self._further]
        for monomial, (low, high) in polynomial.items():
            size = max(-low, high)
            for position in monomial:
                size = size * offsets[position][1] >> precision
            total += size + 1
        return total

    def _table(self, forms: BulkForms, preparation: Preparation, form: str, further: Further) -> _Table:
        key = preparation.number, form, further
        found = self._tables.get(key)
        if found is None:
            if len(self._tables) >= PREPARATIONS:
                del self._tables[next(iter(self._tables))]
            above = {n: 0 if self._together(n, form) else self._above[n] for n in self.scope.families}
            found = self._tables[key] = _Table(forms.of(form, further), self.scope, above, preparation)
        return found

    def _bound(
        self,
        forms: BulkForms,
        preparation: Preparation,
        box: Box,
        terms: Sequence[Term],
        multiples: Sequence[Multiple],
        further: Further,
    ) -> int:
        """The bound of terms with these weights, whose rows are all in one form; raises NoProgram."""
        scale = max(0, -min(exponent for _, exponent in multiples))
        weights = [mantissa << (scale + exponent) for mantissa, exponent in multiples]
        rows = [(term, w) for term, w in zip(terms, weights, strict=True) if isinstance(term, RowTerm)]
        products = [(term, w) for term, w in zip(terms, weights, strict=True) if isinstance(term, Product)]
        if further:
            rows.sort(key=lambda pair: pair[0].row)
        form = rows[0][0].form
        if any(term.form != form for term, _ in rows) or (self.question.squares and form == "q"):
            raise NoProgram
        table = self._table(forms, preparation, form, further)
        keys, (members, reaches) = [(t.family, t.row, t.side) for t, _ in rows], _members(table.forms, rows)
        table.ask(keys)
        positions, precision = self.scope.positions, self.scope.arithmetic.precision
        faces = [(positions[t.first], t.first_sign, positions[t.second], t.second_sign) for t, _ in products]
        weighted = Weighted(
            np.array([table.index[key] for key in keys], dtype=np.int64),
            limbs([weight for _, weight in rows]),
            np.array(faces, dtype=np.int64).reshape(-1, 4),
            limbs([weight for _, weight in products]),
            members,
            reaches,
        )
        offsets, answer = self._offsets(table.preparation, box), np.empty(2 * LIMBS, dtype=np.int64)
        if not weighted_bound(table.terms, weighted, table.radius, table.forms.layout, offsets, precision, answer):
            raise NoProgram
        return (integer(answer) - (self._reached(rows, scale) << precision)) >> (precision + scale)

    def _offsets(self, preparation: Preparation, box: Box) -> Limbs:
        """The box around the centre of the prepared one; boxes are remembered, and pairs of ends, of which a cut
        changes one.
        """
        same = self._boxes.get((preparation.number, id(box)))
        if same is not None and same[0] is box:
            return same[1]
        found = []
        for position, (pair, middle) in enumerate(zip(box, preparation.centre, strict=True)):
            key = preparation.number, position, id(pair)
            known = self._spans.get(key)
            if known is None or known[0] is not pair:
                lower, upper = pair
                span = self.scope.arithmetic.span(lower - middle, upper - middle)
                known = self._spans[key] = pair, ends([span])
            found.append(known[1])
        if len(self._boxes) >= BOXES:
            self._boxes.clear()
        offsets = np.concatenate(found)
        self._boxes[preparation.number, id(box)] = box, offsets
        return offsets


def _members(forms: FormPrograms, rows: Sequence[tuple[RowTerm, int]]) -> tuple[Numbers, Numbers]:
    """Where the rows of each number begin among rows in order, and end; and how far their measurements reach."""
    if not forms.further:
        return np.array([0, len(rows)], dtype=np.int64), np.empty((1, 0), dtype=np.int64)
    numbers, first = np.unique([term.row for term, _ in rows], return_index=True)
    reaches = np.array([forms.reaches(number) for number in numbers.tolist()])
    return np.append(first, len(rows)).astype(np.int64), reaches


def _contains(outer: Box, box: Box) -> bool:
    """As `contains`, where most pairs of ends are the very same ones."""
    pairs = zip(outer, box, strict=True)
    return all(one is other or contains((one,), (other,)) for one, other in pairs)
