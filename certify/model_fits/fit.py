"""certify.fit: least squares of any model on arrays, with proof.

    answer = certify.fit(lambda x, a, b: a * (1 - np.exp(-b * x)), x, y, start=[500, 0.0001], box=[(0, 1000), (0, 1)])

From the start a descent finds a fit; what it is worth is asked of the engine (certify.least_squares), and what it says
is judged by the checker, a process of its own, before it is told. Then the whole box is searched, in the parameters
that do not enter linearly. What another solver returned is `claimed`: it is compared with the minimum that is proved.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from certify.contractors.tape.evaluation import Floats
from certify.model_fits.asked import Asked, least_sum
from certify.model_fits.descents import descended
from certify.model_fits.fitted import Claimed, FittedModel
from certify.model_fits.judging import judged
from certify.model_fits.largest import LargestFit, largest_fit
from certify.model_fits.linear import linear
from certify.model_fits.linear_fit import LinearFit
from certify.problems.errors import InputError
from certify.problems.formulas.units import require_known
from certify.problems.model_fits.losses import LARGEST, SQUARES, check_loss
from certify.problems.model_fits.observations import (
    Model,
    observations,
    parameter_names,
    regression,
    start_values,
)
from certify.problems.model_fits.observations import exact as exact_number
from certify.problems.model_fits.units import Units, units_of
from certify.records.options import Progress, silent
from certify.solvers.limits import Limit
from certify.text.decimals import round_down, round_up

REACH = 10  # times the distance of the fit from the start: the box where none is given
NEAR = Fraction(1, 2)  # of the fit's size, at least
DIGITS = 3  # of the ends of such a box
SECONDS = 60.0
Box = tuple[tuple[Fraction, Fraction], ...]


def fit(
    model: Model | str,
    x: Any,
    y: Any,
    start: Any = None,
    box: Any = None,
    *,
    weights: Any = None,
    claimed: Any = None,
    loss: str = SQUARES,
    scale: Any = 1,
    exact: bool | None = None,
    time_limit: float = SECONDS,
    progress: Progress = silent,
) -> FittedModel | LinearFit | LargestFit:
    """The parameters b for which the sum of  w_k^2 (model(x_k, *b) - y_k)^2  is least, and what is proved of them.

    `x` is a column of numbers, a two-dimensional array, a DataFrame or a dictionary of columns (then the model's x has
    these as x.name, x["name"] or x[0]); `start` numbers in the order of the model's parameters, or a dictionary by
    name; `box` a pair of ends for each, in the same way: the minimum is global where it is proved so, in this box.
    Where none is given it reaches ten times as far from the fit as the start lies. `weights` multiply the residuals
    (1 / sigma_k). `claimed` is what another solver returned. The `loss` is that of the residuals divided by `scale`:
    "squares", "soft_l1", "huber" (as scipy defines them), or "largest": the largest |residual|, both ends proved.

    The model "linear" is  y = x b,  one parameter for each column of x: no start and no box are needed, any number of
    rows will do, and `exact` asks for rational numbers, whose time is told to `progress` beforehand.
    """
    measure = exact_number(scale, "scale")
    check_loss(loss, measure)
    if claimed is not None and (isinstance(model, str) or loss == LARGEST):
        what = f"the loss {loss!r}" if loss == LARGEST else f"the model {model!r}"
        raise InputError(f"claimed: nothing is compared with the answer for {what}; leave it out")
    if isinstance(model, str):
        return linear(model, x, y, weights=weights, loss=loss, exact=exact, progress=progress)
    if start is None:
        raise InputError("there is no start; give a first guess of each parameter of the model")
    data, names = observations(x, y, weights), parameter_names(model, start)
    begin = start_values(names, start)
    given = None if box is None else _box(names, box)
    limit, asked = Limit.of(time_limit), Asked(model, names, data, loss, measure)
    if loss == LARGEST:
        found = _descended(asked, begin, given)
        searched = given or _around(found, begin)
        return largest_fit(regression(model, names, data, searched), found, box is not None, limit)
    units = units_of(names, begin.tolist(), given, data)
    answer = None if units is None else _in_units(asked, units, begin, given, limit, progress)
    answer = answer or _judged(asked, begin, given, limit, progress)
    return answer if claimed is None else replace(answer, claimed=_compared(asked, claimed, answer))


def _judged(asked: Asked, begin: Floats, given: Box | None, limit: Limit, progress: Progress) -> FittedModel:
    """From a start to the answer."""
    found = asked.descended(_descended(asked, begin, given), given)
    return judged(asked, found, lambda at: given or _around(at, begin), given is not None, limit, progress)


def _descended(asked: Asked, begin: Floats, given: Box | None) -> Floats:
    """The fit of the squares."""
    plain = regression(asked.model, asked.names, asked.data, given or _around(begin, begin))
    return descended(plain.blocks[0], begin, plain.box if given else None)


def _in_units(
    asked: Asked, units: Units, begin: Floats, given: Box | None, limit: Limit, progress: Progress
) -> FittedModel | None:
    """The same in other units, told in those that were given; None of a linear model, which needs no other ones."""
    scaled = replace(
        asked,
        model=units.model(asked.model),
        data=units.data(asked.data),
        scale=asked.scale / units.residual,
        units=units,
    )
    start = np.array([float(Fraction(b) / u) for b, u in zip(begin.tolist(), units.parameters.values(), strict=True)])
    answer = _judged(scaled, start, units.box(given), limit, progress)
    return None if answer.linear is not None else answer.told_in(units)


def _around(fit: Floats, start: Floats) -> Box:
    """Around the fit, as far as the start lies from it and more; short numbers, rounded outwards."""
    ends = []
    for at, begin in zip(fit.tolist(), start.tolist(), strict=True):
        middle = Fraction(at)
        reach = max(REACH * abs(middle - Fraction(begin)), NEAR * abs(middle)) or Fraction(1)
        ends.append((round_down(middle - reach, DIGITS), round_up(middle + reach, DIGITS)))
    return tuple(ends)


def _box(names: tuple[str, ...], box: Any) -> Box:
    if isinstance(box, Mapping):
        require_known("box", box, names)
    given = [box.get(name) for name in names] if isinstance(box, Mapping) else list(box)
    pairs = [pair for pair in given if pair is not None]
    if not len(pairs) == len(given) == len(names):
        raise InputError(f"the box has not one pair of ends for each of {', '.join(names)}")
    ends = []
    for name, pair in zip(names, pairs, strict=True):
        try:
            low, high = (exact_number(end, f"the box of {name}") for end in pair)
        except (TypeError, ValueError) as error:
            raise InputError(f"the box of {name} is {pair!r:.40}; give a lower and an upper end") from error
        if not low < high:
            raise InputError(f"the box of {name} is [{float(low):g}, {float(high):g}]; its lower end must be smaller")
        ends.append((low, high))
    return tuple(ends)


def _compared(asked: Asked, claimed: Any, answer: FittedModel) -> Claimed:
    """What another solver's parameters are worth."""
    point = start_values(asked.names, claimed, "claimed")
    problem = asked.problem([ends for _, ends in answer.searched], point)
    least, known = least_sum(problem.blocks, point), answer.residual_sum
    value = None if known is None else Fraction(known[1])
    excess = None if least is None or not value else max(least / value - 1, Fraction(0))
    return Claimed(dict(zip(asked.names, point.tolist(), strict=True)), least, excess)
