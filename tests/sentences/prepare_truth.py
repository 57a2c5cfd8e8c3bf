"""Every statement about prepared readings held against the readings themselves: sums of squares in rationals."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path

import numpy as np
from curved_truth import ball
from planted_platform import NAMES, POSE, turned
from planted_readings import UNITS, PlantedReadings
from running import Told
from statements import Said, ruled

DIGIT = {"mm": Fraction(1, 10**5), "deg": Fraction(1, 10**6)}  # of what is written
ZERO = Fraction(0)


@dataclass(frozen=True)
class PrepareJudge:
    """Planted readings and what was prepared of them."""

    planted: PlantedReadings
    told: Told

    def holds(self, said: Said) -> bool:
        """Whether a statement is true, or cannot be known to be false."""
        return ruled(RULES, self, said)

    @cached_property
    def spreads(self) -> dict[str, dict[str, float]]:
        """The deviations of every column, by the formulas of the analysis of variance."""
        return {name: _spread([(pose, run, at[name]) for pose, run, at in self.planted.readings]) for name in UNITS}

    @cached_property
    def written(self) -> dict[str, Fraction]:
        """The half-widths in problem.toml."""
        text = (self.told.folder / "problem.toml").read_text().split("[half_widths]\n")[1].split("\n\n")[0]
        return {name: Fraction(value) for name, value in re.findall(r'^(\w+) = "(\S+) \w+"$', text, re.M)}

    @property
    def sigmas(self) -> Fraction:
        """As many standard deviations as were asked, or as keep all means inside with 99 %, to two places upwards."""
        if self.planted.sigmas:
            return Fraction(self.planted.sigmas)
        count = len(self.planted.platform.poses) * len(UNITS)
        return next(Fraction(k, 100) for k in range(1, 1000) if math.erf(k / 100 / math.sqrt(2)) ** count >= 0.99)

    def index(self, leg: int) -> dict[str, float]:
        """The indices of the slopes of |P + R b - a|^2 - (L + l)^2 at the blueprint and the means of the poses, as they
        are rounded.
        """
        x = self.planted.platform.blueprint[leg]
        rows = []
        units = [[Fraction(int(n)) for n in axis] for axis in np.eye(3)]
        for at in self.means:
            place = [at[name] for name in POSE]
            away = _placed(place, x[3:6]) - np.array([float(v) for v in x[:3]])
            axes = np.array([_placed([ZERO, ZERO, ZERO, *place[3:]], unit) for unit in units])
            rows.append([*(-2 * away), *(2 * axes @ away), -2 * float(at[f"L{leg + 1}"] + x[6])])
        values = np.linalg.svd(np.array(rows), compute_uv=False)
        first, last, count = float(values[0]), float(values[-1]), len(NAMES)
        return {
            "product": float(np.prod(values)),
            "condition": first / last,
            "smallest": last,
            "noise_amplification": last**2 / first,
            "root_mean": float(np.prod(values)) ** (1 / count) / math.sqrt(len(rows)),
        }

    @cached_property
    def means(self) -> list[dict[str, Fraction]]:
        """poses.csv, whose numbers are the means to half a digit (and what a float makes of a tie)."""
        lines = (self.told.folder / "poses.csv").read_text().splitlines()
        heading, *rows = [line.split(",") for line in lines if not line.startswith("#")]
        names = [cell.split(" ")[0] for cell in heading[1:]]
        table = [{name: Fraction(cell) for name, cell in zip(names, row[1:], strict=True)} for row in rows]
        for pose, row in enumerate(table, 1):
            for name, value in row.items():
                exact = _mean(at[name] for number, _, at in self.planted.readings if number == pose)
                if abs(value - exact) > DIGIT[UNITS[name]] * Fraction(501, 1000):
                    raise AssertionError(f"the mean of {name} of pose {pose} is {float(exact)}, not {float(value)}")
        return table


def _placed(pose: Sequence[Fraction], joint: Sequence[Fraction]) -> np.ndarray:
    return np.array([float(value) for value in turned(pose, [ball(value) for value in joint])])


def _mean(values: Iterable[Fraction]) -> Fraction:
    found = list(values)
    return sum(found, Fraction(0)) / len(found)


def _spread(readings: Sequence[tuple[int, int, Fraction]]) -> dict[str, float]:
    """Of pose, run and value: N readings, R runs, K poses."""
    poses = {pose: [v for p, _, v in readings if p == pose] for pose, _, _ in readings}
    runs = {(p, r): [v for q, s, v in readings if (q, s) == (p, r)] for p, r, _ in readings}
    of_pose, of_run = ({key: _mean(values) for key, values in groups.items()} for groups in (poses, runs))
    total, many, few = len(readings), len(runs), len(poses)
    centred = sum((v - of_pose[p]) ** 2 for p, _, v in readings) / total
    image = sum((v - of_run[p, r]) ** 2 for p, r, v in readings) / (total - many)
    between = sum(len(values) * (of_run[key] - of_pose[key[0]]) ** 2 for key, values in runs.items()) / (many - few)
    effective = (total - sum(Fraction(len(v) ** 2, len(poses[p])) for (p, _), v in runs.items())) / (many - few)
    run = max(between - image, Fraction(0)) / effective
    return {
        "of_centred_readings": math.sqrt(centred),
        "of_one_reading": math.sqrt(run + image),
        "between_runs": math.sqrt(run),
        "between_images": math.sqrt(image),
    }


def _said(told: str | float, exact: float, digits: int) -> bool:
    """A number of the record, or one that is printed to so many digits."""
    if isinstance(told, float):
        return math.isclose(told, exact, rel_tol=1e-8, abs_tol=1e-12)
    unit = 10.0 ** (math.floor(math.log10(exact)) + 1 - digits) if exact else 0.0
    return abs(float(told) - exact) <= 0.501 * unit


def _half_width(judge: PrepareJudge, name: str, told: str | float, unit: str) -> bool:
    """It is what was written, and that is so many deviations, rounded up, with what the means lost by rounding."""
    exact, wanted = judge.written[name], float(judge.sigmas) * judge.spreads[name]["of_one_reading"]
    enough = wanted * (1 - 1e-12) <= exact <= wanted + 2 * DIGIT[unit]
    return unit == UNITS[name] and _said(told, float(exact), 3) and enough


def _outside(judge: PrepareJudge, part: str, count: int, told: str) -> bool:
    exact = count * math.erfc(float(judge.sigmas) / math.sqrt(2))
    return count == len(judge.planted.platform.poses) * len(UNITS) and _said(told, exact, 2)


def _all_inside(judge: PrepareJudge, part: str, count: int, told: str) -> bool:
    """With so many deviations and half of the last digit more, all are inside with 99 %; with half less, they are
    not.
    """
    low, high = (math.erf((float(told) + side * 0.00501) / math.sqrt(2)) ** count for side in (-1, 1))
    return count == len(judge.planted.platform.poses) * len(UNITS) and low <= 0.99 <= high


def _counts(judge: PrepareJudge, part: str, poses: int, runs: int, readings: int) -> bool:
    pairs = {(pose, run) for pose, run, _ in judge.planted.readings}
    return (poses, runs, readings) == (len(judge.planted.platform.poses), len(pairs), len(judge.planted.readings))


def _files(judge: PrepareJudge, folder: str, *files: str) -> bool:
    """The pictures are not saved where they are read."""
    return Path(folder) == judge.told.folder and set(files) == {path.name for path in judge.told.folder.iterdir()}


RULES: dict[str, Callable[..., bool]] = {
    "title": lambda judge, part, title, provenance: (
        f'title = "{title}"' in judge.planted.experiment and f'provenance = "{provenance}"' in judge.planted.experiment
    ),
    "counts": _counts,
    "sigmas": lambda judge, part, sigmas: sigmas == judge.sigmas,
    "deviation": lambda judge, name, kind, told, unit: (
        unit == UNITS[name] and _said(told, judge.spreads[name][kind], 3)
    ),
    "half-width": _half_width,
    "outside": _outside,
    "all inside": _all_inside,
    "index": lambda judge, leg, kind, told: _said(told, judge.index(int(leg[3:]) - 1)[kind], 4),
    "files": _files,
}
