"""A system f(x) in F: one tape with an output for each constraint, its Jacobian as another, and the values allowed.

Equations allow [0, 0], inequalities a half line. Boxes come in batches, as arrays (variables, batch) of lower and
upper ends.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from certify.contractors.checkpoint import checkpoint
from certify.contractors.tape.derivative import jacobian
from certify.contractors.tape.evaluation import Flags, Floats, Ranges, evaluate
from certify.contractors.tape.tape import Builder, Tape, replay


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

    def values(self, lower: Floats, upper: Floats) -> Ranges:
        """Ranges of all constraints over a batch of boxes (constraints, batch), and where all are defined on the whole
        box.
        """
        return evaluate(self.tape, lower, upper)

    def slopes(self, lower: Floats, upper: Floats) -> tuple[Floats, Floats, Flags]:
        """The Jacobian enclosed over a batch of boxes (constraints, variables, batch), and where it is defined on the
        whole box.
        """
        tape, places = self.derivatives
        shape = (len(self.tape.outputs), self.variables, lower.shape[1])
        low, high = np.zeros(shape), np.zeros(shape)
        enclosure = evaluate(tape, lower, upper)
        low[places[:, 0], places[:, 1]] = enclosure.lower
        high[places[:, 0], places[:, 1]] = enclosure.upper
        defined = enclosure.defined & np.isfinite(low).all(axis=(0, 1)) & np.isfinite(high).all(axis=(0, 1))
        return low, high, defined

    @cached_property
    def columns(self) -> tuple[tuple[int, Tape, NDArray[np.int64]], ...]:
        """For each variable that occurs: its number, the tape of its column of the Jacobian, and the constraints of the
        entries.
        """
        tape, places = self.derivatives
        builder = Builder(tape.inputs)
        nodes = np.array(replay(tape, builder, list(range(tape.inputs))))[tape.output_nodes]
        found = []
        for v in self.occurring:
            checkpoint()
            mine = places[:, 1] == v
            if mine.any():
                found.append((v, builder.tape(tuple(nodes[mine].tolist())), places[mine, 0]))
        return tuple(found)

    def progressive_slopes(self, lower: Floats, upper: Floats, centre: Floats) -> tuple[Floats, Floats, Flags]:
        """Slopes from the centre over a batch of boxes: f(x) - f(c) lies in S (x - c) for every x of the box (Hansen
        1978).

        x is reached from c by changing one variable after the other, so that column j is the derivative over the boxes
        of the variables before it and its own, and at the centre of those behind. Not an enclosure of the Jacobian: two
        points of the box other than c have other slopes.
        """
        shape = (len(self.tape.outputs), self.variables, lower.shape[1])
        low, high = np.zeros(shape), np.zeros(shape)
        defined = np.ones(lower.shape[1], dtype=np.bool_)
        a, b = centre.copy(), centre.copy()
        for v, tape, rows in self.columns:
            checkpoint()
            a[v], b[v] = lower[v], upper[v]
            enclosure = evaluate(tape, a, b)
            low[rows, v], high[rows, v] = enclosure.lower, enclosure.upper
            defined &= enclosure.defined
        defined &= np.isfinite(low).all(axis=(0, 1)) & np.isfinite(high).all(axis=(0, 1))
        return low, high, defined
