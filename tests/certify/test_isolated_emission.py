"""Certificates of isolated zeros, written from doubles: what is accepted here the checker accepts, and nothing else is
published.
"""

from dataclasses import replace
from fractions import Fraction

import pytest
from planted_zeros import FIRST, SECOND, steps, zeros_document, zeros_tree

from certify.checker import Status, check
from certify.contractors.protocol.contractor import Evaluate
from certify.problems.model.model import Binding, Family, Problem, Variable, trace
from certify.proofs.problem_replay import Proving, Withdrawn
from certify.solvers.proof.trace import Refuted, Steps

BOTH = (Binding(False, 0), Binding(False, 1))


@pytest.fixture(scope="module")
def proving():
    """x^2 + y^2 = 25 and x - y = 1 in [-6, 6]^2: (4, 3) and (-3, -4)."""
    circle = trace(lambda x, m: x.x * x.x + x.y * x.y - 25, {"x": (), "y": ()}, {})
    line = trace(lambda x, m: x.x - x.y - 1, {"x": (), "y": ()}, {})
    sides = tuple(Variable(name, "1", Fraction(-6), Fraction(6)) for name in "xy")
    return Proving(Problem(sides, (), (Family("circle", circle, 1, BOTH), Family("line", line, 1, BOTH))))


def test_a_count_of_zeros_is_certified(proving):
    zeros = [FIRST, SECOND]
    text = zeros_document(proving, (0, 1), zeros, zeros_tree(proving, (0, 1), zeros, steps(zeros)))
    outcome = check(proving.canonical, text)
    assert outcome.status is Status.VERIFIED, outcome.message
    assert outcome.message.endswith("the number of points that solve r = 0 in all rows is exactly 2")


def test_the_test_of_a_zero_is_the_checkers(proving):
    ends = proving.isolated((0, 1), FIRST)
    assert ends is not None
    for (low, high), truth in zip(ends, (4, 3), strict=True):
        assert low <= truth * 2**112 <= high
    assert proving.isolated((0, 1), replace(FIRST, lower=(4.01, 2.7))) is None
    assert proving.isolated((0, 1), replace(FIRST, inverse=((0.0, 0.0), (0.0, 0.0)))) is None
    assert proving.isolated((0,), FIRST) is None


def test_what_is_not_isolated_is_rejected(proving):
    tree = zeros_tree(proving, (0, 1), [FIRST, SECOND], steps([FIRST, SECOND]))
    for zeros in (
        [FIRST, FIRST],
        [FIRST, SECOND, replace(SECOND, lower=(-3.2, -4.2))],
        [FIRST, replace(SECOND, lower=(-2.9, -4.3))],
    ):
        assert check(proving.canonical, zeros_document(proving, (0, 1), zeros, tree)).status is Status.REJECTED


def test_a_zero_that_is_left_out_is_withdrawn(proving):
    with pytest.raises(Withdrawn):
        zeros_tree(proving, (0, 1), [FIRST], steps([FIRST, SECOND]))


def test_no_zeros_at_all(proving):
    """A circle that the line misses: the box is the part below the line."""
    sides = (proving.problem.variables[0], replace(proving.problem.variables[1], lower=Fraction(5)))
    apart = Proving(replace(proving.problem, variables=(replace(sides[0], upper=Fraction(1)), sides[1])))
    tree = zeros_tree(apart, (0, 1), [], Steps([], Refuted(Evaluate(1, 0))))
    assert check(apart.canonical, zeros_document(apart, (0, 1), [], tree)).status is Status.VERIFIED


def test_a_hull_of_what_is_left(proving):
    """|r| <= 0 within the boxes of both zeros: their hull."""
    zeros = [FIRST, SECOND]
    hull, tree = proving.enclosure((0, 1), Fraction(0), steps(zeros))
    assert hull is not None
    assert all(low <= a and b <= high for (low, high), (a, b) in zip(hull, ((-3, 4), (-4, 3)), strict=True))
    text = proving.enclosure_document((0, 1), Fraction(0), hull, tree)
    assert check(proving.canonical, text).status is Status.VERIFIED
    smaller = ((hull[0][0], hull[0][1] - Fraction(1, 10**9)), hull[1])
    assert (
        check(proving.canonical, proving.enclosure_document((0, 1), Fraction(0), smaller, tree)).status
        is Status.REJECTED
    )


def test_nothing_left_has_no_hull(proving):
    sides = tuple(replace(side, upper=Fraction(1), lower=Fraction(-1)) for side in proving.problem.variables)
    hull, tree = Proving(replace(proving.problem, variables=sides)).enclosure(
        (0, 1), Fraction(0), Steps([], Refuted(Evaluate(0, 0)))
    )
    assert hull is None
    assert tree == ["evaluate 0 0"]
