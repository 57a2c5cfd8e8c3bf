"""Classical calibration and what it is worth: S2's two solutions, their validation, and proved answers to S2's two
questions about both.

Is a solution consistent with every measurement, for some realisation within the intervals? (`certify.error_at`, with x
fixed.) Is any value of the parameters within the radius around x_c? (`certify.adequacy`.)

The solutions minimise sums of squares of f, which is in mm^2; a model error is one of g, in mm. These figures are not
compared, only the points that they belong to are.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf
from pathlib import Path
from typing import Any

import numpy as np

from certify.checks.checking import Check, check_each
from certify.contractors.numbers.enclosures import enclose_rational
from certify.parts.scopes import TOGETHER
from certify.pictures.experiment_pictures import improvements
from certify.pictures.picture import picture
from certify.problems.experiments.experiment import Experiment, rounded_centre
from certify.problems.experiments.measured_legs import MeasuredLegs, measured_legs
from certify.problems.experiments.toml_writer import write_experiment
from certify.problems.files.disk import write_bytes
from certify.problems.geometry.rotations import Floats
from certify.problems.model.model import Problem
from certify.questions.adequacy import adequacy
from certify.questions.error_at import error_at
from certify.records.options import Options, Progress, silent
from certify.records.results import Part, Result
from certify.records.verdicts import Verdict
from certify.runs.folders import RECORD, staged, written_before
from certify.solvers.advice.classical_fit import ClassicalFit, deviations_of_f, unweighted_fit, weighted_fit
from certify.solvers.advice.validation import PoseErrors, improvement, pose_errors
from certify.solvers.limits import LIMITS
from certify.text.decimals import show

UNWEIGHTED, WEIGHTED = "x_c", "x_c_sigma"
CANONICAL = "problem.canonical"
SEARCHING, FITS = (
    0.85,
    0.2,
)  # of the time limit for everything but writing and the check, and of what is left for what each fit needs
GRACE = 10.0  # seconds for the check after an interruption
PARAMETERS, IMPROVEMENT, EPSILON = "parameters.csv", "improvement.png", "epsilon.png"


@dataclass(frozen=True, eq=False)
class ClassicalSolution:
    """One of the two least-squares solutions, rounded to 1e-4 mm: the estimate, its validation, and what is proved
    about it.

    `parts` are the answers about each leg with x fixed at the rounded solution; empty if it lies outside the box around
    x_c. `contradicting` says for how many poses of each leg no measurement within its intervals fits the solution:
    proved by interval evaluation, without a certificate.
    """

    name: str
    estimate: tuple[Fraction, ...]
    fits: tuple[ClassicalFit, ...]
    errors: PoseErrors | None
    parts: tuple[Part, ...]
    contradicting: tuple[int, ...]

    @property
    def legs(self) -> Floats:
        """The rounded parameters, one line a leg."""
        return np.array([float(value) for value in self.estimate]).reshape(-1, 7)


@dataclass(frozen=True, eq=False)
class ClassicalCalibration:
    """All answers of a classical calibration; `before` are the validation errors of the initial estimate."""

    experiment: Experiment
    measured: MeasuredLegs
    solutions: tuple[ClassicalSolution, ...]
    before: PoseErrors | None
    validation_poses: int
    result: Result
    checks: tuple[Check, ...]
    files: tuple[str, ...]

    @property
    def exit_code(self) -> int:
        """0 if everything is proved and checked, 1 if a check failed, 3 if something stayed undecided."""
        if any(check.code == 1 or check.code > 3 for check in self.checks):
            return 1
        parts = (*self.result.parts, *(part for solution in self.solutions for part in solution.parts))
        undecided = any(part.verdict is Verdict.UNDECIDED or part.stopped in LIMITS for part in parts)
        undecided |= any(not solution.parts for solution in self.solutions)
        return 3 if undecided or any(not check.verified for check in self.checks) else 0

    def standing(self, accepted: Collection[bytes]) -> ClassicalCalibration:
        """What is left of it where the checker has accepted these certificates and no others."""
        solutions = tuple(
            replace(solution, parts=tuple(part.standing(accepted) for part in solution.parts))
            for solution in self.solutions
        )
        return replace(self, solutions=solutions, result=self.result.standing(accepted))

    def as_json(self) -> dict[str, Any]:
        """One object for scripts."""
        answers = {check.certificate: check for check in self.checks}

        def with_check(part: Part) -> dict[str, Any]:
            check = answers.get(f"{part.name}.cert")
            return part.as_json() | {
                "certificate": None if check is None else check.certificate,
                "verified": check is not None and check.verified,
            }

        return {
            "title": self.experiment.title,
            "provenance": self.experiment.provenance,
            "tables": self.experiment.reading.as_json,
            "solutions": [
                {
                    "name": solution.name,
                    "estimated_parameters_mm": {
                        v.name: float(x) for v, x in zip(self.experiment.variables, solution.estimate, strict=True)
                    },
                    "estimated_costs": [fit.cost for fit in solution.fits],
                    "stationary": [fit.stationary for fit in solution.fits],
                    "steps": [fit.steps for fit in solution.fits],
                    "estimated_validation": _validation_json(solution.errors),
                    "contradicting_poses": list(solution.contradicting),
                    "parts": [with_check(part) for part in solution.parts],
                }
                for solution in self.solutions
            ],
            "estimated_validation_before": _validation_json(self.before),
            "validation_poses": self.validation_poses,
            "parts": [with_check(part) for part in self.result.parts],
            "files": list(self.files),
            "exit_code": self.exit_code,
        }


def _validation_json(errors: PoseErrors | None) -> dict[str, float] | None:
    names = ("mean_position_mm", "std_position_mm", "mean_orientation_deg", "std_orientation_deg")
    return None if errors is None else dict(zip(names, errors.summary, strict=True))


def classical_fits(measured: MeasuredLegs, nominal: tuple[Fraction, ...]) -> dict[str, list[ClassicalFit]]:
    """x_c and x_c_sigma, leg by leg, from the initial estimate."""
    start = np.array([float(value) for value in nominal]).reshape(-1, 7)
    return {
        UNWEIGHTED: [unweighted_fit(measured.leg(number), leg) for number, leg in enumerate(start)],
        WEIGHTED: [
            weighted_fit(measured.leg(number), leg, measured.half_widths_of(number)) for number, leg in enumerate(start)
        ],
    }


def contradicting_poses(problem: Problem, x: tuple[Fraction, ...]) -> tuple[int, ...]:
    """For each family the number of rows whose range over their measurements, at x, does not contain 0."""
    ends = np.array([enclose_rational(value) for value in x]).T
    ranges = [block.enclose(ends[0], ends[1]) for block in problem.blocks]
    return tuple(int(((r.lower > 0.0) | (r.upper < 0.0)).sum()) for r in ranges)


def calibrate_classically(
    experiment: Experiment,
    folder: Path,
    validation: MeasuredLegs | None = None,
    options: Options | None = None,
    progress: Progress = silent,
) -> ClassicalCalibration:
    """Fit, validate, prove, write to a folder, have the certificates checked, all within the time limit; raises Late if
    there are no fits by then.
    """
    old, options = written_before(folder), options or Options()
    limit = options.begun()
    searching = replace(options, time_limit=inf, limit=limit.share(SEARCHING))
    measured = measured_legs(experiment)
    progress("fitting")
    with searching.limit.enforced():
        fits = classical_fits(measured, experiment.nominal)
        estimates = {
            name: rounded_centre(np.concatenate([fit.x for fit in found]).tolist()) for name, found in fits.items()
        }
        problem = experiment.problem(estimates[UNWEIGHTED])
    errors_of = _validator(validation)
    solutions, results = _judged(problem, estimates, fits, errors_of, searching, progress)
    start = np.array([float(value) for value in estimates[UNWEIGHTED]])
    result = adequacy(problem, start=start, options=searching, progress=progress)
    before = errors_of(experiment.nominal)
    poses = 0 if validation is None else len(validation.labels)
    with staged(folder, old) as stage:
        write_experiment(stage, experiment, estimates[UNWEIGHTED])
        names = [path.name for answer in (*results, result) for path in answer.save(stage)]
        write_bytes(stage / PARAMETERS, _parameters(experiment, solutions, result.standing(())))
        files = ("problem.toml", "poses.csv", CANONICAL, PARAMETERS, *names, RECORD)
        answer = ClassicalCalibration(experiment, measured, tuple(solutions), before, poses, result, (), files)
        _record(stage, answer.standing(()))  # nothing stands before its check
    progress(f"checking {len(names)} certificates in separate processes")
    checks = check_each([(folder / CANONICAL, folder / name) for name in names], limit.after(GRACE))
    answer = replace(answer, checks=checks).standing(
        {(folder / check.certificate).read_bytes() for check in checks if check.verified}
    )
    write_bytes(folder / PARAMETERS, _parameters(experiment, solutions, answer.result))
    answer = replace(
        answer, files=(*files, *_pictures(folder, experiment, list(answer.solutions), before, answer.result))
    )
    _record(folder, answer)
    return answer


def _judged(
    problem: Problem,
    estimates: dict[str, tuple[Fraction, ...]],
    fits: dict[str, list[ClassicalFit]],
    errors_of: Callable[[tuple[Fraction, ...]], PoseErrors | None],
    options: Options,
    progress: Progress,
) -> tuple[list[ClassicalSolution], list[Result]]:
    """What the two fits need, each with a share of the time."""
    solutions: list[ClassicalSolution] = []
    results: list[Result] = []
    for name, estimate in estimates.items():
        progress(f"{name}: is it consistent with every measurement?")
        inside = all(v.lower <= value <= v.upper for v, value in zip(problem.variables, estimate, strict=True))
        answer = (
            error_at(problem, estimate, f".{name}", replace(options, limit=options.limit.share(FITS)))
            if inside
            else None
        )
        results += [] if answer is None else [answer]
        parts = () if answer is None else answer.parts
        solutions.append(
            ClassicalSolution(
                name, estimate, tuple(fits[name]), errors_of(estimate), parts, contradicting_poses(problem, estimate)
            )
        )
    return solutions, results


def _record(folder: Path, answer: ClassicalCalibration) -> None:
    write_bytes(folder / RECORD, (json.dumps(answer.as_json(), indent=1) + "\n").encode())


def _validator(validation: MeasuredLegs | None) -> Callable[[tuple[Fraction, ...]], PoseErrors | None]:
    def errors(estimate: tuple[Fraction, ...]) -> PoseErrors | None:
        if validation is None:
            return None
        legs = np.array([float(value) for value in estimate]).reshape(-1, 7)
        return pose_errors(legs, validation.poses, validation.readings, validation.labels)

    return errors


def _pictures(
    folder: Path, experiment: Experiment, solutions: list[ClassicalSolution], before: PoseErrors | None, result: Result
) -> list[str]:
    data, written = experiment.provenance.partition(":")[0], []
    improved = [
        (s.name, improvement(before.position, s.errors.position), improvement(before.orientation, s.errors.orientation))
        for s in solutions
        if before is not None and s.errors is not None
    ]
    if improved:
        write_bytes(
            folder / IMPROVEMENT,
            improvements(f"{experiment.title}: improvement by calibration ({data} data)", improved),
        )
        written.append(IMPROVEMENT)
    legs = [part for part in result.parts if part.epsilon[1] is not None and part.name != TOGETHER]
    if legs:
        fixed = {part.name.removesuffix(f".{UNWEIGHTED}"): part for part in solutions[0].parts}
        title = f"{experiment.title}: certified model error ({data} data)"
        write_bytes(folder / EPSILON, picture(title, legs, [fixed.get(part.name) for part in legs]))
        written.append(EPSILON)
    return written


def relative_cost(measured: MeasuredLegs, solution: ClassicalSolution, leg: int) -> tuple[float, float]:
    """Root mean square of f in mm^2, and of f divided by what its half-widths amount to, at the solution: both
    estimated.
    """
    x, of = solution.legs[leg], measured.leg(leg)
    values = of.values(x)
    scale = deviations_of_f(of, x, measured.half_widths_of(leg))
    return float(np.sqrt((values**2).mean())), float(np.sqrt(((values / scale) ** 2).mean()))


def _parameters(experiment: Experiment, solutions: list[ClassicalSolution], result: Result) -> bytes:
    """A table of the parameters: initial estimate, both solutions, and the witness of each leg."""
    witness: dict[str, Fraction] = {}
    for part in result.parts:
        if part.witness is not None and part.name != TOGETHER:
            witness |= part.witness
    lines = [",".join(["parameter", "unit", "initial", *(solution.name for solution in solutions), "witness"])]
    for number, variable in enumerate(experiment.variables):
        found = show(witness[variable.name]) if variable.name in witness else ""
        values = [show(variable.nominal), *(show(solution.estimate[number]) for solution in solutions), found]
        lines.append(",".join([variable.name, variable.unit, *values]))
    return ("\n".join(lines) + "\n").encode()
