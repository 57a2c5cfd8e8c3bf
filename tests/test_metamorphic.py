"""The same problem told in other units, orders, names and origins: a few problems of every kind of the benchmark."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

import certify
from benchmarks._changed_problems import Change, duplicated, in_units
from benchmarks._planted_problems import arm, leg
from benchmarks._tellings import KINDS, UNITS
from benchmarks.metamorphic import _contradictions, compared


@pytest.mark.thorough
@pytest.mark.parametrize("number", range(len(KINDS), 2 * len(KINDS)))
def test_answers_agree(number):
    """Nothing contradicts what is planted or the first telling, and everything is decided, with no more than twice the
    work.
    """
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
    """One unknown is known, all but known, or in an interval 10^8 times as wide as others: the answer is decided and
    fits the first one.
    """
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


def with_outlier(problem):
    """The third reading is 5 too large."""
    place = next(k for k, column in enumerate(problem.columns) if column.name in ("d0", "u0"))
    columns, read = list(problem.columns), problem.columns[place]
    lower, upper = ([end + (5 if k == 2 else 0) for k, end in enumerate(ends)] for ends in (read.lower, read.upper))
    columns[place] = replace(read, lower=tuple(lower), upper=tuple(upper))
    return replace(problem, columns=tuple(columns))


def in_other_units(case, problem, told):
    """The problem in the units of this name, and that of its rows."""
    units = UNITS[told]
    change = Change(tuple(units[k] for k in case.variables), tuple(units[k] for k in case.columns), units["length"])
    return in_units(problem, change), units["length"]


@pytest.mark.parametrize("generate", [leg, arm])
@pytest.mark.parametrize("told", list(UNITS))
def test_decisions_and_discards_do_not_depend_on_units(generate, told):
    case = generate(3)
    first = with_outlier(case.problem)
    other, unit = in_other_units(case, first, told)
    for epsilon in (Fraction(1, 2), Fraction(3)):
        verdicts = {
            certify.decide(problem, epsilon / size).parts[0].verdict for problem, size in ((first, 1), (other, unit))
        }
        assert len(verdicts) == 1
        assert verdicts != {certify.Verdict.UNDECIDED}
    one, two = (certify.fewest_discards(problem).parts[0] for problem in (first, other))
    assert one.discarded == two.discarded == ((first.families[0].name, 2),)


def test_a_wrong_reading_written_twice_must_be_left_out_twice():
    """What duplicates change is known: not the smallest model error, but the number of readings to leave out."""
    problem = duplicated(with_outlier(leg(3).problem), row=2)
    part = certify.fewest_discards(problem).parts[0]
    assert part.verdict is certify.Verdict.DISCARDS
    assert set(part.discarded) == {("leg0", 2), ("leg0.again", 0)}


@pytest.mark.parametrize("told", list(UNITS))
def test_hulls_do_not_depend_on_units(told):
    """Each end is as near to its witness as was asked for: two hulls of one set are no further apart than that."""
    case = arm(3)
    other, _ = in_other_units(case, case.problem, told)
    one, two = (certify.enclose(problem).parts[0] for problem in (case.problem, other))
    assert one.verdict is two.verdict is certify.Verdict.ENCLOSED
    for k, kind in enumerate(case.variables):
        unit = UNITS[told][kind]
        width = one.box.upper[k] - one.box.lower[k]
        assert abs(two.box.lower[k] * unit - one.box.lower[k]) <= width / 50
        assert abs(two.box.upper[k] * unit - one.box.upper[k]) <= width / 50
