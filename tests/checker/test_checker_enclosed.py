"""The form q encloses what it cannot expand: the row is contained, what is linear stays so, and nothing is refuted that
the row may reach.
"""

from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest
from checker_texts import certificate, judge, problem, reject, tape
from exact_functions import EXACT
from exact_rows import random_problem, random_tape, span_at, within
from hypothesis import given, settings
from hypothesis import strategies as st
from texts.enclosed import FORGED, VALID
from texts.rules import powers

from certify.checker import Status
from certify.checker.nodes import RowTerm, Skew
from certify.checker.outcome import Rejection
from certify.checker.problem import parse_problem
from certify.checker.rules import Proof, Question
from certify.checker.scope import Scope

Bracket = tuple[Fraction, Fraction]
FINE = 1 << 90
ALL = ("add", "sub", "mul", "mul", "div", "neg", "sqr", "sqr", "sqrt", "sqrt", "const", "exp", "log", "atan")


class Nowhere(Exception):
    """The row is not defined there, or too large to be followed."""


def outward(low: Fraction, high: Fraction) -> Bracket:
    if abs(low) > 1 << 40 or abs(high) > 1 << 40:
        raise Nowhere
    return Fraction(math.floor(low * FINE), FINE), Fraction(math.ceil(high * FINE), FINE)


def combined(code: str, a: Fraction, b: Fraction, c: Fraction, d: Fraction) -> Bracket:
    """An operation on [a, b] and [c, d]."""
    if code in ("mul", "div"):
        ends = [x * y if code == "mul" else x / y for x in (a, b) for y in (c, d)]
        return min(ends), max(ends)
    if code == "sqr":
        return min(a * a, b * b) if a * b > 0 else Fraction(0), max(a * a, b * b)
    if code == "sqrt":
        return Fraction(math.isqrt(int(a * FINE * FINE)), FINE), Fraction(math.isqrt(int(b * FINE * FINE)) + 2, FINE)
    return {"add": (a + c, b + d), "sub": (a - d, b - c), "neg": (-b, -a)}[code]


def bracket(lines: list[str], inputs: list[Fraction]) -> Bracket:
    """The row, between two numbers that are very near."""
    nodes: list[Bracket] = [(x, x) for x in inputs]
    for line in lines:
        code, *words = line.split(" ")
        if code == "const":
            nodes.append((Fraction(words[0]),) * 2)
            continue
        (a, b), (c, d) = nodes[int(words[0])], nodes[int(words[-1])]
        if (
            (code == "div" and c <= 0 <= d)
            or (code == "sqrt" and a < 0)
            or (code == "log" and a <= Fraction(1, 1000))
            or (code == "exp" and b > 20)
        ):
            raise Nowhere
        if code in ("exp", "log", "atan"):
            least, greatest = (max(end, Fraction(-40)) if code == "exp" else end for end in (a, b))
            nodes.append(outward(EXACT[code](least, 70)[0], EXACT[code](greatest, 70)[1]))
        else:
            nodes.append(outward(*combined(code, a, b, c, d)))
    return nodes[-1]


@pytest.mark.parametrize("side", [1, -1])
@settings(max_examples=200, deadline=None)
@given(seed=st.integers(0, 2**32), precision=st.sampled_from((8, 10, 12)), turned=st.booleans())
def test_rows_with_enclosed_nodes_are_contained(side: int, seed: int, precision: int, turned: bool) -> None:
    """The row at any x of B and h of H; roots are within other functions, as a row with a root has
    another polynomial.
    """
    rng = random.Random(seed)
    writer = random_tape(rng, 4, ALL, rng.randint(2, 8))
    if any(line.startswith("sqrt") for line in writer.lines):
        writer.put("atan", 3 + len(writer.lines))
    parsed = parse_problem(random_problem(rng, writer, 2).text().encode())
    proof = Proof(parsed, (0,), precision, Question(Fraction(1, 3)), Scope(parsed, (0,), precision).box)
    matrix = ((Fraction(1), Fraction(1, 2)), (Fraction(-1, 4), Fraction(1)))
    place = (
        proof.skew(proof.root, proof.root.box, Skew((Fraction(1, 8), Fraction(-1, 2)), matrix))
        if turned
        else proof.root
    )
    try:
        polynomial = proof.polynomial(place, RowTerm("q", 0, 0, side, Fraction(1)))
    except Rejection:
        return
    corner, chart = proof.corner(place, 0, 0, side), place.chart
    e = Fraction(proof.scope.arithmetic.ceiling(Fraction(1, 3)) + corner.slack, 1 << precision)
    for _ in range(5):
        y = [within(rng, bounds) for bounds in place.box]
        h = [within(rng, (Fraction(a, 1 << precision), Fraction(b, 1 << precision))) for a, b in corner.inputs[2:]]
        try:
            least, greatest = bracket(writer.lines, [*chart.point(y), *h])
        except Nowhere:
            continue
        low, high = span_at(polynomial, [a - b for a, b in zip(y, place.centre, strict=True)], precision)
        ends = sorted((side * least - e, side * greatest - e))
        assert low <= ends[1] and ends[0] <= high


def test_what_is_linear_stays_exactly_so() -> None:
    """h exp(x) + y - 2 x on [-1000, 4] x [0, 9]: a number between 0 and h e^4, and a linear function."""
    text = problem(
        [("x", -1000, 4), ("y", 0, 9)],
        [],
        [tape(2, "exp 0", "const 1/16", "mul 2 3", "add 0 0", "sub 1 5", "add 4 6")],
        ["F 0 1 v0 v1"],
    )
    parsed = parse_problem(text.encode())
    proof = Proof(parsed, (0,), 64, Question(Fraction(0)), Scope(parsed, (0,), 64).box)
    found = proof.polynomial(proof.root, RowTerm("q", 0, 0, 1, Fraction(1)))
    one = 1 << 64
    assert found[0,] == (-2 * one, -2 * one) and found[1,] == (one, one) and len(found) == 3
    constant = 996 * one + 9 * one // 2
    assert constant <= found[()][0] < constant + 1 and constant + 3 * one < found[()][1] < constant + 4 * one


@pytest.mark.parametrize("name", VALID)
def test_valid_certificates_are_verified(name: str) -> None:
    outcome = judge(*VALID[name])
    assert outcome.status is Status.VERIFIED, outcome.message


def test_products_and_squares_of_degree_4_are_formed() -> None:
    """x^2 x^2 - (x^2)^2 + x is x, exactly."""
    parsed = parse_problem(powers("sqr 0", "mul 1 1", "sqr 1", "sub 2 3", "add 4 0").encode())
    proof = Proof(parsed, (0,), 64, Question(Fraction(0)), Scope(parsed, (0,), 64).box)
    one = 1 << 64
    assert proof.polynomial(proof.root, RowTerm("q", 0, 0, 1, Fraction(1))) == {
        (): (one >> 1, one >> 1),
        (0,): (one, one),
    }


def test_it_is_the_prepared_box_that_counts() -> None:
    """exp(x) - 2 on [7/8, 1] is positive, on [0, 1] it is not."""
    text = powers("exp 0", "const 2", "sub 1 2")
    parsed = parse_problem(text.encode())
    proof = Proof(parsed, (0,), 64, Question(Fraction(0)), Scope(parsed, (0,), 64).box)
    box, terms = ((Fraction(7, 8), Fraction(1)),), (RowTerm("q", 0, 0, 1, Fraction(1)),)
    assert (
        proof.aggregate_bound(proof.root, box, terms)
        <= 0
        < proof.aggregate_bound(proof.prepare(proof.root, box, 1), box, terms)
    )


def test_only_what_is_needed_must_be_defined() -> None:
    """The root of x - x + 4 on [0, 9], whose natural extension reaches below 0, needs no enclosure; beside an
    exponential it does.
    """
    lines = ["sub 0 0", "const 4", "add 1 2", "sqrt 3"]
    for more, message in (([], "VERIFIED"), (["exp 0", "add 4 5"], "enclosure: a root reaches below 0")):
        text = problem([("x", 0, 9)], [], [tape(1, *lines, *more)], ["F 0 1 v0"])
        assert message in judge(text, certificate(text, lower="19/10", tree=["aggregate q0.0+1"])).message


@pytest.mark.parametrize("name", FORGED)
def test_forged_leaves_are_rejected(name: str) -> None:
    reject(*FORGED[name])
