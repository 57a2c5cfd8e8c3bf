"""Small solvers, right ones and ones with a planted bug each."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from certify.judging_programs.judge import judge_program
from certify.records.program_records import ProgramVerdict
from certify.testing import Answer, Criterion, Enclosing, RootSolver, Said, Solver

TIGHT = Criterion(1e-9, gap=1e-6, relative_gap=1e-9, dual=1e-9, ray=1e-12)
WORDS = {
    ProgramVerdict.OPTIMAL: Said.OPTIMAL,
    ProgramVerdict.INFEASIBLE: Said.INFEASIBLE,
    ProgramVerdict.UNBOUNDED: Said.UNBOUNDED,
}


def right(found):
    """Our own judge as a solver."""
    judged = judge_program(found, certified=False)
    if judged.verdict is ProgramVerdict.OPTIMAL and judged.width > 1e-7:
        return Answer(Said.NOTHING)
    return Answer(WORDS.get(judged.verdict, Said.NOTHING), judged.point)


def optimistic(found):
    """A tolerance of 1e-3 where 1e-9 is documented: what misses less is called feasible, and returned."""
    from certify.judging_programs.bounds import bounds
    from certify.problems.programs.elastic import elastic

    answer = right(found)
    if answer.said is Said.INFEASIBLE:
        relaxed = bounds(elastic(found))
        if relaxed.upper < 1e-3:
            return Answer(Said.OPTIMAL, relaxed.point[:-1])
    return answer


def wrong_sign_of_a_dual(found):
    """Multipliers of rows with a lower end are taken with the other sign: their objective is not that of the point,
    and a gap is taken for a sign of infeasibility.
    """
    answer = right(found)
    if answer.said is not Said.OPTIMAL or found.quadratic.nnz or found.cones:
        return answer
    from certify.judging_programs.exact_vertices import vertex
    from certify.solvers.programs.simplex_basis import simplex

    corner = vertex(found, simplex(found))
    if corner.rows is None:
        return answer
    bound = sum(
        (-abs(y) if y > 0 else abs(y)) * abs(Fraction(low if y > 0 else high))
        for y, low, high in zip(corner.rows, found.lower.tolist(), found.upper.tolist(), strict=True)
        if y
    )
    reached = sum(Fraction(c) * Fraction(x) for c, x in zip(found.cost, answer.point, strict=True))
    return answer if bound <= reached else Answer(Said.INFEASIBLE)


class StaleBasis:
    """The basis is that of the program before its last row was added: a hot start that nobody looks at."""

    def __call__(self, found):
        from dataclasses import replace

        if not found.rows:
            return right(found)
        lower, upper = found.lower.copy(), found.upper.copy()
        lower[-1], upper[-1] = -np.inf, np.inf
        return right(replace(found, lower=lower, upper=upper))


def _rounded(function):
    """To nearest, not outwards."""

    def call(lower, upper):
        ends = sorted((function(lower), function(upper)))
        return ends[0], ends[-1]

    return call


def _outwards(function):
    def call(lower, upper):
        ends = sorted((function(lower), function(upper)))
        for _ in range(4):
            ends = [math.nextafter(ends[0], -math.inf), math.nextafter(ends[1], math.inf)]
        return tuple(ends)

    return call


GROWING = {"sqrt": math.sqrt, "atan": math.atan, "exp": lambda x: math.exp(min(x, 709.0)), "tanh": math.tanh}
SAFE = {name: _outwards(GROWING[name]) for name in ("sqrt", "atan", "tanh")}
ROUNDED = {name: _rounded(GROWING[name]) for name in ("sqrt", "atan", "tanh")}


def bisected(keeps_ends):
    """Intervals in which a polynomial may vanish, by the mean value form in rationals; `keeps_ends` False drops a root
    where two halves meet, because each takes the end for the other's.
    """

    def solve(polynomial):
        found, waiting = [], [(Fraction(polynomial.lower), Fraction(polynomial.upper))]
        while waiting:
            low, high = waiting.pop()
            least, most = _range(polynomial.roots, low, high)
            excluded = (least > 0 or most < 0) if keeps_ends else (least >= 0 or most <= 0)
            if excluded:
                continue
            if high - low < Fraction(1, 64):
                found.append((math.nextafter(float(low), -math.inf), math.nextafter(float(high), math.inf)))
                continue
            middle = (low + high) / 2
            waiting += [(low, middle), (middle, high)]
        return found

    return solve


def _range(roots, low, high):
    least, most = Fraction(1), Fraction(1)
    for root in roots:
        products = [a * b for a in (least, most) for b in (low - root, high - root)]
        least, most = min(products), max(products)
    return least, most


RIGHT = [
    Solver("right", right, TIGHT, ("lp", "qp")),
    Enclosing("outwards", SAFE),
    RootSolver("keeps all", bisected(keeps_ends=True)),
]


def planted_bugs():
    """By name, each as new as on its first day."""
    return {
        "an optimistic tolerance": Solver("optimistic", optimistic, TIGHT),
        "a wrong sign of a dual": Solver("wrong sign", wrong_sign_of_a_dual, TIGHT),
        "a stale basis": Solver("stale", StaleBasis(), TIGHT),
        "a wrong rounding": Enclosing("to nearest", ROUNDED),
        "a lost root": RootSolver("drops ends", bisected(keeps_ends=False)),
    }
