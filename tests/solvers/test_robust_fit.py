"""Fits that must not run away: Levenberg-Marquardt with steps of a given length, and a robust fit against planted
lines.
"""

from fractions import Fraction

import numpy as np
import pytest

import certify
from certify.solvers.fits.levenberg_marquardt import minimise
from certify.solvers.fits.plain_fit import least_squares
from certify.solvers.fits.robust_fit import is_even, robust_fit

HALF = Fraction(1, 10)


def line(values, half=HALF):
    """y_k = a + b k, of which the readings y_k are known up to `half`."""
    exact = [Fraction(value) for value in values]
    times = tuple(Fraction(k) for k in range(len(exact)))
    readings = certify.Column("y", "mm", tuple(v - half for v in exact), tuple(v + half for v in exact))
    variables = tuple(certify.Variable(name, "mm", Fraction(-20), Fraction(20)) for name in "ab")
    tape = certify.trace(lambda x, m: x.a + x.b * m.t - m.y, {"a": (), "b": ()}, {"t": (), "y": ()})
    bindings = (
        certify.Binding(False, 0),
        certify.Binding(False, 1),
        certify.Binding(True, 0),
        certify.Binding(True, 1),
    )
    family = certify.Family("line", tape, len(exact), bindings, "mm")
    return certify.Problem(variables, (certify.Column("t", "s", times, times), readings), (family,)).blocks


def robust(values, half=HALF):
    return robust_fit(line(values, half), (0,), (), np.zeros(2), np.array([5.0, 5.0]))


@pytest.mark.parametrize("off", ["0.5", "-10", "200", "1e6", "-1e12"])
@pytest.mark.parametrize("wrong", [(3,), (0, 19), (4, 5, 11, 17)])
def test_the_wrong_readings_are_named_however_far_off_they_are(wrong, off):
    """One row in five at most is wrong; the others are on the line 1 + 2 k, up to 0.01."""
    noise = np.random.default_rng(1).integers(-10, 11, 20)
    values = [
        Fraction(1 + 2 * k) + Fraction(int(e), 1000) + (Fraction(off) if k in wrong else 0) for k, e in enumerate(noise)
    ]
    found = robust(values)
    assert tuple(np.flatnonzero(found.suspected)) == wrong
    assert np.abs(found.x - [1.0, 2.0]).max() < 0.02
    assert found.misses[list(wrong)] == pytest.approx(abs(float(Fraction(off))), abs=0.03)
    assert found.explains
    assert found.ordinary < 0.03


def test_of_exact_readings_every_wrong_one_stands_out():
    values = [Fraction(1 + 2 * k) for k in range(9)]
    values[6] += Fraction(1, 10**6)
    found = robust(values, Fraction(0))
    assert list(np.flatnonzero(found.suspected)) == [6]


def test_what_the_half_widths_explain_is_not_suspected():
    values = [Fraction(1 + 2 * k) for k in range(12)]
    values[6] += HALF / 2
    found = robust(values)
    assert not found.suspected.any()
    assert found.explained == pytest.approx(0.1)


def test_half_of_the_readings_wrong_in_the_same_way_cannot_be_told_apart():
    found = robust([Fraction(1 + 2 * k + 5 * (k % 2)) for k in range(16)])
    assert not found.suspected.any()
    assert not found.explains


@pytest.mark.parametrize(("readings", "told"), [(2, False), (3, False), (4, True)])
def test_too_few_readings_tell_nothing(readings, told):
    assert (robust([Fraction(1 + 2 * k) for k in range(readings)]) is not None) is told


def test_even_misses_are_even_whatever_their_size():
    noise = np.abs(np.random.default_rng(2).standard_normal(40))
    assert is_even(noise, 2)
    assert is_even(1e9 * noise, 2)
    noise[7] = 20.0
    assert not is_even(noise, 2)


def test_a_sum_that_falls_for_ever_ends_within_reach_and_has_not_settled():
    """exp(-x) has no minimum: without a longest step the search goes as far as doubles let it."""
    found = minimise(lambda x: (np.exp(-x), -np.exp(-x)[:, None]), np.zeros(1), 30, np.array([0.5]))
    assert 1.0 < found.x[0] <= 15.0
    assert not found.stationary


def test_a_minimum_far_away_is_reached_in_many_steps():
    found = minimise(lambda x: (x - 40.0, np.ones((1, 1))), np.zeros(1), 100, np.array([1.0]))
    assert found.x == pytest.approx([40.0])
    assert found.stationary
    assert found.steps >= 40


@pytest.mark.parametrize("unit", [1e-9, 1.0, 1e9])
def test_units_do_not_matter(unit):
    """The same curve with x in other units, the longest step with it: the same minimum after as many steps."""

    def system(x):
        t = x / unit
        return np.array([10 * (t[1] - t[0] ** 2), 1 - t[0]]), np.array([[-20 * t[0], 10.0], [-1.0, 0.0]]) / unit

    found = minimise(system, np.array([-1.2, 1.0]) * unit, 200, np.full(2, 0.7) * unit)
    assert found.x / unit == pytest.approx([1.0, 1.0], abs=1e-8)
    assert found.stationary
    assert (
        found.steps
        == minimise(
            lambda x: (system(x * unit)[0], system(x * unit)[1] * unit), np.array([-1.2, 1.0]), 200, np.full(2, 0.7)
        ).steps
    )


def test_what_may_not_move_stays():
    blocks = line([Fraction(1 + 2 * k) for k in range(6)])
    found = least_squares(blocks, (0,), np.array([0.5, 0.0]), longest=np.array([0.0, 5.0]))
    assert found.x[0] == 0.5
    assert found.x[1] == pytest.approx(sum(k * (0.5 + 2 * k) for k in range(6)) / sum(k * k for k in range(6)))


def test_a_start_where_a_row_is_not_defined_is_where_the_search_ends():
    def system(x):
        with np.errstate(invalid="ignore"):
            return np.array([np.sqrt(x[0] - 1), x[0]]), np.array([[0.5 / np.sqrt(x[0] - 1)], [1.0]])

    found = minimise(system, np.array([0.5]), 30, np.array([0.1]))
    assert found.x[0] == 0.5
    assert not found.stationary
