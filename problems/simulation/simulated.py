"""A simulated experiment, which knows the truth behind its readings."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from certify.contractors.numbers.enclosures import enclose_rational
from certify.contractors.tape.evaluation import evaluate
from certify.problems.errors import InputError
from certify.problems.experiments.experiment import LEAST_SQUARES, Centre, Experiment, assemble
from certify.problems.experiments.half_widths import HalfWidths
from certify.problems.files.csv_table import Measured
from certify.problems.formulas.units import Dimension, Quantity, format_decimal
from certify.problems.readings.noise import CUT, read_off
from certify.problems.robots.kind import Kind
from certify.problems.simulation.unmodelled_error import UnmodelledError, exact_number

RADIUS = Fraction(100)
LARGEST_NOISE = 1000


@dataclass(frozen=True, slots=True)
class Truth:
    """What really happened: the robot's parameters, the exact measurements, and the leg and pose (1, 2, ...) of a gross
    reading error.
    """

    parameters: tuple[Fraction, ...]
    measurements: dict[str, tuple[Fraction, ...]]
    outlier: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class SimulatedExperiment:
    """The experiment, and the truth planted in it.

    `planted_epsilon[i]` bounds, with proof, the largest |residual| of leg i + 1 at the true parameters and true
    measurements, in mm: with an eps of that size the truth explains the readings. The truth lies inside every
    measurement box; an outlier counts as a true reading that the model does not explain.
    """

    experiment: Experiment
    error: UnmodelledError
    seed: int
    truth: Truth
    planted_epsilon: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Robot:
    """What is simulated: a kind, its blueprint, the standard deviations of its measurements, and a title.

    Of poses that are unknown the table gives a guess, with a deviation too: a better one for the first `known_poses`.
    """

    kind: Kind
    title: str
    source: str
    blueprint: tuple[Quantity | Fraction, ...]
    deviations: dict[str, Fraction]
    centre: Centre = LEAST_SQUARES
    radius: Fraction | tuple[Fraction, ...] = RADIUS
    known_poses: int = 0
    known_deviation: Fraction = Fraction(0)


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
        raise InputError(
            f"the noise factor {float(factor)} is out of range; choose 0 to {LARGEST_NOISE}, where 1 is the "
            f"robot's own noise"
        )
    return factor


def observe(
    robot: Robot, truth: Truth, error: UnmodelledError, seed: int, factor: Fraction, random: np.random.Generator
) -> SimulatedExperiment:
    """Read the truth off, with `factor` times the robot's noise."""
    measured = {
        name: _read(robot, truth, name, dimension, factor, random)
        for name, dimension in robot.kind.table_columns.items()
    }
    rows = len(next(iter(truth.measurements.values())))
    poses = tuple(str(pose) for pose in range(1, rows + 1))
    provenance = (
        f"simulated: {robot.source}, seed {seed}, unmodelled error {error}, noise factor {format_decimal(factor)}"
    )
    accuracy = HalfWidths(Fraction(CUT) if factor else None)
    experiment = assemble(
        robot.title, provenance, robot.kind, poses, robot.blueprint, measured, robot.centre, robot.radius, accuracy
    )
    return SimulatedExperiment(experiment, error, seed, truth, planted_epsilon(experiment, truth))


def _read(
    robot: Robot, truth: Truth, name: str, dimension: Dimension, factor: Fraction, random: np.random.Generator
) -> Measured:
    """A column as it is read off; what is unknown of the known poses is read with a deviation of its own."""
    values, known = truth.measurements[name], robot.known_poses
    if not known or name not in [field.name for field in robot.kind.pose_unknowns]:
        return read_off(name, dimension, values, factor * robot.deviations[name], random)
    first = read_off(name, dimension, values[:known], robot.known_deviation, random)
    rest = read_off(name, dimension, values[known:], robot.deviations[name], random)
    return Measured(name, first.unit, first.values + rest.values, (first.half_widths or ()) + (rest.half_widths or ()))


def planted_epsilon(experiment: Experiment, truth: Truth) -> tuple[float, ...]:
    """For each leg an upper bound of its |residuals| at the truth, by interval evaluation."""
    problem = experiment.problem(experiment.nominal)
    kind, known = experiment.kind, dict(zip(experiment.kind.variable_names, truth.parameters, strict=True))
    for name, values in truth.measurements.items():
        for row, value in enumerate(values, 1):
            known[f"pose{row}.{name}"] = known[f"{name}.pose{row}"] = value
    largest = dict.fromkeys(kind.leg_names, 0.0)
    for family in problem.families:
        ends = np.zeros((2, len(family.bindings), family.rows))
        for i, binding in enumerate(family.bindings):
            name = (problem.columns if binding.measured else problem.variables)[binding.index].name
            values = truth.measurements[name] if name in truth.measurements else (known[name],)
            ends[:, i] = np.array([enclose_rational(value) for value in values]).T
        enclosure = evaluate(family.tape, ends[0], ends[1])
        leg = family.name.partition(".")[0]
        largest[leg] = max(largest[leg], float(max(np.abs(enclosure.lower).max(), np.abs(enclosure.upper).max())))
    return tuple(largest.values())
