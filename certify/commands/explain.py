"""certify explain CERTIFICATE: what a certificate claims, from what, and how its proof goes, in plain sentences.
Explaining is not checking.
"""

from __future__ import annotations

import argparse
import shlex
from fractions import Fraction
from pathlib import Path

from certify.checks.proved import ProvedJudge
from certify.command import PROVED, REJECTED, UNDECIDED, Answer, Command
from certify.explaining.problem_files import (
    factor_beside,
    is_complement,
    names,
    problem_bytes,
    require_certificate,
    require_file,
    require_files,
    widened,
)
from certify.problems.errors import InputError
from certify.problems.files.disk import MAX_BYTES

CANONICAL, PROBLEM = "problem.canonical", "problem.toml"
TRANSLATIONS = (CANONICAL, "least-squares.canonical")  # of the problem.toml that a run writes
OF_POSES = "row k of a leg is the k-th pose of the table"


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("certificate", type=Path, metavar="CERTIFICATE", help="a .cert file")
    parser.add_argument(
        "--problem",
        type=Path,
        metavar="PROBLEM",
        help="its problem.toml or problem.canonical (default: the one in its folder)",
    )
    parser.add_argument(
        "--proved",
        action="store_true",
        help="have the checker judge it that is proved in Coq, and name it among what may be trusted if it accepts it",
    )


def _beside(certificate: Path) -> Path:
    """The canonical problem beside the certificate that it names; the problem of the run if there is none."""
    text, run = certificate.read_bytes(), certificate.parent / CANONICAL
    likely = (certificate.with_suffix(".canonical"), run)
    for path in dict.fromkeys((*likely, *sorted(certificate.parent.glob("*.canonical")))):
        if path.is_file() and path.stat().st_size <= MAX_BYTES and names(text, path.read_bytes()):
            return path
    return run


def _wider(problem: Path, canonical: bytes, factor: Fraction) -> tuple[Fraction, str]:
    """By how much half-widths are multiplied, and of which file: of the problem that was translated, or of the problem
    of the run beside it.
    """
    if factor != 1:
        return factor, problem.name
    run = problem.parent / CANONICAL
    found = (
        widened(run.read_bytes(), canonical)
        if problem.suffix == ".canonical" and run.is_file() and run != problem
        else None
    )
    return Fraction(1) if found is None else found, run.name


def _shown(path: Path) -> str:
    """A path as it is, unless its name would write lines of its own."""
    return str(path) if str(path).isprintable() else ascii(str(path))


def _conventions(path: Path) -> tuple[str, ...]:
    """What a problem.toml, or the kind of robot that it names, says about its model; nothing if there is no such file
    or kind.
    """
    from certify.problems.experiments.toml_reader import read_kind

    try:
        kind = read_kind(path)
        return (*kind.conventions, *([] if kind.pose_unknowns else [OF_POSES]))
    except InputError:
        return ()


def _run(arguments: argparse.Namespace) -> Answer:
    from certify.checker.outcome import Rejection, ResourceLimit
    from certify.explaining.explanation import AnotherProblem, explain
    from certify.explaining.explanation_json import as_json
    from certify.explaining.explanation_text import text
    from certify.explaining.explanation_words import Files

    certificate: Path = arguments.certificate
    require_file(certificate)
    beside = _beside(certificate)
    if arguments.problem is None and not beside.is_file():
        raise InputError(f"there is no {CANONICAL} beside {certificate}; name its problem with --problem")
    problem: Path = arguments.problem or beside
    require_files(problem, certificate)
    require_certificate(certificate)
    try:
        factor = factor_beside(problem, certificate)
        canonical = problem_bytes(problem, certificate.read_bytes(), factor)
        explanation = explain(canonical, certificate.read_bytes(), is_complement(problem, canonical))
    except (AnotherProblem, Rejection, ResourceLimit) as failure:
        where = f" at {failure.where}" if isinstance(failure, Rejection) and failure.where else ""
        message = f"{_shown(certificate)} cannot be explained, it is refused{where}: {failure}"
        told = {
            "certificate": str(certificate),
            "problem": {"file": str(problem)},
            "checked": False,
            "message": message,
        }
        return Answer(UNDECIDED if isinstance(failure, ResourceLimit) else REJECTED, message, told)
    message = _not_proved(canonical, certificate.read_bytes()) if arguments.proved else "not asked"
    translation = certificate.parent / PROBLEM
    translated = arguments.problem is None and problem.name in TRANSLATIONS and translation.is_file()
    to_check = translation if translated else problem
    files = Files(
        _shown(certificate),
        _shown(problem),
        "The file beside it," if arguments.problem is None else "The file given,",
        _conventions(to_check) if to_check.suffix == ".toml" else (),
        f"certify check {shlex.quote(str(to_check))} {shlex.quote(str(certificate))}",
        *_wider(problem, canonical, factor),
        proved=not message,
    )
    told = as_json(explanation, files)
    if arguments.proved:
        told["proved checker"] = message or "VERIFIED"
    refused = f"\n\nThe checker that is proved in Coq says: {message}" if arguments.proved and message else ""
    return Answer(PROVED, text(explanation, files) + refused, told)


def _not_proved(canonical: bytes, certificate: bytes) -> str:
    """What the proved checker says if it does not accept the certificate."""
    with ProvedJudge() as proved:
        code, message = proved.judge(canonical, certificate)
    return message if code else ""


COMMAND = Command(
    "explain",
    "tell in plain sentences what a certificate claims, from what, and how its proof goes (explaining is not checking)",
    "certify explain demo/leg1.cert",
    _arguments,
    _run,
)
