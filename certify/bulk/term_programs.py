"""How the coefficients of a row's forms follow from the nodes of its tape: `Row.term` of the checker, walked through
once with registers in the place of intervals, so that compiled code can do it for all rows.

Form `q` is that of `RootForm`. Where the checker takes another way with coefficients that are exactly 0 (a row of too
high a degree, a root times a number whose sign is not the tape's), there is no program, and the row is the checker's
own. Forms `m` and `t` are those of `expansions`.

Families with the same tape, whose variables stand in the same order, have the same programs but for the positions of
these variables: where outputs are asked for by hundreds, one walk through the tape serves all.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field, replace

from certify.bulk.bulk_rows import BulkRows, NoProgram
from certify.bulk.expansions import Expansion
from certify.bulk.register_writer import Polynomial, TermProgram, Writer
from certify.bulk.registers import Registers
from certify.checker.polynomial import DEGREE, INTERMEDIATE_DEGREE
from certify.contractors.fixed_point.tapes import MUL, NEG, SQR, SUB

Rooted = tuple[int, Polynomial, Polynomial]
SIDES = (1, -1)


@dataclass(frozen=True)
class TermPrograms:
    """Those of many families in one form."""

    form: str
    further: tuple[int, ...]
    _known: dict[Hashable, tuple[list[int], dict[int, TermProgram]]] = field(default_factory=dict)

    def of(self, rows: BulkRows) -> dict[int, TermProgram]:
        """The programs of a family from both sides; raises NoProgram."""
        if self.further:
            return term_programs(rows, self.form, self.further)
        places, tape = Registers.of(rows).places, rows.program.tape
        order = sorted(set(places.values()))
        ranks = tuple((i, order.index(place)) for i, place in places.items())
        key = tape.inputs, tape.operations, ranks
        if key not in self._known:
            self._known[key] = order, term_programs(rows, self.form)
            return self._known[key][1]
        before, programs = self._known[key]
        moved = dict(zip(before, order, strict=True))
        return {
            side: replace(p, outputs=_moved(p.outputs, moved), guard=_moved(p.guard, moved))
            for side, p in programs.items()
        }


def _moved(polynomial: Polynomial, moved: dict[int, int]) -> Polynomial:
    return {tuple(moved[place] for place in monomial): register for monomial, register in polynomial.items()}


def term_programs(rows: BulkRows, form: str, further: tuple[int, ...] = ()) -> dict[int, TermProgram]:
    """The programs of a form from both sides, with measurements of these columns as unknowns; raises NoProgram."""
    registers = Registers.of(rows, further)
    writer = Writer(registers.count, registers.one)
    if form == "q" and further:
        raise NoProgram
    if form == "q":
        return _root_programs(_RootForm(rows, registers, writer))
    found = Expansion(rows, registers, writer).row(form)
    programs = {}
    for side in SIDES:
        fork = writer.fork()
        programs[side] = fork.program(fork.oriented(found, side, registers.bound), {}, registers.zero)
    return programs


def _root_programs(form: _RootForm) -> dict[int, TermProgram]:
    (sigma, radicand, rest), registers, programs = form.value(), form.registers, {}
    for side in SIDES:
        writer = form.writer.fork()
        signed = writer.oriented(rest, side, registers.bound)
        outputs, guard = signed, Polynomial()
        if sigma:
            difference = writer.add(radicand, writer.square(signed), SUB)
            outputs, guard = (difference, {}) if sigma * side > 0 else (writer.each(NEG, difference), signed)
        programs[side] = writer.program(outputs, guard, registers.zero)
    return programs


def _degree(polynomial: Polynomial) -> int:
    return max(map(len, polynomial), default=0)


class _RootForm:
    """The forms of all nodes."""

    def __init__(self, rows: BulkRows, registers: Registers, writer: Writer) -> None:
        self.program, self.registers, self.writer = rows.program, registers, writer
        self.nodes: list[Rooted] = [(0, {}, {(): node}) for node in range(registers.nodes)]
        for i, place in registers.places.items():
            self.nodes[i] = 0, {}, {(): registers.centres[i], (place,): registers.one}

    def value(self) -> Rooted:
        """The row."""
        for node, operation in self.program.nodes():
            if self.program.depends[node]:
                self.nodes[node] = self._formed(operation.code, operation.first, operation.second)
        _, radicand, rest = self.nodes[-1]
        if max(_degree(radicand), _degree(rest)) > DEGREE:
            raise NoProgram
        return self.nodes[-1]

    def _formed(self, code: str, first: int, second: int) -> Rooted:
        writer, varies = self.writer, self.program.depends
        (sigma, radicand, rest), (tau, other, summand) = self.nodes[first], self.nodes[second]
        match code:
            case "add" if not (sigma and tau):
                return sigma or tau, radicand or other, writer.add(rest, summand)
            case "sub" if not (sigma and tau):
                return sigma or -tau, radicand or other, writer.add(rest, summand, SUB)
            case "neg":
                return -sigma, radicand, writer.each(NEG, rest)
            case "mul" if not varies[second]:
                return self._scaled(first, second, multiplied=True)
            case "mul" if not varies[first]:
                return self._scaled(second, first, multiplied=True)
            case "mul" if not (sigma or tau) and _degree(rest) + _degree(summand) <= INTERMEDIATE_DEGREE:
                return 0, {}, writer.multiply(rest, summand)
            case "div" if not varies[second]:
                return self._scaled(first, second, multiplied=False)
            case "sqr" if not sigma and 2 * _degree(rest) <= INTERMEDIATE_DEGREE:
                return 0, {}, writer.square(rest)
            case "sqr" if not rest:
                return 0, {}, radicand
            case "sqrt" if not sigma:
                return 1, rest, {}
        raise NoProgram

    def _scaled(self, node: int, number: int, multiplied: bool) -> Rooted:
        """A root takes the sign of its factor, which must be a constant of the tape."""
        sigma, radicand, rest = self.nodes[node]
        writer = self.writer
        if sigma:
            inputs = self.program.tape.inputs
            operation = self.program.tape.operations[number - inputs] if number >= inputs else None
            if operation is None or operation.code != "const" or not operation.value:
                raise NoProgram
            sigma = sigma if operation.value > 0 else -sigma
            square = writer.write(SQR, number)
            radicand = writer.each(MUL, radicand, square) if multiplied else writer.divide(radicand, square)
        return sigma, radicand, writer.each(MUL, rest, number) if multiplied else writer.divide(rest, number)
