"""PaLiDA as what a motion is designed for: its coordinates are the pose, its outputs the forces of six drives.

Limits are those of its simulation: poses around the middle of the workspace, lengths and speeds of the struts, forces
of the drives, and 1 / condition of the Jacobian (lengths in radii of the platform), which is 0 in singular poses.
"""

from __future__ import annotations

import numpy as np

from certify.problems.motions.excited import SINGULAR, Excited, Limited, regularity, two_sided
from certify.problems.palida.bodies import BODIES, FRICTION
from certify.problems.palida.geometry import (
    COORDINATES,
    FORCE,
    HOME,
    LENGTHS,
    PLATFORM_RADIUS,
    REACH,
    SPEED,
    STRUTS,
    inverse_kinematics,
    jacobian,
    strut_speeds,
)
from certify.problems.palida.regressor import NAMES, UNITS, regressor
from certify.problems.regressors.regressor import Floats

CHANGES = (0.1, 0.05)  # rad/s and m/s, in which dry friction changes its sign
REGULAR = 0.1
POSE_UNITS = ("m", "m", "m", "rad", "rad", "rad")
TOLD = (
    "palida: hexapod PaLiDA (Abdellatif et al. 2005) of invented dimensions; nominal parameters are those of its "
    "simulation",
)


def palida_excited() -> Excited:
    """The robot of problems/palida."""
    drives = range(1, STRUTS + 1)
    poses = [
        Limited(name, unit, float(home - reach), float(home + reach))
        for name, unit, home, reach in zip(COORDINATES, POSE_UNITS, HOME, REACH, strict=True)
    ]
    forces = tuple(f"Q{j}" for j in drives)
    limits = (
        *poses,
        *(Limited(f"q{j}", "m", *LENGTHS) for j in drives),
        *two_sided([f"dq{j}" for j in drives], ["m/s"] * STRUTS, [SPEED] * STRUTS),
        *two_sided(forces, ["N"] * STRUTS, [FORCE] * STRUTS),
        Limited("regular", "", REGULAR, about=SINGULAR),
    )
    nominal = np.concatenate([BODIES.parameters, FRICTION])
    return Excited(
        name="palida",
        told=TOLD,
        coordinates=COORDINATES,
        units=POSE_UNITS,
        parameters=NAMES,
        parameter_units=UNITS,
        nominal=nominal,
        outputs=forces,
        output_units=("N",) * STRUTS,
        limits=limits,
        rows=lambda x, v, a: _rows(nominal, x, v, a),
        middle=HOME,
        seconds=3.0,
    )


def _rows(nominal: Floats, pose: Floats, velocity: Floats, acceleration: Floats) -> tuple[Floats, Floats]:
    w = regressor(pose, velocity, acceleration, CHANGES)
    scaled = jacobian(pose) / np.array([1.0, 1, 1, *[PLATFORM_RADIUS] * 3])
    quantities = [pose, inverse_kinematics(pose), strut_speeds(pose, velocity), w @ nominal, regularity(scaled)]
    return w, np.concatenate(quantities, axis=1)
