"""The pose with given joints of a robot whose closed form goes the other way, for many instants at once.

    x <- x + J(x, q(x)) (q - q(x)),  until it stands still; a step that leads out of reach, or no nearer, is halved

Where that does not settle, the joints are approached from those of the start in a few stages.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from certify.problems.errors import InputError
from certify.problems.regressors.regressor import Floats

ITERATIONS, HALVINGS, STAGES = 50, 12, 24
CONVERGED, SETTLED = 3e-14, 1e-9


def pose_of_joints(
    joints: Floats,
    start: Floats,
    inverse: Callable[[Floats], Floats],
    jacobian: Callable[[Floats, Floats], Floats],
    robot: str,
) -> Floats:
    """The poses with these joints, (..., joints), from `start`.

    Raises InputError where the iteration does not settle: the joints cannot be so, or the robot is near a singularity.
    """
    wanted, way = joints.reshape(-1, joints.shape[-1]), _Way(inverse, jacobian)
    pose, settled = way.settle(wanted, np.broadcast_to(start, wanted.shape).astype(np.float64))
    if not settled.all():
        pose[~settled], settled[~settled] = way.slowly(wanted[~settled], start)
    if not settled.all():
        raise _refusal(wanted, int(np.flatnonzero(~settled)[0]), robot)
    return pose.reshape(joints.shape)


def _refusal(joints: Floats, wrong: int, robot: str) -> InputError:
    angles = ", ".join(f"{angle:.4g}" for angle in joints[wrong])
    where = f" at sample {wrong + 1} of {len(joints)}" if len(joints) > 1 else ""
    return InputError(
        f"no pose of the {robot} was found for the joint angles ({angles}) rad{where}; check that they are in rad and "
        f"in the order of the chains, and leave out samples near a singular pose"
    )


@dataclass(frozen=True, slots=True)
class _Way:
    """Joints in poses, and the Jacobian of poses by joints."""

    inverse: Callable[[Floats], Floats]
    jacobian: Callable[[Floats, Floats], Floats]

    def settle(self, joints: Floats, pose: Floats) -> tuple[Floats, npt.NDArray[np.bool_]]:
        """The poses near others, and which have settled."""
        off = joints - self.inverse(pose)
        for _ in range(ITERATIONS):
            step = (self.jacobian(pose, joints - off) @ off[..., None])[..., 0]
            pose, off = self._nearer(joints, pose, off, step)
            if np.abs(step).max(initial=0.0) <= CONVERGED:
                break
        return pose, np.asarray(np.abs(off).max(-1) <= SETTLED)

    def slowly(self, joints: Floats, start: Floats) -> tuple[Floats, npt.NDArray[np.bool_]]:
        """In stages from the joints of the start."""
        begin = self.inverse(start)
        pose, settled = np.broadcast_to(start, joints.shape), np.ones(len(joints), dtype=np.bool_)
        for stage in range(1, STAGES + 1):
            pose, there = self.settle(begin + stage / STAGES * (joints - begin), pose)
            settled &= there
        return pose, settled

    def _nearer(self, joints: Floats, pose: Floats, off: Floats, step: Floats) -> tuple[Floats, Floats]:
        """The poses a step on, and how far joints are off there."""
        before = np.maximum(np.abs(off).sum(-1), SETTLED)
        for _ in range(HALVINGS):
            further = pose + step
            left = joints - self.inverse(further)
            lost = ~(np.abs(left).sum(-1) <= before)
            if not lost.any():
                break
            step = np.where(lost[..., None], step / 2.0, step)
        return np.where(lost[..., None], pose, further), np.where(lost[..., None], off, left)
