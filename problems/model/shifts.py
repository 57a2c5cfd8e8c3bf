"""Errors of what the rows read, which all families share: wherever v is read, a measured column or a variable,

    v + sum_j u_j f_jk

is read in its place. u_j are further unknowns, and f_jk is a function of v (the cosine of an angle, say), or an exact
number for each pose k. At most 1 in size, f makes u_j what the error amounts to; the box of u_j is such that a row
changes by no more than a stated effect, to first order at the middle of all boxes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from certify.contractors.tape.derivative import gradient
from certify.contractors.tape.evaluation import evaluate
from certify.contractors.tape.tape import Builder, replay
from certify.problems.model.model import Binding, Column, Family, Problem, Variable

DIGITS = 2  # of a bound


@dataclass(frozen=True)
class Shift:
    """u f is added to the target; shifts with the same name have the same u. Of a column of exact numbers the name is
    its own, of a function of the target it is given the builder and the target's node.
    """

    name: str
    target: Binding
    factor: Column | Callable[[Builder, int], int]


def shifted(problem: Problem, shifts: Sequence[Shift], effects: Mapping[str, Fraction]) -> Problem:
    """The problem with the unknowns of the shifts behind its own; of those only that a family reads."""
    read = {binding for family in problem.families for binding in family.bindings}
    candidates = [shift for shift in shifts if shift.target in read]
    bounds: dict[str, Fraction] = {}
    for shift, bound in zip(candidates, bounds_of(problem, [s.target for s in candidates], effects), strict=True):
        if bound:
            bounds[shift.name] = max(bound, bounds.get(shift.name, bound))
    used = [shift for shift in candidates if shift.name in bounds]
    variables, columns, places = list(problem.variables), list(problem.columns), {}
    for shift in used:
        if isinstance(shift.factor, Column) and shift.factor.name not in places:
            places[shift.factor.name] = len(columns)
            columns.append(replace(shift.factor, name=free_name(shift.factor.name, {c.name for c in columns})))
    numbers = {name: len(variables) + k for k, name in enumerate(bounds)}
    units = {shift.name: _unit(problem, shift.target) for shift in used}
    taken = {variable.name for variable in variables}
    variables += [Variable(free_name(name, taken), units[name], -bound, bound) for name, bound in bounds.items()]
    families = tuple(_read_shifted(family, used, numbers, places) for family in problem.families)
    return replace(problem, variables=tuple(variables), columns=tuple(columns), families=families)


def free_name(name: str, taken: Collection[str]) -> str:
    """A name of ours that is none of the problem's."""
    while name in taken:
        name += "_"
    return name


def bounds_of(problem: Problem, targets: Sequence[Binding], effects: Mapping[str, Fraction]) -> list[Fraction]:
    """For each target what it may be off, so that no row changes by more than the effect in its unit, but for those of
    other units.
    """
    found = [Fraction(0)] * len(targets)
    for number, family in enumerate(problem.families):
        rows = problem.blocks[number]
        lower, upper = rows.with_box(*problem.box, rows.lower, rows.upper)
        middle = 0.5 * (lower + upper)
        slopes = evaluate(gradient(rows.tape), middle, middle).estimated_middle[1:]
        for place, target in enumerate(targets):
            inputs = [i for i, binding in enumerate(family.bindings) if binding == target]
            steepest = float(np.abs(slopes[inputs]).max(initial=0.0)) if inputs else 0.0
            if np.isfinite(steepest) and steepest > 0.0:
                found[place] = max(found[place], _short(float(effects[family.unit]) / steepest))
    return found


def _short(value: float) -> Fraction:
    """A number with two digits, not less."""
    if not value > 0.0:
        return Fraction(0)
    step = Fraction(10) ** (int(np.floor(np.log10(value))) + 1 - DIGITS)
    return step * -(-Fraction(value) // step)


def _unit(problem: Problem, target: Binding) -> str:
    return (problem.columns if target.measured else problem.variables)[target.index].unit


def _read_shifted(
    family: Family, shifts: Sequence[Shift], numbers: Mapping[str, int], places: Mapping[str, int]
) -> Family:
    """Inputs: the unknowns, those of the shifts, what is measured, and the columns that only the shifts use."""
    mine = [shift for shift in shifts if shift.target in family.bindings]
    if not mine:
        return family
    unknown = [binding for binding in family.bindings if not binding.measured]
    measured = [binding for binding in family.bindings if binding.measured]
    own = list(dict.fromkeys(Binding(False, numbers[shift.name]) for shift in mine))
    exact = dict.fromkeys(Binding(True, places[s.factor.name]) for s in mine if isinstance(s.factor, Column))
    bindings = (*unknown, *own, *measured, *exact)
    builder = Builder(len(bindings))
    nodes = {binding: node for node, binding in enumerate(bindings)}
    moved = dict(nodes)
    for shift in mine:
        factor = (
            nodes[Binding(True, places[shift.factor.name])]
            if isinstance(shift.factor, Column)
            else shift.factor(builder, nodes[shift.target])
        )
        part = builder.mul(nodes[Binding(False, numbers[shift.name])], factor)
        moved[shift.target] = builder.add(moved[shift.target], part)
    row = replay(family.tape, builder, [moved[binding] for binding in family.bindings])[family.tape.outputs[0]]
    return replace(family, tape=builder.row(row), bindings=bindings)
