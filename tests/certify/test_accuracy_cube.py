"""How far off a robot can be over a cube of positions: Taylor models and losses against exact truth, and planted arms
whose own deviation is never beyond what is proved.
"""

import json
import random
from fractions import Fraction

import numpy as np
import pytest
from exact import arb_values
from flint import arb, ctx
from planted_poses import TRUTH, write_arm

from certify import Options, load_experiment, trace
from certify.__main__ import main
from certify.accuracy.assumptions import levels_of, parts_of
from certify.accuracy.question import Asked, accuracy
from certify.arms.workspaces import cube_of
from certify.branches.cube import NotEnclosed, Region
from certify.branches.enclosing import ARITHMETIC, fraction
from certify.branches.losses import Losses, loss, rows_of
from certify.branches.taylor_models import Model, Modelled, space
from certify.problems.errors import InputError
from certify.problems.experiments.experiment import box_centre

PATIENT = Options(time_limit=1e4)


@pytest.fixture(autouse=True)
def precise():
    """Truth has 200 bits here, and here only."""
    with ctx.workprec(200):
        yield


def _functions(x, m):
    from certify import cos, exp, sin, sqrt

    wave = sin(m.q) * cos(m.q - m.p * x.e) + m.p * m.p / 7
    return wave * (x.l - 2 * m.p) / (3 + x.l) + sqrt(5 + m.p) * exp(x.e) - cos(x.l) * m.q


def _number(value):
    return arb(value.numerator) / value.denominator


def _holds(kind, model, s, truth):
    """Whether a value is one of the model's at a point."""
    if isinstance(model, tuple):
        low, high = map(fraction, model)
    else:
        low = high = Fraction(0)
        for below, above, exponents in zip(model.low, model.above, kind.monomials, strict=True):
            power = Fraction(1)
            for part, times in zip(s, exponents, strict=True):
                power *= part**times
            ends = fraction(below) * power, fraction(above) * power
            low, high = low + min(ends), high + max(ends)
        low, high = low - fraction(model.rest), high + fraction(model.rest)
    return bool(truth >= _number(low)) and bool(truth <= _number(high))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("order", [2, 5])
def test_a_taylor_model_holds_its_function(seed, order):
    """At random points, for any parameters of their box; also where coefficients are intervals."""
    chosen = random.Random(seed)
    tape = trace(_functions, {"l": (), "e": ()}, {"q": (), "p": ()})
    width = chosen.choice([Fraction(0), Fraction(1, 20)])
    middles = [Fraction(chosen.randint(-9, 9), 10) for _ in range(4)]
    fixed = {k: ARITHMETIC.span(middles[k] - width, middles[k] + width) for k in (0, 1)}
    kind = space(2, order)
    half = Fraction(chosen.randint(1, 30), 100)
    inputs = [kind.variable(k, ARITHMETIC.enclose(middles[2 + k]), ARITHMETIC.enclose(half)) for k in range(2)]
    (model,) = Modelled(tape, fixed).at(kind, inputs)
    assert isinstance(model, Model) and (model.high is None) == (not width)
    for _ in range(20):
        s = [Fraction(chosen.randint(-10, 10), 10) for _ in range(2)]
        x = [middles[k] + width * Fraction(chosen.randint(-10, 10), 10) for k in range(2)]
        (truth,) = arb_values(tape, [*x, *(middles[2 + k] + half * s[k] for k in range(2))])
        assert _holds(kind, model, s, truth)


def test_what_a_polynomial_loses_between_its_corners():
    """1 for a square, nothing for a product, and at most what it does lose."""
    kind = space(2, 3)
    x, y = (kind.variable(k, (0, 0), (ARITHMETIC.one, ARITHMETIC.one)) for k in range(2))
    assert fraction(loss(kind, kind.mul(x, x))) == pytest.approx(1.0)
    assert fraction(loss(kind, kind.mul(x, y))) < 1e-15
    bent = kind.add(kind.mul(kind.mul(x, x), y), kind.mul(x, y))
    lost = max(abs(s * s * t + s * t - 2 * (s * t + t) / 2) for s in np.linspace(-1, 1, 41) for t in (-1.0, 0.3, 1.0))
    assert lost <= fraction(loss(kind, bent)) <= 1.01


def planar(folder, at=None, **changes):
    """A planted arm, and its cube about a configuration."""
    experiment = load_experiment(write_arm(folder, **changes))
    estimate = tuple(v.nominal for v in experiment.variables)
    problem = experiment.problem(box_centre(experiment, estimate))
    columns = {column.name: number for number, column in enumerate(problem.columns)}
    return experiment, problem, columns


def tips(x, q1, q2):
    """Where the tip is, in mm."""
    a1 = np.radians(q1 + x[4])
    a2 = a1 + np.radians(q2)
    return np.array([x[0] + x[2] * np.cos(a1) + x[3] * np.cos(a2), x[1] + x[2] * np.sin(a1) + x[3] * np.sin(a2)])


def joints_of(x, place, positive):
    """Both joints of a tip in degrees, in closed form; the second is positive or not."""
    u, v = place[0] - x[0], place[1] - x[1]
    c = (u * u + v * v - x[2] ** 2 - x[3] ** 2) / (2 * x[2] * x[3])
    second = np.arccos(c) * (1 if positive else -1)
    first = np.arctan2(v, u) - np.arctan2(x[3] * np.sin(second), x[2] + x[3] * np.cos(second))
    return np.degrees(first) - x[4], np.degrees(second)


def asked_about(experiment, problem, columns, edge, text, at):
    levels = levels_of(problem, dict.fromkeys(parts_of(problem), Fraction(1, 20)), at)
    return Asked(at, frozenset(), levels, (cube_of(edge, text, "tool", columns, experiment, problem),), 16)


@pytest.mark.parametrize("seed", [0, *(pytest.param(k, marks=pytest.mark.thorough) for k in range(1, 4))])
def test_the_truth_of_a_planted_arm_is_never_further_off(seed, tmp_path):
    """Over a dense grid of the cube, with joints in closed form; and the witness lies in the cube, on the branch."""
    chosen = np.random.default_rng(seed)
    experiment, problem, columns = planar(tmp_path, seed=seed, poses=10)
    truth = np.array([TRUTH[v.name] for v in problem.variables])
    at = tuple(Fraction(f"{v + chosen.uniform(-0.1, 0.1):.4f}") for v in truth)
    q0 = chosen.integers(-60, 60), int(chosen.choice([-1, 1])) * chosen.integers(70, 100)
    edge = int(chosen.integers(20, 100))
    asked = asked_about(experiment, problem, columns, f"{edge} mm", f"q1 = {q0[0]} deg, q2 = {q0[1]} deg", at)
    found = next(g for g in accuracy(problem, asked, options=PATIENT).guarantees if g.name == "position")
    used = np.array([float(v) for v in at])
    middle, grid = tips(used, *q0), edge * np.linspace(-0.5, 0.5, 21)
    places = [middle + np.array([a, b]) for a in grid for b in grid]
    largest = max(np.linalg.norm(tips(truth, *q) - p) for p in places if (q := joints_of(used, p, q0[1] > 0)))
    assert found.upper is not None and largest <= found.upper
    assert found.attained is not None and found.lower <= found.upper <= Fraction(13, 10) * found.lower
    q = np.array([float(v) for v in found.attained.points[0]])
    assert np.abs(tips(used, *q) - middle).max() <= edge / 2 + 1e-6
    assert (q[1] > 0) == (q0[1] > 0)
    x = np.array([float(found.attained.x[v.name]) for v in problem.variables])
    assert np.linalg.norm(tips(x, *q) - tips(used, *q)) >= float(found.lower) - 1e-6


def test_what_is_between_the_corners_of_a_cell_is_lost_at_most(tmp_path):
    """For random parameters of the box and random places: the deviation less its interpolation."""
    experiment, problem, columns = planar(tmp_path)
    at = tuple((v.lower + v.upper) / 2 for v in problem.variables)
    region = cube_of("200 mm", "q1 = 10 deg, q2 = 90 deg", "tool", columns, experiment, problem).region
    cube = region.cube({v.name: value for v, value in zip(problem.variables, at, strict=True)})
    cells = cube.cells(2)
    corners = cube.joined(cells)
    families = [problem.families[n] for n in problem.part(("position.x", "position.y"))]
    losses = Losses(problem, rows_of(len(problem.variables), families, region.joints), at, ())
    used, chosen = np.array([float(v) for v in at]), np.random.default_rng(1)
    middle, worst = tips(used, 10.0, 90.0), 0.0
    for cell in cells:
        lost = float(losses.of(cell.branch, 2))
        for _ in range(40):
            x = np.array([chosen.uniform(float(v.lower), float(v.upper)) for v in problem.variables])
            s, mixed = chosen.uniform(-1.0, 1.0, 2), np.zeros(2)
            for corner in cell.corners:
                local = np.array([float(part) for part in cell.local(corner)])
                q = [float(sum(ends)) / 2 for ends in corners[corner]]
                mixed = mixed + np.prod(1.0 + s * local) / 4 * (tips(x, *q) - tips(used, *q))
            ends = np.array([[float(end) for end in pair] for pair in cell.ends])
            place = middle + 200.0 * (ends.mean(axis=1) + s * (ends[:, 1] - ends[:, 0]) / 2)
            off = np.linalg.norm(tips(x, *joints_of(used, place, True)) - place - mixed)
            worst = max(worst, off / lost)
            assert off <= lost + 1e-9
    assert worst > 0.1


def test_joints_at_corners_are_those_in_closed_form(tmp_path):
    experiment, problem, columns = planar(tmp_path)
    at = tuple((v.lower + v.upper) / 2 for v in problem.variables)
    region = cube_of("0.2 m", "q1 = 10 deg, q2 = -90 deg", "tool", columns, experiment, problem).region
    cube = region.cube({v.name: value for v, value in zip(problem.variables, at, strict=True)})
    used = np.array([float(v) for v in at])
    middle = tips(used, 10.0, -90.0)
    for corner, ends in cube.joined(cube.cells(3)).items():
        wanted = joints_of(used, middle + 200.0 * np.array([float(part) for part in corner]), False)
        for value, (low, high) in zip(wanted, ends, strict=True):
            assert float(low) - 1e-9 <= value <= float(high) + 1e-9 and high - low < 1e-9


def test_another_branch_is_not_joined(tmp_path):
    """Cells of both branches are each enclosed; together they are refused."""
    experiment, problem, columns = planar(tmp_path)
    at = {v.name: (v.lower + v.upper) / 2 for v in problem.variables}

    def cells(text):
        cube = cube_of("40 mm", text, "tool", columns, experiment, problem).region.cube(at)
        return cube, cube.cells(2)

    used = np.array([float(v) for v in at.values()])
    other = joints_of(used, tips(used, 10.0, 70.0), False)
    cube, first = cells("q1 = 10 deg, q2 = 70 deg")
    _, second = cells(f"q1 = {other[0]:.12f} deg, q2 = {other[1]:.12f} deg")
    assert len(cube.joined(first)) == 9
    with pytest.raises(NotEnclosed, match="other branches"):
        cube.joined([*first[:3], *(cell for cell in second if cell.ends == first[3].ends)])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--cube", "50 mm"], "give both"),
        (["--cube", "50 deg", "--at", "q1 = 0 deg, q2 = 50 deg"], "is no length"),
        (["--cube", "-5 mm", "--at", "q1 = 0 deg, q2 = 50 deg"], "not positive"),
        (["--cube", "50 mm", "--at", "q1 = 0 .. 5 deg, q2 = 50 deg"], "is a range"),
        (["--cube", "50 mm", "--at", "q1 = 5 deg"], "names 1 joints"),
        (["--cube", "50 mm", "--at", "q1 = 5 deg, q2 = 50 deg, theta = 0 deg"], "nothing to do with the position"),
        (["--cube", "900 mm", "--at", "q1 = 5 deg, q2 = 50 deg"], "out of reach, or near a singularity"),
        (["--cube", "50 mm", "--at", "q1 = 5 deg, q2 = 1 deg"], "out of reach, or near a singularity"),
    ],
)
def test_mistakes_lead_to_the_cure(words, said, tmp_path, capsys):
    path = write_arm(tmp_path)
    assert main(["accuracy", str(path), "--quiet", "--out", str(tmp_path / "out"), *words]) == 2
    assert said in capsys.readouterr().err


def test_a_tool_that_is_no_rigid_point_is_refused(tmp_path):
    """l and m are lengths of links: the position does not move with them as with a point of the tool."""
    _, problem, _ = planar(tmp_path)
    position = tuple(problem.families[n] for n in problem.part(("position.x", "position.y")))
    names = tuple(v.name for v in problem.variables)
    tool, where = (names.index("l"), names.index("m")), ((Fraction(0),) * 2, (Fraction(50),) * 2)
    region = Region(position, names, {}, (0, 1), ("deg", "deg"), tool, where, Fraction(1))
    with pytest.raises(InputError, match="nothing of its orientation"):
        region.cube({v.name: v.lower for v in problem.variables})


@pytest.mark.thorough
def test_the_command_answers_from_file_to_checked_certificates(tmp_path, capsys):
    path = write_arm(tmp_path / "arm")
    words = ["accuracy", str(path), "--cube", "80 mm", "--at", "q1 = 20 deg, q2 = 0.9 rad", "--quiet", "--json"]
    code = main([*words, "--out", str(tmp_path / "out")])
    told = json.loads(capsys.readouterr().out)
    assert code == told["exit_code"] == 0 and all(told["certificates"].values())
    assert "q2 = 0.9 rad" in told["workspaces"]["cube of 80 mm"]
    for found in told["guarantees"]:
        assert 0 < found["deviation"][0] <= found["deviation"][1] < found["with_error"]
