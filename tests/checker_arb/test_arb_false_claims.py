"""The second checker against the planted false claims of `python -m benchmarks forgeries`, of versions 5 and 6."""

import random

import pytest

from benchmarks.forgeries import FAMILIES, false_claims, fuzz, hostile, mutate_claims, second_check
from certify.checker import check as first_check

SHARPER = ("the row may reach [-level, level]", "a divisor contains 0")  # on a finer grid they might not


def test_false_claims_and_their_true_neighbours_get_the_same_answers():
    for one in false_claims(7, 8 * len(FAMILIES)):
        for text in (one.text, one.true):
            first, second = (check(one.problem, text, 20) for check in (first_check, second_check))
            assert first.status.name == second.status.name, (one.kind, first.message, second.message)
        assert second_check(one.problem, one.text, 20).status.name == "REJECTED", one


@pytest.mark.parametrize("seed", range(3))
def test_no_mutated_proof_of_a_false_claim_is_accepted(seed):
    outcomes, unsound = mutate_claims(seed, 1_000, judge=second_check)
    assert not unsound, unsound[0]
    assert outcomes.total() == 1_000 and len(outcomes) > 10


@pytest.mark.parametrize("seed", range(2))
def test_hostile_files_are_answered(seed):
    _, failures = fuzz(seed, 500, judge=second_check)
    assert not failures, failures[0]


def test_hostile_files_are_verified_by_both_or_by_none():
    """But where the first one's grid is too coarse."""
    rng, pool = random.Random(11), false_claims(11, 4 * len(FAMILIES))
    for number in range(800):
        problem, certificate = hostile(pool[number % len(pool)], rng)
        first, second = (check(problem, certificate, 20) for check in (first_check, second_check))
        same = (first.status.name == "VERIFIED") == (second.status.name == "VERIFIED")
        assert same or first.message.endswith(SHARPER), (first.message, second.message, problem, certificate)
