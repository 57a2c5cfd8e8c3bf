"""The set of a system of inequalities: what the engine has found, certificates of its size and of a point of it, and
what the checker, a separate process, says to them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from certify.checks.checking import Check
from certify.claims.system_claims import NOT_ASKED, set_coverage, set_premise, set_standing, set_text
from certify.command import PROVED, REJECTED, UNDECIDED
from certify.parts.workers import for_each
from certify.pictures.paving_drawing import drawing
from certify.pictures.paving_picture import Drawing
from certify.problems.systems.system import System
from certify.proofs.set_certificate import Made, SetCertificates, certify_set
from certify.questions.set_paving import SolvedSet
from certify.records.options import Progress
from certify.solvers.graph.own import OwnContractors
from certify.solvers.limits import UNLIMITED, Limit, Stopped
from certify.systems.system_record import Document, NamedBox, Record, each_box, named_boxes
from certify.text.decimals import round_down, round_up, show

OUTER, INNER = "outer.canonical", "inner.canonical"
PROBLEMS = {"point": OUTER, "outer": OUTER, "inner": INNER}  # the cheapest to check first
NAMES = ("outer", "inner", "point")


@dataclass(frozen=True, repr=False)
class SetAnswer(Record):
    """What is known of the set of all points of a domain at which inequalities hold.

    `found` is the engine's paving, `made` the certificates (None where none were asked for). Every point of `inner`
    boxes belongs to the set, and every point of the set lies in one of `inner`, `undecided` and `unexplored`: the
    engine says so. The checker accepts bounds of the `volume`.
    """

    found: SolvedSet
    made: SetCertificates | None = None

    @property
    def system(self) -> System:
        """What was solved."""
        return self.found.system

    @property
    def stopped(self) -> Stopped:
        """Why the search ended; never what is proved."""
        return self.found.stopped

    @property
    def volume(self) -> tuple[Fraction, Fraction | None]:
        """Verified bounds of the volume; where there is no certificate, nothing and the whole domain, or None if that
        is infinite or not known.
        """
        if self.made is None:
            return Fraction(0), None
        low = self._bound("inner", self.made.inner)
        high = self._bound("outer", self.made.outer)
        least = Fraction(0) if low is None or self.made.domain is None else max(self.made.domain - low, Fraction(0))
        return least, self.made.domain if high is None else high

    def _bound(self, name: str, made: Made) -> Fraction | None:
        return made.bound if self.is_verified(name) else None

    @property
    def inner(self) -> tuple[NamedBox, ...]:
        """Boxes inside the set, by the names of the variables."""
        return named_boxes(self.system, each_box(self.found.paving.inner))

    @property
    def undecided(self) -> tuple[NamedBox, ...]:
        """Boxes on the boundary, which may hold points of the set, or none."""
        return named_boxes(self.system, each_box(self.found.paving.boundary))

    @property
    def unexplored(self) -> tuple[NamedBox, ...]:
        """Boxes that a limit left unexplored."""
        return named_boxes(self.system, each_box(self.found.paving.unexplored))

    @property
    def documents(self) -> tuple[Document, ...]:
        """The certificates that were made, the cheapest to check first."""
        found = (
            ()
            if self.made is None
            else ((name, problem, getattr(self.made, name)) for name, problem in PROBLEMS.items())
        )
        return tuple(
            Document(name, problem, made.canonical, made.certificate)
            for name, problem, made in found
            if made.certificate
        )

    @property
    def coverage(self) -> str:
        """What the engine has found, in a sentence."""
        return set_coverage(self.found)

    @property
    def text(self) -> str:
        """The answer for people."""
        if self.made is None:
            return set_text(self.found)
        return set_text(
            self.found, set_standing(self.made, self._told_checks(), len(self.system.variables), self.volume)
        )

    def _told_checks(self) -> dict[str, Check]:
        return {name: self.checks[name] for name in NAMES if name in self.checks}

    @property
    def drawing(self) -> Drawing:
        """What a picture of it shows."""
        return drawing(self.found, set_premise(self.found))

    @property
    def exit_code(self) -> int:
        """That of `certify run`: proved only if the checker has accepted whether there are solutions, and how large
        the set is at most and at least, where the search has found anything outside and inside.
        """
        if any(check.code == REJECTED for check in self.checks.values()):
            return REJECTED
        made = self.made
        if made is None or not self.found.complete:
            return UNDECIDED
        known = self.is_verified("point") or (self.is_verified("outer") and made.outer.bound == 0)
        bounded = all(self.is_verified(name) or getattr(made, name).nothing for name in ("outer", "inner"))
        return PROVED if known and bounded else UNDECIDED

    def as_json(self) -> dict[str, Any]:
        """Plain numbers for scripts."""
        return {"coverage": self.coverage, **self.found.as_json(), "certificate": self._told()}

    def _told(self) -> dict[str, Any]:
        """What became of the certificates; the verified bounds are decimals, rounded outwards."""
        if self.made is None:
            return {"verified": False, "reason": NOT_ASKED}
        low, high = self.volume
        told: dict[str, Any] = {
            "verified": self.verified,
            "volume": [
                show(round_down(low)) if low else "0",
                None if high is None else show(round_up(high)) if high else "0",
            ],
            "seconds": round(self.made.seconds, 4),
        }
        for name in NAMES:
            check, made = self.checks.get(name), getattr(self.made, name)
            if check is None:
                told[name] = {"verified": False, "reason": made.reason}
                continue
            checked = {"message": check.message, "check_seconds": round(check.seconds, 4)}
            told[name] = {
                "verified": check.verified,
                "file": f"{name}.cert",
                "bytes": len(made.certificate),
                "parts": made.parts,
                "own": made.own,
                **checked,
            }
        return told


def certified_set(
    found: SolvedSet,
    seconds: float,
    progress: Progress | None = None,
    limit: Limit = UNLIMITED,
    workers: int = 1,
    contractors: OwnContractors = (),
) -> SetAnswer:
    """With certificates, made in so many seconds, that are not yet checked; by forked processes if there are several
    workers. Users' own `contractors` give reasons where they can.
    """
    if found.outliers:
        none = Made(reason="certificates are about sets in which every inequality holds")
        return SetAnswer(found, SetCertificates(none, none, none, None, 0.0))
    if found.tree is None:
        raise ValueError("the paving was made without its tree; pave(..., record=True) keeps it")

    def each(names: Sequence[str], make: Callable[[str], Made]) -> list[Made]:
        return for_each([(name, ()) for name in names], lambda name, _: make(name), workers)

    return SetAnswer(found, certify_set(found.system, found.tree, seconds, progress, limit, each, contractors))
