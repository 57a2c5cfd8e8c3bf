"""What a run on a system of equations writes about its certificate, and what the checker, a separate process, says to
it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from certify.checking import Check, check_files
from certify.command import REJECTED
from certify.folders import remove
from certify.part_search import Progress
from certify.solving import Solved
from certify.system_certificate import SystemCertificate, certify_system
from problems.files import write_bytes

PROBLEM, CERTIFICATE = "problem.canonical", "solutions.cert"


@dataclass(frozen=True, slots=True)
class Certified:
    """A certificate and its check, or the reason why there is none."""

    made: SystemCertificate
    check: Check | None

    @property
    def files(self) -> list[str]:
        """What was written."""
        return [] if self.check is None else [PROBLEM, CERTIFICATE]

    @property
    def sentence(self) -> str:
        """For people."""
        if self.check is None:
            return f"no certificate: {self.made.reason}"
        size = f"{len(self.made.certificate)} bytes, made in {self.made.seconds:.2f} s, checked in {self.check.seconds:.2f} s"
        verified = f"certificate verified by a separate process: {self.made.claim} ({size})"
        return verified if self.check.verified else f"certificate not verified: {self.check.message}"

    def code(self, otherwise: int) -> int:
        """The exit code: the run's own, unless the checker does not agree."""
        return REJECTED if self.check is not None and self.check.code == REJECTED else otherwise

    def as_json(self) -> dict[str, Any]:
        """For scripts."""
        told: dict[str, Any] = {"verified": self.check is not None and self.check.verified, "seconds": round(self.made.seconds, 4)}
        if self.check is None:
            return {**told, "reason": self.made.reason}
        checked = {"message": self.check.message, "check_seconds": round(self.check.seconds, 4)}
        return {**told, "claim": self.made.claim, "file": CERTIFICATE, "bytes": len(self.made.certificate), **checked}


def write_certificate(answer: Solved, folder: Path, seconds: float, progress: Progress | None = None, old: Iterable[Path] = ()) -> Certified:
    """Make a certificate in so many seconds, write it with its canonical problem in the place of `old` files, and have it checked."""
    made = certify_system(answer.system, answer.paving, seconds, progress)
    remove(old)
    if not made.certificate:
        return Certified(made, None)
    write_bytes(folder / PROBLEM, made.canonical)
    write_bytes(folder / CERTIFICATE, made.certificate)
    return Certified(made, check_files(folder / PROBLEM, folder / CERTIFICATE))
