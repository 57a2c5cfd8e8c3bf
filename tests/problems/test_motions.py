"""Fourier motions against exact sums, their ends against finer grids, trajectories against their own derivatives, and
covariances that are none.
"""

import json

import numpy as np
import pytest
from flint import acb, arb, ctx

from certify.problems.arm_dynamics.simulated_motion import simulate_arm_motion
from certify.problems.errors import InputError
from certify.problems.h4 import geometry as h4_geometry
from certify.problems.h4 import torques as h4_torques
from certify.problems.motions.arm_motion import arm_excited
from certify.problems.motions.h4_motion import h4_excited
from certify.problems.motions.known import ROBOTS
from certify.problems.motions.noise import covariance, noise_of, whitening
from certify.problems.motions.recorded import read_record
from certify.problems.motions.trajectory import read_trajectory, trajectory, trajectory_text
from certify.problems.palida.regressor import regressor as palida_regressor
from certify.problems.par4 import geometry as par4_geometry
from certify.problems.par4 import torques as par4_torques
from certify.problems.periodic.fourier import FourierMotion, even_phases


@pytest.fixture
def digits():
    before = ctx.prec
    ctx.prec = 200
    yield
    ctx.prec = before


def drawn(harmonics=3, coordinates=2, period=1.7, seed=1):
    random = np.random.default_rng(seed)
    return FourierMotion(random.standard_normal((coordinates, 1 + 2 * harmonics)), period)


def exactly(row, t, period, order):
    """c_0 + sum s_k sin(k w t) - c_k cos(k w t) and its derivatives, by exponentials in 200 bits."""
    waves = (len(row) - 1) // 2
    total = arb(float(row[0])) if order == 0 else arb(0)
    w = 2 * arb.pi() / arb(period)
    for k in range(1, waves + 1):
        factor = (acb(0, 1) * k * w) ** order * (acb(0, 1) * (k * w * arb(float(t)))).exp()
        total += arb(float(row[k])) * factor.imag - arb(float(row[waves + k])) * factor.real
    return total


@pytest.mark.parametrize("order", range(3))
def test_a_motion_is_its_series_and_its_derivatives(digits, order):
    motion = drawn()
    times = np.array([0.0, 0.3, 1.1])
    found = motion.at(2 * np.pi * times / motion.period)
    for k, t in enumerate(times):
        for coordinate, row in enumerate(motion.coefficients):
            exact = float(exactly(row, t, motion.period, order))
            assert abs(found[order, k, coordinate] - exact) <= 1e-11 * max(1.0, abs(exact))


@pytest.mark.parametrize("harmonics", [1, 4, 9])
def test_nothing_leaves_the_ends_between_samples(harmonics):
    motion = drawn(harmonics)
    lower, upper = motion.ends(3 * harmonics + 2)
    fine = motion.at(even_phases(20000))
    assert (fine.min(axis=1) >= lower - 1e-9).all()
    assert (fine.max(axis=1) <= upper + 1e-9).all()
    coarse = motion.at(even_phases(3 * harmonics + 2))
    assert (coarse.max(axis=1) < upper).all()


def test_a_record_is_the_motion_that_it_was_made_of(tmp_path):
    motion, path = drawn(), tmp_path / "result.json"
    rows = {
        name: {"middle": row[0], "sines": list(row[1:4]), "cosines": list(row[4:])}
        for name, row in zip(("x", "y"), motion.coefficients.tolist(), strict=True)
    }
    path.write_text(json.dumps({"coordinates": rows, "period_s": motion.period, "periods": 2}))
    again, periods = read_record(path, ("x", "y"))
    assert (again.coefficients == motion.coefficients).all()
    assert (again.period, periods) == (motion.period, 2)
    times = np.array([0.1, 0.7])
    theirs = FourierMotion.of_waves(motion.waves, motion.pulsation).in_time(times)
    assert np.abs(theirs - motion.at(motion.pulsation * times)).max() < 1e-11 * np.abs(theirs).max()
    with pytest.raises(InputError, match="no designed motion of z"):
        read_record(path, ("z",))
    with pytest.raises(InputError, match="its coordinates are x, y, and x are wanted"):
        read_record(path, ("x",))
    for text in ("{", "[" * 100_000):
        path.write_text(text)
        with pytest.raises(InputError, match=r"result\.json of 'certify design'"):
            read_record(path, ("x",))


def test_a_trajectory_begins_and_ends_at_rest_and_is_its_own_derivative():
    motion = drawn(2)
    run = trajectory(motion, 2, 2000.0, 0.9)
    assert np.abs(run.moved[1:, [0, -1]]).max() < 1e-9
    step = run.times[1]
    for order in range(2):
        slopes = (run.moved[order, 2:] - run.moved[order, :-2]) / (2 * step)
        third = np.abs(np.diff(run.moved[order], 3, axis=0)).max() / step**3
        assert np.abs(slopes - run.moved[order + 1, 1:-1]).max() <= third * step**2
    inside = (run.times > 0.9) & (run.times < 0.9 + motion.period)
    later = np.interp(run.times[inside] + motion.period, run.times, run.moved[0, :, 0])
    assert np.abs(later - run.moved[0, inside, 0]).max() < 1e-3


def test_a_trajectory_is_read_as_it_was_written(tmp_path):
    run = trajectory(drawn(), 1, 500.0, 1.0)
    path = tmp_path / "trajectory.csv"
    path.write_text(trajectory_text(run, ("x", "q1"), ("m", "rad"), "of a test"))
    again = read_trajectory(path, ("x", "q1"), ("m", "rad"), 500.0)
    assert np.abs(again.moved - run.moved).max() <= 1e-10 * np.abs(run.moved).max()
    with pytest.raises(InputError, match="500 samples in a second, and the robot is simulated with 1000"):
        read_trajectory(path, ("x", "q1"), ("m", "rad"), 1000.0)
    with pytest.raises(InputError, match="column q2 is missing"):
        read_trajectory(path, ("x", "q2"), ("m", "rad"), 500.0)
    path.write_text("\n".join(path.read_text().splitlines()[:2] + path.read_text().splitlines()[40:]))
    with pytest.raises(InputError, match="does not begin at rest"):
        read_trajectory(path, ("x", "q1"), ("m", "rad"), 500.0)


@pytest.mark.parametrize("robot", [(h4_geometry, h4_torques), (par4_geometry, par4_torques)], ids=["h4", "par4"])
def test_rows_in_poses_are_those_in_joints(robot):
    geometry, torques = robot
    random = np.random.default_rng(3)
    pose = geometry.START + random.uniform(-0.05, 0.05, (5, 4))
    velocity, acceleration = random.standard_normal((2, 5, 4))
    w, q, dq = torques.pose_regressor(pose, velocity, acceleration)
    step = 1e-5
    ahead, behind = (
        geometry.inverse_kinematics(pose + side * step * velocity + step**2 / 2 * acceleration) for side in (1, -1)
    )
    assert np.abs((ahead - behind) / (2 * step) - dq).max() < 1e-6
    ddq = (ahead - 2 * q + behind) / step**2
    again = torques.regressor(q, dq, ddq)
    assert np.abs(again - w).max() < 1e-4 * np.abs(w).max()  # second differences


def test_a_known_robot_reaches_its_middle():
    for make in ROBOTS.values():
        robot = make()
        still = np.zeros((1, len(robot.coordinates)))
        w, quantities = robot.rows(robot.middle[None], still, still)
        assert w.shape == (1, len(robot.outputs), len(robot.parameters))
        assert quantities.shape == (1, len(robot.limits))
        for value, one in zip(quantities[0], robot.limits, strict=True):
            assert one.lower < value < one.upper, one.told


def test_signs_of_palida_are_those_of_its_regressor_where_it_moves():
    robot = ROBOTS["palida"]()
    random = np.random.default_rng(6)
    x = robot.middle + random.uniform(-0.1, 0.1, (4, 6))
    v, a = random.standard_normal((2, 4, 6))
    sharp = palida_regressor(x, v, a)
    assert np.abs(palida_regressor(x, v, a, (1e-9, 1e-9)) - sharp).max() < 1e-12
    w, quantities = robot.rows(x, v, a)
    smooth = [k for k, name in enumerate(robot.parameters) if not name.startswith("r")]
    assert (w[..., smooth] == sharp[..., smooth]).all()
    forces = quantities[:, [k for k, one in enumerate(robot.limits) if one.name.startswith("Q")]]
    assert np.abs(forces - w @ robot.nominal).max() < 1e-12


def test_the_limits_of_an_arm_are_those_of_its_urdf(tmp_path):
    urdf, *_ = simulate_arm_motion(tmp_path, 6, 3.0)
    robot = arm_excited(urdf)
    told = {one.name: one for one in robot.limits}
    assert (told["q3"].lower, told["q3"].upper) == (-2.9, 2.9)
    assert (told["dq6"].upper, told["tau1"].upper) == (4.0, 300.0)
    assert told["ddq1"].is_open
    still = np.zeros((1, 6))
    _, quantities = robot.rows(still, still, still)
    weight = quantities[0, [one.name for one in robot.limits].index("tau2")]
    assert abs(weight) > 5.0  # Nm: the URDF's bodies hang on it
    path = tmp_path / "endless.urdf"
    path.write_text(urdf.read_text().replace('lower="-2.9" upper="2.9" effort="300" velocity="4"', 'effort="3"'))
    endless = arm_excited(path)
    assert any("turns without end" in line for line in endless.told)
    assert any("no limit of its speed" in line for line in endless.told)


def test_limits_are_taken_as_stated():
    robot = h4_excited().limited("x = -0.01 .. 0.02 m, tau2 = .. 3")
    told = {one.name: one for one in robot.limits}
    assert (told["x"].lower, told["x"].upper, told["tau2"].upper) == (-0.01, 0.02, 3.0)
    assert told["tau2"].lower == -np.inf
    assert h4_excited().limited("x = 0 .. 0.1 m", 0.5).limits[0].upper == pytest.approx(0.075)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("x = 2 .. 1 m", "its lower end is not below its upper one"),
        ("x = 1 .. 1.0000000000001 m", "leaves no room"),
        ("x = .. 1 m", "has no two ends"),
        ("y = 0 .. 1 mm", "y is in m"),
        ("w = 0 .. 1", "known are|did you mean"),
        ("x 0", "write NAME = LOWER .. UPPER UNIT"),
    ],
)
def test_limits_that_contradict_themselves_are_named(text, told):
    with pytest.raises(InputError, match=told):
        h4_excited().limited(text)


def test_noise_is_whitened():
    random = np.random.default_rng(2)
    root = random.standard_normal((4, 4))
    matrix = root @ root.T
    s = whitening(covariance(matrix, ("a", "b", "c", "d"), "here"))
    assert np.abs(s @ matrix @ s.T - np.eye(4)).max() < 1e-10
    assert np.diag(noise_of("0.5, 1, 2, 3 Nm", h4_excited())).tolist() == [0.25, 1, 4, 9]


@pytest.mark.parametrize(
    ("matrix", "told"),
    [
        ([[1, 2], [2, 1]], r"along .* the variance is -1, not positive"),
        ([[1, 1], [1, 1]], "its rank is 1. A covariance from repeated periods needs more periods than it has rows, 2"),
        ([[1, 0.5], [0.4, 1]], "row a, column b is 0.5, and row b, column a is 0.4"),
        ([[1, 0], [0, -1]], "the variance of b is -1"),
        ([[1, np.nan], [np.nan, 1]], "no number"),
    ],
)
def test_what_is_no_covariance_is_refused(matrix, told):
    with pytest.raises(InputError, match=told):
        covariance(np.array(matrix, dtype=float), ("a", "b"), "here")


def test_a_covariance_in_a_file_is_read_by_its_names(tmp_path):
    path = tmp_path / "noise.csv"
    path.write_text("tau2,tau1,tau3,tau4\n4,1,0,0\n1,9,0,0\n0,0,1,0\n0,0,0,1\n")
    found = noise_of(str(path), h4_excited())
    assert (found[0, 0], found[1, 1], found[0, 1]) == (9, 4, 1)
    path.write_text("tau2,tau1,tau3,tau4\n4,1,0,0\n1,9,0,0\n")
    with pytest.raises(InputError, match="2 lines of numbers and 4 columns"):
        noise_of(str(path), h4_excited())
    path.write_text("a,b\n4,1\n1,9\n")
    with pytest.raises(InputError, match="one column for each output"):
        noise_of(str(path), h4_excited())
