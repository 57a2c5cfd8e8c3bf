"""Poses kept apart: what is found does not know them, and what it needs there is what independent arithmetic says."""

import json
from math import cos, hypot, radians, sin

import pytest
from planted_poses import RATIO, write_arm

from certify.__main__ import main
from certify.problems.errors import InputError
from certify.problems.experiments.toml_reader import load_experiment
from certify.runs.experiment_options import poses_apart

HALF = 0.05


def run(path, folder, *options):
    code = main(["run", str(path), "--out", str(folder), "--workers", "1", "--gap", "1e-3", "--quiet", *options])
    return code, json.loads((folder / "result.json").read_text())


def table(path):
    heading, *lines = [line.split(",") for line in path.read_text().splitlines() if not line.startswith("#")]
    return {line[0]: dict(zip(heading, line, strict=True)) for line in lines}


def errors(values, poses, distance):
    """What each pose needs: both coordinates of the tip, as far as they are outside their intervals."""
    found = {}
    for name, row in poses.items():
        first = radians(float(row["q1 [deg]"]) + values["o_1"])
        second = first + radians(float(row["q2 [deg]"]))
        x = values["B_x"] + values["l"] * cos(first) + values["m"] * cos(second) - float(row["x [mm]"])
        y = values["B_y"] + values["l"] * sin(first) + values["m"] * sin(second) - float(row["y [mm]"])
        beyond = [max(abs(v) - HALF, 0.0) for v in (x, y)]
        found[name] = hypot(*beyond) if distance else max(beyond)
    return found


@pytest.mark.parametrize("distance", [False, True])
def test_what_is_needed_elsewhere_is_what_arithmetic_says(tmp_path, capsys, distance):
    path = write_arm(tmp_path, poses=13, off=0.2)
    if distance:
        path.write_text(path.read_text().replace("[model.errors]\n", '[model.errors]\nposition = "mm distance"\n'))
    every = table(tmp_path / "poses.csv")
    code, told = run(path, tmp_path / "out", "--keep-apart", "poses P11, P3,P5")
    text = capsys.readouterr().out
    assert code == 0
    assert "3 poses are kept apart for validation; all but that is about the other ones." in text
    assert list(table(tmp_path / "out" / "poses.csv")) == [name for name in every if name not in ("P3", "P5", "P11")]
    found = {(part["of"], part["parameters"]): part for part in told["validation"]}
    assert len(found) == 4
    parameters = table(tmp_path / "out" / "parameters.csv")
    for which in ("least squares", "witness"):
        part = found["position", which]
        values = {name: float(row[f"{which} position"]) for name, row in parameters.items()}
        exact = errors(values, {name: every[name] for name in ("P3", "P5", "P11")}, distance)
        assert part["verified"]
        assert part["epsilon"][0] - 1e-9 <= max(exact.values()) <= part["epsilon"][1] + 1e-9
        assert part["epsilon"][0] > 0.9 * part["epsilon"][1]
        for name, value in exact.items():
            assert part["estimated_errors"][name] == pytest.approx(value, abs=1e-9)
    certificate = str(tmp_path / "out" / "position.validated-fit.cert")
    assert main(["check", "--both", str(tmp_path / "out" / "validation.canonical"), certificate]) == 0
    assert main(["check", str(tmp_path / "out" / "problem.toml"), certificate]) == 1  # it is about other poses


def test_a_wrong_pose_that_is_kept_apart_is_seen_there_only(tmp_path):
    path = write_arm(tmp_path, poses=12, wrong=(4,), ratio=RATIO)
    code, told = run(path, tmp_path / "out", "--keep-apart", "poses P4")
    assert code == 0
    assert {part["verdict"] for part in told["parts"]} == {"adequate"}
    verdicts = {(part["of"], part["parameters"]): part["verdict"] for part in told["validation"]}
    assert verdicts["position", "witness"] == verdicts["pose", "least squares"] == "inadequate"
    assert verdicts["orientation", "witness"] == "adequate"


def test_poses_are_counted_or_named(tmp_path):
    experiment = load_experiment(write_arm(tmp_path, poses=12))
    for text, count in (("5", 5), ("1/4", 3), ("0.5", 6), ("1", 1), ("11", 11)):
        found = poses_apart(text, experiment)
        assert len(found) == count == len(set(found))
    assert poses_apart("poses P12,P1", experiment) == (0, 11)
    assert poses_apart(None, experiment) == ()
    for text, message in (
        ("12", "there are 12 poses, of which some must be left"),
        ("-1", "is no number of poses"),
        ("1.5", "is no number of poses"),
        ("P3", "is no number; give one such as 5, a fraction such as 1/4, or 'poses P1, P2'"),
        ("1/0", "is no number"),
        ("poses P3, Q", "there is no pose 'Q'"),
        ("poses P3, P3", "is named twice"),
    ):
        with pytest.raises(InputError, match=message):
            poses_apart(text, experiment)


@pytest.mark.thorough
def test_legs_are_validated_too(tmp_path, capsys):
    robot = ["--robot", "planar_3rpr", "--error", "none"]
    assert main(["simulate", *robot, "--out", str(tmp_path / "demo"), "--quiet"]) == 0
    capsys.readouterr()
    assert main(
        ["run", str(tmp_path / "demo" / "problem.toml"), "--keep-apart", "8", "--out", str(tmp_path / "o")]
    ) in (0, 3)
    told = capsys.readouterr().out
    assert "8 poses kept apart, of which the parameters know nothing" in told
    assert "pose  leg1, blueprint  leg1, least squares  leg1, witness" in told
