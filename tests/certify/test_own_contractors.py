"""Contractors of users: one class, one line, and their reasons stand in certificates that both checkers accept."""

import re
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from two_checkers import both

import certify
from certify import Verdict


def column(name, low, high):
    return certify.Column(name, "1", (Fraction(low),), (Fraction(high),))


def readings_of_a_sum_and_a_difference(first=(0, 1), second=(6, 7)):
    """u + v is read as y, u - v as z, and u twice as w: y + z in [6, 8] and w in [0, 1] contradict each other."""
    rows = (lambda x, m: x.u + x.v - m.y, lambda x, m: x.u - x.v - m.y, lambda x, m: 2 * x.u - m.y)
    tapes = [certify.trace(row, {"u": (), "v": ()}, {"y": ()}) for row in rows]
    families = tuple(
        certify.Family(name, tape, 1, (certify.Binding(False, 0), certify.Binding(False, 1), certify.Binding(True, k)))
        for k, (name, tape) in enumerate(zip(("sum", "difference", "double"), tapes, strict=True))
    )
    columns = (column("y", *first), column("z", *second), column("w", 0, 1))
    variables = tuple(certify.Variable(name, "1", Fraction(-50), Fraction(50)) for name in "uv")
    return certify.Problem(variables, columns, families)


class HalfSum:
    """u is half of what sum and difference read together: two rows, each with the weight 1/2."""

    name = "half sum"
    cost = -1  # before ours

    def __init__(self, constraints):
        self.reads = constraints.variables[:1]
        self.ends = [
            [float(e[rows.measured_inputs[0], 0]) for e in (rows.lower, rows.upper)] for _, rows in constraints.blocks
        ]
        self.epsilon = constraints.epsilon

    def contract(self, boxes):
        (low, high), (least, most), _ = self.ends
        lower, upper = boxes.lower.copy(), boxes.upper.copy()
        lower[0] = np.maximum(lower[0], (low + least) / 2 - self.epsilon - 1e-6)
        upper[0] = np.minimum(upper[0], (high + most) / 2 + self.epsilon + 1e-6)
        return certify.Narrowed(lower, upper, lower[0] > upper[0])


class ExplainedHalfSum(HalfSum):
    """The same, with reasons."""

    def why(self, before, after):
        def both_rows(side):
            return certify.Aggregate(tuple(certify.RowTerm("m", block, 0, side, 0.5) for block in (0, 1)), ())

        if after is None:
            return certify.Narrowing(refuted=both_rows(-1 if before.upper[0] < 3 else 1), cells=1)
        cuts = []
        if after.lower[0] > before.lower[0]:
            cuts.append(certify.Cut(0, float(after.lower[0]), True, both_rows(-1)))
        if after.upper[0] < before.upper[0]:
            cuts.append(certify.Cut(0, float(after.upper[0]), False, both_rows(1)))
        return certify.Narrowing(tuple(cuts), cells=1)


class EmptiesEverything:
    """Wrong: it loses solutions."""

    cost = -1

    def __init__(self, constraints):
        pass

    def contract(self, boxes):
        return certify.Narrowed(boxes.lower, boxes.upper, np.ones(boxes.count, dtype=bool))


def decided(problem, *own, epsilon=Fraction(1, 2)):
    (part,) = certify.decide(problem, epsilon, options=certify.Options(contractors=own)).parts
    return part


@pytest.mark.parametrize("own", [HalfSum, ExplainedHalfSum])
def test_one_line_puts_a_contractor_into_the_graph_and_its_work_into_a_verified_certificate(own):
    problem = readings_of_a_sum_and_a_difference()
    part = decided(problem, own)
    assert part.verdict is Verdict.INFEASIBLE
    assert part.contractors["half sum"].calls > 0
    assert part.contractors["half sum"].gain > 1
    assert both(certify.decide(problem, Fraction(1, 2)).canonical, part.certificate) == "VERIFIED"


def test_its_reasons_are_those_of_the_certificate():
    part = decided(readings_of_a_sum_and_a_difference(), ExplainedHalfSum)
    leaves = [line for line in part.certificate.decode().splitlines() if line.startswith("aggregate")]
    by_two = [line for line in leaves if " m0.0" in line and " m1.0" in line and "m2.0" not in line]
    assert by_two


def test_what_it_refutes_alone_is_a_certificate_of_its_reasons_alone():
    problem = certify.Problem(
        tuple(certify.Variable(name, "1", Fraction(low), Fraction(50)) for name, low in (("u", 5), ("v", -50))),
        *(getattr(readings_of_a_sum_and_a_difference(), part) for part in ("columns", "families")),
    )
    part = decided(problem, ExplainedHalfSum)
    assert part.verdict is Verdict.INFEASIBLE
    assert list(part.contractors) == ["half sum"]
    assert part.contractors["half sum"].refuted == 1
    assert [(family, row) for family, row in part.conflict] == [("sum", 0), ("difference", 0)]
    assert both(certify.decide(problem, Fraction(1, 2)).canonical, part.certificate) == "VERIFIED"


def test_a_wrong_one_proves_nothing():
    problem = readings_of_a_sum_and_a_difference(second=(0, 1))
    part = decided(problem, EmptiesEverything)
    assert part.verdict is Verdict.FEASIBLE
    assert both(certify.decide(problem, Fraction(1, 2)).canonical, part.certificate) == "VERIFIED"


def test_wrong_reasons_prove_nothing():
    class Wrong(EmptiesEverything):
        def why(self, before, after):
            return certify.Narrowing(refuted=certify.Evaluate(0, 0))

    assert decided(readings_of_a_sum_and_a_difference(second=(0, 1)), Wrong).verdict is Verdict.FEASIBLE


def test_it_narrows_a_hull_of_which_every_cut_is_confirmed():
    problem = readings_of_a_sum_and_a_difference(second=(0, 1))
    for own in (HalfSum, ExplainedHalfSum):
        (part,) = certify.enclose(problem, Fraction(1, 2), options=certify.Options(contractors=(own,))).parts
        assert part.verdict is Verdict.ENCLOSED
        assert part.contractors["half sum"].gain > 1
        assert both(certify.decide(problem).canonical, part.certificate) == "VERIFIED"


def test_it_is_drawn():
    graph = certify.contractor_graph(readings_of_a_sum_and_a_difference(), [HalfSum])
    assert set(graph["half sum"]) == {"u"}


class RightHalf:
    """Of a system: y is not negative. True of one of two solutions: certificates find out."""

    name = "right half"

    def __init__(self, equations):
        self.reads = (1,)

    def contract(self, boxes):
        lower = boxes.lower.copy()
        lower[1] = np.maximum(lower[1], 0.0)
        return certify.Narrowed(lower, boxes.upper, lower[1] > boxes.upper[1])


def test_it_narrows_the_search_of_a_system_in_the_units_of_the_system():
    text = "variables x in [-1/16, 1/8], y in [-2, 2]; constraints x = y^2 / 64; y^3 = y; end"
    own, ours = certify.solve(text, contractors=[RightHalf]), certify.solve(text)
    assert ours.count == 3
    assert own.found.paving.statistics["right half"].gain > 0
    assert len(own.solutions) == 2
    assert own.count is None
    assert "if what your contractors (right half) have removed holds none, not certified" in own.coverage
    assert own.as_json()["complete"] is False and ours.as_json()["complete"] is True


def test_a_system_with_one_that_gives_no_reasons_is_certified_without_it():
    text = "variables x in [0, 1/8], y in [0.5, 2]; constraints x = y^2 / 64; y^3 = y; end"
    own = certify.solve(text, contractors=[RightHalf])
    assert own.count == 1
    assert own.made.proves.own == 0


PARABOLAS = "variables x in [-10, 10], y in [-10, 10]; constraints x^2 + y = 3; x^2 - y = 1; end"
CIRCLE = "variables x in [-10, 10], y in [3/5, 10]; constraints x^2 + y^2 = 1; x = y^3; end"
RISING = "variables x in [-3, 3], y in [1, 2]; constraints x + sin(x)/2 = y; x^2 + y^2 = 25/8; end"


class Ends:
    """A variable lies between two numbers: what is beyond them is removed for a reason."""

    cost, variable, low, high, side = -1, 0, -np.inf, np.inf, 1

    def __init__(self, equations):
        self.reads = (self.variable,)

    def contract(self, boxes):
        lower, upper = boxes.lower.copy(), boxes.upper.copy()
        lower[self.variable] = np.maximum(lower[self.variable], self.low)
        upper[self.variable] = np.minimum(upper[self.variable], self.high)
        return certify.Narrowed(lower, upper, lower[self.variable] > upper[self.variable])

    def why(self, before, after):
        if after is None:
            return certify.Narrowing(refuted=self.reason(before.lower[self.variable] > self.high), cells=1)
        faces = (self.low, True), (self.high, False)
        inside = [(at, below) for at, below in faces if before.lower[self.variable] < at < before.upper[self.variable]]
        cuts = (certify.Cut(self.variable, at, below, self.reason(not below)) for at, below in inside)
        return certify.Narrowing(tuple(cuts), cells=1)


class Difference(Ends):
    """Linear, with multipliers: half of the difference of two rows is y - 1."""

    variable, low, high = 1, 1 - 2**-20, 1 + 2**-20

    def reason(self, above):
        side = 1 if above else -1
        rows = (certify.RowTerm("q", 0, 0, side, 0.5), certify.RowTerm("q", 1, 0, -side, 0.5))
        return certify.Aggregate(rows, ())


class OfTheCircle(Ends):
    """Of this problem alone: |x| <= sqrt(1 - y^2), and y >= 3/5."""

    low, high = -0.8125, 0.8125

    def reason(self, above):
        return certify.Evaluate(0, 0)


class Monotone(Ends):
    """x + sin(x)/2 - y grows with x and falls with y: at x = 7/4 it is positive for all y, and so it is beyond."""

    low, high = 0.625, 1.75

    def reason(self, above):
        return certify.Aggregate((certify.RowTerm("m", 0, 0, 1 if above else -1, 1.0),), ())


@pytest.mark.parametrize(
    ("text", "own", "count"), [(PARABOLAS, Difference, 2), (CIRCLE, OfTheCircle, 1), (RISING, Monotone, 1)]
)
def test_its_reasons_stand_in_the_certificate_of_a_system_that_both_checkers_accept(text, own, count):
    answer, without = certify.solve(text, contractors=[own]), certify.solve(text)
    assert answer.count == without.count == count
    assert answer.found.paving.statistics[own.__name__].gain > 0
    assert answer.made.proves.own > 0
    assert both(answer.made.canonical, answer.made.certificate) == "VERIFIED"
    assert re.search(r"checked in [^;]*; \d+ lea(f|ves) by your contractors\)", answer.text)


def test_reasons_of_a_system_without_solutions_refute_it():
    class Nowhere(Difference):
        low, high = 5.0, 6.0

        def contract(self, boxes):
            return certify.Narrowed(boxes.lower, boxes.upper, np.ones(boxes.count, dtype=bool))

        def reason(self, above):
            return super().reason(True)

    text = PARABOLAS.replace("y in [-10, 10]", "y in [2, 10]")
    answer = certify.solve(text, contractors=[Nowhere])
    assert answer.count == 0
    tree = answer.made.certificate.decode().splitlines()
    assert tree[-4:] == ["tree", "prepare 1", "aggregate q0.0+1p-1 q1.0-1p-1", "end"]
    assert both(answer.made.canonical, answer.made.certificate) == "VERIFIED"


class LosesOne(Difference):
    """Wrong: it removes x < 0, where one of two solutions is, for a reason that is none."""

    variable, low, high = 0, 0.0, np.inf


@pytest.mark.parametrize("form", ["q", "m", "t", "evaluate"])
def test_wrong_reasons_of_a_system_prove_nothing(form):
    class Lies(LosesOne):
        def reason(self, above):
            if form == "evaluate":
                return certify.Evaluate(0, 0)
            return certify.Aggregate((certify.RowTerm(form, 0, 0, -1, 1.0), certify.RowTerm(form, 1, 0, 1, 0.5)), ())

    answer = certify.solve(PARABOLAS, contractors=[Lies], time_limit=10)
    assert len(answer.solutions) == 1
    assert answer.count is None
    assert answer.exit_code != 0
    assert "if what your contractors (Lies) have removed holds none, not certified" in answer.coverage
    assert both(answer.made.canonical, answer.made.certificate) == "VERIFIED"  # of boxes that are left open
    assert answer.solutions[0]["x"].lower > 0


def test_what_is_cut_off_is_cut_as_far_as_it_is_true():
    class Eager(Difference):
        low = 1 + 2**-21  # a little too much

    answer = certify.solve(PARABOLAS, contractors=[Eager], time_limit=10)
    assert answer.count is None or answer.count == 2


def test_where_a_variable_has_no_bounds_a_certificate_does_without_it():
    text = PARABOLAS.replace("x in [-10, 10]", "x in [-oo, oo]")
    answer = certify.solve(text, contractors=[Difference])
    assert (answer.count, answer.made.proves.own) == (2, 0)


@pytest.mark.parametrize("method", ["hull", "preconditioned", "beaumont", "gauss-seidel"])
def test_what_is_known_as_a_linear_system_narrows_by_each_of_its_methods(method):
    text = "variables x in [-3, 3], y in [-3, 3]; constraints x^3 + y = 2; y^3 + x = 2; end"
    own = certify.linear_contractor([[1, 1], [1, (-2, -1)]], [(1, 3), (-1.5, 0.5)], method=method)  # (1, 1) solves it
    contractor = own(None)
    boxes = certify.contractors.protocol.boxes.Boxes(
        np.array([[-3.0, 1.0, 2.0], [-3.0, 1.0, 2.5]]), np.array([[3.0, 1.0, 3.0], [3.0, 1.0, 3.0]])
    )
    found = contractor.contract(boxes)
    assert found.empty.tolist() == [False, False, True]
    assert (found.lower[:, :2] <= 1.0).all()
    assert (found.upper[:, :2] >= 1.0).all()
    assert (found.upper - found.lower)[:, 0].sum() < 12.0
    answer = certify.solve(text, contractors=[lambda equations: replace(own(equations), cost=-1)])
    assert answer.count == 1
    assert answer.found.paving.statistics[f"linear system, {method}"].gain > 0


def test_a_set_of_inequalities_is_drawn_with_both_its_sides():
    disc = certify.system({"x": (-2, 2), "y": (-2, 2)}, "x^2 + y^2 <= 1")
    graph = certify.contractor_graph(disc)
    assert {name for name, kind in graph.nodes(data="bipartite") if kind} == {"hull consistency", "outside"}


def test_it_is_drawn_in_the_graph_of_a_system():
    system = certify.system({"x": (0, 1), "y": (0, 1)}, ["x^2 = y", "x = 1/3"])
    assert set(certify.contractor_graph(system, [RightHalf])["right half"]) == {"y"}


class Flat(EmptiesEverything):
    def contract(self, boxes):
        return certify.Narrowed(boxes.lower[0], boxes.upper[0], np.zeros(boxes.count, dtype=bool))


class OutOfReach(EmptiesEverything):
    reads = (7,)


class NamesNoRow(EmptiesEverything):
    def why(self, before, after):
        return certify.Narrowing(refuted=certify.Evaluate(2, 1))


class WeighsNothing(EmptiesEverything):
    def why(self, before, after):
        return certify.Narrowing(refuted=certify.Aggregate((certify.RowTerm("m", 0, 0, 1, -1.0),), ()))


class OfOurName(EmptiesEverything):
    name = "forward-backward"


@pytest.mark.parametrize(
    ("own", "told"),
    [
        (Flat, "to 1 boxes of 2 variables the contractor Flat answered with"),
        (OutOfReach, "OutOfReach says that it reads"),
        (NamesNoRow, "row 1 of block 2"),
        (WeighsNothing, "the weight -1.0; give positive numbers"),
        (OfOurName, "two contractors called 'forward-backward'; give yours another name"),
    ],
)
def test_what_is_wrong_with_it_is_told(own, told):
    with pytest.raises(certify.InputError, match=told):
        decided(readings_of_a_sum_and_a_difference(), own)
