"""certify.fit against exact truth: linear models whose minimisers are fractions, and NIST's reference sets."""

from __future__ import annotations

import math
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from two_checkers import both

import certify
from benchmarks.nist import judged, reference
from certify.contractors.tape.evaluation import evaluate
from certify.explaining.explanation import explain
from certify.model_fits.fit_text import _inward
from certify.problems.errors import InputError
from certify.problems.model_fits.observations import model_tape, observations, regression
from certify.problems.model_fits.units import exponent, units_of
from certify.records.verdicts import Verdict

X, Y, WEIGHTS = (1, 2, 3, 5), (2, 3, 7, 8), (1, 2, Fraction(1, 2), 3)


def line(x, slope, offset):
    return slope * x + offset


def exact_line(x, y, weights):
    """Slope, offset, least sum and squared standard errors of a weighted line, as fractions."""
    rows = [
        (Fraction(w) * Fraction(u), Fraction(w), Fraction(w) * Fraction(v))
        for u, v, w in zip(x, y, weights, strict=True)
    ]
    aa, ab, bb = sum(a * a for a, _, _ in rows), sum(a * b for a, b, _ in rows), sum(b * b for _, b, _ in rows)
    ac, bc = sum(a * c for a, _, c in rows), sum(b * c for _, b, c in rows)
    size = aa * bb - ab * ab
    slope, offset = (ac * bb - bc * ab) / size, (bc * aa - ac * ab) / size
    least = sum((a * slope + b * offset - c) ** 2 for a, b, c in rows)
    variance = least / (len(rows) - 2)
    return {"slope": slope, "offset": offset}, least, {"slope": variance * bb / size, "offset": variance * aa / size}


@pytest.mark.parametrize("weights", [None, WEIGHTS])
def test_a_line_is_enclosed_with_its_statistics(weights):
    answer = certify.fit(line, X, Y, [1, 1], weights=weights)
    truth, least, variances = exact_line(X, Y, weights or (1,) * len(X))
    assert answer.verdict is Verdict.GLOBAL_MINIMUM
    assert both(answer.result.canonical, answer.certificate) == "VERIFIED"
    for name, value in truth.items():
        low, high = answer.box[name]
        assert low <= value <= high
        assert high - low <= 1e-10
        assert abs(answer.values[name] - value) <= abs(value) * Fraction(10) ** -answer.digits[name]
        low, high = map(Fraction, answer.standard_errors[name])
        assert low**2 <= variances[name] <= high**2
        assert high - low <= 1e-10
    assert answer.residual_sum[0] <= least <= answer.residual_sum[1]
    assert answer.minimum.epsilon[1] >= least


@pytest.mark.parametrize(
    ("x", "model"),
    [
        ({"load": X, "heat": (1, 0, 0, 1)}, lambda x, a, b: a * x.load + b * x["heat"]),
        (np.array([X, (1, 0, 0, 1)], dtype=float).T, lambda x, a, b: a * x[0] + b * x[1]),
        (SimpleNamespace(columns=["load", "heat"]), None),
    ],
)
def test_tables_are_taken_as_they_are(x, model):
    if model is None:  # a DataFrame is what has columns and an index by their names
        table = {"load": X, "heat": (1, 0, 0, 1)}
        x = type("Frame", (), {"columns": list(table), "__getitem__": lambda self, name: table[name]})()
        model = lambda x, a, b: a * x.load + b * x.heat  # noqa: E731
    answer = certify.fit(model, x, Y, {"a": 1, "b": 1})
    aa, ab, bb = sum(u * u for u in X), X[0] + X[3], 2
    ac, bc = sum(u * v for u, v in zip(X, Y, strict=True)), Y[0] + Y[3]
    size = aa * bb - ab * ab
    truth = {"a": Fraction(ac * bb - bc * ab, size), "b": Fraction(bc * aa - ac * ab, size)}
    assert all(answer.box[name][0] <= value <= answer.box[name][1] for name, value in truth.items())


def test_doubles_mean_themselves_and_text_means_decimals():
    one = certify.fit(lambda x, a: a * x, [1.0], [0.1], [1])
    other = certify.fit(lambda x, a: a * x, ["1"], ["0.1"], [1])
    assert one.minimum.box["a"][0] <= Fraction(0.1) <= one.minimum.box["a"][1]
    assert other.minimum.box["a"][0] <= Fraction(1, 10) <= other.minimum.box["a"][1]
    assert one.result.canonical != other.result.canonical


@pytest.mark.parametrize(
    ("ours", "same"),
    [
        (lambda u: np.log1p(u), lambda u: np.log(1 + u)),
        (lambda u: np.expm1(u), lambda u: np.exp(u) - 1),
        (lambda u: np.exp2(u), lambda u: 2**u),
        (lambda u: np.log2(u), lambda u: np.log(u) * 1.4426950408889634),
        (lambda u: np.log10(u), lambda u: np.log(u) * 0.4342944819032518),
        (lambda u: np.hypot(u, 2), lambda u: np.sqrt(u**2 + 4)),
    ],
)
def test_functions_of_numpy_are_the_formulas_that_they_stand_for(ours, same):
    for u in (0.25, 3.0):
        tapes = [model_tape(lambda x, b, f=f: f(b), ["b"], observations([1], [1])) for f in (ours, same)]
        one, other = (evaluate(tape, *[np.array([[u], [1.0]])] * 2) for tape in tapes)
        assert max(one.lower[0, 0], other.lower[0, 0]) <= min(one.upper[0, 0], other.upper[0, 0]) + 1e-15
        assert one.upper[0, 0] - one.lower[0, 0] < 1e-13


def test_what_was_claimed_is_compared_with_the_minimum():
    truth, least, _ = exact_line(X, Y, (1,) * len(X))
    point = [float(truth["slope"]) + 0.5, float(truth["offset"])]
    answer = certify.fit(line, X, Y, [1, 1], claimed=point)
    there = sum((Fraction(point[0]) * u + Fraction(point[1]) - v) ** 2 for u, v in zip(X, Y, strict=True))
    assert there * (1 - Fraction(1, 10**12)) <= answer.claimed.least <= there
    assert 0 < answer.claimed.excess <= there / least - 1
    assert "above the minimum" in str(answer)
    honest = certify.fit(line, X, Y, [1, 1], claimed=answer.values)
    assert honest.claimed.excess <= Fraction(1, 10**12)


def test_what_is_printed_holds_the_truth():
    answer = certify.fit(line, X, Y, [1, 1], box=[(-5, 5), (-5, 5)])
    truth, least, variances = exact_line(X, Y, (1,) * len(X))
    told = str(answer)
    assert "slope in [-5, 5], offset in [-5, 5]" in told
    for name, value in truth.items():
        row = next(row for row in told.splitlines() if row.startswith(name))
        (low, high), (less, more) = (
            [Fraction(end) for end in ends.split(",")] for ends in re.findall(r"\[(.*?)\]", row)
        )
        assert low <= value <= high
        assert less**2 <= variances[name] <= more**2
    low, high = re.search(r"at the minimum: (\S+) \.\. (\S+)", told).groups()
    assert Fraction(low) <= least <= Fraction(high)


@pytest.mark.parametrize(
    "name",
    [
        "Misra1a",
        "DanWood",
        "MGH10",
        *(pytest.param(name, marks=pytest.mark.thorough) for name in ("MGH17", "Eckerle4", "Longley", "Bennett5")),
    ],
)
def test_nist_digits_are_those_of_a_proved_minimum_from_the_first_start(name, monkeypatch):
    """Without time for a proof that it is global: what NIST certifies is enclosed up to its last digit."""
    monkeypatch.setattr("certify.model_fits.judging.SEARCHED", 0.0)
    one = reference(name)
    answer = certify.fit(one.model, one.x, one.y, one.starts[0])
    assert answer.verdict is not Verdict.UNDECIDED
    for value, ends in zip(one.values, answer.box.values(), strict=True):
        assert max(abs(value - Fraction(end)) for end in ends) <= abs(value) / 10**10
    for value, ends in zip(one.errors, answer.standard_errors.values(), strict=True):
        assert max(abs(value - Fraction(end)) for end in ends) <= abs(value) / 10**6


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["DanWood", "Eckerle4"])
def test_minima_are_proved_to_be_global(name):
    """In the box of the benchmark, ten times as far as the first start."""
    one = reference(name)
    assert judged(one, 1, one.starts[0], 40.0)["verdict"] == Verdict.GLOBAL_MINIMUM.value


def test_without_a_proof_nothing_is_said_to_be_proved():
    answer = certify.fit(lambda x, a, b: (a + b) * x, X, Y, [1, 1])
    assert answer.verdict is Verdict.UNDECIDED
    assert (answer.box, answer.residual_sum, answer.standard_errors, answer.digits) == ({}, None, {}, {})
    assert "nothing is proved" in str(answer)


@pytest.mark.parametrize(
    ("named", "told"),
    [
        ({"y": (1, 2)}, "x has 4 numbers and y has 2"),
        ({"y": ()}, "no observations"),
        ({"y": (1, math.nan, 2, 3)}, "y, observation 2 is nan"),
        ({"weights": (1, -1, 1, 1)}, "weight 2 is negative"),
        ({"start": [1]}, "takes 2 parameters"),
        ({"box": [(0, 1)]}, "one pair of ends for each of slope, offset"),
        ({"box": [(1, 0), (0, 1)]}, "box of slope is \\[1, 0\\]"),
        ({"model": lambda x, slope, offset: math.exp(slope) * x + offset}, "as a float"),
        ({"model": lambda x, slope, offset: slope * x["load"] + offset}, "traced numbers"),
        ({"x": {"load": X}, "model": lambda x, slope, offset: slope * x.weight + offset}, "x has load"),
        ({"x": "abc"}, "a column of numbers"),
    ],
)
def test_bad_input_is_told(named, told):
    given = {"model": line, "x": X, "y": Y, "start": [1, 1]} | named
    with pytest.raises(InputError, match=told):
        certify.fit(**given)


@pytest.mark.thorough
def test_the_example_of_the_documents_runs_as_it_is(tmp_path):
    text = (Path(__file__).parents[2] / "docs" / "fits.md").read_text()
    block = re.search(r"<!-- fit -->\n```python\n(.*?)```", text, re.S).group(1)
    done = subprocess.run([sys.executable, "-c", block], capture_output=True, text=True, cwd=tmp_path, check=True)
    assert "the only global minimum in the search box (proved)" in done.stdout
    folder = tmp_path / "misra"
    assert both((folder / "problem.canonical").read_bytes(), (folder / "residuals.cert").read_bytes()) == "VERIFIED"


def decay(x, a, b):
    return a * np.exp(-b * x)


def test_certificates_in_other_units_name_them(tmp_path):
    """A page told the box of the certificate, a = 0.9, of a parameter of 1e-19, and a sum of squares 1e36 times too
    large: each unknown and row has its unit there.
    """
    y = [1e-19 * k for k in (5.0, 3.7, 2.75, 2.03, 1.5, 1.12)]
    found = certify.fit(decay, range(6), y, [4e-19, 0.25], [(1e-19, 1e-18), (0.01, 1)], weights=[2] * 6, time_limit=1e4)
    assert found.units is not None and found.minimum.unit == "1^2"
    found.save(tmp_path)
    told = explain((tmp_path / "problem.canonical").read_bytes(), (tmp_path / "residuals.cert").read_bytes())
    exponents = {name: f"2^{exponent(unit)}" for name, unit in found.units.parameters.items()}
    assert {name: unit.strip("'") for name, unit, _, _ in told.boxed()} == exponents
    assert told.column_units["y"].strip("'") == f"2^{exponent(found.units.response)}"
    (low, high), unit = told.solutions[0][0], found.units.parameters["a"]
    assert low * unit <= Fraction(found.values["a"]) <= high * unit
    page = found.report(tmp_path / "fit.html").read_text()
    assert f"has a in {exponents['a']}, b in {exponents['b']}, y in 2^" in page
    assert f"as recorded: {found.values['a'] / float(unit)!r}" in page


def test_units_are_powers_of_two_next_to_the_sizes():
    data = observations([1, 2], [3, -(2**40)], [0, Fraction(1, 2**50)])
    units = units_of("ab", [0.0, -5.0], [(-3, 1), (0, 9)], data)
    assert units.parameters == {"a": 4, "b": 8}
    assert (units.response, units.weight) == (2**41, Fraction(1, 2**49))
    assert units.data(data).response == (Fraction(3, 2**41), Fraction(-1, 2))
    assert units.box([(-3, 1), (0, 9)]) == ((Fraction(-3, 4), Fraction(1, 4)), (0, Fraction(9, 8)))
    assert units.model(lambda x, a, b: a + b * x)(3, Fraction(1, 2), Fraction(1)) == Fraction(26, 2**41)
    assert units_of("ab", [0.0, -5.0], None, observations([1, 2], [3, 0])) is None


@pytest.mark.parametrize("name", ["y", "weight", "y_"])
def test_a_predictor_may_be_called_as_the_response_is(name):
    """It was the response itself then: y = 1 y + 0 z was proved, without any residual."""
    table = {"y": [0, 1, 2, 3], "z": [1, 2, 1, 3]}
    named = {(name if key == "y" else key): values for key, values in table.items()}
    found = certify.fit(
        lambda x, a, b: a * x[name] + b * x["z"], named, [1, 3, 5, 8], [1, 1], [(-9, 9)] * 2, weights=[1, 2, 1, 1]
    )
    rows = np.array([[0, 1], [2, 4], [2, 1], [3, 3]], dtype=float)
    a, b = np.linalg.lstsq(rows, np.array([1, 6, 5, 8.0]), rcond=None)[0]
    assert abs(found.values["a"] - a) + abs(found.values["b"] - b) < 1e-9
    assert found.residual_sum[0] > 0.1


@pytest.mark.parametrize("name", ["y_below", "y_above_", "x_below"])
def test_a_predictor_may_be_called_as_columns_of_one_side_are(name):
    """Of the loss huber residuals below the scale have columns of their own, which had the name of the predictor."""
    data = observations({"x": [1], name: [2]}, [3], [4])
    suffixes = [data.suffix(side) for side in (0, 1, -1)]
    called = [f"{column}{suffix}" for suffix in suffixes for column in data.only([0])]
    assert suffixes[0] == "" and len(set(called)) == len(called)
    x = [0, 1, 2, 3, 4, 5]
    y = [Fraction("0.1"), 1, 2, 8, 4, Fraction("5.1")]
    found = certify.fit(lambda x, a, b: a * x[name] + b, {name: x}, y, [1, 0], [(-9, 9)] * 2, loss="huber")
    assert found.verdict is Verdict.LOCAL_MINIMUM
    assert (
        abs(found.values["a"] - certify.fit(lambda x, a, b: a * x + b, x, y, [1, 0], loss="huber").values["a"]) < 1e-9
    )


def test_other_units_are_those_of_the_response_alone():
    """A predictor of the name of a column of one side was told to be in the unit of the response."""
    data = observations({"y_above": [1, 2]}, [2**40, 2**41], None)
    units = units_of("a", [1.0], None, data)
    problem = regression(lambda x, a: a * x.y_above, ["a"], data, [(0, 9)])
    told = {column.name: column.unit for column in units.told(problem, data).columns}
    assert told == {"y_above": "1", "y": f"2^{exponent(units.response)}"}


@pytest.mark.parametrize(
    ("ends", "told"),
    [
        (("0.1", "0.2"), "[0.1, 0.2]"),
        (("0.1000000001", "0.10000002"), "[0.1000000001, 0.10000002]"),
        ((Fraction(1, 3), 2), "[0.333334, 2]"),
        ((-1, Fraction(-1, 3)), "[-1, -0.333334]"),
        ((0, Fraction(10**20 + 1, 3)), "[0, 33333300000000000000]"),
    ],
)
def test_the_searched_box_is_told_inward_and_not_the_wrong_way_round(ends, told):
    """Six digits made [0.100001, 0.1] of the second one."""
    assert _inward(*map(Fraction, ends)) == told


def test_the_box_of_a_largest_residual_is_no_larger_than_what_was_searched():
    found = certify.fit(lambda x, a: a * x, [1, 2], [1, 3], [1], [(Fraction(1, 3), Fraction(7, 3))], loss="largest")
    low, high = found.box["a"]
    assert Fraction(1, 3) <= Fraction(low) and Fraction(high) <= Fraction(7, 3)


@pytest.mark.parametrize(("model", "loss"), [("linear", "squares"), (lambda x, a: a * x, "largest")])
def test_what_is_claimed_is_not_passed_over(model, loss):
    with pytest.raises(InputError, match="claimed: nothing is compared"):
        certify.fit(model, [1.0, 2.0], [1.0, 3.0], [1], loss=loss, claimed=[1])


def test_a_start_by_name_may_be_in_any_order():
    """Numbers were given to the function in the order of the dictionary: what was said of a was true of b."""
    x, y = range(6), [5.0, 3.7, 2.75, 2.03, 1.5, 1.12]
    for start in ({"a": 4, "b": 0.25}, {"b": 0.25, "a": 4}, {"height": 4, "rate": 0.25}):
        box = dict(zip(start, [(1, 10), (0, 1)] if next(iter(start)) != "b" else [(0, 1), (1, 10)], strict=True))
        found = certify.fit(decay, x, y, start, box)
        values = list(found.values.values())
        assert list(found.values) == (["a", "b"] if "a" in start else ["height", "rate"])
        assert abs(values[0] - 5) < 0.1 and abs(values[1] - 0.3) < 0.01
    for start in ({"a": 4, "c": 0.25}, {"a": 4}, {"a": 4, "b": 1, "c": 2}, [1, 2, 3]):
        with pytest.raises(InputError, match=r"give one for each|could not be called"):
            certify.fit(decay, x, y, start)


@pytest.mark.parametrize("model", ["linear", lambda x, a: a * x.t])
@pytest.mark.parametrize("odd", [{0: 5, 1: 6, 2: 7}, {5, 6, 7}])
def test_a_column_without_an_order_is_refused(model, odd):
    """Of what DataFrame.to_dict gives the keys were fitted, and that was proved."""
    for x, y, weights in (
        ({"t": odd}, [1, 2, 3], None),
        ({"t": [1, 2, 3]}, odd, None),
        ({"t": [1, 2, 3]}, [1] * 3, odd),
    ):
        with pytest.raises(InputError, match="in order, as a list"):
            certify.fit(model, x, y, [1], [(0, 9)], weights=weights)


def test_what_is_claimed_names_each_parameter():
    with pytest.raises(InputError, match="offset not; give each parameter"):
        certify.fit(line, X, Y, [1, 1], [(-9, 9)] * 2, claimed={"slope": 1})


@pytest.mark.thorough
@pytest.mark.parametrize(("y", "x", "weight"), [(2**66, 1, 1), (2.0**-70, 2**40, 1), (1, 1, 2**60)])
def test_numbers_far_from_1_are_fitted_in_other_units(y, x, weight):
    """The same observations in two units: what is proved of both holds of one number."""
    data, box = [9, 6, 4, 3, 2, 1], [(1, 20), (Fraction(1, 100), 2)]
    near = certify.fit(decay, range(6), data, [9, 0.4], box, time_limit=20)
    far = certify.fit(
        decay, [k * Fraction(x) for k in range(6)], [v * Fraction(y) for v in data], [9.0 * y, 0.4 / x],
        [(Fraction(y), 20 * Fraction(y)), (Fraction(1, 100) / Fraction(x), 2 / Fraction(x))], weights=[weight] * 6,
        claimed=[8.0 * y, 0.3 / x], time_limit=20,
    )  # fmt: skip
    assert near.units is None
    assert far.verdict is near.verdict is Verdict.GLOBAL_MINIMUM
    square = Fraction(y) ** 2 * weight**2
    pairs = [(near.box["a"], far.box["a"], Fraction(y)), (near.box["b"], far.box["b"], 1 / Fraction(x))]
    pairs += [(near.residual_sum, far.residual_sum, square), (near.least_sum, far.least_sum, square)]
    pairs += [(near.standard_errors["a"], far.standard_errors["a"], Fraction(y))]
    pairs += [(near.minimisers[0]["b"], far.minimisers[0]["b"], 1 / Fraction(x))]
    for one, other, unit in pairs:
        low, high = (Fraction(end) / unit for end in other)
        assert max(low, Fraction(one[0])) <= min(high, Fraction(one[1]))
        assert high - low <= max(abs(low), abs(high)) / 10**6
    assert far.searched[0][1] == (Fraction(y), 20 * Fraction(y))
    assert 11 < far.claimed.excess < 13
    assert "the certificate, saved with its problem, has a in 2^" in str(far)
