"""What a command of the command line is: one file in `certify/commands` that offers a `COMMAND`."""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import shutil
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from certify.problems.errors import InputError
from certify.solvers.memory import allow

SECONDS = 300.0
SELDOM = 5.0  # seconds between two lines of a count that goes to a file
COUNTED = (" s left", " to go", " is open", " in the checker's arithmetic")
LEFT, BAR = " s left", 10  # characters of the bar
WORDS = re.compile(
    r"(?P<alarm>NOT VERIFIED|not verified|REJECTED|CONTRADICTS)|(?P<open>\bundecided\b|not known)|"
    r"(?P<no>\bno \(proved\)|\bno: needs > [^()\n]*\(proved\))|(?P<yes>\byes \(witness\)|\bverified\b|\bVERIFIED\b)"
)
UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
COLOURS = {"alarm": "\033[1;31m", "open": "\033[1m", "no": "\033[33m", "yes": "\033[34m"}
PROVED, REJECTED, BAD_INPUT, UNDECIDED, INTERNAL = range(5)

EXIT_CODES = """exit codes:
  0  everything that was asked is proved and checked, whatever the verdict
  1  a certificate was rejected
  2  bad input
  3  undecided, not checked, or a limit was reached
  4  a bug of ours"""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command ends in: an exit code, text for people, and one object for scripts."""

    code: int
    text: str
    json: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Command:
    """Its name, one line of help, an example, its arguments, and what it does."""

    name: str
    summary: str
    example: str
    arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], Answer]


def add_limits(parser: argparse.ArgumentParser, seconds: float = SECONDS) -> None:
    """The options that say when to stop."""
    parser.add_argument(
        "--time-limit", type=float, default=seconds, metavar="S",
        help="seconds for the whole run, its proofs and their check included; what was proved by then is the answer "
        "(default %(default)g; starting, and compiling at the first use, come on top)",
    )  # fmt: skip
    parser.add_argument(
        "--memory-limit",
        type=float,
        metavar="GB",
        help="gigabytes that each process may use; what was proved by then is the answer (default: 85 %% of "
        "what there is)",
    )


def add_report(parser: argparse.ArgumentParser) -> None:
    """The option about the page that ends a run."""
    parser.add_argument(
        "--report", action=argparse.BooleanOptionalAction, default=None,
        help="also write report.html into the folder, as 'certify report' does, from certificates that the checker has "
        "just accepted; its time comes on top (default: unless it would take longer than the run, or than is left)",
    )  # fmt: skip


def reported(answer: Answer, folder: Path, arguments: argparse.Namespace) -> Answer:
    """The same, with a line about the page that ends a run; without one if none is wanted."""
    if arguments.report is False:
        return answer
    from certify.reports.closing import closing_line

    spent = time.monotonic() - arguments.began
    limit = float(getattr(arguments, "time_limit", math.inf))
    line = closing_line(folder, spent, limit - spent, bool(arguments.report), progress(arguments, arguments.began))
    return replace(answer, text=f"{answer.text}\n{line}")


def time_limit(arguments: argparse.Namespace) -> float:
    """The seconds of --time-limit, and from here on the memory of --memory-limit; refuses what is not positive."""
    if not arguments.time_limit > 0:
        raise InputError(f"--time-limit {arguments.time_limit:g} is not a positive number of seconds")
    if arguments.memory_limit is not None and not arguments.memory_limit > 0:
        raise InputError(f"--memory-limit {arguments.memory_limit:g} is not a positive number of gigabytes")
    allow(arguments.memory_limit)
    return float(arguments.time_limit)


def progress(arguments: argparse.Namespace, begun: float | None = None) -> Callable[[str], None]:
    """Progress on stderr with the time left, if there is a limit, which is counted from now or from when it has
    `begun`: on a terminal one line that overwrites itself, behind a bar of the time used, elsewhere few lines for each
    search; silent with --quiet.
    """
    terminal = sys.stderr.isatty()
    last, began = [-math.inf], time.monotonic() if begun is None else begun
    limit = float(getattr(arguments, "time_limit", getattr(arguments, "seconds", math.inf)))

    def tell(message: str) -> None:
        now = time.monotonic()
        counting = message.endswith(COUNTED) and now - last[0] < SELDOM and not terminal
        if arguments.quiet or counting:
            return
        last[0], used = now, now - began
        timed = used < limit < math.inf and not message.endswith(LEFT)
        told = printable(f"{message}, {limit - used:.0f}{LEFT}" if timed else message)
        sys.stderr.write(_line(told, used / limit) if terminal else f"{told}\n")
        sys.stderr.flush()

    return tell


def _line(told: str, share: float) -> str:
    """What overwrites the line before: a bar of the time used, and as much of the message as there is room for."""
    full = round(BAR * min(share, 1.0))
    bar = f"[{'#' * full}{'.' * (BAR - full)}] " if share > 0 else ""
    room = max(shutil.get_terminal_size().columns - len(bar) - 5, 20)
    return f"\r\033[K{bar}{told if len(told) <= room else told[: room - 3] + '...'} ..."


def clear_progress() -> None:
    """Remove a progress line from a terminal."""
    if sys.stderr.isatty():
        sys.stderr.write("\r\033[K")
        sys.stderr.flush()


def printable(text: str) -> str:
    """The same text, with what a terminal would obey or cannot print (names of files may have it) as escapes."""
    return UNSEEN.sub(lambda found: ascii(found[0])[1:-1], text)


def tell(answer: Answer, as_json: bool) -> None:
    """Print an answer: with --json one object and nothing else; on a terminal its verdicts are coloured."""
    print(json.dumps(answer.json) if as_json else coloured(printable(answer.text), sys.stdout.isatty()))


def coloured(text: str, terminal: bool) -> str:
    """The same text; on a terminal, and where NO_COLOR is not set, with words about verdicts in colours that the
    colour-blind tell apart (blue, orange, bold), the words being what says it.
    """
    if not terminal or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return text
    return WORDS.sub(lambda found: f"{COLOURS[found.lastgroup or '']}{found[0]}\033[0m", text)
