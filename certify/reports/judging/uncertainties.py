"""What a calibration certificate in the sense of the GUM would say of a least-squares fit: a standard uncertainty for
each parameter, to first order at the fit.

    x - x* ~ (J'J)^-1 J' G (m - m*),    cov x = (J'J)^-1 J' G U G' J (J'J)^-1,    U = diag(u^2)

J and G are the derivatives of the rows by parameters and by readings, u = half-width / k where half-widths are k
standard deviations, and half-width / sqrt 3 (a rectangular distribution) where they are bounds. Estimated in floats: it
holds if errors are independent, as small as stated, and the model is right. Rows of one pose share their readings,
which is counted; a part whose J has no full rank has no such uncertainties.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import sqrt

import numpy as np

from certify.contractors.tape.derivative import gradient
from certify.contractors.tape.evaluation import Floats, evaluate
from certify.problems.experiments.half_widths import Statement, of_column
from certify.problems.model.model import Problem

COVERAGE = 2.0  # times the standard uncertainty: about 95 % of a normal distribution
DEPENDENT = 1e-12  # of the largest singular value of the scaled J: below that a direction is not determined


def expanded_uncertainties(
    problem: Problem, scope: Sequence[str], fit: Mapping[str, Fraction], statement: Statement
) -> dict[str, float]:
    """The expanded uncertainty (k = 2) of each parameter of a part at its fit; empty where they are not determined."""
    numbers = problem.part(scope)
    names = list(fit)
    places = {v: names.index(variable.name) for v, variable in enumerate(problem.variables) if variable.name in fit}
    slopes, by_reading = _slopes(problem, numbers, places, fit)
    scale = np.linalg.norm(slopes, axis=0)
    if not np.isfinite(slopes).all() or not scale.all() or len(slopes) < len(names):
        return {}
    _, sizes, axes = np.linalg.svd(slopes / scale, full_matrices=False)
    if sizes[-1] <= DEPENDENT * sizes[0]:
        return {}
    inverse = (axes.T / sizes**2) @ axes
    middle = np.zeros((len(names), len(names)))
    for column, changes in by_reading.items():
        moved = (changes / scale) * _deviations(problem, column, statement)[:, None]
        middle += moved.T @ moved
    spread = np.sqrt(np.maximum(np.diag(inverse @ middle @ inverse), 0.0)) / scale
    return {name: COVERAGE * float(value) for name, value in zip(names, spread, strict=True)}


def _slopes(
    problem: Problem, numbers: Sequence[int], places: Mapping[int, int], fit: Mapping[str, Fraction]
) -> tuple[Floats, dict[int, Floats]]:
    """J, rows x parameters; and for each column its entries' J'G, entries x parameters, added up over the rows that
    read one entry.
    """
    point = np.array([float(fit.get(v.name, (v.lower + v.upper) / 2)) for v in problem.variables])
    found, by_reading = [], defaultdict[int, Floats](lambda: np.zeros(0))
    for n in numbers:
        rows, family = problem.blocks[n], problem.families[n]
        lower, upper = rows.with_box(point, point, rows.lower, rows.upper)
        middle = 0.5 * (lower + upper)
        derived = evaluate(gradient(rows.tape), middle, middle).estimated_middle[1:]
        own = np.zeros((family.rows, len(places)))
        for i, binding in enumerate(family.bindings):
            if not binding.measured:
                own[:, places[binding.index]] += derived[i]
        found.append(own)
        for i, binding in enumerate(family.bindings):
            if binding.measured:
                more = own * derived[i][:, None]
                before = by_reading[binding.index]
                by_reading[binding.index] = before + more if before.size else more
    return np.concatenate(found), dict(by_reading)


def _deviations(problem: Problem, column: int, statement: Statement) -> Floats:
    """The standard deviations of a column's readings."""
    entries = problem.columns[column]
    halves = np.array([float(high - low) / 2 for low, high in zip(entries.lower, entries.upper, strict=True)])
    found = of_column(statement, entries.name.partition(".pose")[0]).deviations
    return halves / (sqrt(3.0) if found is None else float(found))
