"""Many small minimax problems at once are each solved as if they were alone, in whatever units; sparse matrices are the
dense ones.
"""

import numpy as np
import pytest

from certify.solvers.fits import grouped_descent
from certify.solvers.fits.grouped_descent import Linear, Region, descend
from certify.solvers.limits import Limit
from certify.solvers.linear_programs.sparse import Sparse

GROUPS, UNKNOWNS, BENT = 7, 2, 3.0


def curved(seed=3):
    """Groups of |z - p| and of a curve that bends away, each in two unknowns of its own; the least of the larger
    distance is at a known z.
    """
    random = np.random.default_rng(seed)
    return random.uniform(-0.8, 0.8, (GROUPS, UNKNOWNS)), random.uniform(0.5, 2.0, GROUPS)


def sides_of(places, weights, unit, size):
    """Rows +-w (z_0 - p_0), +-(z_1 - p_1 + BENT (z_0 - p_0)^2) and, so that no group can do better, w / 10."""

    def sides(z):
        values, slopes = [], []
        for g, (place, weight) in enumerate(zip(places, weights, strict=True)):
            first, second = z[2 * g : 2 * g + 2] / unit - place
            bent = second + BENT * first**2
            values += [weight * first, -weight * first, bent, -bent, weight / 10]
            rows = np.zeros((5, z.size))
            rows[:, 2 * g] = weight, -weight, 2 * BENT * first, -2 * BENT * first, 0.0
            rows[2:4, 2 * g + 1] = 1.0, -1.0
            slopes.append(rows / unit)
        return Linear(size * np.array(values), Sparse.of_array(size * np.vstack(slopes)))

    return sides


def region_of(groups, unit, goals):
    count = UNKNOWNS * groups
    places = np.repeat(np.arange(groups), UNKNOWNS)
    return Region(
        np.full(count, -unit),
        np.full(count, unit),
        np.full(count, unit),
        places,
        np.repeat(np.arange(groups), 5),
        goals,
    )


@pytest.mark.parametrize(("unit", "size"), [(1.0, 1.0), (1e-9, 1e3), (1e6, 1e-12)])
def test_every_group_reaches_its_own_end(unit, size):
    places, weights = curved()
    region = region_of(GROUPS, unit, size * weights / 10)
    z, values = descend(sides_of(places, weights, unit, size), np.zeros(2 * GROUPS), region)
    assert region.largest(values) == pytest.approx(size * weights / 10, rel=1e-9)
    first, second = (z.reshape(GROUPS, 2) / unit - places).T
    assert (np.abs(first) <= 0.1 + 1e-9).all()
    assert (np.abs(second + BENT * first**2) <= weights / 10 + 1e-9).all()


def test_groups_together_end_where_they_end_alone():
    places, weights = curved(8)
    free = np.full(GROUPS, -np.inf)
    together = (
        descend(sides_of(places, weights, 1.0, 1.0), np.zeros(2 * GROUPS), region_of(GROUPS, 1.0, free))[1]
        .reshape(GROUPS, 5)
        .max(axis=1)
    )
    alone = [
        descend(sides_of(places[g : g + 1], weights[g : g + 1], 1.0, 1.0), np.zeros(2), region_of(1, 1.0, free[:1]))[
            1
        ].max()
        for g in range(GROUPS)
    ]
    assert together.max() == pytest.approx(max(alone), rel=1e-9)
    assert (together >= np.array(alone) - 1e-9).all()


def test_a_group_may_refuse_a_step_that_another_takes(monkeypatch):
    """Newton's step for arctan 10 z from z = 0.27 is too long; the other group is linear."""
    asked = []

    def sides(z):
        asked.append(float(z[0]))
        first, slope = np.arctan(10 * z[0]), 10 / (1 + 100 * z[0] ** 2)
        slopes = np.array([[slope, 0.0], [-slope, 0.0], [0.0, 1.0], [0.0, -1.0]])
        return Linear(np.array([first, -first, z[1], -z[1]]), Sparse.of_array(slopes))

    ends = np.full(2, 2.0)
    region = Region(-ends, ends, np.ones(2), np.arange(2), np.array([0, 0, 1, 1]), np.full(2, 1e-6))
    z, values = descend(sides, np.array([0.27, 1.9]), region)
    assert abs(asked[1]) > 0.27
    assert np.abs(z).max() <= 1e-6
    monkeypatch.setattr(grouped_descent, "STEPS", 1)
    z, values = descend(sides, np.array([0.27, 1.9]), region)
    assert z[0] == 0.27
    assert z[1] < 1.0
    assert values.tolist() == sides(z).values.tolist()


def test_the_others_go_no_lower_than_a_group_that_cannot_move():
    """Two groups at 5 and at |z| <= 4, which is left where it is."""

    def sides(z):
        return Linear(np.array([5.0, z[1], -z[1]]), Sparse.of_array(np.array([[0.0, 0.0], [0.0, 1.0], [0.0, -1.0]])))

    ends = np.full(2, 6.0)
    region = Region(-ends, ends, np.full(2, 0.5), np.arange(2), np.array([0, 1, 1]), np.full(2, -np.inf))
    z, values = descend(sides, np.array([0.0, 4.0]), region)
    assert values.max() == 5.0
    assert z[1] >= 3.0


def test_a_group_that_is_good_enough_is_left_alone():
    places, weights = curved()
    goals = np.full(GROUPS, 10.0)
    goals[2] = -np.inf
    z, _ = descend(sides_of(places, weights, 1.0, 1.0), np.zeros(2 * GROUPS), region_of(GROUPS, 1.0, goals))
    assert (z.reshape(GROUPS, 2) != 0.0).any(axis=1).tolist() == [g == 2 for g in range(GROUPS)]


def test_a_limit_that_is_reached_leaves_the_start():
    places, weights = curved()
    z, values = descend(
        sides_of(places, weights, 1.0, 1.0),
        np.zeros(2 * GROUPS),
        region_of(GROUPS, 1.0, np.full(GROUPS, -1.0)),
        Limit(0.0),
    )
    assert not z.any()
    assert values.size == 5 * GROUPS


def test_sparse_is_dense():
    random = np.random.default_rng(2)
    array = np.where(random.random((6, 5)) < 0.4, random.normal(size=(6, 5)), 0.0)
    other, vector, ends = random.normal(size=(6, 5)), random.normal(size=5), np.sort(random.normal(size=(2, 5)), axis=0)
    rows, columns = np.array([True, False, True, True, False, True]), np.array([True, True, False, True, True])
    sparse = Sparse.of_array(array)
    assert sparse.dense().tolist() == array.tolist()
    assert sparse.times(vector) == pytest.approx(array @ vector)
    corners = np.array([array @ np.where(bits, ends[0], ends[1]) for bits in np.ndindex(*[2] * 5)])
    for found, wanted in zip(sparse.extremes(*ends), (corners.min(axis=0), corners.max(axis=0)), strict=True):
        assert found == pytest.approx(wanted)
    assert sparse.part(rows, columns).dense().tolist() == array[rows][:, columns].tolist()
    assert sparse.scaled(np.arange(6.0), vector).dense() == pytest.approx(np.arange(6.0)[:, None] * array * vector)
    assert (
        sparse.replaced(rows, Sparse.of_array(other)).dense().tolist() == np.where(rows[:, None], other, array).tolist()
    )
    assert sparse.columns_of(~rows).tolist() == (array[~rows] != 0.0).any(axis=0).tolist()
    assert sparse.steepest().tolist() == np.abs(array).max(axis=0).tolist()
    assert Sparse.stacked([sparse, Sparse.of_array(other)]).dense().tolist() == np.vstack([array, other]).tolist()
    extended = sparse.extended(np.array([1, 0, 1, 1, 0, 0]), 2, -1.0).dense()
    assert extended.tolist() == np.hstack([array, -np.eye(2)[[1, 0, 1, 1, 0, 0]]]).tolist()
    assert (np.diff(sparse.extended(np.zeros(6, dtype=np.int64), 1, 1.0).rows) >= 0).all()


def test_entries_at_one_place_are_added_up():
    found = Sparse.of((2, 2), np.array([1, 0, 1, 0]), np.array([0, 1, 0, 0]), np.array([2.0, 3.0, 5.0, 0.0]))
    assert found.dense().tolist() == [[0.0, 3.0], [7.0, 0.0]]
    assert found.values.size == 2


def test_little_steps_of_rows_that_bend_are_not_followed():
    """The least of 1 + z_0 + 4 z_1^2 and 1 - z_0 + z_1^2, whichever is larger, is 1; no vertex of linear
    rows is there.
    """
    points = []

    def sides(z):
        points.append(z)
        slopes = np.array([[1.0, 8.0 * z[1]], [-1.0, 2.0 * z[1]]])
        return Linear(1.0 + np.array([z[0] + 4.0 * z[1] ** 2, -z[0] + z[1] ** 2]), Sparse.of_array(slopes))

    asked, reached = [], []
    for little in (0.0, 1e-4):
        region = Region.of_one_group(np.full(2, -2.0), np.full(2, 2.0), np.full(2, 0.7), 2, little=little)
        reached.append(descend(sides, np.array([1.3, 0.9]), region)[1].max())
        asked.append(len(points))
        points.clear()
    assert reached[0] - 1.0 < 1e-9
    assert reached[1] - 1.0 < 1e-3
    assert 2 * asked[1] < asked[0]
