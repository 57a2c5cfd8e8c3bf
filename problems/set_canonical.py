"""A system of inequalities as two canonical problems: one of the set, one of everything that is not surely inside.

The condition g <= 0 becomes the row g - m with one measured amount m in [L, 0], where L is below all values of g in the
domain: the row can be 0 if and only if g <= 0. So the set is S(0), all rows within 0.
Where g has the root of an operand u that may be negative, u >= 0 has a row of its own: it says nothing new of the set, but
refutes what is not in it.

Of the complement a row says that a condition is violated or just met: g - m with m in [0, U]. Where a function is
undefined a point is outside too: the first undefined operation is a root with a defined operand u < 0, for which there
is a row u - m with m in [-U, 0] (a divisor that may be 0 has no certificate, nor has the logarithm of what may be 0 or
less). So whatever is not in the set has some row that can be 0: S(0) with all rows left out but one contains it. What is
neither in this S(0) nor beyond the domain satisfies every condition strictly; it does not matter whether the file's
inequalities were strict.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from contractors.tape import Builder, Operation, Tape, replay
from problems.crude_range import Range, Unbounded, crude_ranges
from problems.model import Binding, Column, Family, Problem, Variable
from problems.system import Relation, System
from problems.system_canonical import MOST_VARIABLES, NotCertifiable, domain, row_of, widened

MOST_ROWS = 65  # of the complement, as a certificate can leave out 64

Row = tuple[str, Tape, tuple[int, ...], Range]  # name, what is to be an amount, its variables, the amounts
Condition = tuple[Tape, tuple[int, ...], Relation, Range]  # a function, its variables, how it compares with 0, its values


def set_problem(system: System) -> Problem:
    """The points of the set are those at which all rows can be 0. Raises NotCertifiable."""
    variables, conditions = _conditions(system)
    rows = [(f"inequality{n}", tape, used, _amounts(relation, ends)) for n, (tape, used, relation, ends) in enumerate(conditions, 1)]
    roots = _roots(variables, conditions)
    rows += [(f"defined{n}", tape, used, _amounts(Relation.GREATER_EQUAL, ends)) for n, (tape, used, ends) in enumerate(roots, 1)]
    return _problem(variables, rows, system.title)


def complement_problem(system: System) -> Problem:
    """The points of the domain at which no row can be 0 belong to the set. Raises NotCertifiable."""
    variables, conditions = _conditions(system)
    rows = [(f"violation{n}", tape, used, _amounts(_other(relation), ends)) for n, (tape, used, relation, ends) in enumerate(conditions, 1)]
    roots = _roots(variables, conditions)
    rows += [(f"undefined{n}", tape, used, _amounts(Relation.LESS_EQUAL, ends)) for n, (tape, used, ends) in enumerate(roots, 1)]
    if len(rows) > MOST_ROWS:
        raise NotCertifiable(f"{len(rows)} conditions are more than the {MOST_ROWS} of which a certificate can say that one is violated")
    return _problem(variables, rows, system.title)


def _conditions(system: System) -> tuple[tuple[Variable, ...], list[Condition]]:
    """The domain, and for each inequality its function, the variables that this uses, and roughly its values."""
    variables = domain(system)
    if len(variables) > MOST_VARIABLES:
        raise NotCertifiable(f"{len(variables)} variables are more than the {MOST_VARIABLES} that a certificate can have")
    found: list[Condition] = []
    for number, constraint in enumerate(system.constraints):
        if constraint.relation is Relation.EQUAL:
            raise NotCertifiable(f"the constraint of {constraint.place} is an equation, whose solutions have no volume")
        tape, used = row_of(system, number)
        try:
            ends = crude_ranges(tape, [(variables[v].lower, variables[v].upper) for v in used])[tape.outputs[0]]
        except Unbounded as reason:
            raise NotCertifiable(f"no bounds of the values of the constraint of {constraint.place} are known, because of {reason}") from reason
        found.append((tape, used, constraint.relation, ends or (Fraction(0), Fraction(0))))
    return variables, found


def _amounts(relation: Relation, ends: Range) -> Range:
    """The values that satisfy the relation: from 0 to beyond all that the function takes."""
    low, high = ends
    if relation is Relation.LESS_EQUAL:
        return Fraction(min(low, Fraction(0)).__floor__() - 1), Fraction(0)
    return Fraction(0), Fraction(max(high, Fraction(0)).__ceil__() + 1)


def _other(relation: Relation) -> Relation:
    return Relation.GREATER_EQUAL if relation is Relation.LESS_EQUAL else Relation.LESS_EQUAL


def _roots(variables: Sequence[Variable], conditions: Sequence[Condition]) -> list[tuple[Tape, tuple[int, ...], Range]]:
    """The operands of roots that may be negative somewhere, as functions of their own, each once."""
    found = []
    for tape, used, _, _ in conditions:
        ranges = crude_ranges(tape, [(variables[v].lower, variables[v].upper) for v in used])
        for step in tape.steps:
            ends = ranges[step.first] if step.operation is Operation.SQRT else None
            if ends is not None and ends[0] < 0:
                builder = Builder(tape.inputs)
                found.append((builder.row(replay(tape, builder, list(range(tape.inputs)))[step.first]), used, ends))
    return list(dict.fromkeys(found))


def _problem(variables: tuple[Variable, ...], rows: list[Row], title: str) -> Problem:
    """One family of one row for each; the first is bound to all variables that no other uses."""
    bound = {v for _, _, used, _ in rows for v in used}
    name, tape, used, amounts = rows[0]
    rows[0] = (name, *widened(tape, used, tuple(v for v in range(len(variables)) if v not in bound)), amounts)
    families, columns = [], []
    for number, (name, tape, used, (low, high)) in enumerate(rows):
        columns.append(Column(f"amount{number + 1}", "1", (low,), (high,)))
        bindings = (*(Binding(False, v) for v in used), Binding(True, number))
        families.append(Family(name, _less_amount(tape), 1, bindings))
    return Problem(variables, tuple(columns), tuple(families), title=title)


def _less_amount(tape: Tape) -> Tape:
    """The function less one more input."""
    builder = Builder(tape.inputs + 1)
    nodes = replay(tape, builder, list(range(tape.inputs)))
    return builder.row(builder.sub(nodes[tape.outputs[0]], tape.inputs))
