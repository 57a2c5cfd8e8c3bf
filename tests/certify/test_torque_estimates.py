"""From a log to estimates of the H4's parameters, and the tables of S0 and S3 made of them."""

import numpy as np
import pytest

import certify
from benchmarks.paper import run
from certify import InputError
from certify.problems.dynamics.signal_chain import Chain, Regression
from certify.problems.h4.plant import Plant


def planted(count=400, bound=1.0):
    random = np.random.default_rng(3)
    matrix, truth = random.normal(size=(count, 3)) * [1.0, 5.0, 0.2], np.array([1.2, 0.3, 0.8])
    y = matrix @ truth + bound * random.uniform(-1, 1, count)
    return Regression(matrix, y, np.arange(count) % 4, np.arange(count) / 50.0), truth


def test_estimates_are_near_what_is_planted():
    rows, truth = planted()
    found = certify.torque_estimates(rows, 15.0, (0, 2))
    assert found.squares.estimate == pytest.approx(truth, abs=0.3)
    assert (np.abs(found.squares.estimate - truth) < 5 * found.squares.deviations).all()
    assert found.bound == found.tried[-1].bound == pytest.approx(1.05)  # 5 % of 15 N m misses rows, 7 % does not
    assert found.tried[0].found.outliers
    assert found.recursion.ellipsoid.distances(truth[None])[0] < 1.0
    assert certify.torque_estimates(rows, 15.0, (0, 2), 3.0).recursion.ellipsoid.log_determinant > (
        found.recursion.ellipsoid.log_determinant
    )


def test_boxes_and_ranges_that_bound_nothing_are_refused():
    rows, _ = planted(20)
    with pytest.raises(InputError, match="finite ends"):
        certify.torque_estimates(rows, 15.0, (0, np.inf))
    with pytest.raises(InputError, match="positive"):
        certify.torque_estimates(rows, 15.0, (0, 2), -1.0)


def test_the_equations_of_a_file_are_those_of_its_log(tmp_path):
    times = np.arange(1500) / 1000.0
    q = 0.6 + 0.1 * np.sin(2 * np.pi * times[:, None] * np.array([0.9, 1.1, 0.8, 1.0]))
    lines = ["t [s],q1 [rad],q2 [rad],q3 [rad],q4 [rad],V1 [V],V2 [V],V3 [V],V4 [V]"]
    lines += [
        ",".join(f"{value:.9f}" for value in (t, *row, 1.0, 2.0, 3.0, 4.0)) for t, row in zip(times, q, strict=True)
    ]
    (tmp_path / "log.csv").write_text("\n".join(lines))
    found = certify.equations_of_log(tmp_path / "log.csv")
    assert found.torques.reshape(-1, 4) == pytest.approx(np.tile([1.5, 3.0, 4.5, 6.0], (60, 1)))
    assert found.matrix.shape == (240, 14)
    other = certify.equations_of_log(tmp_path / "log.csv", Chain(cut_off=20.0, gain=3.0))
    assert other.torques.reshape(-1, 4) == pytest.approx(np.tile([3.0, 6.0, 9.0, 12.0], (30, 1)))
    signs = slice(10, None)  # what is smooth passes both filters alike
    difference = other.matrix - found.matrix.reshape(60, 4, 14)[::2].reshape(-1, 14)
    assert np.abs(difference[:, 4:10]).max() < 0.02 * np.abs(found.matrix[:, 4:10]).max()
    assert np.abs(difference[:, signs]).max() > 0.1


@pytest.mark.thorough
def test_the_papers_tables_are_remade(capsys):
    told = run(["--seed", "H4", "--seconds", "4"])
    assert told["needs"] < 1.5
    assert told["tables"]["S0 1"]["inside"] == 14
    assert told["tables"]["S0 1"]["in ellipsoid"]
    assert all(0.0 < ratio <= 1.0 for ratio in told["tables"]["S0 1"]["ratios"])
    bounds = told["tables"]["S3 figure 4"]
    volume, trace, mixed = (bounds[name] for name in bounds if name != "recursion")
    assert volume["wider"] == trace["wider"] == mixed["wider"] == 1.0
    assert trace["width"] < volume["width"] < bounds["recursion"]["width"]
    assert volume["log10 det"] < mixed["log10 det"] < trace["log10 det"]
    for (low, high), planted_value in zip(told["tables"]["S0 1"]["hull"], Plant().parameters, strict=True):
        assert low <= planted_value <= high
    printed = capsys.readouterr().out
    assert printed.count("SIMULATED") == 2
    assert "F_v2" in printed
