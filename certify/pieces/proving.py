"""One part of a box: proved, so that it becomes a piece, or divided.

A part is searched with few boxes, and proved with few leaves. Where that is not enough it is divided, at the place
where its own search was first divided: so every piece is small, whatever the proof of the whole is, and no more of the
proof than one piece is in memory.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from certify.checker import Status, check
from certify.checker.scope import Box as ExactBox
from certify.contractors.numbers.enclosures import enclose_range
from certify.contractors.protocol.contractor import Box
from certify.contractors.rows.equations import Equations
from certify.contractors.short_numbers import short_between
from certify.problems.errors import InputError
from certify.problems.systems.folded_terms import folds
from certify.problems.systems.system import System
from certify.problems.systems.system_canonical import MOST_VARIABLES, NotCertifiable, canonical_problem
from certify.proofs.problem_replay import Proving, Withdrawn
from certify.proofs.system_certificate import certify_part, equations_of_problem
from certify.questions.set_paving import is_set
from certify.questions.system_search import search
from certify.solvers.limits import Late, Limit, Stopped
from certify.solvers.proof.halvings import Halvings
from certify.solvers.search.branch_and_prune import SearchOptions
from certify.solvers.search.proof_search import Exhausted

ASIDE, BITS = (
    0.45,
    12,
)  # where a part is divided that its search has not divided: not where zeros of symmetrical systems lie
THINNEST = 1e-12  # of what is around 1, or of its distance from 0
LONGEST = 120.0  # seconds for one part


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is done for a part before it is divided: boxes of its search, and leaves of its proof."""

    cells: int = 600
    leaves: int = 2000


@dataclass(frozen=True, slots=True)
class Proved:
    """The text of a piece that the checker's code has accepted here, and the seconds that it took for it."""

    certificate: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Division:
    """A part that was not proved, and where it is to be divided: a place among the variables; None: it is too small."""

    place: int | None
    at: Fraction = Fraction(0)


class PartProver:
    """The tools for one system."""

    def __init__(self, system: System, effort: Effort) -> None:
        self.system, self.effort = system, effort
        try:
            self.proving = Proving(canonical_problem(system))
        except NotCertifiable as reason:
            raise InputError(f"{system.title} cannot be proved in pieces: {reason}") from reason
        self.scope = tuple(range(len(self.proving.problem.families)))
        self.equations: Equations = equations_of_problem(self.proving.problem)
        self._require()

    def _require(self) -> None:
        system = self.system
        if is_set(system) or not self.equations.square:
            raise InputError(
                f"{system.title} has not as many equations as unknowns; only such systems are proved in pieces"
            )
        if len(system.variables) > MOST_VARIABLES:
            raise InputError(
                f"{system.title} has {len(system.variables)} unknowns; systems of more than {MOST_VARIABLES} are not "
                f"proved in pieces, as certificates count no solutions of theirs"
            )
        if any(fold.needed for fold in folds(system)):
            raise InputError(f"{system.title} has unknowns without bounds; give bounds, and it is proved in pieces")
        if len(self.proving.judge(self.scope).variables) != len(system.variables):
            raise InputError(f"{system.title} has unknowns in no equation; leave them out, and it is proved in pieces")

    @property
    def box(self) -> ExactBox:
        """All of the box."""
        return self.proving.judge(self.scope).box

    def attempt(self, part: ExactBox, limit: Limit) -> Proved | Division:
        """The piece of a part, or where the part is to be divided."""
        limit = limit.within(LONGEST)
        low, high = (np.array(ends) for ends in zip(*(enclose_range(*ends) for ends in part), strict=True))
        options = SearchOptions(cell_limit=self.effort.cells, time_limit=limit.remaining, limit=limit, recorded=True)
        paving = search(self.system, options, part=Box(low, high)).paving
        if paving.stopped is Stopped.FINISHED:
            try:
                data = certify_part(self.proving, self.equations, paving, part, limit, self.effort.leaves)
                began = time.perf_counter()
                with limit.enforced():
                    accepted = check(self.proving.canonical, data).status is Status.VERIFIED
                if accepted:
                    return Proved(data.decode("ascii"), time.perf_counter() - began)
            except (Exhausted, Withdrawn, Late):
                pass
        return divided(part, paving.halvings, Box(*self.system.box))


def divided(part: ExactBox, halvings: Halvings | None, whole: Box) -> Division:
    """Where a search has divided the part first, or the side that is the largest share of the box's."""
    if halvings is not None and halvings.places:
        place, at = halvings.variables[0], Fraction(halvings.places[0])
        if part[place][0] < at < part[place][1]:
            return Division(place, at)
    return across(part, whole)


def across(part: ExactBox, whole: Box) -> Division:
    """The side that is the largest share of the box's, and is not too thin, near its middle."""
    shares = []
    for place, (low, high) in enumerate(part):
        width, all_of_it = float(high - low), float(whole.upper[place] - whole.lower[place])
        wide = width > THINNEST * max(1.0, abs(float(low)), abs(float(high)))
        shares.append(width / all_of_it if wide and all_of_it > 0.0 else 0.0)
    place = int(np.argmax(shares))
    at = Fraction(short_between(float(part[place][0]), float(part[place][1]), ASIDE, BITS))
    return Division(place, at) if shares[place] and part[place][0] < at < part[place][1] else Division(None)


def halves(part: ExactBox, division: Division) -> tuple[ExactBox, ...]:
    """Both parts of a part; none of one that is too small."""
    if division.place is None:
        return ()
    k, at = division.place, division.at
    (low, high), before, after = part[k], part[:k], part[k + 1 :]
    return (*before, (low, at), *after), (*before, (at, high), *after)
