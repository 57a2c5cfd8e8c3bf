"""Rows that are conditions: a function less an amount of its own. The row can be 0 if and only if the function lies
between the amount's ends.

Inequalities are translated into such rows, equations beside them are functions between 0 and 0; what a certificate says
of such systems is told as what it is about.
"""

from __future__ import annotations

from fractions import Fraction

from certify.checker.certificate import Certificate
from certify.checker.problem import CanonicalProblem
from certify.checker.scope import Scope
from certify.explaining.model_text import formula

Bounds = tuple[Fraction, Fraction]


def conditions(problem: CanonicalProblem, certificate: Certificate, scope: Scope) -> dict[int, Bounds]:
    """The ends of each row of the scope, by family, if some are conditions, the others equations, and the level is 0 in
    the box; else nothing.
    """
    level = certificate.level or certificate.upper or 0
    if certificate.point is not None or certificate.squares or level or not scope.columns:
        return {}
    found = {family: _ends(problem, scope, family) for family in scope.families}
    return {family: ends for family, ends in found.items() if ends is not None} if all(found.values()) else {}


def _ends(problem: CanonicalProblem, scope: Scope, family: int) -> Bounds | None:
    """The ends of a row's amount, if the row is one, its last operation subtracts the amount, and nothing
    else uses it.
    """
    declared = problem.families[family]
    tape = problem.tapes[declared.tape]
    last = tape.operations[-1]
    if declared.rows == 1 and not scope.measured(family):
        return Fraction(0), Fraction(0)
    measured = [place for place, binding in enumerate(declared.bindings) if binding.measured]
    if declared.rows != 1 or len(measured) != 1 or last.code != "sub" or last.second != measured[0]:
        return None
    amount = measured[0]
    used = sum((operation.first == amount) + (operation.second == amount) for operation in tape.operations)
    column = declared.bindings[amount].index
    return problem.columns[column].entries[0] if used == 1 and scope.uses[column] == 1 else None


def condition_formula(problem: CanonicalProblem, family: int) -> str | None:
    """The function of a condition, or of an equation; None if it is long."""
    declared = problem.families[family]
    tape = problem.tapes[declared.tape]
    whole = not any(binding.measured for binding in declared.bindings)
    return formula(problem, family, tape.inputs + len(tape.operations) - 1 if whole else tape.operations[-1].first)
