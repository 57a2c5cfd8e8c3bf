"""Terms of second order: valid ones are VERIFIED, forged ones REJECTED for their reason; jets against exact second
derivatives.
"""

from __future__ import annotations

import itertools
import math
import random
from fractions import Fraction

import pytest
from checker_texts import judge, reject
from exact_derivatives import exact_jet, holds, jet_of, of_problem
from exact_rows import SMOOTH, check_form, random_problem, random_tape, within
from hypothesis import given, settings
from hypothesis import strategies as st
from texts.rules import POSITIVE
from texts.taylor import FORGED, VALID, leaf, of

from certify.checker import Status
from certify.checker.interval import Undefined
from certify.checker.nodes import RowTerm
from certify.checker.outcome import Clock, ResourceLimit
from certify.checker.problem import parse_problem
from certify.checker.rules import Proof, Question
from certify.checker.scope import Scope


@pytest.mark.parametrize("name", VALID)
def test_valid_terms_of_second_order_are_verified(name: str) -> None:
    outcome = judge(*VALID[name])
    assert outcome.status is Status.VERIFIED, outcome.message


@pytest.mark.parametrize("name", FORGED)
def test_forged_terms_of_second_order_are_rejected(name: str) -> None:
    reject(*FORGED[name])


@settings(max_examples=250, deadline=None)
@given(seed=st.integers(0, 10**9), precision=st.sampled_from((8, 10, 12)), size=st.integers(1, 3))
def test_jets_contain_exact_derivatives(seed: int, precision: int, size: int) -> None:
    rng = random.Random(seed)
    parsed = parse_problem(random_problem(rng, random_tape(rng, size, SMOOTH, rng.randint(1, 6)), size).text().encode())
    try:
        jet, scope = of_problem(parsed, precision)
    except Undefined:
        return
    for _ in range(4):
        value, first, second = exact_jet(parsed, [within(rng, bounds) for bounds in scope.box])
        assert holds(jet.value, value, precision)
        for i in range(size):
            assert holds(jet.linear.get((i,), (0, 0)), first[i], precision)
            assert holds(jet.square.get((i, i), (0, 0)), second[i][i] / 2, precision)
            for j in range(i):
                assert holds(jet.square.get((j, i), (0, 0)), second[i][j], precision)
    assert all(len(monomial) == 1 for monomial in jet.linear)
    assert all(len(monomial) == 2 for monomial in jet.square)


@pytest.mark.parametrize("side", [1, -1])
@settings(max_examples=200, deadline=None)
@given(seed=st.integers(0, 10**9), precision=st.sampled_from((8, 10, 12)))
def test_the_form_of_second_order_contains_the_row(side: int, seed: int, precision: int) -> None:
    """s r(x, h) - e is a selection of the t term at d = x - c, for every h in H."""
    rng = random.Random(seed)
    parsed = parse_problem(random_problem(rng, random_tape(rng, 4, SMOOTH, rng.randint(1, 6)), 2).text().encode())
    proof = Proof(parsed, (0,), precision, Question(Fraction(1, 3)), Scope(parsed, (0,), precision).box)
    check_form(proof, rng, "t", side, lambda r, e: side * r - e)


KNOWN = {
    "sqr 0": (lambda x: 2 * x, lambda x: 1.0),
    "sqrt 0": (lambda x: 0.5 * x**-0.5, lambda x: -0.125 * x**-1.5),
    "sin 0": (math.cos, lambda x: -0.5 * math.sin(x)),
    "cos 0": (lambda x: -math.sin(x), lambda x: -0.5 * math.cos(x)),
    "exp 0": (math.exp, lambda x: 0.5 * math.exp(x)),
    "log 0": (lambda x: 1 / x, lambda x: -0.5 * x**-2),
    "atan 0": (lambda x: 1 / (1 + x * x), lambda x: -x * (1 + x * x) ** -2),
    "exp 0, log 1": (lambda x: 1.0, lambda x: 0.0),
    "log 0, exp 1, atan 2": (lambda x: 1 / (1 + x * x), lambda x: -x * (1 + x * x) ** -2),
    "neg 0, exp 1, mul 0 2": (lambda x: (1 - x) * math.exp(-x), lambda x: (0.5 * x - 1) * math.exp(-x)),
    "log 0, mul 0 1": (lambda x: math.log(x) + 1, lambda x: 0.5 / x),
    "const 1, div 1 0": (lambda x: -(x**-2), lambda x: x**-3),
    "sin 0, cos 0, mul 1 2": (lambda x: math.cos(2 * x), lambda x: -math.sin(2 * x)),
    "sqr 0, sqrt 1": (lambda x: 1.0, lambda x: 0.0),
    "sqrt 0, sin 1": (
        lambda x: 0.5 * math.cos(x**0.5) * x**-0.5,
        lambda x: -0.125 * math.sin(x**0.5) / x - 0.125 * math.cos(x**0.5) * x**-1.5,
    ),
    "sin 0, const 3, add 1 2, div 0 3": (
        lambda x: 1 / (math.sin(x) + 3) - x * math.cos(x) / (math.sin(x) + 3) ** 2,
        lambda x: (
            -math.cos(x) / (math.sin(x) + 3) ** 2
            + 0.5 * x * (math.sin(x) / (math.sin(x) + 3) ** 2 + 2 * math.cos(x) ** 2 / (math.sin(x) + 3) ** 3)
        ),
    ),
}


@pytest.mark.parametrize("lines", KNOWN)
@pytest.mark.parametrize("x", ["1/2", "7/5", "3"])
def test_jets_of_known_functions(lines: str, x: str) -> None:
    """On a point the enclosures are thin: they are compared with floats."""
    jet, _ = of_problem(parse_problem(of(lines, (x, x)).encode()), 80)
    for found, known in zip((jet.linear[0,], jet.square.get((0, 0), (0, 0))), KNOWN[lines], strict=True):
        middle = Fraction(found[0] + found[1], 2 << 80)
        assert found[1] - found[0] < 1 << 20
        assert abs(float(middle) - known(float(Fraction(x)))) < 1e-13


def test_jets_of_a_wide_interval() -> None:
    """Of 1/x, sqrt x and x^2 on [1, 4], exactly."""
    for lines, first, half in (
        ("const 1, div 1 0", (-1, Fraction(-1, 16)), (Fraction(1, 64), 1)),
        ("sqrt 0", (Fraction(1, 4), Fraction(1, 2)), (Fraction(-1, 8), Fraction(-1, 64))),
        ("sqr 0", (2, 8), (1, 1)),
    ):
        jet, _ = of_problem(parse_problem(of(lines, (1, 4)).encode()), 64)
        assert tuple(Fraction(end, 1 << 64) for end in jet.linear[0,]) == first
        assert tuple(Fraction(end, 1 << 64) for end in jet.square[0, 0]) == half


def test_a_term_of_second_order_is_as_it_is_written() -> None:
    """3 + x^2 - 2 x y on [1, 3] x [-1, 1], both sides: value and slope at (2, 0), quadratic coefficients without a half
    but for squares.
    """
    parsed = parse_problem(of("sqr 0, mul 0 1, sub 2 3, sub 4 3, const 3, add 5 6", (1, 3), (-1, 1)).encode())
    one = 1 << 64
    for side in (1, -1):
        proof = Proof(parsed, (0,), 64, Question(Fraction(1, 4)), Scope(parsed, (0,), 64).box)
        found = proof.polynomial(proof.root, RowTerm("t", 0, 0, side, Fraction(1)))
        expected = {(): 7 * side - Fraction(1, 4), (0,): 4 * side, (1,): -4 * side, (0, 0): side, (0, 1): -2 * side}
        assert {monomial: ends for monomial, ends in found.items() if ends != (0, 0)} == {
            monomial: (value * one, value * one) for monomial, value in expected.items()
        }


def test_a_tape_is_evaluated_until_the_deadline() -> None:
    parsed = parse_problem(of("add 0 0, add 1 0", (1, 2)).encode())
    scope = Scope(parsed, (0,), 64)
    with pytest.raises(ResourceLimit):
        jet_of(scope, Clock(0))


def test_random_corners_of_a_quadratic_are_met() -> None:
    """The bound of a quadratic row over its box is exact where no variable is in two monomials of one sign: at 64 bits,
    without tolerance.
    """
    for lower, upper in itertools.product((-3, -1, 0), (1, 2, 5)):
        text = of("sqr 0, const 50, sub 2 1", (lower, upper))
        least = 50 - max(lower * lower, upper * upper)
        centre = Fraction(lower + upper, 2)
        radius = Fraction(upper - lower, 2)
        bound = 50 - centre**2 - abs(2 * centre) * radius - radius**2
        assert bound == least
        assert judge(*leaf(text, "t0.0+1", least - Fraction(1, 10**9))).status is Status.VERIFIED
        assert POSITIVE in judge(*leaf(text, "t0.0+1", least)).message
