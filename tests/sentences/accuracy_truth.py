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
    """A planted arm, the box of its workspace, and what was told."""

    truth: np.ndarray
    box: tuple[tuple[float, float], tuple[float, float]]
    poses: Path
    told: Told

    def holds(self, said: Said) -> bool:
        """Whether a statement is true, or cannot be known to be false."""
        return ruled(RULES, self, said)

    @cached_property
    def used(self) -> np.ndarray:
        """The parameters in use."""
        return np.array([float(Fraction(self.told.json["in_use"][name])) for name in NAMES])

    def deviation(self, name: str, x: np.ndarray, q1: np.ndarray, q2: np.ndarray) -> float:
        """The largest one at these joint values; what is held is as it is in use."""
        held = [known in self.told.json["held"] for known in NAMES]
        x = np.where(held, self.used, x)
        here, there = pose(x, q1, q2)[name], pose(self.used, q1, q2)[name]
        return float(np.linalg.norm(here - there, axis=0).max())

    def largest(self, name: str) -> float:
        """That of the planted parameters over the box."""
        q1, q2 = np.meshgrid(*(np.linspace(low, high, 21) for low, high in self.box))
        return self.deviation(name, self.truth, q1.ravel(), q2.ravel())

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
    x = np.array([found["witness"].get(name, used) for name, used in zip(NAMES, judge.used, strict=True)])
    q1, q2 = (np.array([value]) for value in found["witness_joints"])
    inside = all(low <= q[0] <= high for q, (low, high) in zip((q1, q2), judge.box, strict=True))
    return inside and judge.consistent(x) and judge.deviation(name, x, q1, q2) >= value - ROUNDED


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
    "held": lambda judge, _, *names: list(names) == judge.told.json["held"],
    "not narrowed": lambda judge, _, *names: set(names) <= set(NAMES),
    "count": lambda judge, _, count: count == len(judge.told.json["certificates"]),
}
