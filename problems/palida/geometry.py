"""The geometry of PaLiDA (S1 section IV): six struts of variable length between the base and a platform.

A pose is (x, y, z, phi, theta, psi) in m and rad: the tool centre point, R = Rz(psi) Ry(theta) Rx(phi); the last axis
of an array has the coordinates or the six struts.

    d_j = x + R B_j - A_j = q_j e_j              the strut from its cardan joint A_j to the platform's joint B_j
    a_j                                          its first axis (alpha), fixed in the base, horizontal and radial
    b_j = a_j x e_j / h_j,  h_j = |a_j x e_j|    its second axis (beta), in the ring;  c_j = b_j x e_j
    dq_j/dt = e_j . (v + omega x R B_j)          the inverse Jacobian

S1 prints no dimensions. These are ours, a hexapod that hangs from its base, z up; B_j are chosen such that S1's
parameters known beforehand (table III) are those of real bodies. A pose is singular where the six rows (e_j, R B_j x
e_j) depend on each other, a strut where e_j is along a_j.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from certify.problems.errors import InputError
from certify.problems.palida.jets import cosine, inverse, root, sine, stacked
from certify.problems.regressors.regressor import Floats

STRUTS, COORDINATES = 6, ("x", "y", "z", "phi", "theta", "psi")
BASE_RADIUS, PLATFORM_RADIUS, PLATFORM_HEIGHT = 0.500, 0.085, 0.105  # m; B_j above the tool centre point
BASE_ANGLES = np.radians([-10.0, 10.0, 110.0, 130.0, 230.0, 250.0])
PLATFORM_ANGLES = np.radians([-50.0, 50.0, 70.0, 170.0, 190.0, 290.0])
RADIAL = np.stack([np.cos(BASE_ANGLES), np.sin(BASE_ANGLES), np.zeros(STRUTS)])
BASE = BASE_RADIUS * RADIAL  # A_j, (3, 6)
AXES = RADIAL  # a_j
PLATFORM = np.stack(
    [
        PLATFORM_RADIUS * np.cos(PLATFORM_ANGLES),
        PLATFORM_RADIUS * np.sin(PLATFORM_ANGLES),
        np.full(STRUTS, PLATFORM_HEIGHT),
    ]
)
HOME = np.array([0.0, 0.0, -0.85, 0.0, 0.0, 0.0])
LENGTHS, SPEED, FORCE = (0.65, 1.10), 2.0, 230.0  # m, m/s and N: what a strut and its drive can do
REACH = np.array([0.20, 0.20, 0.15, 0.35, 0.35, 0.35])  # of a pose to either side of HOME, m and rad
ITERATIONS, CONVERGED, SINGULAR = 50, 1e-13, 1e-4  # SINGULAR: 1 / condition of the Jacobian, lengths in PLATFORM_RADIUS

Vector = tuple[Any, Any, Any]
Parts = Sequence[Any] | Floats  # three components


def dot(a: Parts, b: Parts) -> Any:
    """Of vectors given by their components."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Parts, b: Parts) -> Vector:
    """Of vectors given by their components."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def plus(*vectors: Parts) -> Vector:
    """The sum of vectors."""
    total = list(vectors[0])
    for other in vectors[1:]:
        total = [a + b for a, b in zip(total, other, strict=True)]
    return total[0], total[1], total[2]


def times(factor: Any, vector: Parts) -> Vector:
    """A multiple of a vector."""
    return factor * vector[0], factor * vector[1], factor * vector[2]


def spread(vector: Sequence[Any]) -> Vector:
    """One vector for each strut."""
    return vector[0][..., None], vector[1][..., None], vector[2][..., None]


@dataclass(frozen=True, eq=False)
class Struts:
    """R by columns, and of each strut R B_j, the unit vectors, q_j and h_j, by components (..., 6)."""

    rotation: tuple[Vector, Vector, Vector]
    arms: Vector
    directions: Vector
    second: Vector
    third: Vector
    lengths: Any
    lever: Any


def rotation(angles: Sequence[Any]) -> tuple[Vector, Vector, Vector]:
    """The columns of R = Rz(psi) Ry(theta) Rx(phi)."""
    (cx, cy, cz), (sx, sy, sz) = [cosine(angle) for angle in angles], [sine(angle) for angle in angles]
    return (
        (cz * cy, sz * cy, -sy),
        (cz * sy * sx - sz * cx, sz * sy * sx + cz * cx, cy * sx),
        (cz * sy * cx + sz * sx, sz * sy * cx - cz * sx, cy * cx),
    )


def struts(pose: Sequence[Any]) -> Struts:
    """Where the struts are in a pose, given by its six coordinates: arrays, balls or jets."""
    turned = rotation(pose[3:])
    arms = plus(*(times(PLATFORM[k], spread(turned[k])) for k in range(3)))
    along = plus(spread(pose[:3]), arms, (-BASE[0], -BASE[1], -BASE[2]))
    lengths = root(dot(along, along))
    directions = times(inverse(lengths), along)
    normal = cross(directions, AXES)
    normal = (-normal[0], -normal[1], -normal[2])
    lever = root(dot(normal, normal))
    second = times(inverse(lever), normal)
    return Struts(turned, arms, directions, second, cross(second, directions), lengths, lever)


def coordinates(pose: Floats) -> list[Any]:
    """The six coordinates of poses (..., 6)."""
    return [pose[..., k] for k in range(len(COORDINATES))]


def inverse_kinematics(pose: Floats) -> Floats:
    """The lengths q of the struts in m, (..., 6)."""
    return np.asarray(struts(coordinates(np.asarray(pose))).lengths)


def rows_of_jacobian(at: Struts) -> list[Any]:
    """(e_j, R B_j x e_j) by its six columns, each (..., 6 struts): dq/dt = J (v, omega)."""
    return [*at.directions, *cross(at.arms, at.directions)]


def jacobian(pose: Floats) -> Floats:
    """dq/dt = J (v, omega), (..., 6, 6); v in m/s and omega in rad/s in the base's frame."""
    return np.asarray(stacked(rows_of_jacobian(struts(coordinates(np.asarray(pose))))))


def angular_columns(angles: Sequence[Any]) -> tuple[Vector, Vector, Vector]:
    """omega = H dangles/dt, by the columns of H: Rz Ry x, Rz y and z."""
    (cy, sy), (cz, sz) = [(cosine(angle), sine(angle)) for angle in angles[1:]]
    return (cz * cy, sz * cy, -sy), (-sz, cz, cz * 0.0), (cz * 0.0, cz * 0.0, cz * 0.0 + 1.0)


def pose_jacobian(pose: Floats) -> Floats:
    """dq/dt = G dpose/dt, (..., 6, 6)."""
    pose = np.asarray(pose)
    columns = angular_columns(coordinates(pose)[3:])
    whole = jacobian(pose)
    turning = np.stack([np.stack(column, axis=-1) for column in columns], axis=-1)
    return np.asarray(np.concatenate([whole[..., :3], whole[..., 3:] @ turning], axis=-1))


def strut_speeds(pose: Floats, velocity: Floats) -> Floats:
    """dq/dt in m/s, (..., 6), of poses and their derivatives in time."""
    return np.asarray((pose_jacobian(pose) @ np.asarray(velocity)[..., None])[..., 0])


def check_regular(pose: Floats) -> None:
    """Raise InputError in a pose whose forces are not determined, or where a strut cannot be."""
    pose = np.atleast_2d(pose)
    at = struts(coordinates(pose))
    wrong = ~np.isfinite(pose).all(-1)
    if wrong.any():
        raise InputError(f"pose {int(np.argmax(wrong)) + 1} has a coordinate that is not a number; leave it out")
    scale = np.array([1.0, 1, 1, *[PLATFORM_RADIUS] * 3])
    worth = 1.0 / np.linalg.cond(jacobian(pose) / scale)
    singular = (worth < SINGULAR) | (at.lever.min(-1) < SINGULAR)
    if singular.any():
        k = int(np.argmax(singular))
        told = ", ".join(f"{value:.4g}" for value in pose[k])
        raise InputError(
            f"pose {k + 1} of PaLiDA, ({told}) in m and rad, is singular: forces of its six struts do not determine "
            f"all forces on the platform there (1 / condition {worth[k]:.1e}); keep away from it"
        )


def forward_kinematics(lengths: Floats, start: Floats = HOME) -> Floats:
    """The pose with these lengths next to `start`, by Newton's iteration pose <- pose + G^-1 (q - q(pose)).

    Raises InputError where it does not settle, or meets a singular pose.
    """
    lengths = np.asarray(lengths, dtype=np.float64)
    pose = np.broadcast_to(start, lengths.shape).astype(np.float64)
    for _ in range(ITERATIONS):
        with np.errstate(all="ignore"):
            missing = lengths - inverse_kinematics(pose)
            matrix = pose_jacobian(pose)
        if not np.isfinite(matrix).all() or not np.isfinite(missing).all():
            break
        try:
            step = np.linalg.solve(matrix, missing[..., None])[..., 0]
        except np.linalg.LinAlgError:
            break
        pose = pose + np.clip(step, -REACH, REACH)
        if np.abs(step).max(initial=0.0) <= CONVERGED:
            check_regular(pose)
            return np.asarray(pose)
    return _settled(lengths, pose)


def _settled(lengths: Floats, pose: Floats) -> Floats:
    """What rounding keeps from standing still is settled all the same; else the message."""
    with np.errstate(all="ignore"):
        off = np.abs(np.atleast_2d(inverse_kinematics(pose) - lengths)).max(-1)
    if (off <= 1e-12).all():
        check_regular(pose)
        return pose
    k = int(np.argmax(~(off <= 1e-12)))
    told = ", ".join(f"{value:.4g}" for value in np.atleast_2d(lengths)[k])
    raise InputError(
        f"no pose of PaLiDA was found for the lengths ({told}) m, sample {k + 1}; check that they are in m, in the "
        f"order of the struts, and between {LENGTHS[0]:g} and {LENGTHS[1]:g} m"
    )
