"""From raw readings to a problem: means with intervals, and the blueprint in the frames of what measures.

    interval of a column at a pose = mean -+ half-width,    half-width: of the experiment file, else stated in the
        table, else sigmas * deviation

The deviation is that of one reading, pooled over all poses, as in S2: the mean of several is better known than its
interval says. Where the file names no sigmas, they are as many as keep all means of all columns inside with 99 %
(problems/experiments/half_widths.py). The problem says what its half-widths are only if all come from deviations. With
frames = "camera" the frames of base and platform are fixed by their joint centres (S2 section 3.1), a linear hand-eye
method finds them in the camera's and the target's frames, and the blueprint is expressed there. All of this is
estimated in floats; the numbers that are written are exact decimals, with half-widths rounded up and the rounding of
the means added to them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil
from pathlib import Path

import numpy as np

from certify.problems.errors import InputError
from certify.problems.experiments.experiment import LEAST_SQUARES, Experiment, assemble, rounded_centre
from certify.problems.experiments.half_widths import UNSTATED, HalfWidths, offered
from certify.problems.files.csv_table import Measured
from certify.problems.formulas.units import Dimension, shown
from certify.problems.geometry.frames import Frame, frame_of, joint_frame
from certify.problems.geometry.hand_eye import HandEye, hand_eye
from certify.problems.geometry.rotations import Floats
from certify.problems.readings.noise import PRINTED
from certify.problems.readings.orientation import oriented
from certify.problems.readings.plan import Plan
from certify.problems.readings.readings import HALF_WIDTH, Readings, read_readings
from certify.problems.readings.repetitions import Spread, means, spread
from certify.problems.robots.forward_kinematics import leg_lengths, newton, rigid_joints, solve_pose

FAR = 1e7  # mm or degrees: larger means are mistakes of units


@dataclass(frozen=True, slots=True)
class PreparedExperiment:
    """An experiment made from raw readings; `validation` has the same columns, without intervals.

    `sigmas` is how many standard deviations the half-widths are. `spreads` says how the calibration readings scatter,
    by column, where poses are measured several times; `frames` is there if the poses were measured by a camera.
    """

    experiment: Experiment
    validation: Experiment | None
    sigmas: Fraction
    calibration_readings: Readings
    validation_readings: Readings | None
    spreads: dict[str, Spread]
    frames: HandEye | None


def prepare(plan: Plan) -> PreparedExperiment:
    """Everything that a plan asks for."""
    readings = read_readings(plan.calibration, _own(plan))
    sigmas = offered(len(readings.poses) * len(plan.kind.columns)) if plan.sigmas is None else plan.sigmas
    columns, stated = oriented(readings, float(sigmas), f"table {plan.calibration}")
    spreads = {
        name: found
        for name in plan.kind.columns
        if (found := spread(columns[name], readings.pose, readings.run)) is not None
    }
    averages = {name: means(columns[name], readings.pose) for name in plan.kind.columns}
    measured = {
        name: _measured(
            name, dimension, averages[name], _half_widths(plan, name, sigmas, stated, spreads, len(readings.poses))
        )
        for name, dimension in plan.kind.columns.items()
    }
    frames, nominal = _in_camera(plan, averages, readings.poses) if plan.in_camera else (None, plan.blueprint)
    deviations = not plan.half_widths and all(role != HALF_WIDTH for _, role in readings.stated)
    accuracy = HalfWidths(sigmas) if deviations else UNSTATED
    experiment = assemble(
        plan.title, plan.provenance, plan.kind, readings.poses, nominal, measured, LEAST_SQUARES, plan.radius, accuracy
    )
    if plan.validation is None:
        return PreparedExperiment(experiment, None, sigmas, readings, None, spreads, frames)
    validation, raw = _validation(plan, plan.validation, experiment)
    return PreparedExperiment(experiment, validation, sigmas, readings, raw, spreads, frames)


def _own(plan: Plan) -> list[str]:
    """The columns of leg readings."""
    return [name for name in plan.kind.columns if name not in {field.name for field in plan.kind.pose}]


def _validation(plan: Plan, path: Path, experiment: Experiment) -> tuple[Experiment, Readings]:
    readings = read_readings(path, _own(plan))
    columns, _ = oriented(readings, 1.0, f"table {path}")
    measured = {
        name: replace(
            _measured(name, dimension, means(columns[name], readings.pose), np.zeros(len(readings.poses))),
            half_widths=None,
        )
        for name, dimension in plan.kind.columns.items()
    }
    title = f"{plan.title}: validation"
    return assemble(
        title, plan.provenance, plan.kind, readings.poses, experiment.nominal, measured, LEAST_SQUARES, plan.radius
    ), readings


def _half_widths(
    plan: Plan, name: str, sigmas: Fraction, stated: dict[str, Floats], spreads: dict[str, Spread], poses: int
) -> Floats:
    if name in plan.half_widths:
        return np.full(poses, float(plan.half_widths[name]))
    if name in stated:
        return stated[name]
    if name in spreads:
        return np.full(poses, float(sigmas) * spreads[name].deviation)
    raise InputError(
        f"table {plan.calibration}: how far may {name} be off? No pose is measured twice; write {name} "
        f"under [half_widths] of the experiment file, "
        "or add a column with its half-width or its deviation to the table"
    )


def _measured(name: str, dimension: Dimension, values: Floats, widths: Floats) -> Measured:
    """Means rounded to the printed digits, and half-widths rounded up, which contain what the means lost."""
    if np.abs(values).max() > FAR:
        raise InputError(
            f"column {name}: a mean of {np.abs(values).max():.3g} {dimension.canonical} is no pose of a robot; "
            f"are the units right?"
        )
    digit = PRINTED[dimension]
    rounded = tuple(round(Fraction(float(value)) / digit) * digit for value in values)
    lost = [abs(Fraction(float(value)) - short) for value, short in zip(values, rounded, strict=True)]
    halves = tuple(
        ceil((Fraction(float(width)) + loss) / digit) * digit for width, loss in zip(widths, lost, strict=True)
    )
    common = max(halves)
    same = bool(np.all(widths == widths[0]))  # one accuracy for all poses stays one number
    return Measured(name, dimension.canonical, rounded, (common,) * len(rounded) if same else halves)


def _in_camera(
    plan: Plan, averages: dict[str, Floats], labels: tuple[str, ...]
) -> tuple[HandEye, tuple[Fraction, ...]]:
    """Where the base is in the camera's frame and the platform in the target's, and the blueprint in these frames."""
    blueprint = np.array([float(value) for value in plan.blueprint]).reshape(plan.kind.legs, -1)
    base, platform, offsets = blueprint[:, :3], blueprint[:, 3:6], blueprint[:, 6]
    base_frame = joint_frame(base, base[0], "the blueprint's base")
    platform_frame = joint_frame(platform, platform[0], "the blueprint's platform")
    pose_columns = [field.name for field in plan.kind.pose]
    measured = [frame_of(pose) for pose in np.stack([averages[name] for name in pose_columns], axis=1)]
    readings = np.stack([averages[name] for name in plan.kind.columns if name not in pose_columns], axis=1)
    computed = [
        base_frame.inverse @ frame @ platform_frame
        for frame in _robot_poses(base, platform, offsets + readings, labels)
    ]
    found = hand_eye(measured, computed)
    legs = [
        found.base.placed(base_frame.inverse.placed(base)),
        found.platform.placed(platform_frame.inverse.placed(platform)), offsets[:, None],
    ]  # fmt: skip
    return found, rounded_centre(np.hstack(legs).ravel().tolist())


def _robot_poses(base: Floats, platform: Floats, lengths: Floats, labels: tuple[str, ...]) -> list[Frame]:
    """The poses that the blueprint gives to these leg lengths, from a home pose with all legs of their mean lengths."""
    of_pose, middle = leg_lengths(rigid_joints(base, platform)), lengths.mean(axis=0)
    shift = base.mean(axis=0) - platform.mean(axis=0)
    across = platform - base + shift
    height = np.sqrt(max(float((middle**2 - (across[:, :2] ** 2).sum(axis=1)).mean()), 1.0))
    start = np.array([shift[0], shift[1], shift[2] + height, 0.0, 0.0, 0.0])
    home = newton(of_pose, middle, start)
    if home is None or home[2] <= 0.0:
        raise InputError(
            "the blueprint has no pose above the base with the mean leg readings; check its signs, units "
            "and length offsets l"
        )
    found = []
    for label, row in zip(labels, lengths, strict=True):
        try:
            found.append(frame_of(solve_pose(of_pose, row, home)))
        except InputError as error:
            remedy = "check its leg readings, and the signs, units and length offsets of the blueprint"
            raise InputError(
                f"pose {shown(label)}: the blueprint's robot has no pose with these leg lengths; {remedy}"
            ) from error
    return found
