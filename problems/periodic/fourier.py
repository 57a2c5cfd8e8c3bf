"""Periodic motions: for each coordinate a finite Fourier series, all of one period (S1 eq. 12-14, Swevers 1997).

    x(t) = c_0 + sum over k = 1 .. N of  s_k sin(k w t) - c_k cos(k w t),     w = 2 pi / period

S1's mu_k is k w s_k and its nu_k is k w c_k: velocities; xi = (c_0, mu_1 .. mu_N, nu_1 .. nu_N). Along the phase w t
the path does not depend on the period: velocities grow with 1 / period, accelerations with its square. That nothing
grows between samples is known of the coordinates: a trigonometric polynomial of degree N with the largest value m on
M > 2 N even phases stays below m / cos(pi N / M) (Ehlich and Zeller 1964).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from certify.problems.errors import InputError
from certify.problems.regressors.regressor import Floats

TURN = 2.0 * np.pi


@dataclass(frozen=True, eq=False)
class FourierMotion:
    """By coordinate the numbers (c_0, s_1 .. s_N, c_1 .. c_N), (coordinates, 1 + 2 N), and the period in s."""

    coefficients: Floats
    period: float

    @staticmethod
    def of_waves(waves: Floats, pulsation: float) -> FourierMotion:
        """The motion with these xi, (1 + 2 N, coordinates)."""
        rates = _rates(len(waves) // 2, pulsation)
        return FourierMotion((waves / rates[:, None]).T, TURN / pulsation)

    @property
    def harmonics(self) -> int:
        """N."""
        return (int(self.coefficients.shape[1]) - 1) // 2

    @cached_property
    def pulsation(self) -> float:
        """w in rad/s."""
        return TURN / self.period

    def at(self, phase: Floats, speed: Floats | float | None = None, gain: Floats | float = 0.0) -> Floats:
        """Positions, velocities and accelerations, (3, samples, coordinates), at phases in rad; `speed` and `gain` are
        the phase's first two derivatives in time (without them it grows evenly, by w).
        """
        rate = np.broadcast_to(self.pulsation if speed is None else speed, phase.shape)[:, None]
        more = np.broadcast_to(gain, phase.shape)[:, None]
        place, slope, bend = (part @ self.coefficients.T for part in basis(phase, self.harmonics))
        return np.stack([place, slope * rate, bend * rate**2 + slope * more])

    def in_time(self, times: Floats) -> Floats:
        """The same at times in s."""
        return self.at(self.pulsation * np.asarray(times))

    @property
    def waves(self) -> Floats:
        """xi, (1 + 2 N, coordinates)."""
        return np.asarray(self.coefficients.T * _rates(self.harmonics, self.pulsation)[:, None])

    def ends(self, samples: int) -> tuple[Floats, Floats]:
        """What positions, velocities and accelerations are nowhere below and nowhere above, (3, coordinates) each; up
        to rounding.
        """
        moved = self.at(even_phases(samples))
        low, high = moved.min(axis=1), moved.max(axis=1)
        half = (high - low) / 2.0 / np.cos(np.pi * self.harmonics / samples)
        return (low + high) / 2.0 - half, (low + high) / 2.0 + half


def even_phases(samples: int) -> Floats:
    """So many phases of one period."""
    return np.asarray(TURN * np.arange(samples) / samples)


def basis(phase: Floats, harmonics: int) -> Floats:
    """The series' terms and their first two derivatives by the phase, (3, samples, 1 + 2 N)."""
    k = np.arange(1, harmonics + 1)
    sine, cosine = np.sin(phase[:, None] * k), np.cos(phase[:, None] * k)
    one, zero = np.ones((len(phase), 1)), np.zeros((len(phase), 1))
    value = np.concatenate([one, sine, -cosine], axis=1)
    slope = np.concatenate([zero, k * cosine, k * sine], axis=1)
    bend = np.concatenate([zero, -(k**2) * sine, k**2 * cosine], axis=1)
    return np.stack([value, slope, bend])


def _rates(harmonics: int, pulsation: float) -> Floats:
    """What the numbers of a series are multiplied by to be xi."""
    return np.concatenate([[1.0], *[pulsation * np.arange(1.0, harmonics + 1)] * 2])


def basis_in_time(harmonics: int, pulsation: float, times: Floats) -> Floats:
    """What multiplies xi, and its first two derivatives in time, (3, times, 1 + 2 N)."""
    found = basis(pulsation * np.asarray(times), harmonics) * (pulsation ** np.arange(3.0))[:, None, None]
    return np.asarray(found / _rates(harmonics, pulsation))


def by_frequency(harmonics: int, pulsation: float, times: Floats) -> Floats:
    """The derivatives of `basis_in_time` by w."""
    place, speed, push = basis_in_time(harmonics, pulsation, times)
    rates, late = _rates(harmonics, pulsation), np.asarray(times)[:, None]
    rates[0] = place[:, 0] = 0.0
    return np.stack([late * speed - place, late * push, push - rates**2 * late * speed]) / pulsation


def fitted(poses: Floats, times: Floats, harmonics: int, pulsation: float) -> FourierMotion:
    """The motion next to sampled poses in least squares, (samples, coordinates)."""
    if len(times) < 2 * harmonics + 1:
        raise InputError(
            f"{len(times)} samples of a period do not tell {harmonics} harmonics from each other; give "
            f"{2 * harmonics + 1} samples or more, or fewer harmonics"
        )
    functions = basis_in_time(harmonics, pulsation, times)[0]
    return FourierMotion.of_waves(np.linalg.lstsq(functions, poses, rcond=None)[0], pulsation)
