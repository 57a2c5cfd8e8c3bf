"""certify fuzz SOLVER: look for wrong answers of a solver of programs, or of an interval library, on instances whose
truth is planted; certify fuzz list: which there are.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from certify.command import PROVED, REJECTED, UNDECIDED, Answer, Command, add_report, progress, reported
from certify.crews import add_workers, crew_of, require_workers
from certify.problems.errors import InputError


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("solver", metavar="SOLVER", help="its name, or 'list' to see all that are installed here")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of the instances (default 0)")
    parser.add_argument(
        "--examples", type=int, default=300, metavar="N", help="how many instances are counted (default 300)"
    )
    parser.add_argument("--seconds", type=float, default=float("inf"), metavar="S", help="stop after so many seconds")
    add_workers(parser, "processes side by side (default: one a processor); what is found is the same for any number")
    parser.add_argument("--corpus", type=Path, metavar="DIR", help="where a script for each cause is written, and "
                        "a record for 'certify report DIR'")  # fmt: skip
    add_report(parser)


def _run(arguments: argparse.Namespace) -> Answer:
    try:
        import hypothesis  # noqa: F401 - asked for before anything else is imported
    except ImportError as error:
        raise InputError(
            "certify fuzz needs hypothesis, which is not installed: pip install 'certify[testing]'"
        ) from error
    from certify.testing.fuzzing import as_json, tried, write_corpus
    from certify.testing.together import fuzzed_together, installed

    if arguments.solver == "list":
        versions = installed()
        text = "\n".join(f"{name:24} {version}" for name, version in versions.items())
        return Answer(PROVED, text, {"solvers": versions})
    require_workers(arguments)
    if arguments.examples < 1 or not arguments.seconds > 0:
        raise InputError(
            f"--examples {arguments.examples}, --seconds {arguments.seconds:g}: give at least 1, and more than 0"
        )
    tell = progress(arguments)
    with crew_of(arguments, tell) as crew:
        found = fuzzed_together(arguments.solver, arguments.examples, arguments.seed, arguments.seconds, crew, tell)
    written = [] if arguments.corpus is None else write_corpus(found, arguments.corpus)
    code = REJECTED if found.cases else PROVED if tried(found.counts) else UNDECIDED
    answer = Answer(code, _text(found, written), as_json(found))
    return answer if arguments.corpus is None else reported(answer, arguments.corpus, arguments)


def _text(found: Any, written: list[Path]) -> str:
    from certify.claims.programs.fuzz_claims import by_workers, counted, silent, told

    lines = [counted(found.name, found.version, found.counts)]
    lines += [by_workers(found.taken)] if found.taken else []
    lines += [told(case.cause, case.words, case.rows) for case in found.cases]
    lines += [silent(case.words, case.rows) for case in found.silent]
    lines += [f"written: {path}" for path in written]
    if found.cases and not written:
        lines += ["", found.cases[0].script]
    return "\n".join(lines)


COMMAND = Command(
    "fuzz",
    "look for wrong answers of a solver, on instances whose truth is planted",
    "certify fuzz highs --examples 100 --seed 6",
    _arguments,
    _run,
)
