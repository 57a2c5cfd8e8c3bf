"""Systems of equations, and sets of inequalities: searched, certified and checked in one, all within one limit.

answer = certify.solve("system.bch")       or a text of Minibex, or a System
answer = certify.solve_set(certify.system({"x": (-2, 2), "y": (-2, 2)}, "x^2 + y^2 <= 1"))
print(answer)                              what `certify run` prints

the time limit        half of it for the search, if there are to be certificates; two thirds of what is left then for
making
                      them, the rest for the check by a separate process. Loading the kernels is not counted.
an interruption       (Ctrl-C) ends the search; what was found is certified in a few seconds more. The next one ends
that too.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from certify.command import REJECTED, SECONDS, UNDECIDED
from certify.pictures import painting
from certify.pictures.paving_picture import paving_picture
from certify.problems.errors import InputError
from certify.problems.minibex import parse_minibex, read_minibex
from certify.problems.systems.system import System
from certify.questions.set_paving import is_set, pave
from certify.questions.system_search import require_constraints, search, warm_up_systems
from certify.records.options import Progress, silent
from certify.runs.folders import RECORD, Sort, remove, written_before
from certify.solvers.graph.own import OwnContractors
from certify.solvers.journal.journal import NOTHING, Memory
from certify.solvers.limits import INTERRUPTIONS, Limit
from certify.solvers.memory import allow
from certify.solvers.search.branch_and_prune import WIDTH, SearchOptions
from certify.solvers.workers.crew import ALONE, Crew
from certify.solvers.workers.processes import Processes
from certify.systems.set_answer import PROBLEMS, SetAnswer, certified_set
from certify.systems.system_answer import PROBLEM, SOLUTIONS, SystemAnswer, certified_system
from certify.systems.system_record import variables_shown, write_record

READING = 0.3  # seconds for the file, however short the limit is
SEARCHING = 0.5  # of the time limit, if certificates are to be made
MAKING = 0.66  # of what is left then
DRAWING = 0.2  # of what is left, for the picture
AFTERWARDS = 10.0  # seconds for making certificates after an interruption
UNFINISHED = "the run has not ended, or was ended by force, while its certificate was made"
Source = System | Path | str
Solution = SystemAnswer | SetAnswer


@dataclass(frozen=True, slots=True)
class Asked:
    """How a system is to be solved; the same for both doors and for the command.

    With a `folder` everything is written there as it is known, with a picture of the variables that `plot` names;
    else the answer's `save` does that. So many `workers` of this machine search, or those of the `crew`. The picture
    is drawn in a process of its own if `apart`, and processes are forked then, which is safe only where no other
    threads run.
    """

    folder: Path | None = None
    certificate: bool = True
    time_limit: float = SECONDS
    memory_limit: float | None = None
    workers: int = 1
    progress: Progress = silent
    plot: Sequence[str] | None = None
    outliers: int = 0
    apart: bool = False
    contractors: OwnContractors = ()
    width: float | None = None
    memory: Memory = NOTHING
    crew: Crew | None = None


def solve(
    system: Source,
    folder: Path | str | None = None,
    *,
    certificate: bool = True,
    time_limit: float = SECONDS,
    memory_limit: float | None = None,
    workers: int | None = None,
    progress: Progress = silent,
    contractors: OwnContractors = (),
    width: float = WIDTH,
) -> SystemAnswer:
    """All solutions of a system of equations (and inequalities) in the domains of its variables, with a certificate
    that the checker has judged.

    `system` is a `System`, the path of a Minibex file, or a text of that language. In a `folder` everything is
    written that `certify run --out` writes. The time limit is that of everything; `memory_limit` are the gigabytes
    that this process may use from here on; so many `workers` search (one a processor if None):
    this process, and others that are begun after a second. Without `certificate`
    the engine's answer is all. `contractors` are yours: classes, or functions, that make a contractor of the system's
    `Equations`; they narrow the search beside ours, and certificates take what they tell reasons of. A box is no longer
    halved where no side is wider than `width` (times the domain's half-width, about, where that is less than 1): so it
    stays undecided if nothing is proved of it. Raises InputError, and Late if the limit comes before the file is read.
    """
    place, count = None if folder is None else Path(folder), workers or os.cpu_count() or 1
    asked = Asked(place, certificate, time_limit, memory_limit, count, progress, contractors=contractors, width=width)
    answer = answered(system, asked, of_sets=False)
    if not isinstance(answer, SystemAnswer):
        raise TypeError("a set has another answer")
    return answer


def solve_set(
    system: Source,
    folder: Path | str | None = None,
    *,
    certificate: bool = True,
    time_limit: float = SECONDS,
    memory_limit: float | None = None,
    progress: Progress = silent,
    outliers: int = 0,
    contractors: OwnContractors = (),
) -> SetAnswer:
    """The set of all points at which inequalities hold, from inside and outside, with certified bounds of its volume;
    the rest as for `solve`. With `outliers` the points at which all hold but so many, at most; there is no certificate
    of those. `contractors` of yours keep every point of the set, or every point of the rest if they say
    `keeps = "rest"`.
    """
    place = None if folder is None else Path(folder)
    asked = Asked(
        place, certificate, time_limit, memory_limit, progress=progress, outliers=outliers, contractors=contractors
    )
    answer = answered(system, asked, of_sets=True)
    if not isinstance(answer, SetAnswer):
        raise TypeError("a system has another answer")
    return answer


def answered(source: Source, asked: Asked, of_sets: bool | None = None) -> Solution:
    """The answer about a system, or about a set where it has inequalities only; refuses what is not `of_sets` (None:
    takes both).
    """
    _require_limits(asked)
    allow(asked.memory_limit)
    with INTERRUPTIONS.heeded():
        limit = Limit.of(asked.time_limit)
        system = _read(source, limit)
        if of_sets is not None and is_set(system) is not of_sets:
            what, door = (
                ("inequalities only, so its solutions are a set", "solve_set")
                if is_set(system)
                else ("equations", "solve")
            )
            raise InputError(f"{system.title} has {what}; use certify.{door}")
        if asked.width is not None and is_set(system):
            raise InputError(
                f"{system.title} has inequalities only, and the width of the boxes that pave its set follows from "
                f"the domain; leave the width out"
            )
        return _solved(system, limit, asked)


def _require_limits(asked: Asked) -> None:
    if not asked.time_limit > 0:
        raise InputError(f"the time limit {asked.time_limit:g} is not a positive number of seconds")
    if asked.memory_limit is not None and not asked.memory_limit > 0:
        raise InputError(f"the memory limit {asked.memory_limit:g} is not a positive number of gigabytes")
    if asked.workers < 1:
        raise InputError(f"{asked.workers} workers is not a positive number")
    if asked.width is not None and not 0.0 < asked.width < math.inf:
        raise InputError(
            f"the width {asked.width:g} is not a positive number; boxes are halved down to it, such as 1e-6"
        )


def _read(source: Source, limit: Limit) -> System:
    """Raises Late."""
    with limit.at_least(READING).enforced():
        if isinstance(source, System):
            system = source
        elif isinstance(source, str) and ";" in source:
            system = parse_minibex(source)
        else:
            system = read_minibex(Path(source))
        require_constraints(system)
        return system if system.title else replace(system, title="system")


def _solved(system: System, limit: Limit, asked: Asked) -> Solution:
    folder = asked.folder
    shown = () if folder is None else variables_shown(system, asked.plot)
    old = [] if folder is None else written_before(folder, Sort.SYSTEM)
    with (
        painting.painter(asked.workers if shown and asked.apart else 1) as paint,
        Processes(asked.workers if asked.crew is None else 1, asked.apart) as others,
    ):
        asked = replace(asked, crew=others if asked.crew is None else asked.crew)
        answer, draw = _found(system, limit, asked, old, paint, shown)
        if folder is not None:
            answer.write(folder, draw)
    return answer


def _found(
    system: System, limit: Limit, asked: Asked, old: Sequence[Path], paint: painting.Paint, shown: tuple[int, ...]
) -> tuple[Solution, painting.Draw | None]:
    """The answer, checked, and what waits for its picture, which shows what the search has found."""
    tell, left = asked.progress, limit.remaining
    tell("loading the interval kernels (the first time on a machine they are compiled: some seconds)")
    warm_up_systems()
    if shown and paint is painting.in_place:
        painting.load_library()
    limit = Limit.of(left)
    tell("searching")
    answer = _searched(system, limit.share(SEARCHING) if asked.certificate else limit, asked)
    if asked.certificate and limit.interrupted:
        tell("interrupted: what was found is certified, in some seconds; another interruption ends that, too")
    remove(old)
    draw = paint(paving_picture, (answer.drawing, shown)) if shown else None
    if asked.certificate:
        later = limit.after(AFTERWARDS)
        drawing = DRAWING if shown and paint is painting.in_place else 0.0
        answer = _certified(answer, later.within((1.0 - drawing) * later.remaining), asked)
    return answer, draw


def _searched(system: System, limit: Limit, asked: Asked) -> Solution:
    """What the engine finds."""
    if is_set(system):
        more = asked.outliers, asked.contractors
        return SetAnswer(pave(system, limit.remaining, asked.progress, asked.certificate, limit, *more))
    width = WIDTH if asked.width is None else asked.width
    options = SearchOptions(
        width=width,
        limit=limit,
        time_limit=limit.remaining,
        crew=asked.crew or ALONE,
        recorded=asked.certificate,
        memory=asked.memory,
    )
    return SystemAnswer(search(system, options, asked.progress, asked.contractors))


def _certificates(answer: Solution) -> list[str]:
    """The files that may be there when a run is ended by force: the next one removes them."""
    if isinstance(answer, SystemAnswer):
        return [PROBLEM, f"{SOLUTIONS}.cert"]
    return [*dict.fromkeys(PROBLEMS.values()), *(f"{name}.cert" for name in PROBLEMS)]


def _certified(answer: Solution, limit: Limit, asked: Asked) -> Solution:
    """With certificates, checked; what is known before is written first, so that nothing is lost if the process is
    ended meanwhile.
    """
    making, crew = MAKING * limit.remaining, asked.crew or ALONE
    if asked.folder is not None:
        first = {
            "title": answer.system.title,
            "exit_code": UNDECIDED,
            "coverage": answer.coverage,
            "stopped": answer.stopped.value,
        }
        told = {"certificate": {"verified": False, "reason": UNFINISHED}, "files": [RECORD, *_certificates(answer)]}
        write_record(asked.folder, {**first, **told})
    if isinstance(answer, SetAnswer):
        workers = asked.workers if asked.apart else 1
        answer = certified_set(answer.found, making, asked.progress, limit, workers, asked.contractors)
    else:
        more = asked.memory, crew, asked.contractors
        answer = certified_system(answer.found, making, asked.progress, limit, False, *more)
        judged = answer.judged(limit.after(AFTERWARDS), asked.folder, asked.workers)
        if judged.exit_code != REJECTED:
            return judged
        asked.progress("the checker has refused a step: a certificate is made of which each step was judged before")
        answer = certified_system(answer.found, MAKING * limit.remaining, asked.progress, limit, True, *more)
    return answer.judged(limit.after(AFTERWARDS), asked.folder, asked.workers)
