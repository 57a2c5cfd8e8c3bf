"""How the coefficients of a row's form `q` follow from the nodes of its tape: `RootForm` and `Row.term` of the checker,
walked through once with registers in the place of intervals, so that compiled code can do it for all rows.

The checker leaves out coefficients that are exactly 0; here they stay, as zeros, which changes no other coefficient.
Where it takes another way with them (a row of too high a degree, a root times a number whose sign is not the tape's),
there is no program, and the row is the checker's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from certify.checker.polynomial import DEGREE, INTERMEDIATE_DEGREE
from certify.checker.tape import Program
from certify.contractors.fixed_point.tapes import ADD, DIV, MUL, NEG, SQR, SUB
from certify.contractors.fixed_point.terms import TWICE
from certify.proofs.bulk_rows import NoProgram

Monomial = tuple[int, ...]
Polynomial = dict[Monomial, int]  # registers
Rooted = tuple[int, Polynomial, Polynomial]


@dataclass(frozen=True, eq=False)
class TermProgram:
    """Rows (code, target, first, second), and how many registers there are; those of the coefficients, of those of what
    must not be negative, and of 0.
    """

    code: NDArray[np.int64]
    registers: int
    outputs: Polynomial
    guard: Polynomial
    zero: int


def _degree(polynomial: Polynomial) -> int:
    return max(map(len, polynomial), default=0)


@dataclass
class _Writer:
    """Writes a program; `registers` counts them."""

    registers: int
    rows: list[tuple[int, int, int, int]] = field(default_factory=list)

    def write(self, code: int, first: int, second: int = 0) -> int:
        """One more operation; returns its register."""
        self.rows.append((code, self.registers, first, second))
        self.registers += 1
        return self.registers - 1

    def add(self, p: Polynomial, q: Polynomial, code: int = ADD) -> Polynomial:
        """p + q, or p - q."""
        total = dict(p)
        for monomial, value in q.items():
            if monomial in total:
                total[monomial] = self.write(code, total[monomial], value)
            else:
                total[monomial] = value if code == ADD else self.write(NEG, value)
        return total

    def each(self, code: int, p: Polynomial, second: int = 0) -> Polynomial:
        """An operation on every coefficient."""
        return {monomial: self.write(code, value, second) for monomial, value in p.items()}

    def divide(self, p: Polynomial, divisor: int) -> Polynomial:
        """p / divisor, which fails if the divisor contains 0, whatever p is."""
        self.write(DIV, divisor, divisor)
        return self.each(DIV, p, divisor)

    def multiply(self, p: Polynomial, q: Polynomial) -> Polynomial:
        """p q"""
        return self._sum(
            [(tuple(sorted(left + right)), self.write(MUL, a, b)) for left, a in p.items() for right, b in q.items()]
        )

    def square(self, p: Polynomial) -> Polynomial:
        """p^2"""
        return self._sum(
            [
                (tuple(sorted(left + right)), self.write(SQR, a) if left == right else self.write(TWICE, a, b))
                for (left, a), (right, b) in combinations_with_replacement(p.items(), 2)
            ]
        )

    def _sum(self, terms: Sequence[tuple[Monomial, int]]) -> Polynomial:
        total: Polynomial = {}
        for monomial, value in terms:
            total[monomial] = self.write(ADD, total[monomial], value) if monomial in total else value
        return total


class _RootForm:
    """The forms of all nodes; registers 0, 1, ... are theirs, then come the bound, 1, 0, and each variable's centre."""

    def __init__(self, program: Program, positions: dict[int, int]) -> None:
        count = program.tape.inputs + len(program.tape.operations)
        self.program, self.bound, one = program, count, count + 1
        self.writer = _Writer(one + 2 + len(program.variables))
        self.nodes: list[Rooted] = [(0, {}, {(): node}) for node in range(count)]
        for place, (i, variable) in enumerate(program.variables):
            self.nodes[i] = 0, {}, {(): one + 2 + place, (positions[variable],): one}

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
                return self._scaled(first, second, MUL)
            case "mul" if not varies[first]:
                return self._scaled(second, first, MUL)
            case "mul" if not (sigma or tau) and _degree(rest) + _degree(summand) <= INTERMEDIATE_DEGREE:
                return 0, {}, writer.multiply(rest, summand)
            case "div" if not varies[second]:
                return self._scaled(first, second, DIV)
            case "sqr" if not sigma and 2 * _degree(rest) <= INTERMEDIATE_DEGREE:
                return 0, {}, writer.square(rest)
            case "sqr" if not rest:
                return 0, {}, radicand
            case "sqrt" if not sigma:
                return 1, rest, {}
        raise NoProgram

    def _scaled(self, node: int, number: int, code: int) -> Rooted:
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
            radicand = writer.each(MUL, radicand, square) if code == MUL else writer.divide(radicand, square)
        return sigma, radicand, writer.each(MUL, rest, number) if code == MUL else writer.divide(rest, number)


def term_program(program: Program, positions: dict[int, int], side: int) -> TermProgram:
    """The program of form `q` from one side; raises NoProgram."""
    form = _RootForm(program, positions)
    (sigma, radicand, rest), writer = form.value(), form.writer
    signed = writer.add(rest if side > 0 else writer.each(NEG, rest), {(): form.bound}, SUB)
    outputs, guard = signed, Polynomial()
    if sigma:
        difference = writer.add(radicand, writer.square(signed), SUB)
        outputs, guard = (difference, {}) if sigma * side > 0 else (writer.each(NEG, difference), signed)
    return TermProgram(
        np.array(writer.rows, dtype=np.int64).reshape(-1, 4), writer.registers, outputs, guard, form.bound + 2
    )
