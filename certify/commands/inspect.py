"""certify inspect PROBLEM: what was understood of a problem file and its tables, and which poses a least-squares fit
misses most, before anything long begins. Nothing is proved by it.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from certify.command import PROVED, Answer, Command, add_limits, progress, time_limit


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("problem", type=Path, metavar="PROBLEM", help="a problem.toml")
    add_limits(parser)


def _run(arguments: argparse.Namespace) -> Answer:
    from certify.parts.fitting import fit_experiment
    from certify.reports.inspection import inspection
    from certify.runs.experiment_options import load
    from certify.solvers.limits import Limit

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
