"""One stationary point of PaLiDA's likelihood: derivatives against differences, and boxes that hold it or do not."""

from dataclasses import replace

import numpy as np
import pytest

import certify
from certify.periodic.ball_matrices import times, total
from certify.periodic.likelihood_hessian import enclosed_hessian
from certify.problems.dynamics.balls import Balls
from certify.problems.palida.simulated_run import OF_FORCES, OF_LENGTHS, PALIDA, Run, exciting_motion, simulated_log
from certify.solvers.periodic_estimates.likelihood import derivatives, pack, residuals


def estimates(samples):
    log = simulated_log(Run(exciting_motion(), samples, 1))
    return certify.periodic_estimates(log, PALIDA, of_readings=OF_LENGTHS, of_forces=OF_FORCES)


def test_products_of_balls_hold_all_products():
    random = np.random.default_rng(1)
    left, right = (Balls.of(random.normal(size=(5, 30, 30)), random.uniform(0, 0.1, (5, 30, 30))) for _ in range(2))
    product = times(left, right)
    for _ in range(20):
        a, b = (part.middle + random.choice([-1, 1], part.middle.shape) * part.radius for part in (left, right))
        assert (np.abs(a @ b - product.middle) <= product.radius).all()
    values = Balls.of(np.array([1e16, 1.0, -1e16]))
    assert abs(total(values, 0).middle - 1.0) <= total(values, 0).radius


@pytest.mark.thorough
def test_the_derivatives_are_those_of_the_sum_of_squares():
    found = estimates(16)
    point = pack(found.likelihood.estimate.values, found.likelihood.motion)
    gradient, hessian = enclosed_hessian(found.experiment, 5, point, 0.0 * point)

    def slope(x):
        return derivatives(found.experiment, x, 5).T @ residuals(found.experiment, x, 5)

    errors = 1.0 / np.sqrt(np.diag(found.likelihood.information))
    assert np.abs((gradient.middle - slope(point)) * errors).max() < 1e-5
    for k in (1, 11, 14, 25, 40, 90):
        move = np.zeros(len(point))
        move[k] = 1e-2 * errors[k]
        change = (slope(point + move) - slope(point - move)) / (2 * move[k])
        np.testing.assert_allclose(hessian.middle[k] * errors * errors[k], change * errors * errors[k], atol=1e-4)


@pytest.mark.thorough
def test_there_is_one_next_to_the_estimate_and_none_is_claimed_elsewhere():
    found = estimates(24)
    alone = certify.stationary_point(found)
    assert alone.share is not None
    assert alone.unknowns == 12 * 5 + 31
    own = replace(found.experiment.model, regressor=lambda *motion: np.zeros((1, 1)))
    foreign = replace(found, experiment=replace(found.experiment, model=own))
    with pytest.raises(certify.InputError, match="no formula that could be enclosed"):
        certify.stationary_point(foreign)
