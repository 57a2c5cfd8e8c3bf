"""certify identify FILE: where the parameters of a model can be that is linear in them, from its regressor."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from certify.command import Answer, Command, add_limits, add_report, progress, reported
from certify.commands.identify.arm_options import add_arm_options, arm_of, refuse_arm_options
from certify.commands.identify.periodic_options import (
    PALIDA,
    add_periodic_options,
    judging_estimates,
    periodic_of,
    refuse_periodic_options,
)
from certify.problems.errors import InputError
from certify.solvers.limits import INTERRUPTIONS

if TYPE_CHECKING:
    from certify.problems.regressors.regressor import Number, Regressor
    from certify.problems.regressors.regressor_file import Chosen
    from certify.runs.identification_run import About, Question


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="a CSV, NPZ or Parquet file with W and y")
    parser.add_argument(
        "--robot",
        metavar="NAME",
        help="FILE is a log of this robot's joints and what drives them, from which W and y are made (an unknown name "
        "lists the robots; 'certify simulate --robot h4 --motion' writes a log); the bound is a torque, of linear "
        "drives a force in N",
    )
    add_arm_options(parser)
    add_periodic_options(parser)
    parser.add_argument("--cut-off", type=float, metavar="HZ", help="of the filters of a log (default 40)")
    parser.add_argument(
        "--gain",
        metavar="G",
        help="Nm/V of the motors in a log, one number or one for each joint (default: the robot's own); of an arm Nm/A "
        "or Nm/V of each joint",
    )
    parser.add_argument(
        "--encoder-step",
        metavar="STEP",
        help="of the joints of a log, e.g. '0.0001 rad' or '0.005 deg' (of an arm also one for each joint, '0.01 mm' "
        "of those that slide): what it leaves in W becomes half-widths (default: it is left to the bound)",
    )
    parser.add_argument("--y", default="y", metavar="NAME", help="the measured column (default %(default)s)")
    parser.add_argument(
        "--bound",
        default="bound",
        metavar="B",
        help="how far each row may be off: a number such as 0.1 or '0.1 Nm', or a column (default: 'bound'); "
        "of an arm also a number for each joint: '3 Nm, 2 Nm, 1 Nm'",
    )
    parser.add_argument(
        "--factor",
        default="1",
        metavar="K",
        help="times this factor, e.g. 3 where the column holds standard deviations",
    )
    parser.add_argument(
        "--columns", metavar="NAMES", help="the columns of W, e.g. 'ddq,dq' (default: all but the measured one and B)"
    )
    parser.add_argument(
        "--prior", metavar="RANGES", help="what was known before, e.g. 'M = 0 .. 200, Fv = 0 ..' (default: nothing)"
    )
    parser.add_argument(
        "--half-widths",
        metavar="HALVES",
        help="how far entries of W may be off, by column: a number, or a column with one for each row, e.g. "
        "'dq = 0.01, sign = sign_error' (default: not at all)",
    )
    parser.add_argument(
        "--closed-form",
        action="store_true",
        help="beside the intervals the box of all least-squares values of measurements within their bounds",
    )
    parser.add_argument(
        "--weighted",
        type=int,
        nargs="?",
        const=0,
        metavar="N",
        help="also whether weighted least squares fits every row, and which bound would make it: rows weighted by "
        "their own bounds, or by the deviations of N groups that take turns row by row (4 for a log of four joints)",
    )
    parser.add_argument(
        "--values", metavar="VALUES", help="the same of values of your own for all parameters, e.g. 'M = 1.1, Fv = 0.3'"
    )
    parser.add_argument(
        "--outliers",
        action="store_true",
        help="the fewest rows that must be left out for some parameters to fit all others, proved, and named",
    )
    parser.add_argument(
        "--relaxed",
        type=int,
        metavar="Q",
        help="also intervals of all parameters that fit all rows but at most Q, whichever these are (1 to 100000; ends "
        "are exact up to 64 only)",
    )
    parser.add_argument(
        "--polytope",
        action="store_true",
        help="also half-spaces along the principal axes of what fits, and the volume that they leave (exactly, up to "
        "six parameters)",
    )
    parser.add_argument(
        "--widths",
        action="store_true",
        help="also how wide each interval is for other bounds, from the smallest with which anything fits up: a table, "
        "a CSV and a picture",
    )
    parser.add_argument("--out", type=Path, metavar="DIR", help="where to write (default: FILE's name without its end)")
    add_report(parser)
    add_limits(parser)


def _run(arguments: argparse.Namespace) -> Answer:
    from certify.command import time_limit
    from certify.problems.regressors.regressor_file import Chosen
    from certify.records.options import Options
    from certify.runs.identification_run import identification

    file, out = arguments.file, arguments.out or arguments.file.with_suffix("")
    if out.exists() and not out.is_dir():
        raise InputError(f"--out {out} is a file; give a folder")
    if out.resolve() == file.resolve().parent:
        raise InputError(f"--out {out} is the folder of the file itself; give another one")
    options = Options(time_limit=time_limit(arguments))
    tell = progress(arguments)
    with INTERRUPTIONS.heeded():
        tell(f"reading {file.name}")
        chosen = Chosen(
            arguments.y, arguments.bound, arguments.factor, arguments.columns, arguments.prior, arguments.half_widths
        )
        problem, measured, about = _problem(arguments, chosen)
        times = f" times {chosen.factor}" if chosen.factor != "1" else ""
        halves = f"; half-widths of W: {chosen.half_widths}" if chosen.half_widths else ""
        source = (
            f"{file.name}: {problem.rows} rows, {problem.size} parameters; {measured} within {chosen.bound}{times}"
            f"{halves}; numbers of the table are doubles"
        )
        questions = [*_questions(arguments), *judging_estimates(about)]
        run = identification(problem, source, out, options, tell, arguments.closed_form, questions, about)
    text = "\n".join([*run.lines, f"written to {out}"])
    return reported(Answer(run.exit_code, text, {"folder": str(out), **run.as_json()}), out, arguments)


def _questions(arguments: argparse.Namespace) -> list[Question]:
    """What is asked beside the intervals."""
    from certify.linear_questions.outliers import linear_outliers
    from certify.linear_questions.polytope.slanting import linear_polytope
    from certify.linear_questions.relaxing import relaxed_hull
    from certify.linear_questions.widths import widths_by_bound

    found: list[Question] = []
    if arguments.weighted is not None or arguments.values is not None:
        found.append(_judging(arguments))
    if arguments.outliers:
        found.append(lambda answer, options, tell: linear_outliers(answer.problem, options, tell))
    if arguments.relaxed is not None:
        found.append(lambda answer, options, tell: relaxed_hull(answer.problem, arguments.relaxed, options, tell))
    if arguments.polytope:
        found.append(lambda answer, options, tell: linear_polytope(answer, options, tell))
    if arguments.widths:
        found.append(lambda answer, options, tell: widths_by_bound(answer, (), options, tell))
    return found


def _judging(arguments: argparse.Namespace) -> Question:
    """Whether a weighted fit, or given values, fit every row."""
    from certify.linear_questions.given_values import judge_values

    given = None if arguments.values is None else _values(arguments.values)
    groups, weighted = arguments.weighted or 0, arguments.weighted is not None
    return lambda answer, options, tell: judge_values(answer.problem, given, groups, weighted, options, tell)


def _values(text: str) -> dict[str, Number]:
    """Names and numbers of 'M = 1.1, Fv = 0.3'."""
    found: dict[str, Number] = {}
    for part in text.split(","):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not (name and equals and value) or name in found:
            raise InputError(f"--values has {part.strip()!r}; give each parameter one, as in 'M = 1.1, Fv = 0.3'")
        found[name] = value
    return found


def _problem(arguments: argparse.Namespace, chosen: Chosen) -> tuple[Regressor, str, About]:
    """The model of a regressor, or of a log, what is measured, and what is known beside."""
    from certify.problems.dynamics.known_robot import known_robot
    from certify.problems.dynamics.log_regressor import regressor_of_log
    from certify.problems.regressors.regressor_file import read_regressor
    from certify.runs.identification_run import About

    if chosen.half_widths and (arguments.robot or arguments.urdf):
        raise InputError("--half-widths: are of a table of W; the columns that a log makes have none, leave them out")
    if arguments.encoder_step and not (arguments.robot or arguments.urdf):
        raise InputError("--encoder-step: is of a log of a robot; give --robot h4 or --urdf too, or leave it out")
    if arguments.urdf is not None:
        return arm_of(arguments, chosen)
    refuse_arm_options(arguments)
    if arguments.robot == PALIDA:
        return periodic_of(arguments, chosen)
    refuse_periodic_options(arguments)
    if arguments.robot is None and (arguments.cut_off, arguments.gain) != (None, None):
        raise InputError("--cut-off and --gain are of a log; give --robot or --urdf too, or leave them out")
    if arguments.robot is None:
        if arguments.physical:
            raise InputError(
                "--physical: which columns of a table are masses, inertias and friction is not known; give --robot or "
                "--urdf with a log, a prior range such as --prior 'Fv = 0 ..', or certify.linear(..., physical=...)"
            )
        return read_regressor(arguments.file, chosen), chosen.y, About()
    gain = None if arguments.gain is None else _gain(arguments.gain)
    found = regressor_of_log(arguments.file, arguments.robot, chosen, arguments.cut_off, gain, arguments.encoder_step)
    problem, measured, encoders = found
    asked = known_robot(arguments.robot).physical if arguments.physical else None
    return problem, measured, About(physical=asked, encoders=encoders)


def _gain(text: str) -> tuple[float, ...]:
    """One number, or one for each joint."""
    from certify.problems.arm_dynamics.arm_regressor import numbers_of

    return numbers_of(text, "--gain")


COMMAND = Command(
    "identify",
    "where the parameters of a model can be that is linear in them: W theta = y, every row within its bound",
    "certify identify regressor.csv --y tau --bound '0.5 Nm' --prior 'M = 0 .. 200' --out identified",
    _arguments,
    _run,
)
