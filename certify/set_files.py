"""What a run on a system of inequalities writes about its certificates, and what the checker, a separate process, says
to them.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from certify.checking import Check, check_each
from certify.command import PROVED, REJECTED, UNDECIDED
from certify.decimals import round_down, round_up, show
from certify.part_search import Progress
from certify.reports.system_claims import set_coverage, set_standing, set_text
from certify.set_certificate import Made, SetCertificates, certify_set
from certify.sets import SolvedSet
from certify.system_files import CHECKING, LEAST
from problems.files import write_bytes
from solvers.limits import UNLIMITED, Limit

OUTER, INNER = "outer.canonical", "inner.canonical"
CHECKED_FIRST = ("point", "outer", "inner")  # the cheapest one first
FILES = {"outer": (OUTER, "outer.cert"), "inner": (INNER, "inner.cert"), "point": (OUTER, "point.cert")}


@dataclass(frozen=True)
class CertifiedSet:
    """The certificates that were made, and their checks by name."""

    made: SetCertificates
    checks: dict[str, Check]
    answer: SolvedSet

    @property
    def volume(self) -> tuple[Fraction, Fraction | None]:
        """Verified bounds of the volume; where there is no certificate, nothing and the whole domain, or None if that is infinite."""
        low = self._bound("inner", self.made.inner)
        high = self._bound("outer", self.made.outer)
        least = Fraction(0) if low is None or self.made.domain is None else max(self.made.domain - low, Fraction(0))
        return least, self.made.domain if high is None else high

    def _bound(self, name: str, made: Made) -> Fraction | None:
        return made.bound if self._is_verified(name) else None

    @property
    def files(self) -> list[str]:
        """What was written."""
        return list(dict.fromkeys(name for part in self.checks for name in FILES[part]))

    def text(self, answer: SolvedSet) -> str:
        """For people."""
        return set_text(answer, set_standing(self.made, self.checks, len(answer.system.variables), self.volume))

    @property
    def code(self) -> int:
        """The exit code: proved only if the checker has accepted whether there are solutions, and how large the set is at
        most and at least, where the search has found anything outside and inside.
        """
        if any(check.code == REJECTED for check in self.checks.values()):
            return REJECTED
        known = self._is_verified("point") or (self._is_verified("outer") and self.made.outer.bound == 0)
        bounded = all(self._is_verified(name) or getattr(self.made, name).nothing for name in ("outer", "inner"))
        return PROVED if self.answer.complete and known and bounded else UNDECIDED

    def _is_verified(self, name: str) -> bool:
        return name in self.checks and self.checks[name].verified

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
    answer: SolvedSet, folder: Path, seconds: float, progress: Progress | None = None, limit: Limit = UNLIMITED
) -> CertifiedSet:
    """Make certificates in so many seconds, write them with their problems, and have them checked in what is left of the
    limit of the run.
    """
    if answer.tree is None:
        raise ValueError("the paving was made without its tree; solve_set(..., record=True) keeps it")
    made = certify_set(answer.system, answer.tree, seconds, progress, limit)
    parts: dict[str, Made] = {name: getattr(made, name) for name in FILES if getattr(made, name).certificate}
    for name, part in parts.items():
        write_bytes(folder / FILES[name][0], part.canonical)
        write_bytes(folder / FILES[name][1], part.certificate)
    names = sorted(parts, key=CHECKED_FIRST.index)
    pairs = [(folder / FILES[name][0], folder / FILES[name][1]) for name in names]
    found = dict(zip(names, check_each(pairs, limit.after(CHECKING).at_least(LEAST)), strict=True))
    return CertifiedSet(made, {name: found[name] for name in FILES if name in found}, answer)
