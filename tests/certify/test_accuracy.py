"""How far off a robot can be over a workspace: parts against exact truth, and planted arms whose
own deviation is never beyond what is proved.
"""

import json
import random
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from exact import arb_values, ball
from flint import arb, ctx
from planted_poses import TRUTH, write_arm

from certify import Options, load_experiment, trace
from certify.__main__ import main
from certify.accuracy.assumptions import levels_of, parts_of, refuse_multiples
from certify.accuracy.cells import arc, radians
from certify.accuracy.differences import degree
from certify.accuracy.outputs import Axis, Deviation, Output
from certify.accuracy.polyhedra import farthest
from certify.accuracy.question import Asked, Workspace, accuracy
from certify.checker import Status, check
from certify.problems.errors import InputError
from certify.problems.experiments.experiment import box_centre
from certify.problems.model.model import Binding, Column, Family, Problem, Variable

RANGES = [("0", "0"), ("-10", "10"), ("80", "100"), ("170", "190"), ("-200", "-160"), ("300", "420"), ("29", "31")]


@pytest.fixture(autouse=True)
def precise():
    """Truth has 200 bits here, and here only."""
    with ctx.workprec(200):
        yield


def planar(folder, **changes):
    """A planted arm as a problem, its parameters by least squares, and the numbers of its columns."""
    experiment = load_experiment(write_arm(folder, **changes))
    estimate = tuple(v.nominal for v in experiment.variables)
    problem = experiment.problem(box_centre(replace(experiment, centre="nominal"), estimate))
    return problem, {column.name: number for number, column in enumerate(problem.columns)}


@pytest.mark.parametrize("ends", RANGES)
def test_an_arc_lies_in_its_triangle_and_in_its_rectangle(ends):
    low, high = map(Fraction, ends)
    found = arc(*radians(low, high, "deg"))
    assert found.cosine**2 + found.sine**2 == 1
    (c, s), _, (apex, zero) = ((u[0], v[0]) for u, v in found.corners)
    assert zero == 0 and all(cell[0][0] == c for cell in found.corners[:2])
    for k in range(101):
        angle = (arb(low.numerator) / low.denominator * (100 - k) + arb(high.numerator) / high.denominator * k) / 100
        x, y = (angle * arb.pi() / 180).cos(), (angle * arb.pi() / 180).sin()
        turn = [arb(v.numerator) / arb(v.denominator) for v in (found.cosine, found.sine, c, s, apex)]
        along, across = turn[0] * x + turn[1] * y, turn[0] * y - turn[1] * x
        (least, most), (left, right) = found.rectangle
        assert along >= arb(least.numerator) / arb(least.denominator) and not along > 1
        assert abs(across) <= arb(right.numerator) / arb(right.denominator) and left == -right and most == 1
        assert along >= turn[2]
        assert turn[3] * along + (turn[4] - turn[2]) * abs(across) <= turn[3] * turn[4]


def test_too_wide_an_arc_is_refused():
    with pytest.raises(InputError, match="too wide"):
        arc(*radians(Fraction(-90), Fraction(90), "deg"))


def cube(size, bound):
    axes = [tuple(Fraction(sign * (i == j)) for j in range(size)) for i in range(size) for sign in (1, -1)]
    return [(axis, Fraction(bound)) for axis in axes]


@pytest.mark.parametrize("size", [1, 2, 3])
def test_the_farthest_corner_of_a_cube_is_known(size):
    found = farthest(cube(size, 3))
    assert 9 * size <= found.distance**2 <= 9 * size + Fraction(1, 10**6)
    assert sum(part**2 for part in found.corner) == 9 * size


@pytest.mark.parametrize("seed", range(10))
def test_no_point_of_a_polyhedron_is_beyond_its_farthest_corner(seed):
    chosen = random.Random(seed)
    size = chosen.choice([2, 3])
    halves = cube(size, chosen.randint(1, 5))
    for _ in range(chosen.randint(1, 6)):
        direction = tuple(Fraction(chosen.randint(-1024, 1024), 1024) for _ in range(size))
        halves.append((direction, Fraction(chosen.randint(1, 3000), 1000)))
    found, reached = farthest(halves), Fraction(0)
    for _ in range(400):
        w = [Fraction(chosen.randint(-5000, 5000), 1000) for _ in range(size)]
        share = min((h / (u @ np.array(w)) for u, h in ((np.array(u), h) for u, h in halves) if u @ np.array(w) > 0))
        length = share**2 * sum(part**2 for part in w)
        assert length <= found.distance**2
        reached = max(reached, length)
    assert reached >= Fraction(1, 4) * found.distance**2


def traced(model, unknowns, columns):
    """A problem of one row of a model, its unknowns within 1/10 of where they are in use, and what these are."""
    tape = trace(model, dict.fromkeys(unknowns, ()), dict.fromkeys(columns, ()))
    variables = tuple(Variable(name, "1", v - Fraction(1, 10), v + Fraction(1, 10)) for name, v in unknowns.items())
    table = tuple(Column(name, unit, (Fraction(1),), (Fraction(1),)) for name, unit in columns.items())
    bindings = [Binding(False, k) for k in range(len(variables))] + [Binding(True, k) for k in range(len(table))]
    return Problem(variables, table, (Family("f", tape, 1, tuple(bindings), "mm"),)), tuple(unknowns.values())


def _turned(x, m):
    from certify import cos, radians, sin

    first = radians(m.q) + x.o
    second = first - (m.p + x.o * x.l)
    return x.l * cos(first) * (1 + x.e * sin(second)) + sin(first - m.p) ** 2 / (2 + x.e) - m.read


def _curved(x, m):
    from certify import exp, sqrt

    return sqrt(4 + x.l * m.p) * exp(x.e * m.q) - x.o**3 / x.l - m.read


@pytest.mark.parametrize("model", [_turned, _curved])
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("turned", [True, False])
def test_a_difference_is_what_the_model_says_twice(model, seed, turned):
    """In balls of 300 bits: the tape of the difference, and the model at both parameters."""
    chosen = random.Random(seed)
    at = {"l": Fraction(3), "o": Fraction(1, 5), "e": Fraction(1, 3)}
    problem, x0 = traced(model, at, {"q": "deg", "p": "rad", "read": "mm"})
    q, p = Fraction(chosen.randint(-90, 90)), Fraction(chosen.randint(-100, 100), 100)
    axes = (Axis(0, q - 5, q + 5), Axis(1, p - Fraction(1, 10), p + Fraction(1, 10)))
    deviation = Deviation(problem, problem.families, x0, frozenset(), axes, turned)
    x = tuple(v + Fraction(chosen.randint(-100, 100), 1000) for v in x0)
    local, known = [], ((q, ball(q) * arb.pi() / 180), (p, ball(p)))
    for (value, angle), its in zip(known, deviation.arcs, strict=True):
        local.append(value)
        if its is None:
            local += [0, 0]
        else:
            c, s = ball(its.cosine), ball(its.sine)
            local += [c * angle.cos() + s * angle.sin(), c * angle.sin() - s * angle.cos()]
    (found,) = arb_values(deviation.tape, [*x, *local, 1])
    here, there = (arb_values(problem.families[0].tape, [*point, q, p, 1])[0] for point in (x, x0))
    assert found.overlaps(here - there)
    assert found.rad() < 1e-50 and (here - there).rad() < 1e-50


def test_what_does_not_cancel_is_named():
    def model(x, m):
        return x.l * m.q * m.read - m.read

    problem, x0 = traced(model, {"l": Fraction(3)}, {"q": "1", "read": "mm"})
    with pytest.raises(InputError, match="depends on read"):
        assert Deviation(problem, problem.families, x0, frozenset(), (Axis(0, Fraction(0), Fraction(1)),)).tape


def test_a_joint_that_stands_twice_in_a_product_is_not_affine():
    def model(x, m):
        from certify import cos

        return x.l * cos(m.q) * cos(m.q + x.l) - m.read

    problem, x0 = traced(model, {"l": Fraction(3)}, {"q": "rad", "read": "mm"})
    deviation = Deviation(problem, problem.families, x0, frozenset(), (Axis(0, Fraction(0), Fraction(1)),))
    ((inputs, lists),) = deviation.choices
    assert degree(deviation.tape, frozenset(inputs)) == 2
    assert len(lists) == 1


def asked_of(problem, columns, at, width="10", **changes):
    """Both levels of a planar arm at 0.05 mm and 0.05 mrad, and one box of its workspace."""
    axes = tuple(Axis(columns[name], Fraction(20), 20 + Fraction(width)) for name in ("q1", "q2"))
    levels = levels_of(problem, dict.fromkeys(parts_of(problem), Fraction(1, 20)), at)
    return Asked(at, frozenset(), levels, (Workspace("box 1", axes),), **changes)


def truth_of(problem):
    return np.array([TRUTH[v.name] for v in problem.variables])


def tips(x, q1, q2):
    """Where the tip of the planar arm is (in mm) and how it is turned (in rad)."""
    bx, by, length, second, offset = x
    a1 = np.radians(q1 + offset)
    a2 = a1 + np.radians(q2)
    return np.array(
        [bx + length * np.cos(a1) + second * np.cos(a2), by + length * np.sin(a1) + second * np.sin(a2)]
    ), a2


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(8))
def test_the_truth_of_a_planted_arm_is_never_further_off(seed, tmp_path):
    """The parameters in use are anything near; the planted ones are consistent, so their deviation is bounded."""
    problem, columns = planar(tmp_path, seed=seed, poses=10)
    chosen, truth = np.random.default_rng(seed), truth_of(problem)
    at = tuple(Fraction(f"{v + chosen.uniform(-0.1, 0.1):.4f}") for v in truth)
    answer = accuracy(problem, asked_of(problem, columns, at, str(chosen.integers(1, 30))), options=Options())
    grid = np.linspace(0.0, 1.0, 9)
    for found in answer.guarantees:
        (ends,) = {(a.low, a.high) for a in asked_of(problem, columns, at).workspaces[0].axes}
        width = float(ends[1] - ends[0])
        q1, q2 = np.meshgrid(20 + width * grid, 20 + width * grid)
        (here, a), (there, b) = tips(truth, q1, q2), tips([float(v) for v in at], q1, q2)
        largest = np.linalg.norm(here - there, axis=0).max() if found.name == "position" else 1e3 * abs(a - b).max()
        assert found.upper is not None
        assert largest <= found.upper
        assert found.lower <= found.upper


def test_a_bound_is_near_the_densest_search(tmp_path):
    """What is proved of both sides lies close together, and the witness is as far off as it says."""
    problem, columns = planar(tmp_path)
    at = tuple(v.lower + (v.upper - v.lower) / 2 for v in problem.variables)
    answer = accuracy(problem, asked_of(problem, columns, at), options=Options())
    position = answer.guarantees[0]
    assert position.attained is not None and position.complete
    assert position.lower <= position.upper <= Fraction(13, 10) * position.lower
    for canonical, certificate in (pair for _, pair in position.documents):
        assert check(canonical, certificate).status is Status.VERIFIED
    x = [position.attained.x[v.name] for v in problem.variables]
    (here, _), (there, _) = (
        tips([float(v) for v in point], *map(float, position.attained.points[0])) for point in (x, at)
    )
    assert np.linalg.norm(here - there) >= float(position.lower) - 1e-9


@pytest.mark.thorough
def test_what_is_held_does_not_deviate(tmp_path):
    problem, columns = planar(tmp_path)
    at = tuple(v.lower + (v.upper - v.lower) / 2 for v in problem.variables)
    everything = asked_of(problem, columns, at)
    held = replace(everything, held=frozenset(range(len(problem.variables))))
    _, free = accuracy(problem, everything, options=Options()).guarantees
    _, base = accuracy(problem, replace(everything, held=frozenset([0, 1])), options=Options()).guarantees
    assert base.upper == free.upper > Fraction(1, 100)  # how the tool is turned has nothing to do with x and y
    for found in accuracy(problem, held, options=Options()).guarantees:
        assert found.upper is not None and found.upper < Fraction(1, 10**4)


@pytest.mark.thorough
def test_nothing_stands_without_its_certificates(tmp_path):
    problem, columns = planar(tmp_path)
    at = tuple(v.lower + (v.upper - v.lower) / 2 for v in problem.variables)
    found = accuracy(problem, asked_of(problem, columns, at, "60"), options=Options()).guarantees[0]
    bare = found.standing(())
    assert (bare.upper, bare.total, bare.lower, bare.complete) == (None, None, 0, False)
    coarse = found.standing({found.pieces[0].certificate})
    assert coarse.upper > found.upper and not coarse.complete


@pytest.mark.thorough
def test_the_command_answers_from_file_to_checked_certificates(tmp_path, capsys):
    path = write_arm(tmp_path / "arm")
    words = ["accuracy", str(path), "--joints", "q1 = 10 +- 10 deg, q2 = 0.2 .. 0.5 rad", "--quiet"]
    code = main([*words, "--json", "--out", str(tmp_path / "out")])
    told = json.loads(capsys.readouterr().out)
    assert code == told["exit_code"] == 0
    assert all(told["certificates"].values())
    assert {found["name"] for found in told["guarantees"]} == {"position", "orientation"}
    for found in told["guarantees"]:
        low, high = found["deviation"]
        assert 0 < low <= high < found["with_error"]
    for name in told["certificates"]:
        stem = tmp_path / "out" / name.removesuffix(".cert")
        assert main(["check", f"{stem}.canonical", f"{stem}.cert"]) == 0
    assert json.loads((tmp_path / "out" / "result.json").read_text())["guarantees"] == told["guarantees"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "where does the robot work"),
        (["--joints", "q1 = 10 deg"], "depends on q2"),
        (["--joints", "q9 = 10 deg"], "no column 'q9'"),
        (["--joints", "q1 = 10 +- 5 mm, q2 = 0 deg"], "does not fit a column in deg"),
        (["--joints", "q1 = 20 .. 10 deg, q2 = 0 deg"], "is empty"),
        (["--joints", "q1 = 0 +- 90 deg, q2 = 0 deg"], "too wide"),
        (["--joints", "q1 = 0 deg, q2 = 0 deg", "--hold", "Bx"], "no unknown parameter 'Bx'"),
        (["--joints", "q1 = 0 deg, q2 = 0 deg", "--use", "witness"], "have a witness each"),
        (["--within", "10 deg"], "give both"),
        (["--joints", "q1 = 0 deg, q2 = 0 deg", "--cells", "0"], "not positive"),
        (["--joints", "q1 = 0 deg, q2 = 0 deg", "--epsilon", "0 mm, 0 mrad", "--curve"], "give one of them"),
    ],
)
def test_mistakes_lead_to_the_cure(words, said, tmp_path, capsys):
    path = write_arm(tmp_path)
    assert main(["accuracy", str(path), "--quiet", "--out", str(tmp_path / "out"), *words]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.thorough
def test_configurations_come_from_a_table(tmp_path, capsys):
    path = write_arm(tmp_path / "arm")
    table = tmp_path / "places.csv"
    table.write_text("pose,q1 [deg],q2 [deg]\nhome,0,0\nup,30,-40\n")
    words = ["accuracy", str(path), "--about", str(table), "--within", "2 deg", "--epsilon", "0.1 mm, 0.1 mrad"]
    assert main([*words, "--hold", "B", "--quiet", "--out", str(tmp_path / "out")]) == 0
    text = capsys.readouterr().out
    assert "about home" in text and "about up" in text and "B_x, B_y held at the values in use" in text


@pytest.mark.thorough
def test_a_curve_is_told_point_by_point(tmp_path, capsys):
    path = write_arm(tmp_path / "arm", off=0.5, turned=0.05)
    words = ["accuracy", str(path), "--joints", "q1 = 0 +- 5 deg, q2 = 40 deg", "--use", "blueprint", "--quiet"]
    assert main([*words, "--curve", "--json", "--out", str(tmp_path / "out")]) == 0
    found = json.loads(capsys.readouterr().out)["guarantees"]
    for name in ("position", "orientation"):
        ends = [(one["epsilon"], *one["deviation"]) for one in found if one["name"] == name]
        assert len(ends) == 4
        assert ends == sorted(ends)


def test_what_bounds_a_polyhedron_is_never_left_out():
    """However many other half-spaces come first, and whichever of one direction is the tightest."""
    oblique = [((Fraction(1), Fraction(k, 1024)), Fraction(1, 10)) for k in range(1, 60)]
    axes = [((Fraction(i == 0) * sign, Fraction(i == 1) * sign), Fraction(1)) for i in range(2) for sign in (1, -1)]
    loose = [(direction, Fraction(5)) for direction, _ in axes]
    for halves in ([*oblique, *axes], [*loose, *oblique, *axes], [*axes, *oblique, *loose]):
        assert 2 <= farthest(halves).distance ** 2 < Fraction(201, 100)


def deviation_of(folder, equation, told, heading):
    """That of a link that turns, of which a length or an angle is read."""
    (folder / "poses.csv").write_text(f"pose,q [deg],{heading}\n1,10,3\n2,40,2\n3,70,1\n")
    unit = heading.partition("[")[2].strip("]")
    (folder / "problem.toml").write_text(
        f"""format = "certify-problem-file 1"
title = "A link"
provenance = "simulated: a link"
poses = "poses.csv"
half_widths_are = "bounds"
[model.equations]
tip = "{equation}"
[model.errors]
tip = "{told}"
[model.parameters]
l = "length"
o = "angle"
[model.columns]
q = "angle"
d = "{"length" if unit == "mm" else "angle"}"
[half_widths]
q = "0 deg"
d = "0.1 {unit}"
[box]
centre = "nominal"
[parameters]
l = {{ value = "3 mm", radius = "1 mm" }}
o = {{ value = "0 deg", radius = "5 deg" }}
"""
    )
    experiment = load_experiment(folder / "problem.toml")
    problem = experiment.problem(experiment.nominal)
    numbers = {column.name: number for number, column in enumerate(problem.columns)}
    return Deviation(
        problem, problem.families, experiment.nominal, frozenset(), (Axis(numbers["q"], Fraction(0), Fraction(90)),)
    )


LINK, ANGLE = "l*cos(q + o)", "q + o + l/l"


@pytest.mark.parametrize(
    ("equation", "told", "heading"),
    [
        (f"{LINK} - d", "mm", "d [mm]"),
        (f"d - {LINK}", "mm", "d [mm]"),
        *((f"{ANGLE} - d", told, f"d [{unit}]") for told in ("deg", "rad", "mrad") for unit in ("deg", "rad")),
    ],
)
def test_what_is_read_stands_in_rows_as_it_is(tmp_path, equation, told, heading):
    refuse_multiples(deviation_of(tmp_path, equation, told, heading))


@pytest.mark.parametrize(
    ("equation", "told", "heading", "factor"),
    [
        (f"({LINK} - d)/2", "mm", "d [mm]", "-0.5"),
        (f"2*d - {LINK}", "mm", "d [mm]", "2"),
        (f"(d*d - l*{LINK})/l", "mm", "d [mm]", "2"),
        (f"({ANGLE} - d)*3", "mrad", "d [deg]", "-3"),
        (f"{ANGLE} - sin(d)", "1", "d [deg]", None),
    ],
)
def test_the_deviation_of_a_multiple_is_not_told_as_that_of_what_is_read(tmp_path, equation, told, heading, factor):
    """Of half of the difference half of the deviation was told: at most 0.05 V of a voltage that may be off by 0.1."""
    found = deviation_of(tmp_path, equation, told, heading)
    if factor is None:
        refuse_multiples(found)  # a plain number is no angle: what the model says is told as that
        return
    with pytest.raises(InputError, match=f"changes by {factor} where d changes by 1|depends on d"):
        refuse_multiples(found)


def test_names_of_what_is_added_are_free(tmp_path):
    """A parameter deviation0, a column output1 and an equation output0 were two of a name each."""
    deviation = deviation_of(tmp_path, f"{LINK} - d", "mm", "d [mm]")
    problem = deviation.problem
    named = replace(
        problem,
        variables=tuple(replace(one, name=f"deviation{k}") for k, one in enumerate(problem.variables)),
        columns=tuple(replace(one, name=f"output{k + 1}") for k, one in enumerate(problem.columns)),
        families=(replace(problem.families[0], name="output0"),),
        groups=(),
    )
    outputs = [Output((Fraction(1),), ((Fraction(1),) * 2, (Fraction(0),) * 2)[: len(deviation.local)])] * 2
    made = replace(deviation, problem=named, families=named.families).with_outputs(named, outputs, Fraction(1))
    for items in (made.variables, made.columns, made.families):
        assert len({one.name for one in items}) == len(items)
