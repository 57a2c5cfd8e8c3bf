"""Linear models whose coefficients are intervals, against linear programs orthant by orthant, exact numbers, planted
values; what is degenerate or hostile.
"""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy.optimize import linprog

from certify import InputError, Options, Verdict, linear
from certify.checker import check as first_check
from certify.checker_arb import check as second_check
from certify.problems.regressors.interval_regressor import IntervalRegressor, with_errors
from certify.problems.regressors.regressor import regressor
from certify.problems.regressors.sided_rows import sided
from certify.regressors.emission import Emission
from certify.regressors.exact_bounds import Weighted
from certify.regressors.pieces import Piece
from certify.solvers.limits import Stopped

NEAR = 1e-7


def both_accept(answer):
    data = b"".join(answer.problem.canonical())
    for name, text in answer.documents:
        words = {check(data, text).status.name for check in (first_check, second_check)}
        assert words == {"VERIFIED"}, (name, words)


def random_problem(seed, sizes=(1, 2, 3), rows=(3, 9), box=None):
    """Few rows with intervals around small numbers, some of which are not off; signs of all kinds."""
    rng = np.random.default_rng(seed)
    size, count = int(rng.choice(sizes)), int(rng.integers(*rows))
    W = rng.integers(-3, 4, (count, size)) * 0.5 + rng.normal(size=(count, size)) * rng.choice([0.0, 0.3])
    half = rng.choice([0.0, 0.01, 0.05, 0.1], (count, size))
    planted = rng.choice([-1.0, -0.02, 0.0, 0.03, 1.0, 1.5], size)
    bound = float(rng.choice([0.05, 0.1, 0.4]))
    y = (W + rng.uniform(-1, 1, W.shape) * half) @ planted + rng.uniform(-1, 1, count) * bound * rng.choice([0.9, 1.5])
    return W, half, y, bound, box or [(-2.0, 3.0)] * size, planted


def truth(problem):
    """By Oettli and Prager, orthant by orthant: the least error beyond the bounds, and the hull of what fits."""
    size, ends = problem.size, np.array([[float(end) for end in pair] for pair in problem.box])
    low, high = (problem.low, problem.high) if isinstance(problem, IntervalRegressor) else (problem.matrix,) * 2
    upper, lower = problem.upper + float(problem.base), problem.lower - float(problem.base)
    least, hull = np.inf, [[np.inf, -np.inf] for _ in range(size)]
    for signs in product((True, False), repeat=size):
        above, below = np.where(signs, low, high), np.where(signs, high, low)
        rows, limits = np.vstack([above, -below]), np.concatenate([upper, -lower])
        bounds = [
            (max(a, 0.0), b) if positive else (a, min(b, 0.0))
            for positive, (a, b) in zip(signs, ends.tolist(), strict=True)
        ]
        if any(a > b for a, b in bounds):
            continue
        wide = np.column_stack([rows, -np.ones(len(rows))])
        found = linprog(np.eye(size + 1)[-1], wide, limits, bounds=[*bounds, (None, None)])
        least = min(least, found.fun)
        for j, k in product(range(size), (0, 1)):
            face = linprog((1, -1)[k] * np.eye(size)[j], rows, limits, bounds=bounds)
            if face.status == 0:
                hull[j][k] = (min, max)[k](hull[j][k], face.x[j])
    return least, hull


@pytest.mark.parametrize("seed", range(24))
def test_ends_are_those_of_all_orthants(seed):
    W, half, y, bound, box, _ = random_problem(seed)
    answer = linear(W, y, bound, box, W_error=half)
    both_accept(answer)
    least, hull = truth(answer.problem)
    assert answer.error.lower <= max(least, 0) + NEAR
    assert answer.error.upper is None or answer.error.upper >= max(least, 0) - NEAR
    if least > 1e-6:
        assert answer.verdict is Verdict.INADEQUATE
        assert answer.error.upper - answer.error.lower <= 0.01 * float(answer.error.upper) + NEAR
        return
    if least < -1e-6:
        assert answer.verdict is Verdict.ADEQUATE
    for (low, high), (least_end, greatest), (a, b) in zip(answer.box, hull, box, strict=True):
        assert low <= least_end + NEAR
        assert high >= greatest - NEAR
        if least < -1e-3:
            assert least_end - low <= 0.0101 * (b - a)
            assert high - greatest <= 0.0101 * (b - a)
    for face in answer.faces:
        assert face.reached is None or face.sign * face.reached <= face.at


@pytest.mark.parametrize("seed", range(12))
def test_points_of_any_matrix_within_the_ends_are_not_excluded(seed):
    """Planted ones, and the corners of what fits for matrices at the ends of the intervals."""
    W, half, y, bound, box, _ = random_problem(100 + seed, sizes=(2,), rows=(3, 6))
    answer = linear(W, y, bound, box, W_error=half)
    rng = np.random.default_rng(seed)
    for _ in range(20):
        chosen = np.where(rng.random(W.shape) < 0.5, answer.problem.low, answer.problem.high)
        for sign, j in product((1, -1), range(2)):
            rows, limits = np.vstack([chosen, -chosen]), np.concatenate([y + bound, bound - y])
            found = linprog(sign * np.eye(2)[j], rows, limits, bounds=box)
            if found.status == 0:
                assert answer.verdict is not Verdict.INADEQUATE or answer.error.lower < NEAR
                assert all(
                    low <= x + NEAR and x - NEAR <= high for x, (low, high) in zip(found.x, answer.box, strict=True)
                )


def planted(rows=200, size=4, seed=1, positive=False):
    rng = np.random.default_rng(seed)
    W, half = rng.normal(size=(rows, size)), 0.02 * np.abs(rng.normal(size=(rows, size)))
    theta = rng.uniform(0.1, 2, size) if positive else rng.choice([-1, 1], size) * rng.choice([0.02, 1.0], size)
    y = (W + rng.uniform(-1, 1, W.shape) * half) @ theta + rng.uniform(-0.1, 0.1, rows)
    return W, half, y, theta


def test_parameters_of_known_sign_have_exact_ends_and_few_rows():
    W, half, y, theta = planted(positive=True)
    answer = linear(W, y, "0.1", [(0, None)] * 4, W_error=half)
    both_accept(answer)
    _, hull = truth(answer.problem)
    assert len(answer.faces) == 8
    assert answer.stopped is Stopped.FINISHED
    for (low, high), ends, x in zip(answer.box, hull, theta, strict=True):
        assert low <= x <= high
        assert np.allclose([float(low), float(high)], ends, rtol=0, atol=NEAR)
    assert all(face.at - face.sign * face.reached < Fraction(1, 10**9) for face in answer.faces)
    assert all(1 <= len(face.rows) <= 4 for face in answer.faces)


def test_without_prior_ranges_signs_are_found():
    W, half, y, theta = planted()
    answer = linear(W, y, "0.1", W_error=half)
    both_accept(answer)
    _, hull = truth(answer.problem)
    assert len(answer.faces) == 8
    for (low, high), ends, x in zip(answer.box, hull, theta, strict=True):
        assert low <= x <= high
        assert low <= ends[0] + NEAR
        assert high >= ends[1] - NEAR
        assert float(high - low) <= 1.05 * (ends[1] - ends[0])


def test_factors_on_half_widths_have_both_ends():
    W, half, y, _ = planted(60, 2, positive=True)
    for box in ([(0, None)] * 2, None):
        answer = linear(W, y, "0.06", box, W_error=half)
        both_accept(answer)
        for needed, scaled in ((answer.factor, True), (answer.half_widths, False)):
            low, high = float(needed.lower), float(needed.upper)
            assert low < high < low * (1 + 1e-8)
            for factor, fits in ((low * 0.999, False), (high * 1.001, True)):
                stated = regressor(W, y, Fraction(0.06 * (factor if scaled else 1)), box)
                least, _ = truth(with_errors(stated, half * factor))
                assert (least <= 0) is fits


def test_half_widths_that_cannot_help_are_proved_not_to():
    """The second and third row, whose coefficients are known exactly, contradict each other."""
    W, half = np.array([[1.0], [1.0], [1.0]]), np.array([[0.1], [0.0], [0.0]])
    answer = linear(W, np.array([1.0, 1.0, 2.0]), "0.1", [(0, 9)], W_error=half)
    both_accept(answer)
    assert answer.verdict is Verdict.INADEQUATE
    assert answer.half_widths.lower == 2**40
    assert answer.half_widths.upper is None
    assert abs(answer.factor.upper - 5) < 1e-6
    assert answer.error.upper - answer.error.lower < Fraction(1, 10**9)


def test_what_is_given_as_ends_columns_or_one_number_is_the_same():
    W, _, y, _ = planted(40, 2, positive=True)
    column = np.array([0.25, 0.5])
    found = [
        linear(W, y, 1, [(0, 9)] * 2, W_error=given).box
        for given in (column, [Fraction(1, 4), "0.5"], np.tile(column, (40, 1)))
    ]
    assert found[0] == found[1] == found[2]
    low, high = (sided(with_errors(regressor(W, y, 1), column), [(0, 9)] * 2).along(slice(0, 40), s) for s in (1, -1))
    assert linear(W, y, 1, [(0, 9)] * 2, W_error=(low, high)).box == found[0]
    assert isinstance(linear(W, y, 1, [(0, 9)] * 2, W_error=0.5).problem, IntervalRegressor)
    assert not isinstance(linear(W, y, 1, [(0, 9)] * 2, W_error=0).problem, IntervalRegressor)


def test_a_half_width_is_never_rounded_inwards():
    W, y = np.array([[1.0], [1e16], [0.3]]), np.ones(3)
    problem = with_errors(regressor(W, y, 1), "0.1")
    for row in range(3):
        assert Fraction(float(problem.low[row, 0])) <= Fraction(float(W[row, 0])) - Fraction("0.1")
        assert Fraction(float(problem.high[row, 0])) >= Fraction(float(W[row, 0])) + Fraction("0.1")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (-0.1, "negative"),
        ([0.1], "1 half-widths for 2 columns"),
        (np.zeros((3, 3)), "has the shape"),
        (np.nan, "finite number"),
        ("much", "finite number"),
        ((np.ones((40, 2)), np.zeros((40, 2))), "exceeds the upper end"),
        ((np.ones((4, 2)), np.ones((40, 2))), "shapes"),
        ((np.ones((40, 2)),), "tuple of 1"),
        ((np.full((40, 2), 9.0),) * 2, "outside of their ends"),
        (np.full((40, 2), np.inf), "is no number"),
        (np.full((40, 2), 1e308), None),
    ],
)
def test_half_widths_that_are_none_are_refused(given, said):
    W, _, y, _ = planted(40, 2)
    if said is None:
        both_accept(linear(W, y, 1, [(-1, 1)] * 2, W_error=given))
        return
    with pytest.raises(InputError, match=said):
        linear(W, y, 1, W_error=given)


@pytest.mark.parametrize(
    ("columns", "rows"),
    [
        (lambda W: np.column_stack([W, W[:, 0]]), 40),
        (lambda W: np.column_stack([W, 0 * W[:, 0]]), 40),
        (lambda W: W, 1),
        (lambda W: 0 * W, 40),
        (lambda W: W * [1e-6, 1e6], 40),
    ],
)
def test_what_rows_leave_open_is_not_claimed(columns, rows):
    """Dependent columns, columns of zeros, fewer rows than parameters, zeros, columns that differ by 10^12."""
    W, _, y, _ = planted(40, 2)
    V = columns(W)[:rows]
    answer = linear(V, y[:rows] * (V != 0).any(), 0.3, W_error=0.001 * np.abs(V), options=Options(time_limit=20))
    both_accept(answer)
    least, _ = truth(answer.problem) if V.any() else (-0.3, None)
    assert (answer.verdict is Verdict.ADEQUATE) == (least < 0)
    for (low, high), column in zip(answer.box, V.T, strict=True):
        if not column.any():
            assert low is high is None
        assert low is None or high is None or low <= high


def test_infinite_prior_ranges_are_none():
    W, half, y, _ = planted(40, 2, positive=True)
    ends = linear(W, y, 0.2, [(0, np.inf)] * 2, W_error=half)
    both_accept(ends)
    assert ends.box == linear(W, y, 0.2, [(0, None)] * 2, W_error=half).box


def test_rows_of_intervals_have_no_coefficients_of_their_own():
    W, half, y, _ = planted(40, 2)
    problem = with_errors(regressor(W, y, 0.2), half)
    with pytest.raises(TypeError, match="before signs are known"):
        problem.exact(0, 1)
    with pytest.raises(TypeError, match="before signs are known"):
        problem.along(slice(0, 2), 1)


def test_what_is_not_accepted_does_not_stand():
    W, half, y, _ = planted(40, 2, positive=True)
    answer = linear(W, y, 0.2, [(0, None)] * 2, W_error=half)
    assert answer.half_widths.upper is not None
    nothing = answer.standing(())
    assert nothing.faces == ()
    assert nothing.half_widths.lower == 0
    assert nothing.half_widths.upper is None
    assert answer.checked().box == answer.box


def test_a_union_that_is_too_small_is_not_written():
    """The emission writes what the checker accepts only: a part that was called refuted without reason is not."""
    W, half, y, _ = planted(40, 2)
    problem = with_errors(regressor(W, y, 0.2, [(-3, 3)] * 2), half)
    root = Piece(problem.box)
    assert Emission(problem).union(root) is None
    lower, upper = root.part(0)
    lower.refuted = upper.refuted = (Weighted(0, Fraction(1)), Weighted(1, Fraction(-1)))
    assert Emission(problem).refuted(root, Fraction(1), None, None) is None
    upper.refuted = ()
    assert Emission(problem).union(root) is None
