"""One task of a campaign: its problem is made or read, answered and written to a folder, as `certify run` would."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from certify.campaigns.plan import Task
from certify.checker.command import PIECES
from certify.pieces.answer import AskedPieces, in_pieces
from certify.pieces.running import share_of
from certify.problems.errors import InputError
from certify.problems.experiments.experiment import Experiment
from certify.problems.experiments.toml_reader import load_experiment
from certify.problems.experiments.toml_writer import write_experiment
from certify.problems.formulas.units import Dimension, parse_decimal, parse_quantity
from certify.problems.simulation.simulation import ROBOTS
from certify.problems.simulation.unmodelled_error import unmodelled_error
from certify.questions.adequacy import LIFT, METHODS
from certify.records.options import Options, silent
from certify.runs.calibration import calibrate
from certify.runs.experiment_options import levels
from certify.runs.folders import remove, written_by_any
from certify.systems.solve import Asked, answered

GAP, BACKLASH, JOINTS, STEWART = "5e-7", "backlash", "joints", "table_of_stewart"
MINIBEX = (".bch", ".mbx")
OF_SYSTEMS, OF_EXPERIMENTS = ("width", "share"), ("gap", "epsilon", "method")


def is_system(task: Task) -> bool:
    """Whether it is a system of equations."""
    return Path(task.source).suffix in MINIBEX


def problem_of(task: Task) -> Experiment:
    """The experiment of a task, read or simulated. Raises InputError."""
    if task.source:
        return load_experiment(Path(task.source))
    robot = task.get("robot")
    if robot not in ROBOTS:
        raise InputError(f"robot {robot} is not known; there are {', '.join(ROBOTS)}")
    size = parse_quantity(task.get("size"), Dimension.LENGTH, "size").value if task.get("size") else None
    error = unmodelled_error(task.get("error") or (JOINTS if robot == STEWART else BACKLASH), size)
    seed = task.get("seed") or "1"
    if not (seed.isascii() and seed.isdigit() and len(seed) < 19):
        raise InputError(f"seed {seed} is no whole number from 0 to 2^62 - 1; choose one such as 1")
    simulated = ROBOTS[robot](error, int(seed), task.get("noise") or "1").experiment
    with tempfile.TemporaryDirectory() as name:  # as its files say it
        return load_experiment(write_experiment(Path(name), simulated))


def answer(task: Task, folder: Path) -> None:
    """Write what `certify run` writes, but for pictures, to a folder. Raises InputError, and Late."""
    others = OF_EXPERIMENTS if is_system(task) else OF_SYSTEMS
    wrong = [key for key in others if task.get(key)]
    if wrong:
        what = "an experiment, not of a system" if is_system(task) else "a system, not of an experiment"
        raise InputError(f"task {task.number} ({task.name}): {', '.join(wrong)} is of {what}; leave it out")
    _clear(folder, bool(task.get("share")))
    if is_system(task):
        _answer_system(task, folder)
    else:
        _answer_experiment(task, folder)


def _clear(folder: Path, keep_pieces: bool) -> None:
    """Remove what an earlier answer has left, which may be that of another task, and a link to somewhere else; pieces
    say themselves what they are about.
    """
    if folder.is_symlink():
        folder.unlink()
    remove(written_by_any(folder))
    pieces = folder / PIECES
    if pieces.is_symlink():
        pieces.unlink()
    elif not keep_pieces:
        shutil.rmtree(pieces, ignore_errors=True)


def _answer_system(task: Task, folder: Path) -> None:
    if task.get("share"):
        _answer_share(task, folder)
        return
    width = float(parse_decimal(task.get("width"), "width")) if task.get("width") else None
    folder.mkdir(parents=True, exist_ok=True)
    found = answered(Path(task.source), Asked(time_limit=task.time_limit, width=width))
    found.write_documents(folder)
    found.write(folder, None)


def _answer_share(task: Task, folder: Path) -> None:
    """One of so many parts of a system's box, in pieces; those of an earlier try count."""
    if task.get("width"):
        raise InputError(f"task {task.number} ({task.name}): width does not go with share; leave one out")
    share = share_of(task.get("share"), f"task {task.number}: share")
    in_pieces(Path(task.source), AskedPieces(folder, task.time_limit, 1, True, (), share))


def _answer_experiment(task: Task, folder: Path) -> None:
    experiment = problem_of(task)
    gap = parse_decimal(task.get("gap") or GAP, "gap")
    if not 0 < gap < 1:
        raise InputError(f"gap {task.get('gap')} is not between 0 and 1; give a relative gap such as 1e-6")
    method = task.get("method") or LIFT
    if method not in METHODS:
        raise InputError(f"method {method} is not known; there are {', '.join(METHODS)}")
    epsilon = levels(task.get("epsilon") or None, experiment)
    options = Options(gap=Fraction(gap), time_limit=task.time_limit, splits=task.node_limit)
    calibrate(replace(experiment), folder, options, epsilon, silent, paint=None, method=method)
