"""A system f(x) in F: one tape with an output for each constraint, its Jacobian as another, and the values allowed.

Equations allow [0, 0], inequalities a half line. Boxes come in batches, as arrays (variables, batch) of lower and
upper ends.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numba import njit
from numpy.typing import NDArray

from certify.contractors.checkpoint import checkpoint
from certify.contractors.numbers.rounding import require_nearest
from certify.contractors.tape.dependence import Lists, Numbers, dependences
from certify.contractors.tape.derivative import jacobian
from certify.contractors.tape.evaluation import Flags, Floats, Ranges, evaluate, forward_some
from certify.contractors.tape.tape import Tape

STEPS = 2**22  # of operations on single boxes between two checkpoints


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

    @cached_property
    def agenda(self) -> tuple[Lists, Lists, Numbers, Floats]:
        """The variables that each constraint reads, the constraints that read each variable, how many operations each
        constraint has, and the allowed values in two rows.
        """
        operations, read = dependences(self.tape, list(self.tape.output_nodes[:, None]))
        costs = np.diff(operations.starts) + 1
        return read, read.turned(self.variables), costs, np.vstack([self.lower, self.upper])

    def part(self, constraints: Numbers, first: Numbers) -> tuple[Equations, Numbers]:
        """Some of the constraints as a system of its own, and its variables: `first`, then the others that occur."""
        operations, read = (lists.part(0) for lists in dependences(self.tape, [self.tape.output_nodes[constraints]]))
        variables = np.concatenate([first, np.setdiff1d(read, first)])
        places = {
            node: place for place, node in enumerate([*variables.tolist(), *(operations + self.variables).tolist()])
        }
        steps = (self.tape.steps[k] for k in operations.tolist())
        renumbered = tuple(
            step._replace(first=places.get(step.first, -1), second=places.get(step.second, -1)) for step in steps
        )
        outputs = tuple(places[self.tape.outputs[k]] for k in constraints.tolist())
        tape = Tape(variables.size, renumbered, outputs)
        return Equations(tape, self.lower[constraints], self.upper[constraints]), variables

    def slope_entries(self, lower: Floats, upper: Floats) -> Ranges:
        """The entries of the Jacobian at the places of `derivatives` over a batch of boxes, (entries, batch)."""
        return evaluate(self.derivatives[0], lower, upper)

    @cached_property
    def columns(self) -> tuple[Numbers, Lists, Lists]:
        """The variables that have entries in the Jacobian, in order; for each of them the entries, and the
        operations of `derivatives` that these need.
        """
        tape, places = self.derivatives
        variables, numbers = np.unique(places[:, 1], return_inverse=True)
        order = np.argsort(numbers, kind="stable")
        entries = np.split(order, np.cumsum(np.bincount(numbers, minlength=variables.size))[:-1])
        operations, _ = dependences(tape, [tape.output_nodes[mine] for mine in entries])
        return variables, Lists.of(entries), operations

    def progressive_entries(self, lower: Floats, upper: Floats, centre: Floats) -> Ranges:
        """Slopes from the centre over a batch of boxes, (entries, batch) at the places of `derivatives`: f(x) - f(c)
        lies in S (x - c) for every x of the box (Hansen 1978).

        x is reached from c by changing one variable after the other, so that column j is the derivative over the boxes
        of the variables before it and its own, and at the centre of those behind. Not an enclosure of the Jacobian: two
        points of the box other than c have other slopes.
        """
        require_nearest()
        lower, upper = np.ascontiguousarray(lower), np.ascontiguousarray(upper)
        tape, places = self.derivatives
        variables, entries, operations = self.columns
        low, high = np.empty((tape.nodes, centre.shape[1])), np.empty((tape.nodes, centre.shape[1]))
        low[: tape.inputs], high[: tape.inputs] = centre, centre
        found_low, found_high = (np.empty((len(places), centre.shape[1])) for _ in range(2))
        defined = np.ones(centre.shape[1], dtype=np.bool_)
        step = max(1, STEPS // max(1, operations.numbers.size * centre.shape[1] // max(1, variables.size)))
        for start in range(0, variables.size, step):
            checkpoint()
            _progressive(
                tape.inputs, tape.code, tape.constants, tape.output_nodes, variables,
                entries.starts, entries.numbers, operations.starts, operations.numbers,
                lower, upper, low, high, found_low, found_high, defined,
                start, min(start + step, variables.size),
            )  # fmt: skip
        return Ranges(found_low, found_high, defined)

    def slopes(self, lower: Floats, upper: Floats) -> tuple[Floats, Floats, Flags]:
        """The Jacobian enclosed over a batch of boxes (constraints, variables, batch), and where it is defined on the
        whole box.
        """
        return self._dense(self.slope_entries(lower, upper))

    def progressive_slopes(self, lower: Floats, upper: Floats, centre: Floats) -> tuple[Floats, Floats, Flags]:
        """`progressive_entries` as matrices (constraints, variables, batch), and where they are finite."""
        return self._dense(self.progressive_entries(lower, upper, centre))

    def _dense(self, entries: Ranges) -> tuple[Floats, Floats, Flags]:
        places = self.derivatives[1]
        shape = (len(self.tape.outputs), self.variables, entries.defined.size)
        low, high = np.zeros(shape), np.zeros(shape)
        low[places[:, 0], places[:, 1]], high[places[:, 0], places[:, 1]] = entries.lower, entries.upper
        return low, high, finite(entries)


def finite(entries: Ranges) -> Flags:
    """In which boxes all entries are defined and have finite ends."""
    return np.asarray(entries.defined & np.isfinite(entries.lower).all(axis=0) & np.isfinite(entries.upper).all(axis=0))


@njit(cache=True, error_model="numpy", nogil=True)
def _progressive(
    inputs: int, code: np.ndarray, constants: np.ndarray, outputs: np.ndarray, variables: np.ndarray,
    entry_starts: np.ndarray, entries: np.ndarray, step_starts: np.ndarray, steps: np.ndarray,
    lower: np.ndarray, upper: np.ndarray, low: np.ndarray, high: np.ndarray,
    found_low: np.ndarray, found_high: np.ndarray, defined: np.ndarray,
    first: int, last: int,
) -> None:  # fmt: skip
    """The entries of some columns; low and high hold the boxes of the variables before them, and centres behind."""
    for k in range(first, last):
        v = variables[k]
        low[v], high[v] = lower[v], upper[v]
        forward_some(steps[step_starts[k] : step_starts[k + 1]], inputs, code, constants, low, high, defined)
        for e in entries[entry_starts[k] : entry_starts[k + 1]]:
            found_low[e], found_high[e] = low[outputs[e]], high[outputs[e]]
