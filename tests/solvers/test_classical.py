"""Levenberg-Marquardt, the two classical solutions, observability and validation, against numpy and against planted
robots.
"""

import numpy as np
import pytest

from certify.problems.errors import InputError
from certify.problems.robots.forward_kinematics import leg_lengths, rigid_joints
from certify.problems.robots.gough_squared import Leg
from certify.problems.simulation.table_of_stewart import blueprint, calibrated
from certify.solvers.advice.classical_fit import deviations_of_f, unweighted_fit, weighted_fit
from certify.solvers.advice.observability import observability
from certify.solvers.advice.validation import improvement, pose_errors
from certify.solvers.fits.levenberg_marquardt import minimise

ROBOT = np.array(calibrated(), dtype=np.float64)
BLUEPRINT = np.array(blueprint(), dtype=np.float64)
SIGMAS = np.array([0.0633, 0.023, 0.0608, 0.00923, 0.0119, 0.00894, 0.0077])


def poses(count, seed):
    rng = np.random.default_rng(seed)
    return np.hstack(
        [rng.uniform(-60, 60, (count, 2)), rng.uniform(300, 400, (count, 1)), rng.uniform(-25, 25, (count, 3))]
    )


def readings(robot, where):
    lengths = leg_lengths(rigid_joints(robot[:, :3], robot[:, 3:6]))
    return np.array([lengths(pose) - robot[:, 6] for pose in where])


def leg(where, number, noise=0.0, seed=0):
    """Measurements of one leg of the true robot, disturbed by `noise` times the paper's noise."""
    rng = np.random.default_rng(seed)
    true = readings(ROBOT, where)[:, number]
    disturbed = where + noise * SIGMAS[:6] * rng.standard_normal(where.shape)
    return Leg(disturbed[:, :3], disturbed[:, 3:], true + noise * SIGMAS[6] * rng.standard_normal(len(where)))


def test_a_linear_problem_is_solved_as_numpy_does():
    rng = np.random.default_rng(1)
    matrix, right = rng.standard_normal((20, 5)), rng.standard_normal(20)
    found = minimise(lambda x: (matrix @ x - right, matrix), np.zeros(5))
    expected, cost = np.linalg.lstsq(matrix, right, rcond=None)[:2]
    assert found.x == pytest.approx(expected, abs=1e-9)
    assert found.cost == pytest.approx(cost[0])
    assert found.stationary


@pytest.mark.parametrize("start", [(-1.2, 1.0), (5.0, -3.0), (0.0, 0.0)])
def test_the_valley_of_rosenbrock_is_followed_to_its_end(start):
    def system(x):
        return np.array([10 * (x[1] - x[0] ** 2), 1 - x[0]]), np.array([[-20 * x[0], 10.0], [-1.0, 0.0]])

    found = minimise(system, np.array(start), 200)
    assert found.x == pytest.approx([1.0, 1.0], abs=1e-8)
    assert found.stationary
    assert not minimise(system, np.array([-1.2, 1.0]), 1).stationary


def test_a_minimum_that_is_not_zero():
    """min (x^2 - 1)^2 + (x - 3)^2 at the real root of 2 x (x^2 - 1) + x - 3 = 0."""
    found = minimise(lambda x: (np.array([x[0] ** 2 - 1, x[0] - 3]), np.array([[2 * x[0]], [1.0]])), np.array([5.0]))
    root = next(r.real for r in np.roots([2, 0, -1, -3]) if abs(r.imag) < 1e-12)
    assert found.x[0] == pytest.approx(root, abs=1e-7)
    assert found.stationary


def test_derivatives_are_those_of_differences():
    one = leg(poses(5, 2), 3, noise=1.0)
    x = BLUEPRINT[3]
    for j, step in enumerate(1e-5 * np.eye(7)):
        assert one.slopes(x)[:, j] == pytest.approx(
            (one.values(x + step) - one.values(x - step)) / 2e-5, rel=1e-6, abs=1e-4
        )
    columns = np.hstack([one.positions, one.angles, one.readings[:, None]])
    for j, step in enumerate(1e-5 * np.eye(7)):
        ends = [Leg(c[:, :3], c[:, 3:6], c[:, 6]).values(x) for c in (columns + step, columns - step)]
        assert one.measured_slopes(x)[:, j] == pytest.approx((ends[0] - ends[1]) / 2e-5, rel=1e-6, abs=1e-4)


@pytest.mark.parametrize("number", range(6))
def test_exact_readings_give_the_true_robot(number):
    one = leg(poses(20, 3), number)
    for fit in (unweighted_fit(one, BLUEPRINT[number]), weighted_fit(one, BLUEPRINT[number], np.tile(SIGMAS, (20, 1)))):
        assert fit.x == pytest.approx(ROBOT[number], abs=1e-6)
        assert fit.stationary
        assert fit.cost < 1e-10


def test_the_weighted_fit_solves_the_weighted_normal_equations():
    """Where it ends, J'W f = 0 with W the inverse variances there, and a Gauss-Newton step by normal equations does not
    move it.
    """
    where = poses(40, 4)
    one, sigmas = leg(where, 2, noise=3.0), SIGMAS * np.random.default_rng(5).uniform(0.3, 3.0, (40, 1))
    fit = weighted_fit(one, BLUEPRINT[2], sigmas)
    weights = np.diag(1.0 / deviations_of_f(one, fit.x, sigmas) ** 2)
    slopes, values = one.slopes(fit.x), one.values(fit.x)
    step = np.linalg.solve(slopes.T @ weights @ slopes, slopes.T @ weights @ values)
    assert step == pytest.approx(np.zeros(7), abs=1e-5)
    assert fit.stationary
    assert np.abs(fit.x - unweighted_fit(one, BLUEPRINT[2]).x).max() > 1e-3


def test_first_order_deviations_are_those_of_many_draws():
    where = poses(3, 6)
    one, rng = leg(where, 1), np.random.default_rng(7)
    columns = np.hstack([one.positions, one.angles, one.readings[:, None]])
    draws = []
    for _ in range(4000):
        c = columns + SIGMAS * rng.standard_normal(columns.shape)
        draws.append(Leg(c[:, :3], c[:, 3:6], c[:, 6]).values(ROBOT[1]))
    assert deviations_of_f(one, ROBOT[1], np.tile(SIGMAS, (3, 1))) == pytest.approx(np.std(draws, axis=0), rel=0.06)


def test_weights_follow_only_the_proportions_of_the_sigmas():
    one, sigmas = leg(poses(20, 8), 0, noise=2.0), np.tile(SIGMAS, (20, 1))
    assert weighted_fit(one, BLUEPRINT[0], 7 * sigmas).x == pytest.approx(
        weighted_fit(one, BLUEPRINT[0], sigmas).x, abs=1e-6
    )


def test_a_pose_without_any_error_cannot_be_weighed():
    sigmas = np.tile(SIGMAS, (20, 1))
    sigmas[4] = 0.0
    with pytest.raises(InputError, match=r"pose 5 has only half-widths of 0, so it would weigh infinitely"):
        weighted_fit(leg(poses(20, 9), 0), BLUEPRINT[0], sigmas)


def test_observability_is_made_of_singular_values():
    matrix = np.diag([8.0, 4.0, 2.0])[[0, 1, 2, 0]] * np.array([[1.0], [1.0], [1.0], [0.0]])
    found = observability(matrix)
    assert found.product == pytest.approx(64.0)
    assert found.condition == pytest.approx(4.0)
    assert found.smallest == pytest.approx(2.0)
    assert found.noise_amplification == pytest.approx(0.5)
    assert found.root_mean == pytest.approx(4.0 / 2.0)


def test_more_poses_are_seen_better_and_too_few_not_at_all():
    few, many = (observability(leg(poses(count, 10), 0).slopes(ROBOT[0])) for count in (8, 64))
    assert many.smallest > few.smallest
    assert many.noise_amplification > few.noise_amplification
    none = observability(leg(poses(5, 10), 0).slopes(ROBOT[0]))
    assert none.smallest == 0.0
    assert none.condition == float("inf")
    assert none.product == 0.0


def test_validation_finds_the_displacement_that_was_planted():
    where = poses(10, 11)
    seen = where + np.array([0.3, 0.0, 0.4, 0.0, 0.0, 0.0])
    labels = tuple(map(str, range(10)))
    right = pose_errors(ROBOT, where, readings(ROBOT, where), labels)
    assert right.summary == pytest.approx((0.0, 0.0, 0.0, 0.0), abs=1e-7)
    moved = pose_errors(ROBOT, seen, readings(ROBOT, where), labels)
    assert moved.position == pytest.approx(np.full(10, 0.5), abs=1e-7)
    assert moved.orientation == pytest.approx(np.zeros(10), abs=1e-7)
    turned = where.copy()
    turned[:, 5] += 0.25
    assert pose_errors(ROBOT, turned, readings(ROBOT, where), labels).orientation == pytest.approx(
        np.full(10, 0.25), abs=1e-7
    )
    assert improvement(np.array([2.0, 1.0]), np.array([0.5, 2.0])) == pytest.approx([75.0, -100.0])


def test_readings_that_no_pose_has_are_named():
    where = poses(2, 12)
    wrong = readings(ROBOT, where)
    wrong[1] += np.array([900.0, -200.0, 900.0, -200.0, 900.0, -200.0])
    with pytest.raises(InputError, match=r"validation pose second: no platform pose near the measured one"):
        pose_errors(ROBOT, where, wrong, ("first", "second"))
