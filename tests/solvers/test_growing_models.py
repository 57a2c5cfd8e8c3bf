"""Linear programs that begin with few of their rows end where those with all rows do, and their weights prove it."""

from fractions import Fraction

import numpy as np
import pytest

from certify.contractors.operators.lifted_relaxation import LinearProgram
from certify.solvers.limits import UNLIMITED
from certify.solvers.linear_programs.highs import FIRST, MANY, GrowingModel, HighsOracle, is_optimal, new_model
from certify.solvers.linear_programs.sparse import Sparse

ROWS = 5 * MANY


def program(seed, columns=6, rows=ROWS):
    """Rows around the origin, which they leave some room; every column is within [-1, 1]."""
    random = np.random.default_rng(seed)
    matrix = random.uniform(-1, 1, (rows, columns)) * (random.random((rows, columns)) < 0.7)
    matrix /= np.maximum(np.abs(matrix).max(axis=1), 1e-3)[:, None]
    return matrix, random.uniform(0.1, 1.5, rows), -np.ones(columns), np.ones(columns)


def least(matrix, bound, lower, upper, cost):
    solver = new_model(matrix, bound, lower, upper, cost)
    assert is_optimal(solver)
    return solver.getInfo().objective_function_value


def proved(matrix, bound, lower, upper, cost, weights):
    """What the weights prove of cost . y, exactly: the least of (cost + weights matrix) y - weights bound."""
    exact = [Fraction(w) for w in weights]
    used = np.flatnonzero(weights)
    total = -sum((exact[k] * Fraction(bound[k]) for k in used), Fraction(0))
    for j, price in enumerate(cost):
        slope = Fraction(price) + sum((exact[k] * Fraction(matrix[k, j]) for k in used), Fraction(0))
        total += slope * Fraction(lower[j] if slope > 0 else upper[j])
    return float(total)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("form", [np.asarray, Sparse.of_array])
def test_few_rows_lead_to_the_optimum_of_all(seed, form):
    matrix, bound, lower, upper = program(seed)
    model = GrowingModel(form(matrix), bound, lower, upper, tolerance=1e-9)
    for cost in np.random.default_rng(seed).uniform(-1, 1, (4, lower.size)):
        found = model.minimise(cost, UNLIMITED)
        expected = least(matrix, bound, lower, upper, cost)
        assert found.feasible
        assert found.value == pytest.approx(expected, abs=1e-7)
        assert (matrix @ found.point <= bound + 1e-6).all()
        assert (found.weights >= 0).all()
        assert proved(matrix, bound, lower, upper, cost, found.weights) == pytest.approx(expected, abs=1e-6)
    assert FIRST <= model.order.size < ROWS / 2
    assert np.unique(model.order).size == model.order.size


def test_where_a_column_has_no_end_all_rows_enter():
    matrix, bound, lower, upper = program(1)
    model = GrowingModel(matrix, bound, lower, np.full_like(upper, np.inf))
    assert model.order.tolist() == list(range(ROWS))


def test_what_is_enough_ends_the_growth():
    matrix, bound, lower, upper = program(2)
    cost = np.array([1.0, 0, 0, 0, 0, 0])
    model = GrowingModel(matrix, bound, lower, upper)
    found = model.minimise(cost, UNLIMITED, enough=-2.0)
    assert model.order.size == FIRST
    assert found.value <= least(matrix, bound, lower, upper, cost) + 1e-9


@pytest.mark.parametrize("seed", range(4))
def test_objectives_are_left_out_only_where_they_are_useless(seed):
    matrix, bound, lower, upper = program(seed, columns=4)
    oracle, asked = HighsOracle(), LinearProgram(matrix, bound, lower, upper, ROWS)
    oracle.violation_weights(asked)
    objectives = np.vstack([np.eye(4), -np.eye(4)])
    optima = [least(matrix, bound, lower, upper, cost) for cost in objectives]
    useless = float(np.median(optima))
    answers = oracle.bound_weights(asked, objectives, useless)
    assert any(answer is None for answer in answers)
    for cost, answer, value in zip(objectives, answers, optima, strict=True):
        if answer is None:
            assert value <= useless + 0.05
        else:
            assert proved(matrix, bound, lower, upper, cost, answer) == pytest.approx(value, abs=0.05)


def test_a_violation_of_all_rows_is_found_from_few():
    matrix, bound, lower, upper = program(3)
    bound = bound.copy()
    matrix[-1], bound[-1] = np.eye(6)[0], -0.5
    matrix[-2], bound[-2] = -np.eye(6)[0], -0.25
    oracle = HighsOracle()
    violation, weights = oracle.violation_weights(LinearProgram(matrix, bound, lower, upper, ROWS))
    assert violation == pytest.approx(0.375, abs=0.02)
    assert proved(matrix, bound, lower, upper, np.zeros(6), weights) > 0
