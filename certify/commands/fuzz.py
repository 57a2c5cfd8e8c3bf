"""certify fuzz SOLVER: look for wrong answers of a solver of programs, or of an interval library, on instances whose
truth is planted; certify fuzz list: which there are.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from certify.command import PROVED, REJECTED, Answer, Command, progress
from certify.problems.errors import InputError

ENGINES = ("codac", "pyibex")  # libraries that have a process of their own Python


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("solver", metavar="SOLVER", help="its name, or 'list' to see all that are installed here")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of the instances (default 0)")
    parser.add_argument(
        "--examples", type=int, default=300, metavar="N", help="how many instances are counted (default 300)"
    )
    parser.add_argument("--corpus", type=Path, metavar="DIR", help="where a script for each cause is written")


def _run(arguments: argparse.Namespace) -> Answer:
    try:
        import hypothesis  # noqa: F401 - asked for before anything else is imported
    except ImportError as error:
        raise InputError(
            "certify fuzz needs hypothesis, which is not installed: pip install 'certify[testing]'"
        ) from error
    from certify.second_opinion.engines import REMEDY
    from certify.testing.adapters.engine_libraries import engine_library
    from certify.testing.adapters.fit_solvers import fit_solvers
    from certify.testing.adapters.found import program_solvers
    from certify.testing.adapters.interval_libraries import libraries
    from certify.testing.fuzzing import fuzz_fits, fuzz_library, fuzz_solver, write_corpus

    solvers, enclosing, fitting = program_solvers(), libraries(), fit_solvers()
    names = [arguments.solver] if arguments.solver in ENGINES else ENGINES if arguments.solver == "list" else ()
    enclosing |= {name: one for name in names if (one := engine_library(name)) is not None}
    if arguments.solver == "list":
        versions = {name: one.version for name, one in (solvers | enclosing | fitting).items()}
        return Answer(
            PROVED, "\n".join(f"{name:24} {version}" for name, version in versions.items()), {"solvers": versions}
        )
    if arguments.examples < 1:
        raise InputError(f"--examples {arguments.examples}: give at least 1")
    tell = progress(arguments)
    if arguments.solver in solvers:
        found = fuzz_solver(solvers[arguments.solver], arguments.examples, arguments.seed, tell)
    elif arguments.solver in enclosing:
        found = fuzz_library(enclosing[arguments.solver], arguments.examples, arguments.seed, tell)
    elif arguments.solver in fitting:
        found = fuzz_fits(fitting[arguments.solver], arguments.examples, arguments.seed, tell)
    elif arguments.solver in ENGINES:
        raise InputError(f"{arguments.solver} was not found by any interpreter here; {REMEDY[arguments.solver]}")
    else:
        there = ", ".join([*(solvers | enclosing | fitting), *ENGINES])
        raise InputError(f"no solver is called {arguments.solver!r} here; there are {there}")
    written = [] if arguments.corpus is None else write_corpus(found, arguments.corpus)
    return Answer(REJECTED if found.cases else PROVED, _text(found, written), _json(found))


def _text(found: Any, written: list[Path]) -> str:
    from certify.claims.programs.fuzz_claims import counted, silent, told

    lines = [counted(found.name, found.version, found.counts)]
    lines += [told(case.cause, case.words, case.rows) for case in found.cases]
    lines += [silent(case.words, case.rows) for case in found.silent]
    lines += [f"written: {path}" for path in written]
    if found.cases and not written:
        lines += ["", found.cases[0].script]
    return "\n".join(lines)


def _json(found: Any) -> dict[str, Any]:
    counts = found.counts
    return {
        "solver": found.name,
        "version": found.version,
        "right": counts.right,
        "wrong": counts.wrong,
        "within_tolerance": counts.tolerated,
        "no_answer": counts.silent,
        "cases": [
            {"cause": case.cause, "words": case.words, "margin": case.margin, "rows": case.rows, "script": case.script}
            for case in found.cases
        ],
        "without_answer": [{"words": case.words, "rows": case.rows, "script": case.script} for case in found.silent],
    }


COMMAND = Command(
    "fuzz",
    "look for wrong answers of a solver, on instances whose truth is planted",
    "certify fuzz highs --examples 200 --seed 5",
    _arguments,
    _run,
)
