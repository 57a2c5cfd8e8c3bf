"""min |A v - b|^2 within bounds: the conditions of optimality hold at what is found, on random problems and on
dependent columns.
"""

from __future__ import annotations

import numpy as np
import pytest

from certify.solvers.linear_programs.bounded_least_squares import BoundedLeastSquares


@pytest.mark.parametrize("seed", range(30))
def test_the_conditions_of_optimality_hold(seed):
    random = np.random.default_rng(seed)
    rows, columns = random.integers(5, 40), random.integers(1, 12)
    matrix, right = random.normal(size=(rows, columns)), 3.0 * random.normal(size=rows)
    solver = BoundedLeastSquares(matrix, right)
    for _ in range(3):  # each solution starts from the last one
        lower = -random.uniform(0.0, 1.0, columns)
        upper = random.uniform(0.0, 1.0, columns)
        v = solver.solve(lower, upper)
        assert (lower <= v).all() and (v <= upper).all()
        slopes = matrix.T @ (matrix @ v - right)
        if rows >= columns:
            assert np.abs(slopes[(v > lower) & (v < upper)]).max(initial=0.0) < 1e-6
            assert (slopes[v == lower] > -1e-6).all() and (slopes[v == upper] < 1e-6).all()


def test_without_bounds_that_matter_it_is_least_squares():
    random = np.random.default_rng(1)
    matrix, right = random.normal(size=(20, 4)), random.normal(size=20)
    found = BoundedLeastSquares(matrix, right).solve(np.full(4, -1e3), np.full(4, 1e3))
    assert np.allclose(found, np.linalg.lstsq(matrix, right, rcond=None)[0])


def test_dependent_columns_do_no_harm():
    column = np.arange(1.0, 6.0)[:, None]
    found = BoundedLeastSquares(np.hstack([column, column]), 3.0 * column[:, 0]).solve(np.zeros(2), np.ones(2))
    assert np.allclose(found, 1.0)
