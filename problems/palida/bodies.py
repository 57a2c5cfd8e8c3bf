"""The nineteen bodies of PaLiDA and what S1's ten parameters are of them (table I): a platform, and of each strut a
ring, a stator and a slider.

    ring     z along alpha's axis a, x along b          origin A_j
    stator   y along the strut e, z along b             origin A_j
    slider   z along the strut e, y along b             origin B_j
    platform x, y, z of the pose's R                    origin at the tool centre point

S1 prints no bodies, but values known beforehand (table III, "a-priori") of the ten sums. The bodies here are ours, real
ones that give just these sums, but for p2: no real bodies have p2 > p3 (I_xx <= I_yy + I_zz of stator and slider), and
S1 has 0.947 and 0.943; here p2 is 0.941.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from certify.problems.palida.geometry import PLATFORM, STRUTS
from certify.problems.regressors.regressor import Floats


@dataclass(frozen=True, eq=False)
class Body:
    """Mass in kg, first moments m c in kg m, and the inertia about the frame's origin in kg m^2, (3, 3)."""

    mass: float
    moment: Floats
    inertia: Floats

    @classmethod
    def aligned(cls, mass: float, moment: tuple[float, float, float], inertias: tuple[float, float, float]) -> Body:
        """Principal axes along the frame's."""
        return cls(mass, np.array(moment), np.diag(inertias))

    @property
    def central(self) -> Floats:
        """The inertia about the centre of mass."""
        c = self.moment / self.mass
        return np.asarray(self.inertia - self.mass * (c @ c * np.eye(3) - np.outer(c, c)))


@dataclass(frozen=True, eq=False)
class Bodies:
    """One platform, and six times a ring, a stator and a slider."""

    ring: Body
    stator: Body
    slider: Body
    platform: Body

    @property
    def parameters(self) -> Floats:
        """S1's p1 .. p10, if the bodies have the symmetries that they stand for."""
        one, two, three, four = self.ring.inertia, self.stator.inertia, self.slider.inertia, self.platform.inertia
        square = (PLATFORM**2).sum(1)
        added = self.slider.mass * np.array([square[1] + square[2], square[0] + square[2], square[0] + square[1]])
        return np.array(
            [
                one[2, 2] + two[1, 1] + three[2, 2],
                two[0, 0] + three[0, 0] - two[1, 1] - three[2, 2],
                two[2, 2] + three[1, 1],
                self.stator.moment[1],
                self.slider.moment[2],
                *(np.diag(four) + added),
                self.platform.moment[2] + self.slider.mass * PLATFORM[2].sum(),
                self.platform.mass + STRUTS * self.slider.mass,
            ]
        )


KNOWN = np.array([0.005, 0.941, 0.943, 0.579, -1.299, 0.240, 0.240, 0.123, 1.698, 16.307])  # S1 table III, but for p2
FRICTION = np.array(  # S1 table III, maximum likelihood: r_alpha, r_beta, r_1 .. r_6, v_1 .. v_6
    [0.420, 0.862, 11.958, 2.597, 14.794, 4.988, 3.451, 5.392, 20.602, 20.538, 14.218, 25.279, 26.050, 23.137]
)
SLIDER_MASS = 2.1  # kg
_ADDED = SLIDER_MASS * (PLATFORM**2).sum(1)
_INNER = KNOWN[5:8] - np.array([_ADDED[1] + _ADDED[2], _ADDED[0] + _ADDED[2], _ADDED[0] + _ADDED[1]])
BODIES = Bodies(
    Body.aligned(0.8, (0.0, 0.0, 0.0), (0.0010, 0.0010, 0.0015)),
    Body.aligned(5.0, (0.0, 0.579, 0.0), (0.0972, 0.0030, 0.0957)),
    Body.aligned(SLIDER_MASS, (0.0, 0.0, -1.299), (0.8473, 0.8473, 0.0005)),
    Body.aligned(
        float(KNOWN[9] - STRUTS * SLIDER_MASS),
        (0.0, 0.0, float(KNOWN[8] - SLIDER_MASS * PLATFORM[2].sum())),
        (float(_INNER[0]), float(_INNER[1]), float(_INNER[2])),
    ),
)
