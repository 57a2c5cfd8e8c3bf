"""The answers about the parts of an experiment as they follow from certificates alone: which part a certificate is
about, and what of it, is read from its own text. The record says only why a search ended, and how to call its level.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from certify.checker.certificate import Certificate
from certify.checks.checking import Check
from certify.parts.scopes import TOGETHER, independent_parts, joint_scope
from certify.problems.model.groups import EUCLIDEAN
from certify.problems.model.model import Problem
from certify.records.results import Part
from certify.records.verdicts import Verdict
from certify.reports.judging.files import recorded_number
from certify.reports.judging.judged import Judged
from certify.solvers.limits import Stopped

FIT = ".least-squares.cert"
ROWS = ("rows", "largest")
KINDS = ("", "errors")  # what a certificate says that rows are: errors of a model


@dataclass(frozen=True, slots=True)
class Standing:
    """A part as it stands, its check, the certificates that it rests on, and what the run's fit needs, at `fit_values`.
    `hull` has the ends of each of the part's variables, by name, at `level`.
    """

    part: Part
    checks: tuple[Check, ...]
    rests_on: tuple[Judged, ...] = ()
    fit: Part | None = None
    fit_values: Mapping[str, Fraction] | None = None
    hull: Mapping[str, tuple[Fraction, Fraction]] | None = None
    hull_file: str = ""
    level: Fraction = Fraction(0)


def standing(problem: Problem, digest: str, judged: Sequence[Judged], record: Mapping[str, Any]) -> list[Standing]:
    """All parts of a problem; only certificates about the canonical text with this SHA-256 speak of it."""
    own = [found for found in judged if found.problem is not None and found.problem.digest == digest]
    return [_standing(problem, name, numbers, own, record) for name, numbers in _parts(problem)]


def _parts(problem: Problem) -> list[tuple[str, tuple[int, ...]]]:
    """The parts that a run asks about, all together last."""
    found = independent_parts(problem)
    together = joint_scope(problem, len(found))
    return found if together is None else [*found, (TOGETHER, together)]


def _standing(
    problem: Problem, name: str, numbers: Sequence[int], judged: Sequence[Judged], record: Mapping[str, Any]
) -> Standing:
    scope = tuple(problem.families[n].name for n in numbers)
    variables = sorted({b.index for n in numbers for b in problem.families[n].bindings if not b.measured})
    names = [problem.variables[v].name for v in variables]
    about = [
        (found, found.read) for found in judged if found.read is not None and _is_about(problem, found.read, scope)
    ]
    ends = [(f, c) for f, c in about if c.point is None and c.within is None and c.zeros is None]
    fits = [(f, c) for f, c in about if c.point is not None and f.file.name.endswith(FIT)]
    hulls = [(f, c) for f, c in about if c.within is not None and c.hull is not None and c.point is None]
    part = _answer(problem, name, scope, names, [c for _, c in ends], _told(record, name))
    part = _with_conflict(problem, part, [f for f, _ in ends])
    fit = _answer(problem, name, scope, names, [c for _, c in fits[:1]], {}) if fits else None
    values = dict(zip(names, fits[0][1].point or (), strict=True)) if fits else None
    hull = dict(zip(names, hulls[0][1].hull.box, strict=True)) if hulls and hulls[0][1].hull is not None else None
    return Standing(
        part,
        _checks(name, [f for f, _ in ends], judged),
        tuple(f for f, _ in (*ends, *fits[:1], *hulls[:1])),
        fit,
        values,
        hull,
        hulls[0][0].file.name if hulls else "",
        (hulls[0][1].within or Fraction(0)) if hulls else Fraction(0),
    )


def _checks(name: str, accepted: Sequence[Judged], judged: Sequence[Judged]) -> tuple[Check, ...]:
    """What is told of a part's certificate: the word about one that speaks of it, else about the file with its name."""
    found = [*accepted, *(j for j in judged if j.file.name == f"{name}.cert" and not j.check.verified)]
    return tuple(Check(f"{name}.cert", j.check.code, j.check.message, j.check.seconds) for j in found[:1])


def _is_about(problem: Problem, certificate: Certificate, scope: Sequence[str]) -> bool:
    """Whether it bounds the plain model error of all rows of these families, and of no others."""
    names = [name for group in certificate.groups for name in group.names]
    if certificate.part is not None:
        return False
    if sorted(names) != sorted(scope) or certificate.factor != 1 or certificate.discard or certificate.squares:
        return False
    if certificate.kind not in KINDS or certificate.minimum is not None:
        return False
    if not all(g.base == 0 and g.scale == 1 for g in certificate.groups):
        return False
    distances = [sorted(group.families) for group in problem.groups if group.norm == EUCLIDEAN]
    if sorted(scope) in distances:
        return len(certificate.groups) == 1 and certificate.groups[0].norm == EUCLIDEAN
    return all(group.norm in ROWS for group in certificate.groups)


def _told(record: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """What the record says of a part, if it is a record as we write it."""
    parts = record.get("parts")
    for part in parts if isinstance(parts, list) else ():
        if isinstance(part, dict) and part.get("name") == name:
            return part
    return {}


def _answer(
    problem: Problem,
    name: str,
    scope: tuple[str, ...],
    names: Sequence[str],
    found: Sequence[Certificate],
    told: Mapping[str, Any],
) -> Part:
    """What these certificates say of a part together."""
    lower = max((c.lower for c in found if c.lower is not None), default=None)
    upper = min((c.upper for c in found if c.upper is not None), default=None)
    best = next((c for c in found if c.upper is not None and c.upper == upper and c.witness is not None), None)
    witness = None if best is None or best.witness is None else dict(zip(names, best.witness.values, strict=True))
    unit = next(family.unit for family in problem.families if family.name == scope[0])
    stopped = next((why for why in Stopped if why.value == told.get("stopped")), Stopped.UNCHECKED)
    if found and not told:
        stopped = Stopped.FINISHED
    return Part(
        name,
        scope,
        _verdict(lower, upper, told.get("verdict")),
        stopped,
        (lower or Fraction(0), upper),
        unit,
        witness,
        (),
        (),
        None,
        recorded_number(told.get("seconds")) or 0.0,
    )


def _verdict(lower: Fraction | None, upper: Fraction | None, told: object) -> Verdict:
    """What follows from both ends; the record only says whether a run has decided at one level, where both words do."""
    if upper == 0:
        return Verdict.ADEQUATE
    if lower is not None and upper is None:
        return Verdict.INFEASIBLE if told == Verdict.INFEASIBLE.value or not lower else Verdict.INADEQUATE
    if lower is not None:
        return Verdict.INADEQUATE
    return Verdict.FEASIBLE if upper is not None and told == Verdict.FEASIBLE.value else Verdict.UNDECIDED


def _with_conflict(problem: Problem, part: Part, found: Sequence[Judged]) -> Part:
    """The part with the rows that the proof of its lower end uses."""
    return replace(part, conflict=tuple(dict.fromkeys(row for judged in found for row in _used(judged))))


def _used(judged: Judged) -> Iterator[tuple[str, int]]:
    told = judged.explanation
    if told is None or told.tree is None or told.certificate.lower is None or told.tree.pieces:
        return
    for family, row in sorted(told.tree.uses):
        yield told.problem.families[family].name, row
