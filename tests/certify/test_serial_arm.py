"""Rows without polynomial form: a serial arm with unknown joint offsets. Taylor's relaxation closes the gap, and its
terms are verified twice.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from planted_arms import planted_arm
from two_checkers import both

import certify
from certify.proofs import problem_replay
from certify.records.options import Options
from certify.records.verdicts import Verdict
from certify.solvers.limits import Stopped

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
        return certify.Column(
            name, unit, tuple(v - Fraction(width) for v in exact), tuple(v + Fraction(width) for v in exact)
        )

    columns = (
        column("p", "rad", angles[0]),
        column("q", "rad", angles[1]),
        column("u", "mm", np.round(reached, 3), half),
    )
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


def shifted(problem, random):
    """The same problem with every reading in mm moved by up to 1 mm, which its half-widths do not explain."""

    def moved(column):
        errors = [
            Fraction(round(1000 * error), 1000) for error in random.uniform(-1.0, 1.0, len(column.lower)).tolist()
        ]
        lower, upper = (
            tuple(v + e for v, e in zip(ends, errors, strict=True)) for ends in (column.lower, column.upper)
        )
        return replace(column, lower=lower, upper=upper)

    return replace(problem, columns=tuple(moved(c) if c.unit == "mm" else c for c in problem.columns))


def test_what_the_checker_encloses_otherwise_is_refuted_again(monkeypatch):
    """Six joints, nothing is forced: a box that the engine refutes by its own second derivatives fails in the replay,
    and is repaired.
    """
    repaired, run = [], problem_replay.Replay.run

    def counted(self, steps, box=None):
        lines = run(self, steps, box)
        if self.repairs:
            repaired.append(self.repairs)
            with pytest.raises(problem_replay.Withdrawn):
                run(problem_replay.Replay(self.proof), steps)
        return lines

    monkeypatch.setattr(problem_replay.Replay, "run", counted)
    for unknowns, poses, seed in ((12, 12, 3), (10, 8, 3)):
        problem, _ = planted_arm(unknowns, poses, joint="0", seed=seed)
        answer = certify.adequacy(
            shifted(problem, np.random.default_rng(seed)), options=Options(gap=Fraction(5, 10**6))
        )
        (part,) = answer.parts
        assert (part.verdict, part.stopped) == (Verdict.INADEQUATE, Stopped.FINISHED)
        assert both(answer.canonical, part.certificate) == "VERIFIED"
    assert repaired
