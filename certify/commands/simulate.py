"""certify simulate: the experiment of a simulated robot, whose truth is planted and known, as files to start from."""

from __future__ import annotations

import argparse
from pathlib import Path

from certify.command import PROVED, Answer, Command
from certify.problems.errors import InputError

ERRORS = ("none", "backlash", "joints", "outlier")
STEWART = "table_of_stewart"


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", required=True, type=Path, metavar="DIR", help="folder to write to")
    parser.add_argument(
        "--robot",
        default=STEWART,
        metavar="NAME",
        help="which robot (%(default)s; an unknown name lists them)",
    )
    parser.add_argument("--error", choices=ERRORS, default="joints", help="what the model leaves out (default: joints)")
    parser.add_argument("--size", metavar="LENGTH", help="its size, e.g. '25 mm'")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="seed of the noise (default: %(default)s)")
    parser.add_argument("--noise", default="1", metavar="F", help="factor on the standard deviations (default: 1)")
    parser.add_argument("--raw", action="store_true", help="write every single reading instead, for 'certify prepare'")


def _run(arguments: argparse.Namespace) -> Answer:
    from certify.problems.experiments.toml_writer import write_experiment
    from certify.problems.formulas.units import Dimension, parse_quantity
    from certify.problems.simulation.raw import simulate_raw
    from certify.problems.simulation.serial_arm import NAME, TIP, URDF, simulate_arm
    from certify.problems.simulation.simulation import ROBOTS
    from certify.problems.simulation.unmodelled_error import unmodelled_error

    if arguments.robot not in (*ROBOTS, NAME):
        raise InputError(f"--robot {arguments.robot} is not known; there are {', '.join((*ROBOTS, NAME))}")
    size = None if arguments.size is None else parse_quantity(arguments.size, Dimension.LENGTH, "--size").value
    error = unmodelled_error(arguments.error, size)
    if arguments.robot == NAME and not arguments.raw:
        written = simulate_arm(arguments.out, error, arguments.seed, arguments.noise)
        robot = f"--urdf {written.parent / URDF} --tip {TIP}"
        text = (
            f"simulated data written to {written}; go on with 'certify new arm {robot} --data {written} --out FOLDER'"
        )
        return Answer(PROVED, text, {"written": str(written), "robot": arguments.robot, "simulated": True})
    if arguments.raw:
        if arguments.robot != STEWART:
            raise InputError(f"--raw simulates the {STEWART} only; leave --robot out")
        written = simulate_raw(error, arguments.seed, arguments.noise).write(arguments.out)
    else:
        simulated = ROBOTS[arguments.robot](error, arguments.seed, arguments.noise)
        written = write_experiment(arguments.out, simulated.experiment)
    following = "prepare" if arguments.raw else "run"
    text = f"simulated data written to {written}; go on with 'certify {following} {written}'"
    return Answer(PROVED, text, {"written": str(written), "robot": arguments.robot, "simulated": True})


COMMAND = Command(
    "simulate",
    "write the experiment of a simulated robot, to start from or to try things on",
    "certify simulate --robot delta --error none --out delta",
    _arguments,
    _run,
)
