"""The same problem told in other units, orders, names and origins: a few problems of every kind of the benchmark."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

import certify
from benchmarks._planted_problems import arm, leg
from benchmarks._tellings import KINDS
from benchmarks.metamorphic import _contradictions, compared


@pytest.mark.parametrize("number", range(2 * len(KINDS)))
def test_answers_agree(number):
    """Nothing contradicts what is planted or the first telling, and everything is decided, with no more than twice the work."""
    rows = list(compared(number))
    assert len(rows) >= 6
    for row in rows:
        assert row["faults"] == [], (row["kind"], row["seed"], row["change"])
        assert all(row["decided"])
        assert row["work"][1] <= 2 * row["work"][0] + 10


@pytest.mark.parametrize("kind", list(KINDS))
def test_a_contradiction_is_found(kind):
    """Another problem of the same kind is no other telling of the first: that is seen."""
    first, other = (KINDS[kind](seed)[1][0][1]() for seed in (1, 5))
    assert _contradictions(first, other)


@pytest.mark.parametrize("generate", [leg, arm])
@pytest.mark.parametrize("half", [Fraction(0), Fraction(1, 10**8), Fraction(10**9)])
def test_a_box_out_of_all_proportion_breaks_nothing(generate, half):
    """One unknown is known, all but known, or in an interval 10^8 times as wide as others: the answer is decided and fits the first one."""
    problem = generate(1).problem
    middle = (problem.variables[0].lower + problem.variables[0].upper) / 2
    changed = replace(problem.variables[0], lower=middle - half, upper=middle + half)
    options = certify.Options(gap=Fraction(1, 10**4))
    first, other = (
        certify.adequacy(replace(problem, variables=(*variables, *problem.variables[1:])), options=options).parts[0]
        for variables in ((problem.variables[0],), (changed,))
    )
    narrow, wide = (other, first) if half < 1 else (first, other)
    assert other.verdict is certify.Verdict.INADEQUATE
    assert other.gap <= 1.0001e-4
    assert wide.epsilon[0] <= narrow.epsilon[1]
    assert other.estimated_undetermined == ()
