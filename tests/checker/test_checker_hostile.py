"""False claims with mutated proofs, hostile files: `python -m benchmarks forgeries` in small; a million and a hundred
thousand there.
"""

from __future__ import annotations

import random
from collections import Counter

import pytest

from benchmarks.forgeries import FAMILIES, FalseClaim, false_claims, fuzz, hostile, mutate_claims, mutated, refuted
from certify.checker import Status, check

# a double zero cannot be proved, nor one on a bound unless everything there is exact
UNPROVED = {"zeros, a double one": 1.0, "zeros, one unknown": 0.5}


def test_the_claims_are_false_and_their_neighbours_true() -> None:
    """So the proofs that are mutated are proofs: of a claim that differs by as little as 10^-12 of its level."""
    rejected, kinds = Counter[str](), Counter[str]()
    for one in false_claims(1, 10 * len(FAMILIES)):
        kinds[one.kind] += 1
        assert check(one.problem, one.text).status is Status.REJECTED, one
        rejected[one.kind] += check(one.problem, one.true).status is not Status.VERIFIED
    assert len(kinds) >= len(set(FAMILIES))
    assert all(
        rejected[kind] <= UNPROVED.get(kind.removesuffix(", restated"), 0) * count for kind, count in kinds.items()
    ), rejected


MORE = [pytest.param(seed, marks=pytest.mark.thorough) for seed in range(10, 15)]


@pytest.mark.parametrize("seed", [*range(10), *MORE])
def test_no_mutated_proof_of_a_false_claim_is_accepted(seed: int) -> None:
    outcomes, unsound = mutate_claims(seed, 1_000)
    assert not unsound, unsound[0]
    assert outcomes.total() == 1_000
    assert len(outcomes) > 10, "they fail for many reasons"


@pytest.mark.parametrize("seed", [0, *MORE])
def test_hostile_files_are_answered(seed: int) -> None:
    outcomes, failures = fuzz(seed, 1_000)
    assert not failures, failures[0]
    assert outcomes.total() == 1_000


def test_mutations_keep_the_claim() -> None:
    rng, pool = random.Random(2), false_claims(2, 4 * len(FAMILIES))
    for one in pool:
        for _ in range(10):
            lines = mutated(one, [other for other in pool if other.kind == one.kind], rng).split(b"\n")
            assert lines[: one.first - 1][3:] == list(one.lines[: one.first - 1][3:])
            assert lines[:2] == list(one.lines[:2])


def stated(one: FalseClaim, true: bool) -> tuple[bytes, bytes]:
    return one.problem, one.true if true else one.text


@pytest.mark.thorough
def test_a_false_claim_that_were_verified_would_be_seen() -> None:
    """The judge of hostile files, which looks at points, contradicts false claims and no true one."""
    rng, seen = random.Random(3), Counter[str]()
    for one in false_claims(3, 2 * len(FAMILIES)):
        assert refuted(*stated(one, True), rng) is None
        seen[one.kind] += refuted(*stated(one, False), rng, 400) is not None
    assert seen["lower end at a point"] > 0
    assert seen["hull, one unknown"] > 0


def test_hostile_files_are_of_both_kinds() -> None:
    rng, one = random.Random(4), false_claims(4, 1)[0]
    found = {
        tuple(part == old for part, old in zip(hostile(one, rng), (one.problem, one.text), strict=True))
        for _ in range(200)
    }
    assert {(True, False), (False, False)} <= found
