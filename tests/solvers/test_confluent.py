"""Terms of a model that may become the same: divided differences against high precision, bounds, both orders found."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from math import factorial

import flint
import numpy as np
import pytest
from exact import BITS
from projected_rows import X, in_high_precision, rows_of, search_of

import certify
from certify.records.verdicts import Verdict
from certify.solvers.projected.confluent import clusters


def decays(x, a, b, c, d):
    return a * np.exp(-b * x) + c * np.exp(-d * x)


def level_and_decays(x, e, a, b, c, d):
    return e + a * np.exp(-b * x) + c * np.exp(-d * x)


def three(x, a, b, c, d, e, f):
    return a * np.exp(-b * x) + c * np.exp(-d * x) + e * np.exp(-f * x)


def waves(x, a, b, c, d):
    return a * np.cos(b * x) + c * np.cos(d * x)


def of_decay(x, origin, t, order):
    """The derivative of exp(-t (x - origin))."""
    away = flint.arb(x) - flint.arb(origin)
    return (-away) ** order * (-t * away).exp()


def of_wave(x, origin, t, order):
    """The derivative of cos(t x)."""
    x = flint.arb(x)
    return x**order * (t * x + flint.arb.pi() * order / 2).cos()


MODELS = {
    "decays": (decays, 4, of_decay), "level": (level_and_decays, 5, of_decay), "three": (three, 6, of_decay),
    "waves": (waves, 4, of_wave),
}  # fmt: skip


def difference(function, nodes):
    """f[T] by its definition, for numbers that are equal or differ."""
    nodes = sorted(nodes)
    if nodes[0] == nodes[-1]:
        order = len(nodes) - 1
        return function(flint.arb(nodes[0]), order) / factorial(order)
    gap = flint.arb(nodes[-1]) - flint.arb(nodes[0])
    return (difference(function, nodes[1:]) - difference(function, nodes[:-1])) / gap


def columns_hold(search, lower, upper, derivative, random):
    """Whether Taylor's form of each column that was put in has its divided difference in it, at points of a box."""
    tapes = search._free
    taylor, references = tapes.taylor(lower[None], upper[None]), tapes.references(lower[None], upper[None])
    (one,) = tapes.twins
    middle = 0.5 * (lower + upper)
    told, size = 0, len(lower)
    pairs = zip(one.fixed, one.places, strict=True)
    ends = [(n, 0.0) if p is None else (middle[p], upper[p] - middle[p]) for n, p in pairs]
    at, wide = (np.array(side)[None] for side in zip(*ends, strict=True))
    members = enumerate(zip(one.places, one.members, strict=True))
    marks = [-1 - k if p is None else references[m, 0] for k, (p, m) in members]
    _, _, _, _, steep = tapes._completed(lower[None], upper[None], references)
    (groups,) = clusters(at, wide, steep[:, list(one.members)], np.array(marks)[None]) or ((),)
    for group in groups:
        origin = X[next(references[one.members[k], 0] for k in group if one.places[k] is not None)]
        for _ in range(3):
            point = lower + (upper - lower) * random.choice([0.0, 1.0, 0.5, random.uniform()], size)
            point = np.clip(point, lower, upper)
            if random.random() < 0.5 and lower.max() <= upper.min():
                point[:] = random.uniform(lower.max(), upper.min())
            away = [flint.arb(p) - flint.arb(m) for p, m in zip(point.tolist(), middle.tolist(), strict=True)]
            for count in range(1, len(group)):
                nodes = [
                    one.fixed[k] if one.places[k] is None else float(point[one.places[k]]) for k in group[: count + 1]
                ]
                column = one.members[group[count]]
                for row in np.flatnonzero(taylor.smooth[0]).tolist():
                    truth = difference(partial(derivative, X[row], origin), nodes)
                    assert inside(taylor, row, column, away, truth)
                    told += 1
    return told


def inside(taylor, row, column, away, truth):
    """Whether value + slopes d + curves d d / 2, with radii, holds a number."""
    middle, radius = (flint.arb(float(side[0, row, column])) for side in taylor.value)
    for i, d in enumerate(away):
        middle += float(taylor.slope[0][0, i, row, column]) * d
        radius += float(taylor.slope[1][0, i, row, column]) * abs(d)
        for j, e in enumerate(away):
            middle += float(taylor.curve[0][0, i, j, row, column]) * d * e / 2
            radius += float(taylor.curve[1][0, i, j, row, column]) * abs(d * e) / 2
    return not abs(truth - middle) > radius


@pytest.mark.parametrize("name", MODELS)
def test_divided_differences_are_in_their_forms(name):
    model, count, derivative = MODELS[name]
    search, random, told = search_of(rows_of(model, count), 0.01), np.random.default_rng(len(name)), 0
    size = len(search.places)
    with flint.ctx.workprec(2 * BITS), np.errstate(all="ignore"):
        for _ in range(12):
            radius = 10.0 ** random.uniform(-9, -0.5)
            middle = random.uniform(-2, 2) + radius * random.uniform(-4, 4, size) * (random.random() < 0.8)
            middle = middle if name != "level" or random.random() < 0.5 else middle - middle[0]
            half = radius * random.uniform(0.1, 1.0, size)
            told += columns_hold(search, middle - half, middle + half, derivative, random)
    assert told > 50


@pytest.mark.parametrize("name", MODELS)
def test_no_sum_is_below_the_bound_where_terms_become_the_same(name):
    model, count, _ = MODELS[name]
    problem = rows_of(model, count)
    search, random, told = search_of(problem, 0.01), np.random.default_rng(7), 0
    size = len(search.places)
    with flint.ctx.workprec(BITS):
        for _ in range(20):
            middle = random.uniform(-1, 3) + np.zeros(size)
            radius = 10.0 ** random.uniform(-6, -1)
            lower, upper = middle - radius * random.uniform(0, 1, size), middle + radius
            bound = search._of_free_columns(lower[None], upper[None]).bound[0]
            told += bool(bound > 0.0)
            for _ in range(3):
                at = np.clip(lower + (upper - lower) * random.uniform(0, 1, size), lower, upper)
                value = in_high_precision(problem, search.completed(at))
                assert not value.is_finite() or value > float(bound)
    assert told > 8


def test_both_orders_of_two_terms_are_found_and_nothing_else():
    """2 exp(-x / 4) + 3 exp(-2 x) and a little more, in a box that holds both orders."""
    x = np.array(X)
    y = [Fraction(value).limit_denominator(500) for value in (2 * np.exp(-x / 4) + 3 * np.exp(-2 * x)).tolist()]
    answer = certify.fit(decays, X, y, [2, 0.25, 3, 2], box=[(-9, 9), (-1, 4)] * 2, time_limit=60)
    assert answer.verdict is Verdict.GLOBAL_MINIMUM
    assert answer.proof == "certificate and engine"
    first, second = answer.minimisers
    for name, other in zip("abcd", "cdab", strict=True):
        assert first[name][0] <= second[other][1]
        assert second[other][0] <= first[name][1]
