"""prepare, calibrate and run on small sets of raw readings: end to end, with every certificate checked, and what users
may get wrong.
"""

import json
import shutil

import numpy as np
import pytest

from certify.__main__ import main
from certify.problems.simulation.raw import Size, simulate_raw
from certify.problems.simulation.table_of_stewart import blueprint, calibrated
from certify.problems.simulation.unmodelled_error import unmodelled_error
from certify.reports.classical_table import in_robot_frames
from certify.runs.classical_run import contradicting_poses


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Twelve poses, two runs of two images, joints that are not what the model says."""
    folder = tmp_path_factory.mktemp("raw")
    simulate_raw(unmodelled_error("joints"), 3, size=Size(12, 2, 2, 2)).write(folder)
    assert main(["prepare", str(folder / "experiment.toml"), "--out", str(folder / "prepared"), "--quiet"]) == 0
    return folder


@pytest.fixture(scope="module")
def calibrated_folder(folder):
    table = str(folder / "prepared" / "validation.csv")
    assert main(["calibrate", str(folder / "prepared"), "--gap", "1e-3", "--validation", table, "--quiet"]) == 0
    return folder / "prepared" / "calibrated"


def test_prepare_writes_what_it_says(folder, capsys):
    assert main(["prepare", str(folder / "experiment.toml"), "--out", str(folder / "again"), "--json", "--quiet"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["poses"] == 12
    assert told["runs"] == 24
    assert told["readings"] == 48
    assert told["provenance"].startswith("simulated: ")
    assert set(told["files"]) == {path.name for path in (folder / "again").iterdir()}
    assert json.loads((folder / "again" / "statistics.json").read_text()) == {
        k: v for k, v in told.items() if k != "folder"
    }
    column = told["columns"]["x"]
    assert told["sigmas"] == 3.98  # all 144 means inside with 99 %
    assert column["half_width"][0] == pytest.approx(3.98 * column["estimated_deviation"]["of_one_reading"], abs=3e-5)
    assert told["estimated_observability"]["leg1"]["condition"] > 1
    for name in ("leg_errors.png", "pose_errors.png"):
        picture = (folder / "again" / name).read_bytes()
        assert picture.startswith(b"\x89PNG")
        assert len(picture) < 60_000
    assert (folder / "again" / "poses.csv").read_text().startswith("# simulated: ")


def test_the_text_of_prepare_has_the_papers_tables(folder, capsys):
    main(["prepare", str(folder / "experiment.toml"), "--out", str(folder / "again"), "--quiet"])
    out = capsys.readouterr().out
    assert "of 144 uncertain readings 0.0099 are expected outside" in out
    assert "3.98 standard deviations hold all 144 readings with 99 % if the noise is Gaussian" in out
    for part in (
        "simulated",
        "2006, table 2",
        "2006, table 3",
        "std of centred readings",
        "noise amplification",
        "base in the camera's frame",
    ):
        assert part in out


def test_calibrate_answers_both_questions_for_both_solutions(calibrated_folder):
    told = json.loads((calibrated_folder / "result.json").read_text())
    assert [solution["name"] for solution in told["solutions"]] == ["x_c", "x_c_sigma"]
    legs = {part["name"]: part for part in told["parts"]}
    for solution in told["solutions"]:
        assert all(solution["stationary"])
        assert len(solution["parts"]) == 6
        after, before = (
            answer["mean_position_mm"]
            for answer in (solution["estimated_validation"], told["estimated_validation_before"])
        )
        assert after < before
        for part, contradicted in zip(solution["parts"], solution["contradicting_poses"], strict=True):
            assert part["verified"]
            lower, upper = part["epsilon"]
            assert (contradicted > 0) == (lower > 0)
            leg = legs[part["name"].split(".")[0]]
            assert upper >= leg["epsilon"][0]  # no point does better than the best one
            assert lower > 0 or part["verdict"] == "adequate"
    assert all(part["verified"] for part in told["parts"])
    assert any(part["epsilon"][0] > 0 for part in told["parts"])
    assert {"problem.toml", "poses.csv", "parameters.csv", "improvement.png", "epsilon.png", "report.html"} <= {
        path.name for path in calibrated_folder.iterdir()
    }
    assert main(["check", str(calibrated_folder / "problem.toml"), str(calibrated_folder / "leg2.x_c.cert")]) == 0
    assert main(["explain", str(calibrated_folder / "leg2.x_c_sigma.cert")]) == 0


@pytest.mark.thorough
def test_a_second_calibration_replaces_the_first(calibrated_folder, tmp_path, capsys):
    copy = shutil.copytree(calibrated_folder.parent, tmp_path / "copy")
    (copy / "validation.csv").unlink()
    assert (copy / "calibrated" / "improvement.png").exists()
    assert main(["calibrate", str(copy), "--gap", "1e-2", "--quiet"]) == 0
    out = capsys.readouterr().out
    assert "No validation poses" in out
    assert "x_c consistent?" in out
    assert not (copy / "calibrated" / "improvement.png").exists()


@pytest.mark.thorough
def test_a_second_preparation_leaves_nothing_of_the_first(folder, tmp_path, capsys):
    for name in ("experiment.toml", "calibration.csv", "validation.csv"):
        shutil.copy(folder / name, tmp_path)
    words = ["prepare", str(tmp_path / "experiment.toml"), "--out", str(tmp_path / "out"), "--quiet"]
    assert main(words) == 0
    (tmp_path / "out" / "mine.txt").write_text("stays")
    text = (tmp_path / "experiment.toml").read_text()
    (tmp_path / "experiment.toml").write_text(text.replace('validation = "validation.csv"', ""))
    assert main(words) == 0
    assert {"validation.csv", "mine.txt"} & {path.name for path in (tmp_path / "out").iterdir()} == {"mine.txt"}
    assert "no validation poses" in capsys.readouterr().out
    (tmp_path / "out" / "statistics.json").write_text("[]")
    assert main(words) == 2
    assert "its statistics.json is not ours; choose another folder" in capsys.readouterr().err


def test_run_takes_what_prepare_wrote(folder, tmp_path, capsys):
    assert (
        main(
            [
                "run",
                str(folder / "prepared" / "problem.toml"),
                "--out",
                str(tmp_path / "out"),
                "--epsilon",
                "30 mm",
                "--quiet",
            ]
        )
        == 0
    )
    assert "within epsilon" in capsys.readouterr().out


@pytest.mark.thorough
def test_without_model_error_both_solutions_are_the_true_robot_and_consistent(tmp_path, capsys):
    """The planted robot is S2's x_c in the frames of its tables; 27 poses, one unmodelled error less."""
    simulate_raw(unmodelled_error("none"), 4, size=Size(27, 2, 1, 2)).write(tmp_path)
    assert main(["prepare", str(tmp_path / "experiment.toml"), "--quiet"]) == 0
    capsys.readouterr()
    assert main(["calibrate", str(tmp_path / "prepared"), "--quiet", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    for solution in told["solutions"]:
        legs = np.array(list(solution["estimated_parameters_mm"].values())).reshape(6, 7)
        assert in_robot_frames(legs) == pytest.approx(np.array(calibrated(), dtype=np.float64), abs=0.8)
        assert {part["verdict"] for part in solution["parts"]} == {"adequate"}
        assert solution["contradicting_poses"] == [0] * 6
        assert solution["estimated_validation"]["mean_position_mm"] < 0.2
    assert {part["verdict"] for part in told["parts"]} == {"adequate"}


def test_poses_contradict_legs_that_are_too_long_and_too_short(experiment):
    """The offsets l of all legs, 50 mm off in either direction."""
    problem = experiment.problem(experiment.nominal)
    for shift in (-50, 50):
        off = tuple(
            value + shift * (name.name.endswith(".l"))
            for value, name in zip(experiment.nominal, experiment.variables, strict=True)
        )
        assert contradicting_poses(problem, off) == (64,) * 6


def test_the_frames_of_the_tables_are_the_blueprints_own():
    legs = np.array(blueprint(), dtype=np.float64)
    assert in_robot_frames(legs) == pytest.approx(legs, abs=1e-3)


def test_mistakes_are_told_in_a_sentence(folder, tmp_path, capsys):
    wrong = {
        ("prepare", str(folder)): "is a folder; name the experiment.toml in it",
        ("prepare", str(folder / "none.toml")): "there is no file",
        ("prepare", str(folder / "experiment.toml"), "--out", str(folder)): "whose files would be overwritten",
        (
            "prepare",
            str(folder / "experiment.toml"),
            "--out",
            str(folder / "calibration.csv"),
        ): "is a file; give a folder",
        ("prepare", str(folder / "prepared" / "problem.toml")): "is not known here",
        ("calibrate", str(tmp_path)): "name a folder that 'certify prepare' wrote",
        ("calibrate", str(folder / "prepared"), "--out", str(folder / "prepared")): "whose files would be overwritten",
        ("calibrate", str(folder / "prepared"), "--out", str(folder / "experiment.toml")): "is a file; give a folder",
        ("calibrate", str(folder / "prepared"), "--gap", "2"): "is not between 0 and 1",
        ("calibrate", str(folder / "prepared"), "--time-limit", "0"): "is not a positive number of seconds",
        (
            "calibrate",
            str(folder / "prepared"),
            "--validation",
            str(folder / "calibration.csv"),
        ): "column alpha is missing",
    }
    for words, message in wrong.items():
        assert main([*words, "--quiet"]) == 2, words
        assert message in capsys.readouterr().err


def test_other_robots_are_refused(tmp_path, capsys):
    assert main(["simulate", "--robot", "planar_3rpr", "--error", "none", "--out", str(tmp_path)]) == 0
    assert main(["calibrate", str(tmp_path), "--quiet"]) == 2
    assert "classical calibration is for kind 'gough'" in capsys.readouterr().err
    assert main(["simulate", "--raw", "--robot", "planar_3rpr", "--out", str(tmp_path)]) == 2
    assert "--raw simulates the table_of_stewart only" in capsys.readouterr().err
