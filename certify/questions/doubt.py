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

from collections.abc import Collection, Mapping
from dataclasses import replace
from fractions import Fraction
from math import inf

import numpy as np

from certify.contractors.tape.evaluation import Floats
from certify.hypotheses.promising import ranked_hypotheses, seen_and_unseen
from certify.hypotheses.steps import steps
from certify.hypotheses.wrong_readings import WRONG_READINGS, wrong_readings
from certify.parts.scopes import joined, start_point
from certify.parts.warm_up import begun
from certify.problems.errors import InputError
from certify.problems.formulas.units import is_length
from certify.problems.model.hypothesis import Hypothesis, chosen, richer
from certify.problems.model.model import Problem, Variable
from certify.questions.adequacy import adequacy
from certify.questions.error_at import error_at
from certify.records.doubt_records import Doubts, Judged, Model
from certify.records.options import Options, Progress, named, silent
from certify.records.results import Part
from certify.solvers.fits.plain_fit import residuals
from certify.solvers.limits import Late
from certify.text.decimals import ends_so_far

APART = Fraction(1, 4)  # of the poses are kept apart
GOLDEN = 0x9E3779B97F4A7C15  # 2^64 / golden ratio
REACH = 3  # times the largest model error: what an added term may amount to
GAP = Fraction(1, 100)
TIME_LIMIT = 300.0  # of everything
USED = 0.8  # of a model's time, for the poses used
ALIKE = 100  # shares that agree to 1 / ALIKE rank by their number of unknowns
SUFFIX = "-apart"
ENOUGH, LONGER = 10.0, 3.0  # seconds, and times an arm's base model: a gain rests on an upper end
MANY = 8  # models that are judged as if they were the last ones: the time is shared among so many
BASE = Hypothesis("base", "the model as it is")


def doubt(
    problem: Problem,
    kept_apart: Collection[int] | None = None,
    names: Collection[str] = (),
    *,
    more: Collection[Hypothesis] = (),
    effect: Fraction | Mapping[str, Fraction] | None = None,
    start: Floats | None = None,
    options: Options | None = None,
    progress: Progress = silent,
) -> Doubts:
    """Judge the base model, then the hypotheses with these names on the parts that the base model does not explain; if
    there are no names all of them, and `more`, that are estimated to explain a hundredth, the most promising first.

    `kept_apart` are the numbers (0, 1, ...) of the poses that are not used, `spread(poses, 1/4)` if not given. `effect`
    bounds what each added term may amount to, in the rows' unit (in that of lengths, if there are others), or for each
    unit by its name: three times the base model's largest error in it if not given. A hypothesis that adds nothing is
    left out.
    """
    options = options or Options(gap=GAP, time_limit=TIME_LIMIT)
    rows = _rows(problem)
    apart = _apart(rows, kept_apart)
    limit, first = begun(options), start_point(problem, start)
    others = [row for row in range(rows) if row not in apart]
    more = (*more, *steps(problem, others, first))
    listed = chosen(problem, [name for name in names if name != WRONG_READINGS], more)

    def share(later: int) -> Options:
        return replace(options, time_limit=inf, limit=limit.share(1.0 / (1 + later)))

    base = _judged(problem, apart, BASE, (), first, share(MANY), named(progress, BASE.name))
    effects = _effects(problem, base, effect)
    if not any(judged.part.epsilon[0] > 0 for judged in base.parts):
        return Doubts(replace(base, parts=()), (), effects, apart, base.parts)
    everything = base.parts
    base = replace(base, parts=tuple(judged for judged in base.parts if judged.part.epsilon[0] > 0))
    doubted = sorted(number for judged in base.parts for number in problem.part(judged.part.scope))
    smaller = _only(problem, doubted)
    parts = [judged.part for judged in base.parts]
    unjudged: list[str] = []
    asked = [] if tuple(names) == (WRONG_READINGS,) else list(listed)
    if not names or WRONG_READINGS in names:
        progress("looking for wrong readings")
        try:
            with share(MANY).limit.enforced():
                asked.append(wrong_readings(problem, others, parts, first))
        except Late:
            unjudged.append(WRONG_READINGS)
    guess = joined(problem, parts, first)
    nearer = {hypothesis.name: hypothesis for hypothesis in steps(problem, others, guess)}
    asked = [nearer.get(hypothesis.name, hypothesis) for hypothesis in asked]
    progress("estimating what hypotheses explain")
    ranked, small = ranked_hypotheses(smaller, asked, effects, apart, guess, share(MANY).limit)
    found: list[Model] = []
    for turn, hypothesis in enumerate(ranked):
        if limit.late():
            unjudged.append(hypothesis.name)
            continue
        if hypothesis in small and not names:
            continue
        richer_problem = richer(smaller, hypothesis, effects)
        added = richer_problem.variables[len(problem.variables) :]
        if added:
            middles = [float((variable.lower + variable.upper) / 2) for variable in added]
            point, time = np.concatenate([guess, middles]), share(min(len(ranked) - turn - 1, MANY))
            if problem.groups:
                enough = ENOUGH + LONGER * sum(judged.part.seconds for judged in everything)
                time = replace(time, limit=time.limit.within(enough))
            told = named(progress, f"hypothesis {turn + 1} of {len(ranked)}, {hypothesis.name}{_least(found)}")
            found.append(_judged(richer_problem, apart, hypothesis, added, point, time, told))
    doubts = Doubts(base, (), effects, apart, everything)
    found.sort(key=lambda model: (-int(ALIKE * doubts.explained(model)), len(model.added), -doubts.explained(model)))
    unproved = () if names else tuple(hypothesis.name for hypothesis in small if hypothesis.name not in unjudged)
    return replace(doubts, richer=tuple(found), unjudged=tuple(unjudged), unproved=unproved)


def _least(found: Collection[Model]) -> str:
    """What the best model so far leaves to its worst part, for the progress; nothing of rows in several units."""
    known: list[tuple[Fraction, Fraction, str, str]] = []
    for model in found:
        units, uppers = {judged.part.unit for judged in model.parts}, [judged.upper for judged in model.parts]
        ends = [upper for upper in uppers if upper is not None]
        if len(units) == 1 and len(ends) == len(uppers):
            lower = max(judged.part.epsilon[0] for judged in model.parts)
            known.append((max(ends), lower, model.name, units.pop()))
    if not known:
        return ""
    upper, lower, name, unit = min(known)
    return f" (so far {name} leaves least, {ends_so_far(lower, upper)} {unit})"


def _effects(problem: Problem, base: Model, effect: Fraction | Mapping[str, Fraction] | None) -> dict[str, Fraction]:
    """What an error may amount to, for each unit of rows: REACH times the base model's largest error in that unit, or
    what is given; a number is about lengths, or about the rows' unit if there is one only.
    """
    units = {family.name: family.unit for family in problem.families}
    found = dict.fromkeys(units.values(), Fraction(0))
    for judged in base.parts:
        unit = units[judged.part.scope[0]]
        found[unit] = max(found[unit], REACH * (judged.upper or Fraction(0)))
    lengths = [unit for unit in found if is_length(unit)]
    single = next(iter(lengths if len(found) > 1 and len(lengths) == 1 else found))
    if not isinstance(effect, Mapping | None) and len(found) > 1 and len(lengths) != 1:
        raise InputError(f"a bound of {float(effect)} has no unit, the rows are in {', '.join(found)}; say of which")
    given = effect if isinstance(effect, Mapping) else {} if effect is None else {single: effect}
    for unit, size in given.items():
        if unit not in found:
            raise InputError(f"no row is in {unit}; they are in {', '.join(found)}")
        if size <= 0:
            raise InputError(
                f"a bound of {float(size)} for the effect of a term lets nothing be explained; give more than 0"
            )
        found[unit] = Fraction(size)
    return found


def _only(problem: Problem, numbers: Collection[int]) -> Problem:
    """The families with these numbers, and the groups of which all are left."""
    families = tuple(problem.families[number] for number in numbers)
    names = {family.name for family in families}
    groups = tuple(group for group in problem.groups if names.issuperset(group.families))
    return replace(problem, families=families, groups=groups)


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
    added: tuple[Variable, ...],
    start: Floats,
    options: Options,
    progress: Progress,
) -> Model:
    used, unseen = seen_and_unseen(problem, apart)
    searching = replace(options, limit=options.limit.share(USED)) if apart else options
    answer = adequacy(used, start=start, options=searching, progress=progress)
    bounds = {variable.name: (variable.lower, variable.upper) for variable in added}
    told = (hypothesis.name, hypothesis.sentence, bounds)
    if unseen is None:
        return Model(*told, tuple(Judged(part, None, None, None) for part in answer.parts), answer, None)
    parts: list[Part] = []
    judged = []
    for parts_together in [(part,) for part in answer.parts] if problem.groups else [answer.parts]:
        point = _point(unseen, parts_together, start)
        names = [part.name for part in parts_together]
        validated = error_at(unseen, point, SUFFIX, options, names)
        parts += validated.parts
        x = np.array([float(value) for value in point])
        for part in parts_together:
            found = None if part.witness is None else validated.part(part.name + SUFFIX)
            judged.append(Judged(part, found, *(_figures(unseen, part, x) if found is not None else (None, None))))
    return Model(*told, tuple(judged), answer, replace(validated, parts=tuple(parts)))


def _figures(unseen: Problem, part: Part, x: Floats) -> tuple[float, float]:
    """The root mean square and the largest size of the residuals at the readings."""
    values = np.concatenate([_residuals(unseen, family, x) for family in part.scope])
    return float(np.sqrt(np.mean(values**2))), float(np.abs(values).max())


def _point(problem: Problem, parts: Collection[Part], start: Floats) -> tuple[Fraction, ...]:
    """The parts' witnesses, exactly; the start where there is none."""
    witness: dict[str, Fraction] = {}
    for part in parts:
        witness |= part.witness or {}
    found = []
    for variable, value in zip(problem.variables, start, strict=True):
        found.append(witness.get(variable.name, min(max(Fraction(float(value)), variable.lower), variable.upper)))
    return tuple(found)


def _residuals(problem: Problem, family: str, x: Floats) -> Floats:
    rows = problem.blocks[problem.part((family,))[0]]
    return residuals(rows, x, 0.5 * (rows.lower + rows.upper))[0]
