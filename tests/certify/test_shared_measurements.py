"""Rows that share measurements are refuted together, with one realisation: smallest errors that are known exactly."""

from fractions import Fraction

import pytest
from two_checkers import both

import certify
from certify.parts import part_search
from certify.problems.experiments.shipped import shipped
from certify.problems.experiments.toml_reader import load_experiment
from certify.records.options import Options
from certify.records.verdicts import Verdict
from certify.solvers.limits import Stopped

GAP = Fraction(1, 10**6)


def apart(scale=Fraction(1)):
    """x - u and x - u - 10 with one u within 1: whatever it is, these are 10 apart, where each alone would choose its
    own u and they would be 8 apart.
    """
    first = certify.trace(lambda x, m: x.x - m.u, {"x": ()}, {"u": ()})
    far = 10 * scale
    second = certify.trace(lambda x, m: x.x - m.u - far, {"x": ()}, {"u": ()})
    reach = 20 * scale
    variables = (certify.Variable("x", "mm", -reach, reach),)
    columns = (certify.Column("u", "mm", (-scale,), (scale,)),)
    bindings = (certify.Binding(False, 0), certify.Binding(True, 0))
    families = tuple(certify.Family(name, tape, 1, bindings, "mm") for name, tape in (("a", first), ("b", second)))
    return certify.Problem(variables, columns, families)


@pytest.mark.parametrize("scale", [Fraction(1), Fraction(1, 10**6), Fraction(1000)])
def test_what_rows_share_cancels(scale):
    answer = certify.adequacy(apart(scale), options=Options(gap=GAP))
    (part,) = answer.parts
    assert part.verdict is Verdict.INADEQUATE
    lower, upper = part.epsilon
    assert 5 * scale * (1 - GAP) <= lower <= 5 * scale <= upper
    assert b"\naggregate c0 t" in part.certificate
    assert both(answer.canonical, part.certificate) == "VERIFIED"


def curved():
    """x + 3 u + u^2 and 3 - x with one u within 1: their sum is least at u = -1, there 1, so both need 1/2. By what is
    of first order in u, and what is of second order apart, nothing is refuted.
    """
    first = certify.trace(lambda x, m: x.x + 3 * m.u + m.u**2, {"x": ()}, {"u": ()})
    second = certify.trace(lambda x, m: 3 - x.x + 0 * m.u, {"x": ()}, {"u": ()})
    columns = (certify.Column("u", "mm", (Fraction(-1),) * 2, (Fraction(1),) * 2),)
    bindings = (certify.Binding(False, 0), certify.Binding(True, 0))
    families = tuple(certify.Family(name, tape, 2, bindings, "mm") for name, tape in (("a", first), ("b", second)))
    return certify.Problem((certify.Variable("x", "mm", Fraction(-9), Fraction(9)),), columns, families)


def test_what_is_curved_is_refuted_at_the_end_of_what_rows_share():
    answer = certify.adequacy(curved(), options=Options(gap=GAP))
    (part,) = answer.parts
    lower, upper = part.epsilon
    assert Fraction(1, 2) * (1 - GAP) <= lower <= Fraction(1, 2) <= upper
    assert part.splits == 0
    assert both(answer.canonical, part.certificate) == "VERIFIED"


@pytest.mark.thorough
def test_the_legs_of_the_demo_contradict_each_other():
    """Two legs at three poses: more than the worst leg's error, by few bisections."""
    problem = load_experiment(shipped("table_of_stewart")).fitted_problem()
    options = Options(gap=Fraction(1, 10**3), together=True)
    answer = certify.adequacy(getattr(problem, "problem", problem), options=options)
    *legs, platform = answer.parts
    lower, upper = platform.epsilon
    assert (
        max(leg.epsilon[1] for leg in legs) < lower <= Fraction("3.63274758") <= upper <= lower * Fraction(1001, 1000)
    )
    assert platform.splits <= 8
    assert both(answer.canonical, platform.certificate) == "VERIFIED"


def pulled(reach=1):
    """x - u and y + u with one u within 1: each alone vanishes at x = 1 or y = 1, where u is an end; both need 1."""
    first = certify.trace(lambda x, m: x.x - m.u, {"x": ()}, {"u": ()})
    second = certify.trace(lambda x, m: x.y + m.u, {"y": ()}, {"u": ()})
    variables = tuple(certify.Variable(name, "mm", Fraction(reach), Fraction(3)) for name in "xy")
    columns = (certify.Column("u", "mm", (Fraction(-1),) * 2, (Fraction(1),) * 2),)
    families = [
        certify.Family(name, tape, 2, (certify.Binding(False, k), certify.Binding(True, 0)), "mm")
        for k, (name, tape) in enumerate((("a", first), ("b", second)))
    ]
    return certify.Problem(variables, columns, tuple(families))


def test_parts_that_are_adequate_alone_may_contradict_each_other():
    answer = certify.adequacy(pulled(), options=Options(gap=GAP))
    *parts, both_of_them = answer.parts
    assert [part.verdict for part in parts] == [Verdict.ADEQUATE] * 2
    assert both_of_them.verdict is Verdict.INADEQUATE
    lower, upper = both_of_them.epsilon
    assert 1 - GAP <= lower <= 1 <= upper
    assert both(answer.canonical, both_of_them.certificate) == "VERIFIED"


def test_what_several_parts_contradict_is_infeasible_below_and_feasible_above():
    below, above = (certify.decide(pulled(), Fraction(k, 100)).parts[-1] for k in (99, 101))
    assert (below.verdict, above.verdict) == (Verdict.INFEASIBLE, Verdict.FEASIBLE)


def test_more_than_the_worst_part_is_proved_where_it_is_asked_for():
    """Within 5/4 from 1 the parts alone need 1/4, and together 5/4."""
    problem = pulled(Fraction(5, 4))
    plain, asked = (certify.adequacy(problem, options=Options(gap=GAP, together=way)) for way in (False, True))
    assert Fraction(1, 4) * (1 - GAP) <= plain.parts[-1].epsilon[0] <= Fraction(1, 4)
    assert Fraction(5, 4) * (1 - GAP) <= asked.parts[-1].epsilon[0] <= Fraction(5, 4) <= asked.parts[-1].epsilon[1]
    assert both(asked.canonical, asked.parts[-1].certificate) == "VERIFIED"


def test_many_rows_are_refuted_together_only_where_it_is_asked_for(monkeypatch):
    monkeypatch.setattr(part_search, "TOGETHER_ROWS", 3)
    plain, asked = (
        certify.adequacy(pulled(), options=Options(gap=GAP, together=way)).parts[-1] for way in (False, True)
    )
    assert (plain.verdict, plain.epsilon[0], asked.verdict) == (Verdict.UNDECIDED, 0, Verdict.INADEQUATE)
    assert plain.stopped is certify.decide(pulled(), Fraction(1, 2)).parts[-1].stopped is Stopped.JOINT
