"""certify inspect PROBLEM: what was understood of a problem file and its tables, and which poses a least-squares fit
misses most, before anything long begins. Nothing is proved by it.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from certify.command import PROVED, Answer, Command, add_limits, progress, time_limit
from certify.problems.errors import InputError


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("problem", type=Path, nargs="?", metavar="PROBLEM", help="a problem.toml")
    parser.add_argument(
        "--schema", action="store_true", help="only print the JSON schema of problem files, for editors of TOML"
    )
    add_limits(parser)


def _run(arguments: argparse.Namespace) -> Answer:
    from certify.parts.fitting import fit_experiment
    from certify.problems.problem_schema import problem_schema
    from certify.reports.inspection import inspection
    from certify.runs.experiment_options import load
    from certify.solvers.limits import Limit

    if arguments.schema:
        found = problem_schema()
        return Answer(PROVED, json.dumps(found, indent=1), found)
    if arguments.problem is None:
        raise InputError("which problem? Give a problem.toml; 'certify demo' writes one to start from")
    limit = Limit.of(time_limit(arguments))
    experiment = load(arguments.problem)
    progress(arguments)("fitting least squares")
    with limit.enforced():
        fitting = fit_experiment(experiment)
    return Answer(PROVED, *inspection(experiment, fitting))


COMMAND = Command(
    "inspect",
    "tell what was understood of a problem file and its tables, with the poses that a fit misses most (estimated)",
    "certify inspect problem.toml",
    _arguments,
    _run,
)
