"""Fuzzing by name, here or by workers, in shares with a seed each; findings are put together, cause by cause."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

from certify.problems.errors import InputError
from certify.second_opinion.engines import ENGINES, REMEDY
from certify.solvers.journal.plain import Damaged, Plain
from certify.solvers.limits import UNLIMITED, Limit
from certify.solvers.workers.crew import ALONE, Crew, Round
from certify.solvers.workers.work import Task, Work
from certify.testing.adapters.engine_libraries import engine_library
from certify.testing.adapters.fit_solvers import fit_solvers
from certify.testing.adapters.found import program_solvers
from certify.testing.adapters.interval_libraries import libraries
from certify.testing.contract import Count
from certify.testing.fuzzing import Case, Fuzzed, fuzz_fits, fuzz_library, fuzz_solver, tried

Progress = Callable[[str], None]
SHARE = 100  # instances with one seed
COUNTS = ("right", "wrong", "tolerated", "silent")
Told = tuple[str, tuple[int, ...], tuple[Case, ...], tuple[Case, ...]]
CODEC = Plain(Case)


def installed() -> dict[str, str]:
    """The versions of all that can be tested here, by name."""
    engines = {name: one for name in ENGINES if (one := engine_library(name)) is not None}
    return {name: one.version for name, one in (program_solvers() | libraries() | fit_solvers() | engines).items()}


def fuzzed(
    name: str, examples: int, number: int, seconds: float = float("inf"), progress: Progress = lambda _: None
) -> Fuzzed:
    """What comes out for the named solver or library."""
    solvers, enclosing, fitting = program_solvers(), libraries(), fit_solvers()
    limit = Limit.of(seconds)  # what is loaded before is not counted
    if name in solvers:
        return fuzz_solver(solvers[name], examples, number, progress, limit)
    if name in enclosing:
        return fuzz_library(enclosing[name], examples, number, progress, limit)
    if name in fitting:
        return fuzz_fits(fitting[name], examples, number, progress, limit)
    if name in ENGINES:
        library = engine_library(name)
        if library is None:
            raise InputError(f"{name} was not found by any interpreter here; {REMEDY[name]}")
        return fuzz_library(library, examples, number, progress, limit)
    there = ", ".join([*(solvers | enclosing | fitting), *ENGINES])
    raise InputError(f"no solver is called {name!r} here; there are {there}")


def fuzzed_together(
    name: str, examples: int, number: int, seconds: float = float("inf"), crew: Crew = ALONE,
    progress: Progress = lambda _: None,
) -> Fuzzed:  # fmt: skip
    """In shares of so many examples, each with a seed of its own, from `number` on: the same for any number of workers.
    What workers of a cluster have found to be wrong or without an answer, of another version or of more instances than
    they were asked for, is looked for once more here.
    """
    shares = [min(SHARE, examples - done) for done in range(0, examples, SHARE)]
    limit, each = Limit.of(seconds), seconds / -(-len(shares) // (1 + crew.count))
    version = cache(lambda: _version(name))

    def here(place: int) -> Fuzzed:
        return fuzzed(name, shares[place], number + place, min(limit.remaining, each), progress)

    def read(place: int, data: bytes) -> Fuzzed | None:
        found = _read(name, data)
        if not crew.elsewhere:
            return found
        return replace(found, taken=tried(found.counts)) if _is_taken(found, shares[place], version()) else None

    if len(shares) == 1:
        return here(0)
    progress(f"{name}: {len(shares)} shares of {SHARE} instances")
    pieces = [CODEC.encode((share, number + place, each)) for place, share in enumerate(shares)]
    found = list(Round(crew, Work.of(open_fuzzing, name.encode()), read, here).each(pieces, UNLIMITED))
    total = Count()
    for one in found:
        for field in COUNTS:
            setattr(total, field, getattr(total, field) + getattr(one.counts, field))
    cases = _smallest([case for one in found for case in one.cases])
    silent = _smallest([case for one in found for case in one.silent])
    return Fuzzed(name, found[0].version, total, cases, silent, sum(one.taken for one in found))


def open_fuzzing(text: bytes) -> Task:
    """A worker's share."""

    def task(piece: bytes, limit: Limit) -> bytes:
        examples, number, seconds = CODEC.decode(piece, tuple[int, int, float])
        found = fuzzed(text.decode(), examples, number, seconds)
        counts = tuple(getattr(found.counts, field) for field in COUNTS)
        return CODEC.encode((found.version, counts, tuple(found.cases), tuple(found.silent)))

    return task


def _read(name: str, data: bytes) -> Fuzzed:
    version, counts, cases, silent = CODEC.decode(data, Told)
    if len(counts) != len(COUNTS) or min(counts) < 0:
        raise Damaged("counts of something else")
    return Fuzzed(name, version, Count(**dict(zip(COUNTS, counts, strict=True))), list(cases), list(silent))


def _version(name: str) -> str | None:
    """That of what is tested here."""
    found = program_solvers() | libraries() | fit_solvers()
    one = found[name] if name in found else engine_library(name) if name in ENGINES else None
    return None if one is None else one.version


def _is_taken(found: Fuzzed, share: int, version: str | None) -> bool:
    """Whether a share is taken from another machine: it has no instances that would be shown, and it is about what is
    tested here.
    """
    counts = found.counts
    shown = found.cases or found.silent or counts.wrong or counts.silent
    return not shown and tried(counts) <= share and found.version == version


def _smallest(cases: list[Case]) -> list[Case]:
    """One for each cause: that with the fewest rows."""
    best: dict[str, Case] = {}
    for case in cases:
        if case.cause not in best or case.rows < best[case.cause].rows:
            best[case.cause] = case
    return list(best.values())
