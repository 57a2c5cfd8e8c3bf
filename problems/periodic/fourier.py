"""Periodic motions as sums of harmonics (S1 eq. 13), with velocities, accelerations, and what they owe to each number.

    x(t) = x0 + sum over k of mu_k sin(k w t) / (k w) - nu_k cos(k w t) / (k w)          for each coordinate
    xi = (x0, mu_1 .. mu_n, nu_1 .. nu_n), a column for each coordinate; w = 2 pi / T

So mu and nu are velocities. `basis` has the functions that xi multiplies, `by_frequency` their derivatives by w.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from certify.problems.errors import InputError
from certify.problems.regressors.regressor import Floats


@dataclass(frozen=True, eq=False)
class Fourier:
    """A motion: xi, (2 n + 1, coordinates), and w in rad/s."""

    coefficients: Floats
    frequency: float

    @property
    def order(self) -> int:
        """How many harmonics there are."""
        return (len(self.coefficients) - 1) // 2

    def at(self, times: Floats) -> Floats:
        """Pose, velocity and acceleration, (3, times, coordinates)."""
        return np.asarray(basis(self.order, self.frequency, times) @ self.coefficients)


def _waves(order: int, frequency: float, times: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    k = np.arange(1.0, order + 1.0)
    turn: Floats = np.asarray(times, dtype=np.float64)[:, None] * k
    return np.asarray(k * frequency), np.sin(frequency * turn), np.cos(frequency * turn), turn


def basis(order: int, frequency: float, times: Floats) -> Floats:
    """The functions and their first and second derivatives in time, (3, times, 2 n + 1)."""
    rate, sine, cosine, _ = _waves(order, frequency, times)
    one, zero = np.ones((len(times), 1)), np.zeros((len(times), 1))
    place = np.concatenate([one, sine / rate, -cosine / rate], axis=1)
    speed = np.concatenate([zero, cosine, sine], axis=1)
    return np.stack([place, speed, np.concatenate([zero, -rate * sine, rate * cosine], axis=1)])


def by_frequency(order: int, frequency: float, times: Floats) -> Floats:
    """The derivatives of `basis` by w."""
    rate, sine, cosine, turn = _waves(order, frequency, times)
    over, zero = 1.0 / (rate * frequency), np.zeros((len(times), 1))
    k = rate / frequency
    place = np.concatenate([zero, turn * cosine / rate - sine * over, turn * sine / rate + cosine * over], axis=1)
    speed = np.concatenate([zero, -turn * sine, turn * cosine], axis=1)
    push = [zero, -k * sine - rate * turn * cosine, k * cosine - rate * turn * sine]
    return np.stack([place, speed, np.concatenate(push, axis=1)])


def fitted(poses: Floats, times: Floats, order: int, frequency: float) -> Fourier:
    """The motion next to sampled poses in least squares, (samples, coordinates)."""
    if len(times) < 2 * order + 1:
        raise InputError(
            f"{len(times)} samples of a period do not tell {order} harmonics from each other; give {2 * order + 1} "
            f"samples or more, or fewer harmonics"
        )
    functions = basis(order, frequency, times)[0]
    return Fourier(np.linalg.lstsq(functions, poses, rcond=None)[0], frequency)
