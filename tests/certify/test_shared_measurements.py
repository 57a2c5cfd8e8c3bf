"""Rows that share measurements are refuted together, with one realisation: smallest errors that are known exactly."""

from fractions import Fraction

import pytest
from two_checkers import both

import certify
from certify.records.options import Options
from certify.records.verdicts import Verdict

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
