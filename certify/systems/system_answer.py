"""All solutions of a system of equations: what the engine has found, the certificate of it, and what the checker, a
separate process, says to that.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from certify.checks.checking import Check
from certify.claims.system_claims import NOT_ASKED, certified_claim, coverage, premise, solved_text
from certify.command import PROVED, REJECTED, UNDECIDED
from certify.pictures.paving_drawing import drawing
from certify.pictures.paving_picture import Drawing
from certify.problems.systems.system import System
from certify.proofs.system_certificate import Proves, SystemCertificate, certify_system
from certify.questions.system_search import Solved
from certify.records.options import Progress
from certify.solvers.graph.own import OwnContractors
from certify.solvers.journal.journal import NOTHING, Memory
from certify.solvers.limits import UNLIMITED, Limit, Stopped
from certify.solvers.workers.crew import ALONE, Crew
from certify.systems.system_record import Document, NamedBox, Record, named_boxes

SOLUTIONS, PROBLEM = "solutions", "problem.canonical"


@dataclass(frozen=True, repr=False)
class SystemAnswer(Record):
    """What is known of all solutions of a system in the domains of its variables.

    `found` is the engine's answer as it was, `made` its certificate (None where none was asked for). Boxes are the
    engine's, each with exactly one solution; the certificate counts solutions, in larger boxes of its own. Every
    solution lies in one of `solutions`, `inner`, `undecided` and `unexplored`; the last three are empty where the
    checker has accepted that there are no others.
    """

    found: Solved
    made: SystemCertificate | None = None

    @property
    def system(self) -> System:
        """What was solved."""
        return self.found.system

    @property
    def answer(self) -> Solved:
        """What the engine has found, settled where the checker has accepted that these are all solutions."""
        return self.found.settled() if self.counts else self.found

    @property
    def proves(self) -> Proves | None:
        """What the checker has accepted."""
        return self.made.proves if self.made is not None and self.is_verified(SOLUTIONS) else None

    @property
    def counts(self) -> bool:
        """Whether the checker has accepted that there are exactly so many solutions."""
        return self.count is not None

    @property
    def count(self) -> int | None:
        """How many solutions there are exactly; None where no checker has accepted a count."""
        return None if self.proves is None else self.proves.solutions

    @property
    def solutions(self) -> tuple[NamedBox, ...]:
        """Boxes by the names of the variables, each with exactly one solution."""
        return named_boxes(self.system, (solution.enclosure for solution in self.found.paving.solutions))

    @property
    def inner(self) -> tuple[NamedBox, ...]:
        """Boxes of which every point is a solution."""
        return named_boxes(self.system, self.answer.paving.inner)

    @property
    def undecided(self) -> tuple[NamedBox, ...]:
        """Boxes that may hold solutions, or none."""
        return named_boxes(self.system, self.answer.paving.undecided)

    @property
    def unexplored(self) -> tuple[NamedBox, ...]:
        """Boxes that a limit left unexplored."""
        return named_boxes(self.system, self.answer.paving.unexplored)

    @property
    def stopped(self) -> Stopped:
        """Why the search ended; never what is proved."""
        return self.answer.stopped

    @property
    def documents(self) -> tuple[Document, ...]:
        """The certificate, if one was made."""
        made = self.made
        return (
            (Document(SOLUTIONS, PROBLEM, made.canonical, made.certificate),)
            if made is not None and made.certificate
            else ()
        )

    @property
    def exit_code(self) -> int:
        """That of `certify run`: proved only by a certificate of all solutions that the checker has accepted."""
        if self._check is not None and self._check.code == REJECTED:
            return REJECTED
        return PROVED if self.counts else UNDECIDED

    @property
    def _check(self) -> Check | None:
        return self.checks.get(SOLUTIONS)

    @property
    def coverage(self) -> str:
        """What is known of all solutions, in a sentence."""
        return coverage(self.answer, self.proves)

    @property
    def text(self) -> str:
        """The answer for people."""
        return solved_text(self.answer, self.made, self._check)

    @property
    def drawing(self) -> Drawing:
        """What a picture of it shows."""
        return drawing(self.answer, "" if self.counts else premise(self.found))

    def as_json(self) -> dict[str, Any]:
        """Plain numbers for scripts; what rests on the word of others is not complete, unless it is certified."""
        told = {"coverage": self.coverage, **self.answer.as_json(), "certificate": self._told()}
        rests_on = "" if self.counts else premise(self.found)
        return told | {"complete": False, "premise": rests_on} if rests_on else told

    def _told(self) -> Mapping[str, Any]:
        """What became of the certificate."""
        made, check = self.made, self._check
        if made is None:
            return {"verified": False, "reason": NOT_ASKED}
        told: dict[str, Any] = {"verified": self.proves is not None, "seconds": round(made.seconds, 4)}
        if check is None or made.proves is None:
            return told | {"reason": made.reason}
        told |= {"claim": certified_claim(made.proves), "file": f"{SOLUTIONS}.cert", "bytes": len(made.certificate)}
        told |= {"message": check.message, "check_seconds": round(check.seconds, 4)}
        return told if check.verified else told | {"reason": check.message}


def certified_system(
    found: Solved,
    seconds: float,
    progress: Progress | None = None,
    limit: Limit = UNLIMITED,
    every: bool = False,
    memory: Memory = NOTHING,
    crew: Crew = ALONE,
    contractors: OwnContractors = (),
) -> SystemAnswer:
    """With a certificate, made in so many seconds, that is not yet checked; with `every` each of its leaves was judged
    as the checker will judge it.
    """
    made = certify_system(found.system, found.paving, seconds, progress, limit, every, memory, crew, contractors)
    return SystemAnswer(found, made)
