"""certify completion SHELL: the script with which bash, zsh or fish completes commands and options of certify."""

from __future__ import annotations

import argparse

from certify.command import PROVED, Answer, Command
from certify.text.completion import SHELLS, Completed, completion


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=SHELLS, metavar="SHELL", help=f"one of {', '.join(SHELLS)}")


def _run(arguments: argparse.Namespace) -> Answer:
    commands = [Completed(found.name, found.summary, _options(found)) for found in arguments.commands()]
    text = completion(arguments.shell, commands)
    return Answer(PROVED, text, {"shell": arguments.shell, "script": text})


def _options(command: Command) -> dict[str, tuple[str, ...]]:
    """The options of a command, each with what it may be, if that is one of a few."""
    parser = argparse.ArgumentParser(add_help=False)
    command.arguments(parser)
    found = {
        name: tuple(map(str, action.choices or ()))
        for action in parser._actions
        for name in action.option_strings
        if name.startswith("--")
    }
    return {**found, "--json": (), "--quiet": (), "--help": ()}


COMMAND = Command(
    "completion",
    "print the script with which a shell completes commands and options: bash, zsh or fish",
    "certify completion bash > certify.bash",
    _arguments,
    _run,
)
