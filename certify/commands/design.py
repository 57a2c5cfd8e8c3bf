"""certify design FILE_OR_ROBOT: the motion, or the choice of segments, that tells the parameters of a linear model
best. Estimates.
"""

from __future__ import annotations

import argparse
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from certify.command import PROVED, UNDECIDED, Answer, Command, add_limits, progress, time_limit
from certify.problems.errors import InputError
from certify.solvers.limits import INTERRUPTIONS, Limit

if TYPE_CHECKING:
    from certify.problems.motions.excited import Excited

CRITERIA, SCALES = ("D", "A", "E", "condition"), ("column", "nominal", "none")
TABLES, ARMS = (".csv", ".txt", ".npz", ".parquet", ".pq"), (".urdf", ".xml")
OF_TABLES, OF_ARMS = ("choose", "segment", "columns", "repeat"), ("tip", "base", "gravity", "offset", "rotor")
OF_MOTIONS = ("limit", "period", "share", "rate", "scale", "harmonics", "periods", "starts", "evaluations")
SECONDS = 240.0
_PERIOD = re.compile(r"\s*([\d.eE+-]+?)\s*(?:\.\.\s*([\d.eE+-]+?)\s*)?(s|ms)?\s*", re.ASCII)


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "target", metavar="FILE_OR_ROBOT",
        help="a robot that is known (h4, par4, palida), an arm's URDF, or a table of rows of W with a column "
        "'segment' to choose from",
    )  # fmt: skip
    parser.add_argument("--out", required=True, type=Path, metavar="DIR", help="folder to write to")
    parser.add_argument(
        "--criterion", choices=CRITERIA, default="D",
        help="what is made small: the determinant of the covariance (D), its trace (A), its largest eigenvalue (E), or "
        "the condition number (default %(default)s)",
    )  # fmt: skip
    parser.add_argument("--harmonics", type=int, metavar="N", help="of the Fourier series (default 5)")
    parser.add_argument("--period", metavar="T", help="of the motion, '4 s' or '3 .. 8 s' (default: the robot's)")
    parser.add_argument("--periods", type=int, metavar="K", help="how many are run (default 3)")
    parser.add_argument("--rate", type=float, metavar="HZ", help="samples in a second of the trajectory (default 1000)")
    parser.add_argument(
        "--noise", metavar="N",
        help="of the readings: '0.5 Nm', one for each output, or a CSV file with their covariance; of a table a number "
        "or a column of deviations (default 1)",
    )  # fmt: skip
    parser.add_argument(
        "--limit", metavar="LIMITS", help="instead of the robot's own, e.g. 'q1 = -1 .. 1 rad, tau2 = -30 .. 30 Nm'"
    )
    parser.add_argument("--share", type=float, metavar="S", help="of every range that may be used (default 1)")
    parser.add_argument("--scale", choices=SCALES, help="of parameters, for all criteria but D (default column)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the first motions (default %(default)s)")
    parser.add_argument(
        "--starts",
        type=int,
        metavar="N",
        help="descents, short ones, from the best first motions, and a long one from the best (default 4)",
    )
    parser.add_argument("--evaluations", type=int, metavar="N", help="of the criterion's slopes, in all (default 600)")
    parser.add_argument("--choose", type=int, metavar="N", help="of a table: how many segments to run")
    parser.add_argument("--segment", metavar="NAME", help="of a table: the column of segments (default 'segment')")
    parser.add_argument("--columns", metavar="NAMES", help="of a table: the columns of W (default: all others)")
    parser.add_argument("--repeat", action="store_true", help="of a table: a segment may be chosen more than once")
    parser.add_argument("--tip", metavar="LINK", help="of an arm: the link behind its last joint")
    parser.add_argument("--base", metavar="LINK", help="of an arm: the link before its first joint")
    parser.add_argument("--gravity", metavar="G", help="of an arm, in m/s^2 (default '0 0 -9.81')")
    parser.add_argument("--offset", action="store_true", help="the torque of each joint of an arm has an offset, too")
    parser.add_argument("--rotor", action="store_true", help="each joint of an arm has the inertia of a rotor, too")
    add_limits(parser, SECONDS)


def _run(arguments: argparse.Namespace) -> Answer:
    limit = Limit.of(time_limit(arguments))
    if not 0 <= arguments.seed < 2**62:
        raise InputError(f"--seed {arguments.seed} is out of range; choose a whole number from 0 to 2^62 - 1")
    if arguments.out.exists() and not arguments.out.is_dir():
        raise InputError(f"--out {arguments.out} is a file; give a folder")
    with INTERRUPTIONS.heeded():
        is_table = Path(arguments.target).suffix.lower() in TABLES
        lines, record, finished = _chosen(arguments, limit) if is_table else _designed(arguments, limit)
    text = "\n".join([*lines, f"written to {arguments.out}"])
    return Answer(PROVED if finished else UNDECIDED, text, {"folder": str(arguments.out), **record})


def _chosen(arguments: argparse.Namespace, limit: Limit) -> tuple[list[str], dict[str, object], bool]:
    """Of a table of candidates."""
    from certify.designs.run import choice_run
    from certify.problems.motions.candidates import read_candidates
    from certify.solvers.design.criteria import Criterion

    _refuse(arguments, (*OF_MOTIONS, *OF_ARMS), "of a motion; leave it out where segments of a table are chosen")
    if arguments.choose is None:
        raise InputError("--choose is missing: how many of the table's segments are to be run? e.g. --choose 10")
    table = read_candidates(Path(arguments.target), arguments.segment or "segment", arguments.columns, arguments.noise)
    criterion = Criterion(arguments.criterion)
    return choice_run(table, arguments.choose, criterion, arguments.repeat, limit, arguments.out, progress(arguments))


def _designed(arguments: argparse.Namespace, limit: Limit) -> tuple[list[str], dict[str, object], bool]:
    """Of a robot."""
    from certify.designs.run import design_run
    from certify.problems.motions.noise import noise_of
    from certify.solvers.design.criteria import Criterion
    from certify.solvers.design.designed import Plan

    _refuse(arguments, OF_TABLES, "of a table of candidates; leave it out where a motion is designed")
    robot = _robot(arguments)
    share = 1.0 if arguments.share is None else arguments.share
    if not 0.0 < share <= 1.0:
        raise InputError(f"--share {share:g} is not between 0 and 1; give the share of every range that may be used")
    rate = robot.rate if arguments.rate is None else arguments.rate
    if not 1.0 <= rate <= 1e5:
        raise InputError(f"--rate {rate:g} Hz: choose 1 to 100000 samples in a second")
    robot = replace(robot.limited(arguments.limit, share), rate=rate)
    counts = {"periods": 3, "starts": 4, "evaluations": 600, "harmonics": 5}
    for name, usual in counts.items():
        given = getattr(arguments, name)
        counts[name] = usual if given is None else given
        if counts[name] < 1:
            raise InputError(f"--{name} {counts[name]}: choose 1 or more")
    plan = Plan(
        Criterion(arguments.criterion), counts["harmonics"], _period(arguments.period, robot.seconds),
        arguments.scale or SCALES[0], noise_of(arguments.noise, robot), arguments.seed, min(counts["starts"], 20),
    )  # fmt: skip
    return design_run(robot, plan, counts["periods"], counts["evaluations"], limit, arguments.out, progress(arguments))


def _robot(arguments: argparse.Namespace) -> Excited:
    from certify.problems.arm_dynamics.arm_regressor import numbers_of
    from certify.problems.arm_dynamics.links import GRAVITY
    from certify.problems.formulas.units import shown
    from certify.problems.motions.arm_motion import arm_excited
    from certify.problems.motions.known import ROBOTS

    path = Path(arguments.target)
    if path.suffix.lower() in ARMS:
        gravity = GRAVITY if arguments.gravity is None else numbers_of(arguments.gravity, "--gravity", 3)
        return arm_excited(path, arguments.tip, arguments.base, gravity, arguments.offset, arguments.rotor)
    _refuse(arguments, OF_ARMS, "of a serial arm; give its URDF, or leave it out")
    if arguments.target not in ROBOTS:
        raise InputError(
            f"{shown(arguments.target)} is no robot whose motion can be designed; give one of {', '.join(ROBOTS)}, a "
            f"URDF, or a table (CSV, NPZ, Parquet) of rows to choose from; a function of your own goes to "
            f"certify.design in Python"
        )
    return ROBOTS[arguments.target]()


def _period(text: str | None, usual: float) -> tuple[float, float]:
    if text is None:
        return usual, usual
    match = _PERIOD.fullmatch(text)
    try:
        ends = [float(part) for part in match.groups()[:2] if part] if match else []
    except ValueError:
        ends = []
    if not ends:
        raise InputError(f"--period {text!r}: write '4 s', or '3 .. 8 s' where it may be chosen")
    factor = 1e-3 if match is not None and match[3] == "ms" else 1.0
    return ends[0] * factor, ends[-1] * factor


def _refuse(arguments: argparse.Namespace, names: tuple[str, ...], why: str) -> None:
    for name in names:
        if getattr(arguments, name) not in (None, False):
            raise InputError(f"--{name} is {why}")


COMMAND = Command(
    "design",
    "the motion of a robot, or the choice of segments, that tells its parameters best (an estimate)",
    "certify design h4 --criterion D --noise '0.5 Nm' --evaluations 50 --out designed",
    _arguments,
    _run,
)
