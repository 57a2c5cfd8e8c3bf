"""Tapes, equations and rows as canonical bytes, from which a worker makes the same ones."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from certify.contractors.rows.constraints import Constraints
from certify.contractors.rows.equations import Equations
from certify.contractors.rows.rows import Rows
from certify.contractors.tape.evaluation import Floats
from certify.contractors.tape.tape import Operation, Step, Tape
from certify.solvers.journal.plain import Damaged, Plain

Codes = NDArray[np.int64]
PlainTape = tuple[int, Codes, dict[int, Fraction], tuple[int, ...]]  # constants by the steps that have one
PlainEquations = tuple[PlainTape, Floats, Floats]
PlainRows = tuple[
    str, PlainTape, tuple[int, ...], tuple[Floats, Floats], tuple[bool, ...], tuple[int, ...], Codes | None, int,
    Floats | None,
]  # fmt: skip
PlainConstraints = tuple[tuple[tuple[int, PlainRows], ...], tuple[int, ...], float]
CODEC = Plain()


def plain_tape(tape: Tape) -> PlainTape:
    """A tape as numbers."""
    constants = {place: Fraction(step.constant) for place, step in enumerate(tape.steps) if step.constant is not None}
    return tape.inputs, tape.code, constants, tuple(int(node) for node in tape.outputs)


def tape_of(plain: PlainTape) -> Tape:
    """The tape. Raises Damaged."""
    inputs, code, constants, outputs = plain
    try:
        steps = tuple(
            Step(Operation(operation), first, second, constants.get(place))
            for place, (operation, first, second) in enumerate(code.tolist())
        )
    except ValueError:
        raise Damaged("an unknown operation") from None
    return Tape(inputs, steps, outputs)


def plain_equations(equations: Equations) -> PlainEquations:
    """A system as numbers."""
    return plain_tape(equations.tape), equations.lower, equations.upper


def equations_of(plain: PlainEquations) -> Equations:
    """The system."""
    return Equations(tape_of(plain[0]), plain[1], plain[2])


def plain_constraints(constraints: Constraints) -> PlainConstraints:
    """Rows of measurements as numbers."""
    blocks = tuple((int(number), _plain_rows(rows)) for number, rows in constraints.blocks)
    return blocks, tuple(int(v) for v in constraints.variables), float(constraints.epsilon)


def constraints_of(plain: PlainConstraints) -> Constraints:
    """The rows."""
    blocks, variables, epsilon = plain
    return Constraints(tuple((number, _rows_of(rows)) for number, rows in blocks), variables, epsilon)


def _plain_rows(rows: Rows) -> PlainRows:
    return (
        rows.name, plain_tape(rows.tape), tuple(int(place) for place in rows.unknowns), (rows.lower, rows.upper),
        tuple(bool(one) for one in rows.repeated), tuple(int(column) for column in rows.shared), rows.numbers,
        int(rows.group), rows.expected,
    )  # fmt: skip


def _rows_of(plain: PlainRows) -> Rows:
    name, tape, unknowns, (lower, upper), repeated, shared, numbers, group, expected = plain
    return Rows(name, tape_of(tape), unknowns, lower, upper, repeated, shared, numbers, group, expected)
