"""What a run may be asked beside the model error: hulls, the worth of the least-squares fit, the fewest measurements to
leave out.

Each answers about every part, with sentences for the table, records for scripts and certificates for the folder.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any

from certify.claims.factor_claims import factor_section
from certify.claims.hull_table import hull_section
from certify.claims.proved_words import discard_section, minimum_section
from certify.contractors.tape.evaluation import Floats
from certify.parts.hulls import HULL_SUFFIX, Enclosed
from certify.parts.part_search import Level
from certify.parts.polytope import Direction
from certify.problems.experiments.half_widths import Statement
from certify.problems.model.model import Problem
from certify.questions.discards import Discards, fewest_discards
from certify.questions.enclose import enclose
from certify.questions.factor import GAP as FACTOR_GAP
from certify.questions.factor import smallest_factor
from certify.questions.least_squares import Minimum, least_squares
from certify.records.factor_records import certified
from certify.records.options import Options, Progress
from certify.records.results import Part, Result
from certify.records.verdicts import Verdict
from certify.solvers.limits import Stopped

CANONICAL, MIDDLES = "problem.canonical", "least-squares.canonical"
POINT_SUFFIX = "-hull-point"
MINIMUM_SUFFIX, MINIMISER_SUFFIX = "-minimum", "-minimiser"
FEWEST_SUFFIX, WITHOUT_SUFFIX = "-fewest", "-without"
QUICK, ROUGH = 30.0, Fraction(3, 4)  # seconds and gap for the factor of a part that nobody has asked for


@dataclass(frozen=True)
class Supplement:
    """An answer: its key in the record, the canonical problem's file, the certificates of a part by the suffixes of
    their names, how it is told, and whether a part is done.
    """

    key: str
    answer: Result
    file: str
    certified: Callable[[Any], dict[str, bytes | None]]
    tell: Callable[[Any], list[str]]
    done: Callable[[Part], bool]

    @property
    def certificates(self) -> dict[str, bytes]:
        """All certificates by name."""
        found = {
            f"{part.name}{suffix}": text for part in self.answer.parts for suffix, text in self.certified(part).items()
        }
        return {name: text for name, text in found.items() if text is not None}

    @property
    def complete(self) -> bool:
        """Whether every part is answered as it was asked."""
        return all(map(self.done, self.answer.parts))

    def problem_of(self, name: str) -> tuple[str, bytes]:
        """The canonical problem that a certificate is about: its file and its bytes."""
        return self.file, self.answer.canonical

    def names(self, part: Part) -> list[str]:
        """The names of a part's certificates, the one that says most first."""
        return [f"{part.name}{suffix}" for suffix, text in self.certified(part).items() if text is not None]

    def standing(self, accepted: Collection[bytes]) -> Supplement:
        """What is left of it where the checker has accepted these certificates and no others."""
        return replace(self, answer=self.answer.standing(accepted))


def hulls(
    problem: Problem,
    epsilon: Level,
    start: Floats,
    options: Options,
    progress: Progress,
    polytopes: bool = False,
    directions: Mapping[str, Sequence[Direction]] | None = None,
) -> Supplement:
    """Where the consistent parameters can be: boxes, or boxes cut down by half-spaces, along these directions or the
    principal axes.
    """

    def certified(part: Enclosed) -> dict[str, bytes | None]:
        return {HULL_SUFFIX: part.certificate, POINT_SUFFIX: part.point_certificate}

    def done(part: Part) -> bool:
        return part.verdict is not Verdict.UNDECIDED and part.stopped is Stopped.FINISHED

    answer = enclose(
        problem, epsilon, start=start, options=options, progress=progress, polytopes=polytopes, directions=directions
    )
    return Supplement("hulls", answer, CANONICAL, certified, hull_section, done)


def minima(problem: Problem, epsilon: Level, start: Floats, options: Options, progress: Progress) -> Supplement:
    """Whether the least-squares fit is the global minimum; epsilon is not used."""

    def certified(part: Minimum) -> dict[str, bytes | None]:
        local = None if part.local_certificate == part.certificate else part.local_certificate
        return {MINIMUM_SUFFIX: part.certificate, MINIMISER_SUFFIX: local}

    def done(part: Part) -> bool:
        return part.verdict is Verdict.GLOBAL_MINIMUM

    answer = least_squares(problem, start=start, options=options, progress=progress)
    return Supplement("minima", answer, MIDDLES, certified, minimum_section, done)


def discards(problem: Problem, epsilon: Level, start: Floats, options: Options, progress: Progress) -> Supplement:
    """The fewest measurements to leave out."""

    def certified(part: Discards) -> dict[str, bytes | None]:
        fewest = None if part.certificate == part.witness_certificate else part.certificate
        return {FEWEST_SUFFIX: fewest, WITHOUT_SUFFIX: part.witness_certificate}

    def done(part: Part) -> bool:
        return part.stopped is Stopped.FINISHED

    answer = fewest_discards(problem, epsilon, start=start, options=options, progress=progress)
    return Supplement("discards", answer, CANONICAL, certified, discard_section, done)


@dataclass(frozen=True)
class Factors(Supplement):
    """Every certificate is about a problem of its own, with half-widths multiplied by its own factor."""

    def problem_of(self, name: str) -> tuple[str, bytes]:
        """The canonical problem beside the certificate."""
        found = {f"{part.name}{suffix}": pair for part in self.answer.parts for suffix, pair in certified(part).items()}
        return f"{name}.canonical", found[name][0]


def factors(
    problem: Problem,
    start: Floats,
    options: Options,
    progress: Progress,
    half_widths: Statement,
    only: Collection[str] | None = None,
) -> Factors:
    """How much wider all half-widths must be for the model to fit: quickly, for the parts that are named; as near as
    asked for, for all.
    """

    def texts(part: Part) -> dict[str, bytes | None]:
        return {suffix: text for suffix, (_, text) in certified(part).items()}

    def done(part: Part) -> bool:
        return only is not None or part.stopped in (Stopped.FINISHED, Stopped.JOINT, Stopped.EXACT)

    near = replace(options, gap=max(options.gap, FACTOR_GAP))
    quick = replace(options, gap=ROUGH, limit=options.limit.within(QUICK))
    progress("how much wider half-widths must be")
    answer = smallest_factor(
        problem,
        start=start,
        options=near if only is None else quick,
        progress=progress,
        only=only,
        half_widths=half_widths,
        rough=only is not None,
    )
    return Factors("factors", answer, CANONICAL, texts, factor_section, done)


SUPPLEMENTS: dict[str, Callable[[Problem, Level, Floats, Options, Progress], Supplement]] = {
    "enclose": hulls,
    "polytope": partial(hulls, polytopes=True),
    "least-squares": minima,
    "discard": discards,
}
