"""Adept cycles of the Par4: 25 mm up, 305 mm across, 25 mm down and back again, as fast as stated (S4 section III).

    each move        rest to rest with the acceleration a, at most the velocity v
    across           begins when the move up has OVERLAP of its time left; down begins as long before its end

S4 has v = 5 m/s and a = 150 m/s^2 and measures 0.25 s for a round trip; how it rounds the corners it does not say:
without overlap the cycle would last 0.292 s, with whole ones 0.240 s; with OVERLAP it is 0.250 s.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from certify.problems.errors import InputError
from certify.problems.par4.geometry import START, check_reachable
from certify.problems.regressors.regressor import Floats

OVERLAP = 0.4
UP, ACROSS = 0.025, 0.305  # m


@dataclass(frozen=True, slots=True)
class Adept:
    """Cycles along x in the middle of the workspace, at so many m/s and m/s^2."""

    velocity: float = 5.0
    acceleration: float = 150.0
    cycles: int = 2
    pause: float = 0.1  # s before, between half cycles' ends and behind

    @property
    def one_way(self) -> float:
        """The time of half a cycle in s."""
        return duration(ACROSS, self) + 2.0 * (1.0 - OVERLAP) * duration(UP, self)

    @property
    def cycle(self) -> float:
        """The time of a round trip in s."""
        return 2.0 * self.one_way


def duration(length: float, adept: Adept) -> float:
    """Of a move from rest to rest."""
    v, a = adept.velocity, adept.acceleration
    return length / v + v / a if length * a >= v * v else 2.0 * float(np.sqrt(length / a))


def moved(time: Floats, length: float, adept: Adept) -> Floats:
    """How far a move from rest to rest has come."""
    v, a = adept.velocity, adept.acceleration
    whole = duration(length, adept)
    top = min(v, float(np.sqrt(length * a)))
    t = np.clip(time, 0.0, whole)
    ramp = top / a
    found: Floats = np.where(
        t < ramp,
        a * t**2 / 2.0,
        np.where(t < whole - ramp, top * (t - ramp / 2.0), length - a * (whole - t) ** 2 / 2.0),
    )
    return found


def adept_poses(adept: Adept, rate: float) -> Floats:
    """The poses of the reference, (samples, 4)."""
    if not (adept.velocity > 0 and adept.acceleration > 0 and adept.cycles >= 1):
        raise InputError(
            f"an Adept cycle of {adept.velocity:g} m/s and {adept.acceleration:g} m/s^2 does not move; give positive "
            f"numbers, such as 5 m/s and 150 m/s^2"
        )
    whole = 2.0 * adept.pause + adept.cycles * (adept.cycle + 2.0 * adept.pause)
    time = np.arange(round(whole * rate)) / rate - adept.pause
    up, across = np.zeros_like(time), np.zeros_like(time)
    begins = (1.0 - OVERLAP) * duration(UP, adept)
    falls = begins + duration(ACROSS, adept) - OVERLAP * duration(UP, adept)
    for half in range(2 * adept.cycles):
        t = time - half * (adept.one_way + adept.pause)
        up += moved(t, UP, adept) - moved(t - falls, UP, adept)
        across += (-1.0) ** half * moved(t - begins, ACROSS, adept)
    poses = START + np.stack([across - ACROSS / 2.0, 0 * up, up, 0 * up], axis=1)
    check_reachable(poses, rate)
    return poses
