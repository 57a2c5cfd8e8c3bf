"""certify demo: the Table of Stewart of the Gough platform paper, simulated, from data file to checked certificates."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from certify.command import Answer, Command
from certify.commands.run import add_options, run_experiment
from certify.problems.errors import InputError

ERRORS = ("none", "backlash", "joints", "outlier")


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", type=Path, default=Path("demo"), metavar="DIR", help="where to write (default: demo)")
    parser.add_argument("--error", choices=ERRORS, help="unmodelled error to simulate instead of the shipped data set")
    parser.add_argument("--size", metavar="LENGTH", help="its size, e.g. '5 mm'")
    parser.add_argument("--seed", type=int, metavar="N", help="seed of the simulated noise")
    parser.add_argument("--noise", metavar="F", help="factor on the noise of the paper (default 1)")
    add_options(parser)


def _run(arguments: argparse.Namespace) -> Answer:
    from certify.problems.experiments.shipped import shipped
    from certify.problems.experiments.toml_writer import write_experiment
    from certify.problems.formulas.units import Dimension, parse_quantity
    from certify.problems.simulation.simulation import SEED, simulate
    from certify.problems.simulation.unmodelled_error import unmodelled_error

    chosen = [arguments.error, arguments.size, arguments.seed, arguments.noise]
    if all(value is None for value in chosen):
        return run_experiment(shipped("table_of_stewart"), arguments.out, arguments)
    if arguments.error is None:
        raise InputError(
            f"--size, --seed and --noise need --error (one of {', '.join(ERRORS)}): the shipped data set is fixed"
        )
    size = None if arguments.size is None else parse_quantity(arguments.size, Dimension.LENGTH, "--size").value
    seed = SEED if arguments.seed is None else arguments.seed
    simulated = simulate(
        unmodelled_error(arguments.error, size), seed, "1" if arguments.noise is None else arguments.noise
    )
    with tempfile.TemporaryDirectory() as folder:
        return run_experiment(write_experiment(folder, simulated.experiment), arguments.out, arguments)


COMMAND = Command(
    "demo",
    "certify the model error of a simulated Gough platform, six legs, from data file to checked proof",
    "certify demo --out demo",
    _arguments,
    _run,
)
