"""What a solver promises, in its own words and norm, and what contradicts it: exactly, or not at all.

An answer is *wrong* only if it contradicts the solver's own documented criterion, evaluated exactly. What is not true
and does not contradict it is *within its tolerance*, counted apart. For solvers that end with

    a point      |A x + s - b| <= a + r max(|A x|, |s|, |b|): no more than `absolute` + `relative` times sizes at x,
    a gap        objective - minimum <= gap + relative gap |objective| + dual (|x| + |x*|), sums of sizes: the dual
                 residual, at most `dual` times the largest of costs and multipliers, times x or a minimum x*
    infeasible   a ray y with |A' y| <= `ray` |b . y|: no feasible point has |x|_1 <= 1 / ray
    unbounded    a direction d with |A d| <= `ray` |c . d|: no multipliers have |y|_1 <= 1 / ray

each number rounded in the solver's favour.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction

import numpy as np

from certify.claims.proved_words import upper_text
from certify.judging_programs.judge import judged_point
from certify.problems.programs.program import Floats, Program
from certify.records.program_records import ProgramVerdict
from certify.testing.planted import Truth

FEW = 6  # digits
GENEROUS = 1.0 + 1e-9  # on sizes that are computed in floats


class Said(Enum):
    """What a solver says, whatever its words are."""

    OPTIMAL = "optimal"
    INFEASIBLE = "infeasible"
    UNBOUNDED = "unbounded"
    NEITHER = "infeasible or unbounded"
    NOTHING = "no answer"


@dataclass(frozen=True, eq=False)
class Answer:
    """A status and a point; `word` is the solver's own."""

    said: Said
    point: Floats | None = None
    word: str = ""


@dataclass(frozen=True, slots=True)
class Criterion:
    """The documented one; `source` says where."""

    absolute: float
    relative: float = 0.0
    gap: float = math.inf
    relative_gap: float = 0.0
    dual: float = 0.0
    ray: float = 1e-6
    source: str = ""

    def allowed(self, found: Program, x: Floats) -> float:
        """The largest violation that the criterion allows at x, at least."""
        if not self.relative:
            return self.absolute
        finite = [end[np.isfinite(end)] for end in (found.lower, found.upper, found.low, found.high)]
        ends = np.concatenate([*finite, found.cone_vector])
        values = np.concatenate([found.matrix @ x, x, found.cone_matrix @ x])
        size = max(1.0, _norm(ends) + _norm(x) + _norm(values) + _norm(ends))
        return (self.absolute + self.relative * size * GENEROUS) / (1.0 - self.relative)

    def allowed_gap(self, found: Program, x: Floats, value: float, best: Floats, steep: float) -> float:
        """How far above the minimum the objective may be; `steep` bounds the multipliers."""
        away = float(np.abs(x).sum() + np.abs(best).sum())
        scale = max(1.0, steep, float(np.abs(found.cost).max(initial=0.0)), float(abs(found.quadratic).sum()))
        return (self.gap + self.relative_gap * abs(value) + self.dual * scale * away) * GENEROUS + 1e-300


def _norm(values: Floats) -> float:
    return float(np.sqrt((values**2).sum()))


@dataclass(frozen=True, eq=False)
class Solver:
    """A solver: an instance goes in, an answer comes out. It takes `kinds`: lp, qp, socp, nonconvex (quadratic)."""

    name: str
    solve: Callable[[Program], Answer]
    criterion: Criterion
    kinds: tuple[str, ...] = ("lp",)
    version: str = ""
    script: str = ""  # that calls it, for scripts that need nothing of this project


@dataclass(frozen=True, slots=True)
class Finding:
    """An answer and the truth. `cause` groups findings, `margin` is by how much it is wrong, in what `words` say;
    `silent` is that there was no answer.
    """

    cause: str
    words: str
    wrong: bool
    margin: float = 0.0
    silent: bool = False


@dataclass(slots=True)
class Count:
    """How many answers were right, wrong, within the tolerance, and none."""

    right: int = 0
    wrong: int = 0
    tolerated: int = 0
    silent: int = 0
    findings: list[Finding] = field(default_factory=list)


def no_answer(why: str, words: str = "") -> Finding:
    """Nothing came out; instances with the same `why` have one cause."""
    cause = f"no answer ({why})"
    return Finding(cause, words or cause, wrong=False, silent=True)


def finding(found: Program, truth: Truth, answer: Answer, criterion: Criterion) -> Finding | None:
    """What is not true of an answer; None if it is right."""
    if answer.said is Said.NOTHING:
        return no_answer(answer.word)
    if answer.said is Said.OPTIMAL:
        return _of_point(found, truth, answer, criterion)
    right = {
        Said.INFEASIBLE: (ProgramVerdict.INFEASIBLE,),
        Said.UNBOUNDED: (ProgramVerdict.UNBOUNDED, ProgramVerdict.INFEASIBLE),  # a falling ray may be there, too
        Said.NEITHER: (ProgramVerdict.INFEASIBLE, ProgramVerdict.UNBOUNDED),
    }[answer.said]
    if truth.verdict in right:
        return None
    if answer.said is not Said.UNBOUNDED and truth.point is not None:
        size = float(np.abs(truth.point).sum()) * GENEROUS
        wrong = criterion.ray * max(1.0, size) < 1.0 and (
            answer.said is Said.INFEASIBLE or truth.verdict is ProgramVerdict.OPTIMAL
        )
        largest = upper_text(_largest(truth.point), FEW)
        words = f"{answer.said.value}, but a point with components of {largest} at most is feasible"
        return Finding(f"{answer.said.value} though feasible", words, wrong, 1.0 / max(1.0, size))
    if truth.verdict is ProgramVerdict.OPTIMAL and truth.minimum is not None:
        wrong = criterion.ray * truth.steep < 1.0
        return Finding("unbounded though bounded", f"unbounded, but the minimum is {truth.minimum[0]!r}", wrong)
    return None


def _largest(x: Floats) -> Fraction:
    return Fraction(float(np.abs(x).max(initial=0.0)))


def _of_point(found: Program, truth: Truth, answer: Answer, criterion: Criterion) -> Finding | None:
    if answer.point is None or not np.isfinite(answer.point).all():
        return Finding("optimal without a point", "optimal, without finite numbers", wrong=True)
    x = np.asarray(answer.point, dtype=float)
    judged, allowed = judged_point(found, x), criterion.allowed(found, x)
    if judged.violation[0] > allowed:
        words = f"optimal, with a point that violates something by {judged.violation[0]!r}; allowed are {allowed:.3g}"
        return Finding("the point violates what it allows", words, True, judged.violation[0])
    if truth.verdict is ProgramVerdict.INFEASIBLE and truth.margin is not None:
        words = f"optimal, but infeasible by {truth.margin[0]!r}; allowed are {allowed:.3g}"
        return Finding("optimal though infeasible", words, wrong=False, margin=truth.margin[0])
    if truth.verdict is ProgramVerdict.UNBOUNDED:
        return Finding("optimal though unbounded", "optimal, but the objective falls for ever", wrong=True)
    if truth.minimum is None or truth.point is None:
        return None
    above = judged.value[0] - truth.minimum[1]
    if above > criterion.allowed_gap(found, x, judged.value[1], truth.point, truth.steep):
        words = f"optimal, with an objective of {judged.value[0]!r}, but the minimum is {truth.minimum[1]!r}"
        return Finding("not the minimum", words, True, above)
    return None


def count(into: Count, found: Finding | None) -> None:
    """Add one answer."""
    if found is None:
        into.right += 1
        return
    into.findings.append(found)
    if found.wrong:
        into.wrong += 1
    elif found.silent:
        into.silent += 1
    else:
        into.tolerated += 1
