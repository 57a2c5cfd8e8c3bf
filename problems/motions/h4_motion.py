"""The H4 as what a motion is designed for: its coordinates are the pose, its rows those of problems/h4/torques.py.

Limits are those of the simulated robot's workspace, of joint speeds and torques (four fifths of what its motors give:
the rest is for control and for what the model lacks), and two that keep it away from singular poses:

    regular_x    smallest by largest singular value of J_x, its lengths in rods, its last column in half bars
    regular_q    smallest entry of J_q, in arms times rods

Dry friction is F_s tanh(dq / CHANGE) here: how much a motion tells is then smooth in the motion.
"""

from __future__ import annotations

import numpy as np

from certify.problems.dynamics.driven_arms import CHAINS
from certify.problems.h4 import geometry
from certify.problems.h4.geometry import ARM, HALF_BAR, ROD
from certify.problems.h4.plant import TORQUE_RANGE, Plant
from certify.problems.h4.torques import NAMES, UNITS, pose_regressor
from certify.problems.motions.excited import Excited, Limited, four_arms, regularity
from certify.problems.regressors.regressor import Floats

WORKSPACE = (
    Limited("x", "m", -0.11, 0.11),
    Limited("y", "m", -0.11, 0.11),
    Limited("z", "m", -0.52, -0.40),
    Limited("theta", "rad", -0.6, 0.6),
)
FASTEST = 6.0  # rad/s
CHANGE = 0.2  # rad/s
TORQUE = 0.8 * TORQUE_RANGE
OUTPUTS = tuple(f"tau{k}" for k in range(1, CHAINS + 1))
REGULAR_X, REGULAR_Q = 0.15, 0.4
TOLD = (
    "h4: H4 robot (Poignet et al. 2003) of invented dimensions; nominal parameters are those of its simulation",
    "torques are the model's: arms, rods and ripple of the simulated robot are beside",
)


def h4_excited() -> Excited:
    """The robot of `certify simulate --robot h4 --motion`."""
    limits = four_arms(WORKSPACE, FASTEST, TORQUE, (REGULAR_X, REGULAR_Q))
    nominal = Plant().parameters
    return Excited(
        name="h4",
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
        middle=geometry.START,
        seconds=2.5,
    )


def _rows(nominal: Floats, pose: Floats, velocity: Floats, acceleration: Floats) -> tuple[Floats, Floats]:
    w, q, dq = pose_regressor(pose, velocity, acceleration)
    w[..., -CHAINS:] = np.tanh(dq / CHANGE)[..., None] * np.eye(CHAINS)
    of_pose, of_joints = geometry.jacobian_parts(pose, q)
    scaled = of_pose / (ROD * np.array([1.0, 1.0, 1.0, HALF_BAR]))
    regular = [regularity(scaled), np.abs(of_joints).min(-1, keepdims=True) / (ARM * ROD)]
    return w, np.concatenate([pose, q, dq, w @ nominal, *regular], axis=1)
