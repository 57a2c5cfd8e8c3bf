"""Zeros of equations beside conditions: counted where the conditions are met, refuted where they are not, and nowhere
else.
"""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from checker_texts import judge, problem, reject, tape
from texts.inequalities import FORGED, SQUARE, VALID

from certify.checker import Status
from certify.checker.certificate import Zero
from certify.checker.isolated import isolate, met
from certify.checker.outcome import Clock, Rejection, ResourceLimit
from certify.checker.problem import parse_problem
from certify.checker.scope import Scope


@pytest.mark.parametrize("name", VALID)
def test_valid_certificates_are_verified(name: str) -> None:
    outcome = judge(*VALID[name])
    assert outcome.status is Status.VERIFIED, outcome.message
    assert outcome.message.endswith(("is exactly 1", "is exactly 0"))


@pytest.mark.parametrize("name", FORGED)
def test_forged_conditions_are_rejected(name: str) -> None:
    reject(*FORGED[name])


@pytest.mark.parametrize("line", ["sub 0 1", "sub 1 0"])
def test_a_condition_is_met_up_to_its_ends(line: str) -> None:
    """x - m and m - x for m from -2 to 3 units of the grid: K may reach both ends, and no unit further."""
    one = 1 << 64
    text = problem(
        [("x", -1, 1)],
        [("m", [(Fraction(-2, one), Fraction(3, one))])],
        [SQUARE, tape(2, line)],
        ["F 0 1 v0", "G 1 1 v0 c0"],
    )
    scope = Scope(parse_problem(text.encode()), (0, 1), 64)
    for low in range(-4, 5):
        for high in range(low, 6):
            assert met(scope, 1, 0, ((low, high),), Clock()) == (low >= -2 and high <= 3)
    with pytest.raises(ResourceLimit):
        met(scope, 1, 0, ((0, 0),), Clock(0))


def test_a_zero_is_counted_where_its_conditions_hold() -> None:
    """Random linear and quadratic conditions at a zero that is known exactly: what is accepted is true, and what is
    true by a margin is accepted.
    """
    source, accepted, refused = random.Random(3), 0, 0
    equations = [tape(1, "const 1/3", "sub 0 1"), tape(1, "const -2/7", "sub 0 1")]
    x, y = Fraction(1, 3), Fraction(-2, 7)
    box = ((Fraction(1, 4), Fraction(1, 2)), (Fraction(-1, 2), Fraction(-1, 4)))
    for _ in range(400):
        a, b, c = (Fraction(source.randint(-4, 4), source.randint(1, 3)) for _ in range(3))
        low = Fraction(source.randint(-6, 6), 3)
        high = low + Fraction(source.randint(0, 6), 3)
        lines = [f"const {a}", "mul 3 0", f"const {b}", "mul 5 1", "add 4 6", f"const {c}", "add 7 8"]  # a x + b y + c
        value = a * x + b * y + c
        if source.random() < 0.5:
            lines, value = [*lines, "sqr 9"], value * value
        last = 2 + len(lines)
        row = tape(3, *lines, f"sub {last} 2")
        text = problem(
            [("x", 0, 1), ("y", -1, 0)],
            [("m", [(low, high)])],
            [*equations, row],
            ["F 0 1 v0", "E 1 1 v1", "G 2 1 v0 v1 c0"],
        )
        scope = Scope(parse_problem(text.encode()), (0, 1, 2), 64)
        zero = Zero(box, ((Fraction(1), Fraction(0)), (Fraction(0), Fraction(1))))
        try:
            isolate(scope, zero, Clock())
        except Rejection:
            refused += 1
            assert not low + Fraction(1, 10**6) < value < high - Fraction(1, 10**6)
        else:
            accepted += 1
            assert low <= value <= high
    assert accepted > 40 and refused > 40
