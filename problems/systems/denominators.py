"""Divisors that may be 0, cleared: instead of r = n/d an equation n + 0/d = 0.

The number 0/d is 0 where d is not 0, and undefined where r is: so both rows are 0 at the same points, and defined at
the same points. But an interval of divisors around 0 has no bounded quotient, while n is as narrow as ever. Divisions
within a root or another function stay what they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from certify.contractors.tape.tape import Builder, Operation, Tape, apply
from certify.problems.model.crude_range import Range, crude_ranges

Quotient = tuple[
    int, dict[int, int]
]  # the node of a numerator, and of what powers of which nodes the denominator is the product


def cleared(tape: Tape, box: Sequence[Range]) -> Tape:
    """An equation with the same solutions, if a divisor may be 0 somewhere in the box."""
    if not any(step.operation is Operation.DIV for step in tape.steps):
        return tape
    ranges = crude_ranges(tape, box)
    doubtful = {
        node
        for node, step in enumerate(tape.steps, tape.inputs)
        if step.operation is Operation.DIV and not _apart(ranges[step.second])
    }
    if not doubtful:
        return tape
    clearing = _Clearing(Builder(tape.inputs))
    found: list[Quotient] = [(node, {}) for node in range(tape.inputs)]
    for node, step in enumerate(tape.steps, tape.inputs):
        operands = [found[operand] for operand in (step.first, step.second) if operand >= 0]
        found.append(clearing.step(step.operation, operands, step.constant, node in doubtful))
    numerator, builder = found[tape.outputs[0]][0], clearing.builder
    for divisor in dict.fromkeys(clearing.divisors):
        numerator = builder.add(numerator, builder.div(builder.constant(0), divisor))
    return builder.row(numerator)


def _apart(ends: object) -> bool:
    """Whether a range is known not to contain 0."""
    return isinstance(ends, tuple) and not ends[0] <= 0 <= ends[1]


class _Clearing:
    """Builds quotients; `divisors` are the nodes that must not be 0."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder
        self.divisors: list[int] = []

    def step(
        self, operation: Operation, operands: list[Quotient], constant: Fraction | None, doubtful: bool
    ) -> Quotient:
        """The operation on quotients."""
        b = self.builder
        if not doubtful and not any(denominator for _, denominator in operands):
            numerators = [numerator for numerator, _ in operands] + [-1, -1]
            return apply(b, operation, numerators[0], numerators[1], constant), {}
        (n, d), (m, e) = operands[0], operands[-1]
        match operation:
            case Operation.ADD | Operation.SUB:
                common = {divisor: max(d.get(divisor, 0), e.get(divisor, 0)) for divisor in {**d, **e}}
                combine = b.add if operation is Operation.ADD else b.sub
                return combine(self._times(n, common, d), self._times(m, common, e)), common
            case Operation.MUL:
                return b.mul(n, m), _added(d, e)
            case Operation.DIV:
                self.divisors.append(m)
                return self._times(n, e, {}), _added(d, {m: 1})
            case Operation.NEG:
                return b.neg(n), d
            case Operation.SQR:
                return b.sqr(n), _added(d, d)
        values = [b.div(n, self._times(b.constant(1), d, {})) if d else n for n, d in operands] + [-1]
        return apply(b, operation, values[0], values[1], constant), {}

    def _times(self, node: int, wanted: dict[int, int], given: dict[int, int]) -> int:
        """The node times what the one denominator has more than the other."""
        for divisor, power in wanted.items():
            if more := power - given.get(divisor, 0):
                node = self.builder.mul(node, self.builder.power_by_products(divisor, more))
        return node


def _added(first: dict[int, int], second: dict[int, int]) -> dict[int, int]:
    return {divisor: first.get(divisor, 0) + second.get(divisor, 0) for divisor in {**first, **second}}
