"""certify design and the loop that it begins: design, simulate, identify; and what wrong input is told."""

import json

import numpy as np
import pytest

from certify.__main__ import main
from certify.command import BAD_INPUT, PROVED, UNDECIDED
from certify.problems.motions.known import ROBOTS
from certify.problems.motions.recorded import read_record
from certify.problems.motions.trajectory import read_trajectory
from certify.problems.palida.geometry import inverse_kinematics
from certify.problems.periodic.fourier import FourierMotion
from certify.problems.periodic.periodic_log import read_periodic_log
from certify.solvers.design.keeping import kept, kept_along

SHORT = ["--evaluations", "6", "--starts", "1", "--harmonics", "2", "--quiet"]


@pytest.mark.thorough
def test_a_design_is_followed_and_identified(tmp_path, capsys):
    """The Par4's; docs/design.md does it with the H4."""
    robot, noise, bound = "par4", "0.5 Nm", "8 Nm"
    out, log, found = tmp_path / "designed", tmp_path / "log", tmp_path / "identified"
    asked = ["--noise", noise, "--period", "1.5 s", "--periods", "1", *SHORT, "--out", str(out)]
    assert main(["design", robot, *asked]) == PROVED
    told = capsys.readouterr().out
    assert "estimated" in told
    assert "the same command finds the same motion" in told
    assert {path.name for path in out.iterdir()} == {"trajectory.csv", "design.png", "result.json"}
    file = str(out / "trajectory.csv")
    follow = ["--robot", robot, "--motion", "--error", "none", "--trajectory", file, "--out", str(log)]
    assert main(["simulate", *follow]) == PROVED
    words = ["identify", str(log / "motion.csv"), "--robot", robot, "--bound", bound, "--out", str(found), "--quiet"]
    assert main(words) == PROVED
    assert json.loads((found / "result.json").read_text())["exit_code"] == 0


@pytest.mark.thorough
def test_palida_follows_a_record(tmp_path, capsys):
    out, log = tmp_path / "designed", tmp_path / "log"
    asked = ["--noise", "25 N", "--period", "2.5 s", "--periods", "2", "--rate", "80", *SHORT, "--out", str(out)]
    assert main(["design", "palida", *asked]) == PROVED
    words = ["simulate", "--robot", "palida", "--motion", "--error", "none", "--out", str(log), "--trajectory"]
    assert main([*words, str(out / "result.json")]) == PROVED
    read = read_periodic_log(log / "motion.csv", 2.5)
    motion, periods = read_record(out / "result.json", ROBOTS["palida"]().coordinates)
    lengths = inverse_kinematics(motion.at(motion.pulsation * read.times)[0])
    assert (periods, read.readings.shape[0]) == (2, 2)
    assert np.abs(read.readings - lengths).max() < 6e-3  # m: noise of 0.25 to 0.5 mm, no more
    capsys.readouterr()
    assert main([*words, str(out / "trajectory.csv")]) == BAD_INPUT
    assert "give the result.json of 'certify design'" in capsys.readouterr().err


@pytest.mark.thorough
def test_a_record_makes_the_motion_again_and_keeps_all_limits(tmp_path):
    out = tmp_path / "designed"
    assert main(["design", "h4", "--share", "0.8", "--period", "1 .. 2 s", *SHORT, "--out", str(out)]) == PROVED
    record = json.loads((out / "result.json").read_text())
    robot = ROBOTS["h4"]().limited(None, 0.8)
    rows = [[one["middle"], *one["sines"], *one["cosines"]] for one in record["coordinates"].values()]
    motion = FourierMotion(np.array(rows), record["period_s"])
    assert all(one.is_kept for one in kept(robot, motion))
    run = read_trajectory(out / "trajectory.csv", robot.coordinates, robot.units, record["rate_Hz"])
    assert all(one.excess < 1e-4 for one in kept_along(robot, run.moved))
    half = round((record["running_in_s"] * 1.5) * record["rate_Hz"])
    there = motion.at(np.array([2 * np.pi * (run.times[half] - 0.5 * record["running_in_s"]) / motion.period]))
    assert np.abs(run.moved[0, half] - there[0, 0]).max() < 1e-9


def test_segments_are_chosen_from_a_table(tmp_path, capsys):
    path = tmp_path / "rows.csv"
    lines = [f"{k + 1},1,{x},{x * x}" for k, x in enumerate(np.linspace(-1, 1, 11).round(3))]
    path.write_text("\n".join(["segment,c0,c1,c2", *lines]) + "\n")
    words = ["design", str(path), "--out", str(tmp_path / "out"), "--quiet", "--noise", "0.1"]
    assert main([*words, "--choose", "3", "--json"]) == PROVED
    assert json.loads(capsys.readouterr().out)["segments"] == [1, 6, 11]
    assert main([*words, "--choose", "6", "--repeat"]) == PROVED
    assert "Run segments 1, 1, 6, 6, 11, 11" in capsys.readouterr().out


def test_a_time_limit_leaves_the_best_so_far(tmp_path, capsys):
    out = tmp_path / "out"
    words = [
        "design",
        "h4",
        "--out",
        str(out),
        "--time-limit",
        "0.0001",
        "--quiet",
        "--period",
        "1 s",
        "--periods",
        "1",
    ]
    assert main(words) == UNDECIDED
    assert "the best so far, and it keeps all limits" in capsys.readouterr().out
    assert (out / "trajectory.csv").exists()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["delta"], "no robot whose motion can be designed; give one of h4, palida, par4"),
        (["h4", "--limit", "regular_x = 0.9 .."], r"regular_x = 0.9 .. (0 in a singular pose)"),
        (["h4", "--limit", "x = 3 .. 4 m"], "none is reached"),
        (["h4", "--limit", "tau1 = -0.1 .. 0.1 Nm"], "the limits contradict each other"),
        (["h4", "--period", "quick"], "write '4 s', or '3 .. 8 s'"),
        (["h4", "--periods", "0"], "--periods 0: choose 1 or more"),
        (["h4", "--share", "2"], "is not between 0 and 1"),
        (["h4", "--noise", "0 Nm"], "give a positive deviation"),
        (["h4", "--noise", "1, 2 Nm"], "has 2 numbers; give one, or one for each of"),
        (["h4", "--noise", "nothing.csv"], "there is no such file"),
        (["h4", "--choose", "3"], "--choose is of a table"),
        (["h4", "--rotor"], "--rotor is of a serial arm"),
        (["rows.csv"], "--choose is missing"),
        (["rows.csv", "--choose", "2", "--limit", "x = 0 .. 1"], "--limit is of a motion"),
        (["h4", "--seed", "-1"], "--seed -1 is out of range"),
    ],
)
def test_wrong_words_are_told(tmp_path, capsys, words, told):
    assert main(["design", *words, "--out", str(tmp_path / "out"), "--quiet"]) == BAD_INPUT
    assert told in capsys.readouterr().err


def test_a_trajectory_out_of_reach_is_told(tmp_path, capsys):
    path = tmp_path / "far.csv"
    names = ["x [m]", "y [m]", "z [m]", "theta [rad]"]
    heading = ["t [s]", *names, *(f"d{n[:-1]}/s]" for n in names), *(f"dd{n[:-1]}/s^2]" for n in names)]
    rows = [
        [k / 1000, 0.0, 0.0, -0.46 - 0.0003 * max(k - 1, 0), 0.0, 0, 0, -0.3 * (k > 0), 0, 0, 0, 0, 0]
        for k in range(3100)
    ]
    path.write_text("\n".join([",".join(heading), *(",".join(f"{v:g}" for v in row) for row in rows)]) + "\n")
    words = ["simulate", "--robot", "h4", "--motion", "--trajectory", str(path), "--out", str(tmp_path / "log")]
    assert main(words) == BAD_INPUT
    assert "the trajectory is out of reach at t = " in capsys.readouterr().err
    assert main([*words, "--seconds", "3"]) == BAD_INPUT
    assert "the trajectory says how long" in capsys.readouterr().err
