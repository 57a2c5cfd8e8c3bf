"""Linear fits in rational numbers and by outward rounding, against each other and against NIST; robust losses."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from two_checkers import both

import certify
from benchmarks.nist import reference
from certify.model_fits.everywhere import one_to_one
from certify.model_fits.linear_fit import root
from certify.model_fits.statistics import statistics
from certify.problems.errors import InputError
from certify.problems.model_fits.observations import observations, regression
from certify.records.verdicts import Verdict
from certify.solvers.limits import Stopped

LINEAR = ("Filip", "Longley", "NoInt1", "NoInt2", "Norris", "Pontius", *(f"Wampler{k}" for k in range(1, 6)))


def hard(rows, columns, condition, noise, seed=0):
    random = np.random.default_rng(seed)
    mixing = np.linalg.qr(random.standard_normal((columns, columns)))[0]
    x = (random.standard_normal((rows, columns)) * np.logspace(0, -np.log10(condition), columns)) @ mixing
    return x, x @ np.arange(1.0, columns + 1) + noise * random.standard_normal(rows)


@pytest.mark.parametrize(("rows", "columns", "condition", "noise", "scale"), [
    (40, 3, 1e2, 1.0, 1.0), (200, 6, 1e6, 1e-3, 1e30), (300, 4, 1e9, 1e-6, 1e-30), (60, 8, 1e4, 0.0, 1.0),
    (5, 5, 10, 1.0, 1.0),
])  # fmt: skip
def test_the_enclosure_holds_the_exact_solution(rows, columns, condition, noise, scale):
    x, y = hard(rows, columns, condition, noise)
    x = x * np.logspace(0, np.log10(scale), columns)
    exact, enclosed = (certify.fit("linear", x, y, exact=how) for how in (True, False))
    assert exact.exact
    assert not enclosed.exact
    for name, (value, _) in exact.ends.items():
        low, high = enclosed.ends[name]
        assert low <= value <= high
        assert enclosed.digits[name] >= (6 if condition < 1e8 else 1)
        assert abs(Fraction(enclosed.values[name]) - value) <= abs(value) / 10 ** enclosed.digits[name]
    assert enclosed.sum_ends[0] <= exact.sum_ends[0] <= enclosed.sum_ends[1]
    assert set(exact.error_ends) == set(enclosed.error_ends)
    for name, (low, high) in exact.error_ends.items():
        assert enclosed.error_ends[name][0] <= high
        assert low <= enclosed.error_ends[name][1]
    for pair, (low, high) in exact.correlation_ends.items():
        assert enclosed.correlation_ends[pair][0] <= high
        assert low <= enclosed.correlation_ends[pair][1]


def test_the_exact_solution_has_no_gradient_and_its_sum():
    x, y = hard(30, 4, 1e3, 0.1, seed=5)
    answer = certify.fit("linear", x, y)
    rows = [[Fraction(v) for v in row] for row in x.tolist()]
    values = [ends[0] for ends in answer.ends.values()]
    left = [
        sum(a * b for a, b in zip(row, values, strict=True)) - Fraction(v)
        for row, v in zip(rows, y.tolist(), strict=True)
    ]
    assert all(sum(r * row[j] for r, row in zip(left, rows, strict=True)) == 0 for j in range(4))
    assert answer.sum_ends == (sum(r * r for r in left),) * 2
    assert answer.verdict is Verdict.GLOBAL_MINIMUM


def test_a_dictionary_of_columns_names_the_parameters():
    x, y = hard(30, 2, 10, 0.1)
    plain, named = certify.fit("linear", x, y), certify.fit("linear", {"load": x[:, 0], "heat": x[:, 1]}, y)
    assert list(named.values) == ["load", "heat"]
    assert list(named.ends.values()) == list(plain.ends.values())
    twice = certify.fit("linear", {"load": x[:, 0], "heat": x[:, 1]}, y, weights=[2] * 30)
    assert list(twice.ends.values()) == list(plain.ends.values())
    assert twice.sum_ends[0] == 4 * plain.sum_ends[0]


def test_nearly_dependent_columns_are_not_enclosed_and_dependent_ones_are_refused():
    x, y = hard(50, 3, 1e15, 0.1)
    with pytest.raises(InputError, match="nearly dependent"):
        certify.fit("linear", x, y, exact=False)
    with pytest.raises(InputError, match="linearly dependent, exactly"):
        certify.fit("linear", np.column_stack([x[:, 0], 2 * x[:, 0]]), y)


@pytest.mark.parametrize(("given", "told"), [
    ({"model": "cubic"}, "give a function"), ({"loss": "huber"}, '"squares"'), ({"y": np.ones(7)}, "7 numbers"),
    ({"x": np.ones((3, 5)), "y": np.ones(3)}, "not fewer than columns"), ({"y": np.full(20, np.inf)}, "not finite"),
    ({"weights": [1] * 20, "exact": False}, "without weights"),
])  # fmt: skip
def test_bad_tables_are_told(given, told):
    whole = {"model": "linear", "x": np.ones((20, 1)), "y": np.ones(20)} | given
    with pytest.raises(InputError, match=told):
        certify.fit(**whole)


def test_what_a_linear_fit_prints_holds_the_truth():
    x, y = hard(500, 4, 1e4, 0.1, seed=2)
    exact, answer = certify.fit("linear", x, y, exact=True), certify.fit("linear", x, y, exact=False)
    told = str(answer)
    assert "by the engine's outward-rounded arithmetic, without a certificate" in told
    assert "in rational numbers, exactly, without a certificate" in str(exact)
    for text in (told, str(exact)):
        low, high = map(Fraction, re.search(r"at the minimum: (\S+) \.\. (\S+)", text).groups())
        assert low <= exact.sum_ends[0] <= high
        for name, (value, _) in exact.ends.items():
            row = next(row for row in text.splitlines() if row.startswith(name))
            (low, high), (less, more) = (
                [Fraction(e) for e in ends.split(",")] for ends in re.findall(r"\[(.*?)\]", row)
            )
            assert low <= value <= high
            assert less <= exact.error_ends[name][1]
            assert more >= exact.error_ends[name][0]


@pytest.mark.parametrize("name", LINEAR)
def test_nist_digits_are_those_of_the_exact_solution(name):
    one = reference(name)
    answer = certify.fit(one.model, one.x, one.y, one.starts[0])
    assert answer.verdict is Verdict.GLOBAL_MINIMUM
    assert answer.proof in ("certificate", "rational numbers")
    for value, (exact, _) in zip(one.values, answer.linear.ends.values(), strict=True):
        assert abs(value - exact) <= Fraction(1, 10**14) * abs(exact)
    for value, (low, high) in zip(one.errors, answer.linear.error_ends.values(), strict=True):
        assert low * (1 - Fraction(1, 10**14)) <= value <= high * (1 + Fraction(1, 10**14))
    assert abs(one.least - answer.linear.sum_ends[0]) <= Fraction(1, 10**14) * one.least


def test_standard_errors_of_many_observations_are_those_of_few_repeated():
    """Twenty copies of the observations: J'J is twenty times as large, the sum, too."""
    x, point = np.linspace(0.1, 4, 100), np.array([3.0, 0.5])
    y, ends = np.round(3 * np.exp(-0.5 * x) + 0.1 * np.cos(40 * x), 6), [(Fraction(-5), Fraction(5))] * 2
    few, many = (
        statistics(
            regression(decay, ("a", "b"), observations(np.tile(x, k), np.tile(y, k)), ends).blocks[0],
            point - 1e-12, point + 1e-12, (float(k), float(k)),
        )
        for k in (1, 20)
    )  # fmt: skip
    factor = float(root(Fraction(98, 1998))[0])
    for (low, high), (less, more) in zip(few.errors, many.errors, strict=True):
        assert less <= high * factor * (1 + 1e-9)
        assert low * factor * (1 - 1e-9) <= more <= less * (1 + 1e-6)
    (low, high), (less, more) = few.correlation(0, 1), many.correlation(0, 1)
    assert max(low, less) <= min(high, more)
    assert 0 < low <= high < 1


X = np.linspace(0, 10, 30)
SPOILT = np.round(2 * np.exp(-0.3 * X) + 0.01 * np.cos(40 * X), 4)
SPOILT[5] += 1
SPOILT[20] -= 0.7


def decay(x, a, b):
    return a * np.exp(-b * x)


def loss_at(point, loss, scale):
    z = ((decay(X, *point) - SPOILT) / scale) ** 2
    each = 2 * (np.sqrt(1 + z) - 1) if loss == "soft_l1" else np.where(z <= 1, z, 2 * np.sqrt(z) - 1)
    return scale**2 * each.sum()


@pytest.mark.parametrize("loss", [pytest.param("soft_l1", marks=pytest.mark.thorough), "huber"])
def test_a_robust_minimum_is_that_of_the_stated_loss(loss):
    answer = certify.fit(decay, X, SPOILT, [1, 1], loss=loss, scale="0.02", box=[("1.9", "2.1"), ("0.28", "0.32")])
    assert answer.verdict is not Verdict.UNDECIDED
    assert both(answer.result.canonical, answer.minimum.local_certificate) == "VERIFIED"
    best = np.array(list(answer.values.values()))
    least = loss_at(best, loss, 0.02)
    assert answer.residual_sum[0] * (1 - 1e-12) <= least <= answer.residual_sum[1] * (1 + 1e-12)
    for step in (1e-4, -1e-4, 1e-2, -1e-2):
        for axis in np.eye(2):
            assert loss_at(best + step * axis, loss, 0.02) > least
    assert f"the loss {loss}" in str(answer)
    assert answer.standard_errors == {}


@pytest.mark.thorough
@pytest.mark.parametrize(("scale", "reach"), [("0.2", 0.1), ("0.1", 0.1), ("0.3", 0.15)])
def test_a_robust_minimum_that_is_global_is_so_for_both_checkers(scale, reach):
    """Leaves that the first checker proved were rejected by the second, which bent quotients more widely."""
    x = np.linspace(0.2, 6, 20)
    y = np.round(2 * np.exp(-0.3 * x) + 0.02 * np.cos(40 * x), 3)
    y[4], y[11] = y[4] + 0.7, y[11] - 0.5
    box = [(at * (1 - reach), at * (1 + reach)) for at in (2, 0.3)]
    answer = certify.fit(decay, x, y, [2, 0.3], box, loss="soft_l1", scale=scale, time_limit=200)
    assert answer.proof == "certificate"
    assert both(answer.result.canonical, answer.certificate) == "VERIFIED"


def test_huber_at_its_scale_is_not_decided():
    """Exactly 0 for a and residuals of exactly the scale: on neither side."""
    answer = certify.fit(lambda x, a: a * x, [1, 1, 1], [-1, 0, 1], [0.5], loss="huber", scale=1, box=[(-3, 3)])
    assert answer.verdict is Verdict.UNDECIDED
    assert answer.why is Stopped.SIDES
    assert answer.box == {}


def test_the_least_largest_residual_has_both_ends():
    """A line through four points of a square wave: Chebyshev's error is known."""
    answer = certify.fit(
        lambda x, a, b: a * x + b, [0, 1, 2, 3], [0, 1, 0, 1], [0, 0], loss="largest", box=[(-3, 3), (-3, 3)]
    )
    assert answer.verdict is Verdict.INADEQUATE
    assert answer.largest[0] <= 0.5 <= answer.largest[1]
    assert answer.largest[1] - answer.largest[0] < 1e-5
    assert both(answer.result.canonical, answer.certificate) == "VERIFIED"
    assert "(proved)" in str(answer)


@pytest.mark.parametrize(
    ("given", "told"), [({"loss": "cauchy"}, "no loss 'cauchy'"), ({"loss": "huber", "scale": 0}, "positive")]
)
def test_bad_losses_are_told(given, told):
    with pytest.raises(InputError, match=told):
        certify.fit(decay, X, SPOILT, [1, 1], **given)


@pytest.mark.thorough
def test_the_linear_example_of_the_documents_runs_as_it_is():
    text = (Path(__file__).parents[2] / "docs" / "fits.md").read_text()
    exec_globals: dict = {}
    block = re.search(r"<!-- linear fit -->\n```python\n(.*?)```", text, re.S).group(1)
    exec(compile(block, "docs", "exec"), exec_globals)  # noqa: S102
    assert min(exec_globals["answer"].digits.values()) >= 9


def test_products_of_parameters_that_do_not_tell_them_are_no_global_minimum():
    """The sum is convex in b1, b2 and b1 b2; in b1 and b2 it has two minima, and the one met is not the least."""
    e, s = 1 / 256, [0, 0, 0, 0.5, 1, 1.5, 2, 3]
    p, q, r = [e, 0, *[0] * 6], [0, e, *[0] * 6], [0, 0, *[1] * 6]
    y = np.array([e * 0.05, e * 0.05, *(float(np.exp(-v)) for v in s[2:])])
    table = {name: np.array(values, float) for name, values in {"p": p, "q": q, "r": r, "s": s}.items()}

    def model(x, b1, b2, t):
        return x.p * b1 + x.q * b2 + x.r * b1 * b2 * certify.exp(-t * x.s)

    box = [(-5, 5), (-5, 5.5), ("0.1", 4)]
    answer = certify.fit(model, table, y, start=[-1, -1, 1], box=box, time_limit=5)
    assert answer.verdict is not Verdict.GLOBAL_MINIMUM


@pytest.mark.parametrize(
    ("monomials", "linear", "told"),
    [
        ([(0,), (1,)], (0, 1), True),
        ([(0,), (0, 1)], (0, 1), True),
        ([(0,), (1,), (0, 1)], (0, 1), False),
        ([(0, 1), (0, 2), (1, 2)], (0, 1, 2), False),
        ([(0, 0)], (0,), False),
        ([(0,), (0,)], (0, 1), False),
    ],
)
def test_parameters_are_told_by_their_monomials(monomials, linear, told):
    assert one_to_one(monomials, linear) is told


def test_doubles_are_arrays_and_numbers_of_ordinary_size():
    x = np.array([1.0, 2.0, 3.0])
    with pytest.raises(certify.InputError, match="not both columns of doubles"):
        certify.fit("linear", [1.0, 0.0], [2**53 + 1, 0.5], exact=False)
    with pytest.raises(certify.InputError, match=r"beyond 2\^400"):
        certify.fit("linear", x, np.array([1.0, 5.0, 2.0]) * 1e-170, exact=False)
    with pytest.raises(certify.InputError, match="same name"):
        certify.fit("linear", {1: x, "1": x + x * x}, x)
