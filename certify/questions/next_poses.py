"""Which pose to measure next: the one after which the set of consistent parameters is expected to be smallest.

For every part the set is linearised around its witness, the point deepest in it. A candidate's readings are predicted
there (they are what the witness says they are, known to the half-widths of the others, whatever a table says), its rows
are added, and the box hull of the polytope is measured again: 2 n linear programs at most. The worth of a candidate is
the mean share of a hull's width that is left, over all parameters of all parts. That is an estimate, nothing is proved:
the readings are not there yet. Enclose again when they are.

A part that is inadequate has no consistent set; it gets one at a model error somewhat above the smallest, where all
that is left is more than a point. Parameters that all candidates together would not tell apart are held where the
witness has them: they would only say that every candidate is as bad as any other. Beside that it is told what the
chosen poses do to the indices of observability.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from certify.contractors.numbers.enclosures import enclose_rational
from certify.contractors.rows.measurements import SIDES
from certify.contractors.tape.derivative import gradient
from certify.contractors.tape.evaluation import Floats, evaluate
from certify.parts.scopes import joined, start_point
from certify.problems.errors import InputError
from certify.problems.experiments.added_poses import largest_half_width, with_poses
from certify.problems.formulas.units import require_known
from certify.problems.model.model import Column, Problem
from certify.problems.model.row_subsets import kept_rows
from certify.questions.adequacy import adequacy
from certify.records.options import Options, Progress, silent
from certify.records.results import Part
from certify.solvers.advice.combinations import Determined, determined
from certify.solvers.advice.pose_programs import Extents, HalfSpaces, extents, shares
from certify.solvers.fits.minimax import sides_at
from certify.solvers.limits import LIMITS, Late
from certify.text.shown import Shown

INDICES = ("condition", "smallest", "noise_amplification", "root_mean")
ABOVE = Fraction(11, 10)  # of the smallest model error of an inadequate part
STEPS = 20  # of Newton's method for a reading
PLACES = 9  # of a predicted reading


@dataclass(frozen=True)
class CandidatePose:
    """A candidate's place in the table, the estimated share of the hull's width that is left with it, of every part and
    on the average.
    """

    place: int
    estimated_share: float
    estimated_parts: dict[str, float]


@dataclass(frozen=True)
class Choice:
    """All candidates of one round, the best first; those chosen in earlier rounds count as measured."""

    ranked: tuple[CandidatePose, ...]

    @property
    def best(self) -> CandidatePose:
        """The candidate to measure."""
        return self.ranked[0]


@dataclass(frozen=True, repr=False)
class NextPoses(Shown):
    """One choice for each pose to measure, and the model error within which each part's set was taken."""

    choices: tuple[Choice, ...]
    levels: dict[str, Fraction]
    units: dict[str, str]
    before: dict[str, Determined]
    after: dict[str, Determined]
    variables: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """One object for scripts; candidates are numbered from 1."""
        return {
            "epsilon": {name: enclose_rational(level)[1] for name, level in self.levels.items()},
            "unit": next(iter(self.units.values())) if len(set(self.units.values())) == 1 else self.units,
            "estimated_observability": {
                name: {"before": self._indices(self.before[name]), "after": self._indices(self.after[name])}
                for name in self.levels
            },
            "choices": [
                [
                    {
                        "candidate": c.place + 1,
                        "estimated_share": c.estimated_share,
                        "estimated_parts": c.estimated_parts,
                    }
                    for c in choice.ranked
                ]
                for choice in self.choices
            ],
        }

    def _indices(self, found: Determined) -> dict[str, Any]:
        indices = found.indices
        told = {"not_determined": [self.variables[v] for v in found.given_up]}
        return told if indices is None else told | {name: getattr(indices, name) for name in INDICES}


@dataclass(frozen=True, eq=False)
class _Polytope:
    """The linearised set of one part, what it reaches, and the two sides that each candidate would add."""

    name: str
    sides: HalfSpaces
    lower: Floats
    upper: Floats
    reached: Extents
    offered: tuple[HalfSpaces, ...]


def next_poses(
    problem: Problem,
    candidates: Mapping[str, Column],
    count: int = 1,
    *,
    start: Floats | None = None,
    options: Options | None = None,
    progress: Progress = silent,
) -> NextPoses:
    """Choose `count` of the candidate poses, one after the other. Columns of the problem that the candidates do not
    have are predicted.
    """
    units = {column.name: column.unit for column in problem.columns}
    require_known("candidates", candidates, units)
    for name, column in candidates.items():
        if column.unit != units[name]:
            raise InputError(f"candidates: {name} is in {column.unit}, its column in {units[name]}; use one unit")
    offered = {len(column.lower) for column in candidates.values()}
    if len(offered) != 1:
        raise InputError(
            "the candidates' columns have no entries, or different numbers of them; give every pose a value in each"
        )
    number = offered.pop()
    if not 1 <= count <= number:
        raise InputError(f"{count} poses are to be chosen from {number} candidates; choose 1 to {number}")
    apart = kept_rows(problem, tuple(range(len(problem.families))), ()).problem
    options = options or Options(gap=Fraction(1, 100))
    answer = adequacy(apart, start=start, options=options, progress=progress)
    levels = {part.name: _level(part) for part in answer.parts}
    x = start_point(problem, start)
    own = {part.name: joined(problem, [part], x) for part in answer.parts}
    x = joined(problem, answer.parts, x)
    predicted = _predicted(problem, candidates, number, x)
    everything = _observed(with_poses(problem, {c.name: c for c in predicted.columns}), answer.parts, x)
    polytopes = [
        _polytope(
            apart,
            _predicted(problem, candidates, number, own[part.name], problem.part(part.scope)),
            part,
            levels[part.name],
            own[part.name],
            everything[part.name].given_up,
        )
        for part in answer.parts
    ]
    choices: list[Choice] = []
    waiting = list(range(number))
    for _ in range(count):
        progress(f"weighing {len(waiting)} candidates")
        ranked = sorted(
            (_weighed(place, polytopes) for place in waiting), key=lambda candidate: candidate.estimated_share
        )
        choices.append(Choice(tuple(ranked)))
        waiting.remove(ranked[0].place)
        polytopes = [_with(polytope, ranked[0].place) for polytope in polytopes]
    chosen = [choice.best.place for choice in choices]
    after = _observed(with_poses(problem, {c.name: _picked(c, chosen) for c in predicted.columns}), answer.parts, x)
    before = _observed(problem, answer.parts, x)
    names = tuple(variable.name for variable in problem.variables)
    return NextPoses(tuple(choices), levels, {part.name: part.unit for part in answer.parts}, before, after, names)


def _observed(problem: Problem, parts: Sequence[Part], x: Floats) -> dict[str, Determined]:
    """What the poses of a problem determine, part by part."""
    lower, upper = problem.box
    radius = 0.5 * (upper - lower)
    return {part.name: determined(problem.blocks, problem.part(part.scope), x, radius) for part in parts}


def _picked(column: Column, rows: Sequence[int]) -> Column:
    return replace(
        column, lower=tuple(column.lower[row] for row in rows), upper=tuple(column.upper[row] for row in rows)
    )


def _level(part: Part) -> Fraction:
    upper = part.epsilon[1]
    if upper is None and part.stopped in LIMITS:
        raise Late(part.stopped)
    if upper is None:
        raise InputError(
            f"{part.name}: no point was found at which its model can be evaluated ({part.stopped.value}); "
            f"move the search box"
        )
    return ABOVE * upper


def _predicted(
    problem: Problem, candidates: Mapping[str, Column], number: int, x: Floats, scope: Sequence[int] | None = None
) -> Problem:
    """The candidates' rows, with the readings that make every row (of these families) vanish at x, known as well as the
    widest of their column.
    """
    columns = []
    for column in problem.columns:
        if column.name in candidates:
            columns.append(candidates[column.name])
        else:
            middle = (column.lower[0] + column.upper[0]) / 2
            columns.append(replace(column, lower=(middle,) * number, upper=(middle,) * number))
    families = tuple(replace(family, rows=number) for family in problem.families)
    asked = families if scope is None else tuple(families[n] for n in scope)
    found = Problem(problem.variables, tuple(columns), asked)
    read = {binding.index for family in asked for binding in family.bindings if binding.measured}
    missing = [c for c, column in enumerate(problem.columns) if column.name not in candidates and c in read]
    for c, readings in zip(missing, _readings(found, missing, x), strict=True):
        half = largest_half_width(problem.columns[c])
        exact = [round(Fraction(float(value)), PLACES) for value in readings]
        columns[c] = replace(columns[c], lower=tuple(v - half for v in exact), upper=tuple(v + half for v in exact))
    return Problem(problem.variables, tuple(columns), families)


def _readings(problem: Problem, missing: list[int], x: Floats) -> Floats:
    """The entries (missing, rows) of the missing columns with which all rows vanish, by Newton's method for each pose;
    the step of least length where there are several.
    """
    middles = np.array(
        [[float((low + high) / 2) for low, high in zip(c.lower, c.upper, strict=True)] for c in problem.columns]
    )
    for _ in range(STEPS if missing else 0):
        values, slopes = _all_rows(problem, missing, middles, x)
        middles[missing] -= np.einsum("kmr,kr->mk", np.linalg.pinv(slopes), values)
    left = _all_rows(problem, missing, middles, x)[0]
    sizes = np.abs(left).max(axis=1)
    if missing and not (sizes <= 1e-6 * (1.0 + np.abs(middles[missing]).max(axis=0))).all():
        worst = int(np.argmax(np.where(np.isfinite(sizes), sizes, np.inf)))
        names = " and ".join(problem.columns[c].name for c in missing)
        raise InputError(
            f"candidate {worst + 1}: no reading of {names} fits it; is the pose one that the robot can take?"
        )
    return middles[missing]


def _all_rows(problem: Problem, missing: list[int], middles: Floats, x: Floats) -> tuple[Floats, Floats]:
    """The values (poses, families) of all rows, and their slopes (poses, families, missing) in the missing columns."""
    values, slopes = [], []
    for family, rows in zip(problem.families, problem.blocks, strict=True):
        inputs = np.zeros((len(family.bindings), family.rows))
        slope = np.zeros((len(missing), family.rows))
        for i, binding in enumerate(family.bindings):
            inputs[i] = middles[binding.index] if binding.measured else x[binding.index]
        found = evaluate(gradient(rows.tape), inputs, inputs).estimated_middle
        for i, binding in enumerate(family.bindings):
            if binding.measured and binding.index in missing:
                slope[missing.index(binding.index)] += found[1 + i]
        values.append(found[0])
        slopes.append(slope)
    return np.array(values).T, np.moveaxis(np.nan_to_num(np.array(slopes)), 2, 0)


def _polytope(
    problem: Problem, predicted: Problem, part: Part, level: Fraction, x: Floats, held: Sequence[int]
) -> _Polytope:
    scope = problem.part(part.scope)
    read = {b.index for n in scope for b in problem.families[n].bindings if not b.measured}
    variables = sorted(read.difference(held))
    epsilon = float(level)

    def sides(of: Problem) -> HalfSpaces:
        values, slopes = sides_at(of.blocks, scope, x)
        return HalfSpaces(slopes[:, variables], epsilon - values)

    own, new = sides(problem), sides(predicted)
    rows = predicted.families[scope[0]].rows
    new = replace(new, bounds=_as_read(new.bounds, rows))
    offered = tuple(HalfSpaces(new.slopes[row::rows], new.bounds[row::rows]) for row in range(rows))
    lower, upper = (end[variables] - x[variables] for end in problem.box)
    return _Polytope(part.name, own, lower, upper, extents(own, lower, upper), offered)


def _as_read(bounds: Floats, rows: int) -> Floats:
    """The bounds of both sides of each row, with what is read as the witness has it: a table may have readings, which
    that need not fit, though others do.
    """
    both = bounds.reshape(-1, len(SIDES), rows)
    return np.broadcast_to(both.mean(axis=1, keepdims=True), both.shape).reshape(bounds.shape).copy()


def _weighed(place: int, polytopes: list[_Polytope]) -> CandidatePose:
    left = {p.name: shares(p.sides, p.reached, p.offered[place], p.lower, p.upper) for p in polytopes}
    return CandidatePose(
        place,
        float(np.mean(np.concatenate(list(left.values())))),
        {name: float(found.mean()) for name, found in left.items()},
    )


def _with(polytope: _Polytope, place: int) -> _Polytope:
    sides = polytope.sides.and_also(polytope.offered[place])
    return replace(polytope, sides=sides, reached=extents(sides, polytope.lower, polytope.upper, polytope.reached))
