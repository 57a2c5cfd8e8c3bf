"""The two unknown rigid transformations between a robot and what measures it, by a linear method (Andreff, Horaud and
Espiau 2001).

Of pose k are known: C_k, the target in the camera's frame (measured), and T_k, the platform in the base's frame
(computed from the legs). Unknown are Z, the base in the camera's frame, and X, the platform in the target's frame. Both
ways round give the platform in the camera's frame:

    C_k X = Z T_k

    rotations:   (I kron R_Ck) vec R_X - (R_Tk' kron I) vec R_Z = 0       18 unknowns: the singular vector of the
        smallest singular value,
                                                                          scaled to positive determinants, then
                                                                              projected onto rotations
    positions:   R_Ck t_X - t_Z = R_Z t_Tk - t_Ck                         6 unknowns: linear least squares

vec stacks columns. Two turns about axes that are not parallel determine the rotations and both positions. Exact data
give the exact answer; with errors it is an estimate to start from, not the best fit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from certify.problems.errors import InputError
from certify.problems.geometry.frames import Frame
from certify.problems.geometry.rotations import Floats, nearest_rotation, turned_by

SMALLEST_TURN = 1e-3  # of the second smallest singular value a pose: what 0.1 degrees of turning give
CLEARLY = 3.0  # how much larger than the smallest it must be: else errors, not turns, are what it shows


@dataclass(frozen=True, slots=True)
class HandEye:
    """The base in the camera's frame, the platform in the target's, and what is left: norms in mm and angles in
    degrees, one a pose.
    """

    base: Frame
    platform: Frame
    estimated_position_errors: Floats
    estimated_turns: Floats


def hand_eye(measured: Sequence[Frame], computed: Sequence[Frame]) -> HandEye:
    """Solve C_k X = Z T_k for measured C_k (the target in the camera's frame) and computed T_k (the platform in the
    base's).
    """
    if len(measured) < 3:
        raise InputError(
            f"{len(measured)} poses do not determine where camera and target are; give at least 3 with "
            f"different rotations"
        )
    identity = np.eye(3)
    rows = [
        np.hstack([np.kron(identity, c.rotation), -np.kron(t.rotation.T, identity)])
        for c, t in zip(measured, computed, strict=True)
    ]
    _, singular, right = np.linalg.svd(np.vstack(rows), full_matrices=False)
    if singular[-2] < max(SMALLEST_TURN * np.sqrt(len(rows)), CLEARLY * singular[-1]):
        raise InputError(
            "the rotations of the poses do not determine where camera and target are: they are all alike, "
            "or turn about one axis only; "
            "add poses that turn about other axes"
        )
    turns = _rotation(right[-1][:9]), _rotation(right[-1][9:])
    left = np.vstack([np.hstack([c.rotation, -identity]) for c in measured])
    known = np.concatenate([turns[1] @ t.origin - c.origin for c, t in zip(measured, computed, strict=True)])
    places = np.linalg.lstsq(left, known, rcond=None)[0]
    platform, base = Frame(turns[0], places[:3]), Frame(turns[1], places[3:])
    pairs = [(c @ platform, base @ t) for c, t in zip(measured, computed, strict=True)]
    misses = np.array([np.linalg.norm(one.origin - other.origin) for one, other in pairs])
    angles = turned_by(np.array([one.rotation for one, _ in pairs]), np.array([other.rotation for _, other in pairs]))
    return HandEye(base, platform, misses, angles)


def _rotation(stacked: Floats) -> Floats:
    """The rotation nearest to a multiple of a matrix whose columns are stacked; the multiple's sign makes the
    determinant positive.
    """
    matrix = stacked.reshape(3, 3).T
    return nearest_rotation(matrix * np.sign(np.linalg.det(matrix)))
