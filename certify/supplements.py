"""What a run may be asked beside the model error: hulls, the worth of the least-squares fit, the fewest measurements to leave out.

Each answers about every part, with sentences for the table, records for scripts and certificates for the folder.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from certify.discards import Discards, fewest_discards
from certify.enclose import enclose
from certify.hulls import HULL_SUFFIX
from certify.least_squares import Minimum, least_squares
from certify.part_search import Options, Progress
from certify.reports.discard_table import discard_section
from certify.reports.hull_table import hull_section
from certify.reports.minimum_table import minimum_section
from certify.results import Part
from certify.verdicts import Verdict
from contractors.evaluation import Floats
from problems.model import Problem
from solvers.limits import Stopped

CANONICAL, MIDDLES = "problem.canonical", "least-squares.canonical"
MINIMUM_SUFFIX, MINIMISER_SUFFIX = "-minimum", "-minimiser"
FEWEST_SUFFIX, WITHOUT_SUFFIX = "-fewest", "-without"


@dataclass(frozen=True)
class Supplement:
    """An answer: key in the record, parts, the suffixes of their certificates, the canonical problem's file, certificates by name, sentences."""

    key: str
    parts: tuple[Part, ...]
    suffixes: tuple[str, ...]
    file: str
    canonical: bytes
    certificates: dict[str, bytes]
    lines: list[str]
    complete: bool


def hulls(problem: Problem, epsilon: Fraction, start: Floats, options: Options, progress: Progress, polytopes: bool = False) -> Supplement:
    """Where the consistent parameters can be: boxes, or boxes cut down by half-spaces."""
    answer = enclose(problem, epsilon, start=start, options=options, progress=progress, polytopes=polytopes)
    certificates = {f"{part.name}{HULL_SUFFIX}": part.certificate for part in answer.parts if part.certificate is not None}
    return Supplement("hulls", answer.parts, (HULL_SUFFIX,), CANONICAL, answer.canonical, certificates, hull_section(answer), answer.complete)


def minima(problem: Problem, epsilon: Fraction, start: Floats, options: Options, progress: Progress) -> Supplement:
    """Whether the least-squares fit is the global minimum; epsilon is not used."""
    answer = least_squares(problem, start=start, options=options, progress=progress)
    certificates = {}
    for part in answer.parts:
        local = part.local_certificate if isinstance(part, Minimum) else None
        if part.certificate is not None:
            certificates[f"{part.name}{MINIMUM_SUFFIX}"] = part.certificate
        if local is not None and local != part.certificate:
            certificates[f"{part.name}{MINIMISER_SUFFIX}"] = local
    complete = all(part.verdict is Verdict.GLOBAL_MINIMUM for part in answer.parts)
    return Supplement("minima", answer.parts, (MINIMUM_SUFFIX,), MIDDLES, answer.canonical, certificates, minimum_section(answer), complete)


def discards(problem: Problem, epsilon: Fraction, start: Floats, options: Options, progress: Progress) -> Supplement:
    """The fewest measurements to leave out."""
    answer = fewest_discards(problem, epsilon, start=start, options=options, progress=progress)
    certificates = {}
    for part in answer.parts:
        chosen = part.witness_certificate if isinstance(part, Discards) else None
        if part.certificate is not None and part.certificate != chosen:
            certificates[f"{part.name}{FEWEST_SUFFIX}"] = part.certificate
        if chosen is not None:
            certificates[f"{part.name}{WITHOUT_SUFFIX}"] = chosen
    complete = all(part.stopped is Stopped.FINISHED for part in answer.parts)
    suffixes = (FEWEST_SUFFIX, WITHOUT_SUFFIX)
    return Supplement("discards", answer.parts, suffixes, CANONICAL, answer.canonical, certificates, discard_section(answer), complete)


SUPPLEMENTS: dict[str, Callable[[Problem, Fraction, Floats, Options, Progress], Supplement]] = {
    "enclose": hulls,
    "polytope": partial(hulls, polytopes=True),
    "least-squares": minima,
    "discard": discards,
}
