"""Validation of a calibrated robot (S2 section 3.3): for poses that were not used, where the leg readings put the
platform, and where it was seen.

    position error = |P_measured - P_computed|, orientation error = the angle of R_measured' R_computed

The computed pose is that of forward kinematics next to the measured one. Of a robot without legs it is what the rows of
a pose leave, in the norm of their equation. Estimates in floats.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from certify.contractors.rows.rows import Rows
from certify.problems.errors import InputError
from certify.problems.geometry.rotations import Floats, rotations, turned_by
from certify.problems.robots.forward_kinematics import leg_lengths, newton, rigid_joints
from certify.solvers.fits.minimax import sides_at


@dataclass(frozen=True, eq=False, slots=True)
class PoseErrors:
    """Errors of every validation pose, in mm and in degrees."""

    position: Floats
    orientation: Floats

    @property
    def summary(self) -> tuple[float, float, float, float]:
        """S2's table 6: mean and standard deviation of the position errors, then of the orientation errors."""
        return (
            float(self.position.mean()), float(self.position.std()), float(self.orientation.mean()),
            float(self.orientation.std()),
        )  # fmt: skip


def improvement(before: Floats, after: Floats) -> Floats:
    """By how many percent each pose's error became smaller (S2 figure 5)."""
    return 100.0 * (before - after) / np.maximum(before, np.finfo(np.float64).tiny)


def pose_errors(legs: Floats, poses: Floats, readings: Floats, labels: tuple[str, ...]) -> PoseErrors:
    """Errors with parameters (legs, 7), measured poses (K, 6) in mm and degrees, and leg readings (K, legs); `labels`
    name the poses in messages.
    """
    lengths = leg_lengths(rigid_joints(legs[:, :3], legs[:, 3:6]))
    computed = []
    for label, pose, row in zip(labels, poses, readings, strict=True):
        found = newton(lengths, row + legs[:, 6], pose)
        if found is None:
            raise InputError(
                f"validation pose {label}: no platform pose near the measured one has its leg readings; check "
                f"its signs and units"
            )
        computed.append(found)
    reached = np.array(computed)
    moved = np.sqrt(((reached[:, :3] - poses[:, :3]) ** 2).sum(axis=1))
    return PoseErrors(moved, turned_by(rotations(poses[:, 3:]), rotations(reached[:, 3:])))


def needed_by_rows(
    blocks: Sequence[Rows], numbers: Sequence[int], distances: Sequence[Sequence[int]], x: Floats
) -> Floats:
    """The model error that each pose needs at x, each of whose components is a row of one of these blocks: the largest
    of them, or where they are those of a distance the root of the sum of their squares.
    """
    sizes = {}
    for number in numbers:
        values, _ = sides_at(blocks, (number,), x)
        sizes[number] = np.maximum(values.reshape(2, -1).max(axis=0), 0.0)
    joined = [group for group in distances if set(group) <= set(sizes)]
    alone = [(number,) for number in numbers if not any(number in group for group in joined)]
    errors = [np.sqrt(sum(sizes[number] ** 2 for number in group)) for group in (*joined, *alone)]
    return np.asarray(np.max(errors, axis=0), dtype=np.float64)
