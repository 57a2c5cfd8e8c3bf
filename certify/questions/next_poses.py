"""Which pose to measure next: the one after which the set of consistent parameters is expected to be smallest.

For every part the set is linearised around its witness, the point deepest in it. A candidate's readings are predicted
there (they are what the witness says they are, known to the half-widths of the others), its rows are added, and the box
hull of the polytope is measured again: 2 n linear programs at most. The worth of a candidate is the mean share of a
hull's width that is left, over all parameters of all parts. That is an estimate, nothing is proved: the readings are
not there yet. Enclose again when they are.

A part that is inadequate has no consistent set; it gets one at a model error somewhat above the smallest, where all
that is left is more than a point.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from certify.contractors.numbers.enclosures import enclose_rational
from certify.contractors.tape.derivative import gradient
from certify.contractors.tape.evaluation import Floats, evaluate
from certify.parts.scopes import start_point
from certify.problems.errors import InputError
from certify.problems.experiments.added_poses import largest_half_width
from certify.problems.model.model import Column, Family, Problem
from certify.problems.model.row_subsets import kept_rows
from certify.questions.adequacy import adequacy
from certify.records.options import Options, Progress, silent
from certify.records.results import Part
from certify.solvers.advice.pose_programs import Extents, HalfSpaces, extents, shares
from certify.solvers.fits.minimax import sides_at

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


@dataclass(frozen=True)
class NextPoses:
    """One choice for each pose to measure, and the model error within which each part's set was taken."""

    choices: tuple[Choice, ...]
    levels: dict[str, Fraction]
    unit: str

    def as_json(self) -> dict[str, Any]:
        """One object for scripts; candidates are numbered from 1."""
        return {
            "epsilon": {name: enclose_rational(level)[1] for name, level in self.levels.items()},
            "unit": self.unit,
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
    for part in answer.parts:
        for v, variable in enumerate(problem.variables):
            if part.witness is not None and variable.name in part.witness:
                x[v] = float(part.witness[variable.name])
    predicted = _predicted(problem, candidates, number, x)
    polytopes = [_polytope(apart, predicted, part, levels[part.name], x) for part in answer.parts]
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
    return NextPoses(tuple(choices), levels, answer.parts[0].unit)


def _level(part: Part) -> Fraction:
    upper = part.epsilon[1]
    if upper is None:
        raise InputError(
            f"{part.name}: no point was found at which its model can be evaluated ({part.stopped.value}); "
            f"move the search box"
        )
    return ABOVE * upper


def _predicted(problem: Problem, candidates: Mapping[str, Column], number: int, x: Floats) -> Problem:
    """The candidates' rows, with the readings that make every row vanish at x, known as well as the widest of their
    column.
    """
    columns = []
    for column in problem.columns:
        if column.name in candidates:
            columns.append(candidates[column.name])
        else:
            middle = (column.lower[0] + column.upper[0]) / 2
            columns.append(replace(column, lower=(middle,) * number, upper=(middle,) * number))
    families = tuple(replace(family, rows=number) for family in problem.families)
    found = Problem(problem.variables, tuple(columns), families)
    for position, family in enumerate(families):
        missing = [
            i for i, b in enumerate(family.bindings) if b.measured and problem.columns[b.index].name not in candidates
        ]
        values = _readings(found, position, missing, x)
        for i, readings in zip(missing, values, strict=True):
            place = family.bindings[i].index
            half = largest_half_width(problem.columns[place])
            exact = [round(Fraction(float(value)), PLACES) for value in readings]
            columns[place] = replace(
                columns[place], lower=tuple(v - half for v in exact), upper=tuple(v + half for v in exact)
            )
    return Problem(problem.variables, tuple(columns), families)


def _readings(problem: Problem, position: int, missing: list[int], x: Floats) -> Floats:
    """The missing inputs (missing, rows) of a family by Newton's method, the step of least length where there are
    several.
    """
    family, rows = problem.families[position], problem.blocks[position]
    middle = 0.5 * (rows.lower + rows.upper)
    middle[rows.unknown_inputs] = x[rows.places, None]
    for _ in range(STEPS if missing else 0):
        values = evaluate(gradient(family.tape), middle, middle).estimated_middle
        slopes = values[1:][missing]
        squares = (slopes**2).sum(axis=0)
        middle[missing] -= np.where(squares > 0.0, values[0] / np.where(squares > 0.0, squares, 1.0), 0.0) * slopes
    left = evaluate(family.tape, middle, middle).estimated_middle[0]
    if missing and not (np.abs(left) <= 1e-6 * (1.0 + np.abs(middle[missing]).max(axis=0))).all():
        worst = int(np.argmax(np.where(np.isfinite(left), np.abs(left), np.inf)))
        raise InputError(
            f"candidate {worst + 1}: no reading of {_read(problem, family, missing)} fits it; is the pose "
            f"one that the robot can take?"
        )
    return middle[missing]


def _read(problem: Problem, family: Family, missing: list[int]) -> str:
    return " and ".join(problem.columns[family.bindings[i].index].name for i in missing)


def _polytope(problem: Problem, predicted: Problem, part: Part, level: Fraction, x: Floats) -> _Polytope:
    scope = problem.part(part.scope)
    variables = sorted({b.index for n in scope for b in problem.families[n].bindings if not b.measured})
    epsilon = float(level)

    def sides(of: Problem) -> HalfSpaces:
        values, slopes = sides_at(of.blocks, scope, x)
        return HalfSpaces(slopes[:, variables], epsilon - values)

    own, new = sides(problem), sides(predicted)
    rows = predicted.families[scope[0]].rows
    offered = tuple(HalfSpaces(new.slopes[row::rows], new.bounds[row::rows]) for row in range(rows))
    lower, upper = (end[variables] - x[variables] for end in problem.box)
    return _Polytope(part.name, own, lower, upper, extents(own, lower, upper), offered)


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
