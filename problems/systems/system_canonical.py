"""A system of equations and inequalities as a canonical problem: one family of one row for each, inequalities with
amounts (`amounts`).

Certificates know constants, pi, the four operations, squares, square roots, sine and cosine, exp, log, atan and erf;
integer powers are written as squares and products, other functions by these (`problems/forms`). What needs more has no
canonical form, and `canonical_problem` says in one sentence what it was.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from certify.contractors.tape.tape import Builder, Operation, Tape
from certify.problems.errors import InputError
from certify.problems.model.certified import stated
from certify.problems.model.crude_range import Range, crude_range
from certify.problems.model.model import Problem, Variable
from certify.problems.systems.amounts import Row, comparison, problem_of
from certify.problems.systems.denominators import cleared
from certify.problems.systems.folded_terms import SUFFIX, folds
from certify.problems.systems.system import Relation, System, to_tape

MOST_VARIABLES = 64  # of a claim about isolated zeros or a volume
FARTHEST = 10**300  # of the end of a domain
LARGEST_NUMBER = 10**1900
MOST_OPERATIONS = 20_000  # of one row: powers and rewritten functions need more than the tape that they come from
STATE = "cannot state"
CANNOT = {
    Operation.ATAN2: "can state only where its second number is always positive, or its first one never 0",
    Operation.POWER: "can state only where its base is always positive, or its exponent a negative number or k/2^m",
    Operation.SIGN: "can state only where its number is never 0",
}
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,63}", re.ASCII)


class NotCertifiable(InputError):
    """The system is outside of what certificates can state."""


def canonical_problem(system: System) -> Problem:
    """The system as a problem of rows, equations first, variables without bounds folded; raises NotCertifiable with
    what is outside.

    A constraint that is written twice is one row.
    """
    bounds = [fold.bounds for fold in folds(system)]
    require_doubles(system)
    names = names_of(
        [
            f"{variable.name}{SUFFIX if fold.needed else ''}"
            for variable, fold in zip(system.variables, folds(system), strict=True)
        ]
    )
    variables = tuple(Variable(name, "1", *ends) for name, ends in zip(names, bounds, strict=True))
    order = sorted(
        range(len(system.constraints)), key=lambda number: system.constraints[number].relation is not Relation.EQUAL
    )
    rows: list[Row] = []
    trivial: list[Row] = []
    seen = set()
    for number in order:
        relation = system.constraints[number].relation
        name = f"{'equation' if relation is Relation.EQUAL else 'inequality'}{number + 1}"
        tape, used = row_of(system, number)
        if relation is Relation.EQUAL:
            tape = _short(cleared(tape, [bounds[v] for v in used])) or tape
        if (tape, used, relation) in seen:
            continue
        seen.add((tape, used, relation))
        (trivial if _holds_anyway(tape, relation) else rows).append(comparison(name, tape, used, relation, variables))
    return problem_of(variables, rows or trivial[:1], system.title)


def _holds_anyway(tape: Tape, relation: Relation) -> bool:
    """Whether a constraint compares a number with 0, and rightly so."""
    value = tape.steps[tape.outputs[0] - tape.inputs].constant if tape.outputs[0] >= tape.inputs else None
    if value is None:
        return False
    return {Relation.EQUAL: value == 0, Relation.LESS_EQUAL: value <= 0, Relation.GREATER_EQUAL: value >= 0}[relation]


def _short(tape: Tape) -> Tape | None:
    """The tape, if all its numbers can be written in a certificate."""
    numbers = [step.constant for step in tape.steps if step.constant is not None]
    return tape if all(max(abs(number.numerator), number.denominator) < LARGEST_NUMBER for number in numbers) else None


def require_doubles(system: System) -> None:
    """Refuse domains whose ends, or whose widths, no doubles are near."""
    for variable, (low, high) in zip(system.variables, (fold.bounds for fold in folds(system)), strict=True):
        if max(abs(low), abs(high)) > FARTHEST or 0 < high - low < 1 / FARTHEST:
            raise NotCertifiable(
                f"the domain of variable {variable.name} is larger or narrower than numbers of double precision can say"
            )


def row_of(system: System, number: int) -> tuple[Tape, tuple[int, ...]]:
    """The tape of a constraint in the variables that it uses, folded where they have no bounds, and these."""
    constraint = system.constraints[number]
    tape = to_tape(constraint.formula, system.variables)
    read = {operand for step in tape.steps for operand in (step.first, step.second)}
    used = tuple(v for v in range(tape.inputs) if v in read)
    found = folds(system)
    builder, box = Builder(len(used)), [found[v].bounds for v in used]
    nodes = [found[v].node(builder, used.index(v)) if v in read else -1 for v in range(tape.inputs)]
    for operation, first, second, constant in tape.steps:
        a, b = (nodes[operand] if operand >= 0 else -1 for operand in (first, second))
        node = stated(builder, operation, a, b, constant, partial(_sign, builder, box))
        if node is None:
            can = CANNOT.get(operation, STATE)
            raise NotCertifiable(
                f"the constraint of {constraint.place} uses {operation.name.lower()}, which certificates {can}"
            )
        nodes.append(node)
        if len(builder.steps) > MOST_OPERATIONS:
            raise NotCertifiable(
                f"the constraint of {constraint.place} has more than {MOST_OPERATIONS} operations once its "
                f"powers are products"
            )
    found_row = _short(builder.row(nodes[tape.outputs[0]]))
    if found_row is None:
        raise NotCertifiable(
            f"the constraint of {constraint.place} has numbers of more digits than certificates can have"
        )
    return found_row, used


def _sign(builder: Builder, box: Sequence[Range], node: int) -> int:
    """Of a node, wherever it is defined in the domain; 0 if it is not known to be always the same."""
    ends = crude_range(builder.tape((node,)), box)
    if not isinstance(ends, tuple):
        return 0
    return 1 if ends[0] > 0 else -1 if ends[1] < 0 else 0


def names_of(wanted: Sequence[str]) -> list[str]:
    """Names that a canonical problem can hold: x(1) becomes x.1, and what cannot be mended is numbered."""
    names: list[str] = []
    for number, name in enumerate(wanted, 1):
        plain = re.sub(r"[^A-Za-z0-9_.-]+", ".", name).strip(".")
        if _NAME.fullmatch(plain) is None or plain in names:
            plain = f"variable{number}"
        while plain in names:
            plain += "."
        names.append(plain)
    return names
