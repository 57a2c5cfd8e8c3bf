"""A simulated experiment, which knows the truth behind its readings."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from contractors.enclosures import enclose_rational
from contractors.evaluation import evaluate
from problems.errors import InputError
from problems.experiment import LEAST_SQUARES, Experiment, assemble
from problems.kind import Kind
from problems.noise import read_off
from problems.quantities import format_decimal
from problems.unmodelled_error import UnmodelledError, exact_number

RADIUS = Fraction(100)
LARGEST_NOISE = 1000


@dataclass(frozen=True, slots=True)
class Truth:
    """What really happened: the robot's parameters, the exact measurements, and the leg and pose (1, 2, ...) of a gross reading error."""

    parameters: tuple[Fraction, ...]
    measurements: dict[str, tuple[Fraction, ...]]
    outlier: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class SimulatedExperiment:
    """The experiment, and the truth planted in it.

    `planted_epsilon[i]` bounds, with proof, the largest |residual| of leg i + 1 at the true parameters and true measurements, in mm: with
    an eps of that size the truth explains the readings. The truth lies inside every measurement box; an outlier counts as a true reading
    that the model does not explain.
    """

    experiment: Experiment
    error: UnmodelledError
    seed: int
    truth: Truth
    planted_epsilon: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Robot:
    """What is simulated: a kind, its blueprint, the standard deviations of its measurements, and a title."""

    kind: Kind
    title: str
    source: str
    blueprint: tuple[Fraction, ...]
    deviations: dict[str, Fraction]


def generators(seed: int) -> tuple[np.random.Generator, np.random.Generator]:
    """Random numbers for the unmodelled error and for the noise, which do not disturb each other."""
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 2**63:
        raise InputError(f"seed {seed!r} is not a whole number from 0 to 2^63 - 1; choose one such as 1")
    errors, noise = np.random.default_rng(seed).spawn(2)
    return errors, noise


def noise_factor(noise: Fraction | float | str) -> Fraction:
    """The factor on all standard deviations, as an exact number."""
    factor = exact_number(noise, "the noise factor")
    if not 0 <= factor <= LARGEST_NOISE:
        raise InputError(f"the noise factor {float(factor)} is out of range; choose 0 to {LARGEST_NOISE}, where 1 is the robot's own noise")
    return factor


def observe(
    robot: Robot, truth: Truth, error: UnmodelledError, seed: int, factor: Fraction, random: np.random.Generator
) -> SimulatedExperiment:
    """Read the truth off, with `factor` times the robot's noise."""
    measured = {
        name: read_off(name, dimension, truth.measurements[name], factor * robot.deviations[name], random)
        for name, dimension in robot.kind.columns.items()
    }
    rows = len(next(iter(truth.measurements.values())))
    poses = tuple(str(pose) for pose in range(1, rows + 1))
    provenance = f"simulated: {robot.source}, seed {seed}, unmodelled error {error}, noise factor {format_decimal(factor)}"
    experiment = assemble(robot.title, provenance, robot.kind, poses, robot.blueprint, measured, LEAST_SQUARES, RADIUS)
    return SimulatedExperiment(experiment, error, seed, truth, planted_epsilon(experiment, truth))


def planted_epsilon(experiment: Experiment, truth: Truth) -> tuple[float, ...]:
    """For each leg an upper bound of its |residuals| at the truth, by interval evaluation."""
    largest = []
    for family in experiment.families:
        ends = np.zeros((2, len(family.bindings), family.rows))
        for i, binding in enumerate(family.bindings):
            values = truth.measurements[experiment.columns[binding.index].name] if binding.measured else [truth.parameters[binding.index]]
            ends[:, i] = np.array([enclose_rational(value) for value in values]).T
        enclosure = evaluate(family.tape, ends[0], ends[1])
        largest.append(float(max(np.abs(enclosure.lower).max(), np.abs(enclosure.upper).max())))
    return tuple(largest)
