"""The outside of a system f(x) in F: what an inner contractor keeps, so that what it removes is proved to be inside.

A point x is outside {x : f(x) is defined and f_i(x) in F_i for all i} if and only if
- some value is beyond an end: f_i(x) > upper_i or f_i(x) < lower_i for some i, or
- some operation on the way is undefined at x: a divisor is 0, a root's operand below 0, a logarithm's not above 0, an
  arc sine's or arc cosine's beyond -1 or 1, a tangent's where the cosine is 0.
The first undefined operation has a defined operand u(x), which satisfies the closed condition: u = 0, u <= 0, u >= 1,
... So the outside is contained in the union of one closed constraint for each end and each partial operation, and each
is a system of one row with a hull consistency of its own. Without the second kind, a box that leaves the domain of a
root would be called inside by mistake. Equations allow one value only: nothing can be proved to be inside of them.
Reference: Jaulin, Desrochers (2014), introduction to the algebra of separators.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from certify.contractors.compositions.union import Union
from certify.contractors.operators.hull_consistency import HullConsistency
from certify.contractors.protocol.boxes import Boxes, Narrowed
from certify.contractors.rows.equations import Equations
from certify.contractors.tape.function_kernels import FUNCTIONS, HALF_LINE, POINT
from certify.contractors.tape.tape import Builder, Operation, apply, replay

TOTAL = frozenset({Operation[name] for name in ("CONSTANT", "PI", "ADD", "SUB", "MUL", "NEG", "SQR", "MIN", "MAX")})

Alternative = tuple[int, float, float]


def _undefined(operation: Operation, first: int, second: int, builder: Builder) -> list[Alternative]:
    """Nodes and the closed sets of their values of which one is taken where an operation with defined operands is
    undefined.
    """
    if operation in FUNCTIONS:
        function = FUNCTIONS[operation]
        poles = [] if function.pole is None else [(apply(builder, function.pole, first, -1), *POINT)]
        return [*poles, *((first, *ends) for ends in function.beyond)]
    if operation is Operation.DIV:
        return [(second, *POINT)]
    if operation is Operation.POWER:
        return [(first, *HALF_LINE)]
    if operation is Operation.INTEGER_POWER:
        return [(first, *POINT)] if (builder.value_of(second) or 0) < 0 else []
    if operation is Operation.ATAN2:
        return [(builder.add(builder.sqr(first), builder.sqr(second)), *POINT)]
    if operation not in TOTAL:
        raise ValueError(
            f"it is not known where the operation {operation.name} is undefined, so that nothing can be "
            f"proved to be inside"
        )
    return []


@dataclass(frozen=True, eq=False)
class Outside:
    """Keeps every x at which some constraint is violated or undefined; exactly `sweeps` for each of the
    alternatives.
    """

    equations: Equations
    sweeps: int = 2
    name: str = "outside"
    cost: int = 0

    @cached_property
    def children(self) -> tuple[HullConsistency, ...]:
        """One alternative for each violated end and each undefined operation."""
        return tuple(HullConsistency(alternative, self.sweeps, least_gain=0.0) for alternative in self._alternatives())

    @property
    def reads(self) -> tuple[int, ...]:
        """All variables that occur in a constraint."""
        return self.equations.occurring

    def contract(self, boxes: Boxes) -> Narrowed:
        """Narrow a batch."""
        return Union(self.children).contract(boxes)

    def _alternatives(self) -> Iterator[Equations]:
        tape = self.equations.tape
        builder = Builder(tape.inputs)
        nodes = replay(tape, builder, list(range(tape.inputs)))
        found: dict[Alternative, None] = {}  # in order, each once
        for output, low, high in zip(
            tape.outputs, self.equations.lower.tolist(), self.equations.upper.tolist(), strict=True
        ):
            if high < np.inf:
                found[nodes[output], high, np.inf] = None
            if low > -np.inf:
                found[nodes[output], -np.inf, low] = None
        for operation, first, second, _ in tape.steps:
            found |= dict.fromkeys(_undefined(operation, nodes[first], nodes[second], builder))
        for node, low, high in found:
            constant = builder.value_of(node)
            if constant is None or low <= constant <= high:
                yield Equations(builder.tape((node,)), np.array([low]), np.array([high]))
