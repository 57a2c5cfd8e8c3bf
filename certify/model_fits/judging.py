"""What is a fit worth? Asked of the engine, judged by the checker, searched in the whole box.

A linear model is solved in rational numbers. Otherwise the minimum is proved in a small box; then the whole box is
searched in the parameters that do not enter linearly, and where a better point is met all begins again from there. A
certificate of the whole box is tried for in the end, where the search says that there can be one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import numpy as np

from certify.contractors.numbers.enclosures import enclose_rational
from certify.contractors.tape.evaluation import Floats
from certify.model_fits.asked import Asked
from certify.model_fits.everywhere import Everywhere, everywhere
from certify.model_fits.exact_linear import MOST_SECONDS, exact_rows, solved
from certify.model_fits.fitted import FittedModel
from certify.model_fits.linear_fit import LinearFit, outward
from certify.model_fits.statistics import statistics
from certify.problems.model.model import Problem
from certify.problems.model_fits.losses import HUBER, SQUARES
from certify.questions.least_squares import SEARCHING, Minimum, least_squares
from certify.records.options import Options, Progress
from certify.records.results import Result
from certify.records.verdicts import Verdict
from certify.solvers.limits import Limit, Stopped
from certify.solvers.projected.search import separable
from certify.solvers.shapes.shape_bound import ShapeBound

CERTIFYING = 0.15  # of the time, for a certificate of the whole box
SEARCHED = 0.8  # of what is left, for the search of the whole box
SHAPED = 10.0  # s, at most, for what the model's shape says
DESCENTS = 4  # each from a point that is better than the fit before
Box = tuple[tuple[Fraction, Fraction], ...]


def judged(
    asked: Asked, found: Floats, box_of: Callable[[Floats], Box], given: bool, limit: Limit, progress: Progress
) -> FittedModel:
    """The answer for a fit that was found, or for a better one."""
    seconds, shape = CERTIFYING * limit.remaining, None
    for _ in range(DESCENTS):
        searched = box_of(found)
        problem = asked.problem(searched, found)
        solution = _rational(problem) if asked.loss == SQUARES else None
        if solution is not None:
            found = np.array(list(solution.values.values()))
            result = _least(problem, found, limit, progress, SEARCHING).checked()
            return _answer(asked, problem, result, searched, given, linear=solution)
        shape = shape or asked.shape(limit.within(SHAPED))
        seeks = asked.loss != HUBER and separable(problem.blocks[0]) is not None
        result = _least(problem, found, limit, progress, 0.0 if seeks or asked.loss == HUBER else SEARCHING)
        whole = _searched(problem, result, limit, progress) if seeks else None
        if whole is None or whole.better is None:
            break
        found = np.array(list(whole.better.values()))
    result = _on_its_side(asked, searched, found, result.checked())
    if whole is not None and whole.finished and len(whole.minimisers) == 1:
        better = _least(problem, found, limit.within(seconds), progress, SEARCHING).checked()
        result = better if better.parts[0].verdict is Verdict.GLOBAL_MINIMUM else result
    known = (whole is not None and whole.finished) or _minimum(result).verdict is Verdict.GLOBAL_MINIMUM
    return _answer(asked, problem, result, searched, given, whole=whole, shape=None if known else shape)


def _least(problem: Problem, found: Floats, limit: Limit, progress: Progress, searching: float) -> Result:
    options = Options(limit=limit, time_limit=limit.remaining)
    with np.errstate(all="ignore"):  # estimates far out
        return least_squares(
            problem, found.tolist(), start=found, options=options, progress=progress, searching=searching
        )


def _searched(problem: Problem, result: Result, limit: Limit, progress: Progress) -> Everywhere | None:
    """The whole box, if there is a minimum."""
    minimum = _minimum(result)
    if minimum.verdict is not Verdict.LOCAL_MINIMUM:
        return None
    with np.errstate(all="ignore"):
        return everywhere(problem, minimum, SEARCHED * limit.remaining, progress)


def _minimum(result: Result) -> Minimum:
    minimum = result.parts[0]
    if not isinstance(minimum, Minimum):
        raise TypeError("least squares have another answer")
    return minimum


def _on_its_side(asked: Asked, searched: Box, found: Floats, result: Result) -> Result:
    """Nothing is left of the minimum of a loss of pieces where it is not known on which piece a residual is."""
    minimum = _minimum(result)
    if asked.loss != HUBER or asked.sided(searched, found, minimum):
        return result
    return replace(result, parts=(replace(minimum.standing(()), stopped=Stopped.SIDES),))


def _answer(
    asked: Asked,
    problem: Problem,
    result: Result,
    searched: Box,
    given: bool,
    whole: Everywhere | None = None,
    linear: LinearFit | None = None,
    shape: ShapeBound | None = None,
) -> FittedModel:
    """All of it, with statistics."""
    minimum, pairs = _minimum(result), tuple(zip(asked.names, searched, strict=True))
    answer = FittedModel(
        result,
        minimum,
        pairs,
        asked.data.count,
        given,
        everywhere=whole,
        linear=linear,
        loss=asked.loss,
        shape=shape,
    )
    if linear is not None:
        return replace(answer, standard_errors=linear.standard_errors, correlations=linear.correlations)
    if asked.loss != SQUARES or minimum.verdict is Verdict.UNDECIDED:
        return answer
    errors, correlations = _statistics(problem, minimum)
    return replace(answer, standard_errors=errors, correlations=correlations)


def _rational(problem: Problem) -> LinearFit | None:
    """The solution of a linear model in rational numbers, if that is quick and inside the box."""
    rows = exact_rows(problem)
    solution = solved(rows) if rows is not None and rows.seconds < MOST_SECONDS else None
    if solution is None:
        return None
    inside = all(one.lower < solution.ends[one.name][0] < one.upper for one in problem.variables)
    return solution if inside else None


def _statistics(
    problem: Problem, minimum: Minimum
) -> tuple[dict[str, tuple[float, float]], dict[tuple[str, str], tuple[float, float]]]:
    """Standard errors and correlations at the minimiser, if they can be enclosed."""
    if minimum.value is None:
        return {}, {}
    ends = [minimum.box[variable.name] for variable in problem.variables]
    lower = np.array([enclose_rational(low)[0] for low, _ in ends])
    upper = np.array([enclose_rational(high)[1] for _, high in ends])
    found = statistics(problem.blocks[0], lower, upper, outward(minimum.value))
    if found is None:
        return {}, {}
    names = list(minimum.box)
    errors = dict(zip(names, found.errors, strict=True))
    return errors, {(names[j], names[i]): found.correlation(i, j) for i in range(len(names)) for j in range(i)}
