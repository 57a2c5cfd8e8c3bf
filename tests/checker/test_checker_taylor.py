"""Terms of second order: valid ones are VERIFIED, forged ones REJECTED for their reason; jets against exact second derivatives."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Sequence
from fractions import Fraction

import pytest
from checker_texts import Forgeries, Number, Text, certificate, grouped, judge, problem, reject, tape
from hypothesis import given, settings
from hypothesis import strategies as st
from test_checker_isolated import differentiated
from test_checker_rules import CIRCLES, LINE, MEET, POSITIVE, PRODUCTS, RECIPROCAL, ROOT, SINE, TWICE, VALLEY
from test_checker_terms import SMOOTH, Singular, _check_form, random_problem, random_tape, within

from certify.checker import Status
from certify.checker.interval import Undefined
from certify.checker.jet import Jet, Jets
from certify.checker.nodes import RowTerm
from certify.checker.outcome import Clock, ResourceLimit
from certify.checker.polynomial import Algebra, Polynomial
from certify.checker.problem import CanonicalProblem, parse_problem
from certify.checker.rules import Proof, Question
from certify.checker.scope import Scope


def of(lines: str, *bounds: tuple[Number, Number]) -> str:
    """One row of x, y, ... within these bounds."""
    names = "xyz"[: len(bounds)]
    variables = [(name, *ends) for name, ends in zip(names, bounds, strict=True)]
    return problem(variables, [], [tape(len(bounds), *lines.split(", "))], ["F 0 1 " + " ".join(f"v{i}" for i in range(len(bounds)))])


def leaf(text: str, terms: str, lower: Number, *above: str, scope: str = "F") -> Text:
    return text, certificate(text, scope=scope, lower=lower, tree=[*above, f"aggregate {terms}"])


BOWL = of("sqr 0, const 1, add 1 2", (-1, 1))
HILL = of("sqr 0, const 2, sub 2 1", (-1, 1))
SADDLE = of("mul 0 1, const 2, add 2 3", (-1, 1), (-1, 1))
COSINE = of("cos 0", (-1, 1))
ARCH = of("sin 0", ("1/2", "5/2"))
ROOTED = of("sqrt 0", ("1/4", 4))
INVERSE = of("const 1, div 1 0, const 3, sub 3 2", ("1/4", 2))
HYPERBOLA = of("const 1, div 1 0", (1, 2))
QUOTIENT = of("div 0 1, const 4, sub 3 2", (1, 2), ("1/2", 2))
CUBE = of("sqr 0, mul 0 1, const 3, sub 3 2", (0, 1))
NEGATED = of("sqr 0, const 2, sub 1 2", (-1, 1))

VALID = {
    "a bowl": leaf(BOWL, "t0.0+1", "999/1000"),
    "a hill": leaf(HILL, "t0.0+1", "999/1000"),
    "a hill upside down": leaf(NEGATED, "t0.0-1", "999/1000"),
    "a saddle": leaf(SADDLE, "t0.0+1", "999/1000"),
    "a cosine": leaf(COSINE, "t0.0+1", "49/100"),
    "a sine": leaf(ARCH, "t0.0+1", "2/5"),
    "a root": leaf(of("sqrt 0", (1, 4)), "t0.0+1", "3/5"),
    "a hyperbola": leaf(HYPERBOLA, "t0.0+1", "19/50"),
    "an inverse": leaf(of("const 1, div 1 0, const 3, sub 3 2", (1, 2)), "t0.0+1", "18/10".replace("18/10", "9/5")),
    "a quotient": leaf(of("div 0 1, const 4, sub 3 2", (1, 2), (1, 2)), "t0.0+1", "1/2"),
    "a cube": leaf(CUBE, "t0.0+1", "13/10"),
    "a line": leaf(LINE, "t0.0+1 t0.1-1", "4/9"),
    "forms of the same row": leaf(LINE, "t0.0+1p-9 q0.0+1 m0.0+1p-9 m0.1-1p-9 q0.1-1 t0.1-1p-9", "4/9"),
    "a valley of measurements": leaf(VALLEY, "t0.0+1", "1/2", "prepare 2"),
    "a sine with a measurement": leaf(SINE, "t0.0-1", "4/5"),
    "a variable bound twice": leaf(problem([("x", -1, 1)], [], [tape(2, "mul 0 1", "const 1", "add 2 3")], ["F 0 1 v0 v0"]), "t0.0+1", "999/1000"),
    "a product of rows": leaf(PRODUCTS, "t0.0+1 t1.0-1 t2.0-1 b0+1+1", "1/4", scope="F G H"),
    "a square of a sum": leaf(of("add 0 1, sqr 2, const 3, add 3 4", (-1, 1), (-1, 1)), "t0.0+1", "9/10"),
    "a negation": leaf(of("sqr 0, neg 1, const 1, sub 2 3", (-1, 1)), "t0.0-1", "999/1000"),
}


@pytest.mark.parametrize("name", VALID)
def test_valid_terms_of_second_order_are_verified(name: str) -> None:
    outcome = judge(*VALID[name])
    assert outcome.status is Status.VERIFIED, outcome.message


# accepted, and false, if the second derivatives were left out
FIRST = {
    f"{name}, {lower}": (leaf(text, f"t0.0{side}1", lower), POSITIVE)
    for name, text, side, levels in (
        ("hill", HILL, "+", (1, "1001/1000", "3/2", "19/10", "199/100")),
        ("hill upside down", NEGATED, "-", (1, "3/2", "199/100")),
        ("saddle", SADDLE, "+", (1, "3/2", "199/100")),
        ("cosine", COSINE, "+", ("11/20", "3/5", "9/10", "999/1000")),
        ("arch", ARCH, "+", ("12/25", "1/2", "3/5", "9/10")),
        ("root", ROOTED, "+", ("1/2", "3/5", "4/5")),
        ("inverse", INVERSE, "+", (0, "1/2", 1, "7/5")),
        ("quotient", QUOTIENT, "+", (0, "1/2", 1, "8/5")),
        ("cube", CUBE, "+", (2, "41/20", "21/10")),
    )
    for lower in levels
}
# accepted, and false, if they were taken half or twice, or only those of one variable or of different ones
HALF = {
    f"{number}: {lower}, {side}": (leaf(of(lines, *bounds), f"t0.0{side}1", lower), POSITIVE)
    for number, (lines, bounds, side, levels) in enumerate(
        (
            ("sqr 0, const 5, sub 2 1", [(-2, 2)], "+", (1, 2, "29/10")),
            ("sqr 0, const 5, sub 1 2", [(-2, 2)], "-", (1, 2, "29/10")),
            ("mul 0 1, const 5, sub 3 2", [(-2, 2), (-2, 2)], "+", (1, 2, "29/10", 4)),
            ("mul 0 1, const 5, add 2 3", [(-2, 2), (-2, 2)], "+", (1, 2, "29/10", 4)),
            ("sqr 0, sqr 1, add 2 3, const 9, sub 5 4", [(-2, 2), (-2, 2)], "+", (1, 3, "49/10", 7)),
            ("sqr 0, sqr 1, sub 2 3, const 9, add 4 5", [(-2, 2), (-2, 2)], "+", (5, 6, 8)),
            ("add 0 1, sqr 2, const 20, sub 4 3", [(-2, 2), (-2, 2)], "+", (4, 5, 11)),
        )
    )
    for lower in levels
}
EDGE = "a divisor contains 0"
BELOW = "a root reaches below 0"
TWO = {
    f"{lines} on {ends}, {side}": (leaf(of(lines, ends), f"t0.0{side}1", 0), f"enclosure: {reason}")
    for lines, ends, reason in (
        ("sqrt 0", (0, 1), EDGE),
        ("sqrt 0, const 9, add 1 2", (0, 4), EDGE),
        ("sqrt 0", (-3, 1), BELOW),
        ("sqr 0, sqrt 1", (-1, 1), EDGE),
        ("sqr 0, sqrt 1", (0, 1), EDGE),
        ("sqrt 0, mul 0 1", (0, 1), EDGE),
        ("sqrt 0, sqr 1", (0, 1), EDGE),
        ("sqrt 0, sub 1 1, const 1, add 2 3", (0, 1), EDGE),
        ("sqrt 0, const 7, mul 0 0", (0, 1), EDGE),
        ("const 1, div 1 0", (-1, 1), EDGE),
        ("const 1, div 1 0", (0, 1), EDGE),
        ("div 0 0", (0, 1), EDGE),
        ("sin 0, sqrt 1", (-1, 1), "a "),
        ("const 1, sub 0 1, sqrt 2", (0, 1), BELOW),
    )
    for side in "+-"
}
FORM = {
    terms: (leaf(LINE, terms, "4/9"), reason)
    for terms, reason in (
        ("T0.0+1", "is no term"),
        ("t0+1", "is no term"),
        ("t0.0", "is no term"),
        ("t0.0+-1", "is no term"),
        ("tt0.0+1", "is no term"),
        ("t0.0+0", "a weight is not a positive"),
        ("t0.0+1 t0.0+2 t0.1-3", "a term occurs twice"),
        ("t0.1-1 t0.0+1 t0.1-1", "a term occurs twice"),
        ("t0.2+1", "there is no row 0.2"),
        ("t1.0+1", "there is no row 1."),
        ("t0.0+1p4097", "exponent 4097"),
        ("t0.0-1 t0.1+1", POSITIVE),
        ("t0.0+2 t0.1-1", POSITIVE),
    )
}
LEMMA = {
    **{f"{cells} cells": (leaf(VALLEY, "t0.0+1", "999/1000", f"prepare {cells}"), POSITIVE) for cells in (1, 3, 5, 7, 9, 11)},
    **{
        f"{name}: {terms} at {lower}": (leaf(text, terms, lower), POSITIVE)
        for name, text, terms, lower in (
            ("measured", LINE, "t0.0+1 t0.1-1", "9/20"),
            ("a meeting", MEET, "t0.0+1", 0),
            ("a meeting", MEET, "t0.0-1", 0),
            ("a sine", SINE, "t0.0-1", 1),
            ("bound twice", TWICE, "t0.0+1", "2"),
            ("bound twice", TWICE, "t0.0+1", 3),
            ("a sine", SINE, "t0.0+1", "1/2"),
        )
    },
    "a pole": (leaf(RECIPROCAL, "t0.0+1", 1), EDGE),
    "an apex": (leaf(CIRCLES, "t0.2-1", 5), EDGE),
    "an edge": (leaf(ROOT, "t0.0+1", 1), EDGE),
}
GROUPS: dict[str, Forgeries] = {"first order": FIRST, "half of it": HALF, "twice differentiable": TWO, "form": FORM, "lemma": LEMMA}
FORGED = grouped(GROUPS)


@pytest.mark.parametrize("name", FORGED)
def test_forged_terms_of_second_order_are_rejected(name: str) -> None:
    reject(*FORGED[name])


# Jets

Exact = tuple[Fraction, list[Fraction], list[list[Fraction]]]


def curved(code: str, u: Fraction, w: Fraction) -> tuple[Fraction | int, Fraction | int, Fraction | int]:
    """The second derivatives of an operation: twice in u, in both, twice in w."""
    if code == "div":
        return 0, -1 / w**2, 2 * u / w**3
    return {"mul": (0, 1, 0), "sqr": (2, 0, 0)}.get(code, (0, 0, 0))


def exact_jet(parsed: CanonicalProblem, point: Sequence[Fraction]) -> Exact:
    """The row, its derivatives and its second derivatives in its inputs, no roots: phi(u, w)'' by the chain rule of two operands."""
    size = len(point)
    numbers = range(size)
    flat = [[Fraction(0)] * size for _ in numbers]
    nodes: list[Exact] = [(value, [Fraction(int(i == j)) for j in numbers], flat) for i, value in enumerate(point)]
    for operation in parsed.tapes[0].operations:
        u, du, hu = nodes[operation.first] if operation.first >= 0 else (operation.value, [Fraction(0)] * size, flat)
        w, dw, hw = nodes[operation.second] if operation.second >= 0 else (Fraction(0), [Fraction(0)] * size, flat)
        if operation.code == "div" and w == 0:
            raise Singular
        value, a, b = differentiated(operation.code, u, w)
        uu, uw, ww = curved(operation.code, u, w)
        second = [
            [a * hu[i][j] + b * hw[i][j] + uu * du[i] * du[j] + uw * (du[i] * dw[j] + du[j] * dw[i]) + ww * dw[i] * dw[j] for j in numbers]
            for i in numbers
        ]
        nodes.append((Fraction(value), [a * x + b * y for x, y in zip(du, dw, strict=True)], second))
    return nodes[-1]


def holds(ends: tuple[int, int], value: Fraction, precision: int) -> bool:
    return ends[0] <= value * (1 << precision) <= ends[1]


def of_problem(parsed: CanonicalProblem, precision: int) -> tuple[Jet, Scope]:
    scope = Scope(parsed, (0,), precision)
    return jet_of(scope, Clock()), scope


def jet_of(scope: Scope, clock: Clock) -> Jet:
    """Over the whole box, the inputs of the tape are the variables in order."""
    arithmetic, program = scope.arithmetic, scope.program(0)
    moves: dict[int, Polynomial] = {i: {(i,): (arithmetic.one, arithmetic.one)} for i in range(len(scope.box))}
    centre = program.values([arithmetic.enclose((lower + upper) / 2) for lower, upper in scope.box])
    offsets = [arithmetic.span((lower - upper) / 2, (upper - lower) / 2) for lower, upper in scope.box]
    return Jets(Algebra(arithmetic, clock), program).row(scope.outward(scope.box), centre, moves, offsets)


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
    _check_form(proof, rng, "t", side, lambda r, e: side * r - e)


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
            -math.cos(x) / (math.sin(x) + 3) ** 2 + 0.5 * x * (math.sin(x) / (math.sin(x) + 3) ** 2 + 2 * math.cos(x) ** 2 / (math.sin(x) + 3) ** 3)
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
    """3 + x^2 - 2 x y on [1, 3] x [-1, 1], both sides: value and slope at (2, 0), quadratic coefficients without a half but for squares."""
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
    """The bound of a quadratic row over its box is exact where no variable is in two monomials of one sign: at 64 bits, without tolerance."""
    for lower, upper in itertools.product((-3, -1, 0), (1, 2, 5)):
        text = of("sqr 0, const 50, sub 2 1", (lower, upper))
        least = 50 - max(lower * lower, upper * upper)
        centre = Fraction(lower + upper, 2)
        radius = Fraction(upper - lower, 2)
        bound = 50 - centre**2 - abs(2 * centre) * radius - radius**2
        assert bound == least
        assert judge(*leaf(text, "t0.0+1", least - Fraction(1, 10**9))).status is Status.VERIFIED
        assert POSITIVE in judge(*leaf(text, "t0.0+1", least)).message
