"""What is asked of another library: enclosures of rows, over boxes and at points that a certificate names.

    leaf `evaluate`     the row over the leaf's box and its measurements
    leaf `aggregate`    whether its weighted sum is positive over the box, for all measurements
    any leaf            every row that it names, at the middle and two corners of its box, measurements at their middles
    witness             every row at the witness, with the measurements M' and M'' (specification, section 5)

Nothing is asked of boxes of isolated zeros, of leaves below a frame or a hitting, of sums of squares and of rows under
a Euclidean norm: they are counted. Boxes are rounded outwards to doubles, so that an enclosure holds for the exact
ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Any

from certify.checker.certificate import Certificate, parse_certificate
from certify.checker.nodes import (
    Aggregate,
    Evaluate,
    Hitting,
    Piece,
    Prepare,
    Product,
    RowTerm,
    Skew,
    Split,
    parse_node,
)
from certify.checker.problem import CanonicalProblem, Tape, parse_problem
from certify.checker.tape import operands
from certify.contractors.numbers.enclosures import enclose_rational
from certify.second_opinion.sums import Sum, Term, product_term, row_term

Bounds = tuple[Fraction, Fraction]
Box = dict[int, Bounds]
MOST = 200_000  # enclosures that are asked for
MOST_SUMS = 2_000  # weighted sums, each of which takes a twentieth of a second


class Kind(Enum):
    """What the enclosures of a question have to do with the claim."""

    LEAF = "leaf"  # over a box: missing the bound confirms it, inside of it contradicts it
    POINTS = "points"  # at one point: all inside of their bounds contradict it
    WITNESS = "witness"  # with M' at most the bound, with M'' at least minus the bound: else contradicted


@dataclass(frozen=True, slots=True)
class Enclosure:
    """A row on boxes of the inputs of its tape, and the bound of its size."""

    tape: int
    inputs: tuple[Bounds, ...]
    bound: Fraction


@dataclass(frozen=True, slots=True)
class Question:
    """One leaf, or one row of the witness."""

    kind: Kind
    place: str
    enclosures: tuple[Enclosure, ...]


@dataclass(frozen=True, slots=True)
class Questions:
    """All of a certificate; `passed_over` counts what is not asked about, `sums` are of leaves by their places."""

    tapes: tuple[Tape, ...]
    asked: tuple[Question, ...]
    passed_over: int
    sums: tuple[tuple[str, Sum], ...] = ()


def questions(problem: bytes, certificate: bytes) -> Questions:
    """Of a canonical problem and its certificate, which the checker has accepted."""
    reader = _Reader(parse_problem(problem), parse_certificate(certificate))
    asked = [*reader.of_witness(), *reader.of_tree()]
    passed = reader.passed_over + max(0, len(asked) - MOST)
    return Questions(reader.problem.tapes, tuple(asked[:MOST]), passed, tuple(reader.sums[:MOST_SUMS]))


class _Reader:
    def __init__(self, problem: CanonicalProblem, certificate: Certificate) -> None:
        self.problem, self.certificate = problem, certificate
        self.passed_over = len(certificate.isolated)
        self.sums: list[tuple[str, Sum]] = []
        names = {family.name: n for n, family in enumerate(problem.families)}
        self.group = {names[name]: group for group in certificate.groups for name in group.names}
        self.families = sorted(self.group)
        used = {b.index for n in self.families for b in problem.families[n].bindings if not b.measured}
        self.variables = sorted(used)

    def of_witness(self) -> Iterator[Question]:
        """Each row at the witness."""
        witness, upper = self.certificate.witness, self.certificate.upper
        if witness is None or upper is None:
            return
        values = {v: (x, x) for v, x in zip(self.variables, witness.values, strict=True)}
        tokens: Mapping[str, Sequence[Any]] = dict(witness.columns)
        for family in self.families:
            for row in range(self.problem.families[family].rows):
                if self._is_strange(family) or (family, row) in witness.without:
                    self.passed_over += 1
                    continue
                tape, bound = self.problem.families[family].tape, self._bound(family, upper)
                ways = (self._at_tokens(family, row, tokens, second) for second in (False, True))
                both = tuple(Enclosure(tape, self._inputs(family, values, entries), bound) for entries in ways)
                yield Question(Kind.WITNESS, f"row {family}.{row} at the witness", both)

    def _at_tokens(self, family: int, row: int, tokens: Mapping[str, Sequence[Any]], second: bool) -> dict[int, Bounds]:
        """The measurements M' or M'' of a row at the witness; those of a table are its upper and its lower ends."""
        found: dict[int, Bounds] = {}
        for binding in self.problem.families[family].bindings:
            if not binding.measured:
                continue
            name = self.problem.columns[binding.index].name
            low, high = self._entry(binding.index, row)
            s, t = tokens[name][row] if name in tokens else (Fraction(1), Fraction(0))
            value = low + (t if second and t is not None else s) * (high - low)
            found[binding.index] = (value, value)
        return found

    def of_tree(self) -> Iterator[Question]:
        """Each leaf."""
        level = self.certificate.level
        if level is None:
            return
        lines, number = copy(self.certificate.tree), -1
        root = self._root()
        waiting: list[tuple[Box, Box, bool]] = [(root, root, not self.certificate.squares)]
        while waiting:
            box, prepared, plain = waiting.pop()
            node = parse_node(lines.tokens())
            number += 1
            if isinstance(node, Split):
                low, high = box[node.variable]
                halves = (box | {node.variable: pair} for pair in ((node.at, high), (low, node.at)))
                waiting += [(half, prepared, plain) for half in halves]
            elif isinstance(node, Prepare):
                waiting.append((box, box, plain))
            elif isinstance(node, Skew):
                waiting.append((box, box, False))
            elif isinstance(node, Hitting):
                waiting += [(box, prepared, False)] * node.count
            elif isinstance(node, Piece):
                self.passed_over += 1
            elif isinstance(node, Evaluate | Aggregate):
                yield from self._leaf(node, f"node {number}", box, level) if plain else self._passed()
                if plain and isinstance(node, Aggregate):
                    self._sum(node, f"node {number}", box, prepared, level)

    def _passed(self) -> Iterator[Question]:
        self.passed_over += 1
        return iter(())

    def _leaf(self, node: Evaluate | Aggregate, place: str, box: Box, level: Fraction) -> Iterator[Question]:
        rows = [(node.family, node.row)] if isinstance(node, Evaluate) else [
            (term.family, term.row) for term in node.terms if isinstance(term, RowTerm)
        ]  # fmt: skip
        if any(self._is_strange(family) for family, _ in rows):
            yield from self._passed()
            return
        if isinstance(node, Evaluate):
            yield Question(Kind.LEAF, place, (self._row(node.family, node.row, level, box, False),))
        for point in (_middle, _first, _last):
            at = {v: point(bounds) for v, bounds in box.items()}
            rows_there = (self._row(family, row, level, at, True) for family, row in dict.fromkeys(rows))
            yield Question(Kind.POINTS, place, tuple(rows_there))

    def _sum(self, node: Aggregate, place: str, box: Box, prepared: Box, level: Fraction) -> None:
        """The question whether the leaf's sum is positive."""
        terms = []
        for term in node.terms:
            if isinstance(term, Product):
                terms.append(product_term(term, prepared))
                continue
            if self._is_strange(term.family):
                return
            family = self.problem.families[term.family]
            inputs = tuple(self._entry(b.index, term.row) if b.measured else b.index for b in family.bindings)
            terms.append(row_term(term, self.problem.tapes[family.tape], inputs, self._bound(term.family, level)))
        self.sums.append((place, Sum(tuple(terms), tuple(box.items()))))

    def _row(self, family: int, row: int, level: Fraction, box: Box, at_middle: bool) -> Enclosure:
        measured = {b.index for b in self.problem.families[family].bindings if b.measured}
        entries = {column: self._entry(column, row) for column in measured}
        entries = {column: _middle(ends) for column, ends in entries.items()} if at_middle else entries
        return Enclosure(
            self.problem.families[family].tape, self._inputs(family, box, entries), self._bound(family, level)
        )

    def _inputs(self, family: int, values: Mapping[int, Bounds], entries: Mapping[int, Bounds]) -> tuple[Bounds, ...]:
        bindings = self.problem.families[family].bindings
        return tuple(entries[b.index] if b.measured else values[b.index] for b in bindings)

    def _entry(self, column: int, row: int) -> Bounds:
        """With the factor on its half-width."""
        low, high = self.problem.columns[column].entries[row]
        half, centre = (high - low) / 2 * self.certificate.factor, (low + high) / 2
        return centre - half, centre + half

    def _bound(self, family: int, level: Fraction) -> Fraction:
        group = self.group[family]
        return Fraction(group.base + group.scale * level)

    def _is_strange(self, family: int) -> bool:
        return self.group[family].norm == "euclidean" or self.certificate.squares

    def _root(self) -> Box:
        if self.certificate.point is not None:
            return {v: (x, x) for v, x in zip(self.variables, self.certificate.point, strict=True)}
        if self.certificate.part is not None:
            return dict(zip(self.variables, self.certificate.part, strict=True))
        return {v: self.problem.variables[v].bounds for v in self.variables}


def _middle(bounds: Bounds) -> Bounds:
    value = (bounds[0] + bounds[1]) / 2
    return value, value


def _first(bounds: Bounds) -> Bounds:
    return bounds[0], bounds[0]


def _last(bounds: Bounds) -> Bounds:
    return bounds[1], bounds[1]


def as_data(asked: Questions) -> dict[str, Any]:
    """For a program that knows nothing of ours: tapes as lists of nodes, ends as doubles, rounded outwards."""
    used = sorted({one.tape for question in asked.asked for one in question.enclosures})
    tapes = {str(n): _tape(asked.tapes[n]) for n in used}
    rows = [[str(one.tape), [_outward(ends) for ends in one.inputs]] for q in asked.asked for one in q.enclosures]
    sums: list[dict[str, Any]] = []
    names: dict[Tape, str] = {}
    for _, one in asked.sums:
        box = {str(variable): _outward(ends) for variable, ends in one.box}
        sums.append({"box": box, "terms": [_term(term, names) for term in one.terms]})
    tapes |= {name: _tape(tape) for tape, name in names.items()}
    return {"tapes": tapes, "rows": rows, "sums": sums}


def _term(term: Term, names: dict[Tape, str]) -> list[Any]:
    """Its weight, the names of its tapes, and its inputs: variables by name."""
    used = [term.tape] if term.guard is None else [term.tape, term.guard]
    name, *guard = [names.setdefault(tape, f"{tape.name} of sum {len(names)}") for tape in used]
    inputs = [str(place) if isinstance(place, int) else _outward(place) for place in term.inputs]
    return [_outward((term.weight,) * 2), name, inputs, *guard]


def _tape(tape: Tape) -> dict[str, Any]:
    nodes = [
        [operation.code, *(_outward((operation.value,) * 2) if operation.code == "const" else operands(operation))]
        for operation in tape.operations
    ]
    return {"inputs": tape.inputs, "nodes": nodes}


def _outward(ends: Bounds) -> list[str]:
    """In hexadecimal, which no rounding mode reads wrongly."""
    return [enclose_rational(ends[0])[0].hex(), enclose_rational(ends[1])[1].hex()]
