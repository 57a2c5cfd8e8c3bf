"""The Gough platform of S2 eq. 1 and 15: six legs between a base and a mobile platform.

    |P + R b - a| - (L + l) = 0,        R = Rx(alpha) Ry(beta) Rz(gamma)

a: the leg's joint centre in the frame of the base; b: its joint centre in the frame of the platform; l: the length
offset. Measured are the pose (P = (x, y, z) and the three angles), shared by the six legs, and each leg's own length
variation L1..L6: a leg is L + l long.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from certify.problems.formulas.expression import norm, rotation_xyz
from certify.problems.formulas.units import Dimension
from certify.problems.robots.kind import Field, Kind


def leg(x: Any, m: Any) -> Any:
    """How much longer the leg must be than it is, in mm."""
    return norm(m.P + m.R @ x.b - x.a) - (m.L + x.l)


def pose(m: SimpleNamespace) -> None:
    """Position and rotation matrix of the platform."""
    m.P = np.array([m.x, m.y, m.z])
    m.R = rotation_xyz(m.alpha, m.beta, m.gamma)


KIND = Kind(
    name="gough",
    title="Gough platform",
    legs=6,
    parameters=(
        Field("a", Dimension.LENGTH, ("x", "y", "z")),
        Field("b", Dimension.LENGTH, ("x", "y", "z")),
        Field("l", Dimension.LENGTH),
    ),
    pose=(
        *(Field(name, Dimension.LENGTH) for name in ("x", "y", "z")),
        *(Field(name, Dimension.ANGLE) for name in ("alpha", "beta", "gamma")),
    ),
    own=(Field("L", Dimension.LENGTH),),
    model=leg,
    prepare=pose,
    conventions=(
        "model of a leg: |P + R b - a| = L + l, with P = (x, y, z) and R = Rx(alpha) Ry(beta) Rz(gamma)",
        "a: joint centre on the base, in the base frame; b: joint centre on the platform, in the platform frame",
        "L1..L6: reading of the length sensor; l: offset, so that the leg is L + l long",
        "x, y, z, alpha, beta, gamma: measured pose of the platform frame in the base frame",
    ),
)
