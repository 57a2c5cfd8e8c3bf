"""The pose with given joints of a robot whose closed form goes the other way, for many instants at once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from certify.problems.errors import InputError
from certify.problems.regressors.regressor import Floats

ITERATIONS, CONVERGED, SETTLED = 50, 1e-14, 1e-9


def pose_of_joints(
    joints: Floats,
    start: Floats,
    inverse: Callable[[Floats], Floats],
    jacobian: Callable[[Floats, Floats], Floats],
    robot: str,
) -> Floats:
    """The poses with these joints, (..., joints), from `start`: x <- x + J(x, q(x)) (q - q(x)), until they stand still.

    Raises InputError where the iteration does not settle: the joints cannot be so, or the robot is near a singularity.
    """
    pose = np.broadcast_to(start, joints.shape).astype(np.float64)
    for _ in range(ITERATIONS):
        there = inverse(pose)
        with np.errstate(invalid="ignore"):
            step = (jacobian(pose, there) @ (joints - there)[..., None])[..., 0]
        pose = pose + step
        if not np.isfinite(pose).all():
            break
        if np.abs(step).max(initial=0.0) <= CONVERGED:
            return pose
    off = np.abs(inverse(pose) - joints).max(-1).ravel()
    wrong = int(np.flatnonzero(~(off <= SETTLED))[0]) if (~(off <= SETTLED)).any() else 0
    angles = ", ".join(f"{angle:.4g}" for angle in joints.reshape(-1, joints.shape[-1])[wrong])
    where = f" at sample {wrong + 1} of {len(off)}" if len(off) > 1 else ""
    raise InputError(
        f"no pose of the {robot} was found for the joint angles ({angles}) rad{where}; check that they are in rad and "
        f"in the order of the chains"
    )
