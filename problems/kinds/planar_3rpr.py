"""The planar 3-RPR robot: three legs in a plane, each a prismatic actuator between two revolute joints.

    |P + R b - a| - (L + l) = 0,        P = (x, y), R the rotation by theta

a, b and l as for the Gough platform, in two dimensions; measured are the pose x, y, theta and the length variations
L1..L3.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from certify.problems.formulas.expression import cos, norm, sin
from certify.problems.formulas.units import Dimension
from certify.problems.robots.kind import Field, Kind


def leg(x: Any, m: Any) -> Any:
    """How much longer the leg must be than it is, in mm."""
    return norm(m.P + m.R @ x.b - x.a) - (m.L + x.l)


def pose(m: SimpleNamespace) -> None:
    """Position and rotation matrix of the platform."""
    c, s = cos(m.theta), sin(m.theta)
    m.P = np.array([m.x, m.y])
    m.R = np.array([[c, -s], [s, c]])


KIND = Kind(
    name="planar_3rpr",
    title="planar 3-RPR robot",
    legs=3,
    parameters=(
        Field("a", Dimension.LENGTH, ("x", "y")),
        Field("b", Dimension.LENGTH, ("x", "y")),
        Field("l", Dimension.LENGTH),
    ),
    pose=(Field("x", Dimension.LENGTH), Field("y", Dimension.LENGTH), Field("theta", Dimension.ANGLE)),
    own=(Field("L", Dimension.LENGTH),),
    model=leg,
    prepare=pose,
    conventions=(
        "model of a leg: |P + R b - a| = L + l, with P = (x, y) and R the rotation by theta",
        "a: joint centre on the base, in the base frame; b: joint centre on the platform, in the platform frame",
        "L1..L3: reading of the length sensor; l: offset, so that the leg is L + l long",
        "x, y, theta: measured pose of the platform frame in the base frame",
    ),
)
