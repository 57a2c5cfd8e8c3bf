"""Whether limits are kept: between the instants of a descent by smooth maxima, at last on a fine grid.

    h_k = (g_k - upper) / size  or  (lower - g_k) / size            at instants k; kept where all are <= 0
    max h <= M + ln(sum exp(RHO (h_k - M))) / RHO,  M = max h       smooth, and never below the largest

On the fine grid a quantity is at most |second difference| / 8 beyond its neighbours: exactly so where its second
derivative does not change between them, which is estimated. Of coordinates, their velocities and accelerations
`FourierMotion.ends` knows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from certify.problems.motions.excited import Excited, Limited
from certify.problems.periodic.fourier import FourierMotion, even_phases
from certify.problems.regressors.regressor import Floats

FINE = 4000  # instants of a period
ALLOWED = 1e-9  # of a limit's size: rounding


@dataclass(frozen=True, slots=True)
class Kept:
    """A limit, the ends that a motion has between samples, too, and by which part of its size it exceeds the limit (if
    positive; NaN where the robot does not reach).
    """

    limit: Limited
    lower: float
    upper: float

    @property
    def excess(self) -> float:
        """Of the limit's size; at most 0 if it is kept."""
        one = self.limit
        return max(self.upper - one.upper, one.lower - self.lower) / one.size

    @property
    def used(self) -> float:
        """Which part of the way to the limit the motion goes: 1 reaches it."""
        one = self.limit
        if math.isinf(one.upper) and one.lower > 0.0 and self.lower > 0.0:
            return one.lower / self.lower
        return 1.0 + self.excess

    @property
    def is_kept(self) -> bool:
        """Within rounding."""
        return self.excess <= ALLOWED


def sides(limits: Sequence[Limited]) -> list[tuple[int, float, float, float]]:
    """For each end that there is its quantity's number, the sign, the end and its size."""
    found = []
    for k, one in enumerate(limits):
        found += [(k, 1.0, one.upper, one.size)] if math.isfinite(one.upper) else []
        found += [(k, -1.0, one.lower, one.size)] if math.isfinite(one.lower) else []
    return found


def rooms(limits: Sequence[Limited], quantities: Floats, sharpness: float) -> Floats:
    """What is left to each end, as smooth maxima say; nowhere negative if they are kept."""
    return -np.array([_smooth(part, sharpness)[0] for part in _parts(limits, quantities)])


def room_slopes(limits: Sequence[Limited], quantities: Floats, changes: Floats, sharpness: float) -> Floats:
    """What rooms change by, (ends, numbers), from the changes of the quantities, (samples, limits, numbers)."""
    found = []
    for (k, sign, _, size), part in zip(sides(limits), _parts(limits, quantities), strict=True):
        found.append(-sign / size * (_smooth(part, sharpness)[1] @ changes[:, k]))
    return np.array(found)


def _parts(limits: Sequence[Limited], quantities: Floats) -> list[Floats]:
    return [sign * (quantities[:, k] - end) / size for k, sign, end, size in sides(limits)]


def _smooth(values: Floats, sharpness: float) -> tuple[float, Floats]:
    top = values.max()
    shares = np.exp(sharpness * (values - top))
    total = shares.sum()
    return float(top + np.log(total) / sharpness), shares / total


def kept(robot: Excited, motion: FourierMotion) -> list[Kept]:
    """All limits over a whole period, on a fine grid and between."""
    found = kept_along(robot, motion.at(even_phases(FINE)), True)
    names = [f"{'d' * kind}{name}" for kind in range(3) for name in robot.coordinates]
    lower, upper = (ends.ravel() for ends in motion.ends(FINE))
    ends = {name: (float(a), float(b)) for name, a, b in zip(names, lower, upper, strict=True)}
    return [Kept(one.limit, *ends[one.limit.name]) if one.limit.name in ends else one for one in found]


def kept_along(robot: Excited, moved: Floats, periodic: bool = False) -> list[Kept]:
    """All limits along positions, velocities and accelerations, (3, samples, coordinates), at even times."""
    _, quantities = robot.rows(*moved)
    wrapped = np.concatenate([quantities[-1:], quantities, quantities[:1]])
    around = wrapped if periodic else np.pad(quantities, ((1, 1), (0, 0)), mode="edge")
    bent = np.pad(np.abs(np.diff(around, 2, axis=0)) / 8.0, ((1, 1), (0, 0)), mode="wrap" if periodic else "edge")
    beyond = np.maximum(bent[1:-1], np.maximum(bent[:-2], bent[2:]))
    upper, lower = (quantities + beyond).max(axis=0), (quantities - beyond).min(axis=0)
    found = [Kept(one, float(a), float(b)) for one, a, b in zip(robot.limits, lower, upper, strict=True)]
    return [one for one in found if not one.limit.is_open]


def worst(limits: Sequence[Kept]) -> Kept:
    """The one that is exceeded most; one that is not known (unreachable) before all others."""
    return max(limits, key=lambda one: math.inf if math.isnan(one.excess) else one.excess)
