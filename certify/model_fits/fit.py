"""certify.fit: least squares of any model on arrays, with proof.

    answer = certify.fit(lambda x, a, b: a * (1 - np.exp(-b * x)), x, y, start=[500, 0.0001], box=[(0, 1000), (0, 1)])

From the start a descent finds a fit; what it is worth is asked of the engine (certify.least_squares), and what it says
is judged by the checker, a process of its own, before it is told. What another solver returned is `claimed`: it is
compared with the minimum that is proved.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from math import isfinite
from typing import Any

import numpy as np

from certify.contractors.numbers.enclosures import enclose_rational
from certify.contractors.rows.rows import Rows
from certify.contractors.tape.evaluation import Floats, evaluate
from certify.model_fits.descents import descended
from certify.model_fits.fitted import Claimed, FittedModel
from certify.model_fits.statistics import standard_errors
from certify.problems.errors import InputError
from certify.problems.model.model import Problem
from certify.problems.model_fits.observations import (
    Model,
    exact,
    observations,
    parameter_names,
    regression,
    start_values,
)
from certify.questions.least_squares import Minimum, least_squares
from certify.records.options import Options, Progress, silent
from certify.records.verdicts import Verdict
from certify.text.decimals import round_down, round_up

REACH = 10  # times the distance of the fit from the start: the box where none is given
NEAR = Fraction(1, 2)  # of the fit's size, at least
DIGITS = 3  # of the ends of such a box
SECONDS = 60.0
Box = tuple[tuple[Fraction, Fraction], ...]


def fit(
    model: Model,
    x: Any,
    y: Any,
    start: Any,
    box: Any = None,
    *,
    weights: Any = None,
    claimed: Any = None,
    time_limit: float = SECONDS,
    progress: Progress = silent,
) -> FittedModel:
    """The parameters b for which the sum of  w_k^2 (model(x_k, *b) - y_k)^2  is least, and what is proved of them.

    `x` is a column of numbers, a two-dimensional array, a DataFrame or a dictionary of columns (then the model's x has
    these as x.name, x["name"] or x[0]); `start` numbers in the order of the model's parameters, or a dictionary by
    name; `box` a pair of ends for each, in the same way: the minimum is global where it is proved so, in this box.
    Where none is given it reaches ten times as far from the fit as the start lies. `weights` multiply the residuals
    (1 / sigma_k). `claimed` is what another solver returned.
    """
    data, names = observations(x, y, weights), parameter_names(model, start)
    begin = start_values(names, start)
    found = descended(regression(model, names, data, _around(begin, begin)).blocks[0], begin)
    searched = _around(found, begin) if box is None else _box(names, box)
    problem = regression(model, names, data, searched)
    options = Options(time_limit=time_limit)
    with np.errstate(all="ignore"):  # estimates far out
        result = least_squares(problem, found.tolist(), start=found, options=options, progress=progress).checked()
    minimum = result.parts[0]
    if not isinstance(minimum, Minimum):
        raise TypeError("least squares have another answer")
    answer = FittedModel(result, minimum, tuple(zip(names, searched, strict=True)), data.count, box is not None)
    answer = replace(answer, standard_errors=_errors(problem, minimum))
    return answer if claimed is None else replace(answer, claimed=_judged(problem, names, claimed, minimum))


def _around(fit: Floats, start: Floats) -> Box:
    """Around the fit, as far as the start lies from it and more; short numbers, rounded outwards."""
    ends = []
    for at, begin in zip(fit.tolist(), start.tolist(), strict=True):
        middle = Fraction(at)
        reach = max(REACH * abs(middle - Fraction(begin)), NEAR * abs(middle)) or Fraction(1)
        ends.append((round_down(middle - reach, DIGITS), round_up(middle + reach, DIGITS)))
    return tuple(ends)


def _box(names: tuple[str, ...], box: Any) -> Box:
    given = [box.get(name) for name in names] if isinstance(box, Mapping) else list(box)
    pairs = [pair for pair in given if pair is not None]
    if not len(pairs) == len(given) == len(names):
        raise InputError(f"the box has not one pair of ends for each of {', '.join(names)}")
    ends = []
    for name, pair in zip(names, pairs, strict=True):
        low, high = (exact(end, f"the box of {name}") for end in pair)
        if not low < high:
            raise InputError(f"the box of {name} is [{float(low):g}, {float(high):g}]; its lower end must be smaller")
        ends.append((low, high))
    return tuple(ends)


def _errors(problem: Problem, minimum: Minimum) -> dict[str, tuple[float, float]]:
    """The standard errors at the minimiser, if they can be enclosed."""
    if minimum.verdict is Verdict.UNDECIDED or minimum.value is None:
        return {}
    ends = [_outward(*minimum.box[variable.name]) for variable in problem.variables]
    lower, upper = (np.array(side) for side in zip(*ends, strict=True))
    found = standard_errors(problem.blocks[0], lower, upper, _outward(*minimum.value))
    return {} if found is None else dict(zip(minimum.box, found, strict=True))


def _outward(low: Fraction, high: Fraction) -> tuple[float, float]:
    return enclose_rational(low)[0], enclose_rational(high)[1]


def _judged(problem: Problem, names: tuple[str, ...], claimed: Any, minimum: Minimum) -> Claimed:
    """What another solver's parameters are worth."""
    point = start_values(names, claimed)
    least, value = _least_sum(problem.blocks[0], point), minimum.epsilon[1]
    excess = None if least is None or not value or minimum.box == {} else max(least / value - 1, Fraction(0))
    return Claimed(dict(zip(names, point.tolist(), strict=True)), least, excess)


def _least_sum(rows: Rows, point: Floats) -> Fraction | None:
    """A lower end of the sum of squares at a point; None where the model is not defined there."""
    ranges = evaluate(rows.tape, *rows.with_box(point, point, rows.lower, rows.upper))
    if not ranges.defined.all():
        return None
    sizes = np.maximum(np.maximum(ranges.lower[0], -ranges.upper[0]), 0.0).tolist()
    return sum((Fraction(size) ** 2 for size in sizes if isfinite(size)), Fraction(0))
