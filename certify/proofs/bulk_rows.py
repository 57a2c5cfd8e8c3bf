"""The rows of a family as compiled code takes them: its tape, the measurements of each row on the checker's grid, and
what was remembered of their sines and cosines.
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
from certify.contractors.fixed_point.wide import Limbs, limbs

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


def bulk_rows(scope: Scope) -> dict[int, BulkRows | None]:
    """The rows of each family of a scope, None where compiled code cannot take them."""
    quarter = quarter_turn(scope.arithmetic.precision)
    found: dict[int, BulkRows | None] = dict.fromkeys(sorted(scope.families))
    for family in found:
        with suppress(NoProgram, OverflowError):
            found[family] = BulkRows(scope, family, quarter)
    return found


class BulkRows:
    """The rows of one family; raises NoProgram or OverflowError if they cannot be taken so."""

    def __init__(self, scope: Scope, family: int, quarter: Limbs) -> None:
        self.program = program = scope.program(family)
        self.scope, self.family, self.quarter = scope, family, quarter
        self.bits = scope.arithmetic.precision
        constants = [
            scope.calculus.pi if operation.code == "pi" else scope.arithmetic.enclose(operation.value)
            for operation in program.tape.operations
        ]
        self.template = ends([*[(0, 0)] * program.tape.inputs, *constants])
        self.angles: list[int] = []
        steps = [self._step(*node) for node in program.nodes() if node[1].code not in ("const", "pi")]
        self.steps: Numbers = np.array(steps, dtype=np.int64).reshape(-1, 4)
        self.constant_steps = self.steps[[not program.depends[node] for node in self.steps[:, 1].tolist()]]
        self.memory: Numbers = np.zeros(0, dtype=np.int64)
        self._places: dict[int, int] = {}
        self._measured: dict[int, tuple[Limbs, Flags]] = {}

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

    @property
    def measured_inputs(self) -> list[int]:
        """The inputs that are measurements."""
        return [i for i, binding in enumerate(self.program.family.bindings) if binding.measured]

    def measured(self, row: int) -> tuple[Limbs, Flags]:
        """The measurements of a row on their whole boxes, and the inputs that the measurement lemma moves."""
        if row not in self._measured:
            scope, bindings = self.scope, self.program.family.bindings
            bounds = {i: scope.entry(bindings[i].index, row) for i in self.measured_inputs}
            movable = np.zeros(len(bindings), dtype=np.bool_)
            for i in self.program.movable:
                movable[i] = bounds[i][0] < bounds[i][1]
            self._measured[row] = ends(scope.arithmetic.span(*pair) for pair in bounds.values()), movable
        return self._measured[row]

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
