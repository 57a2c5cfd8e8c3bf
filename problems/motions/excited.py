"""What a motion is designed for: a model that is linear in its parameters, rows at any motion, and what is limited.

    rows(x, v, a) = (W, g)      at positions, velocities and accelerations of the coordinates, (samples, coordinates):
                                W, (samples, outputs, parameters), and limited quantities g, (samples, limits); NaN
                                where the robot does not reach

The first limits are those of the coordinates themselves. Nothing here is proved.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from certify.problems.errors import InputError
from certify.problems.formulas.units import nearest, shown
from certify.problems.regressors.regressor import Floats

Rows = Callable[[Floats, Floats, Floats], tuple[Floats, Floats]]
INFINITE = math.inf
SINGULAR = "0 in a singular pose"  # what a limit is about
LEAST = 2.0**-40  # of a range: narrower ones leave no room for a motion
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_LIMIT = re.compile(rf"\s*([A-Za-z]\w*)\s*=\s*({_NUMBER})?\s*\.\.\s*({_NUMBER})?\s*([^\s\d].*?)?\s*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Limited:
    """A quantity that has to stay between two ends, either of which may be infinite; what it is about, if its name does
    not say so.
    """

    name: str
    unit: str
    lower: float = -INFINITE
    upper: float = INFINITE
    about: str = ""

    @property
    def told(self) -> str:
        """'q1 = -2 .. 2 rad'."""
        ends = [f"{end:.6g}" if math.isfinite(end) else "" for end in (self.lower, self.upper)]
        about = f" ({self.about})" if self.about else ""
        return f"{self.name} = {ends[0]} .. {ends[1]} {self.unit}".rstrip() + about

    @property
    def size(self) -> float:
        """By what its excess is measured: half of the range, or the end."""
        ends = [abs(end) for end in (self.lower, self.upper) if math.isfinite(end)]
        return (self.upper - self.lower) / 2.0 if len(ends) == 2 else (ends[0] if ends and ends[0] else 1.0)

    @property
    def is_open(self) -> bool:
        """Whether nothing is asked of it."""
        return not (math.isfinite(self.lower) or math.isfinite(self.upper))


@dataclass(frozen=True, eq=False)
class Excited:
    """A robot, or a model of a user's own: its coordinates, parameters with nominal values, outputs (torques, forces),
    limits, and rows; `told` says where all that comes from, `seconds` are a usual period.
    """

    name: str
    told: tuple[str, ...]
    coordinates: tuple[str, ...]
    units: tuple[str, ...]
    parameters: tuple[str, ...]
    parameter_units: tuple[str, ...]
    nominal: Floats
    outputs: tuple[str, ...]
    output_units: tuple[str, ...]
    limits: tuple[Limited, ...]
    rows: Rows
    middle: Floats
    seconds: float = 4.0
    rate: float = 1000.0  # Hz, at which a trajectory is written

    @property
    def ranges(self) -> Floats:
        """Of the coordinates, (coordinates, 2)."""
        found = self.limits[: len(self.coordinates)]
        return np.array([(one.lower, one.upper) for one in found])

    def limited(self, text: str | None, share: float = 1.0) -> Excited:
        """With limits as stated, 'q1 = -1 .. 1 rad, tau2 = .. 30 Nm' (an end left out is none), and a share of every
        range used: ranges narrow towards their middles, other ends towards 0.
        """
        found = {one.name: one for one in self.limits}
        for part in text.split(",") if text else ():
            found |= _stated(part, found)
        limits = tuple(_shared(one, share) for one in found.values())
        for one in limits:
            _refuse(one)
        for one in limits[: len(self.coordinates)]:
            if not (math.isfinite(one.lower) and math.isfinite(one.upper)):
                raise InputError(
                    f"--limit: {one.told} has no two ends; a motion needs a range of every coordinate: write "
                    f"'{one.name} = -1 .. 1{' ' + one.unit if one.unit else ''}'"
                )
        low, high = np.array([(one.lower, one.upper) for one in limits[: len(self.coordinates)]]).T
        inside = (self.middle > low) & (self.middle < high)
        return replace(self, limits=limits, middle=np.where(inside, self.middle, (low + high) / 2.0))


def _stated(part: str, known: dict[str, Limited]) -> dict[str, Limited]:
    match = _LIMIT.fullmatch(part)
    if match is None or match[1] not in known:
        hint = "write NAME = LOWER .. UPPER UNIT" if match is None else nearest(match[1], known)
        raise InputError(f"--limit {shown(part.strip())}: {hint}; e.g. '{next(iter(known.values())).told}'")
    one = known[match[1]]
    if match[4] and match[4] != one.unit:
        raise InputError(f"--limit {shown(part.strip())}: {one.name} is in {one.unit or 'no unit'}; give it in that")
    lower, upper = (float(match[k]) if match[k] else end for k, end in ((2, -INFINITE), (3, INFINITE)))
    return {one.name: replace(one, lower=lower, upper=upper)}


def _shared(one: Limited, share: float) -> Limited:
    """The same ends nearer to the middle of the range, or to 0."""
    if share == 1.0 or one.is_open:
        return one
    if math.isfinite(one.lower) and math.isfinite(one.upper):
        middle, half = (one.lower + one.upper) / 2.0, share * (one.upper - one.lower) / 2.0
        return replace(one, lower=middle - half, upper=middle + half)
    return one


def _refuse(one: Limited) -> None:
    if not one.lower < one.upper:
        raise InputError(f"limit {one.told}: its lower end is not below its upper one; exchange or widen them")
    if math.isfinite(one.upper - one.lower) and one.upper - one.lower <= LEAST * max(abs(one.lower), abs(one.upper)):
        raise InputError(f"limit {one.told}: it leaves no room for a motion; widen it")


def two_sided(names: Sequence[str], units: Sequence[str], ends: Sequence[float]) -> tuple[Limited, ...]:
    """Quantities that stay between -end and end."""
    return tuple(Limited(name, unit, -end, end) for name, unit, end in zip(names, units, ends, strict=True))


def four_arms(
    workspace: Sequence[Limited], speed: float, torque: float, regular: Sequence[float]
) -> tuple[Limited, ...]:
    """Limits of a robot with four driven arms: its workspace, angles of a quarter turn, speeds in rad/s and torques in
    Nm, and the least of two measures that are 0 in singular poses.
    """
    names = [[f"{name}{k}" for k in range(1, 5)] for name in ("q", "dq", "tau")]
    ends = zip(names, ("rad", "rad/s", "Nm"), (math.pi / 2, speed, torque), strict=True)
    sides = [limit for these, unit, end in ends for limit in two_sided(these, [unit] * 4, [end] * 4)]
    singular = [Limited(f"regular_{of}", "", least, about=SINGULAR) for of, least in zip("xq", regular, strict=True)]
    return (*workspace, *sides, *singular)


def regularity(jacobians: Floats) -> Floats:
    """Smallest by largest singular value, (samples, 1); NaN where the robot does not reach."""
    reached = np.isfinite(jacobians).all((-2, -1))
    values = np.full((len(jacobians), jacobians.shape[-1]), np.nan)
    values[reached] = np.linalg.svd(jacobians[reached], compute_uv=False)
    found: Floats = values[:, -1:] / values[:, :1]
    return found
