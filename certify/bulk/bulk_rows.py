"""The rows of a family as compiled code takes them: its tape, the measurements of each row on the checker's grid, and
what was remembered of their sines and cosines. Measurements of the columns `further` are unknowns like the variables.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from certify.checker.elementary import GUARD, enclose_pi
from certify.checker.interval import Interval
from certify.checker.problem import Operation
from certify.checker.scope import Scope
from certify.contractors.fixed_point.tapes import CODES, PAIR, REMEMBERED, Tape, last_nodes
from certify.contractors.fixed_point.wide import LIMBS, Limbs, limbs

Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]


class NoProgram(Exception):
    """The checker's own code is needed."""


def ends(intervals: Iterable[Interval]) -> Limbs:
    """Intervals as flat limbs; raises OverflowError where a number is too large."""
    return limbs(end for interval in intervals for end in interval)


def quarter_turn(precision: int) -> Limbs:
    """pi/2 with the guard bits of the checker's functions."""
    low, high = enclose_pi(precision + GUARD)
    return limbs((low >> 1, -(-high >> 1)))


def bulk_rows(scope: Scope, further: tuple[int, ...] = ()) -> dict[int, BulkRows | None]:
    """The rows of each family of a scope, None where compiled code cannot take them."""
    quarter = quarter_turn(scope.arithmetic.precision)
    found: dict[int, BulkRows | None] = dict.fromkeys(sorted(scope.families))
    for family in found:
        with suppress(NoProgram, OverflowError):
            found[family] = BulkRows(scope, family, quarter, further)
    return found


class BulkRows:
    """The rows of one family; raises NoProgram or OverflowError if they cannot be taken so."""

    def __init__(self, scope: Scope, family: int, quarter: Limbs, further: tuple[int, ...] = ()) -> None:
        self.program = program = scope.program(family, further)
        self.scope, self.family, self.quarter = scope, family, quarter
        self.bits = scope.arithmetic.precision
        constants = [
            scope.calculus.pi if operation.code == "pi" else scope.arithmetic.enclose(operation.value)
            for operation in program.tape.operations
        ]
        self.template = ends([*[(0, 0)] * program.tape.inputs, *constants])
        self.measured_inputs = [i for i, binding in enumerate(program.family.bindings) if binding.measured]
        self.angles: list[int] = []
        steps = [self._step(*node) for node in program.nodes() if node[1].code not in ("const", "pi")]
        self.steps: Numbers = np.array(steps, dtype=np.int64).reshape(-1, 4)
        self.constant_steps = self.steps[[not program.depends[node] for node in self.steps[:, 1].tolist()]]
        self.memory: Numbers = np.zeros(0, dtype=np.int64)
        self._places: dict[int, int] = {}
        self._measured: dict[int, tuple[Numbers, Flags]] = {}
        self._at_ends: dict[int, tuple[Numbers, Numbers]] = {}
        self._entries: dict[int, tuple[Numbers, Numbers]] = {}

    def _step(self, node: int, operation: Operation) -> tuple[int, int, int, int]:
        if operation.code not in CODES:
            raise NoProgram
        second = operation.second
        if operation.code in ("sin", "cos"):
            if operation.first not in self.angles:
                self.angles.append(operation.first)
            second = self.angles.index(operation.first)
        return CODES[operation.code], node, operation.first, second

    @property
    def tape(self) -> Tape:
        """As kernels take it, with the memory as it stands."""
        return Tape(self.steps, self.constant_steps, self.template, self.quarter, self.bits, self.memory)

    def places(self, rows: Sequence[int]) -> Numbers:
        """Where the memory of each row begins, for which there is room."""
        each = REMEMBERED * len(self.angles)
        for row in rows:
            self._places.setdefault(row, each * len(self._places))
        if self.memory.size < each * len(self._places):
            grown = np.zeros(each * max(16, 2 * len(self._places)), dtype=np.int64)
            grown[: self.memory.size] = self.memory
            self.memory = grown
        return np.array([self._places[row] for row in rows], dtype=np.int64)

    def measured(self, row: int) -> tuple[Numbers, Flags]:
        """The measurements of a row on their whole boxes, and the inputs that the measurement lemma moves."""
        if row not in self._measured:
            lower, upper = self.at_ends(row)
            movable = np.zeros(len(self.program.family.bindings), dtype=np.bool_)
            for i in self.program.movable:
                low, high = self.scope.entry(self.program.family.bindings[i].index, row)
                movable[i] = low < high
            self._measured[row] = np.concatenate([lower[:, :LIMBS], upper[:, LIMBS:]], axis=1), movable
        return self._measured[row]

    def at_ends(self, row: int) -> tuple[Numbers, Numbers]:
        """The measurements of a row at their lower and at their upper ends, a number of limbs each."""
        if row not in self._at_ends:
            enclose, bindings = self.scope.arithmetic.enclose, self.program.family.bindings
            bounds = [self.scope.entry(bindings[i].index, row) for i in self.measured_inputs]
            lower, upper = (ends(enclose(pair[way]) for pair in bounds).reshape(-1, PAIR) for way in (0, 1))
            self._at_ends[row] = lower, upper
        return self._at_ends[row]

    def entries(self, row: int) -> tuple[Numbers, Numbers]:
        """The middles of a row's measurements that are unknowns, and how far each is from its own."""
        if row not in self._entries:
            enclose, span = self.scope.arithmetic.enclose, self.scope.arithmetic.span
            bounds = [self.scope.entry(column, row) for _, column in self.program.further]
            middles, reaches = (
                [enclose((lower + upper) / 2) for lower, upper in bounds],
                [span((lower - upper) / 2, (upper - lower) / 2) for lower, upper in bounds],
            )
            self._entries[row] = ends(middles), ends(reaches)
        return self._entries[row]

    def with_variables(self, measured: Numbers, spans: Numbers) -> Numbers:
        """The inputs of rows from the measurements of each and the spans of the scope's variables."""
        inputs = np.empty((len(measured), len(self.program.family.bindings), PAIR), dtype=np.int64)
        inputs[:, self.measured_inputs] = measured.reshape(len(measured), -1, PAIR)
        for i, variable in self.program.variables:
            inputs[:, i] = spans[self.scope.positions[variable]]
        return inputs.reshape(len(measured), -1)

    def inputs(self, rows: Sequence[int], spans: Limbs) -> tuple[Numbers, Flags]:
        """The inputs of these rows over the spans of the scope's variables, and what moves."""
        found = [self.measured(row) for row in rows]
        measured, movable = np.array([one for one, _ in found]), np.array([other for _, other in found])
        return self.with_variables(measured, spans.reshape(-1, PAIR)), movable

    def values(self, rows: Sequence[int], inputs: Numbers) -> tuple[Numbers, Flags]:
        """The ends of r for these inputs of each row, and where compiled code could not say."""
        answer, failures = np.empty(PAIR * len(rows), dtype=np.int64), np.zeros(len(rows), dtype=np.bool_)
        places = self.places(rows)
        last_nodes(self.tape, places, inputs, answer, failures)
        return answer, failures
