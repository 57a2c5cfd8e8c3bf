"""From an experiment to checked certificates: fit, ask the two questions, bound the model error, write, and have
everything checked again.

S2's questions: is the least-squares fit consistent with every measurement? Is any value of the parameters, within the
box around it? And then: what is the smallest model error that makes one consistent?
"""

from __future__ import annotations

import json
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from math import inf
from pathlib import Path
from typing import Any

from certify.checks.checking import REJECTED, RESOURCE, Check, Checking
from certify.claims.determination_lines import determination_record
from certify.claims.fit_table import fit_lines
from certify.parts.fitting import Fitting, fit_experiment, judged
from certify.parts.part_search import Level
from certify.parts.redundancy import Redundancy, directions, fit_beside
from certify.parts.scopes import TOGETHER, joined
from certify.pictures.drawing import draw
from certify.pictures.painting import Draw, Paint, in_place
from certify.pictures.picture import bars
from certify.problems.errors import InputError
from certify.problems.experiments.experiment import Centre, Experiment, box_centre
from certify.problems.experiments.held import held
from certify.problems.experiments.kept_apart import only_poses
from certify.problems.experiments.toml_writer import write_experiment
from certify.problems.files.disk import write_bytes
from certify.problems.formulas.units import require_known
from certify.problems.model.model import Problem
from certify.proofs.problem_replay import proving_of
from certify.questions.adequacy import LIFT, adequacy
from certify.questions.decide import decide
from certify.questions.error_at import error_at
from certify.records.options import Options, Progress, silent
from certify.records.results import Part, Result
from certify.records.verdicts import Verdict
from certify.runs.folders import RECORD, staged, written_before
from certify.runs.supplements import CANONICAL, SUPPLEMENTS, Supplement, factors, hulls
from certify.runs.validation_run import validated
from certify.solvers.limits import LIMITS, Limit
from certify.text.decimals import show
from certify.text.shown import Shown

FIT_SUFFIX = ".least-squares"
PICTURE, PARAMETERS = "epsilon.png", "parameters.csv"
FACTOR = "factor"
LEAVE, FIX, GROUP = "leave", "fix", "group"  # what becomes of redundant parameters
SEARCHING = 0.85  # of the time limit; the rest is for writing and the check
GRACE = 10.0  # seconds for that after an interruption
ALLOWANCE = 0.5  # seconds beyond the limit in which a check may still end


@dataclass(frozen=True, repr=False)
class Calibration(Shown):
    """All answers about one experiment, the checks of their certificates, how long each stage took, and what was
    `unasked`: its turn did not come. `held` are parameters that were held at their blueprint because they are
    redundant; `redundancy` is None for robots with legs.
    """

    experiment: Experiment
    result: Result
    fits: dict[str, Part]
    checks: tuple[Check, ...]
    seconds: dict[str, float]
    files: tuple[str, ...]
    warnings: tuple[str, ...] = ()
    supplements: tuple[Supplement, ...] = ()
    unasked: tuple[str, ...] = ()
    redundancy: Redundancy | None = None
    held: tuple[str, ...] = ()

    @property
    def exit_code(self) -> int:
        """0 if everything is proved and checked, 1 if a check failed, 3 if something stayed undecided."""
        if any(check.code == REJECTED or check.code > RESOURCE for check in self.checks):
            return 1
        parts = (*self.result.parts, *self.fits.values())
        undecided = any(part.verdict is Verdict.UNDECIDED or part.stopped in LIMITS for part in parts)
        undecided |= any(not supplement.complete for supplement in self.supplements) or bool(self.unasked)
        return 3 if undecided or any(not check.verified for check in self.checks) else 0

    def standing(self, accepted: Collection[bytes]) -> Calibration:
        """What is left of the answer where the checker has accepted these certificates and no others."""
        fits = {name: part.standing(accepted) for name, part in self.fits.items()}
        supplements = tuple(supplement.standing(accepted) for supplement in self.supplements)
        return replace(self, result=self.result.standing(accepted), fits=fits, supplements=supplements)

    def as_json(self) -> dict[str, Any]:
        """One object for scripts."""
        answers = {check.certificate: check for check in self.checks}

        def with_check(part: Part, names: Sequence[str] | None = None) -> dict[str, Any]:
            written = [f"{name}.cert" for name in ([part.name] if names is None else names)]
            check = next((answers[name] for name in written if name in answers), None)
            if check is None:
                return part.as_json() | {"certificate": None, "verified": False}
            verified = all(answers[name].verified for name in written if name in answers)
            told = {"certificate": check.certificate, "verified": verified, "bytes": len(part.certificate or b"")}
            return part.as_json() | told | ({} if check.verified else {"message": check.message})

        parts = []
        for part in self.result.parts:
            fitted = self.fits.get(part.name)
            parts.append(with_check(part) | {"least_squares": None if fitted is None else with_check(fitted)})
        return {
            "title": self.experiment.title,
            "provenance": self.experiment.provenance,
            "tables": self.experiment.reading.as_json,
            "parts": parts,
            **{s.key: [with_check(part, s.names(part)) for part in s.answer.parts] for s in self.supplements},
            "seconds": {name: round(value, 4) for name, value in self.seconds.items()},
            "files": list(self.files),
            "warnings": list(self.warnings),
            "not_begun": list(self.unasked),
            **({} if self.redundancy is None else {"determined": determination_record(self.redundancy, self.held)}),
            "exit_code": self.exit_code,
        }


class _Clock:
    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._last = time.perf_counter()

    def stage(self, name: str) -> None:
        now = time.perf_counter()
        self.seconds[name] = now - self._last
        self._last = now


def parameters(fitting: Fitting, result: Result) -> bytes:
    """A table of the parameters: blueprint, least squares (where it settled), and the witness of each leg; where parts
    share parameters, the fit and the witness of each of them.
    """
    parts = [part for part in result.parts if part.name != TOGETHER or len(result.parts) == 1]
    places = [set(part.variables) for part in fitting.parts]
    apart = sum(map(len, places)) == len(set().union(*places))
    columns = (
        [("", fitting.parts, parts)]
        if apart
        else [(f" {fit.name}", (fit,), [part for part in parts if part.name == fit.name]) for fit in fitting.parts]
    )
    lines = [",".join(["parameter,unit,blueprint", *(f"least squares{of},witness{of}" for of, _, _ in columns)])]
    cells = []
    for _, fits, answers in columns:
        known = {v: show(fit.x[v]) for fit in fits if fit.settled for v in fit.variables}
        witness = {name: show(x) for part in answers if part.witness is not None for name, x in part.witness.items()}
        cells.append((known, witness))
    for number, variable in enumerate(fitting.experiment.variables):
        found = [f"{known.get(number, '')},{witness.get(variable.name, '')}" for known, witness in cells]
        lines.append(",".join([variable.name, variable.unit, show(variable.nominal), *found]))
    return ("\n".join(lines) + "\n").encode()


def _no_value_fits(part: Part) -> bool:
    """Whether a part contradicts its measurements, whatever the parameters are."""
    return part.verdict is Verdict.INADEQUATE or (part.verdict is Verdict.INFEASIBLE and not part.epsilon[0])


def _judged(fitting: Fitting, problem: Problem, options: Options) -> Result | None:
    """What the least-squares fits need that the problem's box holds; None if it holds none."""
    points = judged(fitting, problem)
    answers = []
    for turn, (point, names) in enumerate(points):
        share = options.limit.share(1.0 / (len(points) - turn))
        answers.append(error_at(problem, point, FIT_SUFFIX, replace(options, limit=share), names))
    if not answers:
        return None
    found = {part.name: part for answer in answers for part in answer.parts}
    return replace(
        answers[0],
        parts=tuple(found[f"{part.name}{FIT_SUFFIX}"] for part in fitting.parts if f"{part.name}{FIT_SUFFIX}" in found),
    )


@dataclass(frozen=True)
class _Fitted:
    """The fits, and what is redundant at them; the fits are those of the experiment in which this is `held`."""

    fitting: Fitting
    redundancy: Redundancy | None
    held: tuple[str, ...] = ()


def _fitted(experiment: Experiment, redundant: str, progress: Progress) -> _Fitted:
    """Fit, name what is redundant, and hold it if that is wanted."""
    fitting, found = fit_beside(experiment)
    if found is None:
        if redundant == FIX:
            held(experiment, ())  # says why not
        return _Fitted(fitting, None)
    if not found.given_up:
        return _Fitted(fitting, found)
    names = ", ".join(found.given_up)
    progress(f"the measurements do not tell apart (estimated): {names}{'; held' if redundant == FIX else ''}")
    if redundant != FIX:
        return _Fitted(fitting, found)
    try:
        fixed = held(experiment, found.given_up)
    except InputError as error:
        raise InputError(f"--redundant fix would hold {names}: {error}") from error
    again = fit_experiment(fixed, suspicious=False)
    return _Fitted(replace(again, suspicion=fitting.suspicion), found, found.given_up)


@dataclass(frozen=True)
class _Answers:
    """What is known before anything is written: what is redundant and held, the fits, the box's centre, its problem,
    what fits in it need, and the answers.
    """

    determined: _Fitted
    fitting: Fitting
    centre: Centre
    problem: Problem
    fits: Result | None
    result: Result
    supplements: tuple[Supplement, ...]
    unasked: tuple[str, ...]

    @property
    def by_name(self) -> dict[str, Part]:
        """What the fit needs, by the names of the parts."""
        return {} if self.fits is None else {part.name.removesuffix(FIT_SUFFIX): part for part in self.fits.parts}


@dataclass(frozen=True)
class _Written:
    """The files of a run, and its certificates after the canonical problems that they speak of."""

    files: tuple[str, ...]
    certificates: tuple[tuple[str, str], ...]


def calibrate(
    experiment: Experiment,
    folder: Path,
    options: Options | None = None,
    epsilon: Level | None = None,
    progress: Progress = silent,
    also: Collection[str] = (),
    paint: Paint | None = in_place,
    method: str = LIFT,
    redundant: str = LEAVE,
    apart: Collection[int] = (),
) -> Calibration:
    """Answer everything about an experiment and write it to a folder; with `epsilon`, decide at that model error only.

    `also` names what else is asked, of certify.runs.supplements.SUPPLEMENTS; where a model error matters it is
    `epsilon` (0 if it is not given). Where no value fits, the factor on all half-widths that would help is bounded
    roughly; closely, and for all parts, if `also` names "factor". The time limit is that of everything, the check
    included: when it comes, or an interruption, what was proved so far is written and checked. Raises Late if that
    comes before there is a fit. `paint` draws the picture, None draws none. `method` is that of `adequacy`, which
    bounds the smallest model error. Parameters that are `redundant` are left free, or held at the blueprint ("fix"), or
    free with what is enclosed being the combinations that are determined ("group"). The poses in the
    rows `apart` are not used, and what was found is judged on them.
    """
    old, options = written_before(folder), options or Options()
    clock, limit = _Clock(), options.begun()
    rest = [row for row in range(len(experiment.poses)) if row not in apart]
    answers = _answers(
        only_poses(experiment, rest) if apart else experiment,
        only_poses(experiment, tuple(apart)) if apart else None,
        replace(options, time_limit=inf, limit=limit.share(SEARCHING)),
        epsilon,
        progress,
        also,
        clock,
        method,
        redundant,
    )
    experiment = answers.fitting.experiment
    with staged(folder, old) as stage:
        written = _write(stage, experiment, answers)
        warnings = tuple(fit_lines(answers.fitting, answers.problem))
        told = (
            answers.result,
            answers.by_name,
            (),
            clock.seconds,
            written.files,
            warnings,
            answers.supplements,
            answers.unasked,
            answers.determined.redundancy,
            answers.determined.held,
        )
        answer = Calibration(experiment, *told)
        clock.stage("write")
        _record(stage, answer.standing(()))  # nothing stands before its check
    checking = replace(limit, deadline=limit.deadline + ALLOWANCE).after(GRACE)
    answer = _checked(folder, answer, written, paint if epsilon is None else None, checking, clock, progress)
    write_bytes(folder / PARAMETERS, parameters(answers.fitting, answer.result))
    return answer


def _answers(
    experiment: Experiment,
    apart: Experiment | None,
    options: Options,
    epsilon: Level | None,
    progress: Progress,
    also: Collection[str],
    clock: _Clock,
    method: str,
    redundant: str,
) -> _Answers:
    """Fit, and ask everything in turn, each question with a fair share of the time that is left."""
    limit, level = options.limit, Fraction(0) if epsilon is None else epsilon
    progress("fitting least squares")
    with limit.enforced():
        determined = _fitted(experiment, redundant, progress)
        fitting = determined.fitting
        experiment = fitting.experiment
        centre = box_centre(experiment, fitting.estimate)
        proving = proving_of(experiment.problem(centre))  # held for all that is asked
        problem = proving.problem
        start = fitting.start(problem)
    clock.stage("least squares")
    require_known("also", also, (*SUPPLEMENTS, FACTOR))
    asked = [name for name in SUPPLEMENTS if name in also and not (name == "enclose" and "polytope" in also)]
    later = len(asked) + (apart is not None)

    def share(more: int) -> Options:
        """For what is asked next, before so many questions more; the last one is that for the factor."""
        return replace(options, limit=limit.share(1.0 / (2 + more)))

    fits = _judged(fitting, problem, share(2 + later))
    clock.stage("certify least squares")
    if epsilon is None:
        result = adequacy(problem, start=start, options=share(later), progress=progress, method=method)
    else:
        result = decide(problem, epsilon, start=start, options=share(later), progress=progress)
    clock.stage("search")
    clock.seconds["together"] = sum(part.seconds for part in result.parts if part.name == TOGETHER)
    clock.seconds["search"] -= clock.seconds["together"]
    supplements, unasked = [], []
    if apart is not None:
        judged_on = held(apart, determined.held) if determined.held else apart
        kept = judged_on.problem(centre)
        supplements.append(validated(kept, apart.poses, fitting, result, share(len(asked)), progress))
        clock.stage("validation")
    for turn, name in enumerate(asked):
        if limit.late():
            unasked.append(name)
        else:
            ask = SUPPLEMENTS[name]
            if name == "enclose" and redundant == GROUP and determined.redundancy is not None:
                ask = partial(hulls, directions=directions(determined.redundancy))
            supplements.append(ask(problem, level, start, share(len(asked) - turn - 1), progress))
        clock.stage(name)
    close = FACTOR in also
    alone = len(result.parts) == 1
    contradicted = [part.name for part in result.parts if _no_value_fits(part) and (alone or part.name != TOGETHER)]
    if close and limit.late():
        unasked.append(FACTOR)
    elif (close or contradicted) and not limit.late():
        guess = joined(problem, result.parts, start)
        only = None if close else contradicted
        supplements.append(factors(problem, guess, options, progress, experiment.half_widths_are, only))
        clock.stage(FACTOR)
    return _Answers(determined, fitting, centre, problem, fits, result, tuple(supplements), tuple(unasked))


def _write(folder: Path, experiment: Experiment, answers: _Answers) -> _Written:
    """The experiment with the box that was searched, the canonical problems, the certificates and the table of
    parameters.
    """
    write_experiment(folder, experiment, answers.centre)
    found = (answers.result, answers.fits)
    certificates = [(CANONICAL, path.name) for answer in found if answer is not None for path in answer.save(folder)]
    write_bytes(folder / PARAMETERS, parameters(answers.fitting, answers.result.standing(())))
    for supplement in answers.supplements:
        for name, data in supplement.certificates.items():
            file, canonical = supplement.problem_of(name)
            certificates.append((file, f"{name}.cert"))
            write_bytes(folder / certificates[-1][1], data)
            write_bytes(folder / file, canonical)
    extra = sorted({file for file, _ in certificates} - {CANONICAL})
    files = ("problem.toml", "poses.csv", CANONICAL, *extra, PARAMETERS, *(name for _, name in certificates), RECORD)
    return _Written(files, tuple(certificates))


def _checked(
    folder: Path,
    answer: Calibration,
    written: _Written,
    paint: Paint | None,
    limit: Limit,
    clock: _Clock,
    progress: Progress,
) -> Calibration:
    """The answer as it stands after the check of its certificates, recorded; with a picture of what stands, drawn
    meanwhile.
    """
    pairs = [(folder / canonical, folder / certificate) for canonical, certificate in written.certificates]
    progress(f"checking {len(pairs)} certificates in separate processes, {limit.remaining:.0f} s left")
    with Checking(pairs, limit) as checking:
        drawing = _drawing(answer, paint) if paint is not None and not limit.late() else None
        answer = replace(answer, checks=checking.finish())
    accepted = {
        certificate.read_bytes() for (_, certificate), check in zip(pairs, answer.checks, strict=True) if check.verified
    }
    answer = answer.standing(accepted)
    if drawing is not None and paint is not None and not all(check.verified for check in answer.checks):
        drawing = _drawing(answer, paint)
    if drawing is not None:
        write_bytes(folder / PICTURE, drawing())
        answer = replace(answer, files=(*answer.files, PICTURE))
    clock.stage("check")
    _record(folder, answer)
    return answer


def _record(folder: Path, answer: Calibration) -> None:
    write_bytes(folder / RECORD, (json.dumps(answer.as_json(), indent=1) + "\n").encode())


def _drawing(answer: Calibration, paint: Paint) -> Draw | None:
    """The picture, begun, of the parts of which an upper end is known; None if there are none."""
    parts = [part for part in answer.result.parts if part.epsilon[1] is not None]
    title = f"{answer.experiment.title}: certified model error ({answer.experiment.provenance.partition(':')[0]} data)"
    return paint(draw, (title, bars(parts, [answer.fits.get(part.name) for part in parts]))) if parts else None
