"""From a candidate in floats to a witness in exact numbers: values of the unknowns and a realisation of every measurement.

An entry that one row alone uses may take two values, one that makes the row small and one that makes it large: in between the row vanishes (or comes
within epsilon of it). An entry that several rows share takes one value.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from certify.decimals import nearest
from contractors.evaluation import Floats, evaluate
from contractors.measurements import realise
from contractors.narrowing import Box
from problems.model import Problem
from solvers.limits import UNLIMITED, Limit
from solvers.minimax import CELLS, minimise
from solvers.shared_measurements import Sharing, fixed_rows, minimise_jointly

PLACES = 12  # of the values of the unknowns
Token = tuple[Fraction, Fraction]


@dataclass(frozen=True)
class Witness:
    """Values by variable number, and for each column of the scope the fractions (s, t) of each entry."""

    values: dict[int, Fraction]
    columns: dict[int, tuple[Token, ...]]
    estimate: float


def scope_variables(problem: Problem, scope: tuple[int, ...]) -> tuple[int, ...]:
    """The variables to which the families of the scope are bound, in order."""
    return tuple(sorted({b.index for n in scope for b in problem.families[n].bindings if not b.measured}))


def shared_columns(problem: Problem, scope: tuple[int, ...]) -> tuple[int, ...]:
    """The columns whose entries are used more than once in the scope."""
    uses = Counter(b.index for n in scope for b in problem.families[n].bindings if b.measured)
    return tuple(sorted(column for column, count in uses.items() if count > 1))


def sharing(problem: Problem, scope: tuple[int, ...]) -> Sharing:
    """The shared entries of a scope, numbered."""
    first: dict[int, int] = {}
    lower: list[float] = []
    upper: list[float] = []
    for column in shared_columns(problem, scope):
        first[column] = len(lower)
        lower += [float(v) for v in problem.columns[column].lower]
        upper += [float(v) for v in problem.columns[column].upper]
    entries = {}
    for number in scope:
        family = problem.families[number]
        table = np.full((len(family.bindings), family.rows), -1, dtype=np.int64)
        for i, binding in enumerate(family.bindings):
            if binding.measured and binding.index in first:
                table[i] = first[binding.index] + np.arange(family.rows)
        entries[number] = table
    return Sharing(entries, np.array(lower), np.array(upper))


def _fraction(value: float, lower: Fraction, upper: Fraction) -> Fraction:
    """Where a float lies in an entry's interval, as a short decimal from 0 to 1; most often it is an end."""
    if lower == upper or value <= float(lower):
        return Fraction(0)
    if value >= float(upper):
        return Fraction(1)
    return min(max(nearest(float((Fraction(value) - lower) / (upper - lower)), 18), Fraction(0)), Fraction(1))


def _value(x: float, lower: Fraction, upper: Fraction) -> Fraction:
    return min(max(nearest(x, PLACES), lower), upper)


def near(problem: Problem, scope: tuple[int, ...], x: Floats, shared: Floats | None = None) -> Witness:
    """The witness at short decimals next to x, within the box."""
    values = {v: _value(float(x[v]), problem.variables[v].lower, problem.variables[v].upper) for v in scope_variables(problem, scope)}
    return witness_at(problem, scope, values, x, shared)


def witness_at(problem: Problem, scope: tuple[int, ...], values: dict[int, Fraction], x: Floats, shared: Floats | None = None) -> Witness:
    """The witness at exact values (and at the shared entries, if any), each row choosing its own entries as well as it can.

    `x` gives the other variables, which the scope does not use.
    """
    grouping = sharing(problem, scope)
    shared = 0.5 * (grouping.lower + grouping.upper) if shared is None else shared
    point = np.array(x, dtype=np.float64)
    for v, value in values.items():
        point[v] = float(value)
    columns: dict[int, tuple[Token, ...]] = {}
    estimate = -np.inf
    for number in scope:
        entries = grouping.entries[number]
        rows = fixed_rows(problem.blocks[number], entries, shared)
        points = realise(rows, point, point, CELLS)
        for side in (0, 1):
            ends = rows.with_box(point, point, points.lower[side], points.upper[side])
            enclosure = evaluate(rows.tape, *ends)
            estimate = max(estimate, float((enclosure.upper[0] if side == 0 else -enclosure.lower[0]).max()))
        middle = 0.5 * (points.lower + points.upper)
        for i, binding in enumerate(problem.families[number].bindings):
            if not binding.measured:
                continue
            column = problem.columns[binding.index]
            ways = middle[:, i, :] if entries[i, 0] < 0 else np.stack([shared[entries[i]]] * 2)
            columns[binding.index] = tuple(
                (_fraction(float(ways[0, k]), low, high), _fraction(float(ways[1, k]), low, high))
                for k, (low, high) in enumerate(zip(column.lower, column.upper, strict=True))
            )
    return Witness(values, columns, estimate)


def estimated_error(
    problem: Problem, scope: tuple[int, ...], box: Box, start: Floats, trust: float, goal: float, limit: Limit = UNLIMITED
) -> float:
    """The error of an estimated minimiser over the box, without its witness."""
    if shared_columns(problem, scope):
        return candidate_witness(problem, scope, box, start, trust, goal, limit).estimate
    return minimise(problem.blocks, scope, scope_variables(problem, scope), box, start, trust, limit).epsilon


def candidate_witness(
    problem: Problem, scope: tuple[int, ...], box: Box, start: Floats, trust: float, goal: float, limit: Limit = UNLIMITED
) -> Witness:
    """The witness of an estimated minimiser over the box; `goal` is what shared measurements cannot undercut."""
    if shared_columns(problem, scope):
        joint = minimise_jointly(problem.blocks, sharing(problem, scope), box, start, trust, goal, limit)
        return near(problem, scope, joint.x, joint.shared)
    return near(problem, scope, minimise(problem.blocks, scope, scope_variables(problem, scope), box, start, trust, limit).x)
