"""Rows that may be left out: valid certificates are VERIFIED, each side condition is violated by forged ones; hitting
sets against all subsets.
"""

from __future__ import annotations

import itertools
import random
from fractions import Fraction

import pytest
from checker_texts import judge, refusal, reject
from hypothesis import given, settings
from hypothesis import strategies as st
from texts.hitting import BOTH, FORGED, FOUR, LOWER, PAIRS, VALID, conflicts, lower, pair, rows, upper

from certify.checker import Status, check
from certify.checker.nodes import Evaluate, Hitting, parse_node
from certify.checker.outcome import Clock, ResourceLimit
from certify.checker.problem import parse_problem
from certify.checker.rules import Proof, Question
from certify.checker.scope import Scope
from certify.checker.tree import hit


@pytest.mark.parametrize("name", VALID)
def test_valid_discards_are_verified(name: str) -> None:
    outcome = judge(*VALID[name])
    assert outcome.status is Status.VERIFIED, outcome.message


def test_the_verdict_says_what_is_left_out() -> None:
    assert judge(*BOTH).message == (
        "VERIFIED scope F, in the box of 1 variables: for no unknowns and measurements within their "
        "bounds in all rows but 1 |r| is <= lower = 1.49; "
        "for some unknowns and measurements within their bounds in all rows but 1 |r| is <= upper = 1.5"
    )


@pytest.mark.parametrize("name", FORGED)
def test_forged_discards_are_rejected(name: str) -> None:
    reject(*FORGED[name])


# Hitting sets, against all subsets


sets = st.lists(st.sets(st.integers(0, 6).map(lambda row: (0, row)), min_size=1, max_size=4), min_size=1, max_size=8)


@settings(max_examples=400, deadline=None)
@given(conflicts=sets, count=st.integers(0, 5))
def test_hitting_sets_are_found_if_there_are_any(conflicts: list[set[tuple[int, int]]], count: int) -> None:
    everything = sorted(set().union(*conflicts))
    truth = any(
        all(not one.isdisjoint(chosen) for one in conflicts)
        for size in range(count + 1)
        for chosen in itertools.combinations(everything, size)
    )
    assert hit(conflicts, count, Clock()) == truth


def test_nothing_is_hit_by_nothing() -> None:
    assert hit([], 0, Clock()) and hit([], 3, Clock())
    assert not hit([{(0, 0)}], 0, Clock())
    assert not hit([set()], 3, Clock())
    assert not hit([{(0, 0)}, set()], 3, Clock())
    assert hit([{(0, 0)}, {(1, 0)}], 2, Clock()) and not hit([{(0, 0)}, {(1, 0)}], 1, Clock())


def test_rows_of_different_families_are_different() -> None:
    assert not hit([{(0, 0)}, {(1, 0)}, {(0, 1)}], 2, Clock())
    assert hit([{(0, 0), (1, 0)}, {(1, 0)}, {(0, 1)}], 2, Clock())


def test_the_search_ends_by_the_deadline() -> None:
    with pytest.raises(ResourceLimit, match="deadline"):
        hit([{(0, 0)}], 1, Clock(0))


def test_a_long_search_ends_in_resource() -> None:
    """Random conflicts of twenty rows each, of which no sixty are known to meet all."""
    rng = random.Random(5)
    found = [{(0, row) for row in rng.sample(range(2000), 20)} for _ in range(3000)]
    with pytest.raises(ResourceLimit):
        hit(found, 60, Clock(1))


@pytest.mark.parametrize("seed", range(12))
def test_planted_outliers_are_never_refuted(seed: int) -> None:
    """Rows that agree but for N, at whatever level: conflicts by pairs of all kinds never refute it; with one row less
    to be left out they do.
    """
    rng = random.Random(seed)
    number = rng.randint(1, 3)
    good = [Fraction(rng.randint(0, 10), 10) for _ in range(rng.randint(3, 5))]
    middles = [*good, *(Fraction(rng.choice((20, 30, 40, -20)) + k) for k in range(number))]
    rng.shuffle(middles)
    text = rows(*middles, lower=-99, upper=99)
    pairs = [(i, j) for i, j in itertools.permutations(range(len(middles)), 2) if middles[j] - middles[i] > 2]
    lines = conflicts(*pairs)
    assert f"{number} rows meet all conflicts" in judge(*lower(text, 1, *lines, discard=number)).message
    if number > 1:
        assert judge(*lower(text, 1, *lines, discard=number - 1)).status is Status.VERIFIED
    x = (min(good) + max(good)) / 2
    left = " ".join(f"0.{k}" for k, m in enumerate(middles) if m not in good)
    witness = [f"values {x}", f"without {left}", "column m" + " 0" * len(middles)]
    assert judge(*upper(text, "1/2", *witness, discard=number)).status is Status.VERIFIED


def test_conflicts_pend_with_their_boxes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A conflict and its two children, of one variable each: 3 (1 + 8)."""
    monkeypatch.setattr("certify.checker.tree.PENDING", 27)
    assert judge(*LOWER).status is Status.VERIFIED
    monkeypatch.setattr("certify.checker.tree.PENDING", 26)
    assert judge(*LOWER).message == "RESOURCE the depth of the tree"


def test_10000_children_are_allowed() -> None:
    text, found = lower(FOUR, 1, "hitting 10000", *PAIRS[1:] * 5000)
    assert check(text.encode(), found.encode(), 20).status is Status.VERIFIED
    assert parse_node(["hitting", "10000"]) == Hitting(10_000)


def test_64_rows_may_be_left_out() -> None:
    middles = [Fraction(k, 100) for k in range(65)] + [Fraction(9)] * 65
    text = rows(*middles)
    lines = ["hitting 65", *(pair(k, 65 + k) for k in range(65))]
    assert judge(*lower(text, 1, *lines, discard=64)).status is Status.VERIFIED
    assert "64 rows meet all conflicts" in judge(*lower(text, 1, "hitting 64", *lines[1:-1], discard=64)).message


def test_a_writer_replays_leaves_of_discards() -> None:
    parsed = parse_problem(FOUR.encode())
    box = Scope(parsed, (0,), 64).box
    proof = Proof(parsed, (0,), 64, Question(Fraction(1), discard=1), box)
    assert refusal(proof, proof.root, ((Fraction(-9), Fraction(0)),), Evaluate(0, 2)) is None
