"""The command line: certify COMMAND ...; exit codes 0 proved and checked, 1 rejected, 2 bad input, 3 undecided or a
limit, 4 a bug of ours.
"""

from __future__ import annotations

import argparse
import importlib
import os
import pkgutil
import sys
import time
import traceback
from collections.abc import Sequence
from typing import Any

from certify import commands
from certify.command import BAD_INPUT, EXIT_CODES, INTERNAL, PROVED, UNDECIDED, Command, clear_progress, printable, tell
from certify.problems.errors import InputError
from certify.solvers.journal.locks import folders_locked
from certify.solvers.limits import INTERRUPTIONS, Late
from certify.solvers.one_thread import one_thread

HEAD = (
    "certify: proved claims about robot calibration, identification, fits and systems of equations.",
    "",
    "Begin with 'certify demo', or with one of these; 'certify COMMAND --help' says more:",
    "",
)
TAIL = ("Each may have --json (one object for scripts) and --quiet (no progress).",)


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> None:  # type: ignore[override]
        raise InputError(f"{message}; see '{self.prog} --help'")


class _Version(argparse.Action):
    """Says which version this is; only then is it looked up, which takes a while."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        from importlib.metadata import version

        print(f"certify {version('certify')}")
        parser.exit()


def find_commands() -> list[Command]:
    """All commands: the files of certify/commands."""
    names = sorted(module.name for module in pkgutil.iter_modules(commands.__path__))
    return [importlib.import_module(f"certify.commands.{name}").COMMAND for name in names]


def build_parser() -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    parser = _Parser(
        prog="certify", description="Proved claims about robot calibration: intervals in, certificates out.",
        epilog=EXIT_CODES, formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("--version", action=_Version, nargs=0, help="say which version this is")
    within = parser.add_subparsers(metavar="COMMAND", parser_class=_Parser)
    parser.set_defaults(command=None)
    for command in find_commands():
        child = within.add_parser(
            command.name, help=command.summary, description=command.summary,
            epilog=f"example:\n  {command.example}\n\n{EXIT_CODES}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )  # fmt: skip
        command.arguments(child)
        child.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
        child.add_argument("--quiet", action="store_true", help="no progress on stderr")
        child.set_defaults(command=command, commands=find_commands)
    return parser


def overview() -> str:
    """What there is to ask: each command with one example."""
    lines = [f"  {command.example}\n      {command.summary}" for command in find_commands()]
    return "\n".join([*HEAD, *lines, "", *TAIL])


def main(words: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    try:
        arguments = build_parser().parse_args(words)
        if arguments.command is None:
            print(overview())
            return PROVED
        arguments.began = time.monotonic()
        with folders_locked():
            answer = arguments.command.run(arguments)
        clear_progress()
        tell(answer, arguments.json)
        return int(answer.code)
    except InputError as error:
        clear_progress()
        print(f"certify: {printable(str(error))}", file=sys.stderr)
        return BAD_INPUT
    except Late as late:
        clear_progress()
        print(f"certify: {late}, before anything was proved; nothing was claimed", file=sys.stderr)
        return UNDECIDED
    except KeyboardInterrupt:
        clear_progress()
        print("certify: interrupted; nothing was claimed", file=sys.stderr)
        return UNDECIDED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return UNDECIDED
    except OSError as error:
        clear_progress()
        print(f"certify: the system refused: {printable(str(error))}; nothing more was written", file=sys.stderr)
        return BAD_INPUT
    except Exception as error:  # what we did not foresee is a bug of ours, and said so
        from certify.contractors.wrong_rounding import WrongRounding

        clear_progress()
        if isinstance(error, WrongRounding):
            print(f"certify: {printable(str(error))}", file=sys.stderr)
            return BAD_INPUT
        traceback.print_exc()
        print(
            "certify: this is a bug of certify, nothing was claimed; please report the lines above with the "
            "problem's files",
            file=sys.stderr,
        )
        return INTERNAL


def program() -> None:
    """A process for one command: an interruption after the answer is written does not change its exit code."""
    INTERRUPTIONS.listen()
    one_thread()
    sys.exit(main())


if __name__ == "__main__":
    program()
