"""What given parameters and weighted fits need, against exact residuals; refusals."""

from fractions import Fraction

import numpy as np
import planted_regressors as truth
import pytest
from two_checkers import both

from certify import InputError, linear
from certify.__main__ import main
from certify.linear_questions.given_values import judge_values
from certify.problems.regressors.regressor import regressor
from certify.solvers.limits import Stopped
from certify.text.decimals import judged_number


def planted(seed, own=False, box=None):
    rng = np.random.default_rng([8, seed])
    W = rng.normal(size=(40, 2))
    y = W @ [2.0, -1.0] + rng.uniform(-0.1, 0.1, 40) * np.where(np.arange(40) % 2, 1.0, 0.2)
    bound = np.where(np.arange(40) % 2, 0.11, 0.03) if own else "0.11"
    return regressor(W, y, bound, box, names=["M", "Fv"], unit="N")


def misses(problem, point):
    found = []
    for row in range(problem.rows):
        low, high = problem.ends(row)
        value = truth.dot(map(Fraction, problem.matrix[row].tolist()), point)
        found.append(max(value - high, low - value))
    return found


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("own", [False, True])
def test_both_ends_are_those_of_exact_residuals(seed, own):
    problem = planted(seed, own)
    values = {"M": "2.05", "Fv": -1} if seed % 2 else {"M": "2.001", "Fv": "-1.003"}
    found = judge_values(problem, values, 0 if own else 2)
    assert [one.name for one in found.judged] == ["given", "weighted"]
    for one in found.judged:
        worst = max(0, *misses(problem, one.point))
        assert one.needed.lower <= worst <= one.needed.upper
        assert one.needed.upper - one.needed.lower < Fraction(1, 10**9)
    data = b"".join(problem.canonical())
    assert {both(data, text) for _, text in found.documents} == {"VERIFIED"}
    assert found.checked().as_json() == found.as_json()


def test_a_weighted_fit_weighs_rows_by_their_bounds():
    problem = planted(1, own=True)
    weighted = judge_values(problem).judged[0].point
    weights = np.where(np.arange(40) % 2, 1 / 0.11, 1 / 0.03)
    expected = np.linalg.lstsq(problem.matrix * weights[:, None], problem.y * weights, rcond=None)[0]
    assert np.allclose([float(x) for x in weighted], expected, rtol=1e-9)


def test_values_alone_are_judged_where_all_rows_weigh_the_same():
    assert [one.name for one in judge_values(planted(1), {"M": 2, "Fv": -1}).judged] == ["given"]
    assert [one.name for one in judge_values(planted(1, own=True), {"M": 2, "Fv": -1}).judged] == ["given", "weighted"]


def test_what_is_not_accepted_does_not_stand():
    found = judge_values(planted(2), {"M": 3, "Fv": -1}, weighted=False)
    nothing = found.standing(())
    assert nothing.judged[0].needed.upper is None
    assert nothing.judged[0].needed.lower == 0
    assert nothing.stopped is Stopped.UNCHECKED


def test_values_beyond_a_prior_range_are_not_judged():
    found = judge_values(planted(2, box=[(0, 1), (None, None)]), {"M": 2, "Fv": -1}, weighted=False)
    assert found.judged[0].outside
    assert found.documents == ()


@pytest.mark.parametrize(
    ("values", "groups", "message"),
    [
        ({"M": 1}, 0, "Fv.* is missing"),
        ({"M": 1, "Fv": 2, "F": 3}, 0, "there is no parameter"),
        ({"M": 1, "Fv": "much"}, 0, "give a finite number"),
        (None, 0, "one bound holds for all rows"),
        (None, 1, "give such a number"),
        (None, 20, "give such a number"),
    ],
)
def test_what_has_no_answer_is_refused(values, groups, message):
    with pytest.raises(InputError, match=message):
        judge_values(planted(1), values, groups, weighted=values is None)


def test_values_that_are_no_values_are_refused(tmp_path, capsys):
    lines = ["M,Fv,F", *(f"{k % 3},{k % 5},{k % 3 + 2 * (k % 5)}" for k in range(20))]
    (tmp_path / "rows.csv").write_text("\n".join(lines) + "\n")
    words = ["identify", str(tmp_path / "rows.csv"), "--y", "F", "--bound", "0.1", "--quiet"]
    for values, message in (("M 1", "give each parameter one"), ("M = 1, M = 2", "give each parameter one")):
        assert main([*words, "--values", values, "--out", str(tmp_path / "out")]) == 2
        assert message in capsys.readouterr().err


def test_parameters_that_trade_off_are_named():
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 60))
    W = np.column_stack([a, a + 0.1 * b, rng.normal(size=60)])
    answer = linear(W, W @ [0.1, 0.1, 3.0] + rng.uniform(-0.1, 0.1, 60), 0.2, names=["p", "q", "r"])
    assert answer.partners == (1, 0, None)
    assert linear(np.column_stack([a, a]), a, 0.2).partners == (None, None)


def test_a_value_is_told_as_it_was_judged():
    assert judged_number(Fraction(5, 4)) == "1.25"
    assert judged_number(Fraction(12345678901, 10**10)) == "1.2345678901"
    assert judged_number(Fraction(0.1)) == "0.1"
    assert judged_number(Fraction(1.0000000001)) == "1.0000000001"
    assert judged_number(Fraction(1, 3)) == "0.3333333333333333 (rounded)"
