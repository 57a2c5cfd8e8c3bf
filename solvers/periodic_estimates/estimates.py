"""All estimates from a log of a motion that repeats (S1 sections II and V), with what noise is in it.

    filtered     poses of the mean lengths, a low-pass forwards and backwards, central differences: W of LS and GM, as
                 it is done where nothing says that the motion has few harmonics; its noise is noise of W
    harmonics    the same poses' nearest series of n harmonics: LS again (`harmonic`), and where ML starts
    ML           parameters and motion together

Means of K periods have a Kth of a period's covariance. Estimates, all of them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from certify.problems.dynamics.signal_chain import low_pass
from certify.problems.errors import InputError
from certify.problems.periodic.fourier import fitted
from certify.problems.periodic.periodic_log import PeriodicLog
from certify.problems.periodic.periodic_model import PeriodicModel
from certify.problems.regressors.regressor import Floats
from certify.solvers.periodic_estimates.generalized_squares import Estimate, gauss_markov, least_squares
from certify.solvers.periodic_estimates.likelihood import Experiment, Likelihood, maximum_likelihood
from certify.solvers.periodic_estimates.noise import Noise, checked_covariance, noise_of, whitening

ORDER, FILTER_ORDER = 5, 4
CUT_OFF, HIGHEST = 10.0, 0.4  # of filtered poses, in multiples of the highest harmonic (the usual rule) and the rate


@dataclass(frozen=True, eq=False)
class Choice:
    """Harmonics, the cut-off of filtered poses in Hz, and covariances of one period's readings and forces, if these are
    known; else they are estimated from the periods.
    """

    order: int = ORDER
    cut_off: float | None = None
    of_readings: Floats | None = None
    of_forces: Floats | None = None


@dataclass(frozen=True, eq=False)
class PeriodicEstimates:
    """What the estimators say, the mean of the periods that they saw, the regressor along filtered readings (N, drives,
    p), and the noise, where periods tell it.
    """

    log: PeriodicLog
    experiment: Experiment
    smooth: Floats
    squares: Estimate
    gauss_markov: Estimate
    harmonic: Estimate
    likelihood: Likelihood
    noise: tuple[Noise, Noise] | None  # of readings, of forces

    @property
    def all(self) -> tuple[Estimate, ...]:
        """In the order of tables."""
        return self.squares, self.gauss_markov, self.harmonic, self.likelihood.estimate

    @property
    def matrix(self) -> Floats:
        """The regressor along the motion that maximum likelihood estimates, (N drives, p): rows for `certify.linear`,
        whose right side is `forces`.
        """
        at = self.likelihood.motion.in_time(self.log.times)
        return np.asarray(self.experiment.model.matrix(at).reshape(-1, len(self.experiment.model.names)))

    @property
    def filtered_matrix(self) -> Floats:
        """The regressor along filtered readings, (N drives, p): least squares and Gauss-Markov are of these rows."""
        return np.asarray(self.smooth.reshape(len(self.forces), -1))

    @property
    def white(self) -> tuple[Floats, Floats]:
        """The rows of `matrix` and their right side, whitened by the forces' covariance: Gauss-Markov along the
        motion is their least squares.
        """
        return self._whitened(self.matrix)

    @property
    def filtered_white(self) -> tuple[Floats, Floats]:
        """The rows of `filtered_matrix`, whitened: `gauss_markov` is their least squares."""
        return self._whitened(self.filtered_matrix)

    def _whitened(self, rows: Floats) -> tuple[Floats, Floats]:
        white = whitening(self.experiment.of_forces)
        matrix = white @ rows.reshape(*self.experiment.forces.shape, -1)
        return matrix.reshape(len(rows), -1), np.ascontiguousarray((self.experiment.forces @ white.T).ravel())

    @property
    def forces(self) -> Floats:
        """The means over all periods, (N drives,)."""
        return np.asarray(self.experiment.forces.ravel())


def periodic_estimates(
    log: PeriodicLog, model: PeriodicModel, *, order: int = ORDER, cut_off: float | None = None,
    of_readings: Floats | None = None, of_forces: Floats | None = None,
) -> PeriodicEstimates:  # fmt: skip
    """Everything from one log: harmonics of the motion, the cut-off of filtered poses in Hz, and covariances of one
    period's readings and forces, where these are known.
    """
    choice = Choice(order, cut_off, of_readings, of_forces)
    experiment, noise = experiment_of(log, model, choice)
    poses = np.asarray(model.pose(experiment.readings))
    motion = fitted(poses, log.times, choice.order, log.frequency)
    smooth = model.matrix(filtered(poses, log, choice))
    exact = model.matrix(motion.in_time(log.times))
    squares, markov = (way(smooth, experiment.forces, experiment.of_forces) for way in (least_squares, gauss_markov))
    harmonic = least_squares(exact, experiment.forces, experiment.of_forces)
    start = gauss_markov(exact, experiment.forces, experiment.of_forces).values
    likely = maximum_likelihood(experiment, start, motion)
    named = Estimate("LS of harmonics", harmonic.values, harmonic.covariance)
    return PeriodicEstimates(log, experiment, smooth, squares, markov, named, likely, noise)


def experiment_of(
    log: PeriodicLog, model: PeriodicModel, choice: Choice
) -> tuple[Experiment, tuple[Noise, Noise] | None]:
    """The mean of all periods with its covariances, and the noise that the periods show."""
    if choice.order < 1:
        raise InputError(f"{choice.order} harmonics move nothing; give 1 or more")
    given = choice.of_readings, choice.of_forces
    parts = ("readings", log.readings, given[0]), ("forces", log.forces, given[1])
    noise = None
    if log.periods > 1 or any(part is None for part in given):
        noise = noise_of(log.readings, "readings"), noise_of(log.forces, "forces")
    covariances = []
    for k, (name, periods, known) in enumerate(parts):
        if known is not None:
            covariances.append(checked_covariance(known, periods.shape[2], f"the covariance of the {name}"))
        elif noise is not None:
            covariances.append(noise[k].covariance)
    means = log.readings.mean(0), log.forces.mean(0)
    of_readings, of_forces = (part / log.periods for part in covariances)
    return Experiment(model, log.times, *means, of_readings, of_forces), noise


def filtered(poses: Floats, log: PeriodicLog, choice: Choice) -> Floats:
    """Pose, velocity and acceleration, (3, N, coordinates), of the middle one of three periods in a row."""
    rate, count = len(log.times) / log.period, len(poses)
    usual = min(CUT_OFF * choice.order / log.period, HIGHEST * rate)
    cut_off = usual if choice.cut_off is None else choice.cut_off
    if not 0 < 2.2 * cut_off <= rate:
        raise InputError(
            f"the log has {rate:.6g} samples in a second; a filter at {cut_off:g} Hz needs {2.2 * cut_off:g}: sample "
            f"faster, or choose a positive cut-off below {rate / 2.2:.3g} Hz"
        )
    pose = low_pass(np.concatenate([poses] * 3), cut_off, FILTER_ORDER, rate)
    velocity = np.gradient(pose, 1.0 / rate, axis=0)
    acceleration = np.gradient(velocity, 1.0 / rate, axis=0)
    return np.stack([pose, velocity, acceleration])[:, count : 2 * count]
