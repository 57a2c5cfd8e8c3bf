"""Whether given parameters fit every row, and which bound would make them: those of a weighted fit, or a user's own.

Both ends of what they need are proved, as for least squares: one row that they miss by more, and a witness.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from certify.linear_questions.further import Document, Further
from certify.problems.errors import InputError
from certify.problems.formulas.units import shown
from certify.problems.regressors.interval_regressor import IntervalRegressor
from certify.problems.regressors.regressor import Number, Regressor, exact
from certify.records.options import Options, Progress, silent
from certify.regressors.emission import Emission
from certify.regressors.identified import Needed
from certify.solvers.limits import Late, Limit, Stopped
from certify.solvers.linear_estimates.weighted_squares import weighted_squares
from certify.solvers.regressors.passes import largest_misses, no_less
from certify.solvers.regressors.triangle import row_weights, triangle

Point = tuple[Fraction, ...]


@dataclass(frozen=True, slots=True)
class Judged:
    """Parameters, what they are called, and by how much all bounds must grow for them to fit every row; `outside`: one
    of them is beyond its prior range, so that nothing is proved.
    """

    name: str
    point: Point
    needed: Needed
    outside: bool


@dataclass(frozen=True, eq=False, repr=False)
class GivenValues(Further):
    """What is known of each of some sets of parameters."""

    problem: Regressor
    judged: tuple[Judged, ...] = ()
    stopped: Stopped = Stopped.FINISHED
    key: ClassVar[str] = "values"

    @property
    def documents(self) -> tuple[Document, ...]:
        """The certificates by their names."""
        return tuple(document for one in self.judged for document in one.needed.documents)

    def standing(self, accepted: Collection[bytes]) -> GivenValues:
        """What is left where the checker has accepted these certificates and no others."""
        whole = all(text in accepted for _, text in self.documents)
        kept = tuple(replace(one, needed=one.needed.standing(accepted)) for one in self.judged)
        return self if whole else replace(self, judged=kept, stopped=Stopped.UNCHECKED)

    def as_json(self) -> dict[str, Any]:
        """Ends are rounded outwards, rows counted from 1."""
        return {
            "stopped": self.stopped.value,
            **{
                one.name: {
                    "values": dict(zip(self.problem.names, map(float, one.point), strict=True)),
                    "outside_of_prior_ranges": one.outside,
                    **one.needed.as_json(),
                }
                for one in self.judged
            },
        }


def judge_values(
    problem: Regressor,
    values: Mapping[str, Number] | None = None,
    groups: int = 0,
    weighted: bool | None = None,
    options: Options | None = None,
    progress: Progress = silent,
) -> GivenValues:
    """What a weighted fit needs (rows weighted by their own bounds, or by the deviations of so many groups that take
    turns row by row), and what given values need. Where nothing is said, a weighted fit is asked for if there are such
    bounds or groups, or no values.
    """
    limit = (options or Options()).begun()
    points = {} if values is None else {"given": _given(problem, values)}
    try:
        if weighted or (weighted is None and (groups or values is None or not problem.is_even)):
            points["weighted"] = _weighted(problem, groups)
        progress("what given values need")
        judged = tuple(_judged(problem, name, point, limit) for name, point in points.items())
    except Late as late:
        return GivenValues(problem, stopped=late.why)
    known = all(one.needed.upper is not None and not one.outside for one in judged)
    return GivenValues(problem, judged, Stopped.FINISHED if known else Stopped.GAP)


def judge_named(
    problem: Regressor, points: Mapping[str, Any], options: Options, progress: Progress = silent
) -> GivenValues:
    """What estimates need, by their names: both ends proved, as for given values."""
    limit = options.begun()
    progress("what estimates need")
    try:
        exactly = {name: tuple(map(Fraction, map(float, point))) for name, point in points.items()}
        judged = tuple(_judged(problem, name, point, limit) for name, point in exactly.items())
    except Late as late:
        return GivenValues(problem, stopped=late.why)
    known = all(one.needed.upper is not None and not one.outside for one in judged)
    return GivenValues(problem, judged, Stopped.FINISHED if known else Stopped.GAP)


def _given(problem: Regressor, values: Mapping[str, Number]) -> Point:
    missing = [name for name in problem.names if name not in values]
    unknown = [name for name in values if name not in problem.names]
    if missing or unknown:
        wrong = f"{shown(missing[0])} is missing" if missing else f"there is no parameter {shown(unknown[0])}"
        raise InputError(f"values: {wrong}; give one for each of {', '.join(problem.names)}")
    return tuple(exact(values[name], f"value of {name}") for name in problem.names)


def _weighted(problem: Regressor, groups: int) -> Point:
    weights = row_weights(problem)
    if groups:
        if not 1 < groups <= problem.rows // (problem.size + 1):
            most = problem.rows // (problem.size + 1)
            raise InputError(f"--weighted {groups}: {problem.rows} rows have 2 to {most} groups; give such a number")
        found = weighted_squares(problem.matrix, problem.y, np.arange(problem.rows) % groups).estimate
    elif weights is not None:
        found = triangle(problem, weights).fit
    else:
        raise InputError(
            "--weighted: one bound holds for all rows, so that all weigh the same; give the number of groups that take "
            "turns row by row, such as --weighted 4 for a log of four joints"
        )
    if not np.isfinite(found).all():
        raise InputError("--weighted: the rows have no weighted fit in doubles; choose other units")
    return tuple(map(Fraction, found.tolist()))


def _judged(problem: Regressor, name: str, point: Point, limit: Limit) -> Judged:
    """Both ends of what a point needs."""
    emission, needed = Emission(problem), Needed(name)
    if not all(low <= x <= high for x, (low, high) in zip(point, problem.box, strict=True)):
        return Judged(name, point, needed, True)
    doubles = np.array([float(x) for x in point])
    with np.errstate(over="ignore", invalid="ignore"):
        misses, rows = largest_misses(problem, doubles[:, None], limit.check)
    beyond = _beyond(problem, point, rows[0])
    lower = emission.lower_at(point, rows[0], beyond)
    if lower is not None:
        needed = replace(needed, lower=lower[0], lower_certificate=lower[1], rows=(rows[0],))
    upper = no_less(float(misses[0]) + _rounded(problem, point, doubles), problem.base)
    text = None if upper is None else emission.upper(point, upper, Fraction(1), True)
    return Judged(name, point, needed if text is None else replace(needed, upper=upper, upper_certificate=text), False)


def _beyond(problem: Regressor, point: Point, row: int) -> Fraction:
    low, high = problem.ends(row)
    least, greatest = problem.exact_reach(row, point)
    return max(least - high, low - greatest)


def _rounded(problem: Regressor, point: Sequence[Fraction], doubles: Any) -> float:
    """No less than what the doubles next to a point's decimals can change in a row."""
    off = [abs(x - Fraction(float(d))) for x, d in zip(point, doubles, strict=True)]
    if not any(off):
        return 0.0
    ends = (problem.low, problem.high) if isinstance(problem, IntervalRegressor) else (problem.matrix,)
    largest = np.max([np.abs(part[piece]).max(axis=0) for part in ends for piece in problem.pieces()], axis=0)
    return float(np.nextafter(2.0 * sum(float(a) * float(d) for a, d in zip(largest, off, strict=True)), np.inf))
