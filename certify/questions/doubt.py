"""Which hypothesis of the model to doubt: the smallest model error again, under richer models, and what they are worth
on poses kept apart.

    base       lower <= eps* <= upper     on the poses used, each leg with measurements of its own
    richer     lower <= eps* <= upper     on the same poses, with a few more unknowns
        (certify.problems.model.hypothesis)
    gain       lower(base) - upper(richer) where that is positive: proved by two certificates, a refutation and a
        witness
    kept apart the model error that the two witnesses need on poses that neither has seen, both ends proved with x fixed

More unknowns never make the error larger, so a gain on the poses used says little by itself; one on the poses kept
apart does. Why the robot is as it is cannot be proved: the hypothesis with the largest proved gain is the one to look
into first.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from fractions import Fraction
from math import inf

import numpy as np

from certify.contractors.tape.evaluation import Floats
from certify.parts.scopes import joined, start_point
from certify.parts.warm_up import begun
from certify.problems.errors import InputError
from certify.problems.model.hypothesis import Hypothesis, chosen, richer
from certify.problems.model.model import Problem
from certify.problems.model.row_subsets import kept_rows
from certify.questions.adequacy import adequacy
from certify.questions.error_at import error_at
from certify.questions.wrong_readings import WRONG_READINGS, wrong_readings
from certify.records.doubt_records import Doubts, Judged, Model
from certify.records.options import Options, Progress, named, silent
from certify.records.results import Result
from certify.solvers.fits.plain_fit import residuals
from certify.solvers.limits import Late

APART = Fraction(1, 4)  # of the poses are kept apart
GOLDEN = 0x9E3779B97F4A7C15  # 2^64 / golden ratio
REACH = 3  # times the largest model error: what an added term may amount to
GAP = Fraction(1, 100)
TIME_LIMIT = 300.0  # of everything
USED = 0.8  # of a model's time, for the poses used
ALIKE = 100  # shares that agree to 1 / ALIKE rank by their number of unknowns
SUFFIX = "-apart"
BASE = Hypothesis("base", "the model as it is", lambda _: ())


def doubt(
    problem: Problem,
    kept_apart: Collection[int] | None = None,
    names: Collection[str] = (),
    *,
    effect: Fraction | None = None,
    start: Floats | None = None,
    options: Options | None = None,
    progress: Progress = silent,
) -> Doubts:
    """Judge the base model, then the hypotheses with these names (all of them if there are none) on the parts that the
    base model does not explain.

    `kept_apart` are the numbers (0, 1, ...) of the poses that are not used, `spread(poses, 1/4)` if not given. `effect`
    bounds what each added term may amount to, in the rows' unit: three times the base model's largest error if not
    given. A hypothesis that adds nothing is left out.
    """
    options = options or Options(gap=GAP, time_limit=TIME_LIMIT)
    rows = _rows(problem)
    apart = _apart(rows, kept_apart)
    listed = chosen(problem, [name for name in names if name != WRONG_READINGS])
    limit = begun(options)

    def share(later: int) -> Options:
        return replace(options, time_limit=inf, limit=limit.share(1.0 / (1 + later)))

    first = start_point(problem, start)
    base = _judged(problem, apart, BASE, (), first, share(1 + len(listed)), named(progress, BASE.name))
    largest = max((judged.upper or Fraction(0) for judged in base.parts), default=Fraction(0))
    bound = REACH * largest if effect is None else Fraction(effect)
    if not any(judged.part.epsilon[0] > 0 for judged in base.parts):
        return Doubts(replace(base, parts=()), (), bound, apart, base.parts)
    if bound <= 0:
        raise InputError(
            f"a bound of {float(bound)} for the effect of a term lets nothing be explained; give more than 0"
        )
    everything = base.parts
    base = replace(base, parts=tuple(judged for judged in base.parts if judged.part.epsilon[0] > 0))
    doubted = sorted(number for judged in base.parts for number in problem.part(judged.part.scope))
    smaller = replace(problem, families=tuple(problem.families[number] for number in doubted))
    parts = [judged.part for judged in base.parts]
    unjudged: list[str] = []
    asked = [] if tuple(names) == (WRONG_READINGS,) else list(listed)
    if not names or WRONG_READINGS in names:
        progress("looking for wrong readings")
        others = [row for row in range(rows) if row not in apart]
        try:
            with share(len(asked)).limit.enforced():
                asked.append(wrong_readings(problem, others, parts, first))
        except Late:
            unjudged.append(WRONG_READINGS)
    found = []
    guess = joined(problem, parts, first)
    for turn, hypothesis in enumerate(asked):
        if limit.late():
            unjudged.append(hypothesis.name)
            continue
        more = richer(smaller, hypothesis, bound)
        added = tuple(variable.name for variable in more.variables[len(problem.variables) :])
        if added:
            point, time = np.concatenate([guess, np.zeros(len(added))]), share(len(asked) - turn - 1)
            found.append(_judged(more, apart, hypothesis, added, point, time, named(progress, hypothesis.name)))
    doubts = Doubts(base, (), bound, apart, everything)
    found.sort(key=lambda model: (-int(ALIKE * doubts.explained(model)), len(model.added), -doubts.explained(model)))
    return replace(doubts, richer=tuple(found), unjudged=tuple(unjudged))


def _apart(rows: int, kept_apart: Collection[int] | None) -> tuple[int, ...]:
    """The poses that are kept apart, in order."""
    apart = tuple(sorted(set(spread(rows, APART) if kept_apart is None else kept_apart)))
    if apart and not (apart[0] >= 0 and apart[-1] < rows):
        raise InputError(f"pose {apart[-1] + 1} is to be kept apart, but there are {rows}; name poses that there are")
    if len(apart) == rows:
        raise InputError(f"all {rows} poses are to be kept apart, so that none is left to use; keep fewer")
    return apart


def spread(poses: int, share: Fraction) -> tuple[int, ...]:
    """About this share of the poses 0, 1, ..., spread without a period: every fourth pose of a factorial design would
    be one of its corners.
    """
    return tuple(pose for pose in range(poses) if (pose + 1) * GOLDEN % 2**64 < share * 2**64)


def _rows(problem: Problem) -> int:
    """The number of poses, of which every family has a row."""
    counts = {family.rows for family in problem.families}
    if len(counts) != 1 or counts == {1}:
        raise InputError(
            "poses cannot be kept apart in this problem: its families have one row each, or different numbers of rows"
        )
    return counts.pop()


def _judged(
    problem: Problem,
    apart: tuple[int, ...],
    hypothesis: Hypothesis,
    added: tuple[str, ...],
    start: Floats,
    options: Options,
    progress: Progress,
) -> Model:
    scope = tuple(range(len(problem.families)))
    others = [row for row in range(problem.families[0].rows) if row not in apart]
    used = kept_rows(problem, scope, {(number, row) for number in scope for row in apart}).problem
    searching = replace(options, limit=options.limit.share(USED)) if apart else options
    answer = adequacy(used, start=start, options=searching, progress=progress)
    told = (hypothesis.name, hypothesis.sentence, added, hypothesis.reach)
    if not apart:
        return Model(*told, tuple(Judged(part, None, None, None) for part in answer.parts), answer, None)
    unseen = kept_rows(problem, scope, {(number, row) for number in scope for row in others}).problem
    point = _point(unseen, answer, start)
    validated = error_at(unseen, point, SUFFIX, options)
    x = np.array([float(value) for value in point])
    judged = []
    for part in answer.parts:
        values = np.concatenate([_residuals(unseen, family, x) for family in part.scope])
        found = None if part.witness is None else validated.part(part.name + SUFFIX)
        figures = (
            (float(np.sqrt(np.mean(values**2))), float(np.abs(values).max())) if found is not None else (None, None)
        )
        judged.append(Judged(part, found, *figures))
    return Model(*told, tuple(judged), answer, validated)


def _point(problem: Problem, answer: Result, start: Floats) -> tuple[Fraction, ...]:
    """The parts' witnesses, exactly; the start where there is none."""
    witness: dict[str, Fraction] = {}
    for part in answer.parts:
        witness |= part.witness or {}
    found = []
    for variable, value in zip(problem.variables, start, strict=True):
        found.append(witness.get(variable.name, min(max(Fraction(float(value)), variable.lower), variable.upper)))
    return tuple(found)


def _residuals(problem: Problem, family: str, x: Floats) -> Floats:
    rows = problem.blocks[problem.part((family,))[0]]
    return residuals(rows, x, 0.5 * (rows.lower + rows.upper))[0]
