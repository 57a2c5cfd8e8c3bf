"""certify prepare EXPERIMENT: raw readings become a problem with intervals, validation poses, and statistics of the
errors.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from certify.command import PROVED, Answer, Command, progress
from certify.problems.errors import InputError


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "experiment", type=Path, metavar="EXPERIMENT", help="an experiment.toml that names tables of raw readings"
    )
    parser.add_argument("--out", type=Path, metavar="DIR", help="where to write (default: prepared, beside EXPERIMENT)")


def _run(arguments: argparse.Namespace) -> Answer:
    from certify.problems.readings.plan import load_plan
    from certify.runs.preparation_run import prepare_folder

    experiment: Path = arguments.experiment
    folder: Path = arguments.out or experiment.parent / "prepared"
    if experiment.is_dir():
        raise InputError(f"{experiment} is a folder; name the experiment.toml in it")
    if not experiment.is_file():
        raise InputError(f"there is no file {experiment}; 'certify simulate --raw --out raw' writes one to start from")
    if folder.resolve() == experiment.resolve().parent:
        raise InputError(
            f"--out {folder} is the folder of the readings themselves, whose files would be overwritten; "
            f"give another one"
        )
    if folder.exists() and not folder.is_dir():
        raise InputError(f"--out {folder} is a file; give a folder")
    progress(arguments)("reading and averaging")
    answer = prepare_folder(load_plan(experiment), folder)
    return Answer(
        PROVED,
        f"{answer.text()}\nwritten to {folder}: {', '.join(answer.files)}",
        {"folder": str(folder), **answer.as_json()},
    )


COMMAND = Command(
    "prepare",
    "make a problem with intervals out of raw, repeated readings",
    "certify prepare experiment.toml --out prepared",
    _arguments,
    _run,
)
