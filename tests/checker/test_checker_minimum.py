"""Minima of the sum of squares: valid certificates are VERIFIED, each side condition is violated by forged ones; random
quadratics.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from fractions import Fraction

import pytest
from checker_texts import judge, problem, reject, tape
from exact_derivatives import exact_jet
from exact_rows import SMOOTH, Singular, random_problem, random_tape, within
from hypothesis import given, settings
from hypothesis import strategies as st
from texts.minimum import FORGED, GLOBAL, LOCAL, PLANE, PLANE_LOCAL, VALID, single

from certify.checker import Status
from certify.checker.certificate import Zero, parse_certificate
from certify.checker.interval import Undefined
from certify.checker.minimum import check_minimum, derivatives, positive_definite
from certify.checker.outcome import Clock, Rejection, ResourceLimit
from certify.checker.problem import parse_problem
from certify.checker.scope import Scope

seeds = st.integers(0, 10**9)


@pytest.mark.parametrize("name", VALID)
def test_valid_minima_are_verified(name: str) -> None:
    outcome = judge(*VALID[name])
    assert outcome.status is Status.VERIFIED, outcome.message


def test_the_verdict_is_said_in_words() -> None:
    start = "VERIFIED scope F, in the box of 1 variables: zero 0 holds"
    assert judge(*LOCAL).message == f"{start} a strict local minimiser of the sum of all r^2, which there is <= 0.5"
    assert judge(*GLOBAL).message == f"{start} the only global minimiser of the sum of all r^2, which there is <= 0.99"


@pytest.mark.parametrize("name", FORGED)
def test_forged_minima_are_rejected(name: str) -> None:
    reject(*FORGED[name])


# Positive definite matrices, derivatives, quadratics


def determinant(matrix: Sequence[Sequence[int]]) -> int:
    """By Leibniz."""
    total = 0
    for order in itertools.permutations(range(len(matrix))):
        product = (-1) ** sum(order[i] > order[j] for i, j in itertools.combinations(range(len(order)), 2))
        for row, place in enumerate(order):
            product *= matrix[row][place]
        total += product
    return total


@settings(max_examples=300, deadline=None)
@given(seed=seeds, size=st.integers(1, 4), reach=st.sampled_from((1, 2, 5, 10**30)))
def test_definiteness_is_decided_by_minors(seed: int, size: int, reach: int) -> None:
    rng = random.Random(seed)
    matrix = [[rng.randint(-reach, reach) for _ in range(size)] for _ in range(size)]
    for i, j in itertools.combinations(range(size), 2):
        matrix[j][i] = matrix[i][j]
    if rng.random() < 0.6:
        for i in range(size):
            matrix[i][i] = abs(matrix[i][i]) + rng.randint(0, size * reach)
    truth = all(determinant([row[:k] for row in matrix[:k]]) > 0 for k in range(1, size + 1))
    before = [list(row) for row in matrix]
    assert positive_definite(matrix, Clock()) == truth
    assert matrix == before


def test_definiteness_of_small_matrices() -> None:
    assert positive_definite([], Clock()) and positive_definite([[1]], Clock())
    assert not positive_definite([[0]], Clock()) and not positive_definite([[-1]], Clock())
    assert not positive_definite([[1, 1], [1, 1]], Clock()) and positive_definite([[1, 1], [1, 2]], Clock())
    assert positive_definite([[2, -1, 0], [-1, 2, -1], [0, -1, 2]], Clock())
    assert not positive_definite([[1, 2], [2, 1]], Clock())
    with pytest.raises(ResourceLimit):
        positive_definite([[2, 1], [1, 2]], Clock(0))


@settings(max_examples=150, deadline=None)
@given(seed=seeds, precision=st.sampled_from((8, 10, 12)), size=st.integers(1, 3))
def test_gradient_and_hessian_contain_exact_ones(seed: int, precision: int, size: int) -> None:
    """Of F = sum r^2 at points of the box: sum r r' and sum (r' r'' + r r'')."""
    rng = random.Random(seed)
    parsed = parse_problem(
        random_problem(rng, random_tape(rng, size, SMOOTH, rng.randint(1, 5)), size, rows=2).text().encode()
    )
    scope = Scope(parsed, (0,), precision)
    try:
        gradient, hessian = derivatives(scope, scope.box, Clock())
    except Undefined:
        return
    for _ in range(3):
        x = [within(rng, bounds) for bounds in scope.box]
        try:
            value, first, second = exact_jet(parsed, x)
        except Singular:
            continue
        for i in range(size):
            low, high = gradient[i]
            assert low <= 2 * value * first[i] * (1 << precision) <= high
            for j in range(size):
                low, high = hessian[i][j]
                assert low <= 2 * (first[i] * first[j] + value * second[i][j]) * (1 << precision) <= high
    assert all(hessian[i][j] == hessian[j][i] for i in range(size) for j in range(size))


def test_derivatives_of_a_plane_are_exact() -> None:
    scope = Scope(parse_problem(PLANE.encode()), (0,), 64)
    one = 1 << 64
    gradient, hessian = derivatives(scope, ((Fraction(1), Fraction(1)), (Fraction(2), Fraction(2))), Clock())
    assert gradient == [(-2 * one, -2 * one), (9 * one, 9 * one)]
    assert hessian == [[(3 * one,) * 2, (-2 * one,) * 2], [(-2 * one,) * 2, (6 * one,) * 2]]


def test_a_hessian_is_as_sharp_as_the_rule_says() -> None:
    """x - x^2 on [3/4, 5/4]: its slope is in [-3/2, -1/2], so it is within 3/8 of its value 0 at 1, which the
    operations alone do not show.
    """
    scope = Scope(parse_problem(single("sqr 0", "sub 0 1").encode()), (0,), 64)
    _, hessian = derivatives(scope, ((Fraction(3, 4), Fraction(5, 4)),), Clock())
    assert hessian == [[(-(1 << 63), 3 << 64)]]


def solve(matrix: list[list[Fraction]], right: list[Fraction]) -> list[Fraction]:
    """Of two equations, by Cramer."""
    whole = matrix[0][0] * matrix[1][1] - matrix[0][1] * matrix[1][0]
    return [
        (right[0] * matrix[1][1] - right[1] * matrix[0][1]) / whole,
        (right[1] * matrix[0][0] - right[0] * matrix[1][0]) / whole,
    ]


@settings(max_examples=120, deadline=None)
@given(seed=seeds, precision=st.sampled_from((16, 64)))
def test_random_quadratics_have_the_minimum_that_is_known(seed: int, precision: int) -> None:
    """Rows a x + b y - c, linear: the minimiser is known; a box that holds it is valid with its value, and never with
    less, nor another box.
    """
    rng = random.Random(seed)
    count = rng.randint(2, 4)
    rows = [[Fraction(rng.randint(-4, 4)) for _ in range(3)] for _ in range(count)]
    half = [[sum(row[i] * row[j] for row in rows) for j in range(2)] for i in range(2)]
    if half[0][0] * half[1][1] == half[0][1] ** 2:
        return
    z = solve(half, [sum(row[i] * row[2] for row in rows) for i in range(2)])
    value = sum((row[0] * z[0] + row[1] * z[1] - row[2]) ** 2 for row in rows)
    columns = [(name, [(row[k], row[k]) for row in rows]) for k, name in enumerate("abc")]
    text = problem(
        [("x", -999, 999), ("y", -999, 999)],
        columns,
        [tape(5, "mul 0 2", "mul 1 3", "add 5 6", "sub 7 4")],
        [f"F 0 {count} v0 v1 c0 c1 c2"],
    )
    scope = Scope(parse_problem(text.encode()), (0,), precision)
    near = [Fraction(round(entry * 1024) + rng.choice((0, 0, 300, -300, 5000)), 1024) for entry in z]
    radius = Fraction(rng.choice((8, 64, 600)), 1024)
    whole = half[0][0] * half[1][1] - half[0][1] ** 2
    inverse = [[half[1][1] / whole, -half[0][1] / whole], [-half[1][0] / whole, half[0][0] / whole]]
    zero = Zero(
        tuple((entry - radius, entry + radius) for entry in near),
        tuple(tuple(Fraction(round(e * 4096), 4096) for e in row) for row in inverse),
    )
    inside = all(abs(a - b) < radius for a, b in zip(z, near, strict=True))
    at_centre = sum((row[0] * near[0] + row[1] * near[1] - row[2]) ** 2 for row in rows)
    for level in (value - Fraction(1, 10**9), value, at_centre, at_centre + Fraction(1, 16)):
        try:
            found = check_minimum(scope, zero, level, Clock())
        except Rejection:
            continue
        assert inside and level >= value
        assert all(low <= entry * (1 << precision) <= high for entry, (low, high) in zip(z, found, strict=True))


def test_planted_minima_are_found() -> None:
    """The property's test is not empty."""
    for base, families in ((PLANE_LOCAL, (0,)), (LOCAL, (0,)), (VALID["of a valley"], (0, 1))):
        certified = parse_certificate(base[1].encode())
        scope = Scope(parse_problem(base[0].encode()), families, 64)
        check_minimum(scope, certified.isolated[0], Fraction(1), Clock())


def test_minima_end_by_the_deadline() -> None:
    for base in (LOCAL, GLOBAL):
        assert judge(*base, 0).message == "RESOURCE the deadline of 0 seconds"


def test_levels_of_minima() -> None:
    assert parse_certificate(LOCAL[1].encode()).level is None
    assert parse_certificate(GLOBAL[1].encode()).level == Fraction(99, 100)
