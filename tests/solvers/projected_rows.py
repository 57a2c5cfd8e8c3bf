"""Rows of models on a few observations, their sums of squares in high precision, and a search of them."""

from __future__ import annotations

from fractions import Fraction

import flint
from exact import arb_values

from certify.problems.model_fits.observations import observations, regression
from certify.solvers.limits import Limit
from certify.solvers.projected.search import ProjectedSearch, separable

X = (0.5, 1.0, 1.75, 2.5, 3.0, 4.25, 5.0, 6.5)
Y = (2.0, 1.5, 1.75, 1.0, 0.5, 0.75, 0.25, 0.5)


def rows_of(model, count, box=(-20, 20)):
    names = tuple(f"b{k}" for k in range(count))
    return regression(model, names, observations(X, Y), [tuple(map(Fraction, box))] * count)


def in_high_precision(problem, point):
    """The sum of squares as a ball; it is not finite where the model is not defined."""
    (family,) = problem.families
    total = flint.arb(0)
    for k in range(family.rows):
        given = [problem.columns[b.index].lower[k] if b.measured else float(point[b.index]) for b in family.bindings]
        total += arb_values(family.tape, given)[0] ** 2
    return total


def search_of(problem, level=0.0):
    rows = problem.blocks[0]
    found = separable(rows)
    return ProjectedSearch(rows, found, level, problem.box, [], Limit.of(60.0))
