"""certify run PROBLEM: everything about the user's own experiment (problem.toml), or all solutions of a system of equations (Minibex: .bch, .mbx)."""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from certify.command import PROVED, UNDECIDED, Answer, Command, add_limits, progress, time_limit
from problems.errors import InputError
from problems.files import write_bytes
from solvers.limits import INTERRUPTIONS

if TYPE_CHECKING:
    from certify.sets import SolvedSet
    from certify.solving import Solved
    from problems.system import System

GAP = "5e-7"
MINIBEX = (".bch", ".mbx")
PICTURE = "paving.png"
Tell = Callable[[str], None]
Shown = tuple[int, ...]
ALSO = (  # the names of certify.supplements, which is loaded when it is needed
    ("enclose", "also enclose the parameters that are consistent within --epsilon (default 0)"),
    ("polytope", "the same, cut down by half-spaces along the principal axes"),
    ("least-squares", "also prove whether the least-squares fit is the only global minimum in the search box"),
    ("factor", "also bound, to a gap of 1e-4, by how much all half-widths must be multiplied for the model to fit (roughly, where no value fits)"),
    ("discard", "also find the fewest measurements to leave out so that the rest is consistent within --epsilon (default 0)"),
)


def add_options(parser: argparse.ArgumentParser) -> None:
    """What demo and run have in common."""
    parser.add_argument("--gap", metavar="G", help="relative gap to close between the proved ends (default 5e-7)")
    parser.add_argument("--epsilon", metavar="E", help="decide at this model error, e.g. '0 mm', instead of bounding the smallest one")
    for name, told in ALSO:
        parser.add_argument(f"--{name}", action="store_true", help=told)
    add_limits(parser)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, metavar="N", help="legs answered side by side (default: one a processor)")


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("problem", type=Path, metavar="PROBLEM", help="a problem.toml, or a system of equations in Minibex (.bch, .mbx)")
    parser.add_argument("--out", type=Path, metavar="DIR", help="where to write (default: certified, beside PROBLEM; a system writes only if asked)")
    parser.add_argument("--plot", metavar="X,Y", help="two or three variables of a system to draw in DIR (default: all, if they are two or three)")
    add_options(parser)


def _require_workers(arguments: argparse.Namespace) -> None:
    if arguments.workers < 1:
        raise InputError(f"--workers {arguments.workers} is not a positive number; give how many legs are answered side by side")


def _named(files: Sequence[str]) -> list[str]:
    """The files of a run but for certificates, and the problems that one certificate alone is about."""
    certified = {name.removesuffix(".cert") for name in files if name.endswith(".cert")}
    return [name for name in files if not name.endswith(".cert") and name.removesuffix(".canonical") not in certified]


def run_experiment(experiment_file: Path, folder: Path, arguments: argparse.Namespace) -> Answer:
    """Load, answer, write, check."""
    from certify.calibration import calibrate
    from certify.part_search import Options
    from certify.reports.table import table
    from certify.warm_up import warm_up
    from problems.experiment_file import load_experiment
    from problems.quantities import Dimension, parse_decimal, parse_quantity

    if folder.resolve() == experiment_file.resolve().parent:
        raise InputError(f"--out {folder} is the folder of the problem itself, whose files would be overwritten; give another one")
    if folder.exists() and not folder.is_dir():
        raise InputError(f"--out {folder} is a file; give a folder")
    if arguments.gap is not None and arguments.epsilon is not None:
        raise InputError("--gap is about bounding the smallest model error, --epsilon decides at one; give one of them")
    gap = parse_decimal(arguments.gap or GAP, "--gap")
    if not 0 < gap < 1:
        raise InputError(f"--gap {arguments.gap} is not between 0 and 1; give a relative gap such as 1e-6")
    limit = time_limit(arguments)
    _require_workers(arguments)
    loading = time.perf_counter()
    experiment = load_experiment(experiment_file)
    limit -= time.perf_counter() - loading
    dimension = Dimension.NUMBER if experiment.kind.unit == "1" else Dimension.LENGTH
    epsilon = None if arguments.epsilon is None else parse_quantity(arguments.epsilon, dimension, "--epsilon").value
    if epsilon is not None and epsilon < 0:
        raise InputError(f"--epsilon {arguments.epsilon} is negative; a model error is 0 or more")
    if epsilon is not None and experiment.kind.unit not in ("1", "mm"):
        raise InputError(f"--epsilon {arguments.epsilon}: the rows of this model are in {experiment.kind.unit}; write an equation between lengths")
    tell = progress(arguments)
    compiled = warm_up(tell)
    options = Options(gap=Fraction(gap), time_limit=limit, workers=arguments.workers)
    also = [name for name, _ in ALSO if getattr(arguments, name.replace("-", "_"))]
    with INTERRUPTIONS.heeded():
        answer = calibrate(experiment, folder, options, epsilon, tell, also)
    told = answer.as_json()
    told["seconds"]["compile"] = round(compiled, 4)
    written = f"written to {folder}: {', '.join(_named(answer.files))} and {len(answer.checks)} certificates"
    return Answer(answer.exit_code, f"{table(answer)}\n{written}", {"folder": str(folder), **told})


def _run_system(path: Path, arguments: argparse.Namespace) -> Answer:
    """All solutions of a system; of inequalities only, the set from inside and outside."""
    from certify.folders import Sort, written_before
    from certify.sets import is_set
    from certify.solving import require_constraints, warm_up_systems
    from problems.minibex import read_minibex

    if arguments.epsilon is not None:
        raise InputError("--epsilon belongs to experiments; a system of equations has no model error")
    for name, _ in ALSO:
        if getattr(arguments, name.replace("-", "_")):
            raise InputError(f"--{name} belongs to experiments; all solutions of a system are found and enclosed anyway")
    limit, written = time_limit(arguments), arguments.out is not None
    _require_workers(arguments)
    system, tell = read_minibex(path), progress(arguments)
    require_constraints(system)
    shown = _shown(tuple(variable.name for variable in system.variables), arguments)
    old = written_before(arguments.out, Sort.SYSTEM) if written else []
    tell("loading the interval kernels (the first time on a machine they are compiled: some seconds)")
    warm_up_systems()
    answer_it = _paved if is_set(system) else _solved
    return answer_it(system, limit, arguments, shown, old, tell)


def _solved(system: System, limit: float, arguments: argparse.Namespace, shown: Shown, old: list[Path], tell: Tell) -> Answer:
    """All solutions, with a certificate if there is a folder for it."""
    from certify.reports.system_claims import NOT_ASKED, coverage, solved_text
    from certify.solving import solve
    from certify.system_files import write_certificate
    from solvers.branch_and_prune import Options

    answer = solve(system, Options(time_limit=limit, threads=arguments.workers), tell)
    if arguments.out is None:
        return _uncertified(solved_text(answer), {"coverage": coverage(answer, None), **answer.as_json()}, NOT_ASKED)
    certified = write_certificate(answer, arguments.out, max(limit - answer.seconds, limit / 4), tell, old)
    told = certified.as_json(answer)
    files = _write_system(answer, shown, arguments.out, told, certified.files)
    return _certified(certified.code(PROVED if answer.complete else UNDECIDED), certified.text(answer), told, arguments.out, files)


def _paved(system: System, limit: float, arguments: argparse.Namespace, shown: Shown, old: list[Path], tell: Tell) -> Answer:
    """A set of inequalities from inside and outside, with certificates if there is a folder for them."""
    from certify.reports.system_claims import NOT_ASKED, set_coverage, set_text
    from certify.set_files import write_set_certificates
    from certify.sets import solve_set

    written = arguments.out is not None
    answer = solve_set(system, limit / 2 if written else limit, tell, record=written)
    if not written:
        return _uncertified(set_text(answer), {"coverage": set_coverage(answer.paving), **answer.as_json()}, NOT_ASKED)
    certified = write_set_certificates(answer, arguments.out, max(limit - answer.seconds, limit / 4), tell, old)
    told = certified.as_json(answer)
    files = _write_system(answer, shown, arguments.out, told, certified.files)
    return _certified(certified.code(PROVED if answer.complete else UNDECIDED), certified.text(answer), told, arguments.out, files)


def _uncertified(text: str, told: dict[str, Any], reason: str) -> Answer:
    """An answer of the engine alone: nobody has checked it, so its code is that of the undecided."""
    return Answer(UNDECIDED, text, told | {"certificate": {"verified": False, "reason": reason}})


def _certified(code: int, text: str, told: dict[str, Any], folder: Path, files: list[str]) -> Answer:
    return Answer(code, f"{text}\nwritten to {folder}: {', '.join(files)}", {"folder": str(folder), **told})


def _shown(names: tuple[str, ...], arguments: argparse.Namespace) -> tuple[int, ...]:
    """The numbers of the variables that the picture shows; none if there is no picture."""
    if arguments.plot is None:
        return tuple(range(len(names))) if len(names) in (2, 3) else ()
    if arguments.out is None:
        raise InputError("--plot draws into the folder that --out names; give both")
    chosen = [name.strip() for name in arguments.plot.split(",")]
    for name in chosen:
        if name not in names:
            raise InputError(f"--plot {arguments.plot}: there is no variable {name!r}; the system has {', '.join(names)}")
    if len(chosen) not in (2, 3) or len(set(chosen)) != len(chosen):
        raise InputError(f"--plot {arguments.plot}: name two or three different variables, with commas between them")
    return tuple(names.index(name) for name in chosen)


def _write_system(answer: Solved | SolvedSet, shown: tuple[int, ...], folder: Path, told: dict[str, Any], certificates: list[str]) -> list[str]:
    """The answer for scripts, and the picture if it has two or three variables or some were chosen; returns all files of the run."""
    from certify.folders import RECORD
    from certify.reports.paving_picture import paving_picture
    from certify.sets import drawing

    files = [RECORD, *([PICTURE] if shown else []), *certificates]
    told["files"] = files
    write_bytes(folder / RECORD, (json.dumps(told, indent=1) + "\n").encode())
    if shown:
        write_bytes(folder / PICTURE, paving_picture(drawing(answer), shown))
    return files


def _run(arguments: argparse.Namespace) -> Answer:
    problem = arguments.problem
    if problem.is_dir():
        raise InputError(f"{problem} is a folder; name the problem.toml in it")
    if not problem.is_file():
        raise InputError(f"there is no file {problem}; give a problem.toml, 'certify demo' writes one to start from")
    if problem.suffix in MINIBEX:
        return _run_system(problem, arguments)
    if arguments.plot is not None:
        raise InputError("--plot belongs to systems of equations; an experiment has a picture of its own")
    return run_experiment(problem, arguments.out or problem.parent / "certified", arguments)


COMMAND = Command(
    "run",
    "certify an experiment (problem.toml), or find all solutions of a system of equations (.bch)",
    "certify run problem.toml --out certified",
    _arguments,
    _run,
)
