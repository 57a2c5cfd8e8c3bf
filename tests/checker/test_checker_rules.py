"""For every rule: valid certificates are VERIFIED; for every side condition: forged ones are REJECTED for
that reason.
"""

from __future__ import annotations

import hashlib
from copy import copy
from fractions import Fraction

import pytest
from checker_texts import certificate, judge, problem, refusal, tape
from texts.rules import CIRCLES, FAR, FORGED, FREE, LINE, MEET, POSITIVE, PROBLEM_OF, PRODUCTS, VALID, chain

from certify.checker import Status
from certify.checker.certificate import parse_certificate
from certify.checker.nodes import Aggregate, Evaluate, Product, RowTerm, parse_node
from certify.checker.outcome import Clock, Rejection, ResourceLimit
from certify.checker.problem import parse_problem
from certify.checker.rules import Proof, Question
from certify.checker.scope import Scope


@pytest.mark.parametrize("name", VALID)
def test_valid_certificates_are_verified(name: str) -> None:
    outcome = judge(PROBLEM_OF.get(name, LINE), VALID[name])
    assert outcome.status is Status.VERIFIED, outcome.message


def test_the_verdict_is_said_in_words() -> None:
    assert judge(LINE, VALID["both"]).message == (
        "VERIFIED scope F, in the box of 1 variables: "
        "for no unknowns and measurements within their bounds in all rows |r| is <= lower = 4/9; "
        "for some unknowns and measurements within their bounds in all rows |r| is <= upper = 0.46"
    )
    assert judge(LINE, VALID["point"]).message.startswith("VERIFIED scope F, at the given point: for no unknowns")
    assert "lower" not in judge(LINE, VALID["witness"]).message


@pytest.mark.parametrize("precision", [64, 65, 511, 512])
def test_precisions_from_64_to_512_are_allowed(precision: int) -> None:
    text = VALID["both"].replace("precision 128", f"precision {precision}")
    assert judge(LINE, text).status is Status.VERIFIED


@pytest.mark.parametrize("name", FORGED)
def test_forged_certificates_are_rejected(name: str) -> None:
    (problem_text, certificate_text), reason = FORGED[name]
    outcome = judge(problem_text, certificate_text)
    assert outcome.status is Status.REJECTED, outcome.message
    assert reason in outcome.message


def test_a_narrower_measurement_supports_no_more_than_it_should() -> None:
    """The hash is made right again after the problem is changed: the proof is judged anew."""
    for entry in ("0 1/10\n", "1 11/10\n"):
        other = LINE.replace(entry, "0 11/10\n")
        assert (
            other != LINE
            and POSITIVE in judge(other, certificate(other, lower="4/9", tree=["aggregate q0.0+1 q0.1-1"])).message
        )
    narrow = MEET.replace("\n0 1\ntapes", "\n0 1/4\ntapes")
    assert narrow != MEET and "may exceed upper" in judge(narrow, certificate(narrow, upper=0, witness=FREE)).message
    assert "for another problem" in judge(narrow, certificate(MEET, upper=0, witness=FREE)).message


def test_another_hash_is_rejected() -> None:
    digest = hashlib.sha256(LINE.encode()).hexdigest()
    for other, reason in (
        ("0" * 64, "for another problem"),
        (digest.upper(), "lower case"),
        (digest[:-1], "lower case"),
        (digest + "0", "lower"),
    ):
        outcome = judge(LINE, VALID["witness"].replace(digest, other))
        assert outcome.status is Status.REJECTED and "line 2: problem" in outcome.message and reason in outcome.message


def test_deep_trees_need_no_recursion() -> None:
    assert judge(FAR, certificate(FAR, lower="1/2", tree=chain(30_000))).status is Status.VERIFIED
    outcome = judge(FAR, certificate(FAR, lower="1/2", tree=chain(2_000)[:-1]))
    assert "node 4000 (line 4015): tree: a child is missing" in outcome.message


def test_a_deadline_ends_in_resource() -> None:
    assert judge(LINE, VALID["split"], 0).message == "RESOURCE the deadline of 0 seconds"
    assert judge(LINE, VALID["witness"], 0).status is Status.RESOURCE


def test_wide_and_deep_trees_end_in_resource(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("certify.checker.tree.PENDING", 100)
    assert judge(FAR, certificate(FAR, lower="1/2", tree=chain(100))).message == "RESOURCE the depth of the tree"


def test_large_products_end_in_resource(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("certify.checker.polynomial.LARGEST_PRODUCT", 3)
    assert judge(CIRCLES, VALID["root-plus"]).message == "RESOURCE 3 products of monomials"


@pytest.mark.parametrize(
    ("form", "operations", "kept"), [("q", ["sqr 0", "sqrt 1", "sqrt 0"], 8), ("t", ["sqr 0", "add 0 1", "sqr 0"], 6)]
)
def test_coefficients_of_a_row_are_counted(
    form: str, operations: list[str], kept: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of all its nodes together: 1 + 2 d + d^2, its root and the root of 1 + d; or derivatives of the first and the
    second order.
    """
    text = problem([("x", 1, 2)], [], [tape(1, *operations)], ["F 0 1 v0"])
    proved = certificate(text, lower="1/2", tree=[f"aggregate {form}0.0+1"])
    for limit, status in ((kept, Status.VERIFIED), (kept - 1, Status.RESOURCE)):
        monkeypatch.setattr("certify.checker.polynomial.COEFFICIENTS", limit)
        outcome = judge(text, proved)
        assert outcome.status is status
        assert status is Status.VERIFIED or outcome.message == f"RESOURCE {limit} coefficients of one row"


def test_nothing_is_verified_after_the_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even when the last rule held a moment before it."""

    def slow(*_: object) -> None:
        monkeypatch.setattr(Clock, "check", late)

    def late(clock: Clock) -> None:
        raise ResourceLimit(f"the deadline of {clock.seconds} seconds")

    monkeypatch.setattr("certify.checker.decision.walk", slow)
    assert judge(LINE, VALID["split"]).message == "RESOURCE the deadline of 100 seconds"


def test_memory_and_recursion_end_in_resource(monkeypatch: pytest.MonkeyPatch) -> None:
    for error in (MemoryError, RecursionError):

        def fail(*_: object, error: type[Exception] = error) -> None:
            raise error

        monkeypatch.setattr("certify.checker.decision.walk", fail)
        assert judge(LINE, VALID["split"]).message == f"RESOURCE {error.__name__}"


def test_exploding_numbers_are_rejected_soon() -> None:
    lines = ["sqr 0", *[f"sqr {k}" for k in range(1, 40)]]
    text = problem([("x", 5, 6)], [], [tape(1, *lines)], ["F 0 1 v0"])
    assert judge(text, certificate(text, lower=1, tree=["evaluate 0 0"])).status is Status.VERIFIED
    assert "a number is too large" in judge(text, certificate(text, lower=1, tree=["aggregate m0.0-1"])).message
    lines = ["add 0 0", *[f"add {k} {k}" for k in range(1, 9000)]]
    text = problem([("x", 5, 6)], [], [tape(1, *lines)], ["F 0 1 v0"])
    assert judge(text, certificate(text, lower=1, tree=["evaluate 0 0"])).status is Status.VERIFIED
    assert "a number is too large" in judge(text, certificate(text, lower=1, tree=["aggregate m0.0-1"])).message


def test_numbers_too_large_for_a_leaf_are_rejected() -> None:
    """Bounds of 2,000 digits may be written, but their squares are beyond the arithmetic: a rejection, never an error
    of ours.
    """
    huge = 10**1999
    text = problem([("x", -huge, huge), ("y", 0, 1)], [], [tape(2, "add 0 1")], ["F 0 1 v0 v1"])
    for leaf in ("aggregate q0.0+1 b0+0+1", "aggregate m0.0+1 b0+0-1", "aggregate m0.0+1 b0+1+1"):
        outcome = judge(text, certificate(text, lower=1, tree=[leaf]))
        assert outcome.status is Status.REJECTED
        assert "too large" in outcome.message or POSITIVE in outcome.message
    square = problem([("x", -huge, huge)], [], [tape(1, "sqr 0")], ["F 0 1 v0"])
    for leaf in ("aggregate q0.0+1", "aggregate m0.0-1"):
        assert "too large" in judge(square, certificate(square, lower=1, tree=[leaf])).message
    assert "too large" in judge(square, certificate(square, upper=1, witness=[f"values {huge}"])).message


def test_long_witnesses_end_in_resource(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("certify.checker.certificate.HEADER", 200)
    assert judge(LINE, VALID["witness"]).message == "RESOURCE 200 bytes before the tree"


def test_caches_may_be_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every bounded cache, at a size of one, changes nothing."""
    for name in ("rules.CACHE", "rules.REMEMBERED", "scope.COMPILED_NODES", "tape.KEPT_NODES", "elementary.CACHE"):
        monkeypatch.setattr(f"certify.checker.{name}", 1)
    for name, text in VALID.items():
        assert judge(PROBLEM_OF.get(name, LINE), text).status is Status.VERIFIED


# The writer's interface: the same code, one leaf at a time.


def test_a_writer_sees_the_margin() -> None:
    parsed = parse_problem(LINE.encode())
    box = Scope(parsed, (0,), 64).box
    judge_leaf = Proof(parsed, (0,), 64, Question(Fraction(2, 5)), box)
    terms = [RowTerm("q", 0, 0, 1, Fraction(1)), RowTerm("q", 0, 1, -1, Fraction(1))]
    bound = judge_leaf.aggregate_bound(judge_leaf.root, box, terms)
    assert Fraction(1, 10) - Fraction(10, 1 << 64) <= Fraction(bound, 1 << 64) <= Fraction(1, 10)
    assert refusal(judge_leaf, judge_leaf.root, box, Aggregate(tuple(terms))) is None
    assert refusal(judge_leaf, judge_leaf.root, ((Fraction(-1), Fraction(0)),), Evaluate(0, 1)) is None
    assert refusal(judge_leaf, judge_leaf.root, box, Evaluate(0, 1)) == "the row may reach [-level, level]"


def test_a_leaf_outside_the_prepared_box_is_unproved() -> None:
    parsed = parse_problem(LINE.encode())
    judge_leaf = Proof(parsed, (0,), 64, Question(Fraction(2, 5)), ((Fraction(0), Fraction(1)),))
    terms = [RowTerm("q", 0, 0, 1, Fraction(1)), RowTerm("q", 0, 1, -1, Fraction(1))]
    for box in ((Fraction(-1), Fraction(1, 2)), (Fraction(1, 2), Fraction(2)), (Fraction(1, 2), Fraction(1, 3))):
        assert (
            refusal(judge_leaf, judge_leaf.root, (box,), Aggregate(tuple(terms)))
            == "the box is not within the prepared box"
        )
        with pytest.raises(Rejection):
            judge_leaf.aggregate_bound(judge_leaf.root, (box,), terms)


def test_weights_of_a_writer_must_be_dyadic() -> None:
    parsed = parse_problem(PRODUCTS.encode())
    box = Scope(parsed, (0, 1, 2), 64).box
    judge_leaf = Proof(parsed, (0, 1, 2), 64, Question(Fraction(1, 4)), box)
    for bad in (Fraction(1, 3), Fraction(-1), Fraction(0)):
        for term in (RowTerm("q", 0, 0, 1, bad), Product(0, 1, 1, 1, bad)):
            assert (
                refusal(judge_leaf, judge_leaf.root, box, Aggregate(tuple([term])))
                == "a weight is not a positive dyadic number"
            )


def test_rows_can_be_enclosed_for_a_witness() -> None:
    scope = Scope(parse_problem(MEET.encode()), (0,), 64)
    one = 1 << 64
    assert scope.enclose_row(0, 0, [Fraction(1, 2)], {0: Fraction(1, 4)}) == (one // 4, one // 4)
    assert scope.enclose_row(0, 0, [Fraction(1, 2)], {0: Fraction(1)}, {0: Fraction(0)}) == (-one // 2, one // 2)


def test_a_certificate_can_be_read_twice() -> None:
    parsed = parse_certificate(VALID["split"].encode())
    for _ in range(2):
        lines = copy(parsed.tree)
        assert [type(parse_node(lines.tokens())).__name__ for _ in range(3)] == ["Split", "Evaluate", "Evaluate"]
        lines.exact("end")


def test_nothing_divided_by_an_interval_around_zero_is_undefined() -> None:
    """0 * x / m + x with m in [-1, 1]: defined nowhere at m = 0, so no polynomial form, although the polynomial divided
    is empty.
    """
    lines = tape(2, "const 0", "mul 0 2", "div 3 1", "add 0 4")
    for ends in ((-1, 1), (0, 1), (-1, 0), (0, 0)):
        text = problem([("x", 1, 2)], [("m", [ends])], [lines], ["F 0 1 v0 c0"])
        outcome = judge(text, certificate(text, lower="1/2", tree=["aggregate q0.0+1"]))
        assert outcome.status is Status.REJECTED
        assert "divisor" in outcome.message
