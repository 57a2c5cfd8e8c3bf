"""Contractors of users for sets: drawn, scheduled, counted, and their reasons in certificates that both accept."""

from fractions import Fraction

import numpy as np
import pytest
from two_checkers import both

import certify
from certify.problems.systems.set_canonical import set_problem

# u + v <= 1 and u - v <= 1 in [-4, 4]^2: a wedge whose area is the integral of 5 - |v|
AREA = Fraction(24)
TIP = 1 + 2.0**-20


def wedge():
    return certify.system({"u": (-4, 4), "v": (-4, 4)}, ["u + v <= 1", "u - v <= 1"])


class Tip:
    """The sum of both says that u <= 1: two rows, each with the weight 1/2."""

    name, cost, reads = "tip", -1, (0,)
    top = TIP

    def __init__(self, equations):
        assert equations.variables == 2

    def contract(self, boxes):
        lower, upper = boxes.lower.copy(), boxes.upper.copy()
        upper[0] = np.minimum(upper[0], self.top)
        return certify.Narrowed(lower, upper, lower[0] > upper[0])

    def why(self, before, after):
        half = certify.Aggregate(tuple(certify.RowTerm("m", block, 0, 1, 0.5) for block in (0, 1)), ())
        if after is None:
            return certify.Narrowing(refuted=half, cells=1)
        return certify.Narrowing((certify.Cut(0, self.top, False, half),), cells=1)


class TooMuch(Tip):
    """Half of the wedge is lost."""

    top = -1.0


class Unexplained(Tip):
    why = None


class AtTheFoot:
    """Where u <= -3.1 both hold: it keeps the rest."""

    name, cost, keeps = "foot", -1, "rest"

    def __init__(self, equations):
        pass

    def contract(self, boxes):
        lower, upper = boxes.lower.copy(), boxes.upper.copy()
        lower[0] = np.maximum(lower[0], -3.125)
        return certify.Narrowed(lower, upper, lower[0] > upper[0])


def solved(*own, **more):
    return certify.solve_set(wedge(), contractors=own, time_limit=20, **more)


def accepted(answer):
    """The bounds of the area, which both checkers accept."""
    for one in answer.documents:
        assert both(one.canonical, one.certificate) == "VERIFIED"
    low, high = answer.volume
    assert low <= AREA <= high
    return low, high


def test_its_reasons_stand_in_a_certificate_that_both_checkers_accept():
    answer = solved(Tip)
    low, high = accepted(answer)
    assert high - low < Fraction(1)
    assert answer.made.outer.own >= 1
    assert "aggregate m0.0+1 m1.0+1" in answer.made.outer.certificate.decode().splitlines()
    assert "by your contractors" in answer.text
    assert answer.as_json()["certificate"]["outer"]["own"] == answer.made.outer.own


NOWHERE = "variables u in [-4, 4], v in [-4, 4]; constraints u + v <= 0; 2*u + 2*v >= 1/4; end"


class Contradiction:
    """One says that u + v <= 0, the other that it is at least 1/8: no point is left."""

    cost = -1

    def __init__(self, equations):
        pass

    def contract(self, boxes):
        return certify.Narrowed(boxes.lower, boxes.upper, np.ones(boxes.count, dtype=bool))

    def why(self, before, after):
        rows = certify.RowTerm("q", 0, 0, 1, 1.0), certify.RowTerm("q", 1, 0, -1, 0.5)
        return certify.Narrowing(refuted=certify.Aggregate(rows, ()), cells=1)


def test_what_ours_leave_open_its_reasons_prove_to_be_empty():
    ours, answer = (certify.solve_set(NOWHERE, contractors=own, time_limit=20) for own in ((), [Contradiction]))
    assert ours.volume[1] > 0
    assert answer.found.paving.cells == 1 < ours.found.paving.cells
    assert answer.as_json()["calls"] == {"Contradiction": {"calls": 1, "gain": 0.0, "refuted": 1}}
    assert both(answer.made.outer.canonical, answer.made.outer.certificate) == "VERIFIED"
    assert (answer.volume, answer.exit_code, answer.made.outer.own) == ((0, 0), 0, 1)


def test_it_is_scheduled_and_counted():
    counted = solved(Tip, certificate=False).as_json()["calls"]
    assert counted["tip"]["gain"] > 0
    assert counted["hull consistency"]["calls"] > 0
    assert counted["outside"]["calls"] > 0
    assert "calls" not in solved(certificate=False).as_json()


def test_what_the_engine_says_rests_on_it_and_says_so():
    answer = solved(TooMuch)
    assert "if what your contractors (tip) have removed is as they say" in answer.coverage
    assert answer.found.paving.volume[1] < float(AREA)
    assert accepted(answer)[1] >= AREA
    assert "your contractors" not in solved(certificate=False).coverage


@pytest.mark.parametrize("own", [TooMuch, Unexplained])
def test_without_reasons_that_hold_ours_prove_or_it_stays_open(own):
    answer = solved(own)
    accepted(answer)
    assert answer.made.outer.own == 0


def test_what_keeps_the_rest_finds_the_inside():
    answer = solved(AtTheFoot)
    accepted(answer)
    assert answer.as_json()["calls"]["foot"]["gain"] > 0
    assert answer.found.own == ("foot",)


def test_both_sides_are_drawn_with_it():
    graph = certify.contractor_graph(wedge(), [Tip, AtTheFoot])
    assert set(graph["tip"]) >= {"u"}
    assert "v" not in graph["tip"]
    assert {"hull consistency", "outside", "foot"} <= set(graph)
    assert "tip" in graph["the set"]
    assert "foot" in graph["the rest"]
    assert len(set_problem(wedge()).families) == 2


class Neither(Tip):
    keeps = "both"


class OfOurName(Tip):
    name = "outside"


@pytest.mark.parametrize(
    ("own", "more", "told"),
    [
        (Neither, {}, "says that it keeps 'both'; say 'set'"),
        (OfOurName, {}, "two contractors called 'outside'"),
        (Tip, {"outliers": 1}, "leave out outliers"),
    ],
)
def test_what_is_wrong_with_it_is_told(own, more, told):
    with pytest.raises(certify.InputError, match=told):
        solved(own, **more)
