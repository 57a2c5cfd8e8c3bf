"""Forward kinematics: the pose q of a parallel robot whose legs have given lengths, by damped Newton iteration and
continuation.

    lengths(q) = target;    q <- q + s J(q)^-1 (target - lengths(q)),    s the first of 1, 1/2, 1/4, ... that lowers the
        residual

`lengths` is any function of the pose, so joint centres may move with it. From a home pose the target lengths are
approached in steps, each small enough for the pose to change little: the assembly mode is the one that is reached from
home without passing a singularity. Estimates in floats.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from certify.problems.errors import InputError
from certify.problems.formulas.expression import rotation_xyz

Floats = NDArray[np.float64]
Lengths = Callable[[Floats], Floats]
Joints = Callable[[Floats], tuple[Floats, Floats]]

TOLERANCE = 1e-11
ITERATIONS = 40
DIFFERENCE = 1e-4
FIRST_STEP = 0.25
SMALLEST_STEP = 2.0**-12
SMALLEST_DAMPING = 2.0**-20
LARGEST_MOVE = 200.0
LARGEST_TURN = 40.0


def placed(pose: Floats, points: Floats) -> Floats:
    """Points of the platform (n, 3) in the frame of the base; the pose is x, y, z in mm and alpha, beta, gamma in
    degrees.
    """
    moved: Floats = pose[:3] + points @ rotation_xyz(*np.radians(pose[3:])).T
    return moved


def rigid_joints(base: Floats, platform: Floats) -> Joints:
    """Perfect joints: centres (n, 3) fixed in the base and in the platform."""
    return lambda pose: (base, placed(pose, platform))


def leg_lengths(joints: Joints) -> Lengths:
    """Distances between the joint centres, which may depend on the pose; both are given in the frame of the base."""

    def lengths(pose: Floats) -> Floats:
        base, platform = joints(pose)
        squares: Floats = ((platform - base) ** 2).sum(axis=1)
        return np.sqrt(squares)

    return lengths


def newton(lengths: Lengths, target: Floats, start: Floats) -> Floats | None:
    """The pose near `start` at which the legs have the target lengths, or None if the iteration does not get there."""
    pose, error = start, target - lengths(start)
    for _ in range(ITERATIONS):
        if np.abs(error).max() <= TOLERANCE:
            return pose
        try:
            step = np.linalg.solve(_jacobian(lengths, pose), error)
        except np.linalg.LinAlgError:
            return None
        damping = 1.0
        while True:
            trial = pose + damping * step
            trial_error = target - lengths(trial)
            if np.linalg.norm(trial_error) < np.linalg.norm(error):
                break
            damping /= 2.0
            if damping < SMALLEST_DAMPING:
                return pose if np.abs(error).max() <= 100.0 * TOLERANCE else None
        pose, error = trial, trial_error
    return None


def _jacobian(lengths: Lengths, pose: Floats) -> Floats:
    steps = DIFFERENCE * np.eye(pose.size)
    return np.array([(lengths(pose + step) - lengths(pose - step)) / (2.0 * DIFFERENCE) for step in steps]).T


def solve_pose(lengths: Lengths, target: Floats, home: Floats) -> Floats:
    """The pose with these leg lengths that is connected to the home pose, above the base (z > 0).

    Raises InputError when no step is small enough: the lengths are out of reach, or behind a singularity.
    """
    start = lengths(home)
    pose, reached, step = home, 0.0, FIRST_STEP
    while reached < 1.0:
        ahead = min(1.0, reached + step)
        found = newton(lengths, start + ahead * (target - start), pose)
        if found is not None and _is_near(found, pose):
            pose, reached = found, ahead
        else:
            step /= 2.0
            if step < SMALLEST_STEP:
                wanted = np.round(target, 3).tolist()
                raise InputError(
                    f"leg lengths {wanted} mm: no pose that home reaches has them; choose lengths within the workspace"
                )
    return pose


def _is_near(pose: Floats, previous: Floats) -> bool:
    change = np.abs(pose - previous)
    return bool(pose[2] > 0.0 and change[:3].max() < LARGEST_MOVE and change[3:].max() < LARGEST_TURN)
