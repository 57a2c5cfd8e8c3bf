"""What a command of the command line is: one file in `certify/commands` that offers a `COMMAND`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

PROVED, REJECTED, BAD_INPUT, UNDECIDED, INTERNAL = range(5)


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


def progress(arguments: argparse.Namespace) -> Callable[[str], None]:
    """Progress on stderr, one line that overwrites itself on a terminal; silent with --quiet."""
    terminal = sys.stderr.isatty()

    def tell(message: str) -> None:
        if not arguments.quiet:
            sys.stderr.write(f"\r\033[K{message} ..." if terminal else f"{message}\n")
            sys.stderr.flush()

    return tell


def clear_progress() -> None:
    """Remove a progress line from a terminal."""
    if sys.stderr.isatty():
        sys.stderr.write("\r\033[K")
        sys.stderr.flush()


def tell(answer: Answer, as_json: bool) -> None:
    """Print an answer: with --json one object and nothing else."""
    print(json.dumps(answer.json) if as_json else answer.text)
