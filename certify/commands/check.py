"""certify check PROBLEM CERTIFICATE: have a certificate judged by the stand-alone checker; certify check DIR: all that
are in the folder of a run.

PROBLEM is a problem.toml or a system of equations in Minibex (which are translated anew: the translation must give the
bytes that the certificate names) or a problem.canonical. With --both a second, independent checker has to give the same
answer, with --proved a third one, whose rules are proved in Coq.
"""

from __future__ import annotations

import argparse
import re
import tempfile
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from certify.checks.checking import Check, check_files, check_files_twice
from certify.checks.proved import also_proved, proved_check_files, proved_program
from certify.command import PROVED, REJECTED, Answer, Command, progress
from certify.explaining.problem_files import (
    TRANSLATED,
    about_squares,
    factor_beside,
    is_complement,
    names,
    names_any,
    problem_bytes,
    require_certificate,
    require_files,
    translated,
)
from certify.problems.errors import InputError
from certify.problems.files.disk import MAX_BYTES
from certify.problems.formulas.units import parse_decimal

TRANSLATES = "problem.toml and its tables, translated again, give problem.canonical, byte by byte."
WITHDRAWN = (
    "problem.toml and its tables, translated again, do not give problem.canonical: what is verified is not about them."
)
AT_MIDDLES = "of the problem whose measurements are the middles of their intervals"


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "problem",
        type=Path,
        metavar="PROBLEM",
        help="problem.toml, a system of equations (.bch, .mbx), or problem.canonical; or the folder of a run, all of "
        "whose certificates are judged",
    )
    parser.add_argument("certificate", type=Path, nargs="?", metavar="CERTIFICATE", help="a .cert file")
    parser.add_argument(
        "--factor",
        metavar="F",
        help="on all half-widths of a problem.toml (default: what the .canonical beside the certificate "
        "suggests, else 1)",
    )
    parser.add_argument(
        "--seconds", type=_seconds, default=600, metavar="S", help="time limit of the checker (default 600)"
    )
    parser.add_argument(
        "--both",
        action="store_true",
        help="ask a second checker too, which shares no code with the first (needs python-flint)",
    )
    parser.add_argument(
        "--proved",
        action="store_true",
        help="ask the checker too whose rules are proved in Coq (built by certify/checker_coq/build.sh)",
    )
    parser.add_argument(
        "--engine",
        choices=("codac", "pyibex"),
        help="have leaves and witness evaluated again by another interval library, too, and fail on a contradiction "
        "(`certify engines` says which are found)",
    )


def _seconds(text: str) -> int:
    if not re.fullmatch("[0-9]{1,9}", text):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number of seconds, 0 or more, of at most nine digits")
    return int(text)


def _factor(arguments: argparse.Namespace) -> Fraction:
    """That of --factor, or what the file beside the certificate suggests."""
    if arguments.factor is None:
        return factor_beside(arguments.problem, arguments.certificate)
    factor = parse_decimal(arguments.factor, "--factor")
    if factor < 0 or arguments.problem.suffix != ".toml":
        remedy = "give 0 or more" if factor < 0 else "give the problem.toml whose half-widths are multiplied"
        raise InputError(f"--factor {arguments.factor} on the half-widths of {arguments.problem}: {remedy}")
    return factor


def _judge(arguments: argparse.Namespace) -> Callable[[Path, Path, int], Check]:
    """The checkers that are asked, each in a process of its own."""
    asked = check_files_twice if arguments.both else check_files
    if not arguments.proved:
        return asked
    proved_program()
    return lambda canonical, certificate, seconds: also_proved(
        asked(canonical, certificate, seconds), proved_check_files(canonical, certificate, seconds)
    )


def _run(arguments: argparse.Namespace) -> Answer:
    problem, certificate = arguments.problem, arguments.certificate
    if certificate is None:
        return _folder(arguments)
    require_files(problem, certificate)
    require_certificate(certificate)
    factor = _factor(arguments)
    judge = _judge(arguments)
    if problem.suffix in TRANSLATED:
        with tempfile.TemporaryDirectory() as folder:
            canonical = Path(folder) / "problem.canonical"
            judged = translated(problem, certificate.read_bytes(), factor)
            canonical.write_bytes(judged)
            check = judge(canonical, certificate, arguments.seconds)
        if check.verified and problem.suffix == ".toml" and about_squares(certificate.read_bytes()):
            check = replace(check, message=f"{check.message} ({AT_MIDDLES})")
        elif check.verified and factor != 1:
            from certify.explaining.explanation_words import number_text

            check = replace(
                check, message=f"{check.message} (of the problem with all half-widths times {number_text(factor)})"
            )
    else:
        judged = problem.read_bytes()
        check = judge(problem, certificate, arguments.seconds)
    if check.code == REJECTED and (
        hint := _damage(certificate.read_bytes()) or _another_problem(problem, judged, certificate, factor)
    ):
        check = replace(check, message=f"{check.message}; {hint}")
    told = {
        "certificate": str(certificate),
        "verified": check.verified,
        "message": check.message,
        "seconds": round(check.seconds, 4),
    }
    words = _in_words(problem, certificate.read_bytes(), factor) if check.verified else []
    answer = Answer(check.code, "\n".join([check.message, *words]), told | {"in_words": words})
    return _with_engine(answer, judged, certificate.read_bytes(), arguments) if arguments.engine else answer


def _with_engine(answer: Answer, problem: bytes, certificate: bytes, arguments: argparse.Namespace) -> Answer:
    """With what another library says; its contradiction is a rejection."""
    if answer.code != PROVED:
        return answer
    from certify.claims.programs.engine_claims import told
    from certify.second_opinion.opinion import second_opinion

    said = second_opinion(problem, certificate, arguments.engine, arguments.seconds)
    opinion = {
        "engine": said.engine, "version": said.version, "confirmed": said.confirmed, "neither": said.neither,
        "not_asked": said.passed_over, "contradicted": list(said.contradicted),
    }  # fmt: skip
    code = REJECTED if said.contradicted else answer.code
    return Answer(code, f"{answer.text}\n{told(said)}", answer.json | {"second_opinion": opinion})


def _folder(arguments: argparse.Namespace) -> Answer:
    """All certificates of a folder, each by the problem that it names, and the problem files translated again."""
    if not arguments.problem.is_dir():
        raise InputError(f"no certificate was named to be judged by {arguments.problem}; give one, or a run's folder")
    if arguments.both or arguments.proved or arguments.engine or arguments.factor is not None:
        raise InputError(
            "--both, --proved, --engine and --factor are about one certificate; name its problem and it, not a folder"
        )
    from certify.reports.judging.run import check_run
    from certify.solvers.limits import Limit

    run = check_run(arguments.problem, Limit.of(arguments.seconds), progress(arguments))
    checks = [found.check for found in run.judged]
    lines = [f"{check.certificate}: {check.message}" for check in checks]
    lines.append(f"{sum(check.verified for check in checks)} of {len(checks)} certificates verified.")
    if run.experiment is not None:
        lines.append(WITHDRAWN if run.problem is None else TRANSLATES)
    told = {check.certificate: {"verified": check.verified, "message": check.message} for check in checks}
    same = None if run.experiment is None else run.problem is not None
    return Answer(run.exit_code, "\n".join(lines), {"certificates": told, "translated": same})


def _damage(text: bytes) -> str:
    """What has happened to a certificate on its way here, if it can be seen."""
    if b"\r\n" in text:
        return (
            "its lines end in CR LF, so the file was converted on its way (by git, a mail program or an "
            "editor): get it as it was written"
        )
    whole = text.endswith(b"\nend\n")
    return (
        ""
        if whole
        else "it does not end in 'end' and a line feed, so the file was cut short or added to: get it as it was written"
    )


def _another_problem(problem: Path, judged: bytes, certificate: Path, factor: Fraction) -> str:
    """Which canonical problem near by a certificate names, if it does not name the one it was judged by; empty if it
    does, or names none.
    """
    text = certificate.read_bytes()
    if names(text, judged) or not names_any(text):
        return ""
    for folder in dict.fromkeys((certificate.parent, problem.parent)):
        for path in sorted(folder.glob("*.canonical")):
            if path.is_file() and path.stat().st_size <= MAX_BYTES and names(text, path.read_bytes()):
                place = f"{path.name} in the same folder" if problem.parent == certificate.parent else str(path)
                wide = " with that --factor" if factor != 1 else ""
                changed = f", and {problem.name}{wide} is now another problem" if problem.suffix in TRANSLATED else ""
                return f"it is for {place}{changed}"
    if problem.suffix in (".bch", ".mbx"):
        return (
            "give the system that the certificate was made for, or the .canonical that was written beside "
            "the certificate"
        )
    return "give the problem.toml or the .canonical that was written beside the certificate"


def _in_words(problem: Path, certificate: bytes, factor: Fraction) -> list[str]:
    """The claim with its units, as `certify explain` tells it."""
    from certify.checker.outcome import Rejection, ResourceLimit
    from certify.explaining.explanation import AnotherProblem, explain
    from certify.explaining.explanation_text import claim

    try:
        canonical = problem_bytes(problem, certificate, factor)
        return claim(explain(canonical, certificate, is_complement(problem, canonical)))
    except (AnotherProblem, Rejection, ResourceLimit):
        return []


COMMAND = Command(
    "check",
    "have a certificate judged by the stand-alone checker, in a process of its own",
    "certify check demo/problem.toml demo/leg1.cert",
    _arguments,
    _run,
)
