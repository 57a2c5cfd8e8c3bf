"""Conflicts worth reading: of many rows a proof names few, and these rows alone have no common solution."""

from fractions import Fraction

import numpy as np
import pytest

import certify
from certify import Verdict
from certify.checker import Status, check
from certify.contractors.operators.krawczyk import Krawczyk, steepest
from certify.contractors.protocol.boxes import Boxes
from certify.contractors.protocol.contractor import Box, Cut, Evaluate
from certify.contractors.rows.constraints import Constraints
from certify.parts import part_search
from certify.problems.model.row_subsets import kept_rows
from certify.solvers.advice.thinning import Question, enough
from certify.solvers.limits import UNLIMITED
from certify.solvers.proof.trace import Branch, Refuted, Steps, reasons, renumbered, rows_of

ROWS = 90


def curve(seed, error=Fraction(0), half=Fraction(1, 100)):
    """c_k = u / (v + a_k) of ROWS readings within `half`, one of them off by `error`: no polynomial, so
    slopes refute.
    """
    rng = np.random.default_rng(seed)
    a = [Fraction(int(v), 1000) for v in rng.integers(500, 4000, ROWS)]
    u, v = Fraction(3, 2), Fraction(4, 5)
    c = [u / (v + t) + half * Fraction(int(e), 10) for t, e in zip(a, rng.integers(-8, 9, ROWS), strict=True)]
    c[ROWS // 3] += error
    columns = (
        certify.Column("a", "m", tuple(a), tuple(a)),
        certify.Column("c", "m", tuple(value - half for value in c), tuple(value + half for value in c)),
    )
    variables = tuple(
        certify.Variable(n, "m", value - Fraction(2, 5), value + Fraction(2, 5)) for n, value in (("u", u), ("v", v))
    )
    tape = certify.trace(lambda x, m: x.u / (x.v + m.a) - m.c, {"u": (), "v": ()}, {"a": (), "c": ()})
    bindings = (
        certify.Binding(False, 0),
        certify.Binding(False, 1),
        certify.Binding(True, 0),
        certify.Binding(True, 1),
    )
    return certify.Problem(variables, columns, (certify.Family("curve", tape, ROWS, bindings, "m"),))


@pytest.mark.parametrize("seed", range(4))
def test_few_of_many_rows_carry_the_proof(seed):
    problem = curve(seed, Fraction(1, 10))
    part = certify.adequacy(problem).part("curve")
    assert part.verdict is Verdict.INADEQUATE
    assert check(certify.adequacy(problem).canonical, part.certificate).status is Status.VERIFIED
    assert ("curve", ROWS // 3) in part.conflict
    assert len(part.conflict) <= 6
    only = kept_rows(problem, (0,), {(0, k) for k in range(ROWS)} - {(0, k) for _, k in part.conflict}).problem
    assert certify.decide(only, part.epsilon[0]).parts[0].verdict is Verdict.INFEASIBLE


def asked_about(problem, epsilon):
    box = Box(*(np.array(ends) for ends in problem.box))
    return Question(problem.blocks, (0,), box, epsilon, UNLIMITED, {})


@pytest.mark.parametrize("seed", range(4))
def test_few_of_very_many_rows_are_exchanged_until_they_are_enough(seed):
    """From rows that agree with each other: the wrong reading comes in, and the few rows alone need as large an error
    as all do.
    """
    problem = curve(seed, Fraction(1, 10))
    asked = asked_about(problem, 0.03)
    agree = [(0, row) for row in (1, 40, 70)]
    rows = enough(asked, np.array([1.5, 0.8]), agree)
    assert set(agree) < set(rows) and (0, ROWS // 3) in rows and len(rows) <= 12
    only = kept_rows(problem, (0,), {(0, k) for k in range(ROWS)} - set(rows)).problem
    assert certify.decide(only, "0.03").parts[0].verdict is Verdict.INFEASIBLE
    assert enough(asked_about(only, 0.03), np.array([1.5, 0.8])) is None


def crossed():
    """x is read as 0 and as 2, which needs an error of 1; y is read far better, so no such row is among the worst."""
    near = [Fraction(k, 1000) for k in range(-ROWS // 2, ROWS // 2)]
    readings = {"x": [value + 2 * (k % 2) for k, value in enumerate(near)], "y": near}
    columns = tuple(certify.Column(name, "m", tuple(values), tuple(values)) for name, values in readings.items())
    variables = tuple(certify.Variable(name, "m", Fraction(-9), Fraction(9)) for name in readings)
    tape = certify.trace(lambda x, m: x.u - m.c, {"u": ()}, {"c": ()})
    families = tuple(
        certify.Family(name, tape, ROWS, (certify.Binding(False, k), certify.Binding(True, k)), "m")
        for k, name in enumerate(readings)
    )
    return certify.Problem(variables, columns, families)


def test_rows_that_hold_an_unknown_are_among_the_few():
    problem = crossed()
    asked = Question(problem.blocks, (0, 1), Box(*problem.box), 0.9, UNLIMITED, {})
    rows = enough(asked, np.array([1.0, 0.0]))
    assert {family for family, _ in rows} == {0, 1}
    y = [float(problem.columns[1].lower[row]) for family, row in rows if family == 1]
    assert min(y) < -0.03 and max(y) > 0.03
    assert len(rows) <= 24


def test_where_few_rows_do_not_do_all_are_taken(monkeypatch):
    """Three rows that agree with each other refute nothing; the verdict is that of all rows."""
    problem = curve(2, Fraction(1, 10))
    monkeypatch.setattr(part_search, "enough", lambda *_: tuple((0, row) for row in (1, 40, 70)))
    monkeypatch.setattr(part_search, "FEW_SPLITS", 5)
    answer = certify.decide(problem, "0.03")
    assert answer.parts[0].verdict is Verdict.INFEASIBLE
    assert ("curve", ROWS // 3) in answer.parts[0].conflict
    assert check(answer.canonical, answer.parts[0].certificate).status is Status.VERIFIED


def test_what_is_infeasible_at_a_small_error_is_told_by_fewer_rows():
    part = certify.decide(curve(1, Fraction(1, 4)), 0).part("curve")
    assert part.verdict is Verdict.INFEASIBLE
    assert len(part.conflict) <= 4


@pytest.mark.parametrize("seed", range(20))
def test_krawczyk_names_no_more_rows_than_variables(seed):
    problem = curve(seed, half=Fraction(1, 10**6))
    box = Boxes(np.array([[1.45], [0.76]]), np.array([[1.58], [0.83]]))
    (told,) = Krawczyk(Constraints.of([(0, problem.blocks[0])], 0.0)).contract(box).reasons
    assert told.cuts
    assert all(len({(term.block, term.row) for term in cut.reason.rows}) <= 2 for cut in told.cuts)


def test_the_steepest_rows_span_all_directions():
    slopes = np.array([[100.0, 0.0], [99.0, 0.0], [0.0, 1.0], [0.0, 0.5]])
    assert sorted(steepest(slopes, np.ones(4))) == [0, 2]
    assert sorted(steepest(slopes, np.array([1.0, 0.01, 1.0, 0.01]))) == [1, 3]
    assert sorted(steepest(slopes[:2], np.ones(2))) == [0]
    assert sorted(steepest(np.zeros((3, 2)), np.zeros(3))) == []
    assert sorted(steepest(slopes, np.zeros(4))) in ([0, 2], [0, 3], [1, 2], [1, 3])


def test_steps_are_told_of_the_whole_problem():
    steps = Steps([Cut(0, 0.5, True, Evaluate(1, 0))], Branch(0, 1.0, Steps([], Refuted(Evaluate(1, 1))), Steps()))
    told = renumbered(steps, {1: ((4, 7), (4, 9))})
    assert list(rows_of(told)) == [(4, 7), (4, 9)]
    assert list(reasons(told)) == [Evaluate(4, 7), Evaluate(4, 9)]
    assert list(rows_of(steps)) == [(1, 0), (1, 1)]
