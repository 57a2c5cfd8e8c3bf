"""PaLiDA's forces against Newton and Euler's equations of nineteen bodies, against energy, and its kinematics."""

from dataclasses import replace

import numpy as np
import pytest

from certify.problems.errors import InputError
from certify.problems.palida import (
    BODIES,
    FRICTION,
    HOME,
    REACH,
    forward_kinematics,
    full_forces,
    inverse_kinematics,
    regressor,
    strut_speeds,
)
from certify.problems.palida.bodies import KNOWN, Body
from certify.problems.palida.geometry import check_regular
from certify.problems.palida.regressor import GRAVITY


def moving(count, seed=1):
    """Poses, velocities and accelerations, two thirds of the way to the ends of what is reached."""
    random = np.random.default_rng(seed)
    pose = HOME + REACH * random.uniform(-0.7, 0.7, (count, 6))
    return pose, random.normal(size=(count, 6)), 5.0 * random.normal(size=(count, 6))


def random_bodies(seed):
    """Bodies with the symmetries that S1's parameters take, and no others."""
    random = np.random.default_rng(seed)
    ring, stator, slider, platform = (random.uniform(0.5, 2.0, 3) for _ in range(4))
    return replace(
        BODIES,
        ring=Body.aligned(1.0, (0.0, 0.0, 0.0), tuple(ring)),
        stator=Body.aligned(3.0, (0.0, random.normal(), 0.0), tuple(stator)),
        slider=Body.aligned(2.5, (0.0, 0.0, random.normal()), tuple(slider)),
        platform=Body.aligned(6.0, (0.0, 0.0, random.normal()), tuple(platform)),
    )


@pytest.mark.parametrize("seed", range(4))
def test_the_regressor_is_newton_and_euler(seed):
    bodies = random_bodies(seed) if seed else BODIES
    at = moving(4, seed)
    whole = full_forces(*at, bodies, FRICTION)
    linear = regressor(*at) @ np.concatenate([bodies.parameters, FRICTION])
    assert np.abs(whole).max() > 30.0
    np.testing.assert_allclose(linear, whole, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(
    ("name", "moment", "product"),
    [("ring", (0.01, 0, 0), 0), ("stator", (0, 0.5, 0.01), 0), ("slider", (0, 0, -1.299), 0.01), ("platform", 0, 0.01)],
)
def test_bodies_without_the_symmetries_have_other_forces(name, moment, product):
    """What the regressor takes for granted matters: a hundredth of a kg m or kg m^2 elsewhere is seen."""
    body = getattr(BODIES, name)
    skewed = body.inertia + product * (np.ones((3, 3)) - np.eye(3))
    bodies = replace(BODIES, **{name: Body(body.mass, np.array(moment) if moment else body.moment, skewed)})
    at = moving(3)
    linear = regressor(*at) @ np.concatenate([bodies.parameters, FRICTION])
    assert np.abs(full_forces(*at, bodies, FRICTION) - linear).max() > 1e-3


def test_the_bodies_are_real_and_give_what_was_known():
    np.testing.assert_allclose(BODIES.parameters, KNOWN, rtol=1e-12)
    for body in (BODIES.ring, BODIES.stator, BODIES.slider, BODIES.platform):
        low, middle, high = np.linalg.eigvalsh(body.central)
        assert low > 0
        assert low + middle > high


def test_the_drives_do_the_work_that_the_energy_takes():
    """Platform with the sliders' masses alone: d/dt of m |v|^2 / 2 + m g z is the drives' power, to second order."""
    pose, velocity, acceleration = moving(5)
    values = np.zeros(24)
    values[9] = 1.0
    power = (regressor(pose, velocity, acceleration) @ values * strut_speeds(pose, velocity)).sum(-1)
    expected = (velocity[:, :3] * (acceleration[:, :3] + np.array([0, 0, GRAVITY]))).sum(-1)
    np.testing.assert_allclose(power, expected, rtol=1e-10)


def test_kinematics():
    pose, velocity, _ = moving(50)
    np.testing.assert_allclose(forward_kinematics(inverse_kinematics(pose)), pose, atol=1e-12)
    step = 1e-6
    moved = (inverse_kinematics(pose + step * velocity) - inverse_kinematics(pose - step * velocity)) / (2 * step)
    np.testing.assert_allclose(strut_speeds(pose, velocity), moved, atol=1e-8)


def test_what_cannot_be_is_named():
    flat = np.array([0.0, 0.0, -0.105, 0.0, 0.0, 0.0])  # all struts in the base's plane
    with pytest.raises(InputError, match=r"pose 2 of PaLiDA.*is singular"):
        check_regular(np.stack([HOME, flat]))
    lengths = inverse_kinematics(np.stack([HOME, HOME]))
    lengths[1, 0] = 3.0
    with pytest.raises(InputError, match=r"no pose of PaLiDA was found.*sample 2"):
        forward_kinematics(lengths)
