"""The squared equation of a leg of a Gough platform (S2 eq. 2), its identification Jacobian and its derivatives by what
is measured, in floats.

    f = |d|^2 - (L + l)^2,   d = P + R b - a,   R = Rx(alpha) Ry(beta) Rz(gamma)

    df/da = -2 d      df/db = 2 R'd      df/dl = -2 (L + l)      df/dP = 2 d      df/dL = -2 (L + l)
    df/dangle = 2 d . (w x R b) pi/180,      w = e1 for alpha,  Rx e2 for beta,  R e3 for gamma  (angles in degrees)

f is in mm^2. Classical calibration minimises it; a certified model error is one of g = |d| - (L + l), in mm, with f = g
(g + 2 (L + l)).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from certify.problems.geometry.rotations import Floats, rotations


@dataclass(frozen=True, eq=False, slots=True)
class Leg:
    """The measurements of one leg: positions (K, 3) in mm, Euler angles (K, 3) in degrees and readings (K,) in mm; x =
    (a, b, l) has 7 numbers.
    """

    positions: Floats
    angles: Floats
    readings: Floats

    def values(self, x: Floats) -> Floats:
        """f of every pose."""
        d, _, _ = self._parts(x)
        values: Floats = (d**2).sum(axis=1) - (self.readings + x[6]) ** 2
        return values

    def slopes(self, x: Floats) -> Floats:
        """The identification Jacobian df/dx, (K, 7)."""
        d, _, turns = self._parts(x)
        return 2.0 * np.hstack([-d, np.einsum("kji,kj->ki", turns, d), -(self.readings + x[6])[:, None]])

    def measured_slopes(self, x: Floats) -> Floats:
        """The derivatives by x, y, z, alpha, beta, gamma and L, (K, 7)."""
        d, arm, turns = self._parts(x)
        alpha, nothing = np.radians(self.angles[:, 0]), np.zeros(len(d))
        axes = np.stack(
            [
                np.stack([nothing + 1.0, nothing, nothing]),
                np.stack([nothing, np.cos(alpha), np.sin(alpha)]),
                turns[:, :, 2].T,
            ]
        )  # angle, component, pose
        moved = np.cross(np.moveaxis(axes, 2, 0), arm[:, None, :])
        turning = np.radians(1.0) * np.einsum("kj,kij->ki", d, moved)
        return 2.0 * np.hstack([d, turning, -(self.readings + x[6])[:, None]])

    def _parts(self, x: Floats) -> tuple[Floats, Floats, Floats]:
        turns = rotations(self.angles)
        arm: Floats = turns @ x[3:6]
        d: Floats = self.positions + arm - x[:3]
        return d, arm, turns
