"""Weighted squares and ellipsoids of linear models, against their definitions and planted truth."""

import numpy as np
import pytest

from certify.problems.errors import InputError
from certify.solvers.linear_estimates.bound_choice import choose_bound
from certify.solvers.linear_estimates.ellipsoid import Ellipsoid, around_box
from certify.solvers.linear_estimates.ellipsoid_recursion import NotPositiveError, square_root_form, standard_form
from certify.solvers.linear_estimates.product_weights import smallest_by_products
from certify.solvers.linear_estimates.weighted_squares import weighted_squares


def planted(rows, p, seed, bound=0.3):
    random = np.random.default_rng(seed)
    matrix, truth = random.normal(size=(rows, p)), random.uniform(0.2, 1.8, p)
    return matrix, matrix @ truth + bound * random.uniform(-1, 1, rows), truth


def test_weighted_squares_are_what_they_say():
    matrix, y, _ = planted(90, 4, 1)
    groups = np.arange(90) % 3
    y += 0.2 * groups * np.random.default_rng(2).normal(size=90)
    found = weighted_squares(matrix, y, groups)
    for group in range(3):
        own, _, _, _ = np.linalg.lstsq(matrix[groups == group], y[groups == group], rcond=None)
        rest = y[groups == group] - matrix[groups == group] @ own
        assert found.of_groups[group] == pytest.approx(np.sqrt(rest @ rest / 26))
    weights = found.of_groups[groups] ** -2
    assert np.abs(matrix.T @ (weights * (y - matrix @ found.estimate))).max() < 1e-8
    covariance = np.linalg.inv(matrix.T @ (weights[:, None] * matrix))
    assert found.deviations == pytest.approx(np.sqrt(np.diag(covariance)))
    assert found.relative == pytest.approx(100 * found.deviations / np.abs(found.estimate))
    scales = np.array([1e-9, 1e9, 1.0, 1e3])
    assert weighted_squares(matrix * scales, y, groups).estimate * scales == pytest.approx(found.estimate)


def test_weighted_squares_refuse_what_determines_nothing():
    matrix, y, _ = planted(20, 3, 1)
    zeros = np.zeros(20, dtype=int)
    with pytest.raises(InputError, match="column 2"):
        weighted_squares(matrix * [1, 0, 1], y, zeros)
    with pytest.raises(InputError, match="full column rank"):
        weighted_squares(matrix[:, [0, 1, 1]], y, zeros)
    with pytest.raises(InputError, match="more rows"):
        weighted_squares(matrix[:3], y[:3], zeros[:3])


def test_both_forms_agree_and_keep_the_truth():
    matrix, y, truth = planted(400, 6, 3)
    start = around_box(np.zeros(6), np.full(6, 2.0))
    root, plain = (form(start, matrix / 0.3, y / 0.3) for form in (square_root_form, standard_form))
    assert root.used == plain.used > 20
    assert root.outliers == plain.outliers == ()
    assert np.abs(root.ellipsoid.centre - plain.ellipsoid.centre).max() < 1e-10
    assert root.ellipsoid.information == pytest.approx(plain.ellipsoid.information, rel=1e-8)
    assert root.ellipsoid.distances(truth[None])[0] < 1.0
    assert root.ellipsoid.log_determinant < start.log_determinant
    assert root.ellipsoid.log_determinant == pytest.approx(-np.linalg.slogdet(root.ellipsoid.information)[1])


def by_definition(before, d, y, alpha):
    """S3 eq. 28 with a weight of one's own choice: log det M^-1."""
    matrix = alpha * before.information + (1 - alpha) * np.outer(d, d)
    centre = np.linalg.solve(matrix, alpha * before.information @ before.centre + (1 - alpha) * d * y)
    left = alpha * before.distances(centre[None])[0] + (1 - alpha) * (y - d @ centre) ** 2
    return len(d) * np.log(1 - left) - np.linalg.slogdet(matrix)[1]


@pytest.mark.parametrize("seed", range(5))
def test_no_other_weight_gives_a_smaller_ellipsoid(seed):
    random = np.random.default_rng(seed)
    before = Ellipsoid(random.normal(size=3), np.triu(random.normal(size=(3, 3))) + 2 * np.eye(3))
    d = random.normal(size=3) * 5
    y = float(d @ before.centre + 0.7 * (1 + before.half_widths(d[None])[0]))
    found = square_root_form(before, d[None], np.array([y]))
    assert found.used == 1
    others = [by_definition(before, d, y, alpha) for alpha in np.linspace(0.01, 0.99, 197)]
    assert found.ellipsoid.log_determinant <= min(others) + 1e-12
    assert min(others) == pytest.approx(found.ellipsoid.log_determinant, abs=1e-2)


def test_rounding_breaks_the_standard_form_and_not_the_square_root():
    """Columns that differ by 10^7 and strips of 10^-3: M needs more than the digits of a double."""
    matrix, y, truth = planted(300, 5, 4, 1e-3)
    scales = np.array([1.0, 1e7, 1.0, 1e-3, 1e4])
    matrix, truth = matrix * scales + 1e-6 * scales[::-1], truth / scales
    y = matrix @ truth + 1e-3 * np.random.default_rng(5).uniform(-1, 1, 300)
    start = around_box(truth - 5.0 / scales, truth + 6.0 / scales)
    kept = square_root_form(start, matrix / 1e-3, y / 1e-3)
    assert kept.outliers == ()
    assert kept.ellipsoid.distances(truth[None])[0] < 1.0
    try:
        broken = standard_form(start, matrix / 1e-3, y / 1e-3)
    except NotPositiveError:
        return
    assert broken.outliers or broken.ellipsoid.distances(truth[None])[0] > 1.0


def test_a_strip_that_misses_the_ellipsoid_is_an_outlier():
    matrix, y, truth = planted(200, 3, 6)
    y[150] += 20.0
    found = square_root_form(around_box(np.zeros(3), np.full(3, 2.0)), matrix / 0.3, y / 0.3)
    assert found.outliers == (150,)
    assert found.ellipsoid.distances(truth[None])[0] < 1.0


def test_bounds_are_reached_within_the_ellipsoid():
    random = np.random.default_rng(7)
    ellipsoid = Ellipsoid(random.normal(size=3), np.triu(random.normal(size=(3, 3))) + 2 * np.eye(3))
    rows = random.normal(size=(5, 3))
    lower, upper = ellipsoid.bounds(rows)
    directions = random.normal(size=(20000, 3))
    points = np.linalg.solve(ellipsoid.root, (directions / np.linalg.norm(directions, axis=1)[:, None]).T).T
    values = (points + ellipsoid.centre) @ rows.T
    assert ((lower <= values.min(axis=0)) & (values.max(axis=0) <= upper)).all()
    assert values.max(axis=0) == pytest.approx(upper, abs=1e-2)
    assert ellipsoid.box()[0] == pytest.approx((points + ellipsoid.centre).min(axis=0), abs=1e-2)


def test_the_bound_is_raised_until_outliers_are_negligible():
    matrix, y, _ = planted(600, 4, 8, bound=0.075)  # 7.5 % of a range of 1
    tried = choose_bound(around_box(np.zeros(4), np.full(4, 2.0)), matrix, y, 1.0)
    assert [choice.share for choice in tried] == pytest.approx([0.05, 0.06, 0.07, 0.08][: len(tried)])
    assert len(tried) >= 3
    assert tried[0].found.outliers
    assert not tried[-1].found.outliers


def test_the_smallest_ellipsoid_of_a_box_is_known():
    found = smallest_by_products(np.eye(4), np.array([1.0, 2.0, 3.0, 4.0])).ellipsoid
    assert found.centre == pytest.approx([1.0, 2.0, 3.0, 4.0])
    assert found.information == pytest.approx(np.eye(4) / 4, abs=1e-4)


def test_the_narrowest_ellipsoid_of_a_box_is_known():
    """Of sum m_i a_i^2 <= 1 the smallest sum b_i^2 / m_i has 1 / m_i = a_i (sum a_k b_k) / b_i."""
    a, b = np.array([1.0, 2.0, 0.5]), np.array([3.0, 1.0, 10.0])
    found = smallest_by_products(np.diag(1 / a), np.zeros(3), np.diag(b)).ellipsoid
    assert np.linalg.inv(found.information) == pytest.approx(np.diag(a * (a @ b) / b), rel=1e-2, abs=1e-3)


def test_of_a_hexagon_no_weights_find_the_circle_through_its_corners():
    """By symmetry it is a circle, and E g_i g_j = 1 -+ d_i . d_j E |theta|^2 / 2 >= 0 lets E |theta|^2 be 2."""
    angles = np.pi / 3 * np.arange(3)
    hexagon = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    found = smallest_by_products(hexagon, np.zeros(3)).ellipsoid
    assert found.information == pytest.approx(np.eye(2) / 2, abs=1e-3)


def test_of_half_a_square_products_find_the_ellipse_through_its_corners():
    """x, y in [-1, 1] and x + y <= 0, as strips: no strip's own quadratic knows of the triangle."""
    rows, y = np.array([[1.0, 0.0], [0.0, 1.0], [0.1, 0.1]]), np.array([0.0, 0.0, -1.0])
    found = smallest_by_products(rows, y).ellipsoid
    corners = np.array([[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0]])
    assert found.centre == pytest.approx([-1 / 3, -1 / 3], abs=1e-3)
    assert found.distances(corners) == pytest.approx([1.0, 1.0, 1.0], abs=1e-3)


def test_weights_on_all_rows_at_once_do_better_than_one_row_after_the_other():
    matrix, y, truth = planted(500, 5, 9)
    rows, outputs = np.vstack([matrix / 0.3, np.eye(5)]), np.append(y / 0.3, np.ones(5))
    found = smallest_by_products(rows, outputs)
    recursion = square_root_form(around_box(np.zeros(5), np.full(5, 2.0)), matrix / 0.3, y / 0.3).ellipsoid
    assert found.ellipsoid.log_determinant < recursion.log_determinant - 10.0
    other = smallest_by_products(rows, outputs, matrix[:50]).ellipsoid
    assert found.ellipsoid.log_determinant < other.log_determinant
    widths = [(one.half_widths(matrix[:50]) ** 2).mean() for one in (other, found.ellipsoid)]
    assert widths[0] < widths[1]
    assert found.ellipsoid.distances(truth[None])[0] < 1.0
    sides = np.vstack([np.column_stack([rows, 1 - outputs]), np.column_stack([-rows, 1 + outputs]), np.eye(6)[-1:]])
    for point in truth + 0.01 * np.random.default_rng(1).normal(size=(10, 5)):  # the weighted sum is the ellipsoid
        values = sides @ np.append(point, 1.0)
        total = (found.weights * values[found.pairs[:, 0]] * values[found.pairs[:, 1]]).sum()
        assert total == pytest.approx(1 - found.ellipsoid.distances(point[None])[0], abs=1e-6)


def test_open_directions_are_refused():
    with pytest.raises(InputError, match="open"):
        smallest_by_products(np.array([[1.0, 0.0], [2.0, 0.0]]), np.zeros(2))
