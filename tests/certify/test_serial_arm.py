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
from certify.contractors.rows.taylor_form import taylor_rows
from certify.proofs import problem_replay
from certify.records.options import Options
from certify.records.verdicts import Verdict
from certify.solvers.graph import components
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


def straight(inequalities):
    """The same without the terms of second order, which nobody has proved."""
    squares = np.array([len(monomial) == 2 for monomial in inequalities.monomials])
    lower, upper = (np.where(squares, 0.0, ends) for ends in (inequalities.lower, inequalities.upper))
    return replace(inequalities, lower=lower, upper=upper)


def test_what_the_checker_encloses_otherwise_is_refuted_again(monkeypatch):
    """Six joints: a box that is refuted by terms unknown to the checker fails in the replay, and is repaired."""
    repaired, run = [], problem_replay.Replay.run

    def counted(self, steps, box=None):
        lines = run(self, steps, box)
        if self.repairs:
            repaired.append(self.repairs)
            with pytest.raises(problem_replay.Withdrawn):
                run(problem_replay.Replay(self.proof), steps)
        return lines

    def hopeful(*asked):
        return taylor_rows(*asked) if repaired or repairing else straight(taylor_rows(*asked))

    def again(self, *asked):
        repairing.append(True)
        return repair(self, *asked)

    repairing, repair = [], problem_replay.Replay._repaired
    monkeypatch.setattr(problem_replay.Replay, "run", counted)
    monkeypatch.setattr(problem_replay.Replay, "_repaired", again)
    monkeypatch.setattr(components, "taylor_rows", hopeful)
    problem, _ = planted_arm(12, 12, joint="0", seed=3)
    answer = certify.adequacy(shifted(problem, np.random.default_rng(3)), options=Options(gap=Fraction(5, 10**6)))
    (part,) = answer.parts
    assert (part.verdict, part.stopped) == (Verdict.INADEQUATE, Stopped.FINISHED)
    assert both(answer.canonical, part.certificate) == "VERIFIED"
    assert repaired


@pytest.mark.parametrize("seed", [3, 4, 5])
def test_cuts_of_second_order_are_confirmed_as_they_are(monkeypatch, seed):
    """The engine's terms of second order contain the checker's: no cut of an arm is moved or left out."""
    kept, cut = [], problem_replay.Replay._cut

    def counted(self, box, preparation, found, later):
        rest = cut(self, box, preparation, found, later)
        ends = rest[self.proof.scope.positions[found.variable]]
        kept.append(Fraction(found.at) in ends)
        return rest

    monkeypatch.setattr(problem_replay.Replay, "_cut", counted)
    problem, _ = planted_arm(12, 12, joint="0", seed=seed)
    answer = certify.adequacy(
        shifted(problem, np.random.default_rng(seed)), options=Options(gap=Fraction(1, 10**4), splits=40)
    )
    assert answer.parts[0].stopped is Stopped.FINISHED
    assert kept
    assert all(kept)
