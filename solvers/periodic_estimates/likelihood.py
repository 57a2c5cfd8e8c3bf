"""Maximum likelihood with errors in variables: parameters and motion are estimated together (S1 eq. 6, 15).

    minimise  |D (q - q(xi, w))|^2 / 2 + |S (Q - W(xi, w) p)|^2 / 2       over p, xi and w, D' D and S' S as in eq. 5

Gauss and Newton's steps, damped where they do not descend (Levenberg and Marquardt), from the Gauss-Markov estimate and
the harmonics of the read poses. Derivatives by pose, velocity and acceleration are central differences, those by xi and
w follow by the chain rule. The information J' J (eq. 8) of all unknowns, inverted, has Cramer and Rao's bound of p.
Estimates: one stationary point next to the start, found in floats.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from certify.problems.errors import InputError
from certify.problems.periodic.fourier import FourierMotion, basis_in_time, by_frequency
from certify.problems.periodic.periodic_model import PeriodicModel
from certify.problems.regressors.regressor import Floats
from certify.solvers.periodic_estimates.generalized_squares import Estimate
from certify.solvers.periodic_estimates.noise import whitening

STEP = 1e-6  # of the differences, in m or rad, and in 1/s and 1/s^2 of them times the frequency
ITERATIONS, CONVERGED, MOST_DAMPED = 60, 1e-7, 1e8


@dataclass(frozen=True, eq=False)
class Experiment:
    """What was measured in one period (or the mean of some), and the covariances of one such sample."""

    model: PeriodicModel
    times: Floats
    readings: Floats
    forces: Floats
    of_readings: Floats
    of_forces: Floats


@dataclass(frozen=True, eq=False)
class Likelihood:
    """The parameters, the motion, the information of all unknowns (p, xi by coordinates, w), and what is left."""

    estimate: Estimate
    motion: FourierMotion
    information: Floats
    half_squares: float
    steps: int
    last: float  # the last step, in standard errors


def maximum_likelihood(experiment: Experiment, values: Floats, motion: FourierMotion) -> Likelihood:
    """From a start."""
    point = pack(values, motion)
    left, jacobian = residuals(experiment, point, motion.harmonics), derivatives(experiment, point, motion.harmonics)
    damping, size, count = 0.0, np.inf, 0
    while count < ITERATIONS and size >= CONVERGED:
        count += 1
        step, errors = _step(jacobian, left, damping)
        size = float((np.abs(step) / errors).max())
        tried = residuals(experiment, point + step, motion.harmonics)
        if not tried @ tried <= left @ left * (1 + 1e-12):
            damping, size = 10.0 * max(damping, 1e-4), max(size, CONVERGED)
            if damping > MOST_DAMPED:
                break
            continue
        point, left, damping = point + step, tried, damping / 10.0 if damping > 1e-6 else 0.0
        jacobian = derivatives(experiment, point, motion.harmonics)
    return _answer(experiment, motion.harmonics, point, left, jacobian, count, size)


def _answer(
    experiment: Experiment, order: int, point: Floats, left: Floats, jacobian: Floats, count: int, size: float
) -> Likelihood:
    if size > 1e-2:
        raise InputError(
            f"the likelihood has no maximum that {count} steps find (the last one was {size:.2g} standard errors); "
            f"give fewer harmonics, more periods, or a motion that excites all parameters"
        )
    values, motion = unpack(point, len(experiment.model.names), order)
    information = jacobian.T @ jacobian
    bound = inverse_information(information)[: len(values), : len(values)]
    return Likelihood(Estimate("ML", values, bound), motion, information, float(left @ left) / 2.0, count, size)


def cramer_rao(experiment: Experiment, values: Floats, motion: FourierMotion) -> Floats:
    """The least covariance that unbiased estimates of p can have, at the truth (S1 eq. 8, 9)."""
    jacobian = derivatives(experiment, pack(values, motion), motion.harmonics)
    return inverse_information(jacobian.T @ jacobian)[: len(values), : len(values)]


def inverse_information(information: Floats) -> Floats:
    """By columns of one size; raises InputError where it has no inverse."""
    size = np.sqrt(np.diag(information))
    if not (size > 0).all():
        raise InputError(f"unknown {int(np.argmin(size)) + 1} leaves no trace in the log; leave it out")
    scaled = information / np.outer(size, size)
    if np.linalg.eigvalsh(scaled)[0] <= len(size) * np.finfo(np.float64).eps:
        raise InputError("the log does not determine parameters and motion together; give fewer harmonics")
    return np.asarray(np.linalg.inv(scaled) / np.outer(size, size))


def pack(values: Floats, motion: FourierMotion) -> Floats:
    """All unknowns in one: p, xi coordinate by coordinate, w."""
    return np.concatenate([values, motion.waves.T.ravel(), [motion.pulsation]])


def unpack(point: Floats, size: int, order: int) -> tuple[Floats, FourierMotion]:
    """The parameters and the motion."""
    return point[:size], FourierMotion.of_waves(point[size:-1].reshape(-1, 2 * order + 1).T, float(point[-1]))


def residuals(experiment: Experiment, point: Floats, order: int) -> Floats:
    """D (q - q(xi, w)) and S (Q - W p), (2 N channels,)."""
    values, motion = unpack(point, len(experiment.model.names), order)
    at = motion.in_time(experiment.times)
    with np.errstate(all="ignore"):
        read = (experiment.readings - experiment.model.readings(at[0])) @ whitening(experiment.of_readings).T
        driven = (experiment.forces - experiment.model.forces(at, values)) @ whitening(experiment.of_forces).T
    return np.concatenate([read.ravel(), driven.ravel()])


def derivatives(experiment: Experiment, point: Floats, order: int) -> Floats:
    """The residuals' Jacobian."""
    model, times = experiment.model, experiment.times
    values, motion = unpack(point, len(model.names), order)
    at = motion.in_time(times)
    functions = basis_in_time(order, motion.pulsation, times)
    turned = by_frequency(order, motion.pulsation, times) @ motion.waves
    read, driven = whitening(experiment.of_readings), whitening(experiment.of_forces)
    of_pose = _differences(lambda moved: model.readings(moved[0]), at, 1, motion.pulsation)
    of_motion = _differences(lambda moved: model.forces(moved, values), at, 3, motion.pulsation)
    blocks = [
        _chained(read @ of_pose, functions[:1], turned[:1], len(values), None),
        _chained(driven @ of_motion, functions, turned, len(values), driven @ model.matrix(at)),
    ]
    return -np.concatenate(blocks)


def _differences(function: object, at: Floats, parts: int, frequency: float) -> Floats:
    """By each coordinate of pose, velocity and acceleration: (parts, N, channels, coordinates)."""
    count = at.shape[2]
    steps = STEP * max(frequency, 1.0) ** np.arange(parts)
    moves = np.zeros((2, parts, count, 3, 1, count))
    for part, step in enumerate(steps):
        for c in range(count):
            moves[:, part, c, part, 0, c] = step, -step
    moved = np.moveaxis(at + moves, 3, 0)
    found = function(moved)  # type: ignore[operator]
    slopes = (found[0] - found[1]) / (2.0 * steps[:, None, None, None])
    return np.asarray(np.moveaxis(slopes, 1, -1))


def _chained(slopes: Floats, functions: Floats, turned: Floats, size: int, own: Floats | None) -> Floats:
    """By p, xi and w: (N channels, unknowns)."""
    by_xi = np.einsum("dnrc,dnb->nrcb", slopes, functions)
    by_w = np.einsum("dnrc,dnc->nr", slopes, turned)
    rows = by_w.size
    first = np.zeros((rows, size)) if own is None else own.reshape(rows, size)
    return np.concatenate([first, by_xi.reshape(rows, -1), by_w.reshape(rows, 1)], axis=1)


def _step(jacobian: Floats, left: Floats, damping: float) -> tuple[Floats, Floats]:
    """The step, and the unknowns' standard errors."""
    size = np.linalg.norm(jacobian, axis=0)
    size = np.where(size > 0, size, 1.0)
    scaled = jacobian / size
    normal = scaled.T @ scaled
    step = np.linalg.solve(normal + damping * np.eye(len(size)), -(scaled.T @ left)) / size
    spread = np.diag(np.linalg.pinv(normal, hermitian=True))
    return step, np.sqrt(np.maximum(spread, 0.0)) / size + np.finfo(np.float64).tiny
