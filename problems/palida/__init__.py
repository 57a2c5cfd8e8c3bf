"""PaLiDA, a hexapod with six linear drives: geometry, dynamics linear in 24 parameters, nineteen bodies.

regressor(pose, velocity, acceleration)     W, (..., 6 drives, 24): forces in N are W p
inverse_kinematics(pose), strut_speeds(pose, velocity)      lengths in m and their speeds in m/s, (..., 6)
forward_kinematics(lengths, start)          poses (..., 6) in m and rad
full_forces(pose, velocity, acceleration, bodies, friction)     Newton and Euler, without any sum of parameters
"""

from certify.problems.palida.bodies import BODIES, FRICTION
from certify.problems.palida.geometry import (
    FORCE,
    HOME,
    LENGTHS,
    REACH,
    SPEED,
    forward_kinematics,
    inverse_kinematics,
    strut_speeds,
)
from certify.problems.palida.newton_euler import full_forces
from certify.problems.palida.regressor import NAMES, UNITS, regressor

__all__ = [
    "BODIES",
    "FORCE",
    "FRICTION",
    "HOME",
    "LENGTHS",
    "NAMES",
    "REACH",
    "SPEED",
    "UNITS",
    "forward_kinematics",
    "full_forces",
    "inverse_kinematics",
    "regressor",
    "strut_speeds",
]
