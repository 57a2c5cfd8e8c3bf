"""A proof does not narrow a variable far within the box of a zero, on which nothing depends any more."""

from __future__ import annotations

import numpy as np
import pytest

from certify.problems.minibex import parse_minibex
from certify.questions.system_search import equations_of
from certify.solvers.limits import UNLIMITED
from certify.solvers.proof.proof_tree import Hole, Ready
from certify.solvers.search.proof_search import ENOUGH, Limits, ProofSearch
from certify.solvers.tasks.proof_tasks import CAP, FAR, Task, gained, renew

SYSTEM = parse_minibex("Variables x in [-9, 9]; y in [-9, 9];\nConstraints\nx = y/1000;\ny + x/1000 = 0;\nend")


def proof_search(zeros: list[tuple[float, float]]) -> ProofSearch:
    """Of a system whose zero lies in the middle of boxes with these half-widths."""
    half = np.array(zeros).reshape(-1, 2)
    return ProofSearch(equations_of(SYSTEM), (-half, half), Limits(UNLIMITED))


def task(x: tuple[float, float], y: tuple[float, float]) -> Task:
    low, high = np.array([x, y]).T
    return Task(low.copy(), high.copy(), Hole(Ready()), -1)


@pytest.mark.parametrize(("zeros", "cut"), [([], True), ([(0.9, 1.0)], False), ([(0.5, 1.0)], True)])
def test_a_row_cuts_a_variable_that_is_not_thin_already(zeros, cut):
    """x is 0.2 wide, and an eighth of the zero's box 0.225 or 0.125."""
    box = task((-0.1, 0.1), (-8.0, 8.0))
    proof_search(zeros)._cut_by_rows([box])
    assert (box.low[0] > -0.1 or box.high[0] < 0.1) == cut


def test_the_least_of_the_boxes_that_meet_counts():
    search = proof_search([(0.5, 2.0), (1.0, 1.0)])
    low, high = np.array([[-3.0, 0.75, 2.0], [-3.0, -0.5, -1.0]]), np.array([[3.0, 2.0, 3.0], [3.0, 0.5, 1.0]])
    assert search._least(low, high).T.tolist() == [
        [ENOUGH * 1.0, ENOUGH * 2.0],
        [ENOUGH * 2.0, ENOUGH * 2.0],
        [0.0, 0.0],
    ]


def test_what_boxes_have_gained_since_they_were_divided():
    some = [task((0.0, 4.0), (0.0, 8.0)), task((0.0, 1.0), (0.0, 2.0))]
    some[0].high = np.array([1.0, 0.001])
    assert gained(some) == pytest.approx([2.0 - np.log2(CAP), 0.0])
    far = task((0.0, 4.0), (3.0, 4.0))
    far.high = np.array([2.0 * FAR, 3.5])
    far.low = np.array([-1.0, 3.0])
    renew([far, some[1]])
    assert far.widths.tolist() == [3.0, 1.0]
