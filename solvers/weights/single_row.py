"""One row of a system as a checker judges it alone: by how much it misses what is allowed where it is defined. Floats
that prove nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from certify.contractors.rows.equations import Equations
from certify.contractors.tape.evaluation import Flags, Floats, evaluate
from certify.contractors.tape.tape import Builder, Operation, Tape, replay

PARTIAL = (Operation.SQRT, Operation.LOG, Operation.DIV)


@dataclass(frozen=True, slots=True)
class SingleRow:
    """One row as a system of its own, in all variables, and the operands without which it is not defined."""

    equation: Equations
    needed: tuple[Operation, ...]
    operands: Tape | None

    @staticmethod
    def of(equations: Equations, number: int) -> SingleRow:
        """A row of a system."""
        builder = Builder(equations.variables)
        nodes = replay(equations.tape, builder, list(range(equations.variables)))
        this = slice(number, number + 1)
        tape = builder.tape((nodes[equations.tape.outputs[number]],))
        steps = [step for step in tape.steps if step.operation in PARTIAL]
        operands = tuple(step.second if step.operation is Operation.DIV else step.first for step in steps)
        asked = Tape(tape.inputs, tape.steps, operands) if operands else None
        return SingleRow(
            Equations(tape, equations.lower[this], equations.upper[this]),
            tuple(step.operation for step in steps),
            asked,
        )

    def missing(self, low: Floats, high: Floats) -> Floats:
        """By how much the row misses what is allowed where it is defined, as a share of its size; all of it where it is
        defined nowhere.
        """
        values = self.equation.values(low, high)
        least, greatest = values.lower[0], values.upper[0]
        miss = np.maximum(
            least if self.equation.upper[0] == 0.0 else -np.inf, -greatest if self.equation.lower[0] == 0.0 else -np.inf
        )
        size = np.maximum(np.abs(least), np.abs(greatest))
        size = np.where(np.isfinite(size), size, 1.0 + np.abs(miss))
        with np.errstate(invalid="ignore", divide="ignore"):
            share = np.where(size > 0.0, miss / size, 0.0)
        return np.asarray(np.where(self._nowhere(low, high), 1.0, share))

    def _nowhere(self, low: Floats, high: Floats) -> Flags:
        """Where an operand is out of the domain of what takes it."""
        found = np.zeros(low.shape[1], dtype=np.bool_)
        if self.operands is not None:
            ends = evaluate(self.operands, low, high)
            for operation, least, greatest in zip(self.needed, ends.lower, ends.upper, strict=True):
                found |= (
                    (greatest < 0.0)
                    if operation is Operation.SQRT
                    else (greatest <= 0.0) & ((operation is Operation.LOG) | (least >= 0.0))
                )
        return found
