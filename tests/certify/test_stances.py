"""How far off a platform on legs can stand: a planted platform is never beyond what is proved, and each step is held
against exact truth.
"""

import json
import random
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from exact import arb_values
from flint import arb, ctx
from planted_stances import EPSILON, differences, lengths, parameters, planted, stands

from certify import load_experiment, trace
from certify.__main__ import main
from certify.branches.enclosing import ARITHMETIC, fraction
from certify.branches.taylor_models import Model, Modelled, space
from certify.problems.errors import InputError
from certify.problems.robots.text_model import TextModel
from certify.stances.asked import is_turned_once
from certify.stances.cells import mean
from certify.stances.lengths import measures
from certify.stances.readouts import Grid, Readout


def asked(problem, capsys, *words):
    """The record of a run, and its exit code."""
    out = problem.parent / "accuracy"
    code = main(["accuracy", str(problem), "--out", str(out), "--json", "--quiet", *words])
    return code, json.loads(capsys.readouterr().out)


WHERE = ("--joints", "x = 10 +- 30 mm, y = -20 +- 30 mm, theta = 5 +- 6 deg")


@pytest.mark.thorough
def test_a_planted_platform_is_never_beyond(tmp_path, capsys):
    """Neither with legs as their model says, nor with errors up to what is assumed; both ends are near each other."""
    problem, truth = planted(tmp_path / "planted", 1)
    code, told = asked(problem, capsys, *WHERE, "--use", "least-squares", "--epsilon", f"{EPSILON} mm")
    assert code == 0 and len(told["certificates"]) > 6 and all(told["certificates"].values())
    position, orientation = told["guarantees"]
    own = parameters([Fraction(value) for value in told["in_use"].values()])
    middle, half = np.array([10, -20, 5]), np.array([30, 30, 6])
    worst = differences(truth, own, middle, half, EPSILON, np.random.default_rng(101))
    for part, found in enumerate((position, orientation)):
        assert worst[0, part] <= found["deviation"][1] and worst[1, part] <= found["with_error"]
        assert 0 < found["deviation"][0] <= found["deviation"][1] <= 1.5 * found["deviation"][0]
        assert found["deviation"][1] < found["with_error"]
        x = parameters([found["witness"][name] for name in told["in_use"]])
        pose = np.array(found["witness_joints"])
        off = stands(*x, lengths(*own, pose), pose) - pose
        size = np.hypot(*off[:2]) if part == 0 else 1000 * abs(np.radians(off[2]))
        assert size == pytest.approx(found["deviation"][0], rel=1e-6)


def test_what_is_no_workspace_of_a_platform_is_refused(tmp_path, capsys):
    """A singular box, a coordinate without range, what belongs to arms."""
    problem, _ = planted(tmp_path / "planted", 1)
    refused = [
        ((*WHERE, "--hold", "leg1"), "--hold is about arms"),
        (("--joints", "x = 0 +- 5 mm, y = 0 +- 5 mm"), "nothing of theta"),
        (("--joints", "x = 0 +- 5 mm, y = 0 +- 5 mm, theta = 0 +- 1 deg, L1 = 0 +- 1 mm"), "a range of L1"),
        (("--joints", "x = 0 +- 5 mm, y = 0 +- 5 mm, theta = 110 +- 60 deg"), "singular"),
    ]
    for words, message in refused:
        code = main(
            ["accuracy", str(problem), "--out", str(tmp_path / "out"), "--epsilon", "0.2 mm", "--quiet", *words]
        )
        said = capsys.readouterr()
        assert code == 2 and message in said.err + said.out


def _functions(x, m):
    from certify import sqrt

    return sqrt(4 + m.p * m.p + m.q) / (3 + m.q * m.p) - 1 / (m.q - 9)


@pytest.mark.parametrize("order", [2, 4])
def test_roots_and_quotients_have_expansions(order):
    """At random points the value is one of the model's, whose remainder is small."""
    chosen = random.Random(order)
    tape = trace(_functions, {}, {"p": (), "q": ()})
    kind, half = space(2, order), Fraction(1, 5)
    middles = [Fraction(1, 2), Fraction(-1, 3)]
    inputs = [kind.variable(k, ARITHMETIC.enclose(m), ARITHMETIC.enclose(half)) for k, m in enumerate(middles)]
    (model,) = Modelled(tape, {}).at(kind, inputs)
    assert isinstance(model, Model) and fraction(model.rest) < Fraction(1, 10 ** (order - 1))
    with ctx.workprec(200):
        for _ in range(20):
            s = [Fraction(chosen.randint(-10, 10), 10) for _ in range(2)]
            (truth,) = arb_values(tape, [m + half * part for m, part in zip(middles, s, strict=True)])
            low = high = Fraction(0)
            for a, b, exponents in zip(model.low, model.above, kind.monomials, strict=True):
                power = s[0] ** exponents[0] * s[1] ** exponents[1]
                ends = fraction(a) * power, fraction(b) * power
                low, high = low + min(ends), high + max(ends)
            low, high = low - fraction(model.rest), high + fraction(model.rest)
            assert truth >= arb(low.numerator) / low.denominator and truth <= arb(high.numerator) / high.denominator


def test_the_mean_over_a_segment():
    """Of (1 + s + w)^2 it is (1 + s)^2 + w^2 / 3."""
    both, one = space(2, 2), space(1, 2)
    unit = (ARITHMETIC.one, ARITHMETIC.one)
    total = both.add(both.add(both.variable(0, (0, 0), unit), both.variable(1, (0, 0), unit)), unit)
    found = mean(both, one, both.mul(total, total))
    assert isinstance(found, Model) and [fraction(value) for value in found.low] == [1, 2, 1]
    assert Fraction(1, 3) <= fraction(found.rest) < Fraction(334, 1000)


def test_bounds_between_nodes_hold_the_interpolation():
    """Over random boxes, which may cross the lines: at least the largest value at random places of them."""
    chosen = random.Random(3)
    grid = Grid(((Fraction(0), Fraction(1), Fraction(3)), (Fraction(-1), Fraction(2))))
    values = np.array(
        [[chosen.randint(-1000, 1000) * ARITHMETIC.one for _ in range(2)] for _ in range(3)], dtype=object
    )
    found = Readout(grid, values, values, 0, 0)

    def at(p, q):
        first = 0 if p <= 1 else 1
        u = (p - grid.lines[0][first]) / (grid.lines[0][first + 1] - grid.lines[0][first])
        v = (q + 1) / 3
        weights = product((1 - u, u), (1 - v, v))
        return sum(
            a * b * fraction(values[first + i, j])
            for (i, j), (a, b) in zip(product((0, 1), repeat=2), weights, strict=True)
        )

    for _ in range(50):
        ends = [tuple(sorted(Fraction(chosen.randint(0, 30), 10) for _ in range(2))) for _ in range(2)]
        ends[1] = tuple(end - 1 for end in ends[1])
        low, high = (fraction(end) for end in found.over(ends))
        inside = [at(*(a + (b - a) * Fraction(chosen.randint(0, 9), 9) for a, b in ends)) for _ in range(20)]
        assert low <= min(inside) and max(inside) <= high
        corners = [
            at(p, q) for p in {*ends[0], *(x for x in (Fraction(1),) if ends[0][0] < x < ends[0][1])} for q in ends[1]
        ]
        assert high - max(corners) < Fraction(1, 10**5) and min(corners) - low < Fraction(1, 10**5)


def test_how_far_a_platform_is_turned():
    """Between the angle of the turn and the way of the angles, for random pairs of poses."""
    chosen = np.random.default_rng(5)
    (measure,) = measures(["deg", "deg", "deg"], turned=True)
    for _ in range(30):
        first, second = chosen.uniform(-40, 40, 3), chosen.uniform(-3, 3, 3)
        exact = [[Fraction(float(v)) for v in angles] for angles in (first, first + second)]
        least = measure.least(*([ARITHMETIC.enclose(v) for v in angles] for angles in reversed(exact)))
        ends = [tuple(sorted(pair)) for pair in zip(*exact, strict=True)]
        shift = np.array(
            [[(b - a).numerator * 2**80 // (b - a).denominator for a, b in zip(*exact, strict=True)]], dtype=object
        )
        most = measure.most(shift, 80, ends)
        truth = 1000 * _turn(np.radians(first), np.radians(first + second))
        assert float(least) <= truth * (1 + 1e-9) and truth <= float(most) * (1 + 1e-9)
        assert float(most) < 1.02 * float(least)


def _turn(first, second):
    def matrix(angles):
        (a, b, c) = angles
        x = np.array([[1, 0, 0], [0, np.cos(a), -np.sin(a)], [0, np.sin(a), np.cos(a)]])
        y = np.array([[np.cos(b), 0, np.sin(b)], [0, 1, 0], [-np.sin(b), 0, np.cos(b)]])
        z = np.array([[np.cos(c), -np.sin(c), 0], [np.sin(c), np.cos(c), 0], [0, 0, 1]])
        return x @ y @ z

    between = matrix(first).T @ matrix(second)
    return 2 * np.arcsin(np.linalg.norm(between - np.eye(3)) / (2 * np.sqrt(2)))


def test_legs_of_other_platforms_are_refused(tmp_path, capsys):
    """A delta's legs read joint angles, which stand in the equation together with the pose."""
    assert main(["simulate", "--robot", "delta", "--error", "none", "--out", str(tmp_path / "delta"), "--quiet"]) == 0
    experiment = load_experiment(tmp_path / "delta" / "problem.toml")
    ranges = ", ".join(f"{field.name} = 0 +- 1 mm" for field in experiment.kind.pose)
    words = ["accuracy", str(tmp_path / "delta" / "problem.toml"), "--joints", ranges, "--epsilon", "1 mm", "--quiet"]
    assert main([*words, "--out", str(tmp_path / "out")]) == 2
    assert "less what is read" in capsys.readouterr().err


@pytest.mark.parametrize("units", [["mm", "deg", "rad", "rad"], ["deg", "rad", "deg"], ["mm", "1"]])
def test_angles_of_one_unit_only_are_answered(units):
    with pytest.raises(InputError, match="all in deg or all in rad"):
        measures(units, turned=False)


@pytest.mark.parametrize(
    ("equation", "more", "told"),
    [
        ("norm(P + R*b - a) - (L + l)", (), True),
        ("norm(P + R*R*b - a) - (L + l)", (), False),
        ("norm(P + R*rotation_xyz(0*alpha, 0*alpha, gamma)*b - a) - L", (), False),
        ("norm(P + Q*b - a) - (L + l)", (("Q", "R*R"),), False),
        ("norm(P + b - a) - (L + l)", (), False),
    ],
)
def test_orientation_is_said_of_one_rotation_only(equation, more, told):
    definitions = (("P", "[x, y, z]"), ("R", "rotation_xyz(alpha, beta, gamma)"), *more)
    model = TextModel((("", equation),), definitions, ())
    assert is_turned_once(model, ["alpha", "beta", "gamma"]) is told
