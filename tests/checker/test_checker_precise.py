"""What only a test of one unit of the last place, or of one line, can see; found by `python -m benchmarks mutants`.

Where a claim is false by less than the arithmetic resolves, where an interval has two different ends in the wrong places, where a limit of the
specification is off by one.
"""

from __future__ import annotations

import itertools
import math
import random
import re
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import pytest
from checker_texts import certificate, judge, problem, tape
from hypothesis import given, settings
from hypothesis import strategies as st
from test_checker_claims import CIRCLE_COUNTED, IDENTITY, ROOTS, ROOTS_COUNTED, alone, single
from test_checker_rules import FAR, LINE, PRODUCTS, UNUSED, VALID, chain, proof, tree

import certify.checker
from certify.checker import (
    CanonicalProblem,
    Clock,
    Product,
    Proof,
    ResourceLimit,
    RowTerm,
    Scope,
    Status,
    isolated,
    overlapping,
    parse_problem,
    polynomial,
    rules,
    text,
)
from certify.checker import certificate as certificates
from certify.checker import problem as problems
from certify.checker.interval import LIMIT_BITS, Interval
from certify.checker.polynomial import Monomial, Polynomial

SPECIFICATION = (Path(certify.checker.__file__).parent / "SPECIFICATION.md").read_text()
TINY = Fraction(1, 1 << 130)


# Sums of weighted terms, exactly


ends = st.integers(-300, 300)
spans = st.tuples(ends, ends).map(lambda pair: (min(pair), max(pair)))
monomials = st.sampled_from([(), (0,), (1,), (0, 0), (0, 1), (1, 1)])
polynomials = st.dictionaries(monomials, spans, max_size=4)
weights = st.tuples(st.integers(1, 40), st.integers(0, 6)).map(lambda pair: Fraction(pair[0], 1 << pair[1]))


def of_two(precision: int = 8) -> Proof:
    parsed = parse_problem(PRODUCTS.encode())
    return Proof(parsed, (0, 1, 2), precision, Fraction(1, 4), Scope(parsed, (0, 1, 2), precision).box)


@settings(max_examples=200, deadline=None)
@given(parts=st.lists(st.tuples(polynomials, weights), min_size=1, max_size=4))
def test_a_weighted_sum_is_exact(parts: list[tuple[Polynomial, Fraction]]) -> None:
    judge_leaf = of_two()
    terms = [RowTerm("q", 0, row, 1, weight) for row, (_, weight) in enumerate(parts)]
    for term, (found, _) in zip(terms, parts, strict=True):
        judge_leaf.root.terms["q", 0, term.row, 1] = found
    total, scale = judge_leaf._sum(judge_leaf.root, terms)
    assert set(total) == {monomial for found, _ in parts for monomial in found}
    for monomial, (low, high) in total.items():
        for place, value in enumerate((low, high)):
            assert Fraction(value, 1 << scale) == sum(weight * found[monomial][place] for found, weight in parts if monomial in found)


@settings(max_examples=300, deadline=None)
@given(total=polynomials, offsets=st.tuples(spans, spans))
def test_a_lower_bound_is_the_sum_of_the_least_products(total: Polynomial, offsets: Sequence[Interval]) -> None:
    judge_leaf = of_two()
    expected = 0
    for monomial, ends_of in total.items():
        known: dict[Monomial, Interval] = {}
        expected += min(a * b for a, b in itertools.product(ends_of, judge_leaf._algebra.range(monomial, offsets, known)))
    assert judge_leaf._least(total, offsets) == expected
    assert judge_leaf._algebra.least(total, offsets) == sum(
        min(a * b for a, b in itertools.product(ends_of, judge_leaf._algebra.range(monomial, offsets, {}))) >> 8
        for monomial, ends_of in total.items()
    )


def test_a_bound_is_rounded_down_and_decides_at_zero(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a unit is 0, which proves nothing; a unit does."""
    judge_leaf, row = of_two(), RowTerm("q", 0, 0, 1, Fraction(1))
    for value, bound in ((1, 0), (255, 0), (256, 1), (-1, -1), (-256, -1), (-257, -2)):
        monkeypatch.setattr(Proof, "_least", lambda *_, value=value: value)
        assert judge_leaf.aggregate_bound(judge_leaf.root, judge_leaf.root.box, [row]) == bound
        assert (judge_leaf.aggregate(judge_leaf.root, judge_leaf.root.box, [row]) is None) == (bound > 0)


def test_offsets_reach_from_the_centre_to_both_ends() -> None:
    parsed = parse_problem(problem([("x", "1/3", 1), ("y", -5, "-1/7")], [], [tape(2, "add 0 1")], ["F 0 1 v0 v1"]).encode())
    judge_leaf = Proof(parsed, (0,), 8, Fraction(0), Scope(parsed, (0,), 8).box)
    for (low, high), (lower, upper), centre, radius in zip(
        judge_leaf.root.offsets, judge_leaf.root.box, judge_leaf.root.centre, judge_leaf.root.radius, strict=True
    ):
        assert (centre, radius) == ((lower + upper) / 2, (upper - lower) / 2)
        assert (low, high) == (math.floor(-radius * 256), math.ceil(radius * 256))
    part = ((Fraction(1, 3), Fraction(1, 2)), (Fraction(-2), Fraction(-1)))
    for (low, high), (lower, upper), centre in zip(judge_leaf._offsets(judge_leaf.root, part), part, judge_leaf.root.centre, strict=True):
        assert (low, high) == (math.floor((lower - centre) * 256), math.ceil((upper - centre) * 256))


def test_an_exact_measurement_stays_as_it_is_enclosed() -> None:
    """1/3 is no number of the grid: its enclosure has a width, but nothing to be moved."""
    parsed = parse_problem(problem([("x", 0, 1)], [("m", [("1/3", "1/3")])], [tape(2, "sub 0 1")], ["F 0 1 v0 c0"]).encode())
    judge_leaf = Proof(parsed, (0,), 8, Fraction(0), Scope(parsed, (0,), 8).box)
    judge_leaf.polynomial(judge_leaf.root, RowTerm("q", 0, 0, 1, Fraction(1)))
    assert judge_leaf.root.corners[0, 0, 1].inputs[1] == (85, 86)


def test_a_proof_keeps_its_clock() -> None:
    parsed = parse_problem(PRODUCTS.encode())
    late = Proof(parsed, (0, 1, 2), 64, Fraction(1, 4), Scope(parsed, (0, 1, 2), 64).box, Clock(0))
    for term in (RowTerm("q", 0, 0, 1, Fraction(1)), Product(0, 1, 1, 1, Fraction(1))):
        with pytest.raises(ResourceLimit):
            late.polynomial(late.root, term)


def test_256_cells_are_allowed() -> None:
    for cells in (1, 255, 256):
        assert judge(LINE, certificate(LINE, lower="4/9", tree=[f"prepare {cells}", "aggregate q0.0+1 q0.1-1"])).status is Status.VERIFIED


def test_a_product_whose_first_variable_alone_is_out_of_scope() -> None:
    outcome = judge(*tree(UNUSED, "aggregate q0.0+1 b0+1+1", lower=1))
    assert outcome.message.endswith("a product's variable is not in the scope")


# Small caches


def test_what_is_remembered_is_small_and_little(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "CACHE", 3)
    monkeypatch.setattr(rules, "REMEMBERED", 5)
    cache: dict[int, str] = {}
    for key, size, kept in ((0, 5, [0]), (1, 6, [0]), (2, 1, [0, 2]), (3, 4, [0, 2, 3]), (4, 5, [4]), (5, 0, [4, 5])):
        rules._remember(cache, key, "", size)
        assert sorted(cache) == kept


def test_row_terms_and_corners_are_remembered() -> None:
    judge_leaf = of_two()
    term = RowTerm("q", 0, 0, 1, Fraction(1))
    first = judge_leaf.polynomial(judge_leaf.root, term)
    corner = judge_leaf.root.corners[0, 0, 1]
    assert judge_leaf.polynomial(judge_leaf.root, term) is first
    assert judge_leaf._corner(judge_leaf.root, term) is corner


# Limits, as the specification names them


def test_limits_are_those_of_the_specification() -> None:
    numbers = {int(found.replace(",", "")) for found in re.findall(r"\d[\d,]*\d", SPECIFICATION)}
    limits = (text.LINE_CHARACTERS, text.EXPONENT, problems.LINES, certificates.NUMBERS, certificates.ZEROS, isolated.ENDS, isolated.VARIABLES)
    limits += (certificates.LEAST_PRECISION, certificates.GREATEST_PRECISION, rules.GREATEST_CELLS, rules.PENDING, polynomial.LARGEST_PRODUCT)
    assert limits == (10**6, 4096, 4 * 10**6, 4 * 10**6, 10**5, 4 * 10**6, 64, 64, 512, 256, 2 * 10**6, 250_000)
    assert set(limits) <= numbers
    assert f"2^{LIMIT_BITS}" in SPECIFICATION
    assert text.FILE_BYTES == 64 << 20


def test_pending_boxes_are_counted_exactly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four boxes of one variable: 4 (1 + 8)."""
    whole = certificate(FAR, lower="1/2", tree=chain(3))
    monkeypatch.setattr("certify.checker.rules.PENDING", 36)
    assert judge(FAR, whole).status is Status.VERIFIED
    monkeypatch.setattr("certify.checker.rules.PENDING", 35)
    assert judge(FAR, whole).message == "RESOURCE the depth of the tree"


@pytest.mark.parametrize(("counted", "limit"), [(ROOTS_COUNTED, 4), (CIRCLE_COUNTED, 8)])
def test_ends_of_zeros_are_counted_exactly(counted: tuple[str, str], limit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("certify.checker.isolated.ENDS", limit)
    assert judge(*counted).status is Status.VERIFIED
    monkeypatch.setattr("certify.checker.isolated.ENDS", limit - 1)
    assert judge(*counted).status is Status.RESOURCE


# Witnesses and zeros, false by less than a unit


@pytest.mark.parametrize("precision", [64, 128])
@pytest.mark.parametrize("value", ["1/3", "-1/3"])
def test_a_witness_that_misses_by_less_than_a_unit_is_rejected(precision: int, value: str) -> None:
    """r = x; |x| is a little more than upper, both lie between the same two numbers of the grid."""
    text_of = problem([("x", -1, 1)], [], [tape(1, "const 0", "add 0 1")], ["F 0 1 v0"])
    upper = Fraction(1, 3)
    for x in (Fraction(value), Fraction(value) * (1 + TINY)):
        found = certificate(text_of, upper=upper, witness=[f"values {x}"], precision=precision)
        assert "witness: row 0.0: its value at the" in judge(text_of, found).message
    exact = certificate(text_of, upper=upper + Fraction(1, 1 << 60), witness=[f"values {value}"], precision=precision)
    assert judge(text_of, exact).status is Status.VERIFIED


def test_one_entry_of_a_shared_column_may_not_have_two_values() -> None:
    two = problem([("x", 0, 1)], [("m", [(0, 1), (0, 1)])], [tape(2, "sub 0 1")], ["F 0 2 v0 c0", "G 0 2 v0 c0"])
    for tokens in ("0.5:0.5 0.5", "0.5 0.5:0.5"):
        assert "used more than once" in judge(*proof(two, "values 1/2", f"column m {tokens}", scope="F G", upper=1)).message


OUT = "it may be out of the bounds of variable 0"


@pytest.mark.parametrize(("lower", "upper"), [(0, 1 - TINY), (1 + TINY, 2), (1 - 2 * TINY, 1 - TINY), (1 + TINY, 1 + 2 * TINY)])
def test_a_zero_outside_by_less_than_a_unit_is_not_counted(lower: Fraction, upper: Fraction) -> None:
    """x = 1 exactly, and K = [1, 1]."""
    assert OUT in judge(*alone(single("const 1", "sub 0 1", lower=lower, upper=upper), "0 2", "1")).message


@pytest.mark.parametrize(("box", "inverse"), [("5p-2 3p-1", "3p-2"), ("5p-2 3p-1", "5p-3"), ("-3p-1 -5p-2", "-3p-2"), ("-3p-1 -5p-2", "-5p-3")])
def test_an_operator_beyond_one_end_only_is_rejected(box: str, inverse: str) -> None:
    """Whatever the inverse: at 3/4 the upper or the lower end of K is outside, the other one inside."""
    assert "does not lie in the interior" in judge(*alone(ROOTS, box, inverse)).message


@pytest.mark.parametrize(("ends_of", "accepted"), [("0 2", True), ("0 1", False), ("1 2", False), ("-1 1", False), ("1 3", False)])
def test_the_interior_is_open(ends_of: str, accepted: bool) -> None:
    assert ("interior" not in judge(*alone(IDENTITY, ends_of, "1")).message) == accepted


def test_an_interior_finer_than_the_grid() -> None:
    """An end of Y within a unit of K is not known to be beyond it."""
    for ends_of in (f"{(1 << 130) - 1}p-130 2", f"0 {(1 << 130) + 1}p-130"):
        assert "interior" not in judge(*alone(IDENTITY, ends_of, "1")).message
    for ends_of in (f"{(1 << 130) + 1}p-130 2", f"0 {(1 << 130) - 1}p-130"):
        assert "interior" in judge(*alone(IDENTITY, ends_of, "1")).message


def test_a_long_box_reaches_over_a_short_one() -> None:
    """[0, 10] meets [5, 6], although [1, 2] lies between their lower ends; in one variable and in the second of two."""
    chain_of: list[tuple[Interval, ...]] = [((0, 10),), ((1, 2),), ((5, 6),)]
    assert overlapping(chain_of[::2], Clock()) == (0, 1)
    assert overlapping([((0, 10), (0, 0)), ((1, 2), (5, 5)), ((5, 6), (0, 0))], Clock()) == (0, 2)
    assert overlapping([((0, 0), (0, 10)), ((0, 0), (11, 12)), ((0, 0), (1, 1)), ((0, 0), (12, 13))], Clock()) in ((0, 2), (1, 3))
    assert overlapping([((0, 1),), ((2, 3),)], Clock()) is None
    assert overlapping([((0, 2),), ((2, 3),)], Clock()) == (0, 1)


def test_random_boxes_meet_as_they_should() -> None:
    rng = random.Random(1)
    for _ in range(300):
        boxes = [tuple((low, low + rng.choice((0, 1, 3, 20))) for low in (rng.randint(0, 30), rng.randint(0, 30))) for _ in range(rng.randint(1, 9))]
        meeting = {
            (i, j)
            for i, j in itertools.combinations(range(len(boxes)), 2)
            if all(a[0] <= b[1] and b[0] <= a[1] for a, b in zip(boxes[i], boxes[j], strict=True))
        }
        found = overlapping(boxes, Clock())
        assert found in meeting if meeting else found is None


def test_a_scope_says_which_rows_it_has() -> None:
    parsed: CanonicalProblem = parse_problem(LINE.encode())
    scope = Scope(parsed, (0,), 64)
    assert [scope.row_problem(0, row) is None for row in (-2, -1, 0, 1, 2)] == [False, False, True, True, False]
    assert VALID
