"""Every statement about a calibrated platform held against what was planted, and against the tables as they were
written.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path

import flint
import numpy as np
from canonical_text import read_canonical
from certificates import Claimed, read_certificate
from curved_truth import BITS, ball, ends
from linear_truth import Ends
from planted_platform import LEGS, NAMES, Leg, PlantedPlatform, Pose, distance, turned
from running import Told
from statements import Said, ruled

Vector = Sequence[float]
BEFORE = "before calibration"
ROUNDING = 0.5  # mm^2: seven parameters are rounded to 1e-4 mm, and f changes by some 1,000 mm^2 a mm
ROUNDING_OF_WEIGHTED = 0.01  # as f is divided by some 60 mm^2
HALVES = {3: Fraction(51, 10**5), 4: Fraction(2, 10**4)}  # of a digit that is printed, with room for floats


@dataclass(frozen=True)
class PlatformJudge:
    """A planted platform and a calibration of it."""

    planted: PlantedPlatform
    told: Told

    def holds(self, said: Said) -> bool:
        """Whether a statement is true, or cannot be known to be false."""
        return ruled(RULES, self, said)

    @cached_property
    def table(self) -> dict[str, dict[str, str]]:
        """parameters.csv by the name of the parameter."""
        heading, *lines = [line.split(",") for line in (self.told.folder / "parameters.csv").read_text().splitlines()]
        return {line[0]: dict(zip(heading, line, strict=True)) for line in lines}

    def values(self, number: int, column: str) -> Leg:
        """The parameters of a leg in a column of the table."""
        return [Fraction(self.table[f"leg{number + 1}.{name}"][column]) for name in NAMES]

    def needs(self, leg: str, solution: str) -> Ends:
        """The model error of a leg at a solution."""
        return self.planted.needs(_number(leg), self.values(_number(leg), solution))

    def error(self, leg: str) -> Ends:
        """The smallest model error in the box: no upper end is known where the planted parameters are outside of it."""
        number = _number(leg)
        low, high = self.planted.error(number)
        centre, radius = self.values(number, "x_c"), self.radius
        inside = all(abs(x - c) <= radius for x, c in zip(self.planted.legs[number], centre, strict=True))
        return low, high if inside else self.needs(leg, "x_c")[1]

    @cached_property
    def radius(self) -> Fraction:
        """Of the box, as it was written."""
        unknowns = read_canonical(self.told.folder / "problem.canonical").unknowns
        (found,) = {(high - low) / 2 for _, (low, high) in unknowns.values()}
        return found

    def size(self, number: int, solution: str, weights: str | None) -> float:
        """The root mean square of f in mm^2, or of f over what it may be off by half-widths, to first order and at the
        solution that the weights are of.
        """
        x, total = self.values(number, solution), Fraction(0)
        offset = None if weights is None else self.values(number, weights)[6]
        with flint.ctx.workprec(BITS):
            for pose, reading in zip(self.planted.poses, self.planted.readings[number], strict=True):
                f = ends(distance(x, pose) ** 2 - ball((reading + x[6]) ** 2))[0]
                total += (f if offset is None else f / (2 * (reading + offset) * self.planted.half)) ** 2
        return math.sqrt(total / len(self.planted.poses))

    @cached_property
    def errors(self) -> dict[str, list[float]]:
        """Mean and deviation of the validation errors in position and in orientation, by column."""
        return {
            name: _summary(self.planted, [self.values(number, column) for number in range(LEGS)])
            for name, column in ((BEFORE, "initial"), ("x_c", "x_c"), ("x_c_sigma", "x_c_sigma"))
        }

    def claimed(self, file: str) -> Claimed:
        """What a certificate claims."""
        return read_certificate(self.told.folder / file)


def _number(leg: str) -> int:
    return int(leg.removeprefix("leg")) - 1


def _summary(planted: PlantedPlatform, legs: Sequence[Leg]) -> list[float]:
    """Forward kinematics from each measured pose by Newton's method, with differences for derivatives."""
    away, turns = [], []
    for k, pose in enumerate(planted.validation):
        lengths = np.array([float(planted.seen[number][k] + leg[6]) for number, leg in enumerate(legs)])
        at = np.array([float(value) for value in pose])
        for _ in range(6):
            found = _lengths(legs, at)
            slopes = np.array([(_lengths(legs, at + step) - found) / 1e-4 for step in 1e-4 * np.eye(6)]).T
            at = at - np.linalg.solve(slopes, found - lengths)
        exact: Pose = [Fraction(float(value)) for value in at]
        away.append(math.dist(at[:3], [float(value) for value in pose[:3]]))
        turns.append(_angle(pose, exact))
    return [float(value) for part in (away, turns) for value in (np.mean(part), np.std(part))]


def _lengths(legs: Sequence[Leg], at: np.ndarray) -> np.ndarray:
    pose: Pose = [Fraction(float(value)) for value in at]
    return np.array([float(distance(leg, pose)) for leg in legs])


def _angle(one: Pose, other: Pose) -> float:
    """How far two orientations are turned against each other, in degrees."""
    units = [[flint.arb(int(n)) for n in unit] for unit in np.eye(3)]
    first, second = (
        np.array([[float(v) for v in turned([*[Fraction(0)] * 3, *pose[3:]], unit)] for unit in units])
        for pose in (one, other)
    )
    return 2 * math.degrees(math.asin(min(1.0, float(np.linalg.norm(first - second)) / math.sqrt(8))))


def _framed(points: np.ndarray) -> np.ndarray:
    """Origin at the centroid, x from joint 1 to joint 2, joint 3 as high as they, on the side of y."""
    x = (points[1] - points[0]) / np.linalg.norm(points[1] - points[0])
    z = np.cross(x, points[2] - points[0])
    z = z / np.linalg.norm(z)
    return (points - points.mean(axis=0)) @ np.array([x, np.cross(z, x), z]).T


def _in_frames(judge: PlatformJudge, leg: str, solution: str, told: Sequence[Fraction]) -> bool:
    every = np.array([[float(value) for value in judge.values(number, solution)] for number in range(LEGS)])
    exact = [*_framed(every[:, :3])[_number(leg)], *_framed(every[:, 3:6])[_number(leg)], every[_number(leg), 6]]
    return all(abs(float(said) - value) <= HALVES[4] for said, value in zip(told, exact, strict=True))


def _cost(judge: PlatformJudge, leg: str, solution: str, plain: str, relative: str) -> bool:
    """Root mean squares to four digits; and no other column does better at what a solution minimises, but for its
    rounding.
    """
    number = _number(leg)
    exact = judge.size(number, solution, None), judge.size(number, solution, solution)
    printed = all(abs(float(said) - size) <= 6e-4 * size for said, size in zip((plain, relative), exact, strict=True))
    weights = None if solution == "x_c" else solution
    least = exact[weights is not None] - (ROUNDING if weights is None else ROUNDING_OF_WEIGHTED)
    return printed and all(least <= judge.size(number, other, weights) for other in ("initial", "x_c", "x_c_sigma"))


def _validation(judge: PlatformJudge, column: str, place: int, value: str | float) -> bool:
    room = float(HALVES[3]) if isinstance(value, str) else 1e-6
    return abs(float(value) - judge.errors[column][place]) <= room


def _contradicts(judge: PlatformJudge, name: str, counts: Sequence[int], poses: int | None, legs: int | None) -> bool:
    """Whatever readings within their intervals are: of so many rows the least error is above 0."""
    exact = [
        sum(low > 0 for low, _ in judge.planted.misses(number, judge.values(number, name))) for number in range(LEGS)
    ]
    return list(counts) == exact and poses in (None, len(judge.planted.poses)) and legs in (None, LEGS)


def _box(judge: PlatformJudge, part: str, radius: Fraction) -> bool:
    unknowns = read_canonical(judge.told.folder / "problem.canonical").unknowns
    centres = {name: Fraction(row["x_c"]) for name, row in judge.table.items()}
    return all((centres[name] - radius, centres[name] + radius) == box for name, (_, box) in unknowns.items())


def _outside(judge: PlatformJudge, name: str) -> bool:
    return any(abs(Fraction(row[name]) - Fraction(row["x_c"])) > judge.radius for row in judge.table.values())


def _backed(judge: PlatformJudge, file: str, verified: bool) -> bool:
    """It was checked, and claims no more than is true of its leg."""
    if judge.told.checked.get(file) != (0 if verified else judge.told.checked.get(file)):
        return False
    claimed, leg = judge.claimed(file), file.split(".")[0]
    if claimed.point is None:
        low, high = judge.error(leg)
    else:
        low, high = judge.planted.needs(_number(leg), claimed.point)
    return claimed.scope == (leg,) and (claimed.lower or 0) <= high and (claimed.upper is None or low <= claimed.upper)


def _files(judge: PlatformJudge, folder: str, files: Sequence[str], certificates: int) -> bool:
    written = {path.name for path in Path(folder).iterdir()} - {"report.html"}  # which is told by itself
    ours = {name for name in written if name.endswith(".cert")}
    return Path(folder) == judge.told.folder and set(files) == written - ours and certificates == len(ours)


def _exit_code(judge: PlatformJudge, part: str, code: int) -> bool:
    parts = [part for solution in judge.told.json["solutions"] for part in solution["parts"]]
    every = [*judge.told.json["parts"], *parts]
    done = all(found["verified"] and found["verdict"] in ("adequate", "inadequate") for found in every)
    return code == judge.told.code and (code == 0) == (done and all(s["parts"] for s in judge.told.json["solutions"]))


def _certificates(judge: PlatformJudge, part: str, done: int, count: int) -> bool:
    return (done, count) == (sum(code == 0 for code in judge.told.checked.values()), len(judge.told.checked))


RULES: dict[str, Callable[..., bool]] = {
    "title": lambda judge, part, title, provenance: (
        f'title = "{title}"' in judge.planted.problem and f'provenance = "{provenance}"' in judge.planted.problem
    ),
    "cost": _cost,
    "in frames": _in_frames,
    "validation poses": lambda judge, part, count: count == len(judge.planted.validation),
    "validation": _validation,
    "box": _box,
    "contradicts": _contradicts,
    "outside": _outside,
    "unsettled": lambda judge, name, *legs: (
        not any(
            next(s for s in judge.told.json["solutions"] if s["name"] == name)["stationary"][leg - 1] for leg in legs
        )
    ),
    "estimate": lambda judge, name, parameter, value: float(judge.table[parameter][name]) == value,
    "fit consistent": lambda judge, leg, solution: judge.needs(leg, solution)[0] <= 0,
    "fit inconsistent": lambda judge, leg, solution: judge.needs(leg, solution)[1] > 0,
    "fit needs above": lambda judge, leg, solution, value: value < judge.needs(leg, solution)[1],
    "fit error at least": lambda judge, leg, solution, value: value <= judge.needs(leg, solution)[1],
    "fit error at most": lambda judge, leg, solution, value: judge.needs(leg, solution)[0] <= value,
    "consistent": lambda judge, leg: judge.error(leg)[0] <= 0,
    "consistent at zero": lambda judge, leg: judge.error(leg)[0] <= 0,
    "inconsistent": lambda judge, leg: judge.error(leg)[1] > 0,
    "error above": lambda judge, leg, value: value < judge.error(leg)[1],
    "error at least": lambda judge, leg, value: value <= judge.error(leg)[1],
    "error at most": lambda judge, leg, value: judge.error(leg)[0] <= value,
    "gap": lambda judge, leg, gap, low, high: _gap(judge, leg, gap),
    "verified": _backed,
    "certificates": _certificates,
    "files": _files,
    "exit code": _exit_code,
}


def _gap(judge: PlatformJudge, leg: str, gap: Fraction) -> bool:
    """At most this much lies between the ends that are certified, in parts of the upper one."""
    claimed = judge.claimed(f"{leg}.cert")
    return claimed.upper - claimed.lower <= gap * claimed.upper
