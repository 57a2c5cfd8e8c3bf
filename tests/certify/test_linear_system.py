"""Interval linear systems through their door, against hulls that are known exactly from the literature."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import certify
from certify import InputError
from certify.contractors.linear.linear_system import LinearVerdict
from certify.interval import Interval

BARTH_NUDING = [[(2, 4), (-2, 1)], [(-1, 2), (2, 4)]], [(-2, 2), (-2, 2)]
HANSEN = [[(2, 3), (0, 1)], [(1, 2), (2, 3)]], [(0, 120), (60, 240)]
HULLS = {"Barth and Nuding": (*BARTH_NUDING, [(-4, 4), (-4, 4)]), "Hansen": (*HANSEN, [(-120, 90), (-60, 240)])}
METHODS = ["hull", "preconditioned", "beaumont", "gauss-seidel"]


def corners(matrix, right):
    """Solutions at the ends of all entries, exactly."""
    for a, b, c, d, e, f in product(*(map(Fraction, pair) for pair in (*matrix[0], *matrix[1], *right))):
        if (under := a * d - b * c) != 0:
            yield (e * d - b * f) / under, (a * f - c * e) / under


@pytest.mark.parametrize("name", HULLS)
@pytest.mark.parametrize("method", METHODS)
def test_every_solution_lies_in_the_box(name, method):
    matrix, right, hull = HULLS[name]
    answer = certify.linear_system(matrix, right, method=method)
    assert answer.verdict is LinearVerdict.BOUNDED
    for point in corners(matrix, right):
        assert all(value in side for value, side in zip(point, answer.box, strict=True))
        assert answer.has(point)
    if method == "hull":
        for side, (low, high) in zip(answer.box, hull, strict=True):
            assert low - Fraction(1, 10**9) < Fraction(side.lower) <= low
            assert high <= Fraction(side.upper) < high + Fraction(1, 10**9)
    assert "not certified: every solution" in str(answer)
    assert all(str(side) in str(answer) for side in answer.box)


@pytest.mark.parametrize("seed", range(30))
def test_a_hull_is_a_hull(seed):
    """Of a regular system the ends are solutions at ends of all entries, which are few enough to try them all."""
    random = np.random.default_rng(seed)

    def drawn(*shape):
        middle, half = random.integers(-5, 6, shape), random.integers(0, 5, shape)
        return np.stack([4 * middle - half, 4 * middle + half], axis=-1).tolist()

    matrix, right = drawn(2, 2), drawn(2)
    answer = certify.linear_system(matrix, right)
    points = list(corners(matrix, right))
    sizes = [a * d - b * c for a, b, c, d in product(*matrix[0], *matrix[1])]
    if answer.verdict is not LinearVerdict.BOUNDED:
        assert min(sizes) <= 0 <= max(sizes)  # some matrix is singular, as a determinant is linear in each entry
        assert answer.verdict is not LinearVerdict.EMPTY or not points
        return
    assert len(points) == 64
    for side, values in zip(answer.box, zip(*points, strict=True), strict=True):
        near = Fraction(1, 10**9) * (1 + max(map(abs, values)))
        assert min(values) - near < Fraction(side.lower) <= min(values)
        assert max(values) <= Fraction(side.upper) < max(values) + near


def test_a_third_is_a_third():
    """Texts, fractions, decimals and intervals are exact; doubles are what they are."""
    (x, y) = certify.linear_system([["1/3", Interval(0)], [0, Fraction(1, 10)]], [1, "0.1"]).box
    assert 3 in x
    assert 1 in y
    assert x.width < 1e-14
    (z,) = certify.linear_system(np.array([[0.1]]), np.array([1.0])).box
    assert 1 / Fraction(0.1) in z
    (w,) = certify.linear_system((np.array([[2.0]]), np.array([[4.0]])), [1]).box
    assert Interval(0.25, 0.5) in w
    assert w in Interval("0.24999999999999", "0.50000000000001")


def test_what_is_said_of_points_is_true_of_the_entries_that_were_given():
    """Rounded outwards, these entries take in a singular matrix and points that solve nothing."""
    tenth = certify.linear_system([["0.1"]], ["0.1"])
    assert tenth.has([1])
    assert not tenth.has([1 + Fraction(1, 10**18)])
    assert certify.linear_system([["[1/3]"]], ["1?"]).has([Fraction(3, 2)])
    regular = certify.linear_system([["0.1", "0.2"], ["0.3", "0.6000000000000000001"]], [1, 3])
    assert (regular.verdict, regular.ray) == (LinearVerdict.NOT_PROVED, None)
    assert "it is not known whether" in str(regular)
    assert regular.has([10, 0])
    assert not regular.has([8, 1])
    singular = certify.linear_system([["0.1", "0.2"], ["0.3", "0.6"]], [1, 3])
    assert singular.verdict is LinearVerdict.UNBOUNDED
    assert singular.has([8, 1])


def test_no_solution_and_no_bounds_are_told():
    none = certify.linear_system([[1, 2], [2, 4]], [1, 3])
    assert none.verdict is LinearVerdict.EMPTY
    assert all(side.is_empty for side in none.box)
    assert "there is no solution" in str(none)
    assert repr(none) == "<LinearAnswer about 2 x 2: empty>"
    far = certify.linear_system([[1, 2], [2, 4]], [1, 2])
    assert far.verdict is LinearVerdict.UNBOUNDED
    point, direction = far.ray
    for t in (0, 1, 10**6):
        assert far.has([Fraction(p) + t * Fraction(d) for p, d in zip(point, direction, strict=True)])
    assert "the solutions have no bounds" in str(far)
    unknown = certify.linear_system([[1, 2], [2, 4]], [1, 2], method="preconditioned")
    assert unknown.verdict is LinearVerdict.NOT_PROVED
    assert "it is not known whether the solutions have bounds" in str(unknown)
    with pytest.raises(TypeError, match="no truth value"):
        bool(none)


@pytest.mark.parametrize("method", METHODS)
def test_a_box_is_narrowed(method):
    """Of x + 2 y = 1 in the unit square remains y in [0, 1/2]."""
    answer = certify.linear_system([[1, 2], [2, 4]], [1, 2], [(0, 1), (0, 1)], method=method)
    assert answer.verdict is LinearVerdict.BOUNDED
    for x in (0, Fraction(1, 3), 1):
        point = (x, (1 - Fraction(x)) / 2)
        assert all(value in side for value, side in zip(point, answer.box, strict=True))
    assert answer.box[1].upper < 0.51 or method == "preconditioned"
    assert "in the box that was given" in str(answer)
    away = certify.linear_system([[1, 2], [2, 4]], [1, 2], [(3, 4), (3, 4)], method=method)
    assert away.verdict is LinearVerdict.EMPTY or method == "preconditioned"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (([[1, 2], [3]], [1, 2]), "2, 1 entries"),
        (([[1, "x"], [3, 4]], [1, 2]), "entry 1 of row 0 of the matrix: 'x' is no number"),
        (([[1, (3, 2)], [3, 4]], [1, 1]), "no real number lies between 3 and 2"),
        (([[1, "[1, inf]"], [3, 4]], [1, 1]), "finite"),
        (([[1, 2], [3, 4]], [1]), "2 rows"),
        (([], []), "at least one row"),
        (([[1]], [1], [(0, 1), (0, 1)]), "2 sides"),
        (([[1, float("nan")]], [1]), "NaN"),
    ],
)
def test_bad_input_gets_a_sentence(words, message):
    with pytest.raises(InputError, match=message):
        certify.linear_system(*words)


def test_methods_say_what_they_need():
    with pytest.raises(InputError, match="'simplex'; choose hull"):
        certify.linear_system([[1]], [1], method="simplex")
    with pytest.raises(InputError, match="give one"):
        certify.linear_system([[1, 2], [2, 4]], [1, 2], method="beaumont")


def test_many_unknowns_are_preconditioned():
    n = 40
    answer = certify.linear_system(np.eye(n) * 2.0, np.ones(n))
    assert answer.method == "preconditioned"
    assert all(Fraction(1, 2) in side and side.width < 1e-14 for side in answer.box)
