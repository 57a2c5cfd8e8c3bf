"""The Par4's geometry and torques: against difference quotients, the balance of energy, and a multibody engine that
shares no formula with them.
"""

import json

import numpy as np
import pytest

from benchmarks.paper import run
from certify.__main__ import main
from certify.problems.dynamics.driven_arms import GRAVITY
from certify.problems.dynamics.joint_log import read_log
from certify.problems.dynamics.known_robot import known_robot
from certify.problems.dynamics.signal_chain import Chain
from certify.problems.errors import InputError
from certify.problems.experiments.shipped import shipped
from certify.problems.motions.trajectory import Trajectory, trajectory_text
from certify.problems.par4 import geometry
from certify.problems.par4.adept import ACROSS, UP, Adept, adept_poses
from certify.problems.par4.gains import measured_gains
from certify.problems.par4.geometry import START
from certify.problems.par4.motion import FORM, GAINS, adept_cycles, joint_motion, references
from certify.problems.par4.multibody import multibody_torques
from certify.problems.par4.plant import POINTS, Plant
from certify.problems.par4.torques import NAMES, RIGID, UNITS, joint_drift, regressor


def states(count):
    random = np.random.default_rng(7)
    reach = np.array([0.2, 0.2, 0.08, 0.6])
    pose = geometry.START + reach * random.uniform(-1, 1, (count, 4))
    return pose, random.normal(size=(count, 4)), 50 * random.normal(size=(count, 4))


def of_joints(pose, velocity, acceleration):
    """q, dq and ddq of a motion of the pose."""
    q = geometry.inverse_kinematics(pose)
    of_pose, _, slope = geometry.jacobian_parts(pose, q)
    dq = (of_pose @ velocity[..., None])[..., 0] / slope
    return q, dq, ((of_pose @ acceleration[..., None])[..., 0] - joint_drift(pose, velocity, q, dq)) / slope


def test_kinematics_go_there_and_back():
    pose, _, _ = states(100)
    q = geometry.inverse_kinematics(pose)
    assert np.abs(np.linalg.norm(geometry.forearms(pose, q), axis=-1) - geometry.FOREARM).max() < 1e-15
    assert np.abs(geometry.forward_kinematics(q) - pose).max() < 1e-13


def test_both_jacobians_are_derivatives_of_their_halves():
    pose, _, _ = states(20)
    q, step = geometry.inverse_kinematics(pose), 1e-5
    ends = [[geometry.forward_kinematics(q + sign * step * one) for sign in (1, -1)] for one in np.eye(4)]
    first = np.stack([(high - low) / (2 * step) for high, low in ends], -1)
    second = np.stack([(geometry.bars(high) - geometry.bars(low)) / (2 * step) for high, low in ends], -1)
    of_first, of_second = geometry.jacobians(pose, q)
    assert np.abs(first - of_first).max() < 1e-7
    assert np.abs(first[:, :3] + second - of_second[:, :3]).max() < 1e-7
    assert np.abs(first[:, 3] - of_second[:, 3]).max() < 1e-7


def test_accelerations_of_joints_are_second_differences():
    pose, velocity, acceleration = states(20)
    step = 1e-4
    q, dq, ddq = of_joints(pose, velocity, acceleration)
    after, before = (geometry.inverse_kinematics(pose + t * velocity + t * t / 2 * acceleration) for t in (step, -step))
    assert np.abs((after - before) / (2 * step) - dq).max() < 1e-5
    assert np.abs((after - 2 * q + before) / step**2 - ddq).max() < 1e-3


def test_the_model_is_the_robot_with_its_simplifications():
    motion = states(50)
    assert len(NAMES) == len(UNITS) == len(Plant().parameters)
    q, dq, ddq = of_joints(*motion)
    W, truth = regressor(q, dq, ddq), Plant().parameters
    rigid = W[..., :RIGID] @ truth[:RIGID]
    assert np.abs(Plant().simplified().torques(*motion) - rigid).max() < 1e-9
    assert np.abs(Plant().torques(*motion) - rigid).max() > 1.0
    friction = W[..., RIGID:] @ truth[RIGID:]
    assert np.abs(friction - (2.43 * np.sign(dq) + 20.4 * dq)).max() < 1e-9


def energy(plant, pose, velocity):
    """Kinetic and potential energy; bars by Gauss's points along them, or by their ends."""
    step = 1e-6
    later, sooner = pose + step * velocity, pose - step * velocity
    q = geometry.inverse_kinematics(pose)
    speed = (geometry.inverse_kinematics(later) - geometry.inverse_kinematics(sooner)) / (2 * step)
    kinetic = (plant.motor_inertia + plant.arm_inertia) * (speed**2).sum()
    kinetic += plant.pulley_inertia * (4 * velocity[3]) ** 2
    height = -plant.arm_mass * plant.arm_centre * np.sin(q).sum()
    plate = velocity[:3] + velocity[3] * geometry.turned_bars(pose)
    kinetic += plant.first_mass * velocity[:3] @ velocity[:3] + plant.second_mass * plate @ plate
    height += (plant.first_mass + plant.second_mass) * pose[2]
    points, weights = np.polynomial.legendre.leggauss(3)
    places = list(zip((points + 1) / 2, weights / 2, strict=True))
    tip, end = geometry.ARMS.along(q), geometry.plate_joints(pose) - geometry.AXIS
    tip_speed = geometry.ARMS.tangents(q) * speed[:, None]
    end_speed = (geometry.plate_joints(later) - geometry.plate_joints(sooner)) / (2 * step)
    ends = [(0.0, 0.5), (1.0, 0.5)]
    for point, weight in ends if plant.rod_spread == POINTS else places:
        moved = tip_speed + point * (end_speed - tip_speed)
        kinetic += 2 * plant.rod_mass * weight * (moved**2).sum()
        height += 2 * plant.rod_mass * weight * (tip + point * (end - tip))[:, 2].sum()
    for point, weight in ends if plant.bar_spread == POINTS else places:
        moved = velocity[:3] + point * (plate - velocity[:3])
        kinetic += 2 * plant.bar_mass * weight * moved @ moved
        height += 2 * plant.bar_mass * weight * pose[2]
    return kinetic / 2 + GRAVITY * height, speed


@pytest.mark.parametrize("plant", [Plant(rod_mass=0.3, bar_mass=0.5, pulley_inertia=1e-3), Plant().simplified()])
def test_the_plant_keeps_its_balance_of_energy(plant):
    step, torque = 1e-5, np.array([40.0, -50.0, 30.0, 60.0])
    for pose, velocity, _ in zip(*states(10), strict=True):
        slope = plant.acceleration(pose, velocity, torque)
        ends = [energy(plant, pose + t * velocity + t * t / 2 * slope, velocity + t * slope)[0] for t in (step, -step)]
        speed = energy(plant, pose, velocity)[1]
        power = (torque - plant.friction(speed)) @ speed
        assert abs((ends[0] - ends[1]) / (2 * step) - power) < 1e-5 * (1 + abs(power))


def test_a_multibody_engine_finds_the_same_torques():
    """Bars as thick as cylinders are the only difference: some 1e-6 kg m^2 about their axes."""
    pytest.importorskip("pinocchio")
    q, dq, ddq = (values[200:260:4] for values in joint_motion(references(3.0, (1,))[:, 0], 1000.0))
    poses = geometry.forward_kinematics(q)
    first, _ = geometry.jacobians(poses, q)
    velocity = (first @ dq[..., None])[..., 0]
    of_pose, _, slope = geometry.jacobian_parts(poses, q)
    right = slope * ddq + joint_drift(poses, velocity, q, dq)
    acceleration = np.linalg.solve(of_pose, right[..., None])[..., 0]
    for plant in (Plant(), Plant().simplified()):
        found = multibody_torques(plant, q, dq, ddq)
        assert np.abs(found - plant.torques(poses, velocity, acceleration)).max() < 1e-4 * np.abs(found).max()
    with pytest.raises(InputError, match="loops of the multibody Par4 do not close at sample 1"):
        multibody_torques(Plant(), np.array([[3.0, -3.0, 0.0, 1.0]]), dq[:1], ddq[:1])


def test_gains_are_measured_within_what_friction_holds_back():
    true = np.array(Plant().gains)
    assert np.abs(np.array(GAINS) / true - 1).max() < 0.01
    assert np.abs(np.array(GAINS) / true - 1).max() > 1e-4
    exact = measured_gains(Plant(coulomb=(0.0,) * 4), 3)
    assert np.abs(np.array(exact) / true - 1).max() < 0.005


def test_an_adept_cycle_takes_its_time_and_no_more():
    poses = adept_poses(Adept(cycles=1), 10_000.0)
    assert Adept().cycle == pytest.approx(0.25, abs=1e-3)
    assert np.ptp(poses[:, 0]) == pytest.approx(ACROSS)
    assert np.ptp(poses[:, 2]) == pytest.approx(UP, abs=1e-9)
    speed = np.diff(poses[:, 0]) * 1e4
    assert np.abs(speed).max() == pytest.approx(5.0)
    assert np.abs(np.diff(speed)).max() * 1e4 == pytest.approx(150.0, rel=1e-6)
    assert np.abs(poses[0] - poses[-1]).max() < 1e-12


def test_the_arms_overshoot_under_the_papers_control():
    reference, found = adept_cycles(Plant(), Adept(cycles=1))
    over = (found.poses[:, 0, 0].max() - reference[:, 0].max()) / ACROSS
    assert 0.02 < over < 0.12
    assert np.abs(found.poses[-1, 0] - reference[-1]).max() < 0.02
    assert np.abs(found.voltages).max() < 10.0


@pytest.mark.parametrize(
    ("pose", "told"),
    [
        ([0.0, 0.0, -1.3, 0.0], "t = 0.002 s the forearm of chain 1 is too short or too long"),
        ([0.0, 0.0, -0.82, 1.57], "theta = 89.95 degrees"),
    ],
)
def test_trajectories_that_cannot_be_are_refused(pose, told):
    poses = np.tile(geometry.START, (5, 1))
    poses[2] = pose
    with pytest.raises(InputError, match=told):
        joint_motion(poses, 1000.0)


def test_joints_without_a_pose_are_refused():
    with pytest.raises(InputError, match="at sample 2 of 2; check that they are in rad"):
        geometry.forward_kinematics(np.array([[0.5] * 4, [3.0, -3.0, 0.0, 1.0]]))


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--robot", "h4", "--motion", "--multibody"], "no multibody model of the H4"),
        (["--robot", "par4", "--multibody"], "give --motion too"),
        (["--robot", "par5", "--motion"], "h4, "),
        (["--robot", "par4", "--motion", "--seconds", "1"], "choose 3 to 120 s"),
        (["--robot", "arm", "--motion", "--multibody"], "--motion simulates"),
    ],
)
def test_what_cannot_be_simulated_of_it_is_said(words, told, tmp_path, capsys):
    assert main(["simulate", *words, "--out", str(tmp_path)]) == 2
    assert told in capsys.readouterr().err


@pytest.mark.thorough
def test_the_shipped_log_is_identified_and_the_planted_values_are_inside(tmp_path, capsys):
    log, known = shipped("par4").parent / "motion.csv", known_robot("par4")
    assert log.read_text().startswith("# simulated")
    rows = known.equations(log)
    assert np.abs(rows.torques - rows.matrix @ Plant().parameters).max() < 3.0
    words = ["--robot", "par4", "--bound", known.bound, "--out", str(tmp_path / "out"), "--quiet", "--json"]
    assert main(["identify", str(log), *words]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["verdict"] == "adequate"
    for parameter, planted in zip(told["parameters"], Plant().parameters, strict=True):
        assert parameter["interval"][0] <= planted <= parameter["interval"][1]
    words[3] = "1.5 Nm"
    assert main(["identify", str(log), *words]) == 0
    assert json.loads(capsys.readouterr().out)["verdict"] == "inadequate"


@pytest.mark.thorough
def test_the_shipped_log_is_what_the_simulation_writes(tmp_path):
    words = ["--robot", "par4", "--motion", "--seconds", "3", "--seed", "3", "--out", str(tmp_path)]
    assert main(["simulate", *words]) == 0
    found, kept = (read_log(path, FORM) for path in (tmp_path / "motion.csv", shipped("par4").parent / "motion.csv"))
    assert np.abs(found.joints - kept.joints).max() < 1e-6
    assert np.abs(found.drives - kept.drives).max() < 0.05


def test_each_motor_has_its_gain(tmp_path, capsys):
    log = shipped("par4").parent / "motion.csv"
    words = ["identify", str(log), "--robot", "par4", "--bound", "3", "--out", str(tmp_path / "out")]
    for gain, told in (("40, 40", "is for 2 joints; give one for all 4, or 4"), ("40, 0, 40, 40", "filter nothing")):
        assert main([*words, "--gain", gain]) == 2
        assert told in capsys.readouterr().err
    assert main([*words, "--encoder-step", "0.0001 rad"]) == 2
    assert "not worked out" in capsys.readouterr().err
    known = known_robot("par4")
    rows, others = known.equations(log), known.equations(log, Chain(gain=(10.0, 20.0, 30.0, 40.0)))
    shares = (others.torques / rows.torques).reshape(-1, 4)
    assert np.abs(shares - np.array([10, 20, 30, 40]) / np.array(GAINS)).max() < 1e-6


@pytest.mark.thorough
def test_a_designed_trajectory_is_followed(tmp_path, capsys):
    """And one that leaves the workspace is refused, with the time."""
    t = np.arange(3000) / 1000
    for height, code in ((0.02, 0), (0.8, 2)):
        pose = np.tile(START, (3000, 1))
        pose[:, 2] += height * (1 - np.cos(2 * np.pi * t / 3)) / 2
        speed = np.gradient(pose, 1e-3, axis=0) * (t > 0)[:, None]
        moved = np.stack([pose, speed, np.gradient(speed, 1e-3, axis=0)])
        names, units = zip(*known_robot("par4").coordinates, strict=True)
        (tmp_path / "run.csv").write_text(trajectory_text(Trajectory(t, moved), names, units, "a test"))
        words = ["--trajectory", str(tmp_path / "run.csv"), "--out", str(tmp_path / "followed")]
        assert main(["simulate", "--robot", "par4", "--motion", *words]) == code
    assert "cannot be reached: at t = " in capsys.readouterr().err
    assert np.abs(read_log(tmp_path / "followed" / "motion.csv", FORM).joints).max() > 0.5


@pytest.mark.thorough
def test_the_papers_table_and_figures_are_remade(capsys):
    pytest.importorskip("pinocchio")
    told = run(["--seed", "Par4", "--seconds", "3"])
    assert 0.02 < told["figure 4"]["overshoot [%]"] / 100 < 0.12
    for motion in told["figure 6"].values():
        assert 0.01 < motion["rms error / rms torque"] <= 0.05
        assert sum(motion["shares"].values()) > 0.02
        low, high = motion["smallest bound"]["some"]
        assert 0.1 < low <= high < low + 1e-4
    assert told["table 1"]["inside"] == 6
    assert told["figure 7"]["rms error / rms torque"] < 0.05
    assert capsys.readouterr().out.count("SIMULATED") == 2
