"""S2's experiment and classical calibration, remade end to end on simulated readings, beside the numbers that S2
prints.

Tables 2 and 3 (errors of the readings), 4 and 5 (the two least-squares solutions), 6 (validation), 7 (certified model
error); figures 3 to 5 go to benchmarks/pictures. S2's readings are not published. What is remade is simulated
(problems/simulation/raw.py) with S2's noise, and with joints whose axes do not meet as a model error of our own choice:
tables 2 and 3 agree because they are what was put in; the other numbers need not agree, only what they mean: who is
better, what is consistent, how wide the gap is. With `--error none` the model is true: then table 4 comes back, because
S2's x_c is the robot that is simulated, and every leg is consistent.
"""

import argparse
import shutil
import tempfile
import time
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

import certify
from benchmarks._paper_h4 import run_h4
from benchmarks._paper_palida import run_palida
from benchmarks._paper_par4 import run_par4
from certify.claims.half_width_words import all_inside, expected_outside
from certify.claims.proved_words import band, this_value
from certify.parts.warm_up import warm_up
from certify.problems.experiments.measured_legs import read_measured_legs
from certify.problems.formulas.units import parse_decimal
from certify.problems.model.scaled import uncertain_readings
from certify.problems.readings.plan import load_plan
from certify.problems.simulation.raw import simulate_raw
from certify.problems.simulation.table_of_stewart import CALIBRATED_TEXT, deviations
from certify.problems.simulation.unmodelled_error import unmodelled_error
from certify.reports.classical_table import in_robot_frames
from certify.runs.classical_run import IMPROVEMENT, ClassicalCalibration, calibrate_classically
from certify.runs.preparation_run import (
    LEG_COLUMNS,
    LEG_PICTURE,
    POSE_COLUMNS,
    POSE_PICTURE,
    VALIDATION_FILE,
    Preparation,
    prepare_folder,
)
from certify.text.plain_table import plain_table

LOUD = "SIMULATED readings on our side, measured ones on S2's: the numbers are not expected to agree, only the shapes."
PICTURES = Path(__file__).parent / "pictures"
LARGEST_PICTURE = 60_000
SIGMAS = Fraction(3)  # of S2; certify prepare would take more
TABLE_5 = """
-226.4666 -148.8772   7.1414  -24.6547 -191.3399 -5.5916 345.6908
 226.7834 -148.8772   7.1414   15.9240 -191.3399 -5.5916 345.8367
 244.1771 -121.0730   7.1414  178.4731   75.4911 -5.5916 345.9741
  17.7684  270.0970 -16.0551  158.2606  109.7645 -2.2261 347.0417
 -17.9290  267.6828 -12.0433 -153.4852  113.8857  9.4908 343.6362
-244.3333 -118.9524   6.6741 -174.5178   83.5386  9.5100 345.9276
"""
TABLE_6 = {
    "before calibration": (1.32, 0.62, 0.34, 0.27),
    "x_c": (0.67, 0.4, 0.26, 0.27),
    "x_c_sigma": (1.10, 0.45, 0.26, 0.27),
}
TABLE_6_ROWS = ("mean position [mm]", "std position [mm]", "mean orientation [deg]", "std orientation [deg]")
TABLE_7 = {
    "refuted up to": (27.38, 26.93, 32.78, 33.42, 25.46, 24.01),
    "possible from": (27.53, 26.96, 33.12, 33.48, 25.53, 24.24),
}


def run(words: list[str]) -> dict[str, Any]:
    """Print S2's tables 2 to 7 with ours beside them, and write the figures; with `--seed H4` the tables of S0 and
    S3, with `--seed Par4` those of S4.
    """
    if words[:2] == ["--seed", "H4"]:
        return run_h4(words[2:])
    if words[:2] == ["--seed", "PaLiDA"]:
        return run_palida(words[2:])
    if words[:2] == ["--seed", "Par4"]:
        return run_par4(words[2:])
    parser = argparse.ArgumentParser(prog="python -m benchmarks paper")
    parser.add_argument("--error", default="joints", help="what the leg model leaves out")
    parser.add_argument("--size", help="its size in mm")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--gap", default="5e-7", help="relative gap to ask for")
    options = parser.parse_args(words)
    warm_up(lambda message: None)
    seconds, began = {}, time.perf_counter()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        raw = simulate_raw(unmodelled_error(options.error, options.size), options.seed).write(folder / "raw")
        plan = replace(load_plan(raw), sigmas=SIGMAS)
        seconds["simulate"] = time.perf_counter() - began
        prepared = prepare_folder(plan, folder / "prepared")
        seconds["prepare"] = time.perf_counter() - began - seconds["simulate"]
        experiment = certify.load_experiment(folder / "prepared" / "problem.toml")
        validation = read_measured_legs(folder / "prepared" / VALIDATION_FILE, experiment)
        gap = certify.Options(gap=parse_decimal(options.gap, "--gap"))
        answer = calibrate_classically(experiment, folder / "calibrated", validation, gap)
        seconds["calibrate"] = time.perf_counter() - began - sum(seconds.values())
        drawn = {
            LEG_PICTURE: folder / "prepared",
            POSE_PICTURE: folder / "prepared",
            IMPROVEMENT: folder / "calibrated",
        }
        pictures = [] if words else _keep(drawn)
    print(f"{experiment.provenance}\n{LOUD}\n")
    tables = {
        "2": _errors(prepared, LEG_COLUMNS),
        "3": _errors(prepared, POSE_COLUMNS),
        "4": _solution(answer, 0),
        "5": _solution(answer, 1),
    }
    tables |= {"6": _validation(answer), "7": _certified(answer)}
    verified = sum(check.verified for check in answer.checks)
    print(
        f"{verified} of {len(answer.checks)} certificates verified; seconds: "
        + ", ".join(f"{k} {v:.1f}" for k, v in seconds.items())
    )
    print(
        f"figures 3, 4, 5: "
        f"{', '.join(pictures) or 'not kept (only those of a run without options, if they are small)'}\n{LOUD}"
    )
    told = {"provenance": experiment.provenance, "said": LOUD, "tables": tables}
    return told | {"verified": verified, "checks": len(answer.checks), "seconds": seconds}


def _keep(found: dict[str, Path]) -> list[str]:
    kept = []
    for number, (name, folder) in enumerate(found.items(), 3):
        if (folder / name).stat().st_size < LARGEST_PICTURE:
            kept.append(f"paper_figure{number}.png")
            shutil.copyfile(folder / name, PICTURES / kept[-1])
    return kept


def _errors(prepared: Preparation, names: tuple[str, ...]) -> dict[str, Any]:
    """Tables 2 and 3: standard deviations of the centred readings."""
    published = {name: float(value) for name, value in deviations().items()}
    spreads = prepared.prepared.spreads
    ours = {name: spreads[name].distribution for name in names}
    legs = names == LEG_COLUMNS
    units = {name: "mm" if legs or name in "xyz" else "deg" for name in names}
    rows = [["", *(f"{name} [{units[name]}]" for name in names)], ["S2", *(f"{published[name]:.4g}" for name in names)]]
    rows.append(["simulated", *(f"{ours[name]:.4g}" for name in names)])
    print(f"Table {2 if legs else 3}: standard deviation of centred readings\n{plain_table(rows)}\n")
    return {"published": {name: published[name] for name in names}, "simulated": ours}


def _solution(answer: ClassicalCalibration, number: int) -> dict[str, Any]:
    """Tables 4 and 5: both in the robot's own frames."""
    published = np.array(
        [[float(cell) for cell in line.split()] for line in (CALIBRATED_TEXT, TABLE_5)[number].strip().splitlines()]
    )
    ours = in_robot_frames(answer.solutions[number].legs)
    rows = [["leg", "whose", "a_x", "a_y", "a_z", "b_x", "b_y", "b_z", "l"]]
    for leg in range(6):
        rows.append([str(leg + 1), "S2", *(f"{value:.4f}" for value in published[leg])])
        rows.append(["", "simulated", *(f"{value:.4f}" for value in ours[leg])])
    print(f"Table {4 + number}: {answer.solutions[number].name} in mm\n{plain_table(rows)}\n")
    return {"published": published.tolist(), "simulated": ours.tolist()}


def _validation(answer: ClassicalCalibration) -> dict[str, Any]:
    """Table 6 with the units that its rows must have: S2 labels the second and the third the wrong way round."""
    errors = {"before calibration": answer.before} | {solution.name: solution.errors for solution in answer.solutions}
    ours = {name: error.summary for name, error in errors.items() if error is not None}
    rows = [["", *(f"{name}: {whose}" for name in ours for whose in ("S2", "simulated"))]]
    for k, label in enumerate(TABLE_6_ROWS):
        rows.append(
            [
                label,
                *(text for name, values in ours.items() for text in (f"{TABLE_6[name][k]:.2f}", f"{values[k]:.2f}")),
            ]
        )
    print(f"Table 6: errors of the validation poses\n{plain_table(rows)}")
    better = "better than" if ours["x_c"][0] <= ours["x_c_sigma"][0] else "worse than"
    print(f"x_c is better than x_c_sigma in S2; here it is {better} it.\n")
    return {"published": TABLE_6, "simulated": ours}


def _certified(answer: ClassicalCalibration) -> dict[str, Any]:
    """Table 7, with the answers to S2's two questions."""
    legs = [part for part in answer.result.parts if part.name.startswith("leg")]
    rows = [
        [
            "leg",
            "S2: refuted up to",
            "possible from",
            "gap",
            "simulated: refuted .. possible",
            "gap",
            "x_c consistent?",
            "x_c_sigma consistent?",
        ]
    ]
    table = []
    for number, part in enumerate(legs):
        lower, upper = (values[number] for values in TABLE_7.values())
        fixed = [next((p for p in s.parts if p.name.startswith(f"{part.name}.")), None) for s in answer.solutions]
        told = ["outside the box" if p is None else this_value(p) for p in fixed]
        gap = "" if part.gap is None else f"{part.gap:.1e}"
        rows.append([part.name, f"{lower} mm", f"{upper} mm", f"{(upper - lower) / upper:.1e}", band(part), gap, *told])
        table.append(
            {"leg": part.name, "published": [lower, upper], "simulated": part.as_json()["epsilon"], "gap": part.gap}
        )
    print(
        "Table 7: smallest model error that makes some parameters consistent (S2: x_c and x_c_sigma are "
        "not consistent, for any leg)"
    )
    readings = uncertain_readings(answer.experiment.problem(answer.experiment.nominal), (0,))
    print(f"of each leg {expected_outside(answer.experiment.half_widths_are, readings)}; {all_inside(readings)}")
    counts = {solution.name: list(solution.contradicting) for solution in answer.solutions}
    told = "; ".join(f"{name} {', '.join(map(str, poses))}" for name, poses in counts.items())
    print(
        f"{plain_table(rows)}\nposes that contradict, of {len(answer.experiment.poses)}, leg by leg (S2 "
        f"prints no number): {told}\n"
    )
    return {"legs": table, "contradicting_poses": counts}
