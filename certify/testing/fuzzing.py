"""Look for wrong answers of a solver or an interval library: planted instances, counted, and the wrong ones shrunk.

All answers of a seed are counted first. Then each cause of a wrong answer is looked for once more with that seed, and
Hypothesis makes the instance as small as it can; one case stands for a cause. A corpus is a folder with a script for
each case, named by its cause, that reproduces it without this project.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

from hypothesis import HealthCheck, Phase, find, given, seed, settings
from hypothesis.errors import Flaky, NoSuchExample

from certify.problems.errors import InputError
from certify.problems.files.disk import read_json, write_bytes
from certify.runs.folders import RECORD, remove_report
from certify.solvers.limits import UNLIMITED, Late, Limit
from certify.testing.contract import Count, Finding, Solver, count, finding
from certify.testing.enclosing import Enclosing, enclosing_finding
from certify.testing.fitting import FitSolver, fit_finding
from certify.testing.scripts import script
from certify.testing.strategies import expressions, fits, programs

Judge = Callable[[Any], Finding | None]
QUIET: dict[str, Any] = {"database": None, "deadline": None, "suppress_health_check": list(HealthCheck)}
ROWS = 5


@dataclass(frozen=True, slots=True)
class Case:
    """A wrong answer: why, in words, and how to see it."""

    cause: str
    words: str
    margin: float
    script: str
    rows: int


@dataclass(slots=True)
class Fuzzed:
    """What came out for one solver: wrong answers, and instances without any; so many instances were `taken` from
    workers of a cluster as they have counted them.
    """

    name: str
    version: str
    counts: Count = field(default_factory=Count)
    cases: list[Case] = field(default_factory=list)
    silent: list[Case] = field(default_factory=list)  # those without an answer
    taken: int = field(default=0, compare=False)


def fuzz_solver(
    solver: Solver,
    examples: int,
    number: int = 0,
    progress: Callable[[str], None] = lambda _: None,
    limit: Limit = UNLIMITED,
) -> Fuzzed:
    """A solver of programs."""
    strategy = programs(solver.kinds)

    def judge(planted: Any) -> Finding | None:
        found = finding(planted.program, planted.truth, solver.solve(planted.program), solver.criterion)
        named = found is not None and found.wrong
        return replace(found, cause=f"{found.cause}, {planted.kind}") if found is not None and named else found

    def case(planted: Any, found: Finding) -> Case:
        truth = f"{found.words}\n{planted!r}"
        text = script(planted.program, solver.name, solver.version, truth)
        return Case(found.cause, found.words, found.margin, text, planted.program.rows)

    return _fuzzed(Fuzzed(solver.name, solver.version), strategy, judge, case, examples, number, progress, limit)


def fuzz_library(
    library: Enclosing,
    examples: int,
    number: int = 0,
    progress: Callable[[str], None] = lambda _: None,
    limit: Limit = UNLIMITED,
) -> Fuzzed:
    """An interval library."""
    strategy = expressions(tuple(library.functions))

    def judge(one: Any) -> Finding | None:
        return enclosing_finding(library, one.function, one.lower, one.upper, one.point)

    def case(one: Any, found: Finding) -> Case:
        call = library.script.format(function=one.function, lower=one.lower, upper=one.upper)
        text = f"# {library.version}\n# {found.words}\n{call}"
        return Case(found.cause, found.words, found.margin, text, 1)

    return _fuzzed(Fuzzed(library.name, library.version), strategy, judge, case, examples, number, progress, limit)


def fuzz_fits(
    solver: FitSolver,
    examples: int,
    number: int = 0,
    progress: Callable[[str], None] = lambda _: None,
    limit: Limit = UNLIMITED,
) -> Fuzzed:
    """A solver of fits: what is above the planted sum is counted, and never called wrong."""

    def judge(fit: Any) -> Finding | None:
        return fit_finding(solver, fit)

    def case(fit: Any, found: Finding) -> Case:
        return Case(found.cause, found.words, found.margin, f"# {solver.version}\n# {found.words}\n# {fit!r}\n", 0)

    return _fuzzed(Fuzzed(solver.name, solver.version), fits(), judge, case, examples, number, progress, limit)


def _fuzzed(
    into: Fuzzed, strategy: Any, judge: Judge, case: Callable[[Any, Finding], Case], examples: int, number: int,
    progress: Callable[[str], None], limit: Limit,
) -> Fuzzed:  # fmt: skip
    began = time.perf_counter()
    first: dict[str, tuple[Any, Finding]] = {}
    silent: dict[str, tuple[Any, Finding]] = {}

    @seed(number)
    @settings(max_examples=examples, phases=[Phase.generate], **QUIET)
    @given(strategy)
    def all_of_them(instance: Any) -> None:
        limit.check()
        found = judge(instance)
        count(into.counts, found)
        if found is not None and found.wrong:
            first.setdefault(found.cause, (instance, found))
        elif found is not None and found.silent:
            before = silent.get(found.cause)
            silent[found.cause] = min(before or (instance, found), (instance, found), key=lambda one: _size(one[0]))
        if (instances := tried(into.counts)) % 50 == 0:
            spent = time.perf_counter() - began
            progress(f"{into.name}: {so_far(into.counts, len(first), instances, examples, spent)}")

    def smallest(instance: Any, found: Finding, cause: str) -> Case:
        smaller = _smallest(strategy, judge, cause, examples, number, limit)
        again = None if smaller is None else judge(smaller)
        return case(smaller, again) if again is not None and again.cause == cause else case(instance, found)

    with suppress(Late, Flaky):
        all_of_them()
    for cause, (instance, found) in first.items():
        progress(f"{into.name}: the smallest instance of: {cause}")
        into.cases.append(smallest(instance, found, cause))
    for cause, (instance, found) in silent.items():
        progress(f"{into.name}: the smallest instance with {cause}")
        into.silent.append(smallest(instance, found, cause))
    return into


def tried(counts: Count) -> int:
    """How many instances were counted."""
    return counts.right + counts.wrong + counts.tolerated + counts.silent


def so_far(counts: Count, causes: int, done: int, examples: int, spent: float) -> str:
    """What was tried, what came out, and about how long the rest takes if it goes on like this (estimated)."""
    left = spent * max(examples - done, 0) / max(done, 1)
    told = f"{counts.wrong} wrong of {causes} causes, {counts.silent} without an answer"
    return f"{done} of {examples} tried, {told}, about {left:.0f} s to go"


def _size(instance: Any) -> int:
    """How large an instance is."""
    found = getattr(instance, "program", None)
    return 0 if found is None else int(found.rows + found.size)


def _smallest(strategy: Any, judge: Judge, cause: str, examples: int, number: int, limit: Limit) -> Any:
    best: list[Any] = []

    def is_it(instance: Any) -> bool:
        limit.check()
        found = judge(instance)
        it_is = found is not None and found.cause == cause
        best[:] = [instance] if it_is else best
        return it_is

    try:
        seeded = Random(number)  # noqa: S311 - instances, not secrets
        return find(strategy, is_it, settings=settings(max_examples=4 * examples, **QUIET), random=seeded)
    except (NoSuchExample, Late, Flaky):
        return best[0] if best else None


def _file_name(case: Case) -> str:
    return re.sub("[^a-z0-9]+", "-", case.cause.lower()).strip("-")[:60]


def as_json(found: Fuzzed) -> dict[str, Any]:
    """One object for scripts, and the record of a corpus."""
    counts = found.counts
    return {
        "solver": found.name,
        "version": found.version,
        "right": counts.right,
        "wrong": counts.wrong,
        "within_tolerance": counts.tolerated,
        "no_answer": counts.silent,
        "counted_by_workers": found.taken,
        "cases": [
            {"cause": case.cause, "words": case.words, "margin": case.margin, "rows": case.rows, "script": case.script}
            for case in found.cases
        ],
        "without_answer": [{"words": case.words, "rows": case.rows, "script": case.script} for case in found.silent],
    }


def _require_ours(path: Path) -> None:
    """Refuse to write over the record of a run of another sort."""
    if not path.is_file():
        return
    try:
        ours = "within_tolerance" in read_json(path, "record")
    except (OSError, ValueError, TypeError):
        ours = False
    if not ours:
        raise InputError(f"--corpus {path.parent}: its {path.name} is of another sort; choose another folder")


def write_corpus(fuzzed: Fuzzed, folder: Path) -> list[Path]:
    """A script for each case, where a cause that is there already is left as it is, and the record of this time."""
    folder.mkdir(parents=True, exist_ok=True)
    _require_ours(folder / RECORD)
    remove_report(folder)
    written = []
    for case in [*fuzzed.cases, *fuzzed.silent]:
        path = folder / f"{fuzzed.name}-{_file_name(case)}.py"
        if not path.exists():
            write_bytes(path, case.script.encode())
            written.append(path)
    title = f"{fuzzed.name} on instances with planted truth"
    provenance = "simulated: instances whose truth is planted"
    record = {"title": title, "provenance": provenance, **as_json(fuzzed)}
    write_bytes(folder / RECORD, (json.dumps(record, indent=1) + "\n").encode())
    return written
