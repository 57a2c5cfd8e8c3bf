"""Rows that are conditions, as the certificate says: a function less an amount of its own. The row can be 0 if and only
if the function lies between the amount's ends.

Inequalities are translated into such rows, equations beside them are functions between 0 and 0; what a certificate says
of such systems is told as what it is about. Certificates of version 5 do not say what their rows are.
"""

from __future__ import annotations

from fractions import Fraction

from certify.checker.certificate import Certificate
from certify.checker.problem import CanonicalProblem
from certify.checker.scope import Scope
from certify.explaining.model_text import formula

Bounds = tuple[Fraction, Fraction]


def conditions(problem: CanonicalProblem, certificate: Certificate, scope: Scope) -> dict[int, Bounds]:
    """The ends of each row of the scope, by family, if all are conditions, violations or equations, not all of them
    equations, and the claim is about the box; else nothing.
    """
    told = {group.role for group, _ in scope.group.values()} if certificate.kind in ("system", "violations") else set()
    single = all(problem.families[family].rows == 1 for family in scope.families)
    if certificate.point is not None or not scope.columns or not single or not told or "model" in told:
        return {}
    return {family: _ends(problem, scope, family) for family in scope.families}


def _ends(problem: CanonicalProblem, scope: Scope, family: int) -> Bounds:
    """The ends of the row's one amount; 0 and 0 of an equation."""
    columns = scope.measured(family)
    return problem.columns[columns.pop()].entries[0] if columns else (Fraction(0), Fraction(0))


def condition_formula(problem: CanonicalProblem, family: int) -> str | None:
    """The function of a condition, or of an equation; None if it is long."""
    declared = problem.families[family]
    tape = problem.tapes[declared.tape]
    whole = not any(binding.measured for binding in declared.bindings)
    return formula(problem, family, tape.inputs + len(tape.operations) - 1 if whole else tape.operations[-1].first)
