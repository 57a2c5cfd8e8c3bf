"""Robots without legs in problem files: read, written again, what each component depends on, and every mistake."""

from fractions import Fraction

import numpy as np
import pytest
from planted_poses import ARM, RATIO, TRUTH, write_arm

from certify.contractors.tape.evaluation import evaluate
from certify.problems.errors import InputError
from certify.problems.experiments.toml_reader import load_experiment, write_experiment


def test_an_arm_is_read(tmp_path):
    experiment = load_experiment(write_arm(tmp_path))
    assert [(v.name, v.unit, v.radius) for v in experiment.variables] == [
        ("B_x", "mm", 2),
        ("B_y", "mm", 2),
        ("l", "mm", 1),
        ("m", "mm", 1),
        ("o_1", "deg", Fraction(1, 2)),
    ]
    problem = experiment.problem(experiment.nominal)
    assert [(g.name, g.families) for g in problem.groups] == [
        ("position", ("position.x", "position.y")),
        ("orientation", ("orientation",)),
    ]
    read = {
        f.name: [(problem.columns if b.measured else problem.variables)[b.index].name for b in f.bindings]
        for f in problem.families
    }
    assert read == {  # what a component does not depend on is none of it: orientation knows no length, x no y
        "position.x": ["B_x", "l", "m", "o_1", "q1", "q2", "x"],
        "position.y": ["B_y", "l", "m", "o_1", "q1", "q2", "y"],
        "orientation": ["o_1", "q1", "q2", "theta"],
    }
    assert [f.unit for f in problem.families] == ["mm", "mm", "mrad"]


def test_components_are_what_the_formulas_say(tmp_path):
    experiment = load_experiment(write_arm(tmp_path, off=0.0, turned=0.0, ratio=RATIO))
    problem = experiment.problem(experiment.nominal)
    values = {}
    for family in problem.families:
        inputs = np.array(
            [
                [float(low) for low in problem.columns[b.index].lower]
                if b.measured
                else [TRUTH[problem.variables[b.index].name]] * family.rows
                for b in family.bindings
            ]
        )
        enclosure = evaluate(family.tape, inputs, inputs)
        values[family.name] = 0.5 * (enclosure.lower[0] + enclosure.upper[0])
    # the lower ends are 0.05 mm and 0.005 degrees below what was written, which is rounded to 3 and 5 places
    assert np.abs(values["position.x"] - 0.05).max() < 6e-4
    assert np.abs(values["orientation"] - np.radians(0.005) * 1000).max() < 2e-4
    assert np.allclose(values["pose.position.y"], values["position.y"], atol=1e-12)
    assert np.allclose(values["pose.orientation"], 2 * values["orientation"], atol=1e-9)


@pytest.mark.parametrize("ratio", ["", RATIO, 'ratio = "12.5 mm per deg"', 'ratio = "1 m per rad"'])
@pytest.mark.parametrize("centre", ["nominal", "least squares", "given"])
def test_what_is_written_is_read_again(tmp_path, ratio, centre):
    experiment = load_experiment(write_arm(tmp_path, ratio=ratio))
    given = tuple(value + Fraction(1, 3125) for value in experiment.nominal)
    path = write_experiment(tmp_path / "again", experiment, given if centre == "given" else centre)
    again = load_experiment(path)
    assert again.problem(given) == experiment.problem(given)
    assert (again.blueprint, again.kind) == (experiment.blueprint, experiment.kind)
    assert again.centre == (experiment.blueprint_at(given) if centre == "given" else centre)
    assert write_experiment(tmp_path / "twice", again, None).read_text() == path.read_text()


def test_one_equation_may_be_a_number_or_a_vector(tmp_path):
    path = write_arm(tmp_path)
    text = ARM.replace("RATIO", "")
    start, end = text.index("[model.equations]"), text.index("[model.parameters]")
    vector = 'equation = "B + [l*cos(a1) + m*cos(a2), l*sin(a1) + m*sin(a2)] - [x, y + 0*theta*x]"'
    path.write_text(f"{text[:start]}[model]\n{vector}\n{text[end:]}")
    experiment = load_experiment(path)
    assert [f.name for f in experiment.families] == ["model.x", "model.y"]
    written = write_experiment(tmp_path / "again", experiment)
    assert load_experiment(written) == experiment
    number = 'equation = "norm(B + [l*cos(a1) + m*cos(a2), l*sin(a1) + m*sin(a2)] - [x, y + 0*theta*x])"'
    path.write_text(f"{text[:start]}[model]\n{number}\n{text[end:]}")
    assert [(f.name, f.unit) for f in load_experiment(path).families] == [("model", "mm")]


MISTAKES = [
    ('orientation = "mrad"', 'orientation = "mm"', "equations.orientation comes to 1, its error is told in mm"),
    ('orientation = "mrad"', 'orientation = "grad"', "write the unit in which the error is told"),
    ('orientation = "mrad"', 'position = "mm x y z"', "names 3 components, .* comes to a vector of 2; name each once"),
    ('orientation = "mrad"', 'turning = "mrad"', "there is no such equation; known are 'position', 'orientation'"),
    ("a2 - theta", "[a2 - theta, x]", "components have different dimensions .*; part them into equations"),
    ("a2 - theta", "theta - q1 - q2", "orientation depends on no unknown"),
    ("[x, y]", "[x]", "a vector of 2 and a vector of 1 do not go together"),
    ("a2 - theta", "a2 - tau", "there is no 'tau'"),
    ("orientation =", "platform =", "platform has a meaning of its own"),
    ('theta = "angle"', 'theta = "angle"\nspare = "angle"', "spare is declared"),
    ('radius = ["0.5 deg", "0 deg"]', 'radius = ["0.5 deg"]', "o.radius is a list; write a list of 2 angles"),
    ('radius = ["0.5 deg", "0 deg"]', 'radius = "0.5 mm"', "has unit mm, an angle"),
    ('radius = ["0.5 deg", "0 deg"]', 'radius = "0.5 rad"', "o.radius is in rad, .*o.value in deg"),
    ('radius = ["0.5 deg", "0 deg"]', 'radius = "-1 deg"', "negative"),
    (', radius = "2 mm"', "", "B.radius is missing"),
    ('l = { value = "400 mm", radius = "1 mm" }', 'l = "400 mm"', "parameters.l is '400 mm', not a table"),
    ('l = { value = "400 mm", radius = "1 mm" }\n', "", "parameters.l is missing"),
    ('centre = "nominal"', 'centre = "nominal"\nradius = "1 mm"', "box.radius is not known here"),
    ("RATIO", 'ratio = "2 mrad per mm"', "2 mrad"),
    ("RATIO", 'ratio = "2 mm"', "write how many mm count as much as one angle"),
    ("RATIO", 'ratio = "-2 mm per deg"', "write a positive length"),
    ("[parameters]", "[legs.leg1]", "equations is not known here"),
    ("[model.columns]", '[model.leg_columns]\nL = "length"\n[model.columns]', "belongs to a robot with legs"),
]


@pytest.mark.parametrize(("old", "new", "message"), MISTAKES)
def test_every_mistake_is_named(tmp_path, old, new, message):
    path = write_arm(tmp_path)
    assert old in ARM
    path.write_text(ARM.replace(old, new, 1).replace("RATIO", ""))
    with pytest.raises(InputError, match=message):
        load_experiment(path)


def test_lengths_and_angles_are_needed_for_a_ratio(tmp_path):
    path = write_arm(tmp_path, ratio=RATIO)
    path.write_text(path.read_text().replace('[model.errors]\norientation = "mrad"\n', ""))
    with pytest.raises(InputError, match="compares lengths with angles, but the model has position in mm, orientation"):
        load_experiment(path)
