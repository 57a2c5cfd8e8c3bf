"""Is there any x in the box that satisfies every row within epsilon, for some measurements in their boxes? A witness,
or a proof that there is none.
"""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from functools import partial

from certify.contractors.tape.evaluation import Floats
from certify.parts.part_search import Level, PartSearch, level_of
from certify.parts.scopes import TOGETHER, independent_parts, joined, joint_scope, start_point
from certify.parts.warm_up import begun
from certify.parts.workers import share_each
from certify.problems.model.model import Problem
from certify.proofs.problem_replay import proving_of
from certify.proofs.witnesses import Witness
from certify.records.options import Options, Progress, named, silent
from certify.records.results import Part, Result
from certify.records.verdicts import Verdict
from certify.solvers.fits.minimax import error_at
from certify.solvers.limits import Late, Limit, Stopped
from certify.solvers.search.refutation import Refutation

DOUBT = 1e-9  # of an estimated error, in parts of what the rows vary over the box


def decide(
    problem: Problem,
    epsilon: Level = 0,
    *,
    start: Floats | None = None,
    options: Options | None = None,
    progress: Progress = silent,
) -> Result:
    """Feasible, infeasible or undecided within `epsilon` (exact, in the rows' unit; one for each part by name,
    if these have different units), for every independent part and for all rows together.
    """
    options = options or Options()
    proving = proving_of(problem)
    guess = start_point(problem, start)

    def answer(name: str, numbers: tuple[int, ...], limit: Limit) -> Part:
        progress(f"{name}: searching")
        search = PartSearch(proving, numbers, options, guess, named(progress, name), limit)
        return search.answered(name, partial(_solve, search, name, level_of(epsilon, name)))

    limit, found = begun(options), independent_parts(problem)
    scope = joint_scope(problem, len(found))
    parts = share_each(found, answer, options.workers, limit, after=scope is not None)
    if scope is not None:
        progress(f"{TOGETHER}: one realisation of every shared measurement")
        search = PartSearch(proving, scope, options, joined(problem, parts, guess), named(progress, TOGETHER), limit)
        parts.append(_together(search, parts, level_of(epsilon, TOGETHER)))
    return Result(tuple(parts), proving.canonical)


def _feasible(search: PartSearch, name: str, witness: Witness, epsilon: Fraction) -> Part | None:
    """Feasible, if the witness is one. Where it is estimated to fail by far the exact arithmetic, half a millisecond a
    row, is not asked.
    """
    if witness.estimate > float(epsilon) + DOUBT * (search.spread + float(epsilon)):
        return None
    needed = search.needed(witness)
    if needed is None or needed > epsilon:
        return None
    search.stopped = Stopped.FINISHED
    return search.part(name, Verdict.FEASIBLE, (Fraction(0), epsilon), witness)


def _solve(search: PartSearch, name: str, epsilon: Fraction) -> Part:
    """Where the start needs more than epsilon, refuting comes first: most often that takes one pass, less than a
    descent.
    """
    if error_at(search.problem.blocks, search.scope, search.start) > float(epsilon):
        refuted = _refuted(search, name, search.refute_at_once(epsilon), epsilon)
        if refuted is not None:
            return refuted
    found = _feasible(search, name, search.candidate(search.start), epsilon)
    if found is not None:
        return found
    answer = search.refute(epsilon)
    if answer.stopped is Stopped.FINISHED:
        found = _refuted(search, name, answer, epsilon)
    elif answer.stopped is Stopped.FEASIBLE and answer.remaining is not None:
        found = _feasible(search, name, search.candidate(answer.remaining.centre), epsilon)
    return found or search.part(name, Verdict.UNDECIDED, (Fraction(0), None))


def _refuted(search: PartSearch, name: str, answer: Refutation, epsilon: Fraction) -> Part | None:
    """Infeasible, if the refutation is complete and confirmed."""
    if answer.stopped is not Stopped.FINISHED:
        return None
    tree = search.tree(epsilon, answer.steps)
    return None if tree is None else search.part(name, Verdict.INFEASIBLE, (epsilon, None), tree=tree)


def _together(search: PartSearch, parts: list[Part], epsilon: Fraction) -> Part:
    """Infeasible if a part is, or if rows of several parts contradict each other; feasible by a witness of its own."""
    for part in parts:
        if part.verdict is Verdict.INFEASIBLE:
            search.stopped = Stopped.FINISHED
            return search.part(TOGETHER, Verdict.INFEASIBLE, (epsilon, None), tree=part.tree)
    found = None
    with suppress(Late):
        witness = search.candidate(search.start)
        found = _feasible(search, TOGETHER, witness, epsilon)
        if found is None and not search.together:
            search.stopped = Stopped.JOINT
        elif found is None:
            found = _refuted(search, TOGETHER, search.refute_together(epsilon, witness), epsilon)
    if found is None:
        search.stopped = search.limit.reached(search.stopped)
    return found or search.part(TOGETHER, Verdict.UNDECIDED, (Fraction(0), None))
