"""The schema of problem files knows what the reader knows: it takes what that takes, and its keys are the reader's."""

import json
import tomllib
from pathlib import Path

import planted_poses
import planted_text_arms
import pytest

from certify.__main__ import main
from certify.problems.errors import InputError
from certify.problems.experiments.shipped import shipped
from certify.problems.experiments.toml_reader import load_experiment
from certify.problems.problem_schema import problem_schema

jsonschema = pytest.importorskip("jsonschema")
ROBOTS = ("table_of_stewart", "delta", "planar_3rpr", "cable_robot_unknown_poses", "par4")


def valid(path):
    validator = jsonschema.Draft7Validator(problem_schema())
    return not list(validator.iter_errors(tomllib.loads(Path(path).read_text())))


def test_it_is_a_schema_and_a_command_prints_it(capsys):
    jsonschema.Draft7Validator.check_schema(problem_schema())
    assert main(["inspect", "--schema"]) == 0
    assert json.loads(capsys.readouterr().out) == problem_schema()


@pytest.mark.parametrize("robot", ROBOTS)
def test_it_takes_what_simulate_writes(robot, tmp_path):
    assert main(["simulate", "--robot", robot, "--out", str(tmp_path), "--quiet"]) == 0
    assert valid(tmp_path / "problem.toml")


def test_it_takes_arms_and_what_is_shipped(tmp_path):
    assert valid(shipped("table_of_stewart"))
    assert valid(planted_poses.write_arm(tmp_path / "poses", ratio='ratio = "2 mm per mrad"\n'))
    design = planted_text_arms.shapes(3, 3)
    (tmp_path / "arm.toml").write_text(planted_text_arms.problem_text(design))
    assert valid(tmp_path / "arm.toml")


MISTAKES = {
    "a mistyped key": ('title = "', 'titel = "'),
    "no unit": ('radius = "', 'radius = "3"\nradius_of = "'),
    "an unknown unit": (' mm"', ' yard"'),
    "a wrong format": ("certify-problem-file 1", "certify-problem-file 9"),
    "a wrong centre": ('centre = "', 'centre = "x'),
    "no provenance": ('provenance = "simulated: ', 'provenance = "'),
    "a mistyped section": ("[half_widths]", "[halfwidths]"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_what_it_refuses_the_reader_refuses(name, tmp_path):
    path = tmp_path / "problem.toml"
    source = shipped("table_of_stewart")
    before, after = MISTAKES[name]
    text = Path(source).read_text()
    assert before in text
    path.write_text(text.replace(before, after, 1))
    (tmp_path / "poses.csv").write_bytes((Path(source).parent / "poses.csv").read_bytes())
    assert not valid(path)
    with pytest.raises(InputError):
        load_experiment(path)
