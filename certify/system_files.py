"""What a run on a system of equations writes about its certificate, and what the checker, a separate process, says to
it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from certify.checking import Check, check_each
from certify.command import PROVED, REJECTED, UNDECIDED
from certify.part_search import Progress
from certify.reports.system_claims import certified_claim, coverage, solved_text
from certify.solving import Solved
from certify.system_certificate import Proves, SystemCertificate, certify_system
from problems.files import write_bytes
from solvers.limits import UNLIMITED, Limit

CHECKING = 10.0  # seconds for a check after an interruption
LEAST = 0.5  # seconds for a check though less is left: the checker takes a tenth of a second to start
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

    @property
    def counts(self) -> bool:
        """Whether the checker has accepted that there are exactly so many solutions."""
        return self.proves is not None and self.proves.solutions is not None

    @property
    def code(self) -> int:
        """The exit code: proved only by a certificate of all solutions that the checker has accepted."""
        if self.check is not None and self.check.code == REJECTED:
            return REJECTED
        return PROVED if self.counts else UNDECIDED

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
            told |= {} if self.check.verified else {"reason": self.check.message}
        return {"coverage": coverage(answer, self.proves), **answer.as_json(), "certificate": told}


def write_certificate(
    answer: Solved, folder: Path, seconds: float, progress: Progress | None = None, limit: Limit = UNLIMITED
) -> Certified:
    """Make a certificate in so many seconds, write it with its canonical problem, and have it checked in what is left of
    the limit of the run.
    """
    made = certify_system(answer.system, answer.paving, seconds, progress, limit)
    if not made.certificate:
        return Certified(made, None)
    write_bytes(folder / PROBLEM, made.canonical)
    write_bytes(folder / CERTIFICATE, made.certificate)
    (check,) = check_each([(folder / PROBLEM, folder / CERTIFICATE)], limit.after(CHECKING).at_least(LEAST))
    return Certified(made, check)
