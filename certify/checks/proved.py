"""The third checker, whose rules are proved in Coq: an optional program that `certify/checker_coq/build.sh` builds.

It knows fewer rules than the others. What it has no proof for it refuses: then it has come to no answer.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from pathlib import Path
from typing import Self

from certify.checks.checking import REJECTED, RESOURCE, VERIFIED, Check
from certify.problems.errors import InputError

FOLDER = Path(__file__).parents[1] / "checker_coq"
PROGRAM = FOLDER / "build" / "verify"
PLACE = "CERTIFY_PROVED_CHECKER"  # an environment variable: where the program is, if this package is not the clone
PACKAGES = "coq libcoq-interval ocaml-nox ocaml-findlib libzarith-ocaml-dev"
REFUSED = 5  # its exit code for what it has no proof for
LIMITS = 'ulimit -v 4194304 2>/dev/null; ulimit -s "$(ulimit -H -s)"; exec "$0" "$@"'  # 4 GiB; long files: much stack


def proved_program() -> Path:
    """Where it is; raises InputError, which says how it is built."""
    program = Path(os.environ.get(PLACE) or PROGRAM).absolute()
    if not program.is_file():
        raise InputError(
            f"the proved checker is not built here: {program} is missing. In a clone, with Debian's packages "
            f"{PACKAGES}, 'sh certify/checker_coq/build.sh' builds it and says where it is; all else works without it"
        )
    return program


def proved_check_files(canonical: Path, certificate: Path, seconds: int = 600) -> Check:
    """What it says of two files."""
    shell, began = shutil.which("sh"), time.perf_counter()
    if shell is None:
        raise InputError("the proved checker needs a shell 'sh', which is not found here")
    command = [shell, "-c", LIMITS, str(proved_program()), str(canonical), str(certificate)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=seconds)
    except subprocess.TimeoutExpired:
        told = f"RESOURCE the proved checker did not end by its deadline of {seconds} seconds and was stopped"
        return Check(certificate.name, RESOURCE, told, time.perf_counter() - began)
    lines = (done.stdout.strip() or done.stderr.strip()).splitlines()
    code = done.returncode if done.returncode in (VERIFIED, REJECTED) else RESOURCE
    return Check(certificate.name, code, lines[-1] if lines else "no answer", time.perf_counter() - began)


class ProvedJudge:
    """The program at work on many pairs of texts, in one process."""

    def __init__(self) -> None:
        command, pipe = ["sh", "-c", LIMITS, str(proved_program()), "-"], subprocess.PIPE
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def judge(self, problem: bytes, certificate: bytes) -> tuple[int, str]:
        """Its exit code and its line."""
        asked, told = self._process.stdin, self._process.stdout
        if asked is None or told is None:
            raise RuntimeError("a checker without pipes")
        asked.write(b"%d %d\n" % (len(problem), len(certificate)) + problem + certificate)
        asked.flush()
        code, _, message = told.readline().decode().rstrip("\n").partition(" ")
        return int(code), message


def also_proved(first: Check, proved: Check) -> Check:
    """What the others and the proved checker say together: verified only if all are; nothing is known if one came to
    no answer; else rejected.
    """
    seconds = first.seconds + proved.seconds
    if first.code == proved.code == VERIFIED:
        return Check(first.certificate, VERIFIED, f"{first.message} (the proved checker agrees)", seconds)
    if first.code == proved.code:
        told = f"{first.message} (the proved checker says {proved.message!r})"
        return Check(first.certificate, first.code, told, seconds)
    both = f"the proved checker says {proved.message!r}; without it: {first.message!r}"
    if RESOURCE in (first.code, proved.code):
        return Check(first.certificate, RESOURCE, f"RESOURCE one checker came to no answer: {both}", seconds)
    return Check(first.certificate, REJECTED, f"REJECTED the checkers disagree: {both}", seconds)
