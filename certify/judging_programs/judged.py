"""The answer about a convex program, and about a point that a solver returned for it."""

from __future__ import annotations

import tempfile
from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from certify.checks.checking import check_each
from certify.claims.programs.program_claims import sentences
from certify.problems.files.disk import write_bytes
from certify.problems.programs.exact_sums import Floats
from certify.problems.programs.program import Program
from certify.problems.regressors.regressor import Regressor
from certify.records.program_records import CertifiedEnd, JudgedPoint, ProgramFacts, ProgramVerdict
from certify.solvers.limits import Limit
from certify.text.shown import Shown


@dataclass(frozen=True, eq=False)
class Document:
    """A certificate with the table that it is about, and the end that it proves."""

    name: str
    end: float
    table: Regressor
    text: bytes
    slack: float = 0.0


@dataclass(frozen=True, eq=False, repr=False)
class Judged(Shown):
    """Verdict, ends of the minimum, ends of the smallest uniform relaxation that makes it feasible (its margin), the
    slope of an unbounded direction, and why not more is known. `branched`: the program is not convex, and its lower end
    rests on a certificate of branch and bound, which the checker has accepted.
    """

    program: Program
    verdict: ProgramVerdict
    lower: float
    upper: float
    margin: tuple[float, float] | None
    slope: float | None
    point: Floats | None
    answer: JudgedPoint | None
    documents: tuple[Document, ...]
    why: tuple[str, ...]
    solver: str = ""
    maximised: bool = False
    accepted: frozenset[str] | None = None
    branched: bool = False

    def __bool__(self) -> bool:
        raise TypeError("an answer has no truth value; look at its verdict, or at its ends")

    def __str__(self) -> str:
        return "\n".join(sentences(self.facts))

    @property
    def facts(self) -> ProgramFacts:
        """What is told of it."""
        certified = tuple(CertifiedEnd(one.name, one.end, one.slack) for one in self.documents)
        return ProgramFacts(
            self.verdict, self.lower, self.upper, self.margin, self.slope, self.answer, self.why, certified,
            self.accepted is not None, self.solver, self.maximised, self.branched,
        )  # fmt: skip

    @property
    def width(self) -> float:
        """Of the ends of the minimum, relative to its size, at least 1."""
        if self.verdict is not ProgramVerdict.OPTIMAL:
            return float("inf")
        return (self.upper - self.lower) / max(1.0, min(abs(self.lower), abs(self.upper)))

    def standing(self, accepted: Collection[str]) -> Judged:
        """With the names of certificates that the checker has accepted; the others are withdrawn. What this process
        has confirmed by itself stays what it is.
        """
        kept = tuple(one for one in self.documents if one.name in accepted)
        return replace(self, documents=kept, accepted=frozenset(one.name for one in kept))

    def save(self, folder: Path | str) -> list[tuple[Path, Path]]:
        """Write the tables and certificates to a folder; (problem, certificate) each."""
        place = Path(folder)
        place.mkdir(parents=True, exist_ok=True)
        written = []
        for one in self.documents:
            canonical, certificate = place / f"{one.name}.canonical", place / f"{one.name}.cert"
            canonical.unlink(missing_ok=True)
            one.table.write(canonical)
            write_bytes(certificate, one.text)
            written.append((canonical, certificate))
        return written

    def checked(self) -> Judged:
        """After the checker, in processes of its own, has judged the certificates."""
        with tempfile.TemporaryDirectory() as folder:
            checks = check_each(self.save(folder), Limit())
        return self.standing({check.certificate.removesuffix(".cert") for check in checks if check.verified})

    def as_json(self) -> dict[str, Any]:
        """For scripts."""
        answer = self.answer
        return {
            "verdict": self.verdict.value,
            "minimum": [_finite(self.lower), _finite(self.upper)],
            "margin": None if self.margin is None else [_finite(end) for end in self.margin],
            "slope": self.slope,
            "solver": self.solver,
            "answer": None
            if answer is None
            else {"violation": list(answer.violation), "value": list(answer.value), "said": answer.said},
            "certificates": {one.name: one.end for one in self.documents},
            "checked": self.accepted is not None,
            "why": list(self.why),
        }


def _finite(value: float) -> float | None:
    return value if abs(value) < float("inf") else None
