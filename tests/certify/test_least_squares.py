"""Least-squares results judged: the minimum is enclosed and global, its certificates are verified by both checkers, and
wrong claims are not.
"""

from __future__ import annotations

import importlib
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from two_checkers import both

import certify
from certify import exp, log
from certify.claims.proved_words import minimum_section
from certify.problems.errors import InputError
from certify.problems.model.model import at_middles
from certify.proofs.certificate_text import Claim
from certify.proofs.problem_replay import Proving
from certify.questions.least_squares import Minimum, least_squares, true_digits
from certify.records.options import Options
from certify.records.verdicts import Verdict
from certify.solvers.limits import Stopped

ANCHORS = [(0, 0), (4, 0), (0, 3), (5, 4)]


def located(distances, low=0, high=5, anchors=ANCHORS, squared=False):
    """A point in a box from its distances (to 0.02) to known anchors."""

    def model(x, m):
        square = (x.p[0] - m.anchor[0]) * (x.p[0] - m.anchor[0]) + (x.p[1] - m.anchor[1]) * (x.p[1] - m.anchor[1])
        return square - m.d * m.d if squared else certify.sqrt(square) - m.d

    def column(name, values, half=0):
        exact = [Fraction(value) for value in values]
        return certify.Column(
            name, "m", tuple(v - Fraction(half) for v in exact), tuple(v + Fraction(half) for v in exact)
        )

    tape = certify.trace(model, {"p": (2,)}, {"anchor": (2,), "d": ()})
    columns = (
        column("x", [a for a, _ in anchors]),
        column("y", [b for _, b in anchors]),
        column("d", distances, "0.02"),
    )
    variables = tuple(certify.Variable(name, "m", Fraction(low), Fraction(high)) for name in ("p.x", "p.y"))
    bindings = tuple(certify.Binding(measured, k) for measured, count in ((False, 2), (True, 3)) for k in range(count))
    return certify.Problem(variables, columns, (certify.Family("point", tape, len(anchors), bindings, "m"),))


def value(problem, x):
    """The sum of squares at the middles, in floats."""
    exact = at_middles(problem)
    total = 0.0
    for k, (a, b) in enumerate(ANCHORS):
        total += (np.hypot(x[0] - a, x[1] - b) - float(exact.columns[2].lower[k])) ** 2
    return total


def test_the_table_says_what_is_proved_of_the_fit_and_no_less_than_its_sum():
    answer = least_squares(located(("3", "3", "3", "3"), low=Fraction(1, 4)))
    line = minimum_section(answer)[-1]
    assert "the only global minimum in the search box (proved)" in line
    told = Fraction(line.split("sum of squares <= ")[1].split(" ")[0])
    upper = answer.parts[0].epsilon[1]
    assert upper <= told <= upper * (1 + Fraction(1, 10**7))


@pytest.mark.parametrize(
    "distances", [("2.5", "2.5", "2.2", "3.9"), ("2.6", "2.4", "2.1", "4.2"), ("3", "3", "3", "3")]
)
@pytest.mark.parametrize("squared", [False, True])
def test_the_minimum_is_global_and_verified_twice(distances, squared):
    problem = located(distances, low=Fraction(1, 4), squared=squared)
    part = least_squares(problem).parts[0]
    assert isinstance(part, Minimum)
    assert part.verdict is Verdict.GLOBAL_MINIMUM
    assert part.stopped is Stopped.FINISHED
    canonical = least_squares(problem).canonical
    for certificate in (part.certificate, part.local_certificate):
        assert both(canonical, certificate) == "VERIFIED"
    lower, upper = part.epsilon
    assert 0 <= lower <= upper
    assert part.unit == "m^2"
    if not squared:
        grid = np.linspace(0.25, 5, 60)
        values = [value(problem, (a, b)) for a in grid for b in grid]
        assert float(lower) <= min(values)
        assert float(upper) <= min(values) + 1e-12
        middle = [float(sum(part.box[name]) / 2) for name in ("p.x", "p.y")]
        assert value(problem, middle) <= min(values)


def test_the_box_is_sharp_and_digits_are_counted():
    problem = located(("2.6", "2.4", "2.1", "4.2"), low=Fraction(1, 4))
    fitted = least_squares(problem).parts[0]
    assert all(high - low < Fraction(1, 10**9) for low, high in fitted.box.values())
    assert min(fitted.digits.values()) >= 9
    rough = least_squares(problem, [round(v, 3) for v in fitted.estimate.values()]).parts[0]
    assert rough.verdict is Verdict.GLOBAL_MINIMUM
    assert all(2 <= digits <= 5 for digits in rough.digits.values())
    assert fitted.as_json()["global"] is True


def test_two_minima_are_not_one():
    """All anchors on a line: the mirror image does as well, so that neither is the only one."""
    problem = located(("2.5", "2.6", "2.4"), low=-5, anchors=[(0, 0), (4, 0), (2, 0)])
    part = least_squares(problem, start=np.array([2.0, 1.5]), options=Options(time_limit=2.0)).parts[0]
    assert part.verdict is Verdict.LOCAL_MINIMUM
    assert part.stopped is not Stopped.FINISHED
    assert not part.everywhere
    assert part.epsilon[0] == 0


def test_a_flat_minimum_is_undecided():
    problem = located(("2.5",), anchors=[(1, 1)])
    part = least_squares(problem).parts[0]
    assert part.verdict is Verdict.UNDECIDED
    assert part.certificate is None
    assert part.stopped is Stopped.SINGULAR


def test_a_minimum_at_the_edge_of_the_box_is_undecided():
    problem = located(("2.6", "2.4", "2.1", "4.2"), low=3)
    part = least_squares(problem).parts[0]
    assert part.verdict is Verdict.UNDECIDED


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("minimum global", "minimum local"),
        ("norm squares", "norm largest"),
        ("discard 0", "discard 1"),
        ("known 0", "open"),
        ("\nend\n", "\n"),
    ],
)
def test_forged_minima_are_rejected(old, new):
    answer = least_squares(located(("2.6", "2.4", "2.1", "4.2"), low=Fraction(1, 4)))
    text = answer.parts[0].certificate.decode()
    assert old in text
    assert both(answer.canonical, text.replace(old, new, 1).encode()) == "REJECTED"


def test_a_value_below_the_minimum_is_rejected():
    answer = least_squares(located(("2.6", "2.4", "2.1", "4.2"), low=Fraction(1, 4)))
    part = answer.parts[0]
    told = f"minimum global {part.epsilon[1]}"
    text = part.certificate.decode()
    assert told in text
    forged = text.replace(told, f"minimum global {part.epsilon[1] * (1 - Fraction(1, 10**9))}")
    assert both(answer.canonical, forged.encode()) == "REJECTED"


def test_another_box_of_the_problem_is_rejected():
    """The mirror image is in the wider box: the proof of the half without it does not prove the whole."""
    half = located(("2.5", "2.6", "2.4"), low=Fraction(1, 4), anchors=[(0, 0), (4, 0), (2, 0)])
    answer = least_squares(half)
    part = answer.parts[0]
    assert part.verdict is Verdict.GLOBAL_MINIMUM
    wide = at_middles(replace(half, variables=tuple(replace(v, lower=Fraction(-5)) for v in half.variables)))
    proving = Proving(wide)
    forged = part.certificate.decode().replace(Proving(at_middles(half)).digest, proving.digest)
    assert both(proving.canonical, forged.encode()) == "REJECTED"
    assert Claim(("point",)).minimum is None


def test_an_estimate_is_judged_as_it_was_given():
    problem = located(("2.5", "2.5", "2.2", "3.9"), low=Fraction(1, 4))
    part = least_squares(problem, [9.0, 1.8]).parts[0]
    assert part.estimate == {"p.x": 9.0, "p.y": 1.8}
    assert part.digits["p.x"] == 0
    for wrong in ([float("nan"), 1.8], [1.8]):
        with pytest.raises(InputError, match="2 finite numbers"):
            least_squares(problem, wrong)


def test_digits_are_counted_exactly():
    """A distance of a little more than 10^-3 of the value is not 3 digits, however it is rounded."""
    assert true_digits(1.0, Fraction(1), Fraction(1)) == 17
    assert true_digits(1.125, Fraction(1), Fraction(1)) == 0
    edge = Fraction(1) - Fraction(1, 1000)
    assert true_digits(1.0, Fraction(1000, 1001), Fraction(1000, 1001)) == 3
    assert true_digits(1.0, edge, edge) == 2
    assert true_digits(1.0, Fraction(1000, 1001) - Fraction(1, 10**30), Fraction(1)) == 2


def test_a_box_that_is_not_proved_is_never_used(monkeypatch):
    """Where the test of the widest box fails, the tree is about one that passed."""
    module = importlib.import_module("certify.questions.least_squares")
    proved, wider, asked, widest = module._isolated, module._wider, {}, []

    def failing_first(judge, zero, value):
        asked[zero.lower] = zero.lower not in widest and proved(judge, zero, value) is not None
        return proved(judge, zero, value) if asked[zero.lower] else None

    monkeypatch.setattr(module, "_isolated", failing_first)
    monkeypatch.setattr(
        module, "_wider", lambda near: widest.append(module._zero(near, wider(near)[0]).lower) or wider(near)
    )
    used = []
    everywhere = module._everywhere
    monkeypatch.setattr(
        module, "_everywhere", lambda search, zero, *rest: used.append(zero.lower) or everywhere(search, zero, *rest)
    )
    answer = module.least_squares(located(("2.6", "2.4", "2.1", "4.2"), low=Fraction(1, 4)))
    assert answer.parts[0].verdict is Verdict.GLOBAL_MINIMUM
    assert widest[0] in asked
    assert not asked[widest[0]]
    assert [asked[lower] for lower in used] == [True]
    assert both(answer.canonical, answer.parts[0].certificate) == "VERIFIED"


# NIST StRD, Misra1a (public domain): y and x of b1 (1 - exp(-b2 x))
MISRA = """10.07 77.6, 14.73 114.9, 17.94 141.1, 23.93 190.8, 29.61 239.9, 35.18 289.0, 40.02 332.8, 44.82 378.4,
50.76 434.8, 55.05 477.3, 61.01 536.8, 66.40 593.1, 75.47 689.1, 81.78 760.0"""
CERTIFIED = Fraction("238.94212918"), Fraction("5.5015643181e-4")
LEAST = Fraction("0.12455138894")


def misra(part, unit=1):
    """Misra1a within a part of the certified values, b2 in this unit."""
    rows = [line.split() for line in MISRA.split(",")]
    columns = tuple(
        certify.Column(name, "1", *[tuple(Fraction(row[k]) for row in rows)] * 2) for k, name in enumerate(("y", "x"))
    )
    tape = certify.trace(
        lambda x, m: x.b1 * (1 - exp(-(unit * x.b2) * m.x)) - m.y, {"b1": (), "b2": ()}, {"y": (), "x": ()}
    )
    middles = CERTIFIED[0], CERTIFIED[1] / unit
    variables = tuple(certify.Variable(f"b{k}", "1", v * (1 - part), v * (1 + part)) for k, v in enumerate(middles, 1))
    bindings = tuple(certify.Binding(measured, k) for measured in (False, True) for k in range(2))
    return certify.Problem(variables, columns, (certify.Family("misra", tape, len(rows), bindings, "1"),))


@pytest.mark.thorough
@pytest.mark.parametrize("unit", [Fraction(1), Fraction(1, 10**6), Fraction(10**6)])
def test_misra1a_is_the_global_minimum_whatever_the_unit_of_its_parameters(unit):
    """Within 99 % of NIST's certified values; all of its eleven digits are enclosed."""
    answer = least_squares(misra(Fraction(99, 100), unit))
    part = answer.parts[0]
    assert part.verdict is Verdict.GLOBAL_MINIMUM
    for certificate in (part.certificate, part.local_certificate):
        assert both(answer.canonical, certificate) == "VERIFIED"
    for (low, high), told in zip(part.box.values(), (CERTIFIED[0], CERTIFIED[1] / unit), strict=True):
        assert abs((low + high) / 2 - told) <= told / 10**10
    assert abs(part.epsilon[1] - LEAST) <= LEAST / 10**10
    assert part.epsilon[0] <= part.epsilon[1]


def test_why_nothing_is_proved_is_said_truly():
    """The fit is outside the box, or the measurements do not determine it."""
    outside = misra(Fraction(1, 10))
    outside = replace(
        outside, variables=tuple(replace(v, lower=v.upper * Fraction(99, 100)) for v in outside.variables)
    )
    assert least_squares(outside).parts[0].stopped is Stopped.EDGE
    tape = certify.trace(lambda x, m: x.a + x.b - m.d, {"a": (), "b": ()}, {"d": ()})
    one = certify.Column("d", "m", (Fraction(1), Fraction(2)), (Fraction(1), Fraction(2)))
    variables = tuple(certify.Variable(name, "m", Fraction(0), Fraction(5)) for name in ("a", "b"))
    bindings = (certify.Binding(False, 0), certify.Binding(False, 1), certify.Binding(True, 0))
    flat = certify.Problem(variables, (one,), (certify.Family("sum", tape, 2, bindings, "m"),))
    part = least_squares(flat).parts[0]
    assert (part.verdict, part.stopped) == (Verdict.UNDECIDED, Stopped.SINGULAR)


def test_a_known_variable_is_a_measurement():
    """Of two offsets that only their sum determines one is known: the other one is determined, and the minimum is
    proved.
    """
    tape = certify.trace(lambda x, m: x.a + x.b - m.d, {"a": (), "b": ()}, {"d": ()})
    one = certify.Column("b", "m", (Fraction(1), Fraction(2)), (Fraction(1), Fraction(2)))
    variables = (
        certify.Variable("a", "m", Fraction(0), Fraction(5)),
        certify.Variable("b", "m", Fraction(1), Fraction(1)),
    )
    bindings = (certify.Binding(False, 0), certify.Binding(False, 1), certify.Binding(True, 0))
    answer = least_squares(certify.Problem(variables, (one,), (certify.Family("sum", tape, 2, bindings, "m"),)))
    part = answer.parts[0]
    assert part.verdict is Verdict.GLOBAL_MINIMUM
    assert part.epsilon[0] <= Fraction(1, 2) <= part.epsilon[1]
    assert part.box["a"][0] <= Fraction(1, 2) <= part.box["a"][1]
    assert both(answer.canonical, part.certificate) == "VERIFIED"


def test_a_model_that_is_undefined_in_a_part_of_the_box_has_a_local_minimum():
    """Where no row is defined nothing can be promised of the sum: the search says so and does not fail."""
    tape = certify.trace(lambda x, m: log(x.a) - m.d, {"a": ()}, {"d": ()})
    readings = certify.Column("d", "1", (Fraction(1, 2), Fraction(3, 5)), (Fraction(1, 2), Fraction(3, 5)))
    variables = (certify.Variable("a", "1", Fraction(-3), Fraction(3)),)
    bindings = (certify.Binding(False, 0), certify.Binding(True, 0))
    problem = certify.Problem(variables, (readings,), (certify.Family("log", tape, 2, bindings, "1"),))
    answer = least_squares(problem, start=np.array([1.0]), options=Options(time_limit=1.0))
    part = answer.parts[0]
    assert part.verdict is Verdict.LOCAL_MINIMUM
    assert part.stopped in (Stopped.TIME, Stopped.WIDTH)
    low, high = part.box["a"]
    assert float(low) <= np.exp(0.55) <= float(high)
    assert both(answer.canonical, part.local_certificate) == "VERIFIED"
