"""The experiment of S2 (section 2.3), simulated reading by reading: calibration poses and validation poses, several
runs, several images a run.

The true robot is that of problems/simulation/simulation.py. In each run

    actuator  = command + repeatability          the robot's repeatability: `REPEATABILITY` of the variance of S2's
        table 2, for each leg
    reading   = actuator + sensor error          the rest of that variance; one reading a run
    platform  = forward kinematics(actuator)     so that what a run changes, the camera sees, too

    image     = pose of the target in the camera's frame + image noise in x, y, z, alpha, beta, gamma
    last image of a run = the mean of the others (S2 takes ten images and adds their average as an eleventh)

S2 prints one standard deviation for each column, of all images of all runs (table 3): the image noise is what the
calibration poses' repeatability leaves of it, but at least a quarter of the standard deviation. Where camera and target
are is our choice; S2 does not print it. All of it is simulated, and every file says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np

from certify.problems.errors import InputError
from certify.problems.files.disk import write_text
from certify.problems.formulas.units import format_decimal
from certify.problems.geometry.frames import Frame, frame_of
from certify.problems.geometry.rotations import quaternions
from certify.problems.readings.plan import CAMERA, EXPERIMENT_FILE, FORMAT
from certify.problems.readings.repetitions import Numbers, means
from certify.problems.robots.forward_kinematics import Floats, newton, solve_pose
from certify.problems.robots.kind import Kind, find_kind
from certify.problems.simulation.simulated import generators, noise_factor
from certify.problems.simulation.simulation import SOURCE, Mechanism, mechanism
from certify.problems.simulation.table_of_stewart import STROKE, blueprint, deviations, extreme_strokes
from certify.problems.simulation.unmodelled_error import UnmodelledError, gross_error, slack

TITLE = "Table of Stewart, raw readings"
CALIBRATION, VALIDATION = "calibration.csv", "validation.csv"
REPEATABILITY = 0.5
SMALLEST_SHARE = 0.25
CAMERA_POSE = (
    35.0,
    -60.0,
    900.0,
    172.0,
    4.0,
    -31.0,
)  # the base in the camera's frame: the camera hangs above and looks down
TARGET_POSE = (6.0, -9.0, 32.0, 1.5, -2.0, 14.0)  # the target in the platform's frame
STRIDE = 37  # a few of the 64 extreme poses are taken so far apart that all legs move


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured; S2's own numbers unless told otherwise."""

    poses: int = 64
    calibration_runs: int = 11
    validation_runs: int = 10
    images: int = 11


@dataclass(frozen=True, eq=False, slots=True)
class RawExperiment:
    """The files of a simulated experiment, and where base and target really are (in the frames of camera
    and platform).
    """

    texts: dict[str, str]
    base: Frame
    target: Frame

    def write(self, folder: Path) -> Path:
        """Write the files; returns the path of the experiment file."""
        for name, text in self.texts.items():
            write_text(folder / name, text)
        return folder / EXPERIMENT_FILE


@dataclass(frozen=True, eq=False, slots=True)
class _Runs:
    """For each run the number of its pose, the leg readings, and the pose of the target in the camera's frame."""

    pose: Numbers
    readings: Floats
    seen: Floats


def simulate_raw(
    error: UnmodelledError, seed: int, noise: Fraction | float | str = 1, size: Size | None = None, euler: bool = False
) -> RawExperiment:
    """Simulate the experiment; orientations are written as quaternions, or as Euler angles if `euler`."""
    size, factor = size or Size(), float(noise_factor(noise))
    if not 3 <= size.poses <= 64 or min(size.calibration_runs, size.validation_runs, size.images) < 1:
        raise InputError(f"{size} cannot be simulated; choose 3 to 64 poses and at least one run and one image")
    for_error, random = generators(seed)
    robot, kind = mechanism(error), find_kind("gough", "simulation")
    extreme = np.array(extreme_strokes(), dtype=np.float64)[
        (STRIDE * np.arange(size.poses)) % 64 if size.poses < 64 else slice(None)
    ]
    commands = (extreme, random.uniform(0.0, STROKE, (size.poses, 6)))
    spread = {name: float(value) * factor for name, value in deviations().items()}
    unbiased = np.sqrt(
        size.calibration_runs / max(size.calibration_runs - 1, 1)
    )  # S2's figures are those of readings minus their means
    legs = unbiased * np.array([spread[f"L{leg}"] for leg in range(1, 7)])
    sets: list[_Runs] = []
    for strokes, runs in zip(commands, (size.calibration_runs, size.validation_runs), strict=True):
        extra = slack(error, len(strokes), 6, for_error)
        found = _runs(robot, strokes, extra, runs, legs, random)
        gross = gross_error(error, len(strokes), 6, for_error)
        if gross is not None and not sets:
            found.readings[found.pose == gross[0], gross[1]] += float(gross[2])
        sets.append(found)
    images = _image_noise(sets[0], np.array([spread[field.name] for field in kind.pose]), size.images)
    provenance = (
        f"simulated: {SOURCE}, raw readings, seed {seed}, unmodelled error {error}, noise factor "
        f"{format_decimal(noise_factor(noise))}"
    )
    texts = {
        name: _table(found, images, size.images, euler, provenance, random)
        for name, found in zip((CALIBRATION, VALIDATION), sets, strict=True)
    }
    return RawExperiment(
        {EXPERIMENT_FILE: _experiment(kind, provenance)} | texts,
        frame_of(np.array(CAMERA_POSE)),
        frame_of(np.array(TARGET_POSE)),
    )


def _runs(
    robot: Mechanism, strokes: Floats, extra: Floats, runs: int, legs: Floats, random: np.random.Generator
) -> _Runs:
    camera, target = frame_of(np.array(CAMERA_POSE)), frame_of(np.array(TARGET_POSE))
    numbers, readings, seen = [], [], []
    for number, stroke in enumerate(strokes):
        middle = solve_pose(robot.lengths, stroke + extra[number] + robot.zeros, robot.home)
        for _ in range(runs):
            actuator = stroke + np.sqrt(REPEATABILITY) * legs * random.standard_normal(6)
            pose = newton(robot.lengths, actuator + extra[number] + robot.zeros, middle)
            if pose is None:
                raise InputError(
                    f"pose {number + 1} cannot be simulated: the robot is singular there; choose another error or seed"
                )
            numbers.append(number)
            readings.append(actuator + np.sqrt(1.0 - REPEATABILITY) * legs * random.standard_normal(6))
            seen.append((camera @ frame_of(pose) @ target).pose)
    return _Runs(np.array(numbers), np.array(readings), np.array(seen))


def _image_noise(runs: _Runs, wanted: Floats, images: int) -> Floats:
    """Standard deviations of one image, such that the readings of a pose scatter as S2's do."""
    repeatability = np.zeros(6)
    if len(runs.pose) > len(set(runs.pose.tolist())):
        centred = np.stack([column - means(column, runs.pose)[runs.pose] for column in runs.seen.T])
        repeatability = np.sqrt((centred**2).sum(axis=1) / (len(runs.pose) - len(set(runs.pose.tolist()))))
    left = np.sqrt(np.maximum(wanted**2 - repeatability**2, (SMALLEST_SHARE * wanted) ** 2))
    alone = images - 1
    part = (alone + 1.0 / alone) / images if alone > 1 else 1.0  # of the variance: the averaged image scatters less
    noise: Floats = left / np.sqrt(part)
    return noise


def _table(runs: _Runs, noise: Floats, images: int, euler: bool, provenance: str, random: np.random.Generator) -> str:
    """The text of a table: one line an image."""
    orientation = ["alpha [deg]", "beta [deg]", "gamma [deg]"] if euler else ["qw", "qx", "qy", "qz"]
    lines = [
        f"# {provenance}",
        ",".join(["pose,run,image,x [mm],y [mm],z [mm]", *orientation, *(f"L{leg} [mm]" for leg in range(1, 7))]),
    ]
    counts: dict[int, int] = {}
    for number, readings, pose in zip(runs.pose.tolist(), runs.readings, runs.seen, strict=True):
        counts[number] = counts.get(number, 0) + 1
        seen = pose + noise * random.standard_normal((images, 6))
        if images > 2:
            seen[-1] = seen[:-1].mean(axis=0)
        turned = (
            [[f"{value:.7f}" for value in row[3:]] for row in seen]
            if euler
            else [[f"{v:.10f}" for v in q] for q in quaternions(seen[:, 3:])]
        )
        legs = [f"{value:.5f}" for value in readings]
        for image, (row, turn) in enumerate(zip(seen, turned, strict=True), 1):
            lines.append(
                ",".join(
                    [
                        str(number + 1),
                        str(counts[number]),
                        str(image),
                        *(f"{value:.5f}" for value in row[:3]),
                        *turn,
                        *legs,
                    ]
                )
            )
    return "\n".join(lines) + "\n"


def _experiment(kind: Kind, provenance: str) -> str:
    """The text of the experiment file, with the blueprint of S2's table 1."""
    lines = [f'format = "{FORMAT}"', f'title = "{TITLE}"', f'provenance = "{provenance}"', f'kind = "{kind.name}"']
    lines += [f"# {line}" for line in kind.conventions[:-1]]
    lines += [
        '# x, y, z and the orientation are those of a target in a camera\'s frame, or with "robot" of '
        "the platform in the base's frame"
    ]
    lines += [f'frames = "{CAMERA}"']
    lines += [f'calibration = "{CALIBRATION}"', f'validation = "{VALIDATION}"  # may be left out']
    lines += [
        '# sigmas = "3"  # an interval is the mean -+ so many standard deviations of a reading; left '
        "out: as many as keep all readings inside"
    ]
    lines += ['radius = "100 mm"  # how far around the fit to search']
    lines += ["# [half_widths]", '# L1 = "0.05 mm"  # such a line replaces the measured accuracy of a column']
    for leg, values in zip(kind.leg_names, blueprint(), strict=True):
        texts = [f'"{format_decimal(value)} mm"' for value in values]
        lines += [
            "",
            f"[legs.{leg}]",
            f"a = [{', '.join(texts[:3])}]",
            f"b = [{', '.join(texts[3:6])}]",
            f"l = {texts[6]}",
        ]
    return "\n".join(lines) + "\n"
