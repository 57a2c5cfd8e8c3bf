from fractions import Fraction

import pytest
from systems import leg

import certify
from certify import Verdict
from certify.checker import Status, check


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("epsilon", "verdict"), [(0, Verdict.INFEASIBLE), (Fraction(5, 2), Verdict.INFEASIBLE), (4, Verdict.FEASIBLE)]
)
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


def steep(measured=(Fraction(-1, 2), Fraction(1, 2))):
    """10^13 x - m: what a decimal of the twelfth place decides."""
    tape = certify.trace(lambda x, m: x.u * 10**13 - m.y, {"u": ()}, {"y": ()})
    family = certify.Family("f", tape, 1, (certify.Binding(False, 0), certify.Binding(True, 0)))
    column = certify.Column("y", "1", (measured[0],), (measured[1],))
    return certify.Problem((certify.Variable("u", "1", Fraction(-1), Fraction(1)),), (column,), (family,))


def test_a_point_is_taken_exactly_as_given():
    problem = steep()
    result = certify.error_at(problem, [Fraction(4, 10**13)])
    (part,) = result.parts
    assert part.epsilon[0] < Fraction(7, 2) <= part.epsilon[1]
    assert check(result.canonical, part.certificate).status is Status.VERIFIED
    with pytest.raises(certify.InputError, match="outside its bounds"):
        certify.error_at(problem, [Fraction(2)])
    with pytest.raises(certify.InputError, match="give one for each"):
        certify.error_at(problem, [])


def test_what_is_printed_is_rounded_to_the_safe_side():
    from certify.text.decimals import round_down, round_up, show

    lower = Fraction("1.14317050284637")
    assert show(round_down(lower, 7)) == "1.14317"
    assert show(round_up(lower, 7)) == "1.143171"


def test_a_model_that_is_undefined_on_the_way_is_not_claimed():
    """1 / y - x with y in [-1, 1]: both ends look feasible for |r| <= 1, the segment between them crosses a pole."""
    tape = certify.trace(lambda x, m: 1 / m.y - x.u * m.y, {"u": ()}, {"y": ()})
    family = certify.Family("f", tape, 1, (certify.Binding(False, 0), certify.Binding(True, 0)))
    column = certify.Column("y", "1", (Fraction(-1),), (Fraction(1),))
    problem = certify.Problem((certify.Variable("u", "1", Fraction(5), Fraction(5)),), (column,), (family,))
    for result in (certify.adequacy(problem), certify.decide(problem, 1), certify.error_at(problem, [Fraction(5)])):
        for part in result.parts:
            if part.certificate is None:
                assert part.verdict is Verdict.UNDECIDED
            else:
                assert check(result.canonical, part.certificate).status is Status.VERIFIED
