"""One stationary point of PaLiDA's likelihood: derivatives against differences, and boxes that hold it or do not."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

import certify
from certify.claims.linear.periodic_claims import stationary_lines
from certify.periodic import stationary
from certify.periodic.ball_matrices import times, total
from certify.periodic.likelihood_hessian import enclosed_hessian
from certify.problems.dynamics.balls import Balls
from certify.problems.palida.simulated_run import OF_FORCES, OF_LENGTHS, PALIDA, Run, exciting_motion, simulated_log
from certify.records.verdicts import Verdict
from certify.runs.identification_run import About, IdentificationRun
from certify.solvers.limits import Stopped
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
    other = replace(found.experiment.model, readings=lambda pose: 2.0 * PALIDA.readings(pose))
    with pytest.raises(certify.InputError, match="no formula that could be enclosed"):
        certify.stationary_point(replace(found, experiment=replace(found.experiment, model=other)))


@pytest.mark.thorough
def test_how_far_the_box_is_off_the_estimate_is_told_and_boxes_with_singular_poses_are_passed_over(monkeypatch):
    found = estimates(24)
    likely = found.likelihood
    estimate = likely.estimate
    away = replace(estimate, values=estimate.values + 5e-3 * estimate.deviations)
    monkeypatch.setattr(stationary, "SHARES", (1e6, *stationary.SHARES))
    alone = certify.stationary_point(replace(found, likelihood=replace(likely, estimate=away)))
    assert alone.share is not None and alone.share < 1e-2
    assert 4.9e-3 < alone.moved < 5.1e-3
    off = np.abs(alone.point[: len(away.values)] - away.values) / estimate.deviations
    assert off.max() <= alone.moved
    assert "off the estimate" in stationary_lines(alone)[0]
    assert "exactly one stationary point within" in stationary_lines(alone)[0]


@pytest.mark.parametrize(("share", "code"), [(1e-4, 0), (None, 3)])
def test_an_open_answer_has_the_exit_code_of_open_answers(share, code):
    answer = SimpleNamespace(
        verdict=Verdict.ADEQUATE, open_ends=(), error=SimpleNamespace(upper=1), stopped=Stopped.FINISHED,
        is_physically_decided=True,
    )  # fmt: skip
    point = stationary.StationaryPoint(np.zeros(1), np.ones(1), share)
    assert IdentificationRun(answer, (), (), "", about=About(stationary=point)).exit_code == code
