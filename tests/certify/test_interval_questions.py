"""Further questions about linear models whose coefficients are intervals, against Oettli and Prager's condition orthant
by orthant, choice by choice.
"""

from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from scipy.optimize import linprog
from two_checkers import both as both_say

import certify
from certify import linear
from certify.claims.linear.physical_claims import physical_lines
from certify.linear_questions.given_values import judge_values
from certify.linear_questions.outliers import linear_outliers
from certify.linear_questions.polytope.slanting import linear_polytope
from certify.linear_questions.relaxing import relaxed_hull
from certify.linear_questions.widths import widths_by_bound
from certify.problems.regressors.interval_regressor import with_errors
from certify.problems.regressors.regressor import regressor
from certify.regressors import parts
from certify.regressors.closed_form import closed_form
from certify.solvers.limits import Limit, Stopped

NEAR = 1e-7


def accepted(found):
    data = b"".join(found.problem.canonical())
    for name, text in found.documents:
        assert both_say(data, text) == "VERIFIED", name


def random_problem(seed, positive=False):
    """One or two parameters, few rows with intervals, of which some are wrong by much."""
    rng = np.random.default_rng([29, seed])
    size, rows = int(rng.integers(1, 3)), int(rng.integers(4, 7))
    W = rng.normal(size=(rows, size))
    half = rng.choice([0.0, 0.02, 0.1], (rows, size))
    theta = rng.uniform(0.1, 1, size) if positive else rng.choice([-1.0, 0.05, 0.5], size)
    y = W @ theta + rng.uniform(-0.2, 0.2, rows)
    wrong = rng.choice(rows, int(rng.integers(0, 3)), replace=False)
    y[wrong] += rng.choice([-1.0, 1.0], len(wrong)) * rng.uniform(0.5, 3.0, len(wrong))
    box = [(0, 9)] * size if positive else [(-4, 5)] * size
    return with_errors(regressor(W, y, 0.25, box), half)


def orthants(problem, kept, factor=1.0):
    """The inequalities A x <= b of some rows, with the bounds of x, orthant by orthant."""
    middle, spread = problem.low / 2 + problem.high / 2, factor * (problem.high - problem.low) / 2
    ends = factor * float(problem.base)
    for signs in product((1.0, -1.0), repeat=problem.size):
        moved = spread[kept] * np.array(signs)
        rows = np.vstack([middle[kept] - moved, -middle[kept] - moved])
        limits = np.concatenate([problem.y[kept] + ends, ends - problem.y[kept]])
        pairs = [(max(float(a), 0.0), float(b)) if s > 0 else (float(a), min(float(b), 0.0))
                 for s, (a, b) in zip(signs, problem.box, strict=True)]  # fmt: skip
        if all(a <= b for a, b in pairs):
            yield rows, limits, pairs


def reach(problem, kept, direction, factor=1.0):
    """The most of direction . x over what fits these rows; None if nothing does."""
    found = [
        linprog(-np.array(direction), rows, limits, bounds=pairs)
        for rows, limits, pairs in orthants(problem, kept, factor)
    ]
    values = [-one.fun for one in found if one.status == 0]
    return max(values, default=None)


def fewest(problem):
    everything = set(range(problem.rows))
    for count in range(problem.rows + 1):
        for gone in combinations(range(problem.rows), count):
            if reach(problem, sorted(everything - set(gone)), [0.0] * problem.size) is not None:
                return count
    raise AssertionError


@pytest.mark.parametrize(("seed", "positive"), [(seed, seed % 2 == 0) for seed in range(12)])
def test_the_fewest_rows_are_those_of_all_choices(seed, positive):
    problem = random_problem(seed, positive)
    found = linear_outliers(problem)
    accepted(found)
    assert found.fewest == len(found.rows) == fewest(problem)


@pytest.mark.parametrize(("seed", "positive"), [(seed, seed % 2 == 0) for seed in range(8)])
def test_intervals_in_spite_of_rows_hold_all_choices(seed, positive):
    problem = random_problem(seed, positive)
    count = max(fewest(problem), 1)
    found = relaxed_hull(problem, count)
    accepted(found)
    everything = set(range(problem.rows))
    for j, (low, high) in enumerate(found.box):
        for sign, end in ((-1, low), (1, high)):
            unit = sign * np.eye(problem.size)[j]
            values = [reach(problem, sorted(everything - set(gone)), unit) for gone in combinations(everything, count)]
            truth = max(value for value in values if value is not None)
            assert sign * float(end) >= truth - NEAR
            assert sign * float(end) <= truth + 0.02 * 9
    assert not found.nobody
    if fewest(problem) > 1:
        nobody = relaxed_hull(problem, fewest(problem) - 1)
        accepted(nobody)
        assert nobody.nobody


def planted(positive, rows=60, seed=3):
    rng = np.random.default_rng([31, seed])
    W, half = rng.normal(size=(rows, 3)), 0.02 * np.abs(rng.normal(size=(rows, 3)))
    theta = np.array([1.0, 0.4, 0.05]) if positive else np.array([1.0, -0.4, 0.01])
    y = (W + rng.uniform(-1, 1, W.shape) * half) @ theta + rng.uniform(-0.1, 0.1, rows)
    box = [(0, None)] * 3 if positive else None
    return linear(W, y, 0.1, box, W_error=half), theta


@pytest.mark.parametrize("positive", [True, False])
def test_a_planted_point_is_kept_by_every_question(positive):
    answer, theta = planted(positive)
    problem = answer.problem
    accepted(answer)
    widths = widths_by_bound(answer, (Fraction(1), Fraction(3, 2)))
    accepted(widths)
    assert len(widths.rungs) == 2
    for rung in widths.rungs:
        assert all(low <= x <= high for x, (low, high) in zip(theta, rung.box, strict=True))
    for j, ((low, high), (less, more)) in enumerate(zip(widths.rungs[0].box, answer.box, strict=True)):
        assert abs(float(low - less)) + abs(float(high - more)) < 0.03 * float(more - less)
        for sign, end in ((-1, widths.rungs[1].box[j][0]), (1, widths.rungs[1].box[j][1])):
            truth = reach(problem, list(range(problem.rows)), sign * np.eye(3)[j], 1.5)
            assert truth - NEAR <= sign * float(end) <= truth + 0.02
    slanted = linear_polytope(answer)
    accepted(slanted)
    assert len(slanted.axes) == 3 and slanted.volume < slanted.box_volume
    for axis in slanted.axes:
        value = sum(a * Fraction(x) for a, x in zip(axis.coefficients, theta.tolist(), strict=True))
        assert axis.lower <= value <= axis.upper
        direction = [float(a) for a in axis.coefficients]
        assert float(axis.upper) >= reach(problem, list(range(problem.rows)), direction) - NEAR
    closed = closed_form(problem, Limit())
    for box in (closed.box, closed.narrowed):
        for (low, high), (less, more) in zip(box, answer.box, strict=True):
            assert low <= less + 0.02 * float(more - less) and more - 0.02 * float(more - less) <= high
    judged = judge_values(problem, dict(zip(problem.names, theta.tolist(), strict=True)), weighted=False)
    accepted(judged)
    assert judged.judged[0].needed.upper == 0
    far = judge_values(problem, dict.fromkeys(problem.names, 3), weighted=False)
    accepted(far)
    miss = np.abs(problem.matrix @ np.full(3, 3.0) - problem.y) - 3 * ((problem.high - problem.low) / 2).sum(1) - 0.1
    needed = far.judged[0].needed
    assert abs(float(needed.lower) - miss.max()) < 1e-6 and abs(float(needed.upper) - miss.max()) < 1e-6


@pytest.mark.thorough
@pytest.mark.parametrize("positive", [True, False])
def test_physical_points_of_intervals(positive):
    pytest.importorskip("clarabel")
    rng = np.random.default_rng(4)
    names = ["m", "mx", "my", "mz", "Ixx", "Ixy", "Ixz", "Iyy", "Iyz", "Izz"]
    body = np.array([2.0, 0.1, -0.05, 0.08, 0.05, 0.001, -0.002, 0.04, 0.003, 0.06])
    W = rng.normal(size=(80, 10))
    half = np.full(10, 1e-4)
    y = W @ body + rng.uniform(-0.01, 0.01, 80) * (1 if positive else 0.5)
    bodies = certify.physical(names, bodies=[names])
    answer = linear(W, y, 0.02, names=names, physical=bodies, W_error=half)
    accepted(answer)
    assert answer.physical.verdict == "some are consistent"
    box = answer.physical.narrowed(answer.box)
    assert all(low <= x <= high for x, (low, high) in zip(body, box, strict=True))
    wrong = linear(W, W @ (body * [1, 1, 1, 1, 4, 1, 1, 1, 1, 1]), 0.02, names=names, physical=bodies, W_error=half)
    assert wrong.physical.verdict == "none is consistent" and wrong.physical.grow == 0
    (told,) = [line for line in physical_lines(wrong, bodies) if "No physically consistent" in line]
    assert "grow" not in told and "within the intervals" in told
    assert wrong.standing(()).physical.verdict == "undecided"


def test_a_whole_box_that_is_not_parted_is_not_said_to_be_all(monkeypatch):
    problem = random_problem(1)
    count = fewest(problem) or 1
    assert relaxed_hull(problem, count).stopped is Stopped.FINISHED
    monkeypatch.setattr(parts, "SIGNS", 0)
    assert relaxed_hull(problem, count).stopped is Stopped.GAP


def test_a_hundred_rows_are_left_out():
    """More than a search for rows that meet all conflicts can do: they are counted without a common row."""
    rng = np.random.default_rng(8)
    W, theta = rng.normal(size=(900, 2)), np.array([1.0, -2.0])
    y = W @ theta + rng.uniform(-0.1, 0.1, 900)
    wrong = rng.choice(900, 90, replace=False)
    y[wrong] += rng.choice([-1, 1], 90) * rng.uniform(1.0, 3.0, 90)
    found = linear_outliers(regressor(W, y, 0.1))
    accepted(found)
    assert found.fewest == 90 and set(found.rows) == set(wrong.tolist())
    spite = relaxed_hull(found.problem, 95)
    accepted(spite)
    assert all(low <= x <= high for x, (low, high) in zip(theta, spite.box, strict=True))
    nobody = relaxed_hull(found.problem, 80)
    accepted(nobody)
    assert nobody.nobody
