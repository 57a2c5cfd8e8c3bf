"""The fewest wrong rows of linear models, and intervals in spite of them, against all choices, one by one."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import planted_regressors as truth
import pytest
from two_checkers import both as both_say

from certify import InputError, Options
from certify.linear_questions.conflicts import Unclear, apart, hit
from certify.linear_questions.outliers import linear_outliers
from certify.linear_questions.relaxing import relaxed_hull
from certify.problems.regressors.regressor import regressor
from certify.solvers.limits import Stopped


def random_problem(seed):
    """One or two parameters, few rows, of which some are wrong by much."""
    rng = np.random.default_rng([11, seed])
    size, rows = int(rng.integers(1, 3)), int(rng.integers(4, 8))
    W = rng.integers(-3, 4, (rows, size)) * 0.5 if seed % 2 else rng.normal(size=(rows, size))
    y = W @ (rng.integers(-4, 5, size) * 0.25) + rng.uniform(-0.2, 0.2, rows)
    wrong = rng.choice(rows, int(rng.integers(0, 3)), replace=False)
    y[wrong] += rng.choice([-1.0, 1.0], len(wrong)) * rng.uniform(0.3, 3.0, len(wrong))
    bound = 0.25 if seed % 3 else np.full(rows, 0.25)
    return regressor(W, y, bound, [(-9, 9)] * size)


def half_spaces(problem, rows):
    ends = [problem.ends(k) for k in rows]
    box = [(low, high) for low, high in problem.box]
    W = problem.matrix[list(rows)]
    return truth.halves(W, [low for low, _ in ends], [high for _, high in ends], box)


def fewest_by_listing(problem):
    """By Helly's theorem rows contradict each other if p + 1 of them do."""
    size, rows = problem.size, range(problem.rows)
    few = [
        set(chosen)
        for count in range(1, size + 2)
        for chosen in combinations(rows, count)
        if not truth.vertices(half_spaces(problem, chosen))
    ]
    for count in range(problem.rows + 1):
        for chosen in combinations(rows, count):
            if all(set(chosen) & conflict for conflict in few):
                return count
    raise AssertionError


def reach_by_listing(problem, count, j):
    """Both ends of a parameter over all choices of so many rows."""
    reach = []
    for gone in combinations(range(problem.rows), count):
        kept = [k for k in range(problem.rows) if k not in gone]
        reach += [corner[j] for corner in truth.vertices(half_spaces(problem, kept))]
    return (min(reach), max(reach)) if reach else None


def all_accepted(found):
    data = b"".join(found.problem.canonical())
    for name, text in found.documents:
        assert both_say(data, text) == "VERIFIED", name


@pytest.mark.parametrize("seed", range(24))
def test_the_fewest_rows_are_those_of_all_choices(seed):
    problem = random_problem(seed)
    found = linear_outliers(problem)
    true = fewest_by_listing(problem)
    assert found.fewest == len(found.rows) == true
    assert found.stopped is Stopped.FINISHED
    assert truth.vertices(half_spaces(problem, [k for k in range(problem.rows) if k not in found.rows]))
    for conflict in found.conflicts:
        assert not truth.vertices(half_spaces(problem, conflict))
    all_accepted(found)


@pytest.mark.parametrize("seed", range(12))
def test_intervals_in_spite_of_rows_are_those_of_all_choices(seed):
    problem = random_problem(seed)
    count = 1 + seed % 2
    found = relaxed_hull(problem, count)
    assert found.stopped is Stopped.FINISHED
    all_accepted(found)
    if fewest_by_listing(problem) > count:
        assert found.nobody
        return
    for j, (low, high) in enumerate(found.box):
        true = reach_by_listing(problem, count, j)
        assert low <= true[0] <= low + Fraction(1, 10**9)
        assert high - Fraction(1, 10**9) <= true[1] <= high
    for face in found.faces:
        if face.reached is not None:
            assert len(face.dropped) <= count
            assert face.at - Fraction(1, 10**6) <= face.sign * face.reached <= face.at


def planted(rows, size, wrong, seed=1):
    rng = np.random.default_rng(seed)
    W = rng.normal(size=(rows, size))
    theta = rng.normal(size=size)
    y = W @ theta + rng.uniform(-0.1, 0.1, rows)
    chosen = rng.choice(rows, wrong, replace=False)
    y[chosen] += rng.choice([-1.0, 1.0], wrong) * rng.uniform(2.0, 5.0, wrong)
    return regressor(W, y, "0.11"), theta, chosen


def test_planted_rows_are_named_and_counted_by_conflicts_apart():
    problem, _, chosen = planted(1500, 6, 7)
    found = linear_outliers(problem).checked()
    assert set(found.rows) == set(chosen)
    assert found.fewest == 7
    assert apart([frozenset(rows) for rows in found.conflicts]) == 7
    assert all(len(rows) <= 7 for rows in found.conflicts)


def test_planted_parameters_are_in_their_intervals_in_spite_of_wrong_rows():
    problem, theta, chosen = planted(400, 3, 2)
    found = relaxed_hull(problem, 2).checked()
    assert all(low <= x <= high for x, (low, high) in zip(theta.tolist(), found.box, strict=True))
    assert all(set(face.dropped) == set(chosen) for face in found.faces)
    assert relaxed_hull(problem, 1).checked().nobody
    wider = relaxed_hull(problem, 3)
    for (low, high), (below, above) in zip(found.box, wider.box, strict=True):
        assert below < low
        assert high < above


def test_what_is_not_accepted_does_not_stand():
    problem, _, _ = planted(60, 2, 2)
    found = linear_outliers(problem)
    nothing = found.standing(())
    assert (nothing.fewest, nothing.rows, nothing.conflicts, nothing.documents) == (0, None, (), ())
    assert nothing.stopped is Stopped.UNCHECKED
    assert found.standing({found.lower}).fewest == 2
    assert found.standing({found.upper}).fewest == 0
    hull = relaxed_hull(problem, 2)
    assert hull.standing(()).box == ((None, None), (None, None))
    assert not relaxed_hull(problem, 1).standing(()).nobody


def test_a_certificate_for_fewer_rows_is_forged():
    problem, _, _ = planted(60, 2, 2)
    data, found = b"".join(problem.canonical()), linear_outliers(problem)
    assert both_say(data, found.lower.replace(b"discard 1", b"discard 2")) == "REJECTED"
    one = b" ".join(f"0.{row}".encode() for row in found.rows[:1])
    both = b" ".join(f"0.{row}".encode() for row in found.rows)
    assert both in found.upper
    assert both_say(data, found.upper.replace(both, one)) == "REJECTED"
    hull = relaxed_hull(problem, 2)
    assert both_say(data, hull.certificate.replace(b"discard 2", b"discard 3")) == "REJECTED"


def test_eighty_wrong_rows_are_counted_by_conflicts_apart():
    """More than are searched for rows that meet all conflicts."""
    rng = np.random.default_rng(3)
    y = np.concatenate([rng.uniform(-0.1, 0.1, 150), 9 + rng.uniform(-0.1, 0.1, 80)])
    found = linear_outliers(regressor(np.ones((230, 1)), y, 0.1))
    data = b"".join(found.problem.canonical())
    assert found.rows == tuple(range(150, 230)) and found.fewest == 80
    assert found.stopped is Stopped.FINISHED
    assert all(both_say(data, text) == "VERIFIED" for _, text in found.documents)
    hull = relaxed_hull(found.problem, 90)
    assert both_say(data, hull.certificate) == "VERIFIED"
    assert all(low <= 0 <= high for low, high in hull.box) and hull.box[0][1] - hull.box[0][0] < 1
    nobody = relaxed_hull(found.problem, 79)
    assert nobody.nobody and both_say(data, nobody.certificate) == "VERIFIED"


@pytest.mark.parametrize("count", [0, -1, 100_001])
def test_a_number_of_rows_that_no_certificate_takes_is_refused(count):
    with pytest.raises(InputError, match="give a number from 1 to 100000"):
        relaxed_hull(random_problem(1), count)


def test_no_time_proves_nothing_and_says_so():
    problem, _, _ = planted(60, 2, 2)
    found = linear_outliers(problem, Options(time_limit=0.0))
    assert (found.fewest, found.rows, found.stopped) == (0, None, Stopped.TIME)
    assert relaxed_hull(problem, 2, Options(time_limit=0.0)).faces == ()


def test_open_directions_have_no_ends():
    W = np.array([[1.0, 1.0], [1.0, 1.0], [1.0, 1.0], [1.0, 0.0]])
    found = relaxed_hull(regressor(W, np.zeros(4), 0.1), 1)
    assert found.box == ((None, None), (None, None))


def test_rows_that_meet_conflicts_are_the_fewest():
    conflicts = [{1, 2}, {2, 3}, {3, 4}, {5}]
    assert hit(conflicts, 2) is None
    assert set(hit(conflicts, 3)) >= {5}
    assert hit([], 0) == ()
    with pytest.raises(Unclear):
        hit([set(pair) for pair in combinations(range(60), 2)], 40)
