"""Inequalities as rows of a canonical problem: g <= 0 becomes g - m with one measured amount m in [L, 0].

L is below all values of g in the domain, so that the row can be 0 if and only if g is defined and g <= 0. Where no
bound of g is known, arctan g takes its place: it has the same sign and is defined at the same points.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from certify.contractors.tape.tape import Builder, Operation, Tape, apply, replay
from certify.problems.model.crude_range import EVERYWHERE, Range, Unbounded, crude_range
from certify.problems.model.model import Binding, Column, Family, Problem, Variable
from certify.problems.systems.system import Relation

Row = tuple[
    str, Tape, tuple[int, ...], Range | None
]  # name, a function, its variables, the amounts; None of an equation


def comparison(name: str, tape: Tape, used: tuple[int, ...], relation: Relation, variables: Sequence[Variable]) -> Row:
    """The row that can be 0 where the function of these variables compares with 0 so."""
    if relation is Relation.EQUAL:
        return name, tape, used, None
    ends = crude_range(tape, [(variables[v].lower, variables[v].upper) for v in used])
    if isinstance(ends, Unbounded):
        tape, ends = _arctangent(tape), EVERYWHERE[Operation.ATAN]
    low, high = ends or (Fraction(0), Fraction(0))
    if relation is Relation.LESS_EQUAL:
        return name, tape, used, (Fraction(min(low, Fraction(0)).__floor__() - 1), Fraction(0))
    return name, tape, used, (Fraction(0), Fraction(max(high, Fraction(0)).__ceil__() + 1))


def problem_of(variables: tuple[Variable, ...], rows: list[Row], title: str) -> Problem:
    """One family of one row for each; the first is bound to all variables that no other uses."""
    bound = {v for _, _, used, _ in rows for v in used}
    name, tape, used, amounts = rows[0]
    rows[0] = (name, *_widened(tape, used, tuple(v for v in range(len(variables)) if v not in bound)), amounts)
    families: list[Family] = []
    columns: list[Column] = []
    for name, tape, used, amounts in rows:
        if not used and amounts is None:
            tape, used = _widened(tape, used, (0,))  # a family is bound to something
        bindings = tuple(Binding(False, v) for v in used)
        if amounts is not None:
            tape, bindings = _less_amount(tape), (*bindings, Binding(True, len(columns)))
            columns.append(Column(f"amount{len(columns) + 1}", "1", (amounts[0],), (amounts[1],)))
        families.append(Family(name, tape, 1, bindings, role="equation" if amounts is None else "condition"))
    return Problem(variables, tuple(columns), tuple(families), title=title)


def _widened(tape: Tape, used: tuple[int, ...], unused: tuple[int, ...]) -> tuple[Tape, tuple[int, ...]]:
    """The tape with further inputs that it does not read: a claim is about the variables that are bound, so all are."""
    if not unused:
        return tape, used
    builder = Builder(len(used) + len(unused))
    nodes = list(range(len(used)))
    for operation, first, second, constant in tape.steps:
        nodes.append(
            apply(
                builder, operation, nodes[first] if first >= 0 else -1, nodes[second] if second >= 0 else -1, constant
            )
        )
    return builder.row(nodes[tape.outputs[0]]), used + unused


def _less_amount(tape: Tape) -> Tape:
    """The function less one more input."""
    builder = Builder(tape.inputs + 1)
    nodes = replay(tape, builder, list(range(tape.inputs)))
    return builder.row(builder.sub(nodes[tape.outputs[0]], tape.inputs))


def _arctangent(tape: Tape) -> Tape:
    builder = Builder(tape.inputs)
    nodes = replay(tape, builder, list(range(tape.inputs)))
    return builder.row(builder.function(Operation.ATAN, nodes[tape.outputs[0]]))
