"""A model of what sensors read and drives give along a motion: functions of arrays, so that it may be a user's own.

    readings = readings(pose)                                    (.., coordinates) -> (.., sensors)
    forces = regressor(pose, velocity, acceleration) @ values    (.., coordinates) each -> (.., drives, parameters)
    pose = pose(readings)                                        of all samples, (samples, sensors), at once

Arrays may have more axes in front. For an arm with encoders both functions of readings are the identity.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from certify.problems.errors import InputError
from certify.problems.regressors.regressor import Floats


@dataclass(frozen=True, eq=False)
class PeriodicModel:
    """Names and units of the parameters, those of readings and forces, and the three functions."""

    names: tuple[str, ...]
    regressor: Callable[[Floats, Floats, Floats], Floats]
    readings: Callable[[Floats], Floats] = np.asarray
    pose: Callable[[Floats], Floats] = np.asarray
    units: tuple[str, ...] = ()
    reading_unit: str = ""
    force_unit: str = ""

    def matrix(self, motion: Floats) -> Floats:
        """The regressor of poses, velocities and accelerations (3, .., coordinates), checked."""
        found = np.asarray(self.regressor(*motion))
        if found.ndim < 2 or found.shape[-1] != len(self.names) or found.shape[:-2] != motion.shape[1:-1]:
            raise InputError(
                f"the model's regressor gives an array of shape {found.shape} for motions of {motion.shape[1:]}; it "
                f"has to end with (drives, {len(self.names)} parameters)"
            )
        wrong = ~np.isfinite(found).all((-1, -2))
        if wrong.any():
            raise InputError(
                f"the model's regressor is not a number at sample {int(np.argwhere(wrong)[0][-1]) + 1}: the pose may "
                f"be singular or out of reach; leave it out of the motion"
            )
        return found

    def forces(self, motion: Floats, values: Floats) -> Floats:
        """What the drives give, (.., drives)."""
        return np.asarray(self.matrix(motion) @ values)
