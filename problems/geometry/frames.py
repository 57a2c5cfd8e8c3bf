"""Rigid frames: where a body stands in another body's frame, and the frame that three joint centres fix.

a point p of the body is at R p + t in the other frame;    (R1, t1) @ (R2, t2) = (R1 R2, R1 t2 + t1)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from certify.problems.errors import InputError
from certify.problems.geometry.rotations import Floats, euler_angles, rotations

SMALLEST_SINE = 1e-6


@dataclass(frozen=True, eq=False, slots=True)
class Frame:
    """A rotation matrix and the place of the origin in mm."""

    rotation: Floats
    origin: Floats

    def __matmul__(self, other: Frame) -> Frame:
        return Frame(self.rotation @ other.rotation, self.rotation @ other.origin + self.origin)

    @property
    def inverse(self) -> Frame:
        """Where the other body stands in this one's frame."""
        return Frame(self.rotation.T, -self.rotation.T @ self.origin)

    def placed(self, points: Floats) -> Floats:
        """Points (n, 3) of this body in the other frame."""
        moved: Floats = points @ self.rotation.T + self.origin
        return moved

    @property
    def pose(self) -> Floats:
        """x, y, z in mm, then the Euler angles in degrees."""
        return np.concatenate([self.origin, euler_angles(self.rotation[None])[0]])


def frame_of(pose: Floats) -> Frame:
    """The frame with this pose: x, y, z in mm, then the Euler angles in degrees."""
    return Frame(rotations(pose[None, 3:])[0], pose[:3].copy())


def joint_frame(points: Floats, origin: Floats, what: str) -> Frame:
    """The frame with this origin whose x axis points from the first joint centre to the second, with the third in its
    plane z = 0, y > 0.

    With the first centre as the origin this is how S2's section 3.1 fixes base and platform: a1 = 0, a2y = a2z = 0, a3z
    = 0. Its tables 4 and 5 show the centroid at the origin instead, and a1y = a2y, a1z = a2z = a3z. `what` names the
    centres in a message.
    """
    along, across = points[1] - points[0], points[2] - points[0]
    normal = np.cross(along, across)
    if np.linalg.norm(normal) <= SMALLEST_SINE * np.linalg.norm(along) * np.linalg.norm(across):
        raise InputError(
            f"{what}: the centres of legs 1, 2 and 3 lie on a line, so they fix no frame; number the legs otherwise"
        )
    x, z = along / np.linalg.norm(along), normal / np.linalg.norm(normal)
    return Frame(np.stack([x, np.cross(z, x), z], axis=1), np.array(origin, dtype=np.float64))
