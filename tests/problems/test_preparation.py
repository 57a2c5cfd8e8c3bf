"""From simulated raw readings to a problem: numpy's means and deviations, the half-widths that were chosen, the frames
that were planted.
"""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from certify.problems.errors import InputError
from certify.problems.experiments.half_widths import UNSTATED
from certify.problems.readings.plan import load_plan
from certify.problems.readings.preparation import prepare
from certify.problems.readings.repetitions import means
from certify.problems.robots.forward_kinematics import leg_lengths, rigid_joints
from certify.problems.simulation.raw import Size, simulate_raw
from certify.problems.simulation.table_of_stewart import calibrated, deviations
from certify.problems.simulation.unmodelled_error import unmodelled_error

NONE = unmodelled_error("none")


@pytest.fixture(scope="module")
def raw():
    return simulate_raw(NONE, 5, size=Size(10, 3, 2, 4), euler=True)


@pytest.fixture
def plan(raw, tmp_path):
    return load_plan(raw.write(tmp_path))


def cube(path, poses, runs, images):
    """The numbers of a table of readings, by numpy alone: poses x runs x images x columns."""
    table = np.genfromtxt(path, delimiter=",", skip_header=2)
    assert table[:, 0].tolist() == np.repeat(np.arange(1, poses + 1), runs * images).tolist()
    return table[:, 3:].reshape(poses, runs, images, 12)


def middles_and_halves(experiment):
    middles = experiment.nominal_measurements()
    halves = {
        c.name: np.array([float((b - a) / 2) for a, b in zip(c.lower, c.upper, strict=True)])
        for c in experiment.columns
    }
    return middles, halves


def test_means_and_deviations_are_numpys(plan):
    prepared = prepare(plan)
    values = cube(plan.calibration, 10, 3, 4)
    middles, halves = middles_and_halves(prepared.experiment)
    for k, name in enumerate(("x", "y", "z", "alpha", "beta", "gamma", *(f"L{leg}" for leg in range(1, 7)))):
        column = values[..., k]
        average = column.mean(axis=(1, 2))
        error = np.abs((middles[name] - average + 180) % 360 - 180)
        assert error.max() < 1e-5
        if name != "alpha":  # around 180 degrees it jumps
            assert prepared.spreads[name].distribution == pytest.approx(np.std(column - average[:, None, None]))
        assert halves[name] == pytest.approx(np.full(10, 3.94 * prepared.spreads[name].deviation), abs=2.1e-5)
        assert (halves[name] >= 3.94 * prepared.spreads[name].deviation).all()
    assert prepared.validation.nominal_measurements()["x"] == pytest.approx(
        cube(plan.validation, 10, 2, 4)[..., 0].mean(axis=(1, 2)), abs=1e-5
    )


def test_the_noise_is_the_papers():
    """Few poses, many readings: the deviations of centred readings come near tables 2 and 3 of S2."""
    raw = simulate_raw(NONE, 6, size=Size(8, 11, 1, 11))
    assert all("simulated" in text for text in raw.texts.values())
    table = np.genfromtxt(raw.texts["calibration.csv"].splitlines()[2:], delimiter=",").reshape(8, 11, 11, -1)
    for k, name in [(3, "x"), (4, "y"), (5, "z"), *((9 + leg, f"L{leg}") for leg in range(1, 7))]:
        column = table[..., k]
        assert np.std(column - column.mean(axis=(1, 2), keepdims=True)) == pytest.approx(
            float(deviations()[name]), rel=0.25
        )
    assert table[..., -1, 3:6] == pytest.approx(table[..., :-1, 3:6].mean(axis=2), abs=2e-5)


def test_the_initial_estimate_is_the_blueprint_in_the_cameras_frames(plan, raw):
    """Without noise, with the true robot as the blueprint and no model error, hand-eye finds the planted frames."""
    silent = simulate_raw(NONE, 5, noise=0, size=Size(10, 1, 1, 1))
    silent.write(plan.calibration.parent)
    true = tuple(value for leg in calibrated() for value in leg)
    widths = dict.fromkeys(plan.kind.columns, Fraction(1, 100))
    prepared = prepare(replace(plan, blueprint=true, half_widths=widths))
    legs = np.array([float(value) for value in prepared.experiment.nominal]).reshape(6, 7)
    robot = np.array(calibrated(), dtype=np.float64)
    assert legs[:, :3] == pytest.approx(
        raw.base.placed(robot[:, :3]), abs=2e-3
    )  # readings have 1e-5 mm, the table's strokes a lever
    assert legs[:, 3:6] == pytest.approx(raw.target.inverse.placed(robot[:, 3:6]), abs=2e-3)
    middles = prepared.experiment.nominal_measurements()
    poses = np.stack([middles[name] for name in ("x", "y", "z", "alpha", "beta", "gamma")], axis=1)
    lengths = leg_lengths(rigid_joints(legs[:, :3], legs[:, 3:6]))
    for k, pose in enumerate(poses):
        assert lengths(pose) == pytest.approx(
            [middles[f"L{leg}"][k] + legs[leg - 1, 6] for leg in range(1, 7)], abs=2e-3
        )


def test_quaternions_and_angles_say_the_same(plan, tmp_path):
    other = simulate_raw(NONE, 5, size=Size(10, 3, 2, 4)).write(tmp_path / "other")
    first, second = (prepare(p).experiment.nominal_measurements() for p in (plan, load_plan(other)))
    for name, values in first.items():
        assert second[name] == pytest.approx(values, abs=2e-5)


def test_stated_half_widths_come_first(plan):
    text = plan.calibration.with_name("experiment.toml").read_text()
    changed = plan.calibration.with_name("changed.toml")
    changed.write_text(
        text.replace('# sigmas = "3"', 'sigmas = "2"').replace(
            "[legs.leg1]", '[half_widths]\nL1 = "25 um"\n\n[legs.leg1]'
        )
    )
    stated, measured = prepare(load_plan(changed)), prepare(plan)
    _, halves = middles_and_halves(stated.experiment)
    assert halves["L1"] == pytest.approx(np.full(10, 0.025), abs=2.1e-5)
    column = next(column for column in stated.experiment.columns if column.name == "L1")
    exact = [
        Fraction(float(value))
        for value in means(stated.calibration_readings.columns["L1"], stated.calibration_readings.pose)
    ]
    for low, mean, high in zip(column.lower, exact, column.upper, strict=True):
        assert low <= mean - Fraction("0.025")
        assert mean + Fraction("0.025") <= high
    assert halves["x"] == pytest.approx(
        2 / float(measured.sigmas) * middles_and_halves(measured.experiment)[1]["x"], abs=3e-5
    )
    assert stated.experiment.half_widths_are == UNSTATED  # 25 um may be a bound, the others are two deviations


def test_poses_in_the_robots_own_frames_need_no_hand_eye(plan):
    prepared = prepare(replace(plan, in_camera=False))
    assert prepared.frames is None
    assert prepared.experiment.nominal == plan.blueprint


def test_without_repetition_and_accuracy_nothing_is_invented(plan):
    simulate_raw(NONE, 5, size=Size(10, 1, 1, 1)).write(plan.calibration.parent)
    with pytest.raises(
        InputError, match=r"how far may x be off\? No pose is measured twice; write x under \[half_widths\]"
    ):
        prepare(plan)


EDITS = {
    ('kind = "gough"', 'kind = "planar_3rpr"'): "raw readings are prepared for gough only",
    ('frames = "camera"', 'frames = "camra"'): "did you mean 'camera'?",
    ("simulated: ", "seen: "): "begin it with 'simulated: ' or 'measured: '",
    ("certify-experiment-file 1", "certify-problem-file 1"): "a problem file is for 'certify run'",
    ('# sigmas = "3"', 'sigmas = "0"'): "write a positive number of standard deviations",
    ('# sigmas = "3"', "sigmas = 3"): "sigmas is 3; write one line of text",
    ('radius = "100 mm"', 'radius = "-1 mm"'): "write how far around the fit to search",
    ('radius = "100 mm"', 'radius = "1 deg"'): "a length (m, cm, mm, um, inch) is needed",
    ("[legs.leg1]", '[half_widths]\nalpha = "0.01 rad"\n[legs.leg1]'): "write it in deg",
    ("[legs.leg1]", '[half_widths]\nL7 = "1 mm"\n[legs.leg1]'): "L7 is not known here",
    ("[legs.leg6]", "[legs.leg7]"): "leg7 is not known here; did you mean",
    ('b = ["', 'b = ["1 mm", "'): "write a list of 3 quantities",
    ('calibration = "calibration.csv"', 'calibration = "../calibration.csv"'): "leads out of the problem's folder",
    ('calibration = "calibration.csv"', ""): "calibration is missing; add it",
    ("[legs.leg1]", "[legs.leg1"): "it is not valid TOML there",
    ("[legs.leg1]\na = [", "[legs.leg1]\na = 5 #"): "write a list of 3 quantities",
}


@pytest.mark.parametrize(("edit", "message"), EDITS.items(), ids=lambda value: str(value)[:40])
def test_mistakes_in_the_experiment_file_have_names(plan, edit, message):
    path = plan.calibration.with_name("experiment.toml")
    text = path.read_text()
    assert edit[0] in text
    path.write_text(text.replace(*edit, 1))
    with pytest.raises(InputError) as caught:
        load_plan(path)
    assert message in str(caught.value)


def test_a_blueprint_that_cannot_stand_is_refused(plan):
    upside_down = list(plan.blueprint)
    upside_down[6::7] = [Fraction(5)] * 6
    with pytest.raises(
        InputError, match=r"the blueprint has no pose above the base|has no pose with these leg lengths"
    ):
        prepare(replace(plan, blueprint=tuple(upside_down)))


def test_an_outlier_is_one_reading_of_one_leg_in_all_runs():
    tables = []
    for name in ("none", "outlier"):
        raw = simulate_raw(unmodelled_error(name), 9, size=Size(8, 2, 2, 2))
        tables.append(
            [
                np.genfromtxt(raw.texts[f"{which}.csv"].splitlines()[2:], delimiter=",")
                for which in ("calibration", "validation")
            ]
        )
    difference = np.abs(tables[1][0] - tables[0][0])
    assert np.count_nonzero(difference > 1e-4) == 4
    assert difference[difference > 1e-4] == pytest.approx(np.full(4, 5.0), abs=1e-4)
    assert tables[1][1] == pytest.approx(tables[0][1], abs=1e-4)


def test_a_pose_that_the_blueprint_cannot_take_is_named(plan):
    text = plan.calibration.read_text().splitlines()
    changed = [
        line if not line.startswith("4,") else ",".join([*line.split(",")[:9], "900", *line.split(",")[10:]])
        for line in text
    ]
    plan.calibration.write_text("\n".join(changed) + "\n")
    with pytest.raises(
        InputError, match=r"pose '4': the blueprint's robot has no pose with these leg lengths; check its leg readings"
    ):
        prepare(plan)


def test_what_cannot_be_simulated():
    for size in (Size(2), Size(65), Size(8, 0)):
        with pytest.raises(InputError, match="cannot be simulated; choose 3 to 64 poses"):
            simulate_raw(NONE, 1, size=size)
