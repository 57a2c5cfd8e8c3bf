"""Platforms of all sorts, described by a `[model]` of their own and simulated: what a user's file about another robot
looks like.

    pose       drawn from a box of poses, with a fixed seed
    truth      the blueprint, each free parameter moved by at most `spread` in its unit
    reading    the leg's own column, solved for from the equation = unmodelled error of this row (in the unit of the
        row)

One file in problems/platforms is one platform. Their dimensions are ours, plausible for such a machine; nobody has
measured them, and every file says so.
"""

from __future__ import annotations

import importlib
import pkgutil
import tomllib
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from certify.problems.errors import InputError
from certify.problems.experiments.experiment import NOMINAL
from certify.problems.files.sections import Section
from certify.problems.formulas.units import UNITS, Dimension, Quantity
from certify.problems.robots.forward_kinematics import Floats
from certify.problems.robots.kind import Kind
from certify.problems.robots.model_section import read_model
from certify.problems.simulation.simulated import Robot, SimulatedExperiment, Truth, generators, noise_factor, observe
from certify.problems.simulation.unmodelled_error import UnmodelledError, gross_error, slack

PACKAGE = "certify.problems.platforms"
DIGIT = Fraction(1, 1000)  # of true parameters and poses
DIFFERENCE = 1e-5
ITERATIONS = 60
STEP = 1e-11  # of the reading, relative


@dataclass(frozen=True, slots=True)
class Platform:
    """A model as in a problem file, a blueprint, and what is simulated about it.

    `blueprint` has a row for each leg, in the order of the parameters, and `radius` a text for each of those numbers;
    the truth is at most `spread` away. `workspace` is the box of true poses, by column; `deviations` are standard
    deviations, of a leg's own column under its field's name. The first `known_poses` have `known_deviation` in place of
    the deviations of their unknowns. `start` is where a leg's reading is looked for.
    """

    title: str
    source: str
    model: str
    blueprint: tuple[tuple[str, ...], ...]
    radius: tuple[str, ...]
    spread: float
    workspace: dict[str, tuple[float, float]]
    poses: int
    deviations: dict[str, Fraction]
    start: float
    known_poses: int = 0
    known_deviation: Fraction = Fraction(0)

    @property
    def kind(self) -> Kind:
        """The kind of robot that the model describes."""
        return read_model(Section(f"{self.title}: model.", tomllib.loads(self.model)), len(self.blueprint))


def platform_names() -> tuple[str, ...]:
    """The platforms that there are: the files of problems/platforms."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(importlib.import_module(PACKAGE).__path__)))


def find_platform(name: str) -> Platform:
    """The platform with this name."""
    platform: Platform = importlib.import_module(f"{PACKAGE}.{name}").PLATFORM
    return platform


def simulate_platform(
    platform: Platform, error: UnmodelledError, seed: int, noise: Fraction | float | str = 1
) -> SimulatedExperiment:
    """The experiment with this unmodelled error; `noise` is a factor on the platform's standard deviations."""
    if error.name == "joints":
        raise InputError(
            "this platform has no joints with two axes, so it has no error joints; choose none, backlash or outlier"
        )
    factor, (for_error, for_noise) = noise_factor(noise), generators(seed)
    kind = platform.kind
    rows = platform.poses
    extra = slack(error, rows, kind.legs, for_error)
    gross = gross_error(error, rows, kind.legs, for_error)
    if gross is not None:
        extra[gross[0], gross[1]] += float(gross[2])
    blueprint = [_quantity(text) for leg in platform.blueprint for text in leg]
    parameters = _truth(platform, blueprint)
    poses = _poses(platform)
    readings = _readings(platform, kind, parameters, poses, extra)
    columns = [*poses, *readings]
    measurements = {name: tuple(column) for name, column in zip(kind.table_columns, columns, strict=True)}
    truth = Truth(parameters, measurements, (gross[1] + 1, gross[0] + 1) if gross is not None else None)
    radii = tuple(_quantity(text).value for text in platform.radius) * kind.legs
    deviations = {
        name: platform.deviations[name if name in platform.deviations else name.rstrip("0123456789")]
        for name in kind.table_columns
    }
    robot = Robot(
        kind,
        platform.title,
        platform.source,
        tuple(blueprint),
        deviations,
        NOMINAL,
        radii,
        platform.known_poses,
        platform.known_deviation,
    )
    return observe(robot, truth, error, seed, factor, for_noise)


def _quantity(text: str) -> Quantity:
    number, _, unit = text.partition(" ")
    return Quantity(Fraction(number) * UNITS[unit].factor, UNITS[unit].canonical)


def _truth(platform: Platform, blueprint: list[Quantity]) -> tuple[Fraction, ...]:
    """The true parameters: what is known exactly is as in the blueprint."""
    random = np.random.default_rng(2006)
    found = []
    for number, quantity in enumerate(blueprint):
        width = _quantity(platform.radius[number % len(platform.radius)]).value
        moved = Fraction(random.uniform(-1.0, 1.0) * min(platform.spread, float(width) / 2.0))
        found.append(quantity.value + round(moved / DIGIT) * DIGIT)
    return tuple(found)


def _poses(platform: Platform) -> list[list[Fraction]]:
    """The true poses, column by column."""
    random = np.random.default_rng(1981)
    columns = [random.uniform(low, high, platform.poses).tolist() for low, high in platform.workspace.values()]
    return [[round(Fraction(value) / DIGIT) * DIGIT for value in column] for column in columns]


def _readings(
    platform: Platform, kind: Kind, parameters: tuple[Fraction, ...], poses: list[list[Fraction]], extra: Floats
) -> list[list[Fraction]]:
    """What each leg's sensor reads in each pose, leg by leg."""
    size, unknowns = len(kind.parameter_names), len(kind.pose_unknowns)
    found = []
    for leg in range(kind.legs):
        own = [float(value) for value in parameters[leg * size : (leg + 1) * size]]
        column = []
        for row in range(platform.poses):
            pose = [float(values[row]) for values in poses]
            column.append(
                Fraction(
                    _reading(kind, [*own, *pose[:unknowns]], pose[unknowns:], platform.start, float(extra[row, leg]))
                )
            )
        found.append(column)
    return found


def _reading(kind: Kind, unknown: list[float], pose: list[float], start: float, wanted: float) -> float:
    """The reading at which the leg's equation has the wanted value, by Newton's method."""
    units = {field.name: "deg" for field in (*kind.unknown, *kind.measured) if field.dimension == Dimension.ANGLE}
    reading = start
    for _ in range(ITERATIONS):
        value = kind.residual(unknown, [*pose, reading], units) - wanted
        slope = (kind.residual(unknown, [*pose, reading + DIFFERENCE], units) - wanted - value) / DIFFERENCE
        step = value / slope if slope else float("nan")
        if not np.isfinite(step):
            break
        reading -= step
        if abs(step) <= STEP * (1.0 + abs(reading)):
            return reading
    raise InputError(f"the pose {pose} is out of reach of a leg; make the workspace smaller")
