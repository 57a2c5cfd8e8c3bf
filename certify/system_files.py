"""What a run on a system of equations writes about its certificate, and what the checker, a separate process, says to
it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from certify.checking import Check, check_files
from certify.command import REJECTED, UNDECIDED
from certify.folders import remove
from certify.part_search import Progress
from certify.reports.system_claims import certified_claim, coverage, solved_text
from certify.solving import Solved
from certify.system_certificate import Proves, SystemCertificate, certify_system
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
    def proves(self) -> Proves | None:
        """What the checker has accepted."""
        return self.made.proves if self.check is not None and self.check.verified else None

    def code(self, otherwise: int) -> int:
        """The exit code: the run's own, if the checker has accepted a certificate."""
        if self.check is not None and self.check.code == REJECTED:
            return REJECTED
        return UNDECIDED if self.proves is None else otherwise

    def text(self, answer: Solved) -> str:
        """For people."""
        return solved_text(answer, self.made, self.check)

    def as_json(self, answer: Solved) -> dict[str, Any]:
        """For scripts."""
        told: dict[str, Any] = {"verified": self.proves is not None, "seconds": round(self.made.seconds, 4)}
        if self.check is None or self.made.proves is None:
            told["reason"] = self.made.reason
        else:
            told |= {"claim": certified_claim(self.made.proves), "file": CERTIFICATE, "bytes": len(self.made.certificate)}
            told |= {"message": self.check.message, "check_seconds": round(self.check.seconds, 4)}
        return {"coverage": coverage(answer, self.proves), **answer.as_json(), "certificate": told}


def write_certificate(answer: Solved, folder: Path, seconds: float, progress: Progress | None = None, old: Iterable[Path] = ()) -> Certified:
    """Make a certificate in so many seconds, write it with its canonical problem in the place of `old` files, and have it checked."""
    made = certify_system(answer.system, answer.paving, seconds, progress)
    remove(old)
    if not made.certificate:
        return Certified(made, None)
    write_bytes(folder / PROBLEM, made.canonical)
    write_bytes(folder / CERTIFICATE, made.certificate)
    return Certified(made, check_files(folder / PROBLEM, folder / CERTIFICATE))
