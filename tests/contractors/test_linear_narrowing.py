"""Interval Gauss-Seidel: an exact solution of a member survives, whatever the shape and the box."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from certify.contractors.linear.enclosure import enclose
from certify.contractors.linear.gauss_seidel import Systems, gauss_seidel, preconditioned, sweep
from certify.contractors.linear.linear_system import interval_system


def planted(seed, batch=1):
    """Dyadic members with a dyadic solution, so that right-hand sides are exact; boxes around the solution, some with
    infinite ends."""
    rng = np.random.default_rng(seed)
    rows, columns = int(rng.integers(1, 6)), int(rng.integers(1, 5))
    member = rng.integers(-64, 65, (batch, rows, columns)) / 64 * rng.choice([0.0, 1.0, 1.0], (batch, rows, columns))
    x = rng.integers(-64, 65, (batch, columns)) / 16
    scale = 2.0 ** int(rng.choice([-400, 0, 0, 0, 400]))
    right = np.einsum("kij,kj->ki", member, x)
    below, above = rng.integers(0, 3, (2, batch, rows, columns)) * 2.0 ** -int(rng.integers(1, 30))
    slack = rng.integers(0, 2, (batch, rows)) * 2.0 ** -int(rng.integers(1, 30))
    systems = Systems(
        (member - below) * scale, (member + above) * scale, (right - slack) * scale, (right + slack) * scale
    )
    low = x - rng.choice([0.0, 0.25, 3.0, np.inf], x.shape)
    high = x + rng.choice([0.0, 0.25, 3.0, np.inf], x.shape)
    return systems, x, low, high


def survives(answer, x):
    return not answer.empty.any() and (answer.lower <= x).all() and (x <= answer.upper).all()


@settings(max_examples=300)
@given(seed=st.integers(0, 10**9))
def test_a_solution_survives(seed):
    systems, x, low, high = planted(seed, 3)
    before = low.copy(), high.copy()
    rows, columns = systems.lower.shape[1:]
    answers = [sweep(systems, low, high), gauss_seidel(systems, low, high)]
    if rows >= columns:
        answers += [sweep(systems, low, high, diagonal=True), sweep(preconditioned(systems)[0], low, high)]
    for answer in answers:
        assert survives(answer, x)
        assert (answer.lower >= low).all() and (answer.upper <= high).all()
    assert np.array_equal(low, before[0]) and np.array_equal(high, before[1])


@settings(max_examples=100)
@given(seed=st.integers(0, 10**9))
def test_a_preconditioned_row_has_the_planted_solution(seed):
    systems, x, _, _ = planted(seed, 2)
    if systems.lower.shape[1] < systems.lower.shape[2]:
        return
    better, _ = preconditioned(systems)
    for k in range(2):
        point = [Fraction(float(v)) for v in x[k]]
        for a_low, a_high, b_low, b_high in zip(
            better.lower[k], better.upper[k], better.right_lower[k], better.right_upper[k], strict=True
        ):
            ends = [
                sorted((Fraction(float(p)) * v, Fraction(float(q)) * v))
                for p, q, v in zip(a_low, a_high, point, strict=True)
            ]
            assert sum(e[0] for e in ends) <= Fraction(float(b_high)) and sum(e[1] for e in ends) >= Fraction(
                float(b_low)
            )


def test_preconditioning_narrows_to_the_neighbourhood_of_the_enclosure():
    rng = np.random.default_rng(4)
    for n in (2, 5, 12):
        middle, right = rng.uniform(-1, 1, (n, n)), rng.uniform(-1, 1, n)
        system = interval_system(middle - 1e-7, middle + 1e-7, right, right)
        best = enclose(system)
        answer = gauss_seidel(Systems.of(system), np.full((1, n), -1e3), np.full((1, n), 1e3), sweeps=50, enough=1e-3)
        assert not answer.empty[0]
        assert (answer.upper[0] - answer.lower[0] <= 1.1 * (best.upper - best.lower)).all()


def test_more_rows_than_unknowns():
    rng = np.random.default_rng(5)
    middle = rng.integers(-64, 65, (9, 3)) / 64
    x = np.array([0.5, -1.25, 2.0])
    right = middle @ x
    systems = Systems.of(interval_system(middle - 2.0**-20, middle + 2.0**-20, right, right))
    answer = gauss_seidel(systems, np.full((1, 3), -100.0), np.full((1, 3), 100.0))
    assert survives(answer, x[None])
    assert (answer.upper - answer.lower).max() < 1e-3
    away = gauss_seidel(systems, np.array([[0.6, -100.0, -100.0]]), np.full((1, 3), 100.0))
    assert away.empty.all()


def test_rows_alone_narrow_infinite_boxes():
    systems = Systems.of(interval_system([[2, 1], [0, 1]], [[4, 1], [0, 2]], [1, 2], [1, 2]))
    answer = sweep(systems, np.full((1, 2), -np.inf), np.full((1, 2), np.inf))
    assert answer.lower[0, 1] <= 1.0 <= 2.0 <= answer.upper[0, 1] < 2.0000001
    assert -0.50000001 < answer.lower[0, 0] <= -0.5 and answer.upper[0, 0] > -1e-9


def test_two_pieces_of_a_quotient_leave_the_one_that_meets_the_box():
    systems = Systems.of(interval_system([[-1]], [[2]], [1], [1]))
    answer = sweep(systems, np.array([[-0.75]]), np.array([[4.0]]))
    assert 0.4999999 < answer.lower[0, 0] <= 0.5 and answer.upper[0, 0] == 4.0
    assert sweep(systems, np.array([[-0.75]]), np.array([[0.25]])).empty.all()


def test_an_empty_box_and_missing_rows():
    systems = Systems.of(interval_system([[1, 2]], [[1, 2]], [1], [1]))
    assert sweep(systems, np.array([[1.0, 0.0]]), np.array([[0.0, 1.0]])).empty.all()
    with pytest.raises(ValueError, match="need a row for each"):
        sweep(systems, np.zeros((1, 2)), np.ones((1, 2)), diagonal=True)
