"""Straight-line programs over registers that are intervals, for polynomials whose coefficients are registers.

A program has rows (code, target, first, second), of the operations of tapes and those of `fixed_point.terms`. What was
written once is not written again. The checker leaves out coefficients that are exactly 0, and does not multiply by
exactly 1; here zeros stay, and only a 1 that is one for every row is left out: neither changes an end of an interval.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from certify.bulk.bulk_rows import NoProgram
from certify.checker.polynomial import LARGEST_PRODUCT
from certify.contractors.fixed_point.tapes import ADD, DIV, MUL, NEG, SQR, SUB
from certify.contractors.fixed_point.terms import MEET, TWICE

Monomial = tuple[int, ...]
Polynomial = dict[Monomial, int]  # registers
LONGEST = 400_000  # operations
EITHER_WAY = {ADD, MUL, TWICE, MEET}


@dataclass(frozen=True, eq=False)
class TermProgram:
    """A program and how many registers there are; those of the coefficients, of those of what must not be negative, and
    of 0.
    """

    code: NDArray[np.int64]
    registers: int
    outputs: Polynomial
    guard: Polynomial
    zero: int


@dataclass
class Writer:
    """Writes a program; `registers` counts them, and `one` holds 1."""

    registers: int
    one: int
    rows: list[tuple[int, int, int, int]] = field(default_factory=list)
    _known: dict[tuple[int, int, int], int] = field(default_factory=dict)

    def write(self, code: int, first: int, second: int = 0) -> int:
        """The register of an operation's result."""
        if code in EITHER_WAY and second < first:
            first, second = second, first
        key = code, first, second
        if key not in self._known:
            if len(self.rows) >= LONGEST:
                raise NoProgram
            self._known[key] = self.registers
            self.rows.append((code, self.registers, first, second))
            self.registers += 1
        return self._known[key]

    def times(self, first: int, second: int) -> int:
        """A product; 1 and -1 are exact factors."""
        minus = self._known.get((NEG, self.one, 0))
        for factor, other in ((first, second), (second, first)):
            if factor == self.one:
                return other
            if factor == minus:
                return self.write(NEG, other)
        return self.write(MUL, first, second)

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

    def scale(self, p: Polynomial, factor: int) -> Polynomial:
        """factor p"""
        return {monomial: self.times(value, factor) for monomial, value in p.items()}

    def divide(self, p: Polynomial, divisor: int) -> Polynomial:
        """p / divisor, which fails if the divisor contains 0, whatever p is."""
        self.write(DIV, divisor, divisor)
        return self.each(DIV, p, divisor)

    def multiply(self, p: Polynomial, q: Polynomial) -> Polynomial:
        """p q"""
        self._admit(p, q)
        return self._sum(
            [(tuple(sorted(left + right)), self.times(a, b)) for left, a in p.items() for right, b in q.items()]
        )

    def square(self, p: Polynomial) -> Polynomial:
        """p^2"""
        self._admit(p, p)
        return self._sum(
            [
                (tuple(sorted(left + right)), self.write(SQR, a) if left == right else self.write(TWICE, a, b))
                for (left, a), (right, b) in combinations_with_replacement(p.items(), 2)
            ]
        )

    def oriented(self, p: Polynomial, side: int, bound: int) -> Polynomial:
        """side p - bound"""
        return self.add(p if side > 0 else self.each(NEG, p), {(): bound}, SUB)

    def fork(self) -> Writer:
        """The same program, to be gone on with in another way."""
        return Writer(self.registers, self.one, self.rows.copy(), self._known.copy())

    def program(self, outputs: Polynomial, guard: Polynomial, zero: int) -> TermProgram:
        """What was written."""
        return TermProgram(np.array(self.rows, dtype=np.int64).reshape(-1, 4), self.registers, outputs, guard, zero)

    def _sum(self, terms: Sequence[tuple[Monomial, int]]) -> Polynomial:
        total: Polynomial = {}
        for monomial, value in terms:
            total[monomial] = self.write(ADD, total[monomial], value) if monomial in total else value
        return total

    @staticmethod
    def _admit(p: Polynomial, q: Polynomial) -> None:
        if len(p) * len(q) > LARGEST_PRODUCT:
            raise NoProgram
