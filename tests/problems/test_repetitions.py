"""Means and deviations of repeated readings equal numpy's; the split into runs and images finds what was planted."""

import numpy as np
import pytest

from certify.problems.readings.repetitions import means, spread, unwrapped


def layout(poses, runs, images):
    run = np.repeat(np.arange(poses * runs), images)
    return run // runs, run


def test_they_are_what_numpy_says():
    pose, run = layout(7, 3, 4)
    values = np.random.default_rng(1).normal(5.0, 2.0, pose.size)
    cube = values.reshape(7, 3, 4)
    assert means(values, pose) == pytest.approx(cube.mean(axis=(1, 2)))
    found = spread(values, pose, run)
    assert found.centred == pytest.approx((cube - cube.mean(axis=(1, 2), keepdims=True)).ravel())
    assert found.distribution == pytest.approx(np.std(cube - cube.mean(axis=(1, 2), keepdims=True)))
    assert found.image == pytest.approx(np.sqrt(cube.var(axis=2, ddof=1).mean()))
    between = 4 * cube.mean(axis=2).var(axis=1, ddof=1).mean()
    assert found.run == pytest.approx(np.sqrt(max(0.0, (between - found.image**2) / 4)))
    assert found.deviation == pytest.approx(np.hypot(found.run, found.image))


@pytest.mark.parametrize(("runs", "images"), [(2, 1), (1, 2), (2, 2), (11, 11), (2, 5)])
def test_planted_deviations_are_found(runs, images):
    """Also with two repetitions only, where the deviation of centred readings is too small by half."""
    rng = np.random.default_rng(2)
    poses = 20_000 // (runs * images)
    pose, run = layout(poses, runs, images)
    of_run, of_image = (0.3 if runs > 1 else 0.0), (0.4 if images > 1 else 0.0)
    values = 10.0 * pose + of_run * rng.standard_normal(poses * runs)[run] + of_image * rng.standard_normal(run.size)
    found = spread(values, pose, run)
    assert found.run == pytest.approx(of_run, rel=0.12)
    assert found.image == pytest.approx(of_image, rel=0.05)
    assert found.deviation == pytest.approx(np.hypot(of_run, of_image), rel=0.05)


def test_unequal_numbers_of_images():
    rng = np.random.default_rng(3)
    sizes = rng.integers(1, 6, 3 * 4000)
    run = np.repeat(np.arange(sizes.size), sizes)
    values = 0.3 * rng.standard_normal(sizes.size)[run] + 0.4 * rng.standard_normal(run.size)
    found = spread(values, run // 3, run)
    assert found.run == pytest.approx(0.3, rel=0.06)
    assert found.image == pytest.approx(0.4, rel=0.05)


def test_equal_images_are_no_noise():
    pose, run = layout(5, 3, 7)
    values = 400.0 + np.random.default_rng(4).normal(0.0, 0.01, 15)[run]
    assert spread(values, pose, run).image == 0.0


def test_nothing_repeated_says_nothing():
    assert spread(np.arange(4.0), np.arange(4), np.arange(4)) is None


def test_angles_of_a_pose_do_not_jump():
    group = np.array([0, 1, 0, 1, 0])
    angles = unwrapped(np.array([179.9, -10.0, -179.9, -10.2, 540.3]), group)
    assert angles == pytest.approx([179.9, -10.0, 180.1, -10.2, 180.3])
