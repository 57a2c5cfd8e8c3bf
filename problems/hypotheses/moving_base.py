"""A base, or a measuring device, that moves while the poses are measured, in proportion to their order: with s = -1 at
the first pose and 1 at the last,

    a measured place p is read as p + s (d + w x (p - middle)),    d a way, w a small turn

or, where no row is about a measured place, each component of a row as r - s d. The p in the product is the reading,
rounded: a number that stands in the problem.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from certify.contractors.tape.derivative import gradient
from certify.contractors.tape.evaluation import evaluate
from certify.problems.formulas.units import is_length
from certify.problems.model.hypothesis import Hypothesis, Term, given_term
from certify.problems.model.model import Binding, Column, Family, Problem
from certify.problems.model.shifts import Shift
from certify.problems.robots.joint_axes import position_families

PLACES = 9  # of the numbers that stand in the problem
STEADY = 1e-9  # of a slope that is 1 or -1
FEWEST = 3  # poses


def propose(problem: Problem) -> tuple[Hypothesis, ...]:
    """One about the way, and one about way and turn if there are measured places."""
    families = position_families(problem)
    if not families or problem.families[families[0]].rows < FEWEST:
        return ()
    count = problem.families[families[0]].rows
    order = tuple(Fraction(2 * k, count - 1) - 1 for k in range(count))
    places = [_place(problem, n) for n in families]
    if None in places or len(set(places)) < len(places):
        names = {problem.families[n].name for n in families}
        return (Hypothesis("drift of the base", _SHIFTED, lambda family: _terms(family, names, order)),)
    columns = [place for place in places if place is not None]
    way = tuple(
        Shift(f"drift_{problem.columns[c].name}", Binding(True, c), Column("order", "1", order, order)) for c in columns
    )
    turn = _turns(problem, columns, order)
    return (
        Hypothesis("drift of the base", _SHIFTED, shifts=way),
        Hypothesis("drift and turn of the base", _TURNED, shifts=(*way, *turn)),
    )


_SHIFTED = "the base, or the measuring device, moves while the poses are measured, in proportion to their order"
_TURNED = (
    "the base, or the measuring device, moves and turns while the poses are measured, in proportion to their order"
)


def _terms(family: Family, names: set[str], order: tuple[Fraction, ...]) -> tuple[Term, ...]:
    term = given_term("order", order) if family.name in names else None
    return () if term is None else (term,)


def _place(problem: Problem, n: int) -> int | None:
    """The measured length that a row is about: it changes the row by 1 or -1 in all poses, and no other row."""
    rows, family = problem.blocks[n], problem.families[n]
    lower, upper = rows.with_box(*problem.box, rows.lower, rows.upper)
    middle = 0.5 * (lower + upper)
    slopes = evaluate(gradient(rows.tape), middle, middle).estimated_middle[1:]
    found = None
    for i, binding in enumerate(family.bindings):
        steady = np.abs(np.abs(slopes[i]) - 1.0).max() <= STEADY and np.ptp(slopes[i]) <= STEADY
        if binding.measured and is_length(problem.columns[binding.index].unit) and steady:
            found = binding.index
    return found


def _turns(problem: Problem, columns: list[int], order: tuple[Fraction, ...]) -> tuple[Shift, ...]:
    """w x (p - middle), over half the largest range of the places: w is what the turn amounts to there."""
    readings = [
        [(low + high) / 2 for low, high in zip(c.lower, c.upper, strict=True)]
        for c in (problem.columns[number] for number in columns)
    ]
    middles = [(min(values) + max(values)) / 2 for values in readings]
    reach = max(max(values) - min(values) for values in readings) / 2
    found = []
    for i in range(len(columns)):
        for j in range(i) if reach else ():
            for target, other, sign in ((i, j, 1), (j, i, -1)):
                values = tuple(
                    round(sign * s * (value - middles[other]) / reach, PLACES)
                    for s, value in zip(order, readings[other], strict=True)
                )
                name = problem.columns[columns[other]].name
                column = Column(f"order_{name}{'' if sign > 0 else '_back'}", "1", values, values)
                found.append(Shift(f"turn_{i + 1}{j + 1}", Binding(True, columns[target]), column))
    return tuple(found)
