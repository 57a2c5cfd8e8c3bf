"""Scripts for shells, which complete commands, options and what an option may be; else names of files.

source <(certify completion bash)
certify completion zsh > "${fpath[1]}/_certify"
certify completion fish > ~/.config/fish/completions/certify.fish
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

SHELLS = ("bash", "zsh", "fish")


@dataclass(frozen=True, slots=True)
class Completed:
    """A command, what it does, and its options, each with what it may be."""

    name: str
    summary: str
    options: Mapping[str, tuple[str, ...]]


def completion(shell: str, commands: Sequence[Completed]) -> str:
    """The script of one of SHELLS."""
    return {"bash": _bash, "zsh": _zsh, "fish": _fish}[shell](commands)


def _bash(commands: Sequence[Completed]) -> str:
    names = " ".join(command.name for command in commands)
    choices = [
        f'    {command.name}:{option}) words="{" ".join(values)}" ;;'
        for command in commands
        for option, values in command.options.items()
        if values
    ]
    options = [f'    {command.name}) words="{" ".join(command.options)}" ;;' for command in commands]
    return "\n".join(
        [
            "_certify() {",
            '  local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" words=""',
            '  local command="${COMP_WORDS[1]}"',
            "  COMPREPLY=()",
            "  if [ $COMP_CWORD -eq 1 ]; then",
            f'    COMPREPLY=($(compgen -W "{names} --help --version" -- "$word")); return',
            "  fi",
            '  case "$command:$before" in',
            *choices,
            "  esac",
            '  if [ -z "$words" ] && [[ "$word" == -* ]]; then case "$command" in',
            *options,
            "  esac; fi",
            '  if [ -n "$words" ]; then COMPREPLY=($(compgen -W "$words" -- "$word"))',
            '  else COMPREPLY=($(compgen -f -- "$word")); fi',
            "}",
            "complete -o filenames -F _certify certify",
        ]
    )


def _zsh(commands: Sequence[Completed]) -> str:
    told = [shlex.quote(f"{command.name}:{command.summary}") for command in commands]
    cases = []
    for command in commands:
        options = [
            shlex.quote(f"{name}[]{f':value:({chr(32).join(values)})' if values else ''}")
            for name, values in command.options.items()
        ]
        cases.append(f"    {command.name}) _arguments {' '.join(options)} '*:file:_files' ;;")
    return "\n".join(
        [
            "#compdef certify",
            "_certify() {",
            f"  local -a commands; commands=({' '.join(told)})",
            "  if (( CURRENT == 2 )); then _describe command commands; return; fi",
            '  local command="${words[2]}"; shift words; (( CURRENT-- ))',
            '  case "$command" in',
            *cases,
            "  esac",
            "}",
            '_certify "$@"',
        ]
    )


def _fish(commands: Sequence[Completed]) -> str:
    lines = [
        f"complete -c certify -n __fish_use_subcommand -f -a {command.name} -d {shlex.quote(command.summary)}"
        for command in commands
    ]
    for command in commands:
        for name, values in command.options.items():
            more = f" -x -a {shlex.quote(' '.join(values))}" if values else ""
            when = f"-n '__fish_seen_subcommand_from {command.name}'"
            lines.append(f"complete -c certify {when} -l {name.removeprefix('--')}{more}")
    return "\n".join(lines)
