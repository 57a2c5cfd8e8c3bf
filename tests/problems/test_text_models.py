"""The `[model]` of a problem file: read, checked, written again, and every mistake named."""

import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from certify.__main__ import main
from certify.contractors.tape.evaluation import evaluate
from certify.problems.errors import InputError
from certify.problems.experiments.experiment import box_centre
from certify.problems.experiments.toml_reader import load_experiment, read_kind, write_experiment
from certify.problems.formulas.grammar import parse_formula
from certify.problems.formulas.meaning import FLOATS
from certify.problems.formulas.meaning import evaluate as value_of
from certify.problems.model.canonical import canonical_bytes
from certify.problems.robots.kind import find_kind
from certify.problems.simulation.platform import find_platform, platform_names, simulate_platform
from certify.problems.simulation.unmodelled_error import unmodelled_error

RADII = '{ k = "0.01 1", a = ["5 mm", "0 mm"], l = "1 mm", turn = "0 deg" }'
PROBLEM = """format = "certify-problem-file 1"
title = "Two cables"
provenance = "simulated: by hand"
poses = "poses.csv"

[model]
equation = "norm(P - a - arm) - k*(L + l)"
[model.parameters]
a = "length x y"
l = "length"
turn = "angle"
[model.common]
k = "number"
[model.columns]
x = "length"
y = "length"
[model.leg_columns]
L = "length"
[model.constants]
radius = "50 mm"
[model.definitions]
P = "[x, y]"
arm = "rotation(turn)*[radius, 0]"

[half_widths]
x = "0.1 mm"
y = "0.1 mm"
L1 = "0.1 mm"
L2 = "0.1 mm"

[box]
centre = "nominal"
radius = RADII

[common]
k = "1 1"
[legs.leg1]
a = ["-1 m", "0 mm"]
l = "0 mm"
turn = "30 deg"
[legs.leg2]
a = ["1 m", "0 mm"]
l = "0 mm"
turn = "150 deg"
""".replace("RADII", RADII)
TABLE = """pose,x [mm],y [mm],L1 [mm],L2 [mm]
1,0,500,1088,1075
2,100,600,1210,1060
"""
UNKNOWN = PROBLEM.replace('[model.columns]\nx = "length"', '[model.pose_unknowns]\nx = "length"\n[model.columns]')


@pytest.fixture
def load(tmp_path):
    def loader(problem=PROBLEM, table=TABLE):
        (tmp_path / "problem.toml").write_text(problem, encoding="utf-8")
        (tmp_path / "poses.csv").write_text(table, encoding="utf-8")
        return load_experiment(tmp_path / "problem.toml")

    return loader


def test_a_model_of_ones_own(load):
    experiment = load()
    assert [v.name for v in experiment.variables] == ["robot.k", "leg1.a_x", "leg1.l", "leg2.a_x", "leg2.l"]
    assert [(v.unit, v.radius) for v in experiment.variables[:3]] == [("1", Fraction(1, 100)), ("mm", 5), ("mm", 1)]
    assert [c.name for c in experiment.columns] == ["x", "y", "L1", "L2"]
    problem = experiment.problem(experiment.nominal)
    assert [(f.name, f.rows, f.unit, len(f.bindings)) for f in problem.families] == [
        ("leg1", 2, "mm", 6),
        ("leg2", 2, "mm", 6),
    ]
    assert problem.families[0].tape != problem.families[1].tape  # what is known exactly is in the tape
    assert canonical_bytes(problem).startswith(
        b"certify-problem 2\nvariables 5\nrobot.k 1 99/100 101/100\nleg1.a_x mm -1005 -995\n"
    )
    point = np.array([1.0, -1000.0, 0.0, 0.0, 500.0, 1000.0])[:, None]
    enclosure = evaluate(problem.families[0].tape, point, point)
    expected = np.hypot(1000 - 50 * np.cos(np.pi / 6), 500 - 25) - 1000
    assert enclosure.lower[0, 0] <= expected + 1e-9
    assert enclosure.upper[0, 0] >= expected - 1e-9
    assert enclosure.upper[0, 0] - enclosure.lower[0, 0] < 1e-9


def test_what_is_unknown_of_a_pose_has_variables_of_its_own(load):
    experiment = load(UNKNOWN)
    names = [v.name for v in experiment.variables]
    assert names == ["robot.k", "leg1.a_x", "leg1.l", "leg2.a_x", "leg2.l", "pose1.x", "pose2.x"]
    problem = experiment.problem(box_centre(experiment, experiment.nominal))
    assert [(f.name, f.rows) for f in problem.families] == [
        ("leg1.pose1", 1),
        ("leg1.pose2", 1),
        ("leg2.pose1", 1),
        ("leg2.pose2", 1),
    ]
    last = problem.families[-1]
    assert [names[b.index] for b in last.bindings if not b.measured] == ["robot.k", "leg2.a_x", "leg2.l", "pose2.x"]
    assert [problem.columns[b.index].name for b in last.bindings if b.measured] == ["y.pose2", "L2.pose2"]
    assert (problem.variables[6].lower, problem.variables[6].upper) == (Fraction("99.9"), Fraction("100.1"))
    assert problem.columns[1].lower == (Fraction("599.9"),)
    assert len(experiment.fitted_problem().families) == 6


@pytest.mark.parametrize("text", [PROBLEM, UNKNOWN])
def test_writing_and_reading_gives_the_same_experiment(load, tmp_path, text):
    experiment = load(text)
    assert load_experiment(write_experiment(tmp_path / "again", experiment)) == experiment
    centre = (
        tuple(value + Fraction(1, 8) for value in experiment.nominal[: experiment.parameters])
        + experiment.nominal[experiment.parameters :]
    )
    moved = load_experiment(write_experiment(tmp_path / "moved", experiment, centre))
    assert box_centre(moved, ()) == centre
    assert canonical_bytes(moved.problem(centre)) == canonical_bytes(experiment.problem(centre))


def test_the_shipped_kinds_can_be_written_as_models():
    """The tape of the text has the operations of the Python function, up to their order."""
    kind, text = find_kind("gough", "test"), find_platform("gough_wide").kind
    assert (kind.variable_names, tuple(kind.columns)) == (text.variable_names, tuple(text.columns))
    units = dict.fromkeys(["a", "b", "l", "x", "y", "z", "L"], "mm") | dict.fromkeys(["alpha", "beta", "gamma"], "deg")
    random = np.random.default_rng(3)
    for _ in range(20):
        parameters, measured = random.uniform(-300, 300, 7), random.uniform(-200, 200, 7)
        assert text.residual(parameters, measured, units) == pytest.approx(
            kind.residual(parameters, measured, units), abs=1e-9
        )
    assert abs(len(text.tape(units).steps) - len(kind.tape(units).steps)) <= 3
    assert text.conventions[0] == "model of a leg: norm(P + R*b - a) - (L + l) = 0"


FORMULAS = {
    "1 + 2*3 - 4/8": 6.5,
    "-2^2 + (-2)^2": 0,
    "2^-1": 0.5,
    "norm([3, 4]) + sqr(2) + sqrt(16)": 13,
    "dot([1, 2, 3], [4, 5, 6])": 32,
    "cross([1, 0, 0], [0, 1, 0]).z": 1,
    "cross([1, 2, 3], [4, 5, 6])[2]": 6,
    "(Rz(pi/2)*[1, 0, 0])[2]": 1,
    "(Rx(pi/2)*[0, 1, 0]).z": 1,
    "(Ry(pi/2)*[0, 0, 1]).x": 1,
    "Rz(pi/6)[1, 2]": -0.5,
    "transpose(Rz(pi/6))[1, 2]": 0.5,
    "(rotation(pi/2)*[1, 0]).y": 1,
    "(rotation_xyz(1, 2, 3) - Rx(1)*Ry(2)*Rz(3))[3, 2]": 0,
    "2*[1, 2][2] - + -.5e1": 9,
    "sin(pi/6) + cos(0)": 1.5,
    "-[1, 2].y": -2,
    "exp(0) + log(exp(2))": 3,
    "tan(pi/4) + 4*atan(1)/pi + 2*asin(1)/pi + acos(cos(1))": 4,
    "asinh(sinh(3)) + acosh(cosh(2)) + atanh(tanh(1))": 6,
}


@pytest.mark.parametrize("text", FORMULAS)
def test_formulas(text):
    assert float(value_of(parse_formula(text, "here"), {}, FLOATS, "here")) == pytest.approx(FORMULAS[text], abs=1e-12)


MISTAKES = {
    "unknown name": ("norm(P - a", "norm(Q - a", "model.equation, column 6: there is no 'Q'; known are"),
    "unknown function": ("norm(P", "length(P", "model.equation, column 1: there is no function 'length'; "),
    "too many values": ("norm(P - a - arm)", "norm(P, a)", "model.equation, column 1: norm takes 1 values, here are 2"),
    "too few values": (
        "rotation(turn)",
        "rotation_xyz(turn)",
        "model.definitions.arm, column 1: rotation_xyz takes 3 values, here are 1",
    ),
    "shapes": ("P - a - arm", "P - l", "model.equation, column 8: -: a vector of 2 and a number do not go together"),
    "wrong matrix": (
        "rotation(turn)*",
        "Rz(turn)*",
        "model.definitions.arm, column 9: *: a 3 by 3 matrix and a vector of 2 cannot be multiplied",
    ),
    "product of vectors": ("- k*", "- P*a*k*", "column 22: *: two vectors are multiplied by dot(u, v) or cross(u, v)"),
    "angle plus length": (
        "(L + l)",
        "(L + turn)",
        "column 26: +: a length and a plain number (as angles are) cannot be added or subtracted",
    ),
    "sine of a length": ("(L + l)", "(L + l)*cos(l)", "column 31: cos: the angle is a length; an angle is needed"),
    "exponential of a length": (
        "(L + l)",
        "(L + l)*exp(l)",
        "column 31: exp: its value is a length; a plain number is needed, such as a quotient",
    ),
    "number without a unit": ("(L + l)", "(L + l + 3)", "give a number its unit under [model.constants]"),
    "a vector for an equation": (
        "norm(P - a - arm) - k*(L + l)",
        "P - a - arm",
        "model.equation comes to a vector of 2; the equation of a leg is one number",
    ),
    "no component": (
        "[x, y]",
        "[x, y][3]*[x, y]",
        "model.definitions.P, column 7: component 3 is asked of a vector of 2; they are counted from 1",
    ),
    "component 0": ("[x, y]", "[x, y][0]*[x, y]", "component 0 is asked of a vector of 2; they are counted from 1"),
    "odd component": ("[x, y]", "[x, y].w*[x, y]", "column 8: behind '.' write x, y or z"),
    "two stars": ("k*(L + l)", "k*(L + l)**2", "column 30: '**' is written '^' here, as in x^2"),
    "not a whole exponent": (
        "k*(L + l)",
        "k*(L + l)^l",
        "column 31: an exponent such as 2 is needed here, a whole number in digits, not 'l'",
    ),
    "large exponent": ("k*(L + l)", "k*(L + l)^99", "^: the exponent 99 is larger than 64"),
    "open bracket": ("(L + l)", "(L + l", "column 29: ')' is needed here (or an operator), not the end of the formula"),
    "two brackets": (
        "(L + l)",
        "(L + l) (l)",
        "column 31: '(' stands where the formula could end; is an operator missing before it?",
    ),
    "nothing": ("(L + l)", "", "column 23: the formula ends where a number, a name or a bracket is needed"),
    "odd character": ("(L + l)", "(L & l)", "model.equation, column 26: '&' means nothing in a formula; remove it"),
    "double operator": ("(L + l)", "(L * / l)", "column 28: '/' stands where a number, a name or a bracket is needed"),
    "vector in round brackets": (
        "[radius, 0]",
        "(radius, 0)",
        "these brackets hold several values; a vector is written [a, b, c]",
    ),
    "deep": (
        "(L + l)",
        "(" * 50 + "L + l" + ")" * 50,
        "more than 40 brackets are open; move parts of the formula to [model.definitions]",
    ),
    "long": ("(L + l)", "(L + l)" + " + l" * 1000, "write a formula in quotes, at most 4000 characters"),
    "equation of zeros": (
        "norm(P - a - arm) - k*(L + l)",
        "0*l",
        "model.equation is always 0, so it says nothing; write what must vanish",
    ),
    "division by zero": ("k*(L + l)", "k*(L + l)/0", "/: this divides by zero"),
    "no equation": (
        'equation = "norm(P - a - arm) - k*(L + l)"\n',
        "",
        "problem.toml: model.equation is missing; add it",
    ),
    "no text": ('"norm(P - a - arm) - k*(L + l)"', "7", "model.equation is 7; write a formula in quotes"),
    "unused parameter": (
        "k*(L + l)",
        "k*L",
        "model.l is declared, but the equation does not use it; use it or remove it",
    ),
    "unused definition": (
        "P - a - arm",
        "[x, y] - a - arm",
        "model.definitions.P is used nowhere; use it or remove it",
    ),
    "kind, too": (
        "[model]\n",
        'kind = "gough"\n[model]\n',
        "problem.toml: kind and [model] are both given; remove one of them",
    ),
    "unknown table": ("[model.common]", "[model.comon]", "model.comon is not known here; did you mean 'common'?"),
    "no dimension": (
        'l = "length"',
        'l = "mm"',
        "model.parameters.l is 'mm'; that is a unit of 'length', write what it is: 'length'",
    ),
    "component twice": (
        '"length x y"',
        '"length x x"',
        "model.parameters.a: 'x' cannot name a component; write different short names",
    ),
    "vector of the table": (
        'x = "length"\ny',
        'x = "length a b"\ny',
        "model.columns.x: a column of the table is one number",
    ),
    "name twice": (
        'L = "length"',
        'L = "length"\na = "length"',
        "model.leg_columns.a: there is a a under [model.parameters] already",
    ),
    "reserved name": (
        'L = "length"',
        'norm = "length"',
        "model.leg_columns.norm: norm has a meaning of its own already; choose another name",
    ),
    "odd name": (
        'L = "length"',
        '"L 1" = "length"',
        "model.leg_columns.'L 1' is no name for a formula; write a letter, then",
    ),
    "unit of a constant": ('"50 mm"', '"50"', "model.constants.radius: '50' has no unit that is known"),
    "constant": ('"50 mm"', '"fifty mm"', "model.constants.radius: 'fifty' is not a decimal number"),
    "no common table": ('[common]\nk = "1 1"\n', "", "problem.toml: common is missing; add it"),
    "no radius": (', turn = "0 deg"', "", "box.radius.turn is missing; add it"),
    "one radius": (RADII, '"1 mm"', "box.radius is one value, but k is a plain number"),
    "unit of a radius": (
        'turn = "0 deg"',
        'turn = "1 rad"',
        "box.radius.turn is in rad, leg1.turn in deg, with no exact factor between",
    ),
    "radius of a component": ('["5 mm", "0 mm"]', '["5 mm"]', "box.radius.a is a list; write a list of 2 lengths"),
    "negative radius": ('l = "1 mm"', 'l = "-1 mm"', "box.radius.l is -1.0 mm, which is negative"),
    "unit of a blueprint": (
        '"30 deg"',
        '"0.5 rad"',
        "leg2.turn is in deg, other numbers of turn in rad; use one unit for all",
    ),
    "odd leg": ("legs.leg2", "legs.two", "legs.two is not known here; known are 'leg1', 'leg2'"),
    "missing column": (
        'y = "length"',
        'y = "length"\nz = "length"',
        "model.z is declared, but the equation does not use it",
    ),
    "nothing free": (
        RADII,
        '{ k = "0 1", a = "0 mm", l = "0 mm", turn = "0 deg" }',
        "every parameter is known exactly (radius 0), so nothing is unknown; give one of them a radius",
    ),
}


@pytest.mark.parametrize("case", MISTAKES)
def test_every_mistake_is_named(load, case):
    old, new, message = MISTAKES[case]
    assert old in PROBLEM
    with pytest.raises(InputError) as caught:
        load(PROBLEM.replace(old, new, 1))
    assert message in str(caught.value)
    assert str(caught.value).startswith("problem /")


def test_functions_of_numbers_are_stated_in_a_certificate(load):
    experiment = load(PROBLEM.replace("k*(L + l)", "k*(L + l)*exp(turn)*log(k + l/radius)/cosh(atan(k))"))
    text = canonical_bytes(experiment.problem(box_centre(experiment, ()))).decode()
    assert all(f"\n{code} " in text for code in ("exp", "log", "atan")) and "cosh" not in text


def test_a_power_means_the_same_in_both_ways_of_writing_it(load):
    """pow(x, 3) is x^3, also where x is negative."""
    texts = []
    for written in ("pow(k - 2, 3)", "(k - 2)^3"):
        experiment = load(PROBLEM.replace("k*(L + l)", f"abs(L + l)*{written}"))
        texts.append(canonical_bytes(experiment.problem(box_centre(experiment, ()))))
    assert texts[0] == texts[1]


def test_a_centre_keeps_what_is_known_exactly(load):
    centre = '\n[centre.common]\nk = "1.01 1"\n' + "".join(
        f'[centre.leg{i}]\na = ["{x} mm", "{y} mm"]\nl = "0.5 mm"\nturn = "{turn} deg"\n'
        for i, x, y, turn in ((1, -999, 0, 30), (2, 1001, 0, 150))
    )
    experiment = load(PROBLEM.replace('"nominal"', '"given"') + centre)
    assert box_centre(experiment, ()) == (Fraction("1.01"), -999, Fraction("0.5"), 1001, Fraction("0.5"))
    with pytest.raises(
        InputError,
        match=re.escape("centre.leg2.a_y is not the blueprint's value, but its radius 0 says that this is exact"),
    ):
        load(PROBLEM.replace('"nominal"', '"given"') + centre.replace('"1001 mm", "0 mm"', '"1001 mm", "1 mm"'))
    with pytest.raises(
        InputError, match=re.escape("centre.leg1.turn is in rad, its blueprint value in deg; use one unit")
    ):
        load(PROBLEM.replace('"nominal"', '"given"') + centre.replace("30 deg", "30 rad"))


def test_the_model_is_told_without_its_table(load, tmp_path):
    load()
    (tmp_path / "poses.csv").unlink()
    assert read_kind(tmp_path / "problem.toml").conventions[0] == "model of a leg: norm(P - a - arm) - k*(L + l) = 0"


PIECES = ["", "(", ")", "[", "]", "*", "^", ".", ",", "1", "P", "^9", "a[1]", "\u00e9", "--"]


@given(place=st.floats(0, 1), cut=st.integers(0, 6), piece=st.sampled_from(PIECES))
def test_damaged_formulas_are_read_or_refused_and_nothing_else(place, cut, piece):
    text = "norm(Rz(turn)*[P.x, l, 0] - 2*a^2*[1, 0, 1e3]) - sqrt(k/3)*(L + l)"
    start = int(place * len(text))
    values = {"P": np.array([1.0, 2.0, 3.0]), "turn": 0.5, "l": 1.0, "a": 2.0, "k": 3.0, "L": 4.0}
    try:
        value_of(parse_formula(text[:start] + piece + text[start + cut :], "here"), values, FLOATS, "here")
    except InputError as error:
        assert str(error).startswith("here")


@pytest.mark.every_case
@pytest.mark.parametrize("name", platform_names())
def test_platforms_say_that_they_are_simulated_and_hold_their_truth(tmp_path, name):
    simulated = simulate_platform(find_platform(name), unmodelled_error("none"), 1)
    experiment = simulated.experiment
    assert load_experiment(write_experiment(tmp_path, experiment)) == experiment
    assert experiment.provenance.startswith("simulated: ")
    assert "invented dimensions" in experiment.provenance
    assert max(simulated.planted_epsilon) < 1e-10
    for column in (*experiment.columns, *experiment.pose_columns):
        truth = simulated.truth.measurements[column.name]
        assert all(low <= value <= high for low, value, high in zip(column.lower, truth, column.upper, strict=True))
    for parameter, value in zip(experiment.blueprint, simulated.truth.parameters, strict=True):
        assert abs(value - parameter.nominal) <= parameter.radius


def test_platforms_are_simulated_from_the_command_line(tmp_path, capsys):
    assert main(["simulate", "--robot", "delta", "--error", "outlier", "--size", "2 mm", "--out", str(tmp_path)]) == 0
    assert load_experiment(tmp_path / "problem.toml").title == "Delta robot, 40 poses"
    assert main(["simulate", "--robot", "delta", "--error", "joints", "--out", str(tmp_path)]) == 2
    assert "no error joints; choose none, backlash or outlier" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arm", ["radius*(rotation(turn)*[1, 0])", "(1*rotation(turn))*[radius, 0]", "(rotation(turn)*[1, 0])*radius"]
)
def test_a_number_times_an_array(load, arm):
    """On either side, for the check of dimensions and for the tape."""
    experiment = load(PROBLEM.replace("rotation(turn)*[radius, 0]", arm))
    point = np.array([1.0, -1000.0, 0.0, 0.0, 500.0, 1000.0])[:, None]
    enclosure = evaluate(experiment.families[0].tape, point, point)
    expected = np.hypot(1000 - 50 * np.cos(np.pi / 6), 500 - 25) - 1000
    assert enclosure.lower[0, 0] - 1e-9 <= expected <= enclosure.upper[0, 0] + 1e-9


def test_two_numbers_of_one_name(load):
    """The component x of a and a parameter a_x are two unknowns."""
    text = PROBLEM.replace('l = "length"\n', 'a_x = "length"\n').replace("(L + l)", "(L + a_x)")
    with pytest.raises(InputError, match="two unknown numbers would be called a_x"):
        load(text)
