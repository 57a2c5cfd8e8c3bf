"""What encoders' steps leave in a log's equations: against the filters as matrices, and points within the balls."""

import re
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from certify import InputError
from certify.problems.dynamics.balls import Balls, solved
from certify.problems.dynamics.encoder_errors import enclosed_chain, reading_errors, response
from certify.problems.dynamics.joint_log import JointLog
from certify.problems.dynamics.log_regressor import regressor_of_log
from certify.problems.dynamics.signal_chain import Chain, low_pass
from certify.problems.h4 import torques as h4_torques
from certify.problems.h4.enclosed import enclosed_pose, enclosed_regressor
from certify.problems.h4.geometry import forward_kinematics
from certify.problems.regressors.interval_regressor import IntervalRegressor
from certify.problems.regressors.regressor_file import Chosen

RATE, HALF = 1000.0, 5e-5
CHAIN = Chain(gain=1.5)
FREQUENCIES = np.array([0.7, 0.9, 1.1, 1.3])


def motion(samples=1500):
    """Smooth angles, with reversals, near the middle of the work space."""
    times = np.arange(samples) / RATE
    angles = 0.3 + 0.15 * np.sin(2 * np.pi * FREQUENCIES * times[:, None])
    return JointLog(times, angles, np.cos(3 * times)[:, None] * np.ones(4))


@pytest.mark.parametrize(("cut_off", "order", "samples"), [(40.0, 4, 400), (15.0, 2, 300), (90.0, 3, 150)])
def test_errors_are_no_less_than_the_filters_matrices_make_them(cut_off, order, samples):
    """Each row's sum of absolute weights, of the filter and of its differences, at the ends of the log, too."""
    chain = Chain(cut_off=cut_off, order=order)
    matrix = low_pass(np.eye(samples), cut_off, order, RATE)
    first = np.gradient(matrix, 1 / RATE, axis=0)
    second = np.gradient(first, 1 / RATE, axis=0)
    inside = slice(samples // 2 - 10, samples // 2 + 10)
    for found, exact in zip(reading_errors(samples, HALF, chain, RATE), (matrix, first, second), strict=True):
        true = HALF * np.abs(exact).sum(axis=1)
        assert (found >= true).all()
        assert (found[inside] <= 1.3 * true[inside]).all()


def test_a_response_that_is_too_long_is_refused():
    with pytest.raises(InputError, match="raise the cut-off"):
        response(0.05, 4, RATE)


def test_solutions_of_systems_within_balls_are_enclosed():
    rng = np.random.default_rng(0)
    A = Balls.of(np.eye(4) + 0.2 * rng.normal(size=(30, 4, 4)), 0.01)
    b = Balls.of(rng.normal(size=(30, 4)), 0.1)
    found = solved(A, b)
    for _ in range(20):
        matrix, right = (x.middle + rng.choice([-1, 1], x.middle.shape) * x.radius for x in (A, b))
        x = np.linalg.solve(matrix, right[..., None])[..., 0]
        assert (np.abs(x - found.middle) <= found.radius).all()
    with pytest.raises(InputError, match="singular"):
        solved(Balls.of(np.eye(4), 0.3), b[0])


def test_the_regressor_of_points_is_within_that_of_balls():
    rng = np.random.default_rng(1)
    q, dq, ddq = rng.uniform(0.1, 0.5, (50, 4)), rng.normal(size=(50, 4)), 20 * rng.normal(size=(50, 4))
    dq[:5, 0] = 0.001
    radii = (1e-4, 0.01, 1.0)
    balls = [Balls.of(value, radius) for value, radius in zip((q, dq, ddq), radii, strict=True)]
    found, pose = enclosed_regressor(*balls), enclosed_pose(balls[0])
    widest = np.zeros_like(found.radius)
    for _ in range(60):
        points = [b.middle + rng.choice([-1.0, 0.3, 1.0], b.middle.shape) * b.radius for b in balls]
        off = np.abs(h4_torques.regressor(*points) - found.middle)
        assert (off <= found.radius).all()
        assert (np.abs(forward_kinematics(points[0]) - pose.middle) <= pose.radius).all()
        widest = np.maximum(widest, off)
    assert (found.radius[:5, 0, -4] >= 1).all()
    assert (found.radius[:, 0, -3:] == 0).all()
    mass = np.median(found.radius[..., 4] / np.maximum(widest[..., 4], 1e-12))
    assert mass < 4  # not much wider than what points reach


def test_the_true_motions_rows_are_within_the_half_widths():
    rng = np.random.default_rng(2)
    true = motion()
    read = JointLog(true.times, true.joints + rng.choice([-HALF, HALF], true.joints.shape), true.drives)
    rows, found = (
        enclosed_chain(true, CHAIN, 1e-12, enclosed_regressor).rows,
        enclosed_chain(read, CHAIN, 2 * HALF, enclosed_regressor),
    )
    off = np.abs(rows.matrix - found.rows.matrix)
    assert (off <= found.half_widths).all()
    assert np.array_equal(rows.torques, found.rows.torques)
    assert found.still > 0
    assert found.still <= len(found.rows.torques)
    assert off[:, 4].max() > 0.01 * found.half_widths[:, 4].max()


def test_a_log_with_a_step_is_a_model_with_half_widths(tmp_path):
    log = motion()
    rows = np.column_stack([log.times, log.joints, log.drives])
    names = ["t [s]", *(f"q{k} [rad]" for k in range(1, 5)), *(f"V{k} [V]" for k in range(1, 5))]
    text = "\n".join([",".join(names), *(",".join(f"{value:.9g}" for value in row) for row in rows.tolist())])
    (tmp_path / "log.csv").write_text(text + "\n")
    chosen = Chosen("", "1 Nm")
    plain, told, none = regressor_of_log(tmp_path / "log.csv", "h4", chosen)
    assert "of the h4 with the dimensions and gain of its simulation, row by row" in told
    _, told, _ = regressor_of_log(tmp_path / "log.csv", "h4", chosen, gain=2.0)
    assert "of the h4 with the dimensions of its simulation, row by row" in told
    model, _, step = regressor_of_log(tmp_path / "log.csv", "h4", chosen, encoder_step="0.01 mrad")
    assert none is None
    assert isinstance(model, IntervalRegressor)
    assert not isinstance(plain, IntervalRegressor)
    assert model.rows == plain.rows == step.rows
    assert (model.low <= model.high).all()
    assert "0.01 mrad" in step.lines[0]
    assert re.match(f"At {step.still} of {step.rows} rows", step.lines[1])
    for wrong in ("0.01", "0.01 mm", "-1 rad", "much rad", "0 rad"):
        with pytest.raises(InputError):
            regressor_of_log(tmp_path / "log.csv", "h4", chosen, encoder_step=wrong)
    with pytest.raises(InputError, match=r"coarse|uncertain"):
        regressor_of_log(tmp_path / "log.csv", "h4", chosen, encoder_step="20 deg")
    assert Fraction(float(model.low[0, 0])) <= Fraction(float(model.high[0, 0]))


def test_reciprocals_of_numbers_whose_squares_are_too_small_for_doubles_hold_all():
    middle, radius = 1.6e-162, 0.45 * 1.6e-162
    found = Balls.of(np.array(middle), radius).reciprocal()
    for end in (Fraction(middle) - Fraction(radius), Fraction(middle) + Fraction(radius)):
        assert abs(1 / end - Fraction(float(found.middle))) <= Fraction(float(found.radius))


def test_the_filters_own_arithmetic_is_within_the_radii_of_however_fine_a_step():
    log, seen = motion(), []
    exact = np.round(log.joints * 2.0**20) / 2.0**20

    def rows(*balls):
        seen.append(balls)
        return Balls.of(np.zeros((*balls[0].middle.shape, 1)))

    for away in (0.0, 1024.0):
        enclosed_chain(JointLog(log.times, exact + away, log.drives), replace(CHAIN, cut_off=10.0), 1e-15, rows)
    for part, apart in enumerate((1024.0, 0.0, 0.0)):
        near, far = seen[0][part], seen[1][part]
        off = np.abs(far.middle - apart - near.middle)
        assert off.max() > 0
        assert (off <= near.radius + far.radius).all()
