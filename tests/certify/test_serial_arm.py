"""Rows without polynomial form: a serial arm with unknown joint offsets. Taylor's relaxation closes the gap, and its terms are verified twice."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from two_checkers import both

import certify
from certify.part_search import Options
from certify.verdicts import Verdict

LINKS = (400, 300)  # mm
OFFSETS = (0.004, -0.003)  # rad, what is true
FEW = 6  # poses: of more the three that fit worst are enough, and their proof needs no term of second order


def arm(error=0.0, poses=14, half="0.05"):
    """Positions of the tip of a planar arm, measured to 0.05 mm; `error` (mm) is added to one of them."""

    def tip(x, m):
        first = m.p + x.o[0]
        second = first + m.q + x.o[1]
        return LINKS[0] * certify.cos(first) + LINKS[1] * certify.cos(second) - m.u

    random = np.random.default_rng(4)
    angles = np.round(random.uniform(0.3, 1.3, (2, poses)), 4)
    first = angles[0] + OFFSETS[0]
    reached = LINKS[0] * np.cos(first) + LINKS[1] * np.cos(first + angles[1] + OFFSETS[1])
    reached = np.round(reached + random.uniform(-0.02, 0.02, poses), 3)
    reached[5] += error

    def column(name, unit, values, width="0"):
        exact = [Fraction(str(value)) for value in values]
        return certify.Column(name, unit, tuple(v - Fraction(width) for v in exact), tuple(v + Fraction(width) for v in exact))

    columns = (column("p", "rad", angles[0]), column("q", "rad", angles[1]), column("u", "mm", np.round(reached, 3), half))
    variables = tuple(certify.Variable(f"o{k}", "rad", Fraction(-1, 2), Fraction(1, 2)) for k in (1, 2))
    tape = certify.trace(tip, {"o": (2,)}, {"p": (), "q": (), "u": ()})
    bindings = tuple(certify.Binding(measured, k) for measured, count in ((False, 2), (True, 3)) for k in range(count))
    return certify.Problem(variables, columns, (certify.Family("tip", tape, poses, bindings, "mm"),))


def test_the_true_arm_is_adequate():
    part = certify.adequacy(arm()).parts[0]
    assert part.verdict is Verdict.ADEQUATE


def test_an_error_is_bounded_from_both_sides():
    answer = certify.adequacy(arm(error=2.0, poses=FEW), options=Options(gap=Fraction(1, 10**4), time_limit=30.0))
    part = answer.parts[0]
    assert part.verdict is Verdict.INADEQUATE
    assert part.gap < 1.1e-4
    assert ("tip", 5) in part.conflict
    assert " t0." in part.certificate.decode()
    assert both(answer.canonical, part.certificate) == "VERIFIED"
    assert "taylor-relaxation" in part.contractors


def test_its_least_squares_fit_is_the_global_minimum():
    answer = certify.least_squares(arm(error=2.0))
    part = answer.parts[0]
    assert part.verdict is Verdict.GLOBAL_MINIMUM
    assert both(answer.canonical, part.certificate) == "VERIFIED"


@pytest.mark.parametrize("old", ["t0.", "tree"])
def test_forged_terms_are_rejected(old):
    answer = certify.adequacy(arm(error=2.0, poses=FEW), options=Options(gap=Fraction(1, 10**3)))
    text = answer.parts[0].certificate.decode()
    new = {"t0.": "m0.", "tree": "tree\nprepare 300"}[old]
    assert both(answer.canonical, text.replace(old, new).encode()) == "REJECTED"
