"""Simulated runs of PaLiDA: periodic motions, forces of nineteen bodies, noise of S1's size, cogging to be switched on.

    q_k = q + delta_k,  Q_k = Q + sum over bodies + cogging + eta_k      at N instants of each of K periods
    cogging of drive j   C_j sin(2 pi q_j / pitch + phase_j)

Noise of forces has S1's six variances (section V), some 20 to 30 N, correlated across the drives; that of lengths is
not printed and ours, 0.25 to 0.5 mm. Cogging of 15 N in drive 3 and 21 N in drive 4 is what S1's residual variances on
the circle leave over their noise, C^2 / 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from certify.problems.errors import InputError
from certify.problems.palida.bodies import BODIES, FRICTION
from certify.problems.palida.geometry import (
    FORCE,
    HOME,
    LENGTHS,
    REACH,
    SPEED,
    STRUTS,
    check_regular,
    forward_kinematics,
    inverse_kinematics,
    strut_speeds,
)
from certify.problems.palida.newton_euler import full_forces
from certify.problems.palida.regressor import NAMES, UNITS, regressor
from certify.problems.periodic.fourier import FourierMotion
from certify.problems.periodic.periodic_log import PeriodicLog, write_periodic_log
from certify.problems.periodic.periodic_model import PeriodicModel
from certify.problems.regressors.regressor import Floats

ORDER, PERIOD, SAMPLES, PERIODS = 5, 2.5, 200, 10
FORCE_DEVIATIONS = np.sqrt([412.8, 375.4, 883.0, 371.9, 547.2, 970.9])  # N
LENGTH_DEVIATIONS = 1e-3 * np.array([0.30, 0.40, 0.25, 0.50, 0.35, 0.45])  # m
FORCES_SHARE, LENGTHS_SHARE = 0.35, 0.5  # of noise that neighbouring channels have in common
COGGING, PITCH = np.array([0.0, 0.0, 15.0, 21.0, 0.0, 0.0]), 0.024  # N, m
PHASES = np.array([0.3, 1.1, 2.0, 0.7, 2.9, 1.7])
CIRCLE_RADIUS, CIRCLE_SPEED, TILT = 0.12, 1.0, 30.0  # m, m/s, degrees
TRIES = 300
PALIDA = PeriodicModel(NAMES, regressor, inverse_kinematics, forward_kinematics, UNITS, "m", "N")


def correlated(deviations: Floats, share: float) -> Floats:
    """A covariance: neighbours on the ring of six have -`share` in common, those after them its square, and so on."""
    apart = np.abs(np.subtract.outer(np.arange(STRUTS), np.arange(STRUTS)))
    near = np.minimum(apart, STRUTS - apart)
    return np.asarray(np.outer(deviations, deviations) * (-share) ** near)


OF_FORCES, OF_LENGTHS = correlated(FORCE_DEVIATIONS, FORCES_SHARE), correlated(LENGTH_DEVIATIONS, LENGTHS_SHARE)


@dataclass(frozen=True, eq=False)
class Run:
    """What is simulated: a motion, samples of a period, periods, a seed, factors on noise and on the cogging."""

    motion: FourierMotion
    samples: int = SAMPLES
    periods: int = PERIODS
    seed: int = 1
    noise: float = 1.0
    cogging: float = 0.0

    @property
    def times(self) -> Floats:
        """In one period, s."""
        return np.asarray(np.arange(self.samples) * (self.motion.period / self.samples))


def true_forces(run: Run) -> Floats:
    """Of nineteen bodies, friction and cogging, in N, (N, 6)."""
    at = run.motion.in_time(run.times)
    check_regular(at[0])
    lengths = inverse_kinematics(at[0])
    rippled = run.cogging * COGGING * np.sin(2.0 * np.pi * lengths / PITCH + PHASES)
    return np.asarray(full_forces(at[0], at[1], at[2], BODIES, FRICTION) + rippled)


def simulated_log(run: Run, truth: Floats | None = None) -> PeriodicLog:
    """The log of all periods; `truth` is `true_forces`, where it is known."""
    forces = true_forces(run) if truth is None else truth
    lengths = inverse_kinematics(run.motion.in_time(run.times)[0])
    random = np.random.default_rng([run.seed, 17])
    shape = (run.periods, run.samples, STRUTS)
    eta = random.standard_normal(shape) @ np.linalg.cholesky(OF_FORCES).T
    delta = random.standard_normal(shape) @ np.linalg.cholesky(OF_LENGTHS).T
    told = f"simulated: PaLiDA (S1) of invented dimensions, seed {run.seed}, cogging {run.cogging:g} times 15 and 21 N"
    return PeriodicLog(run.times, lengths + run.noise * delta, forces + run.noise * eta, told)


def write_runs(folder: Path, periods: int, seed: int, noise: float, cogging: float) -> None:
    """Logs of the exciting motion, the circle and its mirror image, with noise of their own."""
    motions = exciting_motion(), circle(), circle(mirrored=True)
    for k, (name, motion) in enumerate(zip(("motion", "circle", "mirror"), motions, strict=True)):
        run = Run(motion, SAMPLES, periods, 3 * seed + k, noise, cogging)
        write_periodic_log(folder / f"{name}.csv", simulated_log(run))


def circle(mirrored: bool = False) -> FourierMotion:
    """S1's benchmark motion: a circle in the middle, inclined by 30 degrees about the x axis, at 1 m/s; or its mirror
    image.
    """
    frequency, tilt = CIRCLE_SPEED / CIRCLE_RADIUS, np.radians(-TILT if mirrored else TILT)
    coefficients = np.zeros((3, len(HOME)))
    coefficients[0] = HOME
    coefficients[2, 0] = -CIRCLE_SPEED
    coefficients[1, 1:3] = CIRCLE_SPEED * np.array([np.cos(tilt), np.sin(tilt)])
    return FourierMotion.of_waves(coefficients, float(frequency))


def exciting_motion(seed: int = 1, order: int = ORDER, period: float = PERIOD) -> FourierMotion:
    """Of random series as large as struts and drives allow, that with the largest information on the parameters (an
    estimate; `certify design` looks for better ones).
    """
    random, frequency = np.random.default_rng([seed, 3]), 2.0 * np.pi / period
    best: tuple[float, FourierMotion] | None = None
    for _ in range(TRIES):
        size = REACH * frequency / np.sqrt(order)
        waves = random.normal(size=(2 * order, len(HOME))) * size
        found = FourierMotion.of_waves(np.concatenate([HOME[None], waves]), frequency)
        for _ in range(30):
            worth = _information(found)
            if worth is not None:
                break
            found = FourierMotion.of_waves(np.concatenate([HOME[None], 0.9 * found.waves[1:]]), frequency)
        if worth is not None and (best is None or worth > best[0]):
            best = worth, found
    if best is None:
        raise InputError(
            f"no motion of {order} harmonics in {period:g} s was found that drives can follow; take longer"
        )
    return best[1]


def _information(motion: FourierMotion) -> float | None:
    """ln det of W' W; None where struts or drives cannot follow."""
    times = np.asarray(np.arange(60.0) * (motion.period / 60.0))
    pose, velocity, acceleration = motion.in_time(times)
    lengths, values = inverse_kinematics(pose), np.concatenate([BODIES.parameters, FRICTION])
    if not (np.abs(pose - HOME) <= REACH).all() or lengths.min() < LENGTHS[0] or lengths.max() > LENGTHS[1]:
        return None
    matrix = regressor(pose, velocity, acceleration)
    if np.abs(strut_speeds(pose, velocity)).max() > SPEED or np.abs(matrix @ values).max() > 0.9 * FORCE:
        return None
    flat = matrix.reshape(-1, matrix.shape[-1])
    return float(np.linalg.slogdet(flat.T @ flat)[1])
