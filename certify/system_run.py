"""A run on a system of equations or inequalities: read, search, make certificates, have them checked, write; all within one limit.

    the time limit        half of it for the search, if there are to be certificates; two thirds of what is left then for making
                          them, the rest for the check by a separate process. Loading the kernels is not counted.
    an interruption       ends the search; what was found is certified in a few seconds more, and written. The next one ends that too.
    exit code 0           all solutions are known, and certificates of that were asked for and verified
"""

from __future__ import annotations

import argparse
import importlib
import json
from pathlib import Path
from typing import Any

from certify.command import UNDECIDED, Answer, progress
from certify.folders import RECORD, Sort, remove, written_before
from certify.part_search import Progress
from certify.reports.paving_picture import paving_picture
from certify.reports.system_claims import NOT_ASKED, coverage, set_coverage, set_text, solved_text
from certify.set_files import write_set_certificates
from certify.sets import SolvedSet, drawing, is_set, solve_set
from certify.solving import Solved, require_constraints, solve, warm_up_systems
from certify.system_files import write_certificate
from problems.errors import InputError
from problems.files import write_bytes
from problems.minibex import read_minibex
from problems.system import System
from solvers.branch_and_prune import Options
from solvers.limits import INTERRUPTIONS, Late, Limit, Stopped

PICTURE = "paving.png"
READING = 0.3  # seconds for the file, however short the limit is
SEARCHING = 0.5  # of the time limit, if certificates are to be made
MAKING = 0.66  # of what is left then
UNFINISHED = "the run has not ended, or was ended by force, while its certificate was made"
DRAWING = 0.2  # of what is left, for the picture
AFTERWARDS = 10.0  # seconds for making certificates after an interruption


def run_system(path: Path, seconds: float, arguments: argparse.Namespace) -> Answer:
    """All solutions of a system; of inequalities only, the set from inside and outside."""
    with INTERRUPTIONS.heeded():
        progress(arguments)(f"reading {path.name}")
        limit = Limit.of(seconds)
        try:
            with limit.at_least(READING).enforced():
                system = read_minibex(path)
                require_constraints(system)
        except Late as late:
            return _unread(path, late.why)
        return _answered(system, limit, arguments)


def _unread(path: Path, why: Stopped) -> Answer:
    """Nothing is known of a system that was not read to its end."""
    told = f"nothing is known of its solutions: {why.value} while the file was read"
    record = {"title": path.name, "coverage": told, "complete": False, "stopped": why.value}
    certificate = {"verified": False, "reason": told}
    return Answer(UNDECIDED, f"{path.name}: {told}; nothing was written.", {**record, "certificate": certificate})


def _answered(system: System, limit: Limit, arguments: argparse.Namespace) -> Answer:
    tell, folder = progress(arguments), arguments.out
    shown = _shown(tuple(variable.name for variable in system.variables), arguments)
    old = [] if folder is None else written_before(folder, Sort.SYSTEM)
    left = limit.remaining
    tell("loading the interval kernels (the first time on a machine they are compiled: some seconds)")
    warm_up_systems()
    if shown and folder is not None:
        importlib.import_module("matplotlib.pyplot")
    limit = Limit.of(left)
    tell("searching")
    answer = _searched(system, limit if folder is None else limit.share(SEARCHING), arguments, tell, folder is not None)
    if folder is None:
        text = solved_text(answer) if isinstance(answer, Solved) else set_text(answer)
        told = {"coverage": _known(answer), **answer.as_json()}
        return Answer(UNDECIDED, text, {**told, "certificate": {"verified": False, "reason": NOT_ASKED}})
    if limit.interrupted:
        tell("interrupted: what was found is certified and written, in some seconds; another interruption leaves the certificate out")
    limit = limit.after(AFTERWARDS)
    limit = limit.within((1.0 - DRAWING) * limit.remaining) if shown else limit
    making = MAKING * limit.remaining
    remove(old)
    first = {"title": system.title, "exit_code": UNDECIDED, "coverage": _known(answer), "stopped": answer.stopped.value}
    _write(answer, (), folder, {**first, "certificate": {"verified": False, "reason": UNFINISHED}}, [])
    if isinstance(answer, Solved):
        counted = write_certificate(answer, folder, making, tell, limit)
        answer = answer.settled() if counted.counts else answer
        code, text, told, files = counted.code, counted.text(answer), counted.as_json(answer), counted.files
    else:
        paved = write_set_certificates(answer, folder, making, tell, limit)
        code, text, told, files = paved.code, paved.text(answer), paved.as_json(answer), paved.files
    told = {"folder": str(folder), "exit_code": code, **told}
    written = _write(answer, shown, folder, told, files)
    return Answer(code, f"{text}\nwritten to {folder}: {', '.join(written)}", told)


def _known(answer: Solved | SolvedSet) -> str:
    """What is known before there is a certificate."""
    return coverage(answer, None) if isinstance(answer, Solved) else set_coverage(answer.paving)


def _searched(system: System, limit: Limit, arguments: argparse.Namespace, tell: Progress, record: bool) -> Solved | SolvedSet:
    if is_set(system):
        return solve_set(system, limit.remaining, tell, record, limit)
    return solve(system, Options(limit=limit, time_limit=limit.remaining, threads=arguments.workers), tell)


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


def _write(answer: Solved | SolvedSet, shown: tuple[int, ...], folder: Path, told: dict[str, Any], certificates: list[str]) -> list[str]:
    """The answer for scripts, and the picture if it has two or three variables or some were chosen; returns all files of the run."""
    files = [RECORD, *([PICTURE] if shown else []), *certificates]
    told["files"] = files
    lines = ",\n".join(f" {json.dumps(key)}: {json.dumps(value)}" for key, value in told.items())  # many boxes, one line
    write_bytes(folder / RECORD, f"{{\n{lines}\n}}\n".encode())
    if shown:
        write_bytes(folder / PICTURE, paving_picture(drawing(answer), shown))
    return files
