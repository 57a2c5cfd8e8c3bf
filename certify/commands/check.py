"""certify check PROBLEM CERTIFICATE: have a certificate judged by the stand-alone checker.

PROBLEM is a problem.toml or a system of equations in Minibex (which are translated anew: the translation must give the bytes that the
certificate names) or a problem.canonical. With --both a second, independent checker has to give the same answer.
"""

from __future__ import annotations

import argparse
import tempfile
from dataclasses import replace
from pathlib import Path

from certify.checking import check_files, check_files_twice
from certify.command import Answer, Command
from certify.problem_files import TRANSLATED, about_squares, problem_bytes, require_certificate, require_files, translated

AT_MIDDLES = "of the problem whose measurements are the middles of their intervals"


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("problem", type=Path, metavar="PROBLEM", help="problem.toml, a system of equations (.bch, .mbx), or problem.canonical")
    parser.add_argument("certificate", type=Path, metavar="CERTIFICATE", help="a .cert file")
    parser.add_argument("--seconds", type=int, default=600, help="time limit of the checker (default 600)")
    parser.add_argument("--both", action="store_true", help="ask a second checker too, which shares no code with the first (needs python-flint)")


def _run(arguments: argparse.Namespace) -> Answer:
    problem, certificate = arguments.problem, arguments.certificate
    require_files(problem, certificate)
    require_certificate(certificate)
    judge = check_files_twice if arguments.both else check_files
    if problem.suffix in TRANSLATED:
        with tempfile.TemporaryDirectory() as folder:
            canonical = Path(folder) / "problem.canonical"
            canonical.write_bytes(translated(problem, certificate.read_bytes()))
            check = judge(canonical, certificate, arguments.seconds)
        if check.verified and problem.suffix == ".toml" and about_squares(certificate.read_bytes()):
            check = replace(check, message=f"{check.message} ({AT_MIDDLES})")
    else:
        check = judge(problem, certificate, arguments.seconds)
    told = {"certificate": str(certificate), "verified": check.verified, "message": check.message, "seconds": round(check.seconds, 4)}
    words = _in_words(problem, certificate.read_bytes()) if check.verified else []
    return Answer(check.code, "\n".join([check.message, *words]), told | {"in_words": words})


def _in_words(problem: Path, certificate: bytes) -> list[str]:
    """The claim with its units, as `certify explain` tells it."""
    from certify.checker.outcome import Rejection, ResourceLimit
    from certify.explanation import AnotherProblem, explain
    from certify.explanation_text import claim

    try:
        return claim(explain(problem_bytes(problem, certificate), certificate))
    except (AnotherProblem, Rejection, ResourceLimit):
        return []


COMMAND = Command(
    "check",
    "have a certificate judged by the stand-alone checker, in a process of its own",
    "certify check demo/problem.toml demo/leg1.cert",
    _arguments,
    _run,
)
