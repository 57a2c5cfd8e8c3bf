"""certify compose SYSTEM FOLDER...: what pieces of proofs, from several runs or machines, say together, checked as one
claim.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from certify.command import Answer, Command, progress, time_limit
from certify.problems.errors import InputError

SECONDS = 3600.0


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("system", type=Path, metavar="SYSTEM", help="the system of equations (.bch, .mbx)")
    parser.add_argument(
        "folders", type=Path, nargs="+", metavar="FOLDER", help="folders that 'certify run --pieces' has written"
    )
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="where all pieces and the claim go")
    parser.add_argument(
        "--time-limit", type=float, default=SECONDS, metavar="S",
        help="seconds for the check of all pieces together (default %(default)g)",
    )  # fmt: skip
    parser.add_argument("--memory-limit", type=float, metavar="GB", help="gigabytes that each process may use")


def _run(arguments: argparse.Namespace) -> Answer:
    from certify.pieces.answer import AskedPieces, in_pieces

    if not arguments.system.is_file():
        raise InputError(f"there is no file {arguments.system}; give the system that the pieces are about")
    for folder in arguments.folders:
        if not folder.is_dir():
            raise InputError(f"there is no folder {folder}; give one that 'certify run --pieces --out' has written")
    asked = AskedPieces(
        arguments.out, time_limit(arguments), 1, True, tuple(arguments.folders), (0, 0), tell=progress(arguments)
    )
    answer = in_pieces(arguments.system, asked)
    told = answer.as_json()
    text = f"{answer.told.text}\nwritten to {arguments.out}: {', '.join(told['files'])}"
    return Answer(answer.exit_code, text, told)


COMMAND = Command(
    "compose",
    "put pieces of proofs together, from several runs or machines, and have them checked as one claim",
    "certify compose circle.bch east west --out circle",
    _arguments,
    _run,
)
