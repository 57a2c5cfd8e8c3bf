"""A system of inequalities as two canonical problems: one of the set, one of everything that is not surely inside.

Of the set each condition is a row that can be 0 if and only if it holds (`amounts`). So the set is S(0), all rows
within 0.

Of the complement a row says that a condition is violated or just met. Where a function is undefined a point is outside
too: the first undefined operation has a defined operand u, of a root u < 0, of a logarithm u <= 0, of a division a
divisor u = 0, for which there is a row that can be 0 where u <= 0, or = 0. So whatever is not in the set has some row
that can be 0: S(0) with all rows left out but one contains it. What is neither in this S(0) nor beyond the domain
satisfies every condition strictly; it does not matter whether the file's inequalities were strict.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from certify.contractors.tape.tape import Builder, Operation, Tape, replay
from certify.problems.model.crude_range import Range, Unbounded, crude_ranges
from certify.problems.model.model import Problem, Variable
from certify.problems.systems.amounts import Row, comparison, problem_of
from certify.problems.systems.folded_terms import folds
from certify.problems.systems.system import Relation, System
from certify.problems.systems.system_canonical import MOST_VARIABLES, NotCertifiable, names_of, require_doubles, row_of

PARTIAL = {
    Operation.SQRT: Relation.LESS_EQUAL,
    Operation.LOG: Relation.LESS_EQUAL,
    Operation.DIV: Relation.EQUAL,
}  # undefined where an operand is so
MOST_ROWS = 65  # of the complement, as a certificate can leave out 64

Condition = tuple[Tape, tuple[int, ...], Relation]  # a function, its variables, how it compares with 0


def set_problem(system: System) -> Problem:
    """The points of the set are those at which all rows can be 0. Raises NotCertifiable."""
    variables, conditions = _conditions(system)
    return problem_of(variables, _rows("inequality", conditions, variables), system.title)


def complement_problem(system: System) -> Problem:
    """The points of the domain at which no row can be 0 belong to the set. Raises NotCertifiable."""
    variables, conditions = _conditions(system)
    violated = [(tape, used, _other(relation)) for tape, used, relation in conditions]
    rows = _rows("violation", violated, variables) + _rows("undefined", _undefined(variables, conditions), variables)
    if len(rows) > MOST_ROWS:
        raise NotCertifiable(
            f"{len(rows)} conditions are more than the {MOST_ROWS} of which a certificate can say that one is violated"
        )
    found = problem_of(variables, rows, system.title)
    return replace(found, families=tuple(replace(family, role="violation") for family in found.families))


def _rows(word: str, conditions: Sequence[Condition], variables: Sequence[Variable]) -> list[Row]:
    return [
        comparison(f"{word}{number}", tape, used, relation, variables)
        for number, (tape, used, relation) in enumerate(conditions, 1)
    ]


def _conditions(system: System) -> tuple[tuple[Variable, ...], list[Condition]]:
    """The domain, and for each inequality its function, the variables that this uses, and how it compares with 0."""
    for variable in system.variables:
        if variable.lower is None or variable.upper is None:
            raise NotCertifiable(f"the domain of variable {variable.name} is infinite, and what it holds has no volume")
    require_doubles(system)
    names = names_of([variable.name for variable in system.variables])
    variables = tuple(Variable(name, "1", *fold.bounds) for name, fold in zip(names, folds(system), strict=True))
    if len(variables) > MOST_VARIABLES:
        raise NotCertifiable(
            f"{len(variables)} variables are more than the {MOST_VARIABLES} that a certificate can have"
        )
    for constraint in system.constraints:
        if constraint.relation is Relation.EQUAL:
            raise NotCertifiable(f"the constraint of {constraint.place} is an equation, whose solutions have no volume")
    return variables, [
        (*row_of(system, number), constraint.relation) for number, constraint in enumerate(system.constraints)
    ]


def _other(relation: Relation) -> Relation:
    return Relation.GREATER_EQUAL if relation is Relation.LESS_EQUAL else Relation.LESS_EQUAL


def _undefined(variables: Sequence[Variable], conditions: Sequence[Condition]) -> list[Condition]:
    """Where an operation may be undefined: its operand, as a function of its own, <= 0 or = 0; each once."""
    found = []
    for tape, used, _ in conditions:
        ranges = crude_ranges(tape, [(variables[v].lower, variables[v].upper) for v in used])
        for step in tape.steps:
            operand = step.second if step.operation is Operation.DIV else step.first
            if step.operation in PARTIAL and not _surely_defined(step.operation, ranges[operand]):
                builder = Builder(tape.inputs)
                node = replay(tape, builder, list(range(tape.inputs)))[operand]
                found.append((builder.row(node), used, PARTIAL[step.operation]))
    return list(dict.fromkeys(found))


def _surely_defined(operation: Operation, ends: Range | Unbounded | None) -> bool:
    """Whether an operand in this range lets the operation be defined; one that is defined nowhere is not the first that
    is not.
    """
    if ends is None or isinstance(ends, Unbounded):
        return ends is None
    low, high = ends
    return low > 0 or (low == 0 and operation is Operation.SQRT) or (high < 0 and operation is Operation.DIV)
