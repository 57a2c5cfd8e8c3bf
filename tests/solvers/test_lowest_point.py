"""The lowest point of a small program is where exact truth has it."""

from fractions import Fraction

import numpy as np
import pytest

from certify.solvers.fits.grouped_descent import Linear, Region, descend
from certify.solvers.linear_programs.lowest_point import lowest_point
from certify.solvers.linear_programs.simplex import LARGE
from certify.solvers.linear_programs.sparse import Sparse


def lines(seed, count, slopes):
    """max of slope_k s + value_k as rows of (s, t): slope_k s - t <= -value_k."""
    random = np.random.default_rng(seed)
    matrix = np.column_stack([random.uniform(-1, 1, (count, slopes)), -np.ones(count)])
    return matrix, random.uniform(-2, 2, count)


def exact_valley(matrix, values):
    """The least of the largest of lines over [-1, 1], by all crossings of two of them."""
    pairs = [(Fraction(row[0]), Fraction(value)) for row, value in zip(matrix.tolist(), values.tolist(), strict=True)]
    crossings = [(d - b) / (a - c) for a, b in pairs for c, d in pairs if a != c]
    places = [Fraction(-1), Fraction(1), *(x for x in crossings if -1 < x < 1)]
    return min(max(a * x + b for a, b in pairs) for x in places)


@pytest.mark.parametrize("seed", range(8))
def test_the_lowest_point_of_lines_is_a_crossing_or_an_end(seed):
    matrix, values = lines(seed, 3 + 3 * seed, 1)
    found = lowest_point(matrix, -values, np.array([-1.0, -5.0]), np.array([1.0, 5.0]), 1)
    assert found[1] == pytest.approx(float(exact_valley(matrix, values)), abs=1e-12)
    assert (matrix @ found + values <= 1e-12).all()


@pytest.mark.parametrize("seed", range(4))
def test_a_planted_point_where_slopes_cancel_is_found(seed):
    """Rows in pairs a s - t and -a s - t that meet at a planted point: there t is 0, and nowhere less."""
    matrix, _ = lines(seed, 12, 3)
    planted = np.random.default_rng(seed + 100).uniform(-0.8, 0.8, 3)
    both = np.vstack([matrix, matrix * [-1, -1, -1, 1]])
    found = lowest_point(both, both[:, :3] @ planted, -np.ones(4), np.ones(4), 3)
    assert found == pytest.approx(np.append(planted, 0.0), abs=1e-10)


def test_what_has_no_point_or_is_large_or_has_no_end_is_left_to_others():
    one = np.ones(1)
    assert lowest_point(np.array([[1.0], [-1.0]]), np.array([-0.25, -0.25]), -one, one, 0) is None
    assert lowest_point(np.ones((LARGE, 1)), np.ones(LARGE), -one, one, 0) is None
    assert lowest_point(np.ones((1, 1)), one, -np.inf * one, one, 0) is None


def test_a_descent_goes_the_same_way_where_programs_are_large(monkeypatch):
    """Of |x - 1| and |x + y| the largest is least, 0, at (1, -1)."""

    def sides(z):
        values = np.array([z[0] - 1, 1 - z[0], z[0] + z[1], -z[0] - z[1]])
        return Linear(values, Sparse.of_array(np.array([[1.0, 0], [-1, 0], [1, 1], [-1, -1]])))

    region = Region.of_one_group(-4 * np.ones(2), 4 * np.ones(2), np.ones(2), 4)
    for large in (LARGE, 0):
        monkeypatch.setattr("certify.solvers.fits.grouped_descent.LARGE", large)
        assert descend(sides, np.zeros(2), region)[0] == pytest.approx([1.0, -1.0], abs=1e-9)
