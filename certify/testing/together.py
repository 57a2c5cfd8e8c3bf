"""Fuzzing by name, in this process or with several seeds side by side; findings are put together, cause by cause."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.queues import Queue
from queue import Empty

from certify.problems.errors import InputError
from certify.second_opinion.engines import ENGINES, REMEDY
from certify.solvers.limits import Limit
from certify.testing.adapters.engine_libraries import engine_library
from certify.testing.adapters.fit_solvers import fit_solvers
from certify.testing.adapters.found import program_solvers
from certify.testing.adapters.interval_libraries import libraries
from certify.testing.contract import Count
from certify.testing.fuzzing import Case, Fuzzed, fuzz_fits, fuzz_library, fuzz_solver

Progress = Callable[[str], None]
WAIT = 0.1  # s, between two looks at whether all have ended


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
    name: str, examples: int, number: int, seconds: float = float("inf"), workers: int = 1,
    progress: Progress = lambda _: None,
) -> Fuzzed:  # fmt: skip
    """With as many seeds as workers, from `number` on, each with its share of the examples."""
    if workers == 1:
        return fuzzed(name, examples, number, seconds, progress)
    share = -(-examples // workers)
    progress(f"{name}: {workers} processes with {share} instances each")
    messages: Queue[str] = get_context().Queue()
    with ProcessPoolExecutor(workers, initializer=_tell, initargs=(messages,)) as pool:
        running = [pool.submit(fuzzed, name, share, seed, seconds, _told) for seed in range(number, number + workers)]
        while not all(one.done() for one in running) or not messages.empty():
            with suppress(Empty):
                progress(messages.get(timeout=WAIT))
        found = [one.result() for one in running]
    total = Count()
    for one in found:
        for field in ("right", "wrong", "tolerated", "silent"):
            setattr(total, field, getattr(total, field) + getattr(one.counts, field))
    cases = _smallest([case for one in found for case in one.cases])
    silent = _smallest([case for one in found for case in one.silent])
    return Fuzzed(name, found[0].version, total, cases, silent)


_messages: list[Queue[str]] = []  # of a worker: where it tells how far it is


def _tell(messages: Queue[str]) -> None:
    _messages[:] = [messages]


def _told(message: str) -> None:
    _messages[0].put(message)


def _smallest(cases: list[Case]) -> list[Case]:
    """One for each cause: that with the fewest rows."""
    best: dict[str, Case] = {}
    for case in cases:
        if case.cause not in best or case.rows < best[case.cause].rows:
            best[case.cause] = case
    return list(best.values())
