"""Least squares without their linear parameters: bounds against sums in high precision, convexity, the search."""

from __future__ import annotations

import flint
import numpy as np
import pytest
from exact import BITS
from projected_rows import X, Y, in_high_precision, rows_of, search_of

import certify
from certify.claims.proved_words import searched_line
from certify.contractors.tape.evaluation import evaluate
from certify.model_fits.everywhere import everywhere
from certify.problems.model_fits.columns import columns
from certify.questions.least_squares import least_squares
from certify.records.options import Options
from certify.records.verdicts import Verdict
from certify.solvers.projected.convexity import one_minimum
from certify.solvers.projected.enclosed_columns import ColumnTapes


def decay(x, a, b):
    return a * np.exp(-b * x)


def two_decays(x, a, b, c, d):
    return a * np.exp(-b * x) + c * np.exp(-d * x)


def pole(x, a, b, c):
    return (a + b * x) / (1 + c * x)


def spike(x, a, b, c):
    return a / b * np.exp(-(((x - c) / b) ** 2) / 2)


def angle(x, a, b, c, d):
    return a - b * x - np.arctan(c / (x - d))


def product(x, a, b, c):
    return a * (x**2 + b * x) / (x**2 + c)


def wave(x, a, b, c):
    return c + a * np.sin(b * x)


MODELS = {
    "decay": (decay, 2), "two": (two_decays, 4), "pole": (pole, 3), "spike": (spike, 3), "angle": (angle, 4),
    "product": (product, 3), "wave": (wave, 3),
}  # fmt: skip


@pytest.mark.parametrize("name", MODELS)
def test_columns_times_monomials_are_the_row(name):
    """In exact interval arithmetic: both enclosures of the same number meet, at random points."""
    model, count = MODELS[name]
    rows = rows_of(model, count).blocks[0]
    found = columns(rows.tape, [int(i) for i in rows.unknown_inputs])
    random = np.random.default_rng(1)
    tape = found.builder.tape(tuple(found.column(m) for m in (*found.monomials, ())))
    for _ in range(20):
        point = random.uniform(0.1, 3.0, count)
        inputs = rows.with_box(point, point, rows.lower, rows.upper)
        row, parts = evaluate(rows.tape, *inputs), evaluate(tape, *inputs)
        factors = np.array([np.prod([point[rows.unknowns[i]] for i in m]) for m in (*found.monomials, ())])
        middle = (factors[:, None] * parts.estimated_middle).sum(axis=0)
        assert np.allclose(middle, row.estimated_middle[0], rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("method", ["free", "bounded"])
def test_no_sum_in_a_box_is_below_its_bound(name, method):
    model, count = MODELS[name]
    problem = rows_of(model, count)
    search, random, told = search_of(problem, 0.01), np.random.default_rng(len(name)), 0
    places = search.places
    judge = search._of_free_columns if method == "free" else search._of_bounded_columns
    with flint.ctx.workprec(BITS):
        for _ in range(30):
            middle = random.uniform(-6, 6, len(places))
            radius = 10.0 ** random.uniform(-6, 0.5, len(places))
            lower, upper = middle - radius, middle + radius
            bound = judge(lower[None], upper[None]).bound[0]
            if not bound > 0.0:
                continue
            told += 1
            for _ in range(5):
                share = random.choice([0.0, 1.0, random.uniform()], len(places))
                at = np.clip(lower + (upper - lower) * share, lower, upper)
                point = search.completed(at)
                point = np.clip(point, *problem.box) if method == "bounded" else point
                value = in_high_precision(problem, point)
                assert not value.is_finite() or value > float(bound)
    assert told > 2


def test_a_box_with_two_minima_is_never_said_to_have_one():
    problem = rows_of(lambda x, a, b: a * np.exp(-(b**2) * x), 2)
    minimum = min(
        (np.sqrt(b) for b in np.linspace(0.01, 2, 2000)),
        key=lambda b: np.linalg.lstsq(np.exp(-(b**2) * np.array(X))[:, None], np.array(Y), rcond=None)[1][0],
    )
    search = search_of(problem)
    tapes = ColumnTapes(search.rows, search.columns, search._others, free=False)
    level = 1.001 * float(np.linalg.lstsq(np.exp(-(minimum**2) * np.array(X))[:, None], np.array(Y), rcond=None)[1][0])
    for exponent in range(-12, 4):
        radius = 2.0**exponent
        both = np.array([[-minimum - radius]]), np.array([[minimum + radius]])
        assert not one_minimum(tapes.taylor(*both), 0.5 * (both[1] - both[0]) * (1 + 1e-9), level)[0]
    one = np.array([[minimum - 0.01]]), np.array([[minimum + 0.01]])
    assert one_minimum(tapes.taylor(*one), 0.5 * (one[1] - one[0]) * (1 + 1e-9), level)[0]


def test_exchanged_terms_are_both_found_and_nothing_else():
    """a exp(-b x) and b, with b told by its square: the minimisers are +b and -b, in boxes that are proved."""
    model = lambda x, a, b: a * np.exp(-(b**2) * x)  # noqa: E731
    answer = certify.fit(model, X, Y, [1, 1], box=[(-10, 10), (-3, 3)], time_limit=20)
    assert answer.verdict is Verdict.GLOBAL_MINIMUM
    assert answer.proof == "certificate and engine"
    assert len(answer.minimisers) == 2
    (first, second) = (box["b"] for box in answer.minimisers)
    assert first[0] <= -second[0] or first[0] <= -second[1] <= first[1] or -second[0] >= first[0]
    assert abs(abs(first[0]) - abs(second[0])) < 1e-9
    assert "2 minima, one of which is the least" in str(answer)
    assert f"({answer.everywhere.boxes} boxes of b, by the engine's outward-rounded arithmetic, without" in str(answer)


@pytest.mark.thorough
def test_a_better_minimum_than_the_first_is_found_and_proved():
    """The frequency 2 is planted; a descent from 5 ends elsewhere."""
    x = np.linspace(0, 6, 25)
    y = np.round(3 + 2 * np.sin(2 * x) + 0.05 * np.cos(17 * x), 3)
    answer = certify.fit(wave, x, y, [1, 5, 3], box=[(-10, 10), (0.5, 6), (-10, 10)], time_limit=60)
    assert answer.verdict is Verdict.GLOBAL_MINIMUM
    low, high = answer.box["b"]
    assert abs(0.5 * (low + high) - 2) < 0.02
    assert answer.least_sum[0] <= answer.residual_sum[1]
    assert "wherever the model is defined in the search box the sum of squares is larger than at" in str(answer)


def test_what_is_left_when_time_is_up_is_a_lower_bound():
    problem = rows_of(pole, 3, (-20, 20))
    minimum = least_squares(problem, [2.5, -0.3, 0.3], options=Options(time_limit=20), searching=0.0).parts[0]
    assert minimum.verdict is Verdict.LOCAL_MINIMUM
    found = everywhere(problem, minimum, 0.0, lambda message: None)
    assert found is not None
    assert not found.finished
    assert found.lower == 0
    assert ">= 0 (" in searched_line(found, "residuals")
    assert everywhere(problem, minimum, 60.0, lambda message: None).finished
