"""What is true of a convex program, and of what a solver said about it.

    judged = certify.judge(problem)              # a cvxpy problem: LP, convex QP, SOCP; solved or not
    judged.verdict, judged.lower, judged.upper   # the minimum lies in [lower, upper]
    judged.margin                                # the smallest uniform relaxation that makes it feasible, both ends
    judged.checked()                             # what the checker, in processes of its own, has accepted

What is judged are the doubles that the solver is given (`Problem.get_problem_data`), each of them an exact number.
Solvers propose; bounds, points and directions are proved in whole numbers or with outward rounding.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from certify.judging_programs import certificates
from certify.judging_programs.bounds import INFEASIBLE, NOT_CONVEX, UNBOUNDED, Bounds, bounds
from certify.judging_programs.exact_vertices import ExactRows
from certify.judging_programs.feasible_points import FeasiblePoints
from certify.judging_programs.judged import Document, Judged
from certify.judging_programs.nonconvex.branch_and_bound import GlobalBounds, global_bounds, is_small
from certify.judging_programs.nonconvex.nonlinear import global_minimum
from certify.problems.errors import InputError
from certify.problems.programs.cvxpy_data import given_program
from certify.problems.programs.elastic import elastic, recession
from certify.problems.programs.exact_sums import Floats
from certify.problems.programs.program import Program
from certify.problems.systems.system import System
from certify.records.program_records import JudgedPoint, ProgramVerdict

WIDE = 1e-7  # of the ends of a minimum, relatively: beyond it the reason is told


def judge(problem: Any, solver: str | None = None) -> Judged | GlobalBounds:
    """A cvxpy problem as the named solver is given it (that which solved it last, else Clarabel), a Program, or a
    System with an objective (Minibex), whose minimum is bounded by branching.
    """
    if isinstance(problem, Program):
        return judge_program(problem)
    if isinstance(problem, System):
        return global_minimum(problem)
    if not hasattr(problem, "get_problem_data"):
        raise InputError(f"certify.judge takes a cvxpy Problem or a Program, not {type(problem).__name__}")
    stats = getattr(problem, "solver_stats", None)
    name = solver or getattr(stats, "solver_name", None)
    given = given_program(problem, name)
    judged = judge_program(given.program)
    return replace(judged, solver=given.solver, maximised=given.maximised)


def judge_program(found: Program, point: Floats | None = None, said: str = "", *, certified: bool = True) -> Judged:
    """The same of a program, and of a point that a solver returned with some word; `certified` False writes no
    certificates.
    """
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):  # ends that are no numbers prove nothing
        return _judged(found, None if point is None else judged_point(found, point, said), certified)


def _judged(found: Program, answer: JudgedPoint | None, certified: bool) -> Judged:
    """What the solvers' words suggest first, then everything."""
    first = bounds(found, hints=True)
    if first.nonconvex and is_small(found):
        return _not_convex(found, answer)
    if first.said == INFEASIBLE:
        shown = _infeasible(found, _begun(found, answer, first), bounds(elastic(found)), certified)
        if shown is not None:
            return shown
    if first.said == UNBOUNDED:
        shown = _somewhere_feasible(found, _begun(found, answer, first), first, None)
        if shown.verdict is ProgramVerdict.UNBOUNDED:
            return shown
    return _of_minimum(found, answer, bounds(found) if first.said else first, certified)


def judged_point(found: Program, point: Floats, said: str = "") -> JudgedPoint:
    """What is true of a point."""
    x = np.asarray(point, dtype=float).ravel()
    if x.size != found.size:
        raise InputError(f"the point has {x.size} components and the program {found.size} unknowns; give one for each")
    if not np.isfinite(x).all():
        return JudgedPoint((math.inf, math.inf), (-math.inf, math.inf), said)
    return JudgedPoint(found.violation(x), found.value(x), said)


def _not_convex(found: Program, answer: JudgedPoint | None) -> Judged:
    """By branch and bound, for the margin does not depend on the objective."""
    margin = bounds(elastic(found)) if found.rows else None
    begun = _begun(found, answer, Bounds(-math.inf, math.inf))
    shown = None if margin is None else _infeasible(found, begun, margin)
    if shown is not None:
        return shown
    ends = global_bounds(found)
    verdict = ProgramVerdict.OPTIMAL if ends.lower > -math.inf else ProgramVerdict.FEASIBLE
    verdict = verdict if ends.point is not None else ProgramVerdict.UNDECIDED
    why = (NOT_CONVEX, *((ends.why,) if ends.why else ()))
    why = () if verdict is ProgramVerdict.OPTIMAL and not ends.why else why
    return replace(begun, verdict=verdict, lower=ends.lower, upper=ends.upper, point=ends.point, why=why, branched=True)


def _begun(found: Program, answer: JudgedPoint | None, ends: Bounds) -> Judged:
    """With nothing but the ends."""
    verdict = ProgramVerdict.UNDECIDED
    return Judged(found, verdict, ends.lower, ends.upper, None, None, ends.point, answer, (), ends.why)


def _of_minimum(found: Program, answer: JudgedPoint | None, ends: Bounds, certified: bool) -> Judged:
    judged = _begun(found, answer, ends)
    if ends.upper < math.inf:
        judged = replace(judged, documents=_of_ends(found, ends) if certified else ())
        if ends.lower > -math.inf:
            return replace(judged, verdict=ProgramVerdict.OPTIMAL, why=ends.why if ends.width > WIDE else ())
        return _without_lower_end(found, judged)
    margin = bounds(elastic(found))
    shown = _infeasible(found, judged, margin, certified)
    return _somewhere_feasible(found, judged, ends, margin) if shown is None else shown


def _infeasible(found: Program, judged: Judged, margin: Bounds, certified: bool = True) -> Judged | None:
    """With the margin, if it is positive."""
    if not margin.lower > 0.0:
        return None
    return replace(
        judged, verdict=ProgramVerdict.INFEASIBLE, lower=math.inf, upper=math.inf, point=None, why=(),
        margin=(margin.lower, margin.upper), documents=_of_margin(found, margin) if certified else (),
    )  # fmt: skip


def _somewhere_feasible(found: Program, judged: Judged, ends: Bounds, margin: Bounds | None) -> Judged:
    """There is no point near the minimum: perhaps the program is unbounded, and there is one elsewhere."""
    point = bounds(found.without_cost(), only_upper=True)
    there = margin is not None and margin.upper == 0.0 and point.point is None
    if there and margin is not None and margin.point is not None and margin.radius is not None:
        point = replace(margin, point=margin.point[:-1], radius=margin.radius[:-1])
    if point.upper == math.inf or point.point is None or point.radius is None:
        why = (*ends.why, "no exactly feasible point was found, nor a ray that shows that there is none")
        reached = None if margin is None else (max(0.0, margin.lower), margin.upper)
        return replace(judged, why=tuple(dict.fromkeys(why)), margin=reached)
    upper = FeasiblePoints(found).value(point.point, point.radius)
    kept = replace(judged, point=point.point, upper=upper, margin=None)
    if ends.lower > -math.inf and upper < math.inf:
        return replace(kept, verdict=ProgramVerdict.OPTIMAL)
    return _without_lower_end(found, kept)


def _without_lower_end(found: Program, judged: Judged) -> Judged:
    """Feasible: unbounded, or nothing is known of the lower end. A direction within what is left for ever, with
    components of at most 1, is a feasible point of `recession`; a negative upper end of its minimum shows one.
    """
    slope = bounds(recession(found), only_upper=True).upper
    if slope < 0.0:
        return replace(
            judged, verdict=ProgramVerdict.UNBOUNDED, slope=slope, lower=-math.inf, upper=-math.inf, why=(),
            documents=(),
        )  # fmt: skip
    return replace(judged, verdict=ProgramVerdict.FEASIBLE)


def _of_ends(found: Program, ends: Bounds) -> tuple[Document, ...]:
    """Certificates of the ends of a small linear program."""
    documents = []
    exact = ExactRows(found) if ends.exact_rows is not None or ends.exact_point is not None else None
    if exact is not None and ends.exact_rows is not None and ends.exact_lower is not None:
        one = certificates.lower_end(found, ends.exact_rows, exact.left(ends.exact_rows), ends.exact_lower)
        documents += [] if one is None else [one]
    if exact is not None and ends.exact_point is not None:
        one = certificates.upper_end(found, ends.exact_point, exact.objective(ends.exact_point))
        documents += [] if one is None else [one]
    return tuple(documents)


def _of_margin(found: Program, margin: Bounds) -> tuple[Document, ...]:
    """The certificate that a small linear program is infeasible."""
    if margin.exact_rows is None or not found.is_linear:
        return ()
    highs, lows = (
        np.flatnonzero(np.isfinite(np.concatenate(pair)))
        for pair in ((found.upper, found.high), (found.lower, found.low))
    )
    sides = [(int(row), -1) for row in highs] + [(int(row), 1) for row in lows]
    made = certificates.infeasible(found, margin.exact_rows, sides)
    return () if made is None else (made,)
