"""A system f(x) in F: one tape with an output for each constraint, its Jacobian as another, and the values allowed.

Equations allow [0, 0], inequalities a half line. Boxes come in batches, as arrays (variables, batch) of lower and
upper ends.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from contractors.derivative import jacobian
from contractors.evaluation import Enclosure, Flags, Floats, evaluate
from contractors.tape import Tape


@dataclass(frozen=True, eq=False)
class Equations:
    """Constraint i asks output i of the tape to lie in [lower[i], upper[i]]."""

    tape: Tape
    lower: Floats
    upper: Floats

    @property
    def variables(self) -> int:
        """Number of unknowns."""
        return self.tape.inputs

    @cached_property
    def occurring(self) -> tuple[int, ...]:
        """The variables that some constraint reads."""
        used = {operand for step in self.tape.steps for operand in (step.first, step.second)} | set(self.tape.outputs)
        return tuple(v for v in range(self.variables) if v in used)

    @cached_property
    def equalities(self) -> NDArray[np.int64]:
        """The constraints that are equations f_i(x) = 0."""
        return np.flatnonzero((self.lower == 0.0) & (self.upper == 0.0))

    @property
    def square(self) -> bool:
        """As many equations as unknowns."""
        return self.equalities.size == self.variables

    @cached_property
    def derivatives(self) -> tuple[Tape, NDArray[np.int64]]:
        """The tape of the entries of the Jacobian that are not identically 0, and their (constraint, variable)."""
        return jacobian(self.tape)

    def values(self, lower: Floats, upper: Floats) -> Enclosure:
        """Ranges of all constraints over a batch of boxes (constraints, batch), and where all are defined on the whole box."""
        return evaluate(self.tape, lower, upper)

    def slopes(self, lower: Floats, upper: Floats) -> tuple[Floats, Floats, Flags]:
        """The Jacobian enclosed over a batch of boxes (constraints, variables, batch), and where it is defined on the whole box."""
        tape, places = self.derivatives
        shape = (len(self.tape.outputs), self.variables, lower.shape[1])
        low, high = np.zeros(shape), np.zeros(shape)
        enclosure = evaluate(tape, lower, upper)
        low[places[:, 0], places[:, 1]] = enclosure.lower
        high[places[:, 0], places[:, 1]] = enclosure.upper
        defined = enclosure.defined & np.isfinite(low).all(axis=(0, 1)) & np.isfinite(high).all(axis=(0, 1))
        return low, high, defined
