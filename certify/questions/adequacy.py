"""The smallest model error: epsilon* = min over x of the largest, over rows, of the least |r_k(x, M_k)| that the
measurement box allows.

Upper end: a candidate by sequential linear programming, verified exactly as a witness. Lower end: a proof that no x in
the box does with less, by branch and refute through the contractor graph. Both ends mean the same thing by "some
measurement in its box". Independent parts are found from the graph and answered apart; rows that share measurements are
answered once more together, with one realisation for all.

`method="paper"` is the paper's scheme on its contractors, for comparison: bisection on epsilon from the error of the
first guess, a time-out that doubles, points tried at the centres of boxes. Both ends are proved as usual; how near they
come is another matter.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from functools import partial

from certify.contractors.tape.evaluation import Floats
from certify.parts.part_search import UNBOUNDED, PartSearch
from certify.parts.scopes import TOGETHER, independent_parts, joined, joint_scope, start_point
from certify.parts.tightening import Tightening, estimated, tighten_together
from certify.parts.warm_up import begun
from certify.parts.workers import share_each
from certify.problems.errors import InputError
from certify.problems.model.model import Problem
from certify.proofs.problem_replay import proving_of
from certify.proofs.witnesses import Witness
from certify.records.options import Options, Progress, named, silent
from certify.records.results import Part, Result
from certify.records.verdicts import Verdict
from certify.solvers.limits import Late, Limit, Stopped
from certify.solvers.proof.trace import Steps
from certify.solvers.search.paper_method import Attempt, bisect
from certify.text.decimals import ends_so_far, round_down

LIFT = "lift"
SEARCHING = 0.7  # of the time, by the paper's scheme, which proves at the end
LITTLE = 1e-4  # of the gap between both ends: the joint candidate is not worth so small a step
WITNESS = 0.4  # of the time that is left, for its exact verification


def adequacy(
    problem: Problem,
    *,
    start: Floats | None = None,
    options: Options | None = None,
    progress: Progress = silent,
    method: str = LIFT,
) -> Result:
    """The smallest model error of every independent part and of all rows together, both ends proved.

    `start` is a first guess for the unknowns (least squares, say), the middle of the box otherwise. Nothing is assumed
    of it. `method` is "lift", or "paper" (see above).
    """
    solve = METHODS.get(method)
    if solve is None:
        raise InputError(f"there is no method {method!r}; choose {' or '.join(METHODS)}")
    options = options or Options()
    proving = proving_of(problem)
    guess = start_point(problem, start)

    def answer(name: str, numbers: tuple[int, ...], limit: Limit) -> Part:
        progress(f"{name}: searching")
        search = PartSearch(proving, numbers, options, guess, named(progress, name), limit)
        part = search.answered(name, partial(solve, search, name))
        ends = f"{ends_so_far(*part.epsilon)} {part.unit}"
        progress(f"{name}: {part.verdict.value}, {ends}, in {part.seconds:.2f} s")
        return part

    limit, found = begun(options), independent_parts(problem)
    scope = joint_scope(problem, len(found))
    parts = share_each(found, answer, options.workers, limit, after=scope is not None)
    if scope is not None:
        progress(f"{TOGETHER}: one realisation of every shared measurement")
        search = PartSearch(proving, scope, options, joined(problem, parts, guess), named(progress, TOGETHER), limit)
        worst = max(parts, key=lambda part: part.epsilon[0])
        parts.append(_together(search, worst, guess))
    return Result(tuple(parts), proving.canonical)


def _solve(search: PartSearch, name: str) -> Part:
    """Both ends for one scope, the lower one coarse first and then tighter."""
    witness = search.candidate(search.start)
    upper = search.needed(witness, WITNESS)
    if upper is None and search.stopped is Stopped.UNDEFINED:
        return search.unknown(name)
    ends = Tightening(search, witness, estimated(witness) if upper is None else upper, upper is not None)
    ends.run()
    return ends.part(name)


def _together(search: PartSearch, worst: Part, guess: Floats) -> Part:
    """All rows with one realisation of each shared measurement.

    What refutes a part with independent measurements refutes the whole: the lower end is that of the worst part, with
    its proof, or a larger one that rows of several parts prove. The upper end needs a witness of its own.
    """
    lower, witness, upper = worst.epsilon[0], None, None
    joint = search.options.together or (not lower and search.together)
    with suppress(Late):
        goal = float(lower) if lower > 0 else UNBOUNDED
        starts = (search.start, guess) if joint else (search.start,)
        witness = min((search.candidate(start, goal, LITTLE) for start in starts), key=lambda found: found.estimate)
        upper = search.needed(witness)
    if witness is None or upper is None:
        search.stopped = search.limit.reached(search.stopped)
        return search.part(
            TOGETHER, Verdict.INADEQUATE if lower > 0 else Verdict.UNDECIDED, (lower, None), None, worst.tree
        )
    ends = Tightening(search, witness, upper, True, lower, list(worst.tree))
    if joint:
        with suppress(Late):
            tighten_together(search, ends)
    elif not ends.closed:
        search.stopped = search.limit.reached(Stopped.JOINT)
        verdict = Verdict.INADEQUATE if lower > 0 else Verdict.UNDECIDED
        return search.part(TOGETHER, verdict, (lower, upper), witness, worst.tree)
    return ends.part(TOGETHER)


def _solve_as_the_paper(search: PartSearch, name: str) -> Part:
    """Both ends by the paper's scheme: the last refutation that survives its replay, and the best of the points at
    which attempts ended.
    """
    options = search.options
    first = search.witness_at(search.start)
    needed = search.needed(first)
    if needed is None:
        return search.unknown(name)
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
        found = search.needed(witness)
        if found is not None and found < best[0]:
            best = found, witness
        return Attempt(False, found if answer.stopped in (Stopped.FEASIBLE, Stopped.WIDTH) else None)

    whole, search.limit = search.limit, search.limit.share(SEARCHING)
    bisect(solve, needed, options.gap, search.resolution, lambda: search.remaining, round_down)
    search.limit = whole
    upper, witness = best
    lower, tree = Fraction(0), None
    for lower, steps in reversed(refuted):
        tree = search.replayed(lower, steps)
        if tree is not None:
            break
        search.obstacles.append(search.stopped)
    lower = lower if tree is not None else Fraction(0)
    verdict = Verdict.ADEQUATE if upper == 0 else Verdict.INADEQUATE if lower > 0 else Verdict.UNDECIDED
    closed = verdict is not Verdict.UNDECIDED and upper - lower <= max(options.gap * upper, search.resolution)
    search.stopped = Stopped.FINISHED if closed else search.limit.reached(Stopped.GAP)
    return search.part(name, verdict, (lower, upper), witness, tree or ())


METHODS: dict[str, Callable[[PartSearch, str], Part]] = {LIFT: _solve, "paper": _solve_as_the_paper}
