"""The smallest model error: epsilon* = min over x of the largest, over rows, of the least |r_k(x, M_k)| that the measurement box allows.

Upper end: a candidate by sequential linear programming, verified exactly as a witness. Lower end: a proof that no x in the box does with
less, by branch and refute through the contractor graph. Both ends mean the same thing by "some measurement in its box". Independent parts are
found from the graph and answered apart; rows that share measurements are answered once more together, with one realisation for all.
"""

from __future__ import annotations

from fractions import Fraction

from certify.decimals import round_down
from certify.emission import Proving, Withdrawn
from certify.part_search import (
    TOGETHER,
    UNBOUNDED,
    Options,
    PartSearch,
    Progress,
    independent_parts,
    joined,
    joint_scope,
    named,
    silent,
    start_point,
)
from certify.results import Part, Result
from certify.verdicts import Verdict
from contractors.evaluation import Floats
from problems.model import Problem
from solvers.refutation import Stopped

GAP_GROWTH = 10
ATTEMPT = 0.5  # of the remaining time: so much may be lost on a gap that cannot be closed


def adequacy(problem: Problem, *, start: Floats | None = None, options: Options | None = None, progress: Progress = silent) -> Result:
    """The smallest model error of every independent part and of all rows together, both ends proved.

    `start` is a first guess for the unknowns (least squares, say), the middle of the box otherwise. Nothing is assumed of it.
    """
    options = options or Options()
    proving = Proving(problem)
    guess = start_point(problem, start)
    parts: list[Part] = []
    for name, numbers in independent_parts(problem):
        progress(f"{name}: searching")
        search = PartSearch(proving, numbers, options, guess, named(progress, name))
        parts.append(_solve(search, name))
        progress(f"{name}: {parts[-1].verdict.value} in {parts[-1].seconds:.2f} s")
    scope = joint_scope(problem, len(parts))
    if scope is not None:
        progress(f"{TOGETHER}: one realisation of every shared measurement")
        search = PartSearch(proving, scope, options, joined(problem, parts, guess))
        parts.append(_together(search, max(parts, key=lambda part: part.epsilon[0])))
    return Result(tuple(parts), proving.canonical)


def _target(upper: Fraction, gap: Fraction, resolution: Fraction) -> Fraction:
    """The lower end to prove: a little more than asked for, so that its rounding to a short decimal does not cost the gap."""
    return round_down(max(upper - Fraction(999, 1000) * max(gap * upper, resolution), Fraction(0)))


def _solve(search: PartSearch, name: str) -> Part:
    """Both ends for one scope; where a gap cannot be closed a ten times larger one is tried."""
    options = search.options
    witness = search.candidate(search.start)
    upper = search.proving.needed(search.scope, witness)
    if upper is None:
        return search.undefined(name)
    gap = options.gap
    while gap < 1 and search.remaining > 0 and (target := _target(upper, gap, options.resolution)) > 0:
        answer = search.refute(target, ATTEMPT)
        if answer.stopped is Stopped.FEASIBLE and answer.remaining is not None:
            better = search.candidate(answer.remaining.centre)
            needed = search.proving.needed(search.scope, better)
            if needed is not None and needed < upper:
                witness, upper = better, needed
                continue
        if answer.stopped is Stopped.FINISHED:
            try:
                tree = search.proving.tree(search.scope, target, answer.steps)
                search.stopped = Stopped.FINISHED if gap == options.gap else Stopped.GAP
                return search.part(name, Verdict.INADEQUATE, (target, upper), witness, tree)
            except Withdrawn:
                search.stopped = Stopped.REPLAY
        gap *= GAP_GROWTH
    verdict = Verdict.ADEQUATE if upper == 0 else Verdict.UNDECIDED
    return search.part(name, verdict, (Fraction(0), upper), witness)


def _together(search: PartSearch, worst: Part) -> Part:
    """All rows with one realisation of each shared measurement.

    What refutes a part with independent measurements refutes the whole: the lower end is that of the worst part, with its proof. The
    upper end needs a witness of its own.
    """
    lower = worst.epsilon[0]
    witness = search.candidate(search.start, float(lower) if lower > 0 else UNBOUNDED)
    upper = search.proving.needed(search.scope, witness)
    if upper is None:
        return search.undefined(TOGETHER)
    verdict = Verdict.ADEQUATE if upper == 0 else Verdict.INADEQUATE if lower > 0 else Verdict.UNDECIDED
    if upper - lower > max(search.options.gap * upper, search.options.resolution):
        search.stopped = Stopped.JOINT
    return search.part(TOGETHER, verdict, (lower, upper), witness, worst.tree)
