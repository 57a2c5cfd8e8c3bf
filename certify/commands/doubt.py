"""certify doubt PROBLEM: which hypothesis of the model to doubt, by the proved gain of richer models and on poses kept
apart.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from math import inf
from pathlib import Path

from certify.command import Answer, Command, add_limits, add_report, progress, reported
from certify.problems.errors import InputError
from certify.solvers.limits import INTERRUPTIONS

SEARCHING = 0.65  # of the time limit; the rest is for writing and the check of many certificates


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("problem", type=Path, metavar="PROBLEM", help="a problem.toml")
    parser.add_argument(
        "--validation",
        type=Path,
        metavar="CSV",
        help="further poses, with readings: judge on them, and use all of PROBLEM's",
    )
    parser.add_argument(
        "--keep",
        metavar="FRACTION",
        help="fraction of the poses to keep apart, such as 0.2 (default 1/4, spread without a period)",
    )
    parser.add_argument(
        "--hypothesis",
        action="append",
        default=[],
        metavar="NAME",
        help="judge this one only (may be repeated; default: all)",
    )
    parser.add_argument(
        "--effect",
        metavar="E",
        help="bound of what each added term may amount to, e.g. '20 mm', or '1 mm, 2 mrad' where rows are in both "
        "(default: three times the largest model error in a unit)",
    )
    parser.add_argument("--out", type=Path, metavar="DIR", help="where to write (default: doubted, beside PROBLEM)")
    parser.add_argument(
        "--gap", default="1e-2", metavar="G", help="relative gap to close between the proved ends (default 1e-2)"
    )
    add_report(parser)
    add_limits(parser)


def _run(arguments: argparse.Namespace) -> Answer:
    import numpy as np

    from certify.parts.redundancy import fit_beside
    from certify.parts.warm_up import warm_up
    from certify.problems.experiments.added_poses import read_poses, with_poses
    from certify.problems.experiments.experiment import box_centre
    from certify.problems.hypotheses.exact_parameters import about_exact
    from certify.questions.doubt import doubt
    from certify.reports.doubt_table import doubt_text
    from certify.runs.doubt_files import exit_code, write_doubts
    from certify.runs.experiment_options import effects, load, search_options
    from certify.runs.folders import written_before

    experiment = load(arguments.problem)
    out: Path = arguments.out or arguments.problem.parent / "doubted"
    if out.resolve() == arguments.problem.resolve().parent:
        raise InputError(
            f"--out {out} is the folder of the problem itself, whose files would be overwritten; give another one"
        )
    if out.exists() and not out.is_dir():
        raise InputError(f"--out {out} is a file; give a folder")
    options, effect = search_options(arguments), effects(arguments.effect, "--effect", experiment)
    if experiment.pose_columns:
        raise InputError(f"{arguments.problem}: every pose has unknowns of its own, so that none can be kept apart")
    rows = len(experiment.poses)
    if arguments.validation is None:
        added, kept = None, _kept(arguments.keep or "1/4", rows)
    elif arguments.keep is not None:
        raise InputError(
            "--validation and --keep are both given; the poses kept apart are those of the table, or some "
            "of the problem's"
        )
    else:
        added = read_poses(arguments.validation, experiment, experiment.kind.columns)
        kept = tuple(range(rows, rows + len(added.labels)))
    written_before(out)
    tell = progress(arguments)
    warm_up(tell)
    labels = (*experiment.poses, *(() if added is None else added.labels))
    record = {
        "title": experiment.title,
        "provenance": experiment.provenance,
        "tables": experiment.reading.as_json,
        "poses_kept_apart": [labels[row] for row in kept],
    }
    with INTERRUPTIONS.heeded():
        limit = options.begun()
        options = replace(options, time_limit=inf, limit=limit.share(SEARCHING))
        with options.limit.enforced():
            estimate = fit_beside(experiment)[0].estimate
        problem = experiment.problem(box_centre(experiment, estimate))
        if added is not None:
            problem = with_poses(problem, added.columns)
        start = np.array([float(value) for value in estimate])
        more = about_exact(experiment, box_centre(experiment, estimate)) if added is None else ()
        doubts = doubt(
            problem, kept, arguments.hypothesis, more=more, effect=effect, start=start, options=options, progress=tell
        )
        written = write_doubts(doubts, out, record, tell, limit)
    code = exit_code(written)
    told = {"folder": str(out), **record, **written.doubts.as_json(), "files": list(written.files), "exit_code": code}
    answered = doubt_text(written.doubts, written.checks, written.models)
    head = "\n".join([experiment.title, experiment.provenance, *experiment.reading.told, ""])
    text = f"{head}\n{answered}\nwritten to {out}: {len(written.files)} files"
    return reported(Answer(code, text, told), out, arguments)


def _kept(text: str, poses: int) -> tuple[int, ...]:
    """The poses to keep apart so that they are about this fraction of all."""
    from fractions import Fraction

    from certify.questions.doubt import spread

    try:
        share = Fraction(text)
    except (ValueError, ZeroDivisionError) as error:
        raise InputError(f"--keep {text} is no fraction; give one such as 1/4 or 0.2") from error
    if not 0 < share < 1:
        raise InputError(f"--keep {text} is not between 0 and 1; give a fraction such as 1/4")
    kept = spread(poses, share)
    if not 0 < len(kept) < poses:
        raise InputError(
            f"--keep {text} of {poses} poses is {len(kept)}; give another fraction, or other poses with --validation"
        )
    return kept


COMMAND = Command(
    "doubt",
    "which hypothesis of the model to doubt: the model error under richer models, judged on poses kept apart",
    "certify doubt demo/problem.toml --out doubted",
    _arguments,
    _run,
)
