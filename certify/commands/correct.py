"""certify correct FOLDER: the calibrated values of a run put back into the arm's URDF or DH table, so that the robot
can load them, with the enclosure of each parameter beside it where the run has one.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from certify.command import PROVED, Answer, Command
from certify.problems.errors import InputError

VALUES = ("least squares", "witness")


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="a folder that 'certify new arm' has written")
    parser.add_argument("--run", type=Path, metavar="DIR", help="what 'certify run' wrote (default: FOLDER/certified)")
    parser.add_argument(
        "--values",
        choices=VALUES,
        default=VALUES[0],
        help="which values: the least-squares fit, or the witness of the smallest model error (default: %(default)s)",
    )
    parser.add_argument("--part", metavar="NAME", help="of which part, if parts have fits of their own: position, pose")
    parser.add_argument("--out", type=Path, metavar="DIR", help="where to write (default: where the run is)")


def _run(arguments: argparse.Namespace) -> Answer:
    from certify.arms.correct import correct

    folder: Path = arguments.folder
    run: Path = arguments.run or folder / "certified"
    if not run.is_dir():
        raise InputError(f"there is no folder {run}; run 'certify run {folder / 'problem.toml'}' first, or name --run")
    made = correct(folder, run, arguments.values, arguments.part, arguments.out or run)
    told = f"{', '.join(made.files)} written to {made.folder}"
    text = "\n".join([*made.lines, told])
    return Answer(PROVED, text, {"folder": str(made.folder), "files": list(made.files), "told": list(made.lines)})


COMMAND = Command(
    "correct",
    "put a run's calibrated values back into the arm's URDF or DH table",
    "certify correct arm --values witness",
    _arguments,
    _run,
)
