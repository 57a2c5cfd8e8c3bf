from fractions import Fraction

import pytest
from systems import leg

import certify
from certify import Verdict
from certify.checker import Status, check


@pytest.mark.parametrize(("epsilon", "verdict"), [(0, Verdict.INFEASIBLE), (Fraction(5, 2), Verdict.INFEASIBLE), (4, Verdict.FEASIBLE)])
def test_a_given_epsilon_is_decided_with_proof(two_legs, start, epsilon, verdict):
    result = certify.decide(two_legs, epsilon, start=start)
    assert [part.name for part in result.parts] == ["leg1", "leg2", "platform"]
    for part in result.parts:
        assert part.verdict is verdict
        assert check(result.canonical, part.certificate).status is Status.VERIFIED


def test_a_negative_epsilon_is_refused(two_legs):
    with pytest.raises(certify.InputError, match="negative"):
        certify.decide(two_legs, -1)


def test_a_fit_is_certified_at_its_point(two_legs, estimate):
    result = certify.error_at(two_legs, estimate[:14], ".fit")
    for part in result.parts:
        assert part.verdict is Verdict.INADEQUATE
        assert part.gap < 1e-6
        assert b"\npoint " in part.certificate
        assert check(result.canonical, part.certificate).status is Status.VERIFIED


def test_a_consistent_point_is_certified_as_such():
    planted = leg(2, epsilon=1e-9)
    truth = [Fraction(float(v)) for v in planted.truth]
    (part,) = certify.error_at(planted.problem, truth).parts
    assert part.verdict is Verdict.ADEQUATE
