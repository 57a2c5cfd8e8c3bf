"""certify check PROBLEM CERTIFICATE: have a certificate judged by the stand-alone checker.

PROBLEM is a problem.toml (which is translated anew: the translation must give the bytes that the certificate names) or a
problem.canonical.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from certify.checking import check_files
from certify.command import Answer, Command
from problems.errors import InputError

READABLE = (".toml", ".canonical")


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("problem", type=Path, metavar="PROBLEM", help="problem.toml or problem.canonical")
    parser.add_argument("certificate", type=Path, metavar="CERTIFICATE", help="a .cert file")
    parser.add_argument("--seconds", type=int, default=600, help="time limit of the checker (default 600)")


def _canonical(problem: Path) -> bytes:
    """The canonical bytes of a problem file."""
    from certify.calibration import box_centre
    from problems.canonical import canonical_bytes
    from problems.experiment import LEAST_SQUARES
    from problems.experiment_file import load_experiment

    experiment = load_experiment(problem)
    if experiment.centre == LEAST_SQUARES:
        raise InputError(
            f"{problem}: its box is centred on a fit that is made anew in every run, so no certificate can name it; "
            "check against the problem.toml that the run wrote beside the certificate"
        )
    return canonical_bytes(experiment.problem(box_centre(experiment, ())))


def _run(arguments: argparse.Namespace) -> Answer:
    problem, certificate = arguments.problem, arguments.certificate
    for path in (problem, certificate):
        if path.is_dir():
            raise InputError(f"{path} is a folder; name the file in it")
        if not path.is_file():
            raise InputError(f"there is no file {path}; give the problem and the certificate that a run wrote")
    if problem.suffix not in READABLE:
        swapped = "; did you swap the two files?" if certificate.suffix in READABLE else ""
        raise InputError(f"{problem} is no problem: a file ending in {' or '.join(READABLE)} is needed{swapped}")
    if problem.suffix == ".toml":
        with tempfile.TemporaryDirectory() as folder:
            canonical = Path(folder) / "problem.canonical"
            canonical.write_bytes(_canonical(problem))
            check = check_files(canonical, certificate, arguments.seconds)
    else:
        check = check_files(problem, certificate, arguments.seconds)
    told = {"certificate": str(certificate), "verified": check.verified, "message": check.message, "seconds": round(check.seconds, 4)}
    return Answer(check.code, check.message, told)


COMMAND = Command(
    "check",
    "have a certificate judged by the stand-alone checker, in a process of its own",
    "certify check demo/problem.toml demo/leg1.cert",
    _arguments,
    _run,
)
