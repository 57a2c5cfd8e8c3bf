"""The smallest model error: epsilon* = min over x of the largest, over rows, of the least |r_k(x, M_k)| that the measurement box allows.

Upper end: a candidate by sequential linear programming, verified exactly as a witness. Lower end: a proof that no x in the box does with
less, by branch and refute through the contractor graph. Both ends mean the same thing by "some measurement in its box". Independent parts are
found from the graph and answered apart; rows that share measurements are answered once more together, with one realisation for all.

`method="paper"` is the paper's scheme on its contractors, for comparison: bisection on epsilon from the error of the first guess, a time-out
that doubles, points tried at the centres of boxes. Both ends are proved as usual; how near they come is another matter.
"""

from __future__ import annotations

from collections.abc import Callable
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
from certify.witnesses import Witness
from certify.workers import for_each
from contractors.evaluation import Floats
from problems.errors import InputError
from problems.model import Problem
from solvers.limits import Stopped
from solvers.paper_method import Attempt, bisect
from solvers.trace import Steps

GAP_GROWTH = 10
ATTEMPT = 0.5  # of the remaining time: so much may be lost on a gap that cannot be closed


def adequacy(
    problem: Problem, *, start: Floats | None = None, options: Options | None = None, progress: Progress = silent, method: str = "lift"
) -> Result:
    """The smallest model error of every independent part and of all rows together, both ends proved.

    `start` is a first guess for the unknowns (least squares, say), the middle of the box otherwise. Nothing is assumed of it. `method` is "lift",
    or "paper" (see above).
    """
    solve = METHODS.get(method)
    if solve is None:
        raise InputError(f"there is no method {method!r}; choose {' or '.join(METHODS)}")
    options = options or Options()
    proving = Proving(problem)
    guess = start_point(problem, start)

    def answer(name: str, numbers: tuple[int, ...]) -> Part:
        progress(f"{name}: searching")
        part = solve(PartSearch(proving, numbers, options, guess, named(progress, name)), name)
        progress(f"{name}: {part.verdict.value} in {part.seconds:.2f} s")
        return part

    parts = for_each(independent_parts(problem), answer, options.workers)
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


def _solve_as_the_paper(search: PartSearch, name: str) -> Part:
    """Both ends by the paper's scheme: the last refutation that survives its replay, and the best of the points at which attempts ended."""
    options = search.options
    first = search.witness_at(search.start)
    needed = search.proving.needed(search.scope, first)
    if needed is None:
        return search.undefined(name)
    best: tuple[Fraction, Witness] = needed, first
    refuted: list[tuple[Fraction, Steps]] = []

    def solve(epsilon: Fraction, seconds: float) -> Attempt:
        nonlocal best
        answer = search.refute_without_lift(epsilon, seconds)
        if answer.stopped is Stopped.FINISHED:
            refuted.append((epsilon, answer.steps))
            return Attempt(refuted=True)
        if answer.remaining is None:
            return Attempt(refuted=False)
        witness = search.witness_at(answer.remaining.centre)
        found = search.proving.needed(search.scope, witness)
        if found is not None and found < best[0]:
            best = found, witness
        return Attempt(False, found if answer.stopped in (Stopped.FEASIBLE, Stopped.WIDTH) else None)

    bisect(solve, needed, options.gap, options.resolution, lambda: search.remaining, round_down)
    upper, witness = best
    search.stopped = Stopped.TIME if search.remaining <= 0 else Stopped.FINISHED
    for lower, steps in reversed(refuted):
        try:
            tree = search.proving.tree(search.scope, lower, steps)
            return search.part(name, Verdict.INADEQUATE, (lower, upper), witness, tree)
        except Withdrawn:
            search.stopped = Stopped.REPLAY
    return search.part(name, Verdict.ADEQUATE if upper == 0 else Verdict.UNDECIDED, (Fraction(0), upper), witness)


METHODS: dict[str, Callable[[PartSearch, str], Part]] = {"lift": _solve, "paper": _solve_as_the_paper}
