"""Parameters of linear models against exact truth: listed vertices, planted values; hostile data."""

import hashlib
import math
from fractions import Fraction

import numpy as np
import planted_regressors as truth
import pytest

from certify import InputError, Options, Verdict, linear
from certify.checker import check as first_check
from certify.checker_arb import check as second_check
from certify.problems.regressors.regressor import regressor
from certify.regressors.closed_form import closed_form
from certify.regressors.emission import Emission
from certify.regressors.exact_bounds import Bound, Weighted
from certify.solvers.limits import Late, Limit, Stopped
from certify.solvers.regressors import search


def both_say(problem, certificate):
    data = b"".join(problem.canonical())
    words = {check(data, certificate).status.name for check in (first_check, second_check)}
    assert len(words) == 1, words
    return words.pop()


def all_accepted(answer):
    found = {name: both_say(answer.problem, text) for name, text in answer.documents}
    assert set(found.values()) == {"VERIFIED"}, found


def random_problem(seed):
    """One to three parameters, few rows with small numbers, so that many of them meet in points."""
    rng = np.random.default_rng(seed)
    size, rows = int(rng.integers(1, 4)), int(rng.integers(3, 6))
    W = rng.integers(-3, 4, (rows, size)) * rng.choice([1.0, 0.5, 0.1])
    if rng.random() < 0.3:
        W = W + rng.normal(size=W.shape)
    planted = rng.integers(-4, 5, size) * 0.25
    bound = [0.25, 0.1, "0.3", rng.choice([0.1, 0.25, 40.0], rows)][int(rng.integers(4))]
    y = W @ planted + rng.uniform(-1, 1, rows) * np.array(bound, dtype=float) * rng.choice([0.5, 1.0, 2.0])
    box = [(-2, 3)] * size if rng.random() < 0.5 else [(-10, None), (None, 10), (-7, 7)][:size]
    return W, y, bound, box


@pytest.mark.parametrize("seed", range(24))
def test_ends_are_those_of_exact_vertices(seed):
    W, y, bound, box = random_problem(seed)
    answer = linear(W, y, bound, box)
    all_accepted(answer)
    ends = [answer.problem.ends(k) for k in range(y.size)]
    walls = [(-(10**100) if low is None else low, 10**100 if high is None else high) for low, high in box]
    found = truth.halves(W, *zip(*ends, strict=True), walls)
    count = len(dict.fromkeys(truth.halves(W, *zip(*ends, strict=True))))
    grows = [Fraction(int(k < count)) for k in range(len(found))]
    corners = truth.vertices(found)
    least = truth.smallest_error(found, grows)
    assert answer.error.lower <= max(least, 0)
    if answer.error.upper is not None:
        assert answer.error.upper >= max(least, 0)
        assert answer.error.upper - max(least, 0) < Fraction(1, 10**9)
    if least > Fraction(1, 10**9):
        assert answer.verdict is Verdict.INADEQUATE
        assert not corners
    if least < -Fraction(1, 10**9):
        assert answer.verdict is Verdict.ADEQUATE
    for j, (low, high) in enumerate(answer.box):
        reach = [corner[j] for corner in corners]
        assert all((low is None or low <= x) and (high is None or x <= high) for x in reach)
        if reach and least < -Fraction(1, 1000):
            for end, true in ((low, min(reach)), (high, max(reach))):
                assert (end is None) == (abs(true) > 10**50)
                assert end is None or abs(end - true) < Fraction(1, 10**9)
    for face in answer.faces:
        assert face.reached is None or face.sign * face.reached <= face.at
        if face.reached is not None and least < -Fraction(1, 1000):
            assert face.at - face.sign * face.reached < Fraction(1, 10**6)


def planted(rows=300, size=5, noise=0.1, seed=1):
    rng = np.random.default_rng(seed)
    W, theta = rng.normal(size=(rows, size)), rng.normal(size=size)
    return W, theta, W @ theta + rng.uniform(-noise, noise, rows)


def test_planted_parameters_are_in_their_intervals():
    W, theta, y = planted()
    answer = linear(W, y, "0.1001", names=["a", "b", "c", "d", "e"]).checked()
    assert answer.verdict is Verdict.ADEQUATE
    assert len(answer.faces) == 10
    assert answer.stopped is Stopped.FINISHED
    assert all(low <= x <= high for x, (low, high) in zip(theta.tolist(), answer.box, strict=True))
    assert all(len(face.rows) <= 5 for face in answer.faces)
    assert answer.factor.lower < 1
    assert answer.factor.upper - answer.factor.lower < Fraction(1, 10**9)


def test_bounds_of_each_row_say_the_same_as_one_number():
    W, _, y = planted()
    one, each = linear(W, y, 0.08), linear(W, y, np.full(y.size, 0.08))
    all_accepted(each)
    assert one.verdict is each.verdict is Verdict.INADEQUATE
    assert abs(one.error.lower - each.error.lower) < Fraction(1, 10**12)
    assert abs(one.factor.upper - each.factor.upper) < Fraction(1, 10**9)


def test_a_factor_beyond_the_lower_end_is_not_refuted():
    W, _, y = planted(40, 2)
    answer = linear(W, y, 0.05)
    rows = [Weighted(row, Fraction(1)) for row in answer.factor.rows]
    emission = Emission(answer.problem)
    assert emission.lower(Bound(answer.factor.upper * 2, tuple(rows)), factor=True) is None
    assert emission.lower(Bound(answer.error.upper * 2, tuple(rows)), factor=False) is None


def test_a_certificate_is_about_these_bytes_only():
    W, _, y = planted(40, 2)
    answer = linear(W, y, 0.2)
    moved = regressor(W, np.nextafter(y, 9), 0.2)
    assert both_say(moved, answer.hull) == "REJECTED"
    assert hashlib.sha256(b"".join(answer.problem.canonical())).hexdigest() == answer.problem.digest


def test_what_is_not_accepted_does_not_stand():
    W, _, y = planted(40, 2)
    answer = linear(W, y, 0.2)
    nothing = answer.standing(())
    assert nothing.verdict is Verdict.UNDECIDED
    assert nothing.faces == ()
    assert nothing.box == ((None, None), (None, None))
    assert nothing.fit.upper is None
    assert nothing.factor.lower == 0
    assert nothing.factor.upper is None
    assert nothing.stopped is Stopped.UNCHECKED
    assert not any(nothing.is_identified(j) for j in range(2))
    kept = answer.standing({answer.hull})
    assert kept.box == answer.box
    assert kept.verdict is Verdict.UNDECIDED


@pytest.mark.parametrize(
    ("columns", "open_ones"),
    [
        (lambda W: np.column_stack([W, W[:, 0]]), {0, 3}),  # twice the same
        (lambda W: np.column_stack([W, 0 * W[:, 0]]), {3}),  # zeros
        (lambda W: np.column_stack([W, W[:, 0] + W[:, 1]]), {0, 1, 2, 3}),  # a sum: rounded, far values touch all
    ],
)
def test_directions_that_rows_leave_open_are_said_and_never_closed(columns, open_ones):
    W, _, y = planted(60, 3)
    answer = linear(columns(W), y, 0.11).checked()
    assert answer.verdict is Verdict.ADEQUATE
    assert {j for j, _ in answer.open_ends} == open_ones
    assert len(answer.directions) == 1
    assert {j for j, x in enumerate(answer.directions[0]) if abs(x) > 1e-9} == open_ones - {2}
    closed = linear(columns(W), y, 0.11, box=[(-9, 9)] * 4).checked()
    assert not closed.open_ends


def test_fewer_rows_than_parameters():
    W, theta, y = planted(2, 4)
    answer = linear(W, y, 0.2)
    all_accepted(answer)
    assert answer.verdict is Verdict.ADEQUATE
    assert {j for j, _ in answer.open_ends} == {0, 1, 2, 3}
    box = [(x - 1, x + 1) for x in theta.tolist()]
    answer = linear(W, y, 0.2, box=box)
    all_accepted(answer)
    assert all(low <= x <= high for x, (low, high) in zip(theta.tolist(), answer.box, strict=True))


def test_rows_of_zeros_fit_or_contradict():
    W, _, y = planted(60, 3)
    with_zeros = np.vstack([W, np.zeros((2, 3))])
    assert linear(with_zeros, [*y, 0.05, 0], 0.11).checked().verdict is Verdict.ADEQUATE
    answer = linear(with_zeros, [*y, 1, 0], 0.11).checked()
    assert answer.verdict is Verdict.INADEQUATE
    assert answer.error.rows == (60,)
    assert answer.error.lower < 1 - Fraction(0.11) < answer.error.upper


def test_rows_that_contradict_each_other():
    W, _, y = planted(60, 3)
    answer = linear(np.vstack([W, W[:1]]), [*y, y[0] + 5], "0.25").checked()
    assert answer.verdict is Verdict.INADEQUATE
    assert answer.error.lower > Fraction(2)
    assert 60 in answer.error.rows


def test_columns_of_any_scale_have_the_same_intervals():
    W, theta, y = planted(60, 3)
    scale = np.array([2.0**40, 1.0, 2.0**-40])
    plain, scaled = linear(W, y, 0.11), linear(W * scale, y, 0.11)
    all_accepted(scaled)
    for one, other, factor, x in zip(plain.box, scaled.box, scale.tolist(), theta.tolist(), strict=True):
        for a, b in zip(one, other, strict=True):
            assert abs(a - b * Fraction(factor)) < Fraction(1, 10**9)
        assert other[0] * Fraction(factor) <= Fraction(x) <= other[1] * Fraction(factor)


def test_an_ill_conditioned_regressor_has_wide_intervals_and_no_wrong_ones():
    W = np.array([[1 / (i + j + 1) for j in range(9)] for i in range(60)])
    answer = linear(W, W.sum(axis=1), 1e-3)
    all_accepted(answer)
    assert answer.verdict is Verdict.ADEQUATE
    assert len(answer.faces) == 18
    assert all(low < 1 < high for low, high in answer.box)


def test_numbers_that_no_program_takes_bound_nothing():
    W, _, y = planted(20, 2)
    answer = linear(W * 5e-324, y, 100)
    all_accepted(answer)
    assert answer.verdict is Verdict.ADEQUATE
    assert answer.box == ((None, None), (None, None))


def test_infinite_prior_ends_are_none():
    W, _, y = planted(60, 3)
    free = linear(W, y, 0.11)
    told = linear(W, y, 0.11, box=[(-math.inf, math.inf), (None, math.inf), (-1e200, "1e200")])
    assert told.problem.bounds == free.problem.bounds
    assert told.box == free.box


def test_a_prior_box_that_holds_no_consistent_value():
    W, theta, y = planted(60, 3)
    answer = linear(W, y, 0.11, box=[(theta[0] + 4, theta[0] + 5), (None, None), (None, None)]).checked()
    assert answer.verdict is Verdict.INADEQUATE
    assert answer.fit is None or answer.fit.lower > 0 or answer.fit.upper is None


def test_a_parameter_that_is_held():
    W, theta, y = planted(60, 3)
    answer = linear(W, y, 0.11, box=[(theta[0], theta[0]), (None, None), (None, None)]).checked()
    assert answer.verdict is Verdict.ADEQUATE
    assert answer.box[0] == (Fraction(theta[0]), Fraction(theta[0]))
    assert answer.point[0] == Fraction(theta[0])


def test_exact_data_without_bound_is_not_claimed_to_fit():
    """Some fit exactly, but no double does: neither side is proved."""
    W, y = np.array([[3.0], [1.0]]), np.array([1.0, 1 / 3])
    answer = linear(W, y, 0)
    all_accepted(answer)
    assert answer.error.lower <= abs(Fraction(1, 3) - Fraction(1 / 3))
    assert answer.error.upper is None or 0 < answer.error.upper < Fraction(1, 10**12)


def test_numbers_beyond_the_checkers_grid_prove_nothing():
    W, _, y = planted(60, 3)
    answer = linear(W * 1e-300, y * 1e-300, 1e-301).checked()
    assert answer.verdict is Verdict.UNDECIDED
    assert answer.faces == ()


def test_a_limit_leaves_what_was_proved(monkeypatch):
    W, _, y = planted(60, 3)
    answer = linear(W, y, 0.11, options=Options(time_limit=1e-9))
    assert answer.stopped is Stopped.TIME
    assert answer.verdict is Verdict.UNDECIDED
    assert answer.documents == ()


@pytest.mark.parametrize("looks", [0, 3, 6, 9])
def test_what_was_proved_before_a_limit_is_kept(looks, monkeypatch):
    """However many looks at all rows there is time for; few rows enter at once, so that more are needed."""
    W, theta, y = planted(2000, 4)
    count, original = [0], search.look

    def look(*words):
        count[0] += 1
        if count[0] > looks:
            raise Late(Stopped.TIME)
        return original(*words)

    monkeypatch.setattr(search, "look", look)
    monkeypatch.setattr(search, "AT_ONCE", 2)
    monkeypatch.setattr(search, "EACH", 1)
    answer = linear(W, y, 0.1001)
    all_accepted(answer)
    assert answer.stopped is not Stopped.FINISHED
    assert answer.verdict is not Verdict.INADEQUATE
    assert len(answer.faces) == 8
    assert all(low <= x <= high for x, (low, high) in zip(theta.tolist(), answer.box, strict=True))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"W": [[1.0, math.nan]]}, "W, row 1, column 2: nan is no number"),
        ({"y": [math.inf]}, "y, row 1: inf is no number"),
        ({"y": [1.0, 2.0]}, "y has 2 entries and W has 1 rows"),
        ({"W": [1.0]}, "W has 1 dimensions; 2 are needed"),
        ({"W": np.zeros((0, 2))}, "W has 0 rows"),
        ({"W": np.zeros((1, 65))}, "1 to 64 columns"),
        ({"W": [["a", "b"]]}, "W has entries of the type"),
        ({"W": np.array([[2**60 + 1, 0]])}, "beyond 2\\^53"),
        ({"W": np.ma.array([[1.0, 2.0]], mask=[[False, True]])}, "W has masked entries"),
        ({"bound": -1}, "bound is -1; give a number that is not negative"),
        ({"bound": "one"}, "bound is 'one'; give a finite number"),
        ({"bound": math.nan}, "give a finite number"),
        ({"bound": math.inf}, "give a finite number"),
        ({"bound": [1.0, 2.0]}, "bound has 2 entries and y has 1"),
        ({"bound": [-1.0]}, "bound, row 1: -1 is negative"),
        ({"box": [(0, 1)]}, "box has 1 pairs of ends for 2 parameters"),
        ({"box": [(0, 1), (2, 1)]}, "box, theta2: its lower end 2 exceeds its upper end 1"),
        ({"box": [(0, 1), 3]}, "box, theta2: 3 is no pair of ends"),
        ({"box": [(0, math.nan), (0, 1)]}, "box, theta1: upper end is 'nan'"),
        ({"names": ["a"]}, "there are 1 for 2 columns"),
        ({"names": ["a", "a"]}, "two columns of W are called 'a'"),
        ({"names": ["a", "b c"]}, "column 2 of W is called 'b c'"),
        ({"units": ["kg"]}, "units: there are 1 for 2 columns"),
    ],
)
def test_bad_input_is_told(change, message):
    given = {"W": [[1.0, 2.0]], "y": [1.0], "bound": 0.1} | change
    with pytest.raises(InputError, match=message):
        linear(given.pop("W"), given.pop("y"), given.pop("bound"), **given)


@pytest.mark.parametrize("seed", range(20))
def test_the_interval_of_a_row_is_never_narrower_than_stated(seed):
    rng = np.random.default_rng(seed)
    y, bound = rng.normal(size=9) * 10.0 ** rng.integers(-9, 9, 9), rng.random(9) * 10.0 ** rng.integers(-9, 9, 9)
    problem = regressor(np.ones((9, 1)), y, bound)
    for k, (value, off) in enumerate(zip(y.tolist(), bound.tolist(), strict=True)):
        low, high = problem.ends(k)
        assert low <= Fraction(value) - Fraction(off)
        assert high >= Fraction(value) + Fraction(off)
        assert math.nextafter(float(low), math.inf) > Fraction(value) - Fraction(off)
        assert math.nextafter(float(high), -math.inf) < Fraction(value) + Fraction(off)


@pytest.mark.parametrize("seed", range(24))
def test_the_closed_form_holds_all_parameters_that_fit(seed):
    W, y, bound, box = random_problem(seed)
    problem = regressor(W, y, bound, box)
    found = closed_form(problem, Limit())
    ends = [problem.ends(k) for k in range(y.size)]
    corners = truth.vertices(truth.halves(W, *zip(*ends, strict=True)))
    if found is None:
        assert np.linalg.matrix_rank(W) < W.shape[1]
        return
    far = [(-(10**100) if low is None else low, 10**100 if high is None else high) for low, high in box]
    kept = truth.vertices(truth.halves(W, *zip(*ends, strict=True), far))
    for points, one in ((corners, found.box), (kept, found.narrowed)):
        assert not points or one
        assert all(low <= x <= high for point in points for x, (low, high) in zip(point, one, strict=True))


def test_the_closed_form_is_that_of_least_squares():
    W, _, y = planted(400, 5)
    found = closed_form(regressor(W, y, 0.11), Limit())
    inverse = np.linalg.pinv(W)
    for (low, high), x, half in zip(found.box, inverse @ y, 0.11 * np.abs(inverse).sum(axis=1), strict=True):
        assert abs((low + high) / 2 - x) < 1e-12
        assert half * (1 - 1e-12) < (high - low) / 2 < half * (1 + 1e-5)
    answer = linear(W, y, 0.11)
    assert all(a >= low and b <= high for (a, b), (low, high) in zip(answer.box, found.narrowed, strict=True))
    each = closed_form(regressor(W, y, np.full(400, 0.11)), Limit())
    assert np.allclose(each.box, found.box, rtol=1e-9)


def test_what_was_given_identifies_nothing():
    """The second column is next to nothing: only its prior range keeps 0 out."""
    answer = linear([[1, 1e-12], [1, 0], [1, 0]], [2, 2.05, 1.95], 0.2, [(0, 2), (1, 2)])
    assert answer.is_identified(0)
    assert not answer.is_identified(1)
