"""What a model's sum of squares is not below for any parameters, from its shape alone.

Of several bounds the largest one is told, and which it is: observations at the same x, functions of as many monotone
runs, or linear recurrences. They hold wherever the model is defined at every observation, in whatever box; all is
computed in whole numbers and rounded down.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from certify.contractors.tape.tape import Tape
from certify.problems.model_fits.shapes import Shape, shape
from certify.solvers.limits import Late, Limit
from certify.solvers.shapes.grouped import Exact, Groups, grouped
from certify.solvers.shapes.monotone_runs import monotone_sum
from certify.solvers.shapes.recurrences import evenly_spaced, recurrence_sum


class Because(Enum):
    """Which shape it is."""

    REPEATED = "repeated"
    RUNS = "runs"
    RECURRENCE = "recurrence"


@dataclass(frozen=True)
class ShapeBound:
    """A lower end of the sum of squares; `number` counts the runs, or is the order of the recurrence."""

    lower: Fraction
    because: Because
    number: int = 0


def shape_bound(
    tape: Tape, predictors: Sequence[Exact], response: Exact, weights: Exact | None, limit: Limit
) -> ShapeBound | None:
    """Of a model whose predictors are the tape's last inputs; None if it says nothing, or time is up."""
    moving = [k for k, column in enumerate(predictors) if len(set(column)) > 1]
    groups = grouped(_places(predictors, moving), response, weights)
    if groups is None or not groups.count:
        return None
    known = [ShapeBound(groups.rest(), Because.REPEATED)]
    if len(moving) == 1:
        found = shape(tape, tape.inputs - len(predictors) + moving[0])
        for bound in (_of_runs, _of_recurrence):
            try:
                known += [one for one in [bound(groups, found, limit)] if one is not None]
            except Late:
                break
    best = max(known, key=lambda one: one.lower)
    return best if best.lower > 0 else None


def _places(predictors: Sequence[Exact], moving: Sequence[int]) -> Exact:
    """The one column that varies, or a number for each different row of them."""
    if len(moving) == 1:
        return predictors[moving[0]]
    rows = list(zip(*predictors, strict=True))
    numbers = {row: Fraction(k) for k, row in enumerate(dict.fromkeys(rows))}
    return [numbers[row] for row in rows]


def _of_runs(groups: Groups, found: Shape, limit: Limit) -> ShapeBound | None:
    if found.breaks is None or found.breaks + 1 >= groups.count:
        return None
    return ShapeBound(monotone_sum(groups, found.breaks, limit), Because.RUNS, found.breaks + 1)


def _of_recurrence(groups: Groups, found: Shape, limit: Limit) -> ShapeBound | None:
    if found.order is None or groups.count < 2 or not evenly_spaced(groups):
        return None
    lower = groups.rest() + recurrence_sum(groups, found.order, limit)
    return ShapeBound(lower, Because.RECURRENCE, found.order)
