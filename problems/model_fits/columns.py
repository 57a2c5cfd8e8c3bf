"""A model as columns: which parameters enter linearly, and what they are multiplied with.

A row r(b; c) is written as the sum over m of  m(b) N_m(t; c) / D_m(t; c): the b are parameters that enter linearly, m
products of at most two of them (1 among these), t are the other parameters and c what was measured. It is read from
the tape, operation by operation, so that it is the same number wherever the row is defined.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from functools import reduce

from certify.contractors.tape.tape import NULLARY, Builder, Operation, Step, Tape, apply

Monomial = tuple[int, ...]
MOST = 2  # parameters in a product


class Nonlinear(ValueError):
    """A row is no sum of such products."""


@dataclass(frozen=True)
class Fraction:
    """A numerator and what divides it (None: 1), nodes both."""

    above: int
    below: int | None = None


Part = dict[Monomial, Fraction]


@dataclass(frozen=True)
class Columns:
    """For each monomial of the inputs `linear` what it is multiplied with, in nodes of one builder."""

    builder: Builder
    linear: tuple[int, ...]
    fractions: Part

    @property
    def monomials(self) -> tuple[Monomial, ...]:
        """All but 1, which stands for what is fitted."""
        return tuple(sorted((m for m in self.fractions if m), key=lambda m: (len(m), m)))

    def column(self, monomial: Monomial) -> int:
        """What a monomial is multiplied with."""
        found = self.fractions.get(monomial)
        if found is None:
            return self.builder.constant(0)
        return found.above if found.below is None else self.builder.div(found.above, found.below)

    @property
    def divisors(self) -> tuple[int, ...]:
        """All that columns are divided by, each once."""
        return tuple(sorted({found.below for found in self.fractions.values() if found.below is not None}))

    def divisor(self) -> int:
        """Their product."""
        return reduce(self.builder.mul, self.divisors, self.builder.constant(1))

    def cleared(self, monomial: Monomial) -> int:
        """The column times that product."""
        found = self.fractions.get(monomial)
        if found is None:
            return self.builder.constant(0)
        return reduce(self.builder.mul, (one for one in self.divisors if one != found.below), found.above)


def columns(tape: Tape, unknown: Collection[int]) -> Columns:
    """The row of a tape with as many of its inputs `unknown` linear as can be, the first ones first."""
    linear: tuple[int, ...] = ()
    found = _Reader(tape, ()).row()
    for one in unknown:
        try:
            found = _Reader(tape, (*linear, one)).row()
        except Nonlinear:
            continue
        linear = (*linear, one)
    return found


@dataclass
class _Reader:
    """Reads a tape with certain inputs linear."""

    tape: Tape
    linear: tuple[int, ...]
    builder: Builder = field(init=False)

    def __post_init__(self) -> None:
        self.builder = Builder(self.tape.inputs)

    def row(self) -> Columns:
        one = Fraction(self.builder.constant(1))
        parts: list[Part] = [{(i,): one} if i in self.linear else {(): Fraction(i)} for i in range(self.tape.inputs)]
        for step in self.tape.steps:
            parts.append(self._read(step, parts))
        return Columns(self.builder, self.linear, parts[self.tape.outputs[0]])

    def _read(self, step: Step, parts: list[Part]) -> Part:
        operation, first, second, constant = step
        if operation in NULLARY:
            return {(): Fraction(apply(self.builder, operation, -1, -1, constant))}
        u = parts[first]
        if operation is Operation.NEG:
            return self._negative(u)
        if operation is Operation.SQR and any(u):
            return self._product(u, u)
        if operation in (Operation.ADD, Operation.SUB):
            v = parts[second]
            return self._sum(u, v if operation is Operation.ADD else self._negative(v))
        if operation is Operation.MUL:
            return self._product(u, parts[second])
        if operation is Operation.DIV:
            return self._product(u, self._inverse(parts[second]))
        nodes = [self._number(part) for part in ([u] if second < 0 else [u, parts[second]])]
        return {(): Fraction(apply(self.builder, operation, nodes[0], nodes[1] if len(nodes) > 1 else -1))}

    def _negative(self, part: Part) -> Part:
        return {m: replace(one, above=self.builder.neg(one.above)) for m, one in part.items()}

    def _number(self, part: Part) -> int:
        """The node of a part without linear inputs."""
        if any(part):
            raise Nonlinear
        one = part[()]
        return one.above if one.below is None else self.builder.div(one.above, one.below)

    def _inverse(self, part: Part) -> Part:
        if any(part):
            raise Nonlinear
        one = part[()]
        return {(): Fraction(self.builder.constant(1) if one.below is None else one.below, one.above)}

    def _product(self, u: Part, v: Part) -> Part:
        found: Part = {}
        for m, a in u.items():
            for n, b in v.items():
                key = tuple(sorted((*m, *n)))
                if len(key) > MOST or len(set(key)) < len(key):
                    raise Nonlinear
                term = Fraction(self.builder.mul(a.above, b.above), self._times(a.below, b.below))
                found[key] = self._plus(found[key], term) if key in found else term
        return found

    def _times(self, first: int | None, second: int | None) -> int | None:
        if first is None or second is None:
            return second if first is None else first
        return self.builder.mul(first, second)

    def _sum(self, u: Part, v: Part) -> Part:
        found = dict(u)
        for m, one in v.items():
            found[m] = self._plus(found[m], one) if m in found else one
        return found

    def _plus(self, a: Fraction, b: Fraction) -> Fraction:
        if a.below == b.below:
            return Fraction(self.builder.add(a.above, b.above), a.below)
        left, right = self._times(a.above, b.below), self._times(b.above, a.below)
        if left is None or right is None:
            raise AssertionError("numerators are nodes")
        return Fraction(self.builder.add(left, right), self._times(a.below, b.below))
