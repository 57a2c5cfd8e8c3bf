"""The Par4 as what a motion is designed for: its coordinates are the pose, its rows those of problems/par4/torques.py.

Limits are those of the simulated robot's workspace, of joint speeds and torques (four fifths of what its motors give:
the rest is for control and for what the model lacks), and two that keep it away from singular poses:

    regular_x    smallest by largest singular value of J_x1, its lengths in forearms, its last column in bars
    regular_q    smallest entry of J_q, in arms times forearms

Dry friction is f_c tanh(dq / CHANGE) here: how much a motion tells is then smooth in the motion.
"""

from __future__ import annotations

import numpy as np

from certify.problems.dynamics.driven_arms import CHAINS
from certify.problems.motions.excited import Excited, Limited, four_arms, regularity
from certify.problems.par4 import geometry
from certify.problems.par4.geometry import ARM, BAR, FOREARM, START
from certify.problems.par4.motion import GAINS
from certify.problems.par4.plant import LARGEST_VOLTAGE, Plant
from certify.problems.par4.torques import NAMES, UNITS, pose_regressor
from certify.problems.regressors.regressor import Floats

WORKSPACE = (
    Limited("x", "m", -0.25, 0.25),
    Limited("y", "m", START[1] - 0.25, START[1] + 0.25),
    Limited("z", "m", -0.92, -0.74),
    Limited("theta", "rad", -0.6, 0.6),
)
FASTEST = 10.0  # rad/s
CHANGE = 0.3  # rad/s
TORQUE = 0.8 * LARGEST_VOLTAGE * min(GAINS)
OUTPUTS = tuple(f"tau{k}" for k in range(1, CHAINS + 1))
REGULAR_X, REGULAR_Q = 0.08, 0.3
DRY = NAMES.index("f_c")
TOLD = (
    "par4: Par4 robot (Nabat et al. 2006) of invented dimensions; nominal parameters are those of its simulation",
    "torques are the model's: forearms and bars are points at their ends, ripple and control are beside",
)


def par4_excited() -> Excited:
    """The robot of `certify simulate --robot par4 --motion`."""
    limits = four_arms(WORKSPACE, FASTEST, TORQUE, (REGULAR_X, REGULAR_Q))
    nominal = Plant().parameters
    return Excited(
        name="par4",
        told=TOLD,
        coordinates=tuple(one.name for one in WORKSPACE),
        units=tuple(one.unit for one in WORKSPACE),
        parameters=NAMES,
        parameter_units=UNITS,
        nominal=nominal,
        outputs=OUTPUTS,
        output_units=("Nm",) * CHAINS,
        limits=limits,
        rows=lambda x, v, a: _rows(nominal, x, v, a),
        middle=START,
        seconds=2.0,
    )


def _rows(nominal: Floats, pose: Floats, velocity: Floats, acceleration: Floats) -> tuple[Floats, Floats]:
    w, q, dq = pose_regressor(pose, velocity, acceleration)
    w[..., DRY] = np.tanh(dq / CHANGE)
    of_pose, _, of_joints = geometry.jacobian_parts(pose, q)
    scaled = of_pose / (FOREARM * np.array([1.0, 1.0, 1.0, BAR]))
    regular = [regularity(scaled), np.abs(of_joints).min(-1, keepdims=True) / (ARM * FOREARM)]
    return w, np.concatenate([pose, q, dq, w @ nominal, *regular], axis=1)
