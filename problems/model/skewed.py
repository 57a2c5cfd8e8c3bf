"""A problem in skew coordinates: x = start + matrix y for the variables of one scope, which keep their numbers and
names.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from certify.contractors.tape.tape import Builder, Tape, replay
from certify.problems.model.model import Binding, Bounds, Family, Problem, Variable


def skewed(
    problem: Problem,
    scope: Sequence[int],
    variables: Sequence[int],
    start: Sequence[Fraction],
    matrix: Sequence[Sequence[Fraction]],
    bounds: Sequence[Bounds],
) -> Problem:
    """The same rows as functions of y within these bounds; families of other scopes stay as they are, and must not use
    these variables.
    """
    changed = list(problem.variables)
    for variable, (lower, upper) in zip(variables, bounds, strict=True):
        changed[variable] = Variable(problem.variables[variable].name, "1", lower, upper)
    families = list(problem.families)
    for number in scope:
        families[number] = _family(families[number], variables, start, matrix)
    return replace(problem, variables=tuple(changed), families=tuple(families))


def _family(
    family: Family, variables: Sequence[int], start: Sequence[Fraction], matrix: Sequence[Sequence[Fraction]]
) -> Family:
    """Inputs: all y, then what is measured."""
    measured = [binding for binding in family.bindings if binding.measured]
    builder = Builder(len(variables) + len(measured))
    nodes, position = [], len(variables)
    for binding in family.bindings:
        if binding.measured:
            nodes.append(position)
            position += 1
        else:
            nodes.append(_moved(builder, start[variables.index(binding.index)], matrix[variables.index(binding.index)]))
    tape: Tape = builder.row(replay(family.tape, builder, nodes)[family.tape.outputs[0]])
    return replace(family, tape=tape, bindings=(*(Binding(False, variable) for variable in variables), *measured))


def _moved(builder: Builder, start: Fraction, row: Sequence[Fraction]) -> int:
    """start + row . y"""
    total = builder.constant(start)
    for j, entry in enumerate(row):
        if entry:
            total = builder.add(total, builder.mul(builder.constant(entry), j))
    return total
