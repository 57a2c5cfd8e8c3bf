"""A run's folder, judged: what its certificates say of its problem files, which are translated again.

What is said of parts, parameters and residuals is said only where the translation of problem.toml gives the bytes of
problem.canonical; elsewhere certificates may be accepted and nothing connects them with these files.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from certify.checks.checking import REJECTED
from certify.parts.scopes import TOGETHER
from certify.problems.errors import InputError
from certify.problems.experiments.experiment import LEAST_SQUARES, Experiment, box_centre
from certify.problems.experiments.toml_reader import load_experiment
from certify.problems.model.canonical import canonical_bytes
from certify.problems.model.model import Problem
from certify.records.results import Part
from certify.reports.judging.files import Folder, read_folder
from certify.reports.judging.judged import Judged, judge
from certify.reports.judging.standing import Standing, standing
from certify.reports.judging.uncertainties import expanded_uncertainties
from certify.runs.folders import COVERAGE
from certify.runs.supplements import CANONICAL
from certify.solvers.limits import Limit

PROBLEM = "problem.toml"


OTHERS = frozenset({COVERAGE, "guarantees", "hypotheses"})  # keys of records that are about no experiment's parts


@dataclass(frozen=True, slots=True)
class Run:
    """Everything that a report may tell. `experiment` is None where there is no problem.toml, `problem` where it is not
    the one that the certificates are about; `reason` says why. `estimated_expanded` has the expanded uncertainties of
    each part's parameters at its fit; `again` whether all certificates were judged for this report.
    """

    folder: Folder
    judged: tuple[Judged, ...]
    experiment: Experiment | None = None
    problem: Problem | None = None
    reason: str = ""
    standing: tuple[Standing, ...] = ()
    estimated_expanded: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    again: bool = True

    @property
    def exit_code(self) -> int:
        """0 if the checker has accepted all certificates and they are about the problem files, 1 if not, or if the one
        that is proved rejects what it accepts, 3 if a limit was reached or there are none.
        """
        checks = [found.check for found in self.judged]
        denied = any(found.proved is not None and found.proved.code == REJECTED for found in self.judged)
        if (
            denied
            or any(check.code not in (0, 3) for check in checks)
            or (self.experiment is not None and self.problem is None)
        ):
            return 1
        return 0 if checks and all(check.verified for check in checks) else 3

    @property
    def apart(self) -> list[Standing]:
        """The parts, without all together where there are several."""
        return [found for found in self.standing if found.part.name != TOGETHER or len(self.standing) == 1]

    @property
    def parts(self) -> tuple[Part, ...]:
        """The parts as they stand."""
        return tuple(found.part for found in self.standing)


def check_run(
    path: Path, limit: Limit, progress: Callable[[str], None], explained: bool = False, again: bool = True
) -> Run:
    """Read a folder, have everything in it judged, and translate its problem again."""
    folder = read_folder(path)
    judged = judge(folder, limit, progress, explained, again)
    is_experiment = "parts" in folder.record and not OTHERS & set(folder.record)
    if not is_experiment or not (path / PROBLEM).is_file():
        return Run(folder, judged, again=again)
    experiment = load_experiment(path / PROBLEM)
    canonical = folder.problem_named(CANONICAL)
    problem, reason = _translated(experiment, None if canonical is None else canonical.data)
    return Run(folder, judged, experiment, problem, reason, again=again)


def read_run(path: Path, limit: Limit, progress: Callable[[str], None], again: bool = True) -> Run:
    """The same with what follows for the parts of an experiment."""
    run = check_run(path, limit, progress, True, again)
    canonical = run.folder.problem_named(CANONICAL)
    if run.problem is None or run.experiment is None or canonical is None:
        return run
    found = tuple(standing(run.problem, canonical.digest, run.judged, run.folder.record))
    stated = run.experiment.half_widths_are
    expanded = {
        one.part.name: expanded_uncertainties(run.problem, one.part.scope, one.fit_values, stated)
        for one in found
        if one.fit_values is not None
    }
    return replace(run, standing=found, estimated_expanded=expanded)


def _translated(experiment: Experiment, canonical: bytes | None) -> tuple[Problem | None, str]:
    """The problem, if its canonical text is this one; else why not."""
    if canonical is None:
        return None, f"there is no {CANONICAL} in the folder"
    if experiment.centre == LEAST_SQUARES:
        return None, f"the box of {PROBLEM} is centred on a fit, so it is not the one that a run has written"
    try:
        problem = experiment.problem(box_centre(experiment, ()))
        same = canonical_bytes(problem) == canonical
    except InputError as error:
        return None, str(error)
    return (problem, "") if same else (None, f"{PROBLEM} and its tables have changed, or are those of another run")
