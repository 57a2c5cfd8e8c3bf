"""Estimates from repeated periods against planted truth: covariances, least squares, Gauss-Markov, likelihood."""

import numpy as np
import pytest

import certify
from benchmarks._palida_repeated import BOTH
from benchmarks._paper_palida import _runs
from benchmarks._paper_palida_figures import draw
from benchmarks.paper import run
from certify.claims.linear.periodic_claims import gaussian_words
from certify.problems.errors import InputError
from certify.problems.palida.bodies import BODIES, FRICTION
from certify.problems.palida.simulated_run import (
    OF_FORCES,
    OF_LENGTHS,
    PALIDA,
    Run,
    circle,
    exciting_motion,
    simulated_log,
    true_forces,
)
from certify.problems.periodic.fourier import FourierMotion, basis_in_time, by_frequency, fitted
from certify.problems.periodic.periodic_log import read_periodic_log, write_periodic_log
from certify.solvers.periodic_estimates.estimates import Choice, experiment_of
from certify.solvers.periodic_estimates.generalized_squares import gauss_markov, least_squares
from certify.solvers.periodic_estimates.likelihood import cramer_rao, derivatives, pack, residuals
from certify.solvers.periodic_estimates.noise import checked_covariance, noise_of

TRUTH = np.concatenate([BODIES.parameters, FRICTION])
MOTION = exciting_motion(2)


def test_a_series_and_its_derivatives():
    times, step = np.linspace(0.0, 2.0, 7), 1e-6
    now, later, before = (basis_in_time(3, 2.5, times + move) for move in (0.0, step, -step))
    np.testing.assert_allclose((later - before)[:2] / (2 * step), now[1:], atol=1e-7)
    moved = (basis_in_time(3, 2.5 + step, times) - basis_in_time(3, 2.5 - step, times)) / (2 * step)
    np.testing.assert_allclose(by_frequency(3, 2.5, times), moved, atol=1e-7)
    motion = FourierMotion.of_waves(np.random.default_rng(1).normal(size=(7, 2)), 3.0)
    times = np.arange(20) * (2 * np.pi / 3.0 / 20)
    np.testing.assert_allclose(
        fitted(motion.in_time(times)[0], times, 3, 3.0).coefficients, motion.coefficients, atol=1e-12
    )
    with pytest.raises(InputError, match="5 samples of a period do not tell 3 harmonics"):
        fitted(motion.in_time(times)[0][:5], times[:5], 3, 3.0)


def test_planted_covariances_come_back():
    random = np.random.default_rng(5)
    readings = random.standard_normal((40, 100, 6)) @ np.linalg.cholesky(OF_FORCES).T + 7.0
    noise = noise_of(readings, "forces")
    sizes = np.sqrt(np.outer(np.diag(OF_FORCES), np.diag(OF_FORCES)))
    assert np.abs((noise.covariance - OF_FORCES) / sizes).max() < 6.0 / np.sqrt(39 * 100)
    assert noise.gaussian_at(0.01)
    assert np.abs(noise.neighbours).max() < 0.1
    uniform = noise_of(random.uniform(-1, 1, (40, 100, 6)), "forces")
    assert not uniform.gaussian_at(0.01)


def test_least_squares_and_gauss_markov_are_what_they_say():
    random = np.random.default_rng(2)
    matrix, forces = random.normal(size=(10, 6, 3)), random.normal(size=(10, 6))
    whole, flat = np.kron(np.eye(10), OF_FORCES), matrix.reshape(60, 3)
    inverse = np.linalg.inv(whole)
    spread = np.linalg.inv(flat.T @ inverse @ flat)
    found = gauss_markov(matrix, forces, OF_FORCES)
    np.testing.assert_allclose(found.values, spread @ flat.T @ inverse @ forces.ravel(), rtol=1e-9)
    np.testing.assert_allclose(found.covariance, spread, rtol=1e-9)
    plain = least_squares(matrix, forces, OF_FORCES)
    left = np.linalg.inv(flat.T @ flat) @ flat.T
    np.testing.assert_allclose(plain.values, left @ forces.ravel(), rtol=1e-9)
    np.testing.assert_allclose(plain.covariance, left @ whole @ left.T, rtol=1e-9)
    with pytest.raises(InputError, match="full column rank"):
        least_squares(np.ones((10, 6, 2)), forces, OF_FORCES)


def test_without_noise_the_likelihood_finds_what_was_planted():
    run = Run(MOTION, samples=80, periods=1, noise=0.0)
    found = certify.periodic_estimates(simulated_log(run), PALIDA, of_readings=OF_LENGTHS, of_forces=OF_FORCES)
    assert np.abs((found.likelihood.estimate.values - TRUTH) / found.likelihood.estimate.deviations).max() < 1e-5
    assert abs(found.likelihood.motion.pulsation / MOTION.pulsation - 1.0) < 1e-9
    np.testing.assert_allclose(found.matrix @ TRUTH, found.forces, atol=1e-4)
    white, right = found.white
    again = np.linalg.lstsq(white, right, rcond=None)[0]
    np.testing.assert_allclose(again, TRUTH, rtol=1e-4, atol=1e-4)


@pytest.mark.thorough
def test_least_squares_and_gauss_markov_of_filtered_readings_are_enclosed():
    run = Run(MOTION, samples=80, periods=2)
    found = certify.periodic_estimates(simulated_log(run), PALIDA, of_readings=OF_LENGTHS, of_forces=OF_FORCES)
    for estimate, rows in (
        (found.squares, (found.filtered_matrix, found.forces)),
        (found.gauss_markov, found.filtered_white),
    ):
        fit = certify.fit("linear", *rows)
        assert min(fit.digits.values()) >= 9
        for value, (low, high) in zip(estimate.values, fit.box.values(), strict=True):
            assert abs(value - float(low + high) / 2) <= 1e-7 * max(1.0, abs(value))
    along = certify.fit("linear", found.matrix, found.forces)
    assert np.abs(found.squares.values - [float(low) for low, _ in along.box.values()]).max() > 1e-3


def test_the_likelihood_has_the_jacobian_that_it_says():
    run = Run(MOTION, samples=40, periods=2)
    experiment, _ = experiment_of(simulated_log(run), PALIDA, Choice())
    point = pack(TRUTH, MOTION)
    found = derivatives(experiment, point, MOTION.harmonics)
    for k in (0, 9, 11, 20, 24, 30, 60, len(point) - 1):
        move = np.zeros(len(point))
        move[k] = 1e-6
        slope = (residuals(experiment, point + move, 5) - residuals(experiment, point - move, 5)) / 2e-6
        np.testing.assert_allclose(found[:, k], slope, rtol=1e-4, atol=1e-4 * np.abs(slope).max())


def test_errors_are_those_of_the_bound():
    """In standard errors, all 24 parameters of some runs have the size that Cramer and Rao's bound says: 10 runs of 24
    numbers, whose mean square is 1 within 0.4 (their correlations leave it a wide spread).
    """
    run = Run(MOTION, samples=80, periods=4)
    truth, found = true_forces(run), []
    for seed in range(6):
        log = simulated_log(Run(MOTION, 80, 4, seed), truth)
        found.append(certify.periodic_estimates(log, PALIDA, of_readings=OF_LENGTHS, of_forces=OF_FORCES))
    bound = np.linalg.inv(cramer_rao(found[0].experiment, TRUTH, MOTION))
    off = [one.likelihood.estimate.values - TRUTH for one in found]
    mean = np.mean([part @ bound @ part for part in off]) / len(TRUTH)
    assert 0.6 < mean < 1.5


def test_a_log_of_ones_own_and_its_mistakes(tmp_path):
    log = simulated_log(Run(circle(), samples=40, periods=3))
    path = tmp_path / "log.csv"
    write_periodic_log(path, log)
    again = read_periodic_log(path, log.period)
    assert again.periods == 3
    np.testing.assert_allclose(again.forces, log.forces, rtol=1e-8)
    np.testing.assert_allclose(again.readings, log.readings, rtol=1e-8)
    for period, message in (
        (log.period * 1.01, "40.4 of"),
        (0.0, "give the time in s"),
        (200 * log.period, "less than a period"),
    ):
        with pytest.raises(InputError, match=message):
            read_periodic_log(path, period)
    with pytest.raises(InputError, match="one period does not tell its noise"):
        certify.periodic_estimates(log.first(1), PALIDA, order=1)
    few = certify.PeriodicLog(log.times[:3], log.readings[:2, :3], log.forces[:2, :3])
    with pytest.raises(InputError, match="fewer than the covariance of 6 channels has rows"):
        certify.periodic_estimates(few, PALIDA, order=1)
    with pytest.raises(InputError, match=r"shape \(2, 3\).*channel"):
        certify.PeriodicLog(log.times, np.ones((2, 3)), log.forces)


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        (np.eye(5), r"shape \(5, 5\); give 6 rows"),
        (np.eye(6) + np.eye(6, k=1), r"not symmetric: entry \(1, 2\) is 1"),
        (np.diag([1.0, 1, 1, 1, 1, -2]), "smallest eigenvalue is -2"),
        (np.ones((6, 6)), "no covariance of independent channels"),
        (np.diag([1.0, 1, 1, 1, 1, np.nan]), r"entry \(6, 6\) is nan"),
    ],
)
def test_a_matrix_that_is_no_covariance(matrix, message):
    with pytest.raises(InputError, match=message):
        checked_covariance(matrix, 6, "the covariance of the forces")


@pytest.mark.parametrize(("samples", "told"), [(4, "was not tested"), (40, "tests do not reject that it is Gaussian")])
def test_tests_that_too_few_readings_allow_reject_nothing(samples, told):
    noise = noise_of(np.random.default_rng(1).normal(size=(2, samples, 1)), "readings")
    assert told in gaussian_words(noise)


def test_a_period_that_drifts_over_a_long_log_is_refused(tmp_path):
    log = simulated_log(Run(MOTION, 20, 30))
    write_periodic_log(tmp_path / "log.csv", log)
    assert read_periodic_log(tmp_path / "log.csv", log.period).periods == 30
    off = log.period * (1 + 0.009 / 20)  # 0.009 of a sample in each period
    with pytest.raises(InputError, match=r"30 periods drift by 0\.27 samples; give the period with more digits"):
        read_periodic_log(tmp_path / "log.csv", off)


@pytest.mark.thorough
def test_the_papers_tables_and_figures_are_remade(tmp_path, capsys):
    found, repeated = _runs(MOTION, 2), {one: np.random.default_rng(1).normal(size=(9, 24)) for one in BOTH}
    assert draw(found, repeated, tmp_path / "page.png")
    told = run(["--seed", "PaLiDA", "--runs", "2", "--evaluations", "10", "--repetitions", "1"])
    assert told["table I"] == dict(zip(PALIDA.names, TRUTH.tolist(), strict=True))
    assert [len(told["table II"]["deviations"][one.value]) for one in BOTH] == [24, 24]
    assert np.shape(told["table III"]["bias"]) == (4, 24)
    assert min(min(digits) for digits in told["certified"]["digits"].values()) >= 9
    assert all(one["fits"] and not one["refuted"] for one in told["cogging"])
    printed = capsys.readouterr().out
    assert all(f"S1 {name}" in printed for name in ("table I:", "table II:", "table III:", "section V:"))
    assert printed.count("simulated, never measured") == 2
