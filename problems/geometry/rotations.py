"""Rotations as Euler angles, quaternions and matrices, in the project's one convention, many at a time; estimates in
floats.

    R = Rx(alpha) Ry(beta) Rz(gamma), angles in degrees;    q = (w, x, y, z) of any length but 0, and -q is the same
        rotation

From the entries of R (quadratic forms of q, so that its length cancels)

    alpha = atan2(-R23, R33),    beta = atan2(R13, |(R11, R12)|),    gamma = atan2(-R12, R11),    -90 <= beta <= 90
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from certify.problems.formulas.expression import rotation_xyz

Floats = NDArray[np.float64]


def rotations(angles: Floats) -> Floats:
    """The matrices (n, 3, 3) of Euler angles (n, 3) in degrees."""
    matrices: Floats = np.moveaxis(rotation_xyz(*np.radians(angles.T)), -1, 0)
    return matrices


def euler_angles(matrices: Floats) -> Floats:
    """Euler angles (n, 3) in degrees of matrices (n, 3, 3)."""
    alpha = np.arctan2(-matrices[:, 1, 2], matrices[:, 2, 2])
    beta = np.arctan2(matrices[:, 0, 2], np.hypot(matrices[:, 0, 0], matrices[:, 0, 1]))
    gamma = np.arctan2(-matrices[:, 0, 1], matrices[:, 0, 0])
    angles: Floats = np.degrees(np.stack([alpha, beta, gamma], axis=1))
    return angles


def nearest_rotation(matrix: Floats) -> Floats:
    """The rotation nearest to a 3 x 3 matrix in the Frobenius norm."""
    left, _, right = np.linalg.svd(matrix)
    rotation: Floats = left @ np.diag([1.0, 1.0, np.linalg.det(left @ right)]) @ right
    return rotation


def turned_by(first: Floats, second: Floats) -> Floats:
    """By how many degrees each rotation of `first` (n, 3, 3) must be turned to become that of `second`."""
    difference = np.swapaxes(first, 1, 2) @ second
    sine = np.stack([difference[:, i, j] - difference[:, j, i] for i, j in ((2, 1), (0, 2), (1, 0))])
    angles: Floats = np.degrees(
        np.arctan2(np.sqrt((sine**2).sum(axis=0)), np.trace(difference, axis1=1, axis2=2) - 1.0)
    )
    return angles


def quaternions(angles: Floats) -> Floats:
    """Unit quaternions (n, 4) of Euler angles (n, 3) in degrees, as the product of the three turns."""
    (ca, cb, cg), (sa, sb, sg) = np.cos(np.radians(angles.T) / 2), np.sin(np.radians(angles.T) / 2)
    return np.stack(
        [
            ca * cb * cg - sa * sb * sg,
            sa * cb * cg + ca * sb * sg,
            ca * sb * cg - sa * cb * sg,
            ca * cb * sg + sa * sb * cg,
        ],
        axis=1,
    )


def quaternion_angles(quaternions: Floats) -> tuple[Floats, Floats]:
    """Euler angles (n, 3) of quaternions (n, 4), and their derivatives (n, 3, 4), in degrees."""
    w, x, y, z = quaternions.T
    r11, r12, r13 = w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)
    d11, d12, d13 = (2 * np.stack(parts) for parts in ([w, x, -y, -z], [-z, y, x, -w], [y, z, w, x]))
    flat = np.hypot(r11, r12)
    with np.errstate(
        divide="ignore", invalid="ignore"
    ):  # at beta = +-90 degrees, where alpha and gamma are not determined
        ends = (
            (
                2 * (w * x - y * z),
                2 * np.stack([x, w, -z, -y]),
                w * w - x * x - y * y + z * z,
                2 * np.stack([w, -x, -y, z]),
            ),
            (r13, d13, flat, (r11 * d11 + r12 * d12) / flat),
            (-r12, -d12, r11, d11),
        )
        slopes = [(b * da - a * db) / (a * a + b * b) for a, da, b, db in ends]
    angles = np.degrees(np.stack([np.arctan2(a, b) for a, _, b, _ in ends], axis=1))
    return angles, np.degrees(np.moveaxis(np.stack(slopes), -1, 0))
