"""What a run on a system of inequalities writes about its certificates, and what the checker, a separate process, says
to them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from certify.checking import Check, check_files
from certify.command import REJECTED, UNDECIDED
from certify.decimals import round_down, round_up, show
from certify.folders import remove
from certify.part_search import Progress
from certify.reports.system_claims import set_coverage, set_standing, set_text
from certify.set_certificate import Made, SetCertificates, certify_set
from certify.sets import SolvedSet
from problems.files import write_bytes

OUTER, INNER = "outer.canonical", "inner.canonical"
FILES = {"outer": (OUTER, "outer.cert"), "inner": (INNER, "inner.cert"), "point": (OUTER, "point.cert")}


@dataclass(frozen=True)
class CertifiedSet:
    """The certificates that were made, and their checks by name."""

    made: SetCertificates
    checks: dict[str, Check]
    variables: int

    @property
    def volume(self) -> tuple[Fraction, Fraction | None]:
        """Verified bounds of the volume; where there is no certificate, nothing and the whole domain, or None if that is infinite."""
        low = self._bound("inner", self.made.inner)
        high = self._bound("outer", self.made.outer)
        least = Fraction(0) if low is None or self.made.domain is None else max(self.made.domain - low, Fraction(0))
        return least, self.made.domain if high is None else high

    def _bound(self, name: str, made: Made) -> Fraction | None:
        return made.bound if name in self.checks and self.checks[name].verified else None

    @property
    def files(self) -> list[str]:
        """What was written."""
        return list(dict.fromkeys(name for part in self.checks for name in FILES[part]))

    def text(self, answer: SolvedSet) -> str:
        """For people."""
        return set_text(answer, set_standing(self.made, self.checks, self.variables, self.volume))

    def code(self, otherwise: int) -> int:
        """The exit code: the run's own, if the checker has accepted all certificates and there are any."""
        if any(check.code == REJECTED for check in self.checks.values()):
            return REJECTED
        return otherwise if self.checks and all(check.verified for check in self.checks.values()) else UNDECIDED

    def as_json(self, answer: SolvedSet) -> dict[str, Any]:
        """For scripts; the verified bounds are decimals, rounded outwards."""
        low, high = self.volume
        told: dict[str, Any] = {
            "verified": bool(self.checks) and all(check.verified for check in self.checks.values()),
            "volume": [show(round_down(low)) if low else "0", None if high is None else show(round_up(high)) if high else "0"],
            "seconds": round(self.made.seconds, 4),
        }
        for name, (_, file) in FILES.items():
            check, made = self.checks.get(name), getattr(self.made, name)
            if check is None:
                told[name] = {"verified": False, "reason": made.reason}
                continue
            checked = {"message": check.message, "check_seconds": round(check.seconds, 4)}
            told[name] = {"verified": check.verified, "file": file, "bytes": len(made.certificate), "parts": made.parts, **checked}
        return {"coverage": set_coverage(answer.paving), **answer.as_json(), "certificate": told}


def write_set_certificates(
    answer: SolvedSet, folder: Path, seconds: float, progress: Progress | None = None, old: Iterable[Path] = ()
) -> CertifiedSet:
    """Make certificates in so many seconds, write them with their problems in the place of `old` files, and have them checked."""
    if answer.tree is None:
        raise ValueError("the paving was made without its tree; solve_set(..., record=True) keeps it")
    made = certify_set(answer.system, answer.tree, seconds, progress)
    parts: dict[str, Made] = {name: getattr(made, name) for name in FILES}
    remove(old)
    checks: dict[str, Check] = {}
    for name, (problem, certificate) in FILES.items():
        if parts[name].certificate:
            write_bytes(folder / problem, parts[name].canonical)
            write_bytes(folder / certificate, parts[name].certificate)
            checks[name] = check_files(folder / problem, folder / certificate)
    return CertifiedSet(made, checks, len(answer.system.variables))
