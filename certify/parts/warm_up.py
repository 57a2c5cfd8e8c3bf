"""The interval kernels are compiled once on a machine and cached; done here, on a problem of one row, so that no search
is charged for it.
"""

from __future__ import annotations

import time
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from certify.checker.nodes import RowTerm
from certify.checker.rules import Question
from certify.contractors.fixed_point import tapes, terms
from certify.contractors.linear.gauss_seidel import Systems, sweep
from certify.contractors.operators import forward_backward
from certify.contractors.operators.compilation import compile_functions, compiled_beside
from certify.contractors.operators.forward_backward import ForwardBackward
from certify.contractors.operators.lifted_relaxation import LinearProgram
from certify.contractors.protocol.boxes import Boxes
from certify.contractors.protocol.contractor import Box
from certify.contractors.rows.measurements import realise
from certify.contractors.tape import evaluation
from certify.problems.formulas.expression import cos, norm, sin
from certify.problems.model.model import Binding, Column, Family, Problem, Variable, trace
from certify.proofs.problem_replay import Proving
from certify.proofs.witnesses import near
from certify.records.options import Options, Progress, silent
from certify.solvers.limits import Limit
from certify.solvers.linear_programs.bounded_least_squares import BoundedLeastSquares
from certify.solvers.linear_programs.ranges import Ranges
from certify.solvers.regressors.dense_programs import compile_programs

KERNELS = (
    (evaluation, "forward"),
    (forward_backward, "revise"),
    (terms, "row_terms"),
    (terms, "weighted_bound"),
    (tapes, "last_nodes"),
)


def _row(x: Any, m: Any) -> Any:
    return norm([x.u + sin(m.v), x.u / (m.v + 3), cos(m.v)]) - m.v


def _problem() -> Problem:
    bounds = Fraction(1), Fraction(2)
    family = Family("f", trace(_row, {"u": ()}, {"v": ()}), 1, (Binding(False, 0), Binding(True, 0)))
    return Problem((Variable("u", "1", *bounds),), (Column("v", "1", (bounds[0],), (bounds[1],)),), (family,))


def compile_narrowing() -> None:
    """What rests on the functions: evaluation and propagation."""
    problem = _problem()
    compile_functions()
    box = Box(*problem.box)
    realise(problem.blocks[0], box.lower, box.upper, 2)
    ForwardBackward(0, problem.blocks[0], 0.0).contract(Boxes.of([box]))


def _compile_proving(proving: Proving) -> None:
    """The checker's arithmetic, linear systems and programs."""
    ones = np.ones((1, 2, 2))
    systems = Systems(ones, ones, ones[0], ones[0])
    for diagonal in (False, True):
        sweep(systems, np.zeros((1, 2)), np.ones((1, 2)), diagonal)
    proof = proving.proof((0,), Question(Fraction(0)))
    proof.aggregate_bound(proof.root, proof.root.box, [RowTerm("q", 0, 0, 1, Fraction(1))])
    BoundedLeastSquares(np.ones((1, 1)), np.ones(1)).solve(np.zeros(1), np.ones(1))
    Ranges().ranges(LinearProgram(np.ones((1, 1)), np.ones(1), np.zeros(1), np.ones(1), 1), 1)
    compile_programs()


def warm_up(progress: Progress) -> float:
    """Seconds it took."""
    began = time.perf_counter()
    progress("loading the interval kernels (the first time on a machine they are compiled: some seconds)")
    problem = _problem()
    proving = Proving(problem)
    with compiled_beside(compile_narrowing, *KERNELS):
        _compile_proving(proving)
    compile_narrowing()
    proving.needed((0,), near(problem, (0,), Box(*problem.box).centre))
    return time.perf_counter() - began


def begun(options: Options) -> Limit:
    """The limit of an answer that begins now; what is compiled at the first use is not charged to it."""
    compile_once()
    return options.begun()


@cache
def compile_once() -> None:
    """Compile what is not compiled yet, and load what is."""
    warm_up(silent)
