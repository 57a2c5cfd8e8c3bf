"""certify check PROBLEM CERTIFICATE: have a certificate judged by the stand-alone checker.

PROBLEM is a problem.toml or a system of equations in Minibex (which are translated anew: the translation must give the bytes that the
certificate names) or a problem.canonical. With --both a second, independent checker has to give the same answer.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from certify.checking import check_files, check_files_twice
from certify.command import Answer, Command
from certify.problem_files import TRANSLATED, require_files, translated


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("problem", type=Path, metavar="PROBLEM", help="problem.toml, a system of equations (.bch, .mbx), or problem.canonical")
    parser.add_argument("certificate", type=Path, metavar="CERTIFICATE", help="a .cert file")
    parser.add_argument("--seconds", type=int, default=600, help="time limit of the checker (default 600)")
    parser.add_argument("--both", action="store_true", help="ask a second checker too, which shares no code with the first (needs python-flint)")


def _run(arguments: argparse.Namespace) -> Answer:
    problem, certificate = arguments.problem, arguments.certificate
    require_files(problem, certificate)
    judge = check_files_twice if arguments.both else check_files
    if problem.suffix in TRANSLATED:
        with tempfile.TemporaryDirectory() as folder:
            canonical = Path(folder) / "problem.canonical"
            canonical.write_bytes(translated(problem, certificate.read_bytes()))
            check = judge(canonical, certificate, arguments.seconds)
    else:
        check = judge(problem, certificate, arguments.seconds)
    told = {"certificate": str(certificate), "verified": check.verified, "message": check.message, "seconds": round(check.seconds, 4)}
    return Answer(check.code, check.message, told)


COMMAND = Command(
    "check",
    "have a certificate judged by the stand-alone checker, in a process of its own",
    "certify check demo/problem.toml demo/leg1.cert",
    _arguments,
    _run,
)
