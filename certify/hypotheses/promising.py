"""Which hypotheses promise most: how much of the residuals of a least-squares fit each of them takes away, an estimate.

    share = 1 - rms(richer) / rms(base)     of each part that the base model does not explain; the mean of all parts

What is estimated to explain less than a hundredth is not worth a proof, unless it was asked for.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction

import numpy as np

from certify.contractors.tape.evaluation import Floats
from certify.parts.scopes import independent_parts
from certify.problems.model.hypothesis import Hypothesis, richer
from certify.problems.model.model import Problem
from certify.problems.model.row_subsets import kept_rows
from certify.records.doubt_records import NOTABLE
from certify.solvers.fits.plain_fit import least_squares
from certify.solvers.limits import Limit

POSES = 150  # that estimates look at, at most
STEPS = 30


def seen_and_unseen(problem: Problem, apart: Collection[int]) -> tuple[Problem, Problem | None]:
    """The problem with the poses that are used, and that with those kept apart, if there are any."""
    scope, rows = tuple(range(len(problem.families))), problem.families[0].rows
    used = kept_rows(problem, scope, {(number, row) for number in scope for row in apart}).problem
    if not apart:
        return used, None
    others = [row for row in range(rows) if row not in apart]
    return used, kept_rows(problem, scope, {(number, row) for number in scope for row in others}).problem


def ranked_hypotheses(
    problem: Problem,
    asked: Sequence[Hypothesis],
    effects: Mapping[str, Fraction],
    apart: Collection[int],
    start: Floats,
    limit: Limit,
) -> tuple[list[Hypothesis], list[Hypothesis]]:
    """The hypotheses, the most promising first, and those of them that promise too little; what there was no time to
    estimate promises nothing, and is not too little.
    """
    rows = [row for row in range(problem.families[0].rows) if row not in apart]
    every = -(-len(rows) // POSES)
    left = set(range(problem.families[0].rows)).difference(rows[::every])
    base = _misses(problem, left, start)
    promised: dict[str, float] = {}
    for hypothesis in asked:
        if limit.late():
            break
        more = richer(problem, hypothesis, effects)
        added = [float((v.lower + v.upper) / 2) for v in more.variables[len(problem.variables) :]]
        found = _misses(more, left, np.concatenate([start, added])) if added else base
        promised[hypothesis.name] = float(
            np.mean([1.0 - y / x if x > 0.0 else 0.0 for x, y in zip(base, found, strict=True)])
        )
    ranked = sorted(asked, key=lambda hypothesis: -promised.get(hypothesis.name, 0.0))
    return ranked, [hypothesis for hypothesis in ranked if promised.get(hypothesis.name, 1.0) < NOTABLE]


def _misses(problem: Problem, left: Collection[int], start: Floats) -> list[float]:
    """The root mean square of the residuals of each part, without the poses `left`."""
    used, _ = seen_and_unseen(problem, left)
    radius = np.array([float((variable.upper - variable.lower) / 2) for variable in used.variables])
    found = []
    for _, numbers in independent_parts(used):
        fit = least_squares(used.blocks, numbers, start, STEPS, radius)
        found.append(float(np.sqrt(np.mean(fit.residuals**2))))
    return found
