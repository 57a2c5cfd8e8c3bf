"""Every statement about a planted arm's accuracy held against the arm: its parameters are consistent, so how far off
are they, and is the witness consistent and as far off as is said?
"""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path

import numpy as np
from rigid_minimax import angles_left, points_left
from running import Told
from statements import Said, ruled

PER_DEGREE = 1000 * np.pi / 180  # mrad
HALF = {"x": 0.05, "y": 0.05, "theta": 0.005 * PER_DEGREE}
NAMES = ("B_x", "B_y", "l", "m", "o_1")
ROUNDED = 1e-9  # of floats


def pose(x: np.ndarray, q1: np.ndarray, q2: np.ndarray) -> dict[str, np.ndarray]:
    """The planar arm of tests/planted_poses.py, in mm and mrad; angles in degrees."""
    first = np.radians(q1 + x[4])
    second = first + np.radians(q2)
    tip = x[0] + x[2] * np.cos(first) + x[3] * np.cos(second), x[1] + x[2] * np.sin(first) + x[3] * np.sin(second)
    return {"position": np.array(tip), "orientation": 1000 * second[None]}


@dataclass(frozen=True)
class AccuracyJudge:
    """A planted arm, the box of its workspace, and what was told; or a cube (its edge) about the middle of the box."""

    truth: np.ndarray
    box: tuple[tuple[float, float], tuple[float, float]]
    poses: Path
    told: Told
    edge: float | None = None

    def holds(self, said: Said) -> bool:
        """Whether a statement is true, or cannot be known to be false."""
        return ruled(RULES, self, said)

    @cached_property
    def used(self) -> np.ndarray:
        """The parameters in use."""
        return np.array([float(Fraction(self.told.json["in_use"][name])) for name in NAMES])

    def deviation(self, name: str, x: np.ndarray, q1: np.ndarray, q2: np.ndarray) -> float:
        """The largest one at these joint values; what is held is as it is in use. What a best motion leaves is found
        from above.
        """
        held = [known in self.told.json["held"] for known in NAMES]
        x = np.where(held, self.used, x)
        here, there = pose(x, q1, q2)[name], pose(self.used, q1, q2)[name]
        if self.told.json["aligned"]:
            return points_left(here.T, there.T) if name == "position" else angles_left((here - there)[0])
        return float(np.linalg.norm(here - there, axis=0).max())

    def largest(self, name: str) -> float:
        """That of the planted parameters over the box."""
        if self.edge is not None:
            q = np.array([self._reached(a, b) for a in np.linspace(-0.5, 0.5, 9) for b in np.linspace(-0.5, 0.5, 9)]).T
            return self.deviation(name, self.truth, *q)
        q1, q2 = np.meshgrid(*(np.linspace(low, high, 21) for low, high in self.box))
        return self.deviation(name, self.truth, q1.ravel(), q2.ravel())

    @cached_property
    def configuration(self) -> np.ndarray:
        """That in the middle."""
        return np.array([(low + high) / 2 for low, high in self.box])

    def _reached(self, a: float, b: float) -> np.ndarray:
        """The joints of a place of the cube, in parts of its edge, by Newton's method."""
        q, h = self.configuration, 1e-5
        wanted = pose(self.used, *q)["position"] + self.edge * np.array([a, b])
        for part in (0.25, 0.5, 0.75, 1.0):
            aim = wanted - (1.0 - part) * self.edge * np.array([a, b])
            for _ in range(8):
                here = pose(self.used, *q)["position"]
                slopes = [(pose(self.used, *(q + e))["position"] - here) / h for e in h * np.eye(2)]
                q = q - np.linalg.solve(np.array(slopes).T, here - aim)
        return q

    def inside(self, q1: np.ndarray, q2: np.ndarray) -> bool:
        """Whether joints belong to the workspace."""
        if self.edge is None:
            return all(low <= q.min() <= q.max() <= high for q, (low, high) in zip((q1, q2), self.box, strict=True))
        off = pose(self.used, q1, q2)["position"][:, 0] - pose(self.used, *self.configuration)["position"]
        return bool(np.abs(off).max() <= self.edge / 2 + 1e-6) and (q2[0] > 0) == (self.configuration[1] > 0)

    def record(self, name: str) -> dict:
        """What the record says."""
        return next(found for found in self.told.json["guarantees"] if found["name"] == name)

    def consistent(self, x: np.ndarray) -> bool:
        """Whether all readings are within their half-widths and the assumed errors."""
        with self.poses.open() as stream:
            rows = list(csv.DictReader(stream))
        q1, q2 = (np.array([float(row[f"{name} [deg]"]) for row in rows]) for name in ("q1", "q2"))
        found, read = pose(x, q1, q2), {name: [float(row[f"{name} [mm]"]) for row in rows] for name in ("x", "y")}
        angles = [float(row["theta [deg]"]) * PER_DEGREE for row in rows]
        room = {name: self.record(name)["epsilon"] + ROUNDED for name in ("position", "orientation")}
        near = [
            np.abs(found["position"][k] - read[name]).max() <= room["position"] + HALF[name]
            for k, name in enumerate(("x", "y"))
        ]
        return all(near) and np.abs(found["orientation"][0] - angles).max() <= room["orientation"] + HALF["theta"]


def _most(judge: AccuracyJudge, name: str, value: Fraction) -> bool:
    return judge.consistent(judge.truth) and judge.largest(name) <= value + ROUNDED


def _total(judge: AccuracyJudge, name: str, value: Fraction) -> bool:
    norm = 2**0.5 if name == "position" else 1.0
    return judge.largest(name) + norm * judge.record(name)["epsilon"] <= float(value) + ROUNDED


def _least(judge: AccuracyJudge, name: str, value: Fraction) -> bool:
    found = judge.record(name)
    if found["witness"] is None:
        return value == 0
    x = np.array([found["witness"].get(name, used) for name, used in zip(NAMES, judge.used, strict=True)])
    q1, q2 = np.atleast_2d(np.array(found["witness_joints"])).T
    return judge.inside(q1, q2) and judge.consistent(x) and judge.deviation(name, x, q1, q2) >= value - ROUNDED


def _assumed(judge: AccuracyJudge, name: str, value: Fraction, unit: str) -> bool:
    return unit == judge.record(name)["unit"] and abs(float(value) - judge.record(name)["epsilon"]) <= ROUNDED


RULES: dict[str, Callable[..., bool]] = {
    "deviation at most": _most,
    "with the error": _total,
    "somewhere at least": _least,
    "assumed": _assumed,
    "used": lambda _, __, used: used == "least-squares",
    "levels": lambda judge, _, *levels: (
        {level.rpartition("(")[2][:-1] for level in levels}
        == {found["name"] for found in judge.told.json["guarantees"]}
    ),
    "aligned": lambda judge, _, aligned: judge.told.json["aligned"] == aligned,
    "held": lambda judge, _, *names: list(names) == judge.told.json["held"],
    "not narrowed": lambda judge, _, *names: set(names) <= set(NAMES),
    "cube": lambda judge, _, name, configuration: (
        name == f"cube of {judge.edge:g} mm"
        and configuration == ", ".join(f"q{k} = {q:g} deg" for k, q in enumerate(judge.configuration, 1))
    ),
    "count": lambda judge, _, count: count == len(judge.told.json["certificates"]),
}
