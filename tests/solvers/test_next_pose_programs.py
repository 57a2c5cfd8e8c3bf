"""The extents of polytopes, against all their vertices and against polytopes that are known."""

from itertools import combinations

import numpy as np
import pytest

from certify.solvers.advice.pose_programs import HalfSpaces, extents, shares


def widths_of_vertices(sides, lower, upper):
    """Every vertex is where as many sides as variables meet: try all."""
    count = lower.size
    slopes = np.vstack([sides.slopes, np.eye(count), -np.eye(count)])
    bounds = np.concatenate([sides.bounds, upper, -lower])
    chosen = np.array(list(combinations(range(len(bounds)), count)))
    systems = slopes[chosen]
    regular = np.abs(np.linalg.det(systems)) > 1e-9
    points = np.linalg.solve(systems[regular], bounds[chosen[regular]][..., None])[..., 0]
    inside = points[(points @ slopes.T <= bounds + 1e-9).all(axis=1)]
    return inside.max(axis=0) - inside.min(axis=0)


@pytest.mark.parametrize("seed", range(5))
def test_extents_are_those_of_the_vertices(seed):
    random = np.random.default_rng(seed)
    sides = HalfSpaces(random.normal(size=(30, 4)), random.uniform(0.1, 1.0, 30))
    lower, upper = np.full(4, -5.0), np.full(4, 7.0)
    assert extents(sides, lower, upper).widths == pytest.approx(widths_of_vertices(sides, lower, upper), abs=1e-7)


@pytest.mark.parametrize("seed", range(5))
def test_shares_from_known_vertices_are_those_of_all(seed):
    random = np.random.default_rng(100 + seed)
    sides = HalfSpaces(random.normal(size=(20, 3)), random.uniform(0.5, 1.0, 20))
    slope = random.normal(size=3)
    added = HalfSpaces(np.stack([slope, -slope]), np.array([0.1, 0.2]))
    lower, upper = np.full(3, -4.0), np.full(3, 4.0)
    expected = widths_of_vertices(sides.and_also(added), lower, upper) / widths_of_vertices(sides, lower, upper)
    assert shares(sides, extents(sides, lower, upper), added, lower, upper) == pytest.approx(expected, abs=1e-6)


def test_a_side_that_cuts_nothing_changes_nothing():
    sides = HalfSpaces(np.vstack([np.eye(2), -np.eye(2)]), np.ones(4))
    lower, upper = np.full(2, -9.0), np.full(2, 9.0)
    known = extents(sides, lower, upper)
    assert known.widths == pytest.approx([2.0, 2.0])
    loose = HalfSpaces(np.array([[1.0, 1.0], [-1.0, -1.0]]), np.array([2.5, 2.5]))
    assert shares(sides, known, loose, lower, upper) == pytest.approx([1.0, 1.0])
    half = HalfSpaces(np.array([[1.0, 0.0], [-1.0, 0.0]]), np.array([0.5, 0.5]))
    assert shares(sides, known, half, lower, upper) == pytest.approx([0.5, 1.0])


def test_a_variable_that_has_no_extent_keeps_its_share():
    sides = HalfSpaces(np.array([[1.0, 0.0], [-1.0, 0.0]]), np.array([1.0, 1.0]))
    lower, upper = np.array([-2.0, 0.0]), np.array([2.0, 0.0])
    known = extents(sides, lower, upper)
    assert known.widths == pytest.approx([2.0, 0.0])
    assert shares(sides, known, sides, lower, upper) == pytest.approx([1.0, 1.0])
