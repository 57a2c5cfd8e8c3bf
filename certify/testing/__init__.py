"""Tests of solvers, with instances whose exact truth is planted: strategies, oracles, adapters, fuzzing, pytest.

def solve(program): ...                                              # a Program goes in
    return testing.Answer(testing.Said.OPTIMAL, x)                   # a status and a point come out

mine = testing.Solver("mine", solve, testing.Criterion(absolute=1e-6))

@testing.checks(mine)                                                # the whole contract, as a test of pytest
def test_mine(): ...
"""

from certify.testing.checking import WrongAnswer, checks
from certify.testing.contract import Answer, Criterion, Finding, Said, Solver, finding
from certify.testing.enclosing import Enclosing, enclosing_finding
from certify.testing.planted import Planted, Truth
from certify.testing.rooting import Polynomial, RootSolver, rooting_finding
from certify.testing.strategies import (
    bilinear_programs,
    boxes,
    calibrations,
    cone_programs,
    expressions,
    fits,
    infeasible_programs,
    interval_systems,
    intervals,
    linear_programs,
    programs,
    quadratic_programs,
    unbounded_programs,
)

__all__ = [
    "Answer",
    "Criterion",
    "Enclosing",
    "Finding",
    "Planted",
    "Polynomial",
    "RootSolver",
    "Said",
    "Solver",
    "Truth",
    "WrongAnswer",
    "bilinear_programs",
    "boxes",
    "calibrations",
    "checks",
    "cone_programs",
    "enclosing_finding",
    "expressions",
    "finding",
    "fits",
    "infeasible_programs",
    "interval_systems",
    "intervals",
    "linear_programs",
    "programs",
    "quadratic_programs",
    "rooting_finding",
    "unbounded_programs",
]
