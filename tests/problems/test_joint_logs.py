"""Logs of joint angles and voltages: simulated in closed loop, written, read, and through the signal chain."""

import json

import numpy as np
import pytest

from certify.__main__ import main
from certify.problems.dynamics.exciting_motion import exciting_poses
from certify.problems.dynamics.joint_log import JointLog, LogForm, read_log, write_log
from certify.problems.dynamics.signal_chain import Chain, signal_chain
from certify.problems.errors import InputError
from certify.problems.h4.geometry import START, inverse_kinematics
from certify.problems.h4.motion import EXCITATION, FORM, Loop, simulate_motion
from certify.problems.h4.plant import GAIN, Plant
from certify.problems.h4.torques import regressor

SMOOTH = Plant().parameters * (np.arange(14) < 10)  # without dry friction: where its sign changes is a sample's matter


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("motion")
    assert main(["simulate", "--robot", "h4", "--motion", "--seconds", "3", "--out", str(folder)]) == 0
    return folder


@pytest.fixture(scope="module")
def log(folder):
    return read_log(folder / "motion.csv", FORM)


def test_a_motion_starts_and_ends_at_rest_in_the_middle():
    poses = exciting_poses(EXCITATION, 4.0, 1000.0, 3)
    for end in (0, 1999, 3999):
        assert np.abs(poses[end] - START).max() < 1e-12
    assert np.abs(np.diff(poses, 2, axis=0)).max() * 1e6 < 500  # m/s^2 and rad/s^2: nothing jumps
    assert (np.abs(poses - START).max(axis=0) > [0.08, 0.08, 0.04, 0.4]).all()


def test_the_loop_follows_and_records_steps_only(log):
    wanted = inverse_kinematics(exciting_poses(EXCITATION, 3.0, 1000.0, 1))
    assert np.abs(log.joints - wanted).max() < 0.1
    steps = log.joints * 131072 / (2 * np.pi)
    assert np.abs(steps - np.round(steps)).max() < 1e-3
    assert 2.0 < np.abs(log.drives).max() <= 10.0
    assert log.rate == pytest.approx(1000.0)


def test_the_command_writes_a_second_log_and_says_that_both_are_simulated(folder, log):
    other = read_log(folder / "validation.csv", FORM)
    assert not np.array_equal(other.joints, log.joints)
    for name in ("motion.csv", "validation.csv"):
        assert (folder / name).read_text().startswith("# simulated")


@pytest.mark.thorough
def test_a_motion_is_the_same_alone_as_beside_another_and_in_a_file(log, tmp_path):
    alone = simulate_motion(Loop(Plant(), 3.0, (1,)))[0]
    assert np.abs(alone.joints - log.joints).max() < 1e-8
    assert np.abs(alone.drives - log.drives).max() < 1e-7
    write_log(tmp_path / "log.csv", alone, FORM)
    assert np.array_equal(read_log(tmp_path / "log.csv", FORM).drives, log.drives)


@pytest.mark.parametrize(
    "words",
    [
        ["--robot", "delta", "--motion"],
        ["--robot", "h4", "--seconds", "3"],
        ["--robot", "h4", "--motion", "--seconds", "1"],
        ["--robot", "h4", "--motion", "--error", "outlier"],
        ["--robot", "h4", "--motion", "--seed", "-1"],
    ],
)
def test_what_cannot_be_simulated_is_refused(words, tmp_path):
    assert main(["simulate", *words, "--out", str(tmp_path)]) == 2


def test_units_and_order_of_columns_are_those_of_the_headings(tmp_path):
    lines = ["V1 [mV];note;q1 [deg];t [ms]", *(f"{1000 * k};x;{90 + k};{2 * k}" for k in range(5))]
    (tmp_path / "log.csv").write_text("\n".join(lines))
    read = read_log(tmp_path / "log.csv", LogForm(1))
    assert read.rate == pytest.approx(500.0)
    assert read.joints[1, 0] == pytest.approx(np.radians(91.0))
    assert read.drives[:, 0].tolist() == [0.0, 1.0, 2.0, 3.0, 4.0]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("t [s],q1 [rad]\n0,1\n", "column V1 is missing"),
        ("t [s],q1 [rad],q1 [deg],V1 [V]\n0,1,1,1\n", "q1 occurs more than once"),
        ("t [s],q1 [mm],V1 [V]\n0,1,1\n", r"q1 \[rad\] or"),
        ("t [s],q1 [rad],V1 [V]\n0,1,1\n0.1,1,1\n", "2 samples"),
        ("t [s],q1 [rad],V1 [V]\n0,1,1\n0.1,1,1\n0.2,1,1\n0.4,1,1\n", "sample 3"),
        ("t [s],q1 [rad],V1 [V]\n0,1,1\n0,1,1\n0,1,1\n", "even steps"),
        ("t [s],q1 [rad],V1 [V]\n0,1,1\n0.1,nan,1\n0.2,1,1\n", "line 3, column q1"),
        ("", "column t is missing"),
    ],
)
def test_what_is_wrong_with_a_log_is_said(tmp_path, text, told):
    (tmp_path / "log.csv").write_text(text)
    with pytest.raises(InputError, match=told):
        read_log(tmp_path / "log.csv", LogForm(1))


def smooth_log(ripple=0.0):
    """A slow motion whose voltages are exactly the model's."""
    times = np.arange(3000) / 1000.0
    phases = 2 * np.pi * times[:, None] * np.array([0.9, 1.1, 0.8, 1.0])
    q, dq = 0.6 + 0.1 * np.sin(phases), 0.1 * 2 * np.pi * np.array([0.9, 1.1, 0.8, 1.0]) * np.cos(phases)
    ddq = -((2 * np.pi * np.array([0.9, 1.1, 0.8, 1.0])) ** 2) * (q - 0.6)
    torques = regressor(q, dq, ddq) @ SMOOTH + ripple * np.sin(2 * np.pi * 150.0 * times)[:, None]
    return JointLog(times, q, torques / GAIN)


def equations(log, chain=None):
    return signal_chain(log, chain or Chain(gain=GAIN), regressor)


def test_the_chain_keeps_what_is_true():
    """Nothing is late: a millisecond would leave 5e-3 N m of viscous friction alone."""
    found = equations(smooth_log())
    assert found.matrix.shape == (len(found.torques), 14)
    assert np.abs(found.torques - found.matrix @ SMOOTH).max() < 2e-3
    assert found.joints[:5].tolist() == [0, 1, 2, 3, 0]
    assert found.times[4] - found.times[0] == pytest.approx(0.02)


def test_the_chain_rejects_ripple():
    plain, rippled = equations(smooth_log()), equations(smooth_log(1.0))
    assert np.abs(plain.torques - rippled.torques).max() < 1e-3


def test_logs_that_the_filters_cannot_use_are_refused():
    log = smooth_log()
    with pytest.raises(InputError, match="record a longer motion"):
        equations(JointLog(log.times[:500], log.joints[:500], log.drives[:500]))
    with pytest.raises(InputError, match="lower the cut-off"):
        equations(log, Chain(cut_off=490.0, gain=GAIN))
    for chain in (Chain(cut_off=0.0), Chain(cut_off=float("nan")), Chain(gain=0.0)):
        with pytest.raises(InputError, match="filter nothing"):
            equations(log, chain)


def test_as_many_rows_are_kept_of_a_slower_log():
    log = smooth_log()
    slower = JointLog(log.times[::4], log.joints[::4], log.drives[::4])
    found, few = equations(log), equations(slower)
    assert np.diff(few.times[::4])[0] == pytest.approx(np.diff(found.times[::4])[0])
    assert np.abs(few.torques - few.matrix @ SMOOTH).max() < 1e-2


@pytest.mark.thorough
def test_a_log_is_identified_and_the_planted_values_are_inside(folder, log, tmp_path, capsys):
    rows = equations(log)
    need = float(np.abs(rows.torques - rows.matrix @ Plant().parameters).max())
    words = ["--robot", "h4", "--out", str(tmp_path / "out"), "--quiet", "--json"]
    assert main(["identify", str(folder / "motion.csv"), "--bound", f"{need + 0.01:.3f} Nm", *words]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["verdict"] == "adequate"
    assert "row by row joint 1 to 4 at t = 0.15, 0.17 .. " in told["source"]
    assert all(told["certificates"].values())
    assert len(told["certificates"]) >= 4
    for parameter, planted in zip(told["parameters"], Plant().parameters, strict=True):
        assert parameter["interval"][0] <= planted <= parameter["interval"][1]
    assert [parameter["unit"] for parameter in told["parameters"]][3:5] == ["kg.m^2", "kg"]
    assert main(["identify", str(folder / "motion.csv"), "--bound", "0.2 Nm", *words]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["verdict"] == "inadequate"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--robot", "h5"], "did you mean 'h4'"),
        (["--robot", "h4"], "--bound is 'bound'"),
        (["--robot", "h4", "--bound", "1.5 N"], "give the bound in Nm"),
        (["--robot", "h4", "--bound", "1.5", "--columns", "M_nac"], "--columns"),
        (["--robot", "h4", "--bound", "1.5", "--prior", "M = 0 .. 2"], "--prior"),
        (["--robot", "h4", "--bound", "1.5"], "column t is missing"),
        (["--cut-off", "30", "--bound", "1.5"], "give --robot or --urdf too"),
    ],
)
def test_what_cannot_be_identified_of_a_log_is_said(words, told, tmp_path, capsys):
    (tmp_path / "log.csv").write_text("a,b\n1,2\n")
    assert main(["identify", str(tmp_path / "log.csv"), *words, "--out", str(tmp_path / "out")]) == 2
    assert told in capsys.readouterr().err
