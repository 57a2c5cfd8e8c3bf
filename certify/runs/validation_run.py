"""Validation of what a run has found, on poses that were kept apart: both ends of what its least-squares fit and its
witness need there, part by part, with certificates about the problem of these poses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from fractions import Fraction

import numpy as np

from certify.claims.validation_claims import validation_section
from certify.parts.fitting import Fitting
from certify.parts.scopes import TOGETHER
from certify.problems.model.model import Problem
from certify.proofs.problem_replay import proving_of
from certify.questions.error_at import error_at
from certify.records.options import Options, Progress
from certify.records.results import Part, Result
from certify.records.validation_records import FIT, WITNESS, Validated
from certify.records.verdicts import Verdict
from certify.runs.supplements import Supplement
from certify.solvers.advice.validation import needed_by_rows

CANONICAL = "validation.canonical"
SUFFIXES = {FIT: ".validated-fit", WITNESS: ".validated-witness"}

Found = tuple[str, str, tuple[Fraction, ...]]  # part, which parameters, all variables


def validated(
    problem: Problem, poses: Sequence[str], fitting: Fitting, result: Result, options: Options, progress: Progress
) -> Supplement:
    """What was found, on the problem of the poses kept apart, whose box is that of the run."""
    proving = proving_of(problem)  # held for all that is asked
    before = [float(value) for value in fitting.experiment.nominal]
    asked = list(_found(problem, fitting, result))
    parts: list[Part] = []
    for turn, (name, which, point) in enumerate(asked):
        progress(f"{name}: what {which} needs on {len(poses)} poses kept apart")
        share = options.limit.share(1.0 / (len(asked) - turn))
        (part,) = error_at(problem, point, SUFFIXES[which], replace(options, limit=share), (name,)).parts
        scope = problem.part(part.scope)
        told = {item.name: getattr(part, item.name) for item in fields(part)}
        at, nominal = (
            tuple(needed_by_rows(problem.blocks, scope, problem.distances, np.array(x)).tolist())
            for x in ([float(value) for value in point], before)
        )
        parts.append(
            Validated(**told, of=name, parameters=which, poses=tuple(poses), estimated=at, estimated_before=nominal)
        )
    return Supplement(
        "validation", Result(tuple(parts), proving.canonical), CANONICAL, _certified, validation_section, _done
    )


def _found(problem: Problem, fitting: Fitting, result: Result) -> Iterator[Found]:
    """The fit and the witness of each part, where the box holds them; other variables are in the middle."""
    middle = [(variable.lower + variable.upper) / 2 for variable in problem.variables]
    names = [variable.name for variable in problem.variables]
    fits = {part.name: part for part in fitting.parts}
    for part in result.parts:
        if part.name == TOGETHER and part.name not in fits:
            continue
        fit = fits.get(part.name)
        if fit is not None and fit.within(problem):
            yield part.name, FIT, tuple(fit.x[v] if v in fit.variables else x for v, x in enumerate(middle))
        if part.witness is not None:
            known = part.witness
            yield part.name, WITNESS, tuple(known.get(name, x) for name, x in zip(names, middle, strict=True))


def _certified(part: Part) -> dict[str, bytes | None]:
    return {"": part.certificate}


def _done(part: Part) -> bool:
    return part.verdict is not Verdict.UNDECIDED
