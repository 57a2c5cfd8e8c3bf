"""Raw, repeated readings of a planted platform, as `certify prepare` takes them: runs of images, with noise of both."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from planted_experiments import shown
from planted_platform import LEGS, POSE, PlantedPlatform, platform

COLUMNS = (*POSE, *(f"L{leg + 1}" for leg in range(LEGS)))
UNITS = dict(zip(COLUMNS, ["mm"] * 3 + ["deg"] * 3 + ["mm"] * LEGS, strict=True))
PLACES = 10**4  # decimals of a reading


@dataclass(frozen=True)
class PlantedReadings:
    """The platform, and all readings: pose, run and the values of the columns."""

    platform: PlantedPlatform
    readings: Sequence[tuple[int, int, Mapping[str, Fraction]]]
    sigmas: str

    @property
    def experiment(self) -> str:
        """experiment.toml, with the poses in the frames of the robot."""
        lines = ['format = "certify-experiment-file 1"', f'title = "planted readings {self.platform.seed}"']
        lines += ['provenance = "simulated: planted"', 'kind = "gough"', 'frames = "robot"']
        lines += ['calibration = "calibration.csv"', 'radius = "20 mm"']
        lines += [f'sigmas = "{self.sigmas}"'] if self.sigmas else []
        return "\n".join([*lines, *self.platform.legs_lines()]) + "\n"

    @property
    def table(self) -> str:
        """calibration.csv: every reading."""
        rows = [",".join(["pose", "run", "image", *(f"{name} [{unit}]" for name, unit in UNITS.items())])]
        for place, (pose, run, values) in enumerate(self.readings):
            rows.append(",".join([str(pose), str(run), str(place), *(shown(values[name]) for name in COLUMNS)]))
        return "\n".join(rows) + "\n"


def readings(seed: int) -> PlantedReadings:
    """One to three runs of one to three images of each pose, two of some run at least."""
    planted, rng = platform(seed), random.Random(f"readings {seed}")
    found = []
    for pose in range(len(planted.poses)):
        exact = [*planted.poses[pose], *(leg[pose] for leg in planted.readings)]
        for run in range(1, rng.randint(1, 3) + (pose == 0) + 1):
            moved = [rng.gauss(0, 0.02) for _ in exact]
            for _ in range(rng.randint(1, 3) + (run == 1)):
                errors = [Fraction(round((by + rng.gauss(0, 0.01)) * PLACES), PLACES) for by in moved]
                seen = [value + error for value, error in zip(exact, errors, strict=True)]
                found.append((pose + 1, run, dict(zip(COLUMNS, seen, strict=True))))
    return PlantedReadings(planted, found, rng.choice(["", "3", "2.5"]))
