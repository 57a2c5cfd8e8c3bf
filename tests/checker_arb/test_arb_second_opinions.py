"""Every text that the first checker's tests have judged is judged by the second checker too: the same answer.

A valid certificate may depend on how sharp enclosures are, so a proof that the first one's grid is too coarse for may
hold here; the other way round there is nothing to excuse. What must be rejected for another reason than sharpness must
be rejected by both.
"""

import pytest
from checker_texts import PIECES, tape
from checker_texts import certificate as written
from checker_texts import problem as stated
from texts import (
    claims,
    enclosed,
    frames,
    further,
    groups,
    hitting,
    inequalities,
    intervals,
    minimum,
    partial,
    pieces,
    rules,
    squares,
    tables,
    taylor,
    volumes,
)
from texts.reasons import everything

from certify.checker import Status
from certify.checker import check as first_check
from certify.checker_arb import Status as SecondStatus
from certify.checker_arb import check as second_check

SHARPER = ("the row may reach [-level, level]", "a divisor contains 0")  # on a finer grid they might not
OLD = [rules, claims, frames, hitting, minimum, squares, taylor, volumes, partial, inequalities, enclosed]
MODULES = [*OLD, groups, further, tables, intervals, pieces]


def judged(problem, certificate):
    """The answers of both, with the pieces of the texts at hand."""
    return [judge(problem.encode(), certificate.encode(), 100, PIECES.get) for judge in (first_check, second_check)]


@pytest.mark.thorough
def test_what_is_forged_is_rejected_by_both():
    for problem, certificate in everything():
        first, second = judged(problem, certificate)
        assert first.status is Status.REJECTED, first.message
        assert second.status is SecondStatus.REJECTED or first.message.endswith(SHARPER), (
            first.message,
            second.message,
        )


@pytest.mark.parametrize("module", MODULES)
def test_what_is_valid_is_verified_by_both(module):
    valid = [
        text if isinstance(text, tuple) else (module.PROBLEM_OF.get(name, module.LINE), text)
        for name, text in module.VALID.items()
    ]
    for problem, certificate in valid:
        first, second = judged(problem, certificate)
        assert (first.status, second.status) == (Status.VERIFIED, SecondStatus.VERIFIED), (
            first.message,
            second.message,
        )


@pytest.mark.parametrize(
    "lines", ["sqrt 0, sub 0 0, add 1 2, sqr 3", "sqr 0, sqr 1, sub 2 2, add 3 0", "sqrt 0, sub 1 1, add 2 0"]
)
def test_a_coefficient_that_is_exactly_0_is_none_for_both(lines):
    """x on [2, 3], and a root that is pure, or a degree that is low, only because terms are gone."""
    problem = stated([("x", 2, 3)], [], [tape(1, *lines.split(", "))], ["F 0 1 v0"])
    certificate = written(problem, lower=1, tree=["aggregate q0.0+1"])
    first, second = (judge(problem.encode(), certificate.encode()) for judge in (first_check, second_check))
    assert first.status.name == second.status.name == "VERIFIED", (first.message, second.message)
