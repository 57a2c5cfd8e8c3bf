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
from certify.command import REJECTED
from certify.decimals import round_down, round_up, show
from certify.folders import remove
from certify.part_search import Progress
from certify.set_certificate import Made, SetCertificates, certify_set
from certify.sets import SolvedSet
from problems.files import write_bytes

OUTER, INNER = "outer.canonical", "inner.canonical"
FILES = {"outer": (OUTER, "outer.cert"), "inner": (INNER, "inner.cert"), "point": (OUTER, "point.cert")}
SHORT = 9  # digits that people are told
WORDS = {1: "length", 2: "area"}


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

    @property
    def sentence(self) -> str:
        """For people."""
        word = WORDS.get(self.variables, "volume")
        low, high = self.volume
        ends = {
            "inner": f"{word} at least {show(round_down(low, SHORT)) if low else 0}",
            "outer": f"{word} at most {show(round_up(high, SHORT)) if high else 0}",
            "point": "not empty",
        }
        told = [end for name, end in ends.items() if name in self.checks and self.checks[name].verified]
        parts = [f"certificates verified by a separate process: {', '.join(told)} ({self._size()})"] if told else []
        parts += [f"{FILES[name][1]} not verified: {check.message}" for name, check in self.checks.items() if not check.verified]
        missing = {"outer": "an upper bound", "inner": "a lower bound"}
        reasons = {name: getattr(self.made, name).reason for name in missing if name not in self.checks}
        if len(reasons) == 2 and len(set(reasons.values())) == 1:
            return f"no certificate: {reasons['outer']}"
        return "; ".join([*parts, *(f"no certificate of {missing[name]} of its {word}: {reason}" for name, reason in reasons.items())])

    def _size(self) -> str:
        size = sum(len(getattr(self.made, name).certificate) for name in self.checks)
        seconds = sum(check.seconds for check in self.checks.values())
        return f"{size} bytes, made in {self.made.seconds:.2f} s, checked in {seconds:.2f} s"

    def code(self, otherwise: int) -> int:
        """The exit code: the run's own, unless the checker does not agree."""
        return REJECTED if any(check.code == REJECTED for check in self.checks.values()) else otherwise

    def as_json(self) -> dict[str, Any]:
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
        return told


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
