"""A square system of equations as a canonical problem: one family of one row for each equation, no measurements.

Certificates know constants, pi, the four operations, squares, square roots, sine and cosine, exp, log and atan; integer
powers are written as squares and products, other functions by these (`problems/certified`). What needs more has no
canonical form, and `canonical_problem` says in one sentence what it was.
"""

from __future__ import annotations

import re

from contractors.tape import Builder, Tape, apply
from problems.certified import stated
from problems.errors import InputError
from problems.model import Binding, Family, Problem, Variable
from problems.system import Relation, System, to_tape

MOST_VARIABLES = 64  # of a claim about isolated zeros
MOST_OPERATIONS = 20_000  # of one row: powers and rewritten functions need more than the tape that they come from
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,63}", re.ASCII)


class NotCertifiable(InputError):
    """The system is outside of what certificates can state."""


def canonical_problem(system: System) -> Problem:
    """The system as a problem of rows; raises NotCertifiable with what is outside."""
    variables = domain(system)
    for constraint in system.constraints:
        if constraint.relation is not Relation.EQUAL:
            raise NotCertifiable(f"the constraint of {constraint.place} is an inequality beside equations, which certificates do not know")
    count = len(system.variables)
    if len(system.constraints) != count:
        raise NotCertifiable(f"{len(system.constraints)} equations for {count} variables: certificates are about as many of both")
    if count > MOST_VARIABLES:
        raise NotCertifiable(f"{count} variables are more than the {MOST_VARIABLES} that a certificate can have")
    rows = [row_of(system, number) for number in range(count)]
    bound = {variable for _, used in rows for variable in used}
    tape, used = rows[0]
    rows[0] = widened(tape, used, tuple(v for v in range(count) if v not in bound))
    families = tuple(Family(f"equation{number}", tape, 1, tuple(Binding(False, v) for v in used)) for number, (tape, used) in enumerate(rows, 1))
    return Problem(variables, (), families, title=system.title)


def domain(system: System) -> tuple[Variable, ...]:
    """The variables, if all domains are finite."""
    found = []
    for name, variable in zip(_names(system), system.variables, strict=True):
        if variable.lower is None or variable.upper is None:
            raise NotCertifiable(f"the domain of variable {variable.name} is infinite, and certificates are about finite boxes")
        found.append(Variable(name, "1", variable.lower, variable.upper))
    return tuple(found)


def row_of(system: System, number: int) -> tuple[Tape, tuple[int, ...]]:
    """The tape of a constraint in the variables that it uses, and these."""
    constraint = system.constraints[number]
    tape = to_tape(constraint.formula, system.variables)
    read = {operand for step in tape.steps for operand in (step.first, step.second)}
    used = tuple(v for v in range(tape.inputs) if v in read)
    builder = Builder(len(used))
    nodes = [used.index(v) if v in read else -1 for v in range(tape.inputs)]
    for operation, first, second, constant in tape.steps:
        a, b = (nodes[operand] if operand >= 0 else -1 for operand in (first, second))
        node = stated(builder, operation, a, b, constant)
        if node is None:
            raise NotCertifiable(f"the constraint of {constraint.place} uses {operation.name.lower()}, which certificates cannot state")
        nodes.append(node)
        if len(builder.steps) > MOST_OPERATIONS:
            raise NotCertifiable(f"the constraint of {constraint.place} has more than {MOST_OPERATIONS} operations once its powers are products")
    return builder.row(nodes[tape.outputs[0]]), used


def widened(tape: Tape, used: tuple[int, ...], unused: tuple[int, ...]) -> tuple[Tape, tuple[int, ...]]:
    """The tape with further inputs that it does not read: a claim is about the variables that are bound, so all are."""
    if not unused:
        return tape, used
    builder = Builder(len(used) + len(unused))
    nodes = list(range(len(used)))
    for operation, first, second, constant in tape.steps:
        nodes.append(apply(builder, operation, nodes[first] if first >= 0 else -1, nodes[second] if second >= 0 else -1, constant))
    return builder.row(nodes[tape.outputs[0]]), used + unused


def _names(system: System) -> list[str]:
    """Names that a canonical problem can hold: x(1) becomes x.1, and what cannot be mended is numbered."""
    names: list[str] = []
    for number, variable in enumerate(system.variables, 1):
        plain = re.sub(r"[^A-Za-z0-9_.-]+", ".", variable.name).strip(".")
        if _NAME.fullmatch(plain) is None or plain in names:
            plain = f"variable{number}"
        while plain in names:
            plain += "."
        names.append(plain)
    return names
