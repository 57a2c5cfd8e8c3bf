"""The claims `within` and `zeros`: valid certificates are VERIFIED; each side condition is violated by forged ones,
REJECTED for that reason.
"""

from __future__ import annotations

import random

import pytest
from checker_texts import judge
from texts.claims import (
    CIRCLE,
    CIRCLE_FIRST,
    CIRCLE_ISOLATED,
    CROSS,
    CROSS_HULLED,
    CROSS_TREE,
    FORGED,
    GROUPS,
    LINE,
    LINE_TREE,
    ROOTS,
    ROOTS_COUNTED,
    ROOTS_ISOLATED,
    ROOTS_TREE,
    VALID,
    change,
    hull,
    mutate,
    single,
    tree_of,
    zeros,
)

from certify.checker import Status

REACHING = ["split 0 1p-1", "evaluate 0 0", "known 0"]


@pytest.mark.parametrize("name", VALID)
def test_valid_certificates_are_verified(name: str) -> None:
    outcome = judge(*VALID[name])
    assert outcome.status is Status.VERIFIED, outcome.message


def test_the_verdict_is_said_in_words() -> None:
    claim = "in the hull lie all unknowns for which with some measurements in all rows |r| is <= within = 0"
    assert judge(*CROSS_HULLED).message == f"VERIFIED scope F G, in the box of 2 variables: {claim}"
    assert judge(*ROOTS_COUNTED).message == "VERIFIED scope F, in the box of 1 variables: " + (
        "the number of points that solve r = 0 in all rows is exactly 2"
    )


@pytest.mark.parametrize("name", FORGED)
def test_forged_claims_are_rejected(name: str) -> None:
    forged, reason = FORGED[name]
    outcome = judge(*forged)
    assert outcome.status is Status.REJECTED, outcome.message
    assert reason in outcome.message
    assert len(outcome.message.splitlines()) == 1 and outcome.message.isprintable()


def test_every_side_condition_is_forged_ten_times() -> None:
    assert all(len(cases) >= 10 for cases in GROUPS.values())


# False claims, mutated: N is wrong, or the hull too small.

FALSE = {
    "one zero of two": change(zeros(ROOTS, ROOTS_ISOLATED, ROOTS_TREE), "zeros 2", "zeros 1"),
    "one zero, refuted": zeros(
        ROOTS,
        ROOTS_ISOLATED[2:],
        [line.replace("known 0", "evaluate 0 0").replace("known 1", "known 0") for line in ROOTS_TREE],
    ),
    "three zeros": zeros(ROOTS, [*ROOTS_ISOLATED, "zero 11p-3 3p-1", "inverse 11p-5"], ROOTS_TREE),
    "three of a circle": zeros(
        CIRCLE, [*CIRCLE_ISOLATED, *CIRCLE_FIRST], tree_of(CIRCLE, CIRCLE_ISOLATED), scope="F G"
    ),
    "one of a circle": zeros(CIRCLE, CIRCLE_FIRST, tree_of(CIRCLE, CIRCLE_ISOLATED), scope="F G"),
    "a double zero": zeros(
        single("sqr 0"),
        ["zero -1p-3 1p-3", "inverse 1p2"],
        ["split 0 -1p-3", "evaluate 0 0", "split 0 1p-3", "known 0", "evaluate 0 0"],
    ),
    "a hull too small": hull(LINE, "3/10", ["201/1000 399/1000"], LINE_TREE),
    "a level too large": hull(LINE, "31/100", ["1/5 2/5"], LINE_TREE),
    "two hulls too small": hull(CROSS, 0, ["1/100 1/8", "-1/8 1/100"], CROSS_TREE, "F G"),
}
HEADER = 13


@pytest.mark.parametrize("name", FALSE)
@pytest.mark.parametrize("count", [150, pytest.param(1500, marks=pytest.mark.thorough)])
def test_no_mutation_of_a_false_claim_is_accepted(name: str, count: int) -> None:
    """The header and the hull stay as they are, so that the claim stays false."""
    rng = random.Random(f"{name} {count}")
    problem_text, text = FALSE[name]
    lines = text.split("\n")
    first = max(HEADER, next(k for k, line in enumerate(lines) if line in ("isolated", "tree")))
    for _ in range(count):
        changed = list(lines)
        for _ in range(rng.randint(0, 3)):
            place = rng.randrange(first + 1, len(lines) - 2)
            changed[place] = mutate(changed[place], rng)
        outcome = judge(problem_text, "\n".join(changed))
        assert outcome.status is Status.REJECTED, (outcome.message, "\n".join(changed))
