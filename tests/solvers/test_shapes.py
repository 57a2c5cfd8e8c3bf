"""What a model's shape says of its least sum of squares: never above the truth, and above 0 where it can be."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations, pairwise

import numpy as np
import pytest

import certify
from benchmarks.nist import _box, reference
from certify.problems.model_fits.observations import model_tape, observations
from certify.problems.model_fits.shapes import shape
from certify.solvers.limits import UNLIMITED, Late, Limit
from certify.solvers.shapes.grouped import grouped
from certify.solvers.shapes.monotone_runs import monotone_sum
from certify.solvers.shapes.recurrences import _above, _tail, recurrence_sum
from certify.solvers.shapes.shape_bound import Because, ShapeBound, shape_bound

MODELS = {  # at most so many breaks, and the order of a recurrence
    "a decay": (lambda x, a, b: a * np.exp(-b * x), 0, 1),
    "two decays": (lambda x, a, b, c, d: a * np.exp(-b * x) + c * np.exp(-d * x), 1, 2),
    "logistic": (lambda x, a, b, c, d: a / (1 + np.exp(b - c * x)) ** (1 / d), 0, None),
    "a peak": (lambda x, a, b, c: a * np.exp(-(((x - b) / c) ** 2)), 1, None),
    "peaks": (lambda x, a, b, c, d: a * np.exp(-b * x) + c * np.exp(-((x - d) ** 2)) + d * np.exp(-(x**2)), 9, None),
    "a quotient": (lambda x, a, b, c, d: (a + b * x + c * x**2) / (1 + d * x + a * x**2), 5, None),
    "a pole": (lambda x, a, b: a / (x - b), 1, None),
    "powers": (lambda x, a, b, c: a * (x + b * b) ** (1 / c), 0, None),
    "a root of a square": (lambda x, a, b: np.sqrt((x - a) ** 2 + b * b), 1, None),
    "a size": (lambda x, a, b: abs(a * x - b) + a, 1, None),
    "an arctangent": (lambda x, a, b, c: a + b * np.arctan(x - c), 0, None),
    "waves": (lambda x, a, b, c: a + np.cos(b * x) * c + np.sin(b * x) * a, None, 3),
    "a damped wave": (lambda x, a, b, c: np.exp(-a * x) * np.sin(b * x) * (c + x), None, 4),
    "a chirp": (lambda x, a: np.sin(a * x**2), None, None),
    "a cubic": (lambda x, a, b, c: a + x * (b + x * (c + x)), 2, 4),
}  # fmt: skip


def shaped(model):
    names = model.__code__.co_varnames[1 : model.__code__.co_argcount]
    return shape(model_tape(model, names, observations([0, 1], [0, 0])), len(names))


@pytest.mark.parametrize("name", MODELS)
def test_breaks_and_orders(name):
    model, breaks, order = MODELS[name]
    found = shaped(model)
    assert (found.breaks, found.order) == (breaks, order)


@pytest.mark.parametrize("name", [name for name, (_, breaks, _) in MODELS.items() if breaks is not None])
def test_no_function_has_more_runs_than_is_said(name):
    """Counted on a grid, of random parameters: at most as many changes of direction as breaks."""
    model, breaks, _ = MODELS[name]
    random, x = np.random.default_rng(3), np.linspace(-3, 3, 241)
    for _ in range(60):
        parameters = np.round(random.normal(0, 1.5, model.__code__.co_argcount - 1), 2) + 0.003
        with np.errstate(all="ignore"):
            values = model(x, *parameters)
        steps = np.diff(values)
        size = np.abs(values[:-1]) + np.abs(values[1:])
        signs = np.sign(steps[np.abs(steps) > 1e-9 * size])  # beyond what rounding does
        signs = signs[np.isfinite(signs)]
        assert int((signs[1:] != signs[:-1]).sum()) <= (2 * breaks if name in POLES else breaks)


POLES = {"a quotient", "a pole"}  # a jump goes the other way, so that a pole is two changes


def best(values, breaks):
    """The least sum of squares of values on at most breaks + 1 monotone runs: all partings into constant blocks."""
    n, least = len(values), None
    for count in range(n):
        for cuts in combinations(range(1, n), count):
            parts = [values[a:b] for a, b in pairwise((0, *cuts, n))]
            means = [Fraction(sum(part), len(part)) for part in parts]
            if runs(means) <= breaks + 1:
                total = sum((v - m) ** 2 for part, m in zip(parts, means, strict=True) for v in part)
                least = total if least is None else min(least, total)
    return least


def runs(values):
    """The fewest monotone runs."""
    count, way = 1, 0
    for a, b in pairwise(values):
        step = (b > a) - (b < a)
        if way and step and step != way:
            count, way = count + 1, 0
        else:
            way = way or step
    return count


@pytest.mark.parametrize("breaks", range(4))
def test_monotone_runs_reach_the_least_sum_of_all_partings(breaks):
    random = np.random.default_rng(breaks)
    for _ in range(20):
        values = random.integers(-6, 7, 8).tolist()
        groups = grouped(*[[Fraction(v) for v in column] for column in (range(8), values)], None)
        truth = best(values, breaks)
        found = monotone_sum(groups, breaks, UNLIMITED)
        assert truth - Fraction(8, 2**40) <= found <= truth


def test_weights_and_repeated_observations():
    x, y, weights = [[Fraction(v) for v in column] for column in ([1, 1, 2, 3], [4, 6, 9, 100], [2, 1, 3, 0])]
    groups = grouped(x, y, weights)
    mean = Fraction(4 * 4 + 6, 5)
    assert groups.rest() == 4 * (4 - mean) ** 2 + (6 - mean) ** 2
    assert groups.count == 2
    assert grouped(x, [Fraction(1, 2**5000)] * 4, None) is None


def test_eigenvalues_are_counted_exactly():
    matrix = [[2, 1, 0], [1, 2, 1], [0, 1, 2]]  # 2, 2 + sqrt 2, 2 - sqrt 2
    assert [_above([*map(list, matrix)], Fraction(n, 10)) for n in (5, 6, 19, 21, 34, 35)] == [3, 2, 2, 1, 1, 0]
    tail = _tail([[1000, 0, 0, 0], [0, 7, 0, 0], [0, 0, 3, 0], [0, 0, 0, 1]], 1, UNLIMITED)
    assert Fraction(9) <= tail <= 11
    assert _tail([[9, 0], [0, 0]], 1, UNLIMITED) == 0
    with pytest.raises(Late):
        _tail([[9, 0], [0, 1]], 1, Limit.of(0.0))


def test_a_recurrence_is_never_above_what_is_left_of_a_planted_sum():
    random = np.random.default_rng(8)
    for _ in range(10):
        a, b, c = (Fraction(int(v)) for v in random.integers(1, 5, 3))
        noise = [Fraction(int(v), 1000) for v in random.integers(-9, 10, 20)]
        y = [a * Fraction(1, 2) ** n + b * Fraction(3, 4) ** n + c + noise[n] for n in range(20)]
        groups = grouped([Fraction(n, 4) for n in range(20)], y, None)
        found, truth = recurrence_sum(groups, 3, UNLIMITED), sum(v * v for v in noise)
        assert truth / 20 < found <= truth
        assert recurrence_sum(groups, 20, UNLIMITED) == 0
    exact = grouped([Fraction(n) for n in range(12)], [Fraction(2) ** n - 1 for n in range(12)], None)
    assert recurrence_sum(exact, 2, UNLIMITED) == 0


def bound(model, names, x, y, weights=None):
    data = observations(x, y, weights)
    tape = model_tape(model, names, data)
    return shape_bound(tape, [*data.predictors.values()], data.response, data.weights, UNLIMITED)


def test_the_largest_bound_is_told():
    decay, plane = (lambda x, a, b: a * np.exp(-b * x)), (lambda x, a, b: a * x[0] + b * x[1])
    assert bound(decay, "ab", [1, 2, 3.5, 4], [1, 5, 1, 5]).because is Because.RUNS
    assert bound(decay, "ab", [1, 2, 3, 4], [1, 5, 6, 7]).because is Because.RECURRENCE
    assert bound(decay, "ab", [1, 2, 3.5, 4], [1, 5, 6, 7]) is None
    twice = bound(plane, "ab", {"u": [1, 1, 2], "v": [5, 5, 5]}, [1, 3, 4])
    assert (twice.because, twice.lower) == (Because.REPEATED, 2)
    several = bound(plane, "ab", {"u": [1, 1, 2], "v": [5, 5, 6]}, [1, 3, 4])
    assert (several.because, several.lower) == (Because.REPEATED, 2)


def test_a_lower_end_by_the_shape_is_told():
    x, y = range(8), [9, 7, 8, 2, 4, 9, 7, 12]
    answer = certify.fit(lambda x, a, b: a * x + b, x, y, [1, 1], [(-9, 9), (-99, 99)])
    known = ShapeBound(Fraction(1, 3), Because.RUNS, 2)
    told = str(
        replace(answer, linear=None, shape=known, minimum=replace(answer.minimum, epsilon=(Fraction(0), Fraction(9))))
    )
    assert "rises or falls on at most 2 runs): for all parameters" in told
    assert ">= 0.333333333 (in whole numbers, without a certificate)" in told


@pytest.mark.thorough
def test_a_set_of_nist_whose_search_does_not_end_has_a_lower_end():
    """Rat43: one run, for all parameters of which the model is defined."""
    one = reference("Rat43")
    answer = certify.fit(one.model, one.x, one.y, one.starts[1], _box(one), time_limit=8)
    low, high = answer.least_sum
    assert 0.46 * high < low < float(one.least)
