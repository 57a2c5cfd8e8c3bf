"""Legs of a Gough platform at random poses, with S2's noise and an error of known kind in the readings or in the
joints.
"""

from fractions import Fraction

import numpy as np

from certify.problems.formulas.expression import rotation_xyz
from certify.problems.functions.dimensions import Dimension
from certify.problems.model.model import Column, Problem, Variable
from certify.problems.readings.noise import half_width
from certify.problems.robots.kind import find_kind
from certify.problems.simulation.table_of_stewart import calibrated, deviations

CENTRE = np.array([0.0, 0.0, 350.0, 0.0, 0.0, 0.0])
REACH = np.array([60.0, 60.0, 50.0, 12.0, 12.0, 20.0])
DIGIT = Fraction(1, 10**5)
DEGREES = dict.fromkeys(("alpha", "beta", "gamma"), "deg")


def exact_reading(pose, length):
    """The sensor reads what it should."""
    return length


def scaled(factor):
    """A length sensor whose scale is wrong."""
    return lambda pose, length: factor * length


def tilted_joint(size):
    """A joint on the platform with two axes at a distance, the first along the platform's own x: it lengthens the leg
    by size sqrt(1 - (w . u)^2).
    """

    def reading(pose, length, leg):
        a, b = leg[:3], leg[3:6]
        turned = rotation_xyz(*np.radians(pose[3:]))
        direction = pose[:3] + turned @ b - a
        along = turned[:, 0] @ direction / np.linalg.norm(direction)
        return length + size * np.sqrt(1.0 - along**2)

    return reading


def taken_poses(count, seed):
    """Random poses in mm and degrees."""
    return np.round(CENTRE + REACH * np.random.default_rng([seed, 7]).uniform(-1, 1, (count, 6)), 5)


def planted(poses, reading=exact_reading, legs=1, seed=1, radius=20, noise=Fraction(1, 10)):
    """The problem of the first legs at these poses, and the true parameters."""
    kind, random = find_kind("gough", "test"), np.random.default_rng([seed, 8])
    truth = np.array(calibrated(), dtype=np.float64)[:legs]
    table = [list(column) for column in np.asarray(poses).T]
    for leg in range(6):
        own = truth[min(leg, legs - 1)]
        lengths = [kind.residual(own, [*pose, 0.0], DEGREES) for pose in poses]
        joint = reading.__code__.co_argcount == 3
        table.append(
            [
                reading(pose, length, own) if joint else reading(pose, length)
                for pose, length in zip(poses, lengths, strict=True)
            ]
        )
    columns = []
    for (name, dimension), values in zip(kind.columns.items(), table, strict=True):
        half = half_width(noise * deviations()[name], DIGIT)
        noisy = [round(Fraction(v + float(half) * random.uniform(-0.9, 0.9)) / DIGIT) * DIGIT for v in values]
        columns.append(
            Column(
                name,
                "deg" if dimension == Dimension.ANGLE else "mm",
                tuple(v - half for v in noisy),
                tuple(v + half for v in noisy),
            )
        )
    centre = [round(Fraction(float(value)), 3) for value in truth.ravel()]
    variables = tuple(
        Variable(name, "mm", value - radius, value + radius)
        for name, value in zip(kind.variable_names, centre, strict=False)
    )
    families = kind.families(len(poses), DEGREES)[:legs]
    return Problem(variables, tuple(columns), families, "planted legs", "simulated: random poses"), truth.ravel()
