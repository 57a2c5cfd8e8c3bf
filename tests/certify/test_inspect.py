"""What was understood of a problem file is told before anything long begins, with the pose that is wrong."""

import json

import planted_text_arms
import pytest

from certify.__main__ import main


@pytest.fixture
def arm(tmp_path):
    """An arm with one place that is 6 mm off, and one line of the table twice."""
    design = planted_text_arms.shapes(3, 3)
    true = planted_text_arms.truth_of(design, 3)
    angles = planted_text_arms.poses_of(true, 20, 3)
    angles[12] = angles[11]
    places = true.places(angles)
    places[7, 2] += 6.0
    return planted_text_arms.write_arm(tmp_path, planted_text_arms.problem_text(design), angles, places)


def test_the_wrong_pose_is_named_first(arm, capsys):
    assert main(["inspect", str(arm), "--json", "--quiet"]) == 0
    told = json.loads(capsys.readouterr().out)
    worst = told["estimated_misses"][0]
    assert worst["row"] == "pose P8 of position.z"
    assert abs(worst["by"]) > 3
    columns = {column["column"]: column for column in told["columns"]}
    assert columns["x"]["half-widths"] == "0.1"
    assert columns["x"]["what they are"] == "bounds"
    assert columns["q1"]["what they are"] == "known exactly"
    assert columns["q1"]["entries"] == "20"
    assert columns["q1"]["different values"] == "19"
    parameters = {parameter["parameter"]: parameter["radius"] for parameter in told["parameters"]}
    assert (parameters["B_x"], parameters["a_1"], parameters["o_2"]) == ("200", "known exactly", "2")
    assert any("poses P12 and P13 are the same in every column" in note for note in told["notes"])


def test_it_is_told_in_tables(arm, capsys):
    assert main(["inspect", str(arm), "--quiet"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Arm with 3 joints"
    assert [line for line in lines if line.split()[:3] == ["position", "pose", "P8"]]
    assert not [line for line in lines if "proved" in line]


def test_what_is_no_problem_file_is_refused(tmp_path, capsys):
    assert main(["inspect", str(tmp_path)]) == 2
    assert "name the problem.toml in it" in capsys.readouterr().err
