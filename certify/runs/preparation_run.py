"""Raw readings become the files that `certify calibrate` and `certify run` take, with statistics of the errors and the
quality of the poses.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from certify.claims.half_width_words import all_inside, expected_outside
from certify.pictures.experiment_pictures import histograms
from certify.problems.errors import InputError
from certify.problems.experiments.half_widths import of_readings
from certify.problems.experiments.measured_legs import MeasuredLegs, measured_legs
from certify.problems.experiments.toml_writer import table_text, write_experiment
from certify.problems.files.disk import read_json, write_bytes, write_text
from certify.problems.geometry.frames import Frame
from certify.problems.geometry.rotations import Floats
from certify.problems.model.scaled import uncertain_by_column
from certify.problems.readings.plan import Plan
from certify.problems.readings.preparation import PreparedExperiment, prepare
from certify.solvers.advice.observability import Observability, observability
from certify.text.plain_table import plain_table

VALIDATION_FILE, STATISTICS_FILE = "validation.csv", "statistics.json"
LEG_PICTURE, POSE_PICTURE = "leg_errors.png", "pose_errors.png"
LEG_COLUMNS = tuple(f"L{leg}" for leg in range(1, 7))
POSE_COLUMNS = ("alpha", "beta", "gamma", "x", "y", "z")  # in the order of S2's table 3


@dataclass(frozen=True)
class Preparation:
    """What was prepared, the observability indices of each leg at the initial estimate, and the files written."""

    plan: Plan
    prepared: PreparedExperiment
    legs: MeasuredLegs
    observability: dict[str, Observability]
    files: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """Everything that statistics.json says."""
        prepared, readings = self.prepared, self.prepared.calibration_readings
        frames = prepared.frames
        return {
            "title": prepared.experiment.title,
            "provenance": prepared.experiment.provenance,
            "poses": len(readings.poses),
            "runs": readings.runs,
            "readings": len(readings.pose),
            "validation_poses": 0 if prepared.validation is None else len(prepared.validation.poses),
            "sigmas": float(prepared.sigmas),
            "columns": {column.name: self._column(column.name, column.unit) for column in prepared.experiment.columns},
            "estimated_frames": None
            if frames is None
            else {
                "base_in_camera": _frame_json(frames.base),
                "platform_in_target": _frame_json(frames.platform),
                "position_errors_rms_mm": _rms(frames.estimated_position_errors),
                "turns_rms_deg": _rms(frames.estimated_turns),
            },
            "estimated_observability": {name: _finite(asdict(indices)) for name, indices in self.observability.items()},
            "files": list(self.files),
        }

    def _column(self, name: str, unit: str) -> dict[str, Any]:
        spread = self.prepared.spreads.get(name)
        place = [*POSE_COLUMNS[3:], *POSE_COLUMNS[:3], *LEG_COLUMNS].index(name)
        widths = self.legs.half_widths[:, place]
        told: dict[str, Any] = {"unit": unit, "half_width": [float(widths.min()), float(widths.max())]}
        if spread is not None:
            told["estimated_deviation"] = {
                "of_centred_readings": spread.distribution, "of_one_reading": spread.deviation,
                "between_runs": spread.run, "between_images": spread.image,
            }  # fmt: skip
        return told

    def text(self) -> str:
        """The tables."""
        prepared, readings = self.prepared, self.prepared.calibration_readings
        told = [prepared.experiment.title, prepared.experiment.provenance, ""]
        told.append(
            f"{len(readings.pose)} readings of {len(readings.poses)} poses in {readings.runs} "
            f"runs{_validation(prepared)}"
        )
        told += ["", "leg lengths (as Daney et al. 2006, table 2):", self._errors(LEG_COLUMNS)]
        told += ["", "poses (as Daney et al. 2006, table 3):", self._errors(POSE_COLUMNS), ""]
        told += [_accuracy(prepared), ""]
        if prepared.frames is not None:
            told += [_frames(prepared), ""]
        told.append(
            "observability of the poses, leg by leg, at the initial estimate (all but the condition number: "
            "the larger the better):"
        )
        told += [_observability(self.observability), ""]
        told.append(
            "All of this is estimated in floats; what certify run proves starts from the intervals that were written."
        )
        return "\n".join(told)

    def _errors(self, names: tuple[str, ...]) -> str:
        """Standard deviations and half-widths, one column a measurement."""
        columns = self.as_json()["columns"]
        rows = [["", *(f"{name} [{columns[name]['unit']}]" for name in names)]]
        labels = {
            "of_centred_readings": "std of centred readings", "of_one_reading": "std of one reading",
            "between_runs": "  between runs", "between_images": "  between images",
        }  # fmt: skip
        if all("estimated_deviation" in columns[name] for name in names):
            rows += [
                [label, *(f"{columns[name]['estimated_deviation'][key]:.3g}" for name in names)]
                for key, label in labels.items()
            ]
        ends = [columns[name]["half_width"] for name in names]
        rows.append(["half-width", *(f"{low:.3g}" if low == high else f"{low:.2g}..{high:.2g}" for low, high in ends)])
        return plain_table(rows)


def _accuracy(prepared: PreparedExperiment) -> str:
    """What the half-widths are, and what that means."""
    uncertain = uncertain_by_column(prepared.experiment.problem(prepared.experiment.nominal))
    readings, noise = sum(uncertain.values()), of_readings(prepared.experiment.half_widths_are, uncertain)
    return f"{expected_outside(noise, readings)}; {all_inside(readings, noise)}."


def _validation(prepared: PreparedExperiment) -> str:
    if prepared.validation is None or prepared.validation_readings is None:
        return "; no validation poses"
    return f"; validation: {len(prepared.validation_readings.pose)} readings of {len(prepared.validation.poses)} poses"


def _frames(prepared: PreparedExperiment) -> str:
    frames = prepared.frames
    if frames is None:
        return ""
    rows = [["frame", "x [mm]", "y [mm]", "z [mm]", "alpha [deg]", "beta [deg]", "gamma [deg]"]]
    for name, frame in (
        ("base in the camera's frame", frames.base),
        ("platform in the target's frame", frames.platform),
    ):
        rows.append([name, *(f"{value:.3f}" for value in frame.pose)])
    left = (
        f"{_rms(frames.estimated_position_errors):.3g} mm and {_rms(frames.estimated_turns):.3g} deg (root mean square)"
    )
    fixed = "joint 1 at the origin, joint 2 on the x axis, joint 3 in the plane z = 0"
    return (
        f"frames, by linear hand-eye calibration with the blueprint "
        f"({fixed}):\n{plain_table(rows)}\nleft between blueprint and camera: {left}"
    )


def _observability(indices: dict[str, Observability]) -> str:
    rows = [["leg", "product", "condition number", "smallest", "noise amplification", "root mean"]]
    for name, one in indices.items():
        values = (one.product, one.condition, one.smallest, one.noise_amplification, one.root_mean)
        rows.append([name, *(f"{value:.4g}" for value in values)])
    return plain_table(rows)


def _distinct(prepared: PreparedExperiment, column: str) -> Floats:
    """Centred readings, once each run where all images of a run have the same."""
    spread = prepared.spreads[column]
    return (
        spread.centred
        if spread.image > 0.0
        else spread.centred[np.unique(prepared.calibration_readings.run, return_index=True)[1]]
    )


def _rms(values: Any) -> float:
    return float(np.sqrt((values**2).mean()))


def _finite(values: dict[str, float]) -> dict[str, float | None]:
    return {name: value if np.isfinite(value) else None for name, value in values.items()}


def _frame_json(frame: Frame) -> dict[str, list[Any]]:
    return {"origin_mm": frame.origin.tolist(), "rotation": frame.rotation.tolist()}


def initial_observability(legs: MeasuredLegs, nominal: tuple[Fraction, ...]) -> dict[str, Observability]:
    """The indices of each leg at the initial estimate."""
    start = np.array([float(value) for value in nominal]).reshape(6, 7)
    return {f"leg{number + 1}": observability(legs.leg(number).slopes(start[number])) for number in range(6)}


def _written_before(folder: Path) -> list[Path]:
    """The files that an earlier preparation says it wrote into the folder."""
    record = folder / STATISTICS_FILE
    if not record.is_file():
        return []
    try:
        names = read_json(record, "record")["files"]
        return [folder / name for name in names if isinstance(name, str) and Path(name).name == name]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"--out {folder}: its {STATISTICS_FILE} is not ours; choose another folder") from error


def prepare_folder(plan: Plan, folder: Path) -> Preparation:
    """Prepare and write everything; what an earlier preparation wrote there and this one does not is removed."""
    old = _written_before(folder)
    prepared = prepare(plan)
    legs = measured_legs(prepared.experiment)
    files = ["problem.toml", "poses.csv"]
    for path in old:
        path.unlink(missing_ok=True)
    write_experiment(folder, prepared.experiment)
    if prepared.validation is not None:
        write_text(folder / VALIDATION_FILE, table_text(prepared.validation))
        files.append(VALIDATION_FILE)
    units = {column.name: column.unit for column in prepared.experiment.columns}
    kind = prepared.experiment.provenance.partition(":")[0]
    for name, what, columns in (
        (LEG_PICTURE, "leg length errors", LEG_COLUMNS),
        (POSE_PICTURE, "pose errors", POSE_COLUMNS),
    ):
        centred = {column: _distinct(prepared, column) for column in columns if column in prepared.spreads}
        if centred:
            write_bytes(folder / name, histograms(f"{prepared.experiment.title}: {what} ({kind} data)", centred, units))
            files.append(name)
    answer = Preparation(
        plan, prepared, legs, initial_observability(legs, prepared.experiment.nominal), (*files, STATISTICS_FILE)
    )
    write_text(folder / STATISTICS_FILE, json.dumps(answer.as_json(), indent=1) + "\n")
    return answer
