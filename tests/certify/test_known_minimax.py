"""The smallest model error where it is known by construction, exactly: epsilon's interval brackets it, and is as narrow
as asked for.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import certify
from certify.checker import Status, check
from certify.records.verdicts import Verdict


def column(name, unit, values, half=Fraction(0)):
    return certify.Column(name, unit, tuple(v - half for v in values), tuple(v + half for v in values))


def turned(c, s, vector):
    """The rotation by the angle with cosine c and sine s, both rational."""
    return c * vector[0] - s * vector[1], s * vector[0] + c * vector[1]


def opposite_anchors(seed):
    """Pairs of opposite anchors around a centre, all distances read short by e, +-h.

    |p - a| + |p - a'| >= |a - a'| for every p: one of the two distances is at least half of it, so the smallest error
    is e - h, at the centre.
    """
    random = np.random.default_rng(seed)

    def number(low, high):
        return Fraction(int(random.integers(low * 1000, high * 1000)), 1000)

    centre = number(-3, 3), number(-3, 3)
    error, half = number(1, 3) / 10, number(0, 1) / 10
    anchors, distances = [], []
    for _ in range(3):
        t = number(-2, 2)
        c, s = (1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)
        radius = number(4, 9)
        arm = turned(c, s, (radius, Fraction(0)))
        for sign in (1, -1):
            anchors.append((centre[0] + sign * arm[0], centre[1] + sign * arm[1]))
            distances.append(radius - error)
    tape = certify.trace(lambda x, m: certify.norm(x.p - m.a) - m.d, {"p": (2,)}, {"a": (2,), "d": ()})
    columns = (
        column("x", "m", [a for a, _ in anchors]),
        column("y", "m", [b for _, b in anchors]),
        column("d", "m", distances, half),
    )
    shift = number(-2, 2)
    variables = tuple(certify.Variable(f"p{k}", "m", centre[k] + shift - 5, centre[k] + shift + 5) for k in (0, 1))
    bindings = tuple(certify.Binding(measured, k) for measured, count in ((False, 2), (True, 3)) for k in range(count))
    return certify.Problem(
        variables, columns, (certify.Family("point", tape, len(anchors), bindings, "m"),)
    ), error - half


def alternating_line(seed):
    """Readings of a + b t with errors +e, -e, +e at three times and smaller ones between: by Chebyshev's theorem no
    line does better than e.
    """
    random = np.random.default_rng(seed)
    a, b = (Fraction(int(k), 100) for k in random.integers(-300, 300, 2))
    error, half = Fraction(int(random.integers(50, 90)), 100), Fraction(int(random.integers(0, 40)), 100)
    times = [Fraction(k) for k in range(9)]
    wiggle = {0: error, 4: -error, 8: error}
    values = [a + b * t + wiggle.get(k, error * int(random.integers(-9, 10)) / 10) for k, t in enumerate(times)]
    tape = certify.trace(lambda x, m: x.a + x.b * m.t - m.y, {"a": (), "b": ()}, {"t": (), "y": ()})
    columns = (column("t", "s", times), column("y", "mm", values, half))
    variables = tuple(certify.Variable(name, "mm", Fraction(-20), Fraction(20)) for name in ("a", "b"))
    bindings = (
        certify.Binding(False, 0),
        certify.Binding(False, 1),
        certify.Binding(True, 0),
        certify.Binding(True, 1),
    )
    return certify.Problem(
        variables, columns, (certify.Family("line", tape, len(times), bindings, "mm"),)
    ), error - half


@pytest.mark.parametrize("build", [opposite_anchors, alternating_line])
@pytest.mark.parametrize("seed", range(8))
def test_the_known_error_is_bracketed(build, seed):
    problem, known = build(seed)
    answer = certify.adequacy(problem)
    part = answer.parts[0]
    lower, upper = part.epsilon
    assert lower <= known <= upper
    assert part.verdict is Verdict.INADEQUATE
    assert part.gap <= 5e-7
    assert check(answer.canonical, part.certificate).status is Status.VERIFIED


@pytest.mark.parametrize("build", [opposite_anchors, alternating_line])
def test_just_above_it_is_feasible_and_just_below_it_is_not(build):
    problem, known = build(3)
    assert certify.decide(problem, known * Fraction(1000001, 1000000)).parts[0].verdict is Verdict.FEASIBLE
    assert certify.decide(problem, known * Fraction(999999, 1000000)).parts[0].verdict is Verdict.INFEASIBLE
