"""certify calibrate DIR: least squares as robot calibration does it, validated on other poses, and what is proved about
both solutions.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from certify.command import Answer, Command, add_limits, add_report, progress, reported, time_limit
from certify.problems.errors import InputError
from certify.solvers.limits import INTERRUPTIONS

PROBLEM, VALIDATION = "problem.toml", "validation.csv"


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "folder", type=Path, metavar="DIR", help="a folder with problem.toml and its poses, as 'certify prepare' writes"
    )
    parser.add_argument(
        "--validation", type=Path, metavar="CSV", help="poses to validate on (default: validation.csv in DIR, if there)"
    )
    parser.add_argument("--out", type=Path, metavar="OUT", help="where to write (default: calibrated, in DIR)")
    parser.add_argument(
        "--gap", default="5e-7", metavar="G", help="relative gap to close between the proved ends (default 5e-7)"
    )
    add_report(parser)
    add_limits(parser)


def _run(arguments: argparse.Namespace) -> Answer:
    from certify.parts.warm_up import warm_up
    from certify.problems.experiments.measured_legs import measured_legs, read_measured_legs
    from certify.problems.experiments.toml_reader import load_experiment
    from certify.problems.formulas.units import parse_decimal
    from certify.records.options import Options
    from certify.reports.classical_table import classical_text
    from certify.runs.classical_run import calibrate_classically

    folder: Path = arguments.folder
    out: Path = arguments.out or folder / "calibrated"
    if not (folder / PROBLEM).is_file():
        raise InputError(f"there is no {folder / PROBLEM}; name a folder that 'certify prepare' wrote")
    if out.resolve() == folder.resolve():
        raise InputError(
            f"--out {out} is the folder of the problem itself, whose files would be overwritten; give another one"
        )
    if out.exists() and not out.is_dir():
        raise InputError(f"--out {out} is a file; give a folder")
    gap = parse_decimal(arguments.gap, "--gap")
    if not 0 < gap < 1:
        raise InputError(f"--gap {arguments.gap} is not between 0 and 1; give a relative gap such as 1e-6")
    limit = time_limit(arguments)
    experiment = load_experiment(folder / PROBLEM)
    measured_legs(experiment)  # refuses other robots before anything else is read
    table = arguments.validation or (folder / VALIDATION if (folder / VALIDATION).is_file() else None)
    validation = None if table is None else read_measured_legs(table, experiment)
    tell = progress(arguments)
    warm_up(tell)
    with INTERRUPTIONS.heeded():
        answer = calibrate_classically(experiment, out, validation, Options(gap=gap, time_limit=limit), tell)
    hint = (
        []
        if validation is not None
        else ["No validation poses: give a table with --validation to see what calibration gains elsewhere."]
    )
    written = (
        f"written to {out}: {', '.join(name for name in answer.files if not name.endswith('.cert'))} and "
        f"{len(answer.checks)} certificates"
    )
    text = "\n".join([classical_text(answer), *hint, written])
    return reported(Answer(answer.exit_code, text, {"folder": str(out), **answer.as_json()}), out, arguments)


COMMAND = Command(
    "calibrate",
    "classical calibration with validation, and what is proved about its two solutions",
    "certify calibrate prepared --validation prepared/validation.csv",
    _arguments,
    _run,
)
