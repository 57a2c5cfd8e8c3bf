"""A hypothesis about what a model leaves out: the same rows with a few more unknowns.

Of legs, an error that is linear in them, and that every family has for itself:

    r_k(x, M_k) - T_k = 0,    T_k = sum_i t_i (m_ik - middle_i) / half_range_i,    |t_i| <= effect

m_i is a measured column, or a column of exact numbers, one for each pose. Where its range is [middle - half_range,
middle + half_range], t_i is what the error amounts to at the end of that range, in the rows' unit. T is linear in the
unknowns, so a row that has a lift keeps it.

Of robots without legs, whose families are components of one pose, *shifts* that all families share: wherever a measured
column or a parameter v is read, v + sum_j u_j f_jk is read in its place (certify.problems.model.shifts). And *freed*
parameters: those that the file calls exact are unknown, too.

One file in problems/hypotheses is one kind of hypothesis: its function `propose(problem)` offers those that can be
asked of a problem.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from certify.contractors.tape.tape import Builder, replay
from certify.problems.errors import InputError
from certify.problems.formulas.units import nearest
from certify.problems.model.model import Binding, Column, Family, Problem, Variable
from certify.problems.model.shifts import Shift, bounds_of, free_name, shifted

PACKAGE = "certify.problems.hypotheses"


@dataclass(frozen=True, slots=True)
class Term:
    """t (m - middle) / half_range; `column` is the number of a measured column of the problem, or a new column of exact
    numbers.
    """

    name: str
    column: int | Column
    middle: Fraction
    half_range: Fraction


@dataclass(frozen=True)
class Hypothesis:
    """What may be wrong, in words, and the terms that this adds to a family; a family to which it does not apply gets
    none.

    Its terms may amount to `reach` times the effect that others may have. Where parameters are `freed`, this is the
    problem with them as further variables behind its own, in boxes whose middles are their blueprint.
    """

    name: str
    sentence: str
    terms: Callable[[Family], tuple[Term, ...]] = lambda family: ()
    reach: int = 1
    shifts: tuple[Shift, ...] = ()
    freed: Problem | None = None


def measured_term(problem: Problem, number: int) -> Term | None:
    """The term of a measured column, between the least and the largest middle of its entries; None if they are all
    equal.
    """
    column = problem.columns[number]
    middles = [(low + high) / 2 for low, high in zip(column.lower, column.upper, strict=True)]
    least, largest = min(middles), max(middles)
    return None if least == largest else Term(column.name, number, (least + largest) / 2, (largest - least) / 2)


def given_term(name: str, values: Collection[Fraction]) -> Term | None:
    """The term of exact numbers, one a row; None if they are all equal."""
    least, largest, numbers = min(values), max(values), tuple(values)
    if least == largest:
        return None
    return Term(name, Column(name, "1", numbers, numbers), (least + largest) / 2, (largest - least) / 2)


def measured_places(problem: Problem) -> dict[str, frozenset[int]]:
    """The columns that the families bind at the same place, by a name: L1, L2, ... are called L, others by all of
    theirs.
    """
    groups: dict[int, list[int]] = {}
    for family in problem.families:
        for position, binding in enumerate(binding for binding in family.bindings if binding.measured):
            groups.setdefault(position, []).append(binding.index)
    names = {}
    for columns in groups.values():
        used = [problem.columns[number].name for number in dict.fromkeys(columns)]
        stems = {name.rstrip("0123456789") for name in used}
        name = used[0] if len(used) == 1 else stems.pop() if len(stems) == 1 and stems != {""} else ", ".join(used)
        names[name if name not in names else ", ".join(used)] = frozenset(columns)
    return names


def hypotheses(problem: Problem) -> tuple[Hypothesis, ...]:
    """All hypotheses that can be asked of a problem: those of the files of problems/hypotheses."""
    names = sorted(module.name for module in pkgutil.iter_modules(importlib.import_module(PACKAGE).__path__))
    return tuple(found for name in names for found in importlib.import_module(f"{PACKAGE}.{name}").propose(problem))


def chosen(problem: Problem, names: Collection[str], more: Collection[Hypothesis] = ()) -> tuple[Hypothesis, ...]:
    """The hypotheses with these names, all of them if there are no names; `more` are known beside those of files."""
    known = {hypothesis.name: hypothesis for hypothesis in (*hypotheses(problem), *more)}
    for name in names:
        if name not in known:
            raise InputError(f"there is no hypothesis {name!r} about this problem; {nearest(name, known)}")
    return tuple(known[name] for name in names) if names else tuple(known.values())


def richer(problem: Problem, hypothesis: Hypothesis, effect: Fraction | Mapping[str, Fraction]) -> Problem:
    """The problem with the hypothesis' unknowns behind its own; families to which it does not apply stay as they are.

    `effect` is what an error may amount to, in the rows' unit or for each unit of rows.
    """
    effects = {f.unit: effect for f in problem.families} if isinstance(effect, Fraction) else effect
    effects = {unit: size * hypothesis.reach for unit, size in effects.items()}
    if hypothesis.freed is not None:
        return _freed(problem, hypothesis.freed, effects)
    return shifted(_with_all_terms(problem, hypothesis, effects), hypothesis.shifts, effects)


def _freed(problem: Problem, more: Problem, effects: Mapping[str, Fraction]) -> Problem:
    """The problem's families as they are where more is unknown, each added unknown in a box within which its effect
    stays.
    """
    names = {family.name for family in problem.families}
    families = tuple(family for family in more.families if family.name in names)
    own, added = more.variables[: len(problem.variables)], more.variables[len(problem.variables) :]
    kept = replace(more, variables=(*problem.variables, *added), families=families, groups=problem.groups)
    bounds = bounds_of(kept, [Binding(False, len(own) + k) for k in range(len(added))], effects)
    boxed = tuple(
        replace(v, lower=(v.lower + v.upper) / 2 - bound, upper=(v.lower + v.upper) / 2 + bound)
        for v, bound in zip(added, bounds, strict=True)
    )
    return replace(kept, variables=(*problem.variables, *boxed))


def _with_all_terms(problem: Problem, hypothesis: Hypothesis, effects: Mapping[str, Fraction]) -> Problem:
    variables, columns, families = list(problem.variables), list(problem.columns), []
    for family in problem.families:
        terms = hypothesis.terms(family)
        places = []
        for term in terms:
            if isinstance(term.column, Column):
                taken = {column.name for column in columns}
                columns.append(replace(term.column, name=free_name(f"{family.name}.{term.name}", taken)))
            places.append(len(columns) - 1 if isinstance(term.column, Column) else term.column)
        first, bound = len(variables), effects[family.unit]
        taken = {variable.name for variable in problem.variables}
        names = [free_name(f"{family.name}.t_{term.name}", taken) for term in terms]
        variables += [Variable(name, family.unit, -bound, bound) for name in names]
        families.append(_with_terms(family, terms, places, first) if terms else family)
    return replace(problem, variables=tuple(variables), columns=tuple(columns), families=tuple(families))


def _with_terms(family: Family, terms: tuple[Term, ...], places: list[int], first: int) -> Family:
    """Inputs: the unknowns, those of the terms, what is measured, and the columns that only the terms use."""
    unknown = [binding for binding in family.bindings if not binding.measured]
    measured = [binding for binding in family.bindings if binding.measured]
    known = {binding.index for binding in measured}
    measured += [Binding(True, place) for place in places if place not in known]
    own = [Binding(False, first + i) for i in range(len(terms))]
    bindings = (*unknown, *own, *measured)
    builder = Builder(len(bindings))
    inputs = [bindings.index(binding) for binding in family.bindings]
    row = replay(family.tape, builder, inputs)[family.tape.outputs[0]]
    for number, (term, place) in enumerate(zip(terms, places, strict=True)):
        moved = builder.sub(bindings.index(Binding(True, place)), builder.constant(term.middle))
        part = builder.mul(moved, builder.constant(1 / term.half_range))
        row = builder.sub(row, builder.mul(len(unknown) + number, part))
    return replace(family, tape=builder.row(row), bindings=bindings)
