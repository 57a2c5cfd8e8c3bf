"""What repeated readings say: the mean of each pose, and how far single readings scatter around it.

Centred reading: the reading minus the mean of all readings of its pose. S2 describes sensors by the standard deviation
of all centred readings (tables 2 and 3), which is a little too small when few readings stand behind a mean. Split into
what a new run changes and what a new image changes, without that bias (analysis of variance; poses i, runs j, n_ij
readings in a run, N in all, K poses, R runs):

    image^2 = sum (reading - mean of its run)^2 / (N - R)
    run^2   = (sum n_ij (mean of run - mean of pose)^2 / (R - K) - image^2) / n0,   n0 = (N - sum_i sum_j n_ij^2 / n_i)
        / (R - K)

A component that nothing was repeated for is 0 (its effect, if there is one, is part of the other). Estimates in floats.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from certify.problems.geometry.rotations import Floats

Numbers = NDArray[np.int64]
ROUNDING = 1e-14  # of the largest reading: what the rounding of a mean leaves of equal readings


@dataclass(frozen=True, eq=False, slots=True)
class Spread:
    """Centred readings, and the standard deviations of the two parts of a reading's error: between runs and between
    images.
    """

    centred: Floats
    run: float
    image: float

    @property
    def distribution(self) -> float:
        """The standard deviation of the centred readings, as S2 prints it."""
        return float(np.std(self.centred))

    @property
    def deviation(self) -> float:
        """The standard deviation of one reading, without the bias of the means."""
        return float(np.hypot(self.run, self.image))


def means(values: Floats, group: Numbers) -> Floats:
    """The mean of the values of each group 0, 1, ..."""
    average: Floats = np.bincount(group, weights=values) / np.bincount(group)
    return average


def unwrapped(angles: Floats, group: Numbers) -> Floats:
    """Angles in degrees, moved by whole turns to within half a turn of the first one of their group."""
    first = angles[np.unique(group, return_index=True)[1]][group]
    near: Floats = first + (angles - first + 180.0) % 360.0 - 180.0
    return near


def spread(values: Floats, pose: Numbers, run: Numbers) -> Spread | None:
    """How repeated readings scatter, or None if no pose has two; `pose` and `run` number them from 0."""
    rows, poses, runs = len(values), int(pose.max()) + 1, int(run.max()) + 1
    if rows == poses:
        return None
    centred, of_run = values - means(values, pose)[pose], means(values, run)
    owner = np.zeros(runs, dtype=np.int64)
    owner[run] = pose
    sizes = np.bincount(run).astype(np.float64)
    image = float(((values - of_run[run]) ** 2).sum() / (rows - runs)) if rows > runs else 0.0
    if np.sqrt(image) <= ROUNDING * np.abs(values).max():
        image = 0.0
    if runs == poses:
        return Spread(centred, 0.0, float(np.sqrt(image)))
    between = float((sizes * (of_run - means(values, pose)[owner]) ** 2).sum() / (runs - poses))
    effective = (rows - float((np.bincount(owner, weights=sizes**2) / np.bincount(pose)).sum())) / (runs - poses)
    return Spread(centred, float(np.sqrt(max(between - image, 0.0) / effective)), float(np.sqrt(image)))
