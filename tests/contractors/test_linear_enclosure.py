"""Enclosures of interval linear systems against exact rational solutions: no tolerance anywhere."""

from fractions import Fraction

import flint
import numpy as np
import pytest
from exact_systems import exact, inside, members, random_system, solve_exactly
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import certify
from certify.contractors.linear import enclosure as linear_enclosure
from certify.contractors.linear.enclosure import contracting_vector, enclose
from certify.contractors.linear.linear_system import LinearVerdict, interval_system, times_power
from certify.contractors.linear.products import magnitude_product, middle_and_radius, product, residual
from certify.contractors.linear.weights import is_ray, is_solution, least_values


@pytest.mark.parametrize("small", [0, 64])
@settings(max_examples=150)
@given(seed=st.integers(0, 10**9), spread=st.sampled_from([0.0, 5.0, 60.0]))
def test_solutions_of_members_are_inside(small, seed, spread):
    system, rng = random_system(seed, spread)
    kept, linear_enclosure._SMALL = linear_enclosure._SMALL, small
    try:
        answer = enclose(system)
    finally:
        linear_enclosure._SMALL = kept
    assert answer.verdict in (LinearVerdict.BOUNDED, LinearVerdict.NOT_PROVED)
    for matrix, right in members(system, rng, 6):
        x = solve_exactly(matrix, right)
        if answer.verdict is LinearVerdict.BOUNDED:
            assert x is not None, "a singular member of a matrix that is said to be regular"
        if x is not None:
            assert inside(answer, x)


@settings(max_examples=100)
@given(seed=st.integers(0, 10**9))
def test_larger_rectangular_systems(seed):
    """More rows than unknowns: a member is made to have a solution, and that is inside; a far right-hand side is
    refuted or not, but never wrongly."""
    rng = np.random.default_rng(seed)
    columns = int(rng.integers(1, 5))
    rows = columns + int(rng.integers(1, 5))
    matrix = rng.integers(-64, 65, (rows, columns)) / 64
    x = rng.integers(-64, 65, columns) / 16
    radius = 2.0 ** -int(rng.integers(4, 40))
    right = matrix @ x  # exact: short dyadic numbers
    system = interval_system(matrix - radius, matrix + radius, right - radius, right + radius)
    answer = enclose(system)
    assert answer.verdict is not LinearVerdict.EMPTY
    assert inside(answer, [exact(v) for v in x])


def test_contradicting_rows_are_found_empty():
    system = interval_system([[1, 0], [0, 1], [1, 1]], [[1.01, 0], [0, 1], [1, 1]], [1, 1, 3], [1, 1, 3])
    answer = enclose(system)
    assert answer.verdict is LinearVerdict.EMPTY
    assert (answer.lower > answer.upper).all()
    touching = interval_system([[1], [1]], [[1], [1]], [0, 1], [1, 2])
    assert inside(enclose(touching), [Fraction(1)])


def test_point_systems_are_solved_to_the_last_digit():
    rng = np.random.default_rng(0)
    for n in (5, 30, 90):
        matrix, right = rng.integers(-512, 513, (n, n)) / 512, rng.integers(-512, 513, n) / 512
        answer = enclose(interval_system(matrix, matrix, right, right))
        assert answer.verdict is LinearVerdict.BOUNDED
        assert (answer.upper <= np.nextafter(np.nextafter(answer.lower, np.inf), np.inf)).all()
        if n < 40:
            x = solve_exactly([[exact(v) for v in row] for row in matrix], [exact(v) for v in right])
            assert inside(answer, x)


def rational(value):
    p, q = float(value).as_integer_ratio()
    return flint.fmpq(p, q)


@pytest.mark.parametrize(
    ("size", "radius", "decades"),
    [(70, 0.0, 0), (70, 1e-9, 3), (90, 1e-6, 0), (90, 0.0, 10), (70, 0.0, 13), (66, 1e-5, 1)],
)
def test_large_systems_against_exact_solutions(size, radius, decades):
    """The way through matrix products of the library, and for condition numbers about 10^decades and more."""
    rng = np.random.default_rng(size + decades)
    left, _, right = np.linalg.svd(rng.uniform(-1, 1, (size, size)))
    middle = (left * np.geomspace(1.0, 10.0**-decades, size)) @ right if decades else rng.uniform(-1, 1, (size, size))
    vector = rng.uniform(-1, 1, size)
    system = interval_system(middle - radius, middle + radius, vector - radius, vector + radius)
    answer = enclose(system)
    assert answer.verdict is LinearVerdict.BOUNDED
    for _ in range(2):
        sides, right_sides = rng.integers(0, 2, (size, size)), rng.integers(0, 2, size)
        matrix = np.where(sides, system.upper, system.lower)
        column = np.where(right_sides, system.right_upper, system.right_lower)
        exact_matrix = flint.fmpq_mat(size, size, [rational(v) for v in matrix.ravel()])
        x = exact_matrix.solve(flint.fmpq_mat(size, 1, [rational(v) for v in column]))
        for i in range(size):
            assert rational(answer.lower[i]) <= x[i, 0] <= rational(answer.upper[i])


@pytest.mark.parametrize("n", [3, 6, 9, 11, 12, 13, 14])
def test_hilbert_matrices(n):
    """As decimals that doubles can only enclose, and the doubles themselves: condition numbers from 500 to 1e18."""
    rows = [[(Fraction(1, i + j + 1),) * 2 for j in range(n)] for i in range(n)]
    system = certify.linear_system(rows, [1] * n, method="preconditioned").system
    answer = enclose(system)
    assert inside(answer, solve_exactly([[pair[0] for pair in row] for row in rows], [Fraction(1)] * n))
    assert answer.verdict is LinearVerdict.BOUNDED or n >= 12
    points = interval_system(system.lower, system.lower, system.right_lower, system.right_lower)
    answer = enclose(points)
    assert answer.verdict is LinearVerdict.BOUNDED
    assert inside(answer, solve_exactly([[exact(v) for v in row] for row in points.lower], [Fraction(1)] * n))
    assert (answer.upper - answer.lower <= 1e-12 * np.abs(answer.upper)).all()


EXTREME = [1e300, 1e-300, 5e-324, 2.0**-1050, 1.0, 1e-160, 1e160]


@settings(max_examples=200)
@given(seed=st.integers(0, 10**9))
def test_extreme_magnitudes(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 4))
    matrix = rng.choice([-3.0, 0.0, 1.0, 2.0], (n, n)) * rng.choice(EXTREME, (n, 1) if seed % 2 else (n, n))
    right = rng.choice([-1.0, 0.0, 1.0, 2.0], n) * rng.choice(EXTREME, n)
    with np.errstate(over="ignore"):
        upper = np.minimum(matrix + np.abs(matrix) * rng.choice([0.0, 1e-8]), 1e301)
    answer = enclose(interval_system(matrix, upper, right, right))
    assert answer.verdict in (LinearVerdict.BOUNDED, LinearVerdict.NOT_PROVED)
    x = solve_exactly([[exact(v) for v in row] for row in upper], [exact(v) for v in right])
    assert x is None or inside(answer, x)
    if answer.verdict is LinearVerdict.BOUNDED:
        assert x is not None


def test_a_singular_middle_is_not_proved():
    for matrix in (np.zeros((2, 2)), np.ones((3, 3)), np.ones((70, 70)), np.array([[1.0, 2.0], [2.0, 4.0]])):
        n = len(matrix)
        answer = enclose(interval_system(matrix - 0.25, matrix + 0.25, np.ones(n), np.ones(n)))
        assert answer.verdict is LinearVerdict.NOT_PROVED
        assert np.isinf(answer.lower).all()


def test_fewer_equations_than_unknowns_are_not_proved():
    assert enclose(interval_system([[1, 2]], [[1, 2]], [1], [1])).verdict is LinearVerdict.NOT_PROVED


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([[np.nan]], [[1]], [1], [1]), "finite numbers"),
        (([[1]], [[np.inf]], [1], [1]), "finite numbers"),
        (([[1]], [[1]], [-np.inf], [1]), "right-hand side is -inf"),
        (([[2]], [[1]], [1], [1]), "lower end 2.0 above"),
        (([[1]], [[1, 2]], [1], [1]), "must agree"),
        (([[1]], [[1]], [1, 2], [1, 2]), "1 rows"),
        (([], [], [], []), "at least one row"),
        (([1], [1], [1], [1]), "at least one row"),
    ],
)
def test_bad_input_gets_a_sentence(arguments, message):
    with pytest.raises(ValueError, match=message):
        interval_system(*arguments)


def test_a_dominant_matrix_gets_its_hull():
    """Where the middle is the identity the enclosure is the hull (Rohn): the ends are attained by members."""
    half = np.array([[0.125, 0.25], [0.0625, 0.125]])
    system = interval_system(np.eye(2) - half, np.eye(2) + half, [1.0, -0.5], [1.5, 0.25])
    answer = enclose(system)
    reached_low, reached_high = np.full(2, np.inf), np.full(2, -np.inf)
    for number in range(2**6):
        bits = [(number >> k) & 1 for k in range(6)]
        matrix = np.where(np.array(bits[:4]).reshape(2, 2), system.upper, system.lower)
        right = np.where(bits[4:], system.right_upper, system.right_lower)
        x = solve_exactly([[exact(v) for v in row] for row in matrix], [exact(v) for v in right])
        assert inside(answer, x)
        reached_low, reached_high = (
            np.minimum(reached_low, [float(v) for v in x]),
            np.maximum(reached_high, [float(v) for v in x]),
        )
    assert np.allclose(answer.lower, reached_low, rtol=1e-12, atol=0)
    assert np.allclose(answer.upper, reached_high, rtol=1e-12, atol=0)


@settings(max_examples=150)
@given(seed=st.integers(0, 10**9))
def test_products_are_enclosed(seed):
    rng = np.random.default_rng(seed)
    rows, inner, columns = (int(k) for k in rng.integers(1, 7, 3))
    spread = rng.choice([0, 8, 150, 290])
    left = rng.standard_normal((rows, inner)) * 10.0 ** rng.uniform(-spread, spread, (rows, inner))
    middle = rng.standard_normal((inner, columns)) * 10.0 ** rng.uniform(-spread, spread, (inner, columns))
    radius = np.abs(middle) * rng.choice([0.0, 1e-17, 1e-3])
    centre, spread_found = product(left, middle, radius)
    size = magnitude_product(np.abs(left), np.abs(middle))
    signs = rng.choice([-1, 0, 1], (inner, columns))
    for i in range(rows):
        for j in range(columns):
            terms = [
                exact(left[i, k]) * (exact(middle[k, j]) + int(signs[k, j]) * exact(radius[k, j])) for k in range(inner)
            ]
            if np.isfinite(spread_found[i, j]):
                assert abs(sum(terms) - exact(centre[i, j])) <= exact(spread_found[i, j])
            if np.isfinite(size[i, j]):
                assert sum(abs(exact(left[i, k]) * exact(middle[k, j])) for k in range(inner)) <= exact(size[i, j])


@settings(max_examples=150)
@given(seed=st.integers(0, 10**9))
def test_residuals_are_enclosed(seed):
    rng = np.random.default_rng(seed)
    rows, columns = (int(k) for k in rng.integers(1, 8, 2))
    spread = rng.choice([0, 8, 100, 200])
    matrix, x = (
        rng.standard_normal((rows, columns)) * 10.0 ** rng.uniform(-spread, 0, (rows, columns)),
        rng.standard_normal(columns),
    )
    right = matrix @ x
    value, radius = residual(matrix, x, right)
    for i in range(rows):
        truth = exact(right[i]) - sum(exact(matrix[i, j]) * exact(x[j]) for j in range(columns))
        assert abs(truth - exact(value[i])) <= exact(radius[i])
    assert np.isinf(residual(np.array([[1e200]]), np.array([1.0]), np.array([1.0]))[1]).all()


anything = st.floats(allow_nan=False, allow_infinity=False)


@given(anything, anything)
def test_middles_and_radii_enclose(a, b):
    low, high = min(a, b), max(a, b)
    middle, radius = middle_and_radius(np.array([low]), np.array([high]))
    assert radius[0] == np.inf or exact(middle[0]) - exact(radius[0]) <= exact(low) <= exact(high) <= exact(
        middle[0]
    ) + exact(radius[0])


@given(anything, st.integers(-2200, 2200))
def test_powers_of_two_round_outwards(value, exponent):
    low, high = (float(times_power(np.array([value]), np.array([exponent]), d)[0]) for d in (-np.inf, np.inf))
    truth = exact(value) * (Fraction(2) ** exponent)
    assert low == -np.inf or exact(low) <= truth
    assert high == np.inf or truth <= exact(high)


@settings(max_examples=150)
@given(seed=st.integers(0, 10**9))
def test_weights_bound_every_solution(seed):
    """Any weights whatever, on boxes that may be half-lines: the bound holds at solutions of members."""
    system, rng = random_system(seed)
    columns = system.shape[1]
    matrix, right = next(members(system, rng, 1))
    x = solve_exactly(matrix, right)
    assume(x is not None and max(abs(v) for v in x) < 10**6)
    low = np.array([np.nextafter(float(v), -np.inf) for v in x]) - rng.choice([0.0, 1.0, np.inf], columns)
    high = np.array([np.nextafter(float(v), np.inf) for v in x]) + rng.choice([0.0, 1.0, np.inf], columns)
    rows = system.shape[0]
    p, q = (rng.choice([0.0, 1.0, 1.0], (4, rows)) * 10.0 ** rng.uniform(-9, 9, (4, rows)) for _ in range(2))
    c = rng.choice([0.0, 1.0, -1.0, 0.1], (4, columns))
    for k, bound in enumerate(least_values(system, low, high, c, p, q)):
        assert bound == -np.inf or exact(bound) <= sum(exact(c[k, j]) * x[j] for j in range(columns))


def test_membership_and_rays_are_decided_exactly():
    system = interval_system([[-1, -2], [1, 1]], [[1, 2], [1, 1]], [2, 0], [2, 0])
    assert is_solution(system, np.array([1.0, -1.0]))
    assert not is_solution(system, np.array([0.5, -0.5]))  # |x_1| + 2 |x_2| reaches 1.5
    assert is_solution(system, np.array([2.0 / 3.0, -2.0 / 3.0])) == (3 * Fraction(2.0 / 3.0) >= 2)
    assert is_ray(system, np.array([1.0, -1.0]), np.array([1.0, -1.0]))
    assert not is_ray(system, np.array([1.0, -1.0]), np.array([-1.0, 1.0]))
    assert not is_ray(system, np.array([1.0, -1.0]), np.array([0.0, 0.0]))


@settings(max_examples=100)
@given(seed=st.integers(0, 10**9))
def test_a_contracting_vector_is_one(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 6))
    matrix = rng.random((n, n)) * rng.choice([0.01, 0.3, 1.0])
    found = contracting_vector(matrix)
    if found is not None:
        w, v = found
        for i in range(n):
            assert exact(v[i]) > 0
            assert exact(w[i]) - sum(exact(matrix[i, j]) * exact(w[j]) for j in range(n)) >= exact(v[i])
