"""certify accuracy PROBLEM: how far off the robot's poses can be all over a workspace, with the parameters that it will
use.
"""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from certify.command import Answer, Command, add_limits, add_report, progress, reported
from certify.problems.errors import InputError
from certify.solvers.limits import INTERRUPTIONS

if TYPE_CHECKING:
    from certify.accuracy.question import Workspace
    from certify.problems.experiments.experiment import Experiment
    from certify.problems.model.model import Problem

USED = ("least-squares", "witness", "blueprint")


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("problem", type=Path, metavar="PROBLEM", help="a problem.toml, or the folder of a run")
    parser.add_argument(
        "--joints",
        action="append",
        default=[],
        metavar="BOX",
        help="a box of the workspace, e.g. 'q1 = 10 +- 10 deg, q2 = -20 .. 0 deg', of a robot with legs a box of poses "
        "'x = 0 +- 20 mm, ...' (may be repeated)",
    )
    parser.add_argument("--about", type=Path, metavar="CSV", help="configurations, a box around each; with --within")
    parser.add_argument("--within", metavar="R", help="half-widths of these boxes, e.g. '10 deg' or '10 deg, 5 mm'")
    parser.add_argument(
        "--cube",
        metavar="EDGE",
        help="positions of a cube, e.g. '500 mm', about that of the configuration --at, on its branch",
    )
    parser.add_argument("--at", metavar="JOINTS", help="the configuration, e.g. 'q1 = 10 deg, q2 = -90 deg'")
    parser.add_argument(
        "--tool", default="tool", metavar="NAME", help="the point in the tool's frame (default %(default)s)"
    )
    parser.add_argument(
        "--use", choices=USED, default=USED[0], help="the parameters that the robot will use (default %(default)s)"
    )
    parser.add_argument(
        "--hold",
        metavar="NAMES",
        help="parameters held at their values in use, such as the base's: the error is then told in its frame",
    )
    parser.add_argument(
        "--aligned",
        action="store_true",
        help="after the best common rigid motion of all poses: that the base stands elsewhere does not count",
    )
    parser.add_argument(
        "--epsilon",
        metavar="E",
        help="model error assumed in the whole workspace, e.g. '1 mm' or '1 mm, 2 mrad' (default: 1.2 times the "
        "smallest that is known)",
    )
    parser.add_argument("--curve", action="store_true", help="also for 1.05, 1.5 and 2 times the smallest model error")
    parser.add_argument(
        "--cells", type=int, default=64, metavar="N", help="cells of a box at most (default %(default)s)"
    )
    parser.add_argument("--out", type=Path, metavar="DIR", help="where to write (default: accuracy, beside PROBLEM)")
    add_report(parser)
    add_limits(parser)


def _run(arguments: argparse.Namespace) -> Answer:
    from certify.command import time_limit
    from certify.parts.warm_up import warm_up
    from certify.records.options import Options
    from certify.runs.accuracy_run import Wanted, assure
    from certify.runs.experiment_options import levels, load
    from certify.runs.folders import written_before

    folder = arguments.problem if arguments.problem.is_dir() else None
    file = arguments.problem if folder is None else folder / "problem.toml"
    experiment, out = load(file), arguments.out or file.parent / "accuracy"
    _refuse(arguments, experiment, file, out)
    wanted = Wanted(
        partial(_workspaces, arguments, experiment),
        arguments.use,
        arguments.hold,
        levels(arguments.epsilon, experiment),
        arguments.curve,
        folder,
        arguments.cells,
        arguments.aligned,
    )
    options = Options(time_limit=time_limit(arguments))
    written_before(out)
    tell = progress(arguments)
    warm_up(tell)
    with INTERRUPTIONS.heeded():
        answer = assure(experiment, out, wanted, options, tell)
    written = answer.written
    text = [experiment.title, experiment.provenance, *experiment.reading.told, "", *answer.lines]
    text.append(f"written to {out}: {len(written.checks)} certificates, each beside its problem")
    done = Answer(written.exit_code, "\n".join(text), {"folder": str(out), **answer.record, **written.as_json()})
    return reported(done, out, arguments)


def _refuse(arguments: argparse.Namespace, experiment: Experiment, file: Path, out: Path) -> None:
    """What cannot be answered."""
    if out.resolve() == file.resolve().parent:
        raise InputError(f"--out {out} is the folder of the problem itself; give another one")
    if out.exists() and not out.is_dir():
        raise InputError(f"--out {out} is a file; give a folder")
    if arguments.cells < 1:
        raise InputError(f"--cells {arguments.cells} is not positive; give how many cells a box may be told by")
    if arguments.curve and arguments.epsilon is not None:
        raise InputError("--curve chooses model errors itself, --epsilon gives one; give one of them")
    if experiment.kind.legs:
        wrong = [name for name in ("hold", "cube", "about", "aligned") if getattr(arguments, name) not in (None, False)]
        if wrong:
            raise InputError(
                f"--{wrong[0]} is about arms; the workspace of a robot with legs is a box of poses, and all of its "
                f"legs' parameters are free: give --joints 'x = 0 +- 20 mm, ..., alpha = 0 +- 3 deg, ...'"
            )


def _workspaces(arguments: argparse.Namespace, experiment: Experiment, problem: Problem) -> tuple[Workspace, ...]:
    """The boxes of --joints, the cube of --cube, and the boxes of --about."""
    from certify.arms.workspaces import boxes_around, boxes_of, cube_of
    from certify.problems.experiments.added_poses import read_poses
    from certify.problems.files.csv_table import columns_given

    columns = {column.name: number for number, column in enumerate(problem.columns)}
    if (arguments.about is None) != (arguments.within is None):
        raise InputError("--about names configurations and --within how far around them; give both")
    if (arguments.cube is None) != (arguments.at is None):
        raise InputError("--cube says how large a cube of positions is and --at where and how it is reached; give both")
    if not arguments.joints and arguments.about is None and arguments.cube is None:
        raise InputError(
            "where does the robot work? Give --joints 'q1 = 10 +- 10 deg, ...', or --about and --within, or --cube "
            "'500 mm' --at 'q1 = 10 deg, ...'"
        )
    found = boxes_of(arguments.joints, columns, problem)
    if arguments.cube is not None:
        found += (cube_of(arguments.cube, arguments.at, arguments.tool, columns, experiment, problem),)
    if arguments.about is not None:
        names = columns_given(arguments.about, experiment.kind.columns, experiment.reading.layout)
        poses = read_poses(arguments.about, experiment, names)
        middles = {
            name: [(low + high) / 2 for low, high in zip(column.lower, column.upper, strict=True)]
            for name, column in poses.columns.items()
        }
        found += boxes_around(poses.labels, middles, arguments.within, columns, problem)
    return found


COMMAND = Command(
    "accuracy",
    "how far off the poses of a robot can be all over a workspace, whatever consistent parameters are true",
    "certify accuracy certified --joints 'q1 = 10 +- 10 deg, q2 = -20 .. 0 deg' --out accuracy",
    _arguments,
    _run,
)
