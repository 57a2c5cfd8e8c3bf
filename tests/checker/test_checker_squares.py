"""The sum of squares: valid certificates are VERIFIED, each side condition is violated by forged ones, planted sums are
never refuted.
"""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from checker_texts import certificate, judge, problem, refusal, reject, tape
from exact_rows import Singular, exact, random_problem, random_tape, rooted_tape, shrink, weight, within
from hypothesis import given, settings
from hypothesis import strategies as st
from texts.squares import BOUNDED, FORGED, PAIR, VALID

from certify.checker import Status
from certify.checker.nodes import Aggregate, Evaluate, Product, RowTerm
from certify.checker.outcome import Rejection
from certify.checker.problem import CanonicalProblem, parse_problem
from certify.checker.rules import Proof, Question
from certify.checker.scope import Scope


@pytest.mark.parametrize("name", VALID)
def test_valid_squares_are_verified(name: str) -> None:
    outcome = judge(*VALID[name])
    assert outcome.status is Status.VERIFIED, outcome.message


def test_the_verdict_is_said_in_words() -> None:
    assert judge(*VALID["both ends"]).message == (
        "VERIFIED scope F, in the box of 1 variables: for no unknowns and measurements within their "
        "bounds the sum of all r^2 is <= lower = 4.49; "
        "for some unknowns and measurements within their bounds the sum of all r^2 is <= upper = 4.5"
    )
    assert (
        "in the hull lie all unknowns for which with some measurements the sum of all r^2 is <= within = 6"
        in judge(*BOUNDED).message
    )


@pytest.mark.parametrize("name", FORGED)
def test_forged_squares_are_rejected(name: str) -> None:
    reject(*FORGED[name])


# Planted sums


def sum_of_squares(parsed: CanonicalProblem, x: list[Fraction]) -> Fraction:
    """Of the one family, at exact measurements."""
    rows = range(parsed.families[0].rows)
    return sum(
        (exact(parsed, 0, [*x, *(column.entries[k][0] for column in parsed.columns)]) ** 2 for k in rows),
        start=Fraction(0),
    )


def exactly(writer: object) -> CanonicalProblem:
    """The problem with every measurement known."""
    columns = writer.columns  # type: ignore[attr-defined]
    writer.columns = [(name, [(low, low) for low, _ in entries]) for name, entries in columns]  # type: ignore[attr-defined]
    return parse_problem(writer.text().encode())  # type: ignore[attr-defined]


def terms_of(rng: random.Random, rows: int) -> list[RowTerm | Product]:
    """Each row once at most."""
    chosen = rng.sample(range(rows), rng.randint(1, rows))
    terms: list[RowTerm | Product] = [
        RowTerm(rng.choice("qmt"), 0, row, rng.choice((1, -1)), weight(rng)) for row in chosen
    ]
    products = {
        rng.choice(((0, 1, 0, 1), (0, 1, 0, -1), (0, -1, 1, 1), (0, 1, 1, 1))) for _ in range(rng.randint(0, 1))
    }
    return terms + [Product(*key, weight(rng)) for key in products]


SMOOTH = ("add", "sub", "mul", "neg", "sqr", "const", "div", "sqrt")


@settings(max_examples=200, deadline=None)
@given(seed=st.integers(0, 10**9), precision=st.sampled_from((8, 10, 12)))
def test_a_planted_sum_is_never_refuted(seed: int, precision: int) -> None:
    """The level is the sum at a planted x: no leaf on any box around x is proved."""
    rng = random.Random(seed)
    made = (
        rooted_tape(rng, rng.choice((1, -1)))[0]
        if rng.random() < 0.5
        else random_tape(rng, 4, SMOOTH, rng.randint(1, 6))
    )
    parsed = exactly(random_problem(rng, made, 2, rows=3))
    x = [within(rng, variable.bounds) for variable in parsed.variables]
    try:
        level = sum_of_squares(parsed, x)
    except Singular:
        return
    level += Fraction(1, 1 << 260) if any(operation.code == "sqrt" for operation in parsed.tapes[0].operations) else 0
    proof_of = Proof(parsed, (0,), precision, Question(level, squares=True), Scope(parsed, (0,), precision).box)
    box, preparation = proof_of.root.box, proof_of.root
    for _ in range(4):
        assert all(refusal(proof_of, preparation, box, Evaluate(0, row)) is not None for row in range(3))
        assert refusal(proof_of, preparation, box, Aggregate(tuple(terms_of(rng, 3)))) is not None
        box = shrink(rng, box, x)
        if rng.random() < 0.5:
            preparation = proof_of.prepare(preparation, box, 1)


@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize("sigma", [1, -1])
@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**9), precision=st.sampled_from((8, 10, 12)))
def test_the_root_form_of_squares_is_small_and_of_the_right_sign(
    sigma: int, side: int, seed: int, precision: int
) -> None:
    """At x a selection is s (D - v^2) / h with h >= |r| + 2 |v|, whatever |r| <= sqrt(level)."""
    rng = random.Random(seed)
    made, radicand, rest = rooted_tape(rng, sigma)
    parsed = exactly(random_problem(rng, made, 2))
    factor = parsed.tapes[0].operations[-2].value
    factor = 1 / factor if parsed.tapes[0].operations[-1].code == "div" else factor
    x = [within(rng, variable.bounds) for variable in parsed.variables]
    inputs = [*x, *(column.entries[0][0] for column in parsed.columns)]
    try:
        r = exact(parsed, 0, inputs)
    except Singular:
        return
    proof_of = Proof(parsed, (0,), precision, Question(r * r, squares=True), Scope(parsed, (0,), precision).box)
    try:
        found = proof_of.polynomial(proof_of.root, RowTerm("q", 0, 0, side, Fraction(1)))
    except Rejection:
        return
    d = [a - b for a, b in zip(x, proof_of.root.centre, strict=True)]
    low = high = Fraction(0)
    for monomial, (a, b) in found.items():
        value = Fraction(1)
        for i in monomial:
            value *= d[i]
        low, high = low + min(a * value, b * value), high + max(a * value, b * value)
    scale = Fraction(1, 1 << precision)
    nodes = [exact_node(parsed, inputs, node) for node in (radicand, rest)]
    v, squared = factor * nodes[1], factor**2 * nodes[0]
    truth = side * (squared - v * v)
    assert low * scale <= abs(r) + Fraction(1, 1 << 100) and high * scale >= -abs(r) - Fraction(1, 1 << 100)
    if truth > Fraction(1, 1 << 100):
        assert high > 0
    if truth < -Fraction(1, 1 << 100):
        assert low < 0


def exact_node(parsed: CanonicalProblem, inputs: list[Fraction], node: int) -> Fraction:
    made = parsed.tapes[0]
    shorter = type(made)(made.name, made.inputs, made.operations[: node - made.inputs + 1])
    return exact(type(parsed)(parsed.variables, parsed.columns, (shorter,), parsed.families), 0, inputs)


def test_a_sum_is_bounded_exactly() -> None:
    """Half a unit decides: 3 (x - 0) - 3 (x - 3) - 9/2 = 9/2 is the bound for the level 0, and for the level 9/2 it is
    0.
    """
    parsed = parse_problem(PAIR.encode())
    box = Scope(parsed, (0,), 64).box
    terms = [RowTerm("q", 0, 0, 1, Fraction(3)), RowTerm("q", 0, 1, -1, Fraction(3))]
    for level in (Fraction(0), Fraction(1), Fraction(9, 2), Fraction(7)):
        judge_leaf = Proof(parsed, (0,), 64, Question(level, squares=True), box)
        assert judge_leaf.aggregate_bound(judge_leaf.root, box, terms) == (Fraction(9, 2) - level) * (1 << 64)


def test_the_squares_of_weights_of_different_exponents_are_exact() -> None:
    """3/8 of x and 5/2 of 3 - x at x = 1: 3/8 + 5 - (9/64 + 25/4) / 4 - 1/4."""
    parsed = parse_problem(PAIR.encode())
    box = ((Fraction(1), Fraction(1)),)
    judge_leaf = Proof(parsed, (0,), 64, Question(Fraction(1, 4), squares=True), box)
    terms = [RowTerm("q", 0, 0, 1, Fraction(3, 8)), RowTerm("m", 0, 1, -1, Fraction(5, 2))]
    expected = Fraction(3, 8) + 5 - (Fraction(9, 64) + Fraction(25, 4)) / 4 - Fraction(1, 4)
    assert judge_leaf.aggregate_bound(judge_leaf.root, box, terms) == expected * (1 << 64)
    nothing = Product(0, 1, 0, -1, Fraction(7))
    assert judge_leaf.aggregate_bound(judge_leaf.root, box, [*terms, nothing]) == expected * (1 << 64)
    thirds = Proof(parsed, (0,), 8, Question(Fraction(1, 3), squares=True), box)
    assert thirds.aggregate_bound(thirds.root, box, terms[:1]) == 96 - 95


@pytest.mark.parametrize("level", [Fraction(1, 3), Fraction(2), Fraction(1, 4), Fraction(0)])
def test_the_root_of_the_level_is_an_upper_bound(level: Fraction) -> None:
    parsed = parse_problem(PAIR.encode())
    root = Proof(parsed, (0,), 8, Question(level, squares=True), Scope(parsed, (0,), 8).box)._root_of_level
    assert Fraction(root, 256) ** 2 >= level
    assert root == 0 or Fraction(root - 1, 256) ** 2 < level + Fraction(1, 256)


def test_a_form_that_there_is_not_is_said_by_its_rule() -> None:
    found = problem([("x", 1, 2)], [], [tape(1, "sqr 0", "mul 0 1")], ["F 0 1 v0"])
    message = judge(found, certificate(found, lower=1, norm="squares", tree=["aggregate q0.0+1"])).message
    assert message == "REJECTED node 0 (line 15): aggregate: the degree of D or v exceeds 2"
