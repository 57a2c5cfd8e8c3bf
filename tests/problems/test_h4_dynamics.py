"""The H4's geometry and torques against formulas of other origin, in many digits, and the simulated plant against the
balance of its energy.
"""

import flint
import numpy as np
import pytest

from certify.problems.dynamics.driven_arms import GRAVITY
from certify.problems.errors import InputError
from certify.problems.h4 import geometry
from certify.problems.h4.plant import Plant
from certify.problems.h4.torques import NAMES, UNITS, pose_acceleration, regressor

THETA = np.array([0.012, 0.013, 0.011, 0.014, 1.1, 0.0008, 0.16, 0.06, 0.09, 0.1, 1.0, 0.95, 0.72, 0.9])
ANGLES = ("0", "1", "1.5", "1.5")  # times pi: alpha of the four chains
SIDES = ((1, 1), (-1, 1), (-1, -1), (1, -1))  # of h and d


def states(count):
    random = np.random.default_rng(7)
    low, high = np.array([-0.1, -0.1, -0.52, -0.6]), np.array([0.1, 0.1, -0.40, 0.6])
    return random.uniform(low, high, (count, 4)), random.normal(size=(count, 4)), 20 * random.normal(size=(count, 4))


@pytest.fixture
def digits():
    before = flint.ctx.prec
    flint.ctx.prec = 400
    yield flint.arb("1e-30")
    flint.ctx.prec = before


def joint_angle(chain, pose, near):
    """q from (k + r) t^2 + 2 z t + (k - r) = 0, t = tan(q / 2): the closure of S0 eq. 2-9 in half angles."""
    x, y, z, theta = pose
    alpha = flint.arb(ANGLES[chain]) * flint.arb.pi()
    s, e = SIDES[chain]
    h, d, base, arm, rod = (flint.arb(text) for text in ("0.06", "0.05", "0.14", "0.26", "0.48"))
    a = (x + s * h * theta.cos() - s * h - base * alpha.cos(), y + s * h * theta.sin() - base * alpha.sin(), z)
    assert d * e != 0  # the same on base and nacelle: it drops out
    r = a[0] * alpha.cos() + a[1] * alpha.sin()
    k = (arm**2 + a[0] ** 2 + a[1] ** 2 + z**2 - rod**2) / (2 * arm)
    root = (z**2 - (k**2 - r**2)).sqrt()
    angles = [2 * ((-z + sign * root) / (k + r)).atan() for sign in (1, -1)]
    return min(angles, key=lambda q: abs(float(q.mid()) - near))


def exactly(values):
    return [flint.arb(float(value)) for value in values]


def test_kinematics_go_there_and_back():
    pose, _, _ = states(200)
    joints = geometry.inverse_kinematics(pose)
    assert np.abs(np.linalg.norm(geometry.rods(pose, joints), axis=-1) - 0.48).max() < 1e-15
    assert np.abs(geometry.forward_kinematics(joints) - pose).max() < 1e-13
    assert np.abs(geometry.inverse_kinematics(geometry.forward_kinematics(joints)) - joints).max() < 1e-13


def test_joint_angles_are_those_of_the_papers_closure(digits):
    pose, _, _ = states(20)
    joints = geometry.inverse_kinematics(pose)
    for row, angles in zip(pose, joints, strict=True):
        for chain, angle in enumerate(angles):
            assert abs(float((joint_angle(chain, exactly(row), angle) - float(angle)).mid())) < 1e-14


def test_the_jacobian_is_the_derivative():
    pose, _, _ = states(20)
    joints = geometry.inverse_kinematics(pose)
    step = 1e-5
    slopes = [
        (geometry.forward_kinematics(joints + step * one) - geometry.forward_kinematics(joints - step * one))
        / (2 * step)
        for one in np.eye(4)
    ]
    assert np.abs(np.stack(slopes, -1) - geometry.jacobian(pose, joints)).max() < 1e-8


def test_joints_without_a_pose_are_refused():
    with pytest.raises(InputError, match="in rad"):
        geometry.forward_kinematics(np.array([[35.0, 35.0, 35.0, 35.0], [3.0, -3.0, 0.0, 1.0]]))


def test_the_regressor_is_virtual_work(digits):
    """(Gamma - I ddq - F_v dq - F_s sign dq) . dq/dx_j = M_j (ddx_j - G_j), every derivative a difference quotient in
    120 digits of a closure that shares nothing with the Jacobian.
    """
    assert len(NAMES) == len(UNITS) == len(THETA)
    for pose, velocity, acceleration in zip(*states(4), strict=True):
        near = geometry.inverse_kinematics(pose)
        x, v, a = exactly(pose), exactly(velocity), exactly(acceleration)

        def angles(time, moved=-1, x=x, v=v, a=a, near=near):
            there = [x[j] + v[j] * time + a[j] * time**2 / 2 + (digits if j == moved else 0) for j in range(4)]
            return [joint_angle(chain, there, near[chain]) for chain in range(4)]

        middle, after, before = angles(flint.arb(0)), angles(digits), angles(-digits)
        dq = [(p - m) / (2 * digits) for p, m in zip(after, before, strict=True)]
        ddq = [(p - 2 * c + m) / digits**2 for p, c, m in zip(after, middle, before, strict=True)]
        floats = [np.array([float(value.mid()) for value in row]) for row in (middle, dq, ddq)]
        torque = regressor(*floats) @ THETA
        left = [
            float(torque[i]) - float(THETA[i]) * ddq[i] - float(THETA[6 + i]) * dq[i]
            - float(THETA[10 + i]) * (1 if floats[1][i] > 0 else -1)
            for i in range(4)
        ]  # fmt: skip
        for j, (mass, gravity) in enumerate(zip((1.1, 1.1, 1.1, 0.0008), (0, 0, -9.81, 0), strict=True)):
            moved = angles(flint.arb(0), j)
            work = sum(left[i] * (moved[i] - middle[i]) / digits for i in range(4))
            assert abs(float((work - mass * (a[j] - gravity)).mid())) < 1e-9


def energy(plant, pose, velocity):
    """Kinetic and potential energy; rods and arms by Gauss's points along them."""
    joints = geometry.inverse_kinematics(pose)
    step = 1e-6
    speed = (
        geometry.inverse_kinematics(pose + step * velocity) - geometry.inverse_kinematics(pose - step * velocity)
    ) / (2 * step)
    kinetic = plant.mass * velocity[:3] @ velocity[:3] + plant.inertia * velocity[3] ** 2
    kinetic += np.array(plant.motor_inertia) @ speed**2
    height = plant.mass * pose[2]
    tip, tip_speed = geometry.ARMS.along(joints), geometry.ARMS.tangents(joints) * speed[:, None]
    end = geometry.nacelle_joints(pose) - geometry.AXIS
    bar = geometry.bars(pose)
    end_speed = velocity[:3] + velocity[3] * np.stack([-bar[:, 1], bar[:, 0], 0 * bar[:, 0]], axis=1)
    points, weights = np.polynomial.legendre.leggauss(3)
    for point, weight in zip((points + 1) / 2, weights / 2, strict=True):
        arm, rod = point * tip_speed, tip_speed + point * (end_speed - tip_speed)
        kinetic += weight * (plant.arm_mass * (arm**2).sum() + plant.rod_mass * (rod**2).sum())
        rod_height = (tip + point * (end - tip))[:, 2].sum()
        height += weight * (plant.arm_mass * point * tip[:, 2].sum() + plant.rod_mass * rod_height)
    return kinetic / 2 + GRAVITY * height, speed


def test_the_plant_keeps_its_balance_of_energy():
    plant, step = Plant(arm_mass=0.3, rod_mass=0.2), 1e-5
    torque = np.array([1.0, -2.0, 0.5, 1.5])
    for pose, velocity, _ in zip(*states(10), strict=True):
        slope = plant.acceleration(pose, velocity, torque)
        ends = [energy(plant, pose + t * velocity + t * t / 2 * slope, velocity + t * slope)[0] for t in (step, -step)]
        speed = energy(plant, pose, velocity)[1]
        power = (torque - plant.friction(speed)) @ speed
        assert abs((ends[0] - ends[1]) / (2 * step) - power) < 1e-5 * (1 + abs(power))


def test_the_plant_without_its_riches_is_the_model():
    plant = Plant().as_modelled()
    pose, velocity, acceleration = states(30)
    joints = geometry.inverse_kinematics(pose)
    of_pose, of_joints = geometry.jacobian_parts(pose, joints)
    dq = (of_pose @ velocity[..., None])[..., 0] / of_joints
    flat = np.zeros_like(dq)
    drift = -pose_acceleration(pose, velocity, joints, dq, flat)
    ddq = (of_pose @ (acceleration + drift)[..., None])[..., 0] / of_joints
    smooth = plant.friction(dq) - plant.viscous * dq - plant.coulomb * np.sign(dq)
    torque = regressor(joints, dq, ddq) @ plant.parameters + smooth
    assert np.abs(plant.acceleration(pose, velocity, torque) - acceleration).max() < 1e-8
    assert plant.parameters[4] == plant.mass
    assert np.abs(Plant().acceleration(pose, velocity, torque) - acceleration).max() > 1.0
