"""Ellipsoids that weights prove: exact arithmetic accepts what is true, and no forgery."""

from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations

import numpy as np
import pytest

import certify
from certify import InputError, bounding_ellipsoid
from certify.ellipsoids.exact_ellipsoid import positive_definite, positive_semidefinite, proves


def planted(rows, p, seed, bound=0.25):
    random = np.random.default_rng(seed)
    matrix, truth = random.normal(size=(rows, p)), random.uniform(-1, 1, p)
    return matrix, matrix @ truth + bound * random.uniform(-1, 1, rows), truth


def feasible_points(matrix, y, bound, start, count, seed=0, chains=50):
    """So many points of the polytope by hit and run: to random places on random chords, again and again, chains side by
    side; nearly both ends of each chord, too.
    """
    random, points, found = np.random.default_rng(seed), np.tile(start, (chains, 1)), []
    while len(found) * 3 * chains < count:
        directions = random.normal(size=points.shape)
        slope, room = matrix @ directions.T, y[:, None] - matrix @ points.T
        ends = np.sort(np.stack([(room - bound) / slope, (room + bound) / slope]), axis=0)
        low, high = ends[0].max(axis=0), ends[1].min(axis=0)
        shares = np.stack([np.full(chains, 1e-12), np.full(chains, 1 - 1e-12), random.uniform(size=chains)])
        places = points + (low + shares * (high - low))[:, :, None] * directions
        points = places[2]
        found.append(places.reshape(-1, len(start)))
    return np.concatenate(found)


def exactly(values):
    return [Fraction(value) for value in np.asarray(values).ravel().tolist()]


@cache
def everything(p=3, rows=60, seed=1, bound=0.25):
    """A confirmed ellipsoid as the arguments of `proves`, and the problem."""
    matrix, y, truth = planted(rows, p, seed, bound)
    found = bounding_ellipsoid(matrix, y, bound)
    information = [exactly(row) for row in found.information]
    return list(found.products), exactly(found.centre), information, truth, (matrix, y)


@pytest.mark.parametrize("narrow", [False, True])
@pytest.mark.parametrize("seed", range(2))
def test_no_feasible_point_is_lost(seed, narrow):
    matrix, y, truth = planted(200, 4, seed)
    found = bounding_ellipsoid(matrix, y, 0.25, narrow=matrix if narrow else None)
    points = feasible_points(matrix, y, 0.25, truth, 9000)
    assert found.estimated.distances(points).max() < 1.0
    assert found.estimated.distances(points).max() > 0.5  # and it is near them
    for point in points[::250]:
        exact = exactly(point)
        inside = all(
            abs(Fraction(float(b)) - sum(a * t for a, t in zip(exactly(row), exact, strict=True))) <= Fraction(0.25)
            for row, b in zip(matrix, y, strict=True)
        )
        assert not inside or found.contains(exact)


@pytest.mark.thorough
def test_of_many_points_of_fourteen_parameters_none_is_lost():
    matrix, y, truth = planted(300, 14, 5)
    found = bounding_ellipsoid(matrix, y, 0.25, (np.full(14, -2.0), np.full(14, 2.0)))
    points = feasible_points(matrix, y, 0.25, truth, 100_000)
    assert len(points) >= 100_000
    assert found.estimated.distances(points).max() < 1.0


def test_one_row_may_be_asked_to_be_narrow():
    matrix, y, truth = planted(60, 3, 2)
    wide, narrow = (bounding_ellipsoid(matrix, y, 0.25, narrow=rows) for rows in (None, matrix[:1]))
    assert narrow.contains(exactly(truth))
    assert narrow.estimated.half_widths(matrix[:1])[0] < wide.estimated.half_widths(matrix[:1])[0]


def test_between_volume_and_width_is_a_share():
    matrix, y, truth = planted(60, 3, 2)
    shares = [bounding_ellipsoid(matrix, y, 0.25, narrow=matrix[:1], mixed=share) for share in (0.0, 0.5, 1.0)]
    volumes = [found.estimated.log_determinant for found in shares]
    widths = [found.estimated.half_widths(matrix[:1])[0] for found in shares]
    assert shares[1].contains(exactly(truth))
    assert volumes[0] > volumes[1] > volumes[2]
    assert widths[0] < widths[1] < widths[2]
    alone = bounding_ellipsoid(matrix, y, 0.25)
    assert volumes[2] == pytest.approx(alone.estimated.log_determinant, abs=0.01)


def test_a_box_is_a_row_for_each_parameter():
    matrix, y, truth = planted(50, 3, 3)
    alone = bounding_ellipsoid(matrix[:, :2], y - matrix[:, 2] * truth[2], 0.25)
    wide = bounding_ellipsoid(matrix, y, 0.25, ([-np.inf] * 3, np.inf))
    held = bounding_ellipsoid(matrix, y, 0.25, ([-9, -9, truth[2] - 1e-6], [9, 9, truth[2] + 1e-6]))
    assert len(wide.centre) == 3
    assert held.centre[2] == pytest.approx(truth[2], abs=1e-5)
    assert held.centre[:2] == pytest.approx(alone.centre, abs=1e-3)


def test_each_row_may_have_a_bound_of_its_own():
    matrix, y, truth = planted(80, 3, 4)
    bounds = np.abs(y - matrix @ truth) + 0.01
    narrow, wide = bounding_ellipsoid(matrix, y, bounds), bounding_ellipsoid(matrix, y, 0.26)
    assert narrow.contains(exactly(truth))
    assert narrow.estimated.log_determinant < wide.estimated.log_determinant


def test_what_is_confirmed_is_a_proof():
    products, centre, information, _, _ = everything()
    assert proves(products, centre, information)


def forgeries():
    products, centre, information, _, _ = everything()
    p, tiny = len(centre), Fraction(1, 10**6)
    one, *rest = sorted(products, key=lambda product: -product.weight)

    def scaled(factor):
        return [replace(product, weight=product.weight * factor) for product in products]

    yield "larger information", products, centre, [[value * (1 + tiny) for value in row] for row in information]
    yield "negative weight", [replace(one, weight=-one.weight), *rest], centre, information
    yield "negative weight beside", [*products, replace(one, weight=Fraction(-1, 10**30))], centre, information
    yield "one product left out", rest, centre, information
    yield "one product twice", [one, *products], centre, information
    yield "no products", [], centre, information
    yield "all weights larger", scaled(1 + tiny), centre, information
    yield "all weights smaller", scaled(1 - tiny), centre, information
    for k in range(p):
        yield f"centre moved {k}", products, [c + (tiny if i == k else 0) for i, c in enumerate(centre)], information
        turned = [list(row) for row in information]
        turned[k][k] *= 1 + tiny
        yield f"information {k}", products, centre, turned
    lopsided = [list(row) for row in information]
    lopsided[0][1] += tiny
    yield "not symmetric", products, centre, lopsided
    yield "the other side", [replace(one, first=tuple(-a for a in one.first)), *rest], centre, information
    yield "a farther side", [replace(one, first=(*one.first[:-1], one.first[-1] + tiny)), *rest], centre, information
    yield "short half-space", [replace(one, first=one.first[1:]), *rest], centre, information
    yield "long half-space", [replace(one, second=(*one.second, Fraction(0))), *rest], centre, information
    yield "short centre", products, centre[1:], information
    yield "short matrix", products, centre, information[1:]
    yield "ragged matrix", products, centre, [information[0][1:], *information[1:]]
    yield "no ellipsoid", [], centre, [[Fraction(0)] * p for _ in range(p)]
    yield "flat", scaled(tiny), centre, [[Fraction(int(i == j == 0), 10**9) for j in range(p)] for i in range(p)]
    yield "indefinite", [], centre, [[-value for value in row] for row in information]
    yield "nothing", [], [], []


def test_forgeries_are_rejected():
    names = [name for name, *_ in forgeries()]
    assert len(set(names)) == len(names) == 26
    assert not [name for name, *forged in forgeries() if proves(*forged)]


def test_what_is_accepted_of_random_changes_loses_no_point():
    products, centre, information, truth, (matrix, y) = everything(p=2)
    points = [exactly(point) for point in feasible_points(matrix, y, 0.25 * (1 - 1e-9), truth, 60, chains=2)]
    information = [[value * Fraction(9, 10) for value in row] for row in information]
    products = [replace(one, weight=one.weight * Fraction(19, 20)) for one in products]
    random, accepted = np.random.default_rng(3), 0
    for _ in range(150):
        size = 10.0 ** random.uniform(-5, 0)
        changed = [replace(one, weight=one.weight * Fraction(abs(1 + size * random.normal()))) for one in products]
        moved = [c + Fraction(size * float(random.normal())) for c in centre]
        factor = Fraction(float(1 + size * random.normal()))
        shape = [[factor * value for value in row] for row in information]
        if proves(changed, moved, shape):
            accepted += 1
            for point in points:
                away = [a - b for a, b in zip(point, moved, strict=True)]
                turned = [sum(m * b for m, b in zip(row, away, strict=True)) for row in shape]
                assert sum(a * b for a, b in zip(away, turned, strict=True)) <= 1
    assert 10 < accepted < 140


def determinant(matrix):
    if not matrix:
        return 1
    return sum(
        (-1) ** j * matrix[0][j] * determinant([row[:j] + row[j + 1 :] for row in matrix[1:]])
        for j in range(len(matrix))
    )


def test_semidefinite_means_that_no_principal_minor_is_negative():
    random, seen = np.random.default_rng(2), set()
    for _ in range(400):
        root = random.integers(-2, 3, (int(random.integers(1, 5)), 4))
        matrix = root.T @ root - random.integers(0, 2) * np.diag(random.integers(0, 2, 4))
        rows = [[Fraction(int(value)) for value in row] for row in matrix]
        minors = [
            determinant([[rows[i][j] for j in places] for i in places])
            for size in range(1, 5)
            for places in combinations(range(4), size)
        ]
        leading = [determinant([row[:size] for row in rows[:size]]) for size in range(1, 5)]
        answers = all(minor >= 0 for minor in minors), all(minor > 0 for minor in leading)
        assert (positive_semidefinite(rows), positive_definite(rows)) == answers
        seen.add(answers)
    assert len(seen) == 3


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"matrix": np.ones((3, 2))}, "2 outputs for 3 rows"),
        ({"matrix": np.ones(2)}, "shape"),
        ({"matrix": [[1.0, np.nan], [0.0, 1.0]]}, "row 1"),
        ({"bound": [1.0, 0.0]}, "row 2 is 0"),
        ({"bound": [1.0, 1.0, 1.0]}, "3 bounds"),
        ({"box": ([0, 1], [1, 1])}, "parameter 2"),
        ({"matrix": [[1.0, 1.0], [2.0, 2.0]]}, "open"),
        ({"narrow": np.ones((3, 3))}, "narrow has the shape"),
        ({"narrow": np.zeros((3, 2))}, "not all 0"),
        ({"narrow": np.eye(2), "mixed": 1.5}, "mixed is 1.5"),
        ({"mixed": 0.5}, "rows in narrow"),
    ],
)
def test_what_is_no_problem_is_refused(change, told):
    given = {"matrix": np.eye(2), "y": np.ones(2), "bound": 1.0} | change
    with pytest.raises(InputError, match=told):
        bounding_ellipsoid(**given)


def test_rows_that_contradict_each_other_have_no_ellipsoid():
    matrix, y, _ = planted(50, 2, 1)
    y[10] += 5.0
    with pytest.raises(InputError, match="no parameters fit all rows"):
        certify.bounding_ellipsoid(matrix, y, 0.25)
