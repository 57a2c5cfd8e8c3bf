"""certify run PROBLEM: everything about the user's own experiment (problem.toml), or all solutions of a system of
equations (Minibex: .bch, .mbx).
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from certify.command import UNDECIDED, Answer, Command, add_limits, add_report, progress, reported, time_limit
from certify.crews import add_workers, crew_of, require_workers, side_by_side
from certify.problems.errors import InputError
from certify.solvers.limits import INTERRUPTIONS, Late

if TYPE_CHECKING:
    from certify.pictures.painting import Paint
    from certify.systems.solve import Asked, Solution

GAP = "5e-7"
REDUNDANT = ("leave", "fix", "group")  # of certify.runs.calibration
METHODS = ("lift", "paper")  # of certify.adequacy, which is loaded when it is needed
MINIBEX = (".bch", ".mbx")
ALSO = (  # the names of certify.runs.supplements, which is loaded when it is needed
    ("enclose", "also enclose the parameters that are consistent within --epsilon (default 0)"),
    ("polytope", "the same, cut down by half-spaces along the principal axes"),
    ("least-squares", "also prove whether the least-squares fit is the only global minimum in the search box"),
    (
        "factor",
        "also bound, to a gap of 1e-4, by how much all half-widths must be multiplied for the model to "
        "fit (roughly, where no value fits)",
    ),
    (
        "discard",
        "also find the fewest measurements to leave out so that the rest is consistent within --epsilon (default 0)",
    ),
)


def add_options(parser: argparse.ArgumentParser) -> None:
    """What demo and run have in common."""
    parser.add_argument("--gap", metavar="G", help="relative gap to close between the proved ends (default 5e-7)")
    parser.add_argument(
        "--epsilon",
        metavar="E",
        help="decide at this model error, e.g. '0 mm' (or '1 mm, 2 mrad'), instead of bounding the smallest one",
    )
    for name, told in ALSO:
        parser.add_argument(f"--{name}", action="store_true", help=told)
    parser.add_argument(
        "--method", choices=METHODS,
        help="how the smallest model error is bounded: 'paper' is the scheme of 2006, for comparison (default: lift)",
    )  # fmt: skip
    parser.add_argument(
        "--together", action="store_true",
        help="also refute legs together, with one value of each measurement that they share: a larger lower end for "
        "the platform than its worst leg's, which takes longer than all legs (e.g. --together --gap 1e-5)",
    )  # fmt: skip
    add_report(parser)
    add_limits(parser)
    parser.add_argument(
        "--node-limit", type=int, metavar="N",
        help="halvings of boxes in the search of each part at most (default 20000): an answer that ends at this limit "
        "repeats, one that ends at a limit of time need not",
    )  # fmt: skip
    add_workers(parser, "processes that search (default: one a processor); the answer is the same for any number")


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "problem", type=Path, metavar="PROBLEM", help="a problem.toml, or a system of equations in Minibex (.bch, .mbx)"
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="DIR",
        help="where to write (default: certified, beside PROBLEM; a system writes only if asked)",
    )
    parser.add_argument(
        "--plot",
        metavar="X,Y",
        help="two or three variables of a system to draw in DIR (default: all, if they are two or three)",
    )
    parser.add_argument(
        "--width", type=float, metavar="W",
        help="where halving ends in a system of equations: boxes that are no wider, and of which nothing is proved, "
        "stay undecided (default 1e-8)",
    )  # fmt: skip
    parser.add_argument(
        "--redundant", choices=REDUNDANT,
        help="of a robot without legs: parameters that the measurements cannot tell apart are named, and left free, "
        "held at the blueprint ('fix'), or left free while --enclose encloses the combinations that are determined "
        "('group'; default: leave)",
    )  # fmt: skip
    parser.add_argument(
        "--keep-apart", metavar="POSES",
        help="use all poses but these, and judge on them what was found: '5' or '1/4' (so many, spread without a "
        "period), or 'poses P3, P9'",
    )  # fmt: skip
    parser.add_argument(
        "--pieces", action="store_true",
        help="prove a system of equations in pieces: each is a file of its own in DIR/pieces, as soon as it is proved, "
        "and what they say together is checked as one claim, also where a part is left open",
    )  # fmt: skip
    parser.add_argument(
        "--part", metavar="K/N",
        help="with --pieces: search only the K-th of N parts of the box, always the same ones (1/4), as other "
        "machines search the others; 'certify compose' puts them together",
    )  # fmt: skip
    add_options(parser)
    parser.add_argument(
        "--resume", action="store_true",
        help="go on with a run of the same problem that was ended by force or at a limit: what its journal (beside "
        "DIR) has is read, judged, and not searched again",
    )  # fmt: skip


def _require_pieces(arguments: argparse.Namespace) -> None:
    """What a run in pieces cannot do."""
    if arguments.part is not None and not arguments.pieces:
        raise InputError("--part belongs to --pieces; give both")
    if arguments.pieces and arguments.out is None:
        raise InputError("--pieces are files in the folder that --out names; give both")
    wrong = [name for name in ("plot", "width") if arguments.pieces and getattr(arguments, name) is not None]
    if wrong:
        raise InputError(f"--{wrong[0]} does not go with --pieces; leave it out")


def _run_pieces(path: Path, arguments: argparse.Namespace) -> Answer:
    """A system of equations proved in pieces."""
    from certify.pieces.answer import AskedPieces, in_pieces
    from certify.pieces.running import share_of

    share = (1, 1) if arguments.part is None else share_of(arguments.part, "--part")
    asked = AskedPieces(
        arguments.out, time_limit(arguments), arguments.workers, arguments.resume, (), share, tell=progress(arguments)
    )
    if getattr(arguments, "dask", None):
        raise InputError("--dask does not go with --pieces; give each machine a --part of its own, and compose them")
    answer = in_pieces(path, asked)
    told = answer.as_json()
    done = Answer(answer.exit_code, f"{answer.told.text}\nwritten to {arguments.out}: {', '.join(told['files'])}", told)
    return reported(done, arguments.out, arguments)


def _require_numbers(arguments: argparse.Namespace) -> None:
    require_workers(arguments)
    if arguments.node_limit is not None and arguments.node_limit < 1:
        raise InputError(f"--node-limit {arguments.node_limit} is not positive; give how many boxes may be halved")


def _named(files: Sequence[str]) -> list[str]:
    """The files of a run but for certificates, and the problems that one certificate alone is about."""
    certified = {name.removesuffix(".cert") for name in files if name.endswith(".cert")}
    return [name for name in files if not name.endswith(".cert") and name.removesuffix(".canonical") not in certified]


def run_experiment(experiment_file: Path, folder: Path, arguments: argparse.Namespace) -> Answer:
    """Load, answer, write, check; what draws the picture is begun before anything is loaded that it need not have."""
    _require_numbers(arguments)
    from certify.pictures import painting

    with painting.painter(arguments.workers) as paint:
        return _answered(experiment_file, folder, arguments, paint)


def _answered(experiment_file: Path, folder: Path, arguments: argparse.Namespace, paint: Paint) -> Answer:
    from certify.parts.warm_up import warm_up
    from certify.problems.experiments.toml_reader import load_experiment
    from certify.problems.formulas.units import parse_decimal
    from certify.problems.model.canonical import canonical_bytes
    from certify.records.options import SPLITS, Options
    from certify.reports.calibration_table import table
    from certify.runs.calibration import calibrate
    from certify.runs.experiment_options import levels, poses_apart
    from certify.runs.folders import written_before
    from certify.solvers.journal.beside import kept_beside

    if folder.resolve() == experiment_file.resolve().parent:
        raise InputError(
            f"--out {folder} is the folder of the problem itself, whose files would be overwritten; give another one"
        )
    if folder.exists() and not folder.is_dir():
        raise InputError(f"--out {folder} is a file; give a folder")
    if arguments.gap is not None and arguments.epsilon is not None:
        raise InputError("--gap is about bounding the smallest model error, --epsilon decides at one; give one of them")
    if getattr(arguments, "redundant", None) == "group" and not arguments.enclose:
        raise InputError("--redundant group encloses combinations of parameters; give --enclose, too")
    if arguments.method is not None and arguments.epsilon is not None:
        raise InputError("--method bounds the smallest model error, --epsilon decides at one; give one of them")
    gap = parse_decimal(arguments.gap or GAP, "--gap")
    if not 0 < gap < 1:
        raise InputError(f"--gap {arguments.gap} is not between 0 and 1; give a relative gap such as 1e-6")
    limit = time_limit(arguments)
    loading = time.perf_counter()
    experiment = load_experiment(experiment_file)
    limit -= time.perf_counter() - loading
    epsilon = levels(arguments.epsilon, experiment)
    apart = poses_apart(getattr(arguments, "keep_apart", None), experiment)
    tell = progress(arguments)
    compiled = warm_up(tell)
    splits = SPLITS if arguments.node_limit is None else arguments.node_limit
    options = Options(
        gap=Fraction(gap), time_limit=limit, workers=side_by_side(arguments), together=arguments.together, splits=splits
    )
    also = [name for name, _ in ALSO if getattr(arguments, name.replace("-", "_"))]
    written_before(folder)
    subject = canonical_bytes(experiment.problem(experiment.nominal))
    resume = getattr(arguments, "resume", False)
    with (
        INTERRUPTIONS.heeded(),
        kept_beside(folder, subject, resume, tell) as kept,
        crew_of(arguments, tell) as crew,
    ):
        redundant = getattr(arguments, "redundant", None) or REDUNDANT[0]
        method = arguments.method or METHODS[0]
        options = replace(options, memory=kept.memory, crew=crew)
        answer = calibrate(experiment, folder, options, epsilon, tell, also, paint, method, redundant, apart)
        kept.done = answer.exit_code != UNDECIDED
    told = answer.as_json()
    told["seconds"]["compile"] = round(compiled, 4)
    written = f"written to {folder}: {', '.join(_named(answer.files))} and {len(answer.checks)} certificates"
    done = Answer(answer.exit_code, f"{table(answer)}\n{written}", {"folder": str(folder), **told})
    return reported(done, folder, arguments)


def _wanting_a_folder(arguments: argparse.Namespace) -> str:
    """What is asked for that needs a folder."""
    if arguments.resume:
        return "--resume reads the journal beside"
    return "--report writes into" if arguments.plot is None else "--plot draws into"


def _run_system(path: Path, arguments: argparse.Namespace) -> Answer:
    """All solutions of a system; what belongs to experiments is refused."""
    if arguments.method is not None:
        raise InputError("--method belongs to experiments; a system of equations has no model error")
    if arguments.keep_apart is not None:
        raise InputError("--keep-apart belongs to experiments; a system of equations has no poses")
    if arguments.node_limit is not None:
        raise InputError("--node-limit belongs to experiments; --width and --time-limit bound the search of a system")
    if arguments.redundant is not None:
        raise InputError("--redundant belongs to experiments; all solutions of a system are found and enclosed anyway")
    if arguments.epsilon is not None:
        raise InputError("--epsilon belongs to experiments; a system of equations has no model error")
    if arguments.together:
        raise InputError("--together belongs to experiments; a system's equations hold together anyway")
    for name, _ in ALSO:
        if getattr(arguments, name.replace("-", "_")):
            raise InputError(
                f"--{name} belongs to experiments; all solutions of a system are found and enclosed anyway"
            )
    if arguments.out is None and (arguments.plot is not None or arguments.report or arguments.resume):
        raise InputError(f"{_wanting_a_folder(arguments)} the folder that --out names; give both")
    _require_pieces(arguments)
    _require_numbers(arguments)
    if arguments.pieces:
        return _run_pieces(path, arguments)
    seconds = time_limit(arguments)
    from certify.systems.solve import Asked
    from certify.systems.system_record import variables_shown

    tell, folder = progress(arguments), arguments.out
    plot = None if arguments.plot is None else [name.strip() for name in arguments.plot.split(",")]
    tell(f"reading {path.name}")
    asked = Asked(
        folder,
        folder is not None,
        seconds,
        arguments.memory_limit,
        arguments.workers,
        tell,
        plot,
        apart=not arguments.dask,
    )
    try:
        with crew_of(arguments, tell, forked=False) as crew:
            asked = replace(asked, width=arguments.width, crew=crew if arguments.dask else None)
            answer = _answered_system(path, asked, arguments.resume)
    except Late as late:
        told = f"nothing is known of its solutions: {late.why.value} while the file was read"
        unread = {"title": path.name, "coverage": told, "complete": False, "stopped": late.why.value}
        return Answer(
            UNDECIDED,
            f"{path.name}: {told}; nothing was written.",
            {**unread, "certificate": {"verified": False, "reason": told}},
        )
    if folder is None:
        return Answer(answer.exit_code, answer.text, answer.as_json())
    record = answer.as_record(folder, bool(variables_shown(answer.system, plot)))
    text = f"{answer.text}\nwritten to {folder}: {', '.join(record['files'])}"
    return reported(Answer(answer.exit_code, text, record), folder, arguments)


def _answered_system(path: Path, asked: Asked, resume: bool) -> Solution:
    """The answer about a system, with a journal if it is written to a folder. Raises Late."""
    from certify.problems.minibex import minibex_text
    from certify.runs.folders import Sort, written_before
    from certify.solvers.journal.beside import kept_beside
    from certify.systems.solve import answered

    if asked.folder is None:
        return answered(path, asked)
    written_before(asked.folder, Sort.SYSTEM)
    subject = minibex_text(path).encode()
    with kept_beside(asked.folder, subject, resume, asked.progress) as kept:
        answer = answered(path, replace(asked, memory=kept.memory))
        kept.done = answer.exit_code != UNDECIDED
        return answer


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
    if arguments.pieces or arguments.part is not None:
        raise InputError("--pieces and --part belong to systems of equations; a robot's parts are proved one by one")
    if arguments.width is not None:
        raise InputError("--width belongs to systems of equations; an experiment is searched until --gap is closed")
    return run_experiment(problem, arguments.out or problem.parent / "certified", arguments)


COMMAND = Command(
    "run",
    "certify an experiment (problem.toml), or find all solutions of a system of equations (.bch)",
    "certify run problem.toml --out certified",
    _arguments,
    _run,
)
