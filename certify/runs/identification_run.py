"""What `certify identify` leaves in a folder: the canonical problem with its table, certificates, a table of parameters
and a record; checked by separate processes.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from certify.checks.checking import REJECTED, RESOURCE, Check, check_each
from certify.claims.linear.arm_claims import arm_lines, arm_record
from certify.claims.linear.linear_question_claims import further_lines
from certify.claims.linear.periodic_claims import periodic_lines, periodic_record, stationary_lines
from certify.claims.linear.physical_claims import physical_lines
from certify.claims.linear_claims import closed_form_lines, identified_sentences, identified_table
from certify.contractors.numbers.enclosures import enclose_rational
from certify.linear_questions.further import Further
from certify.periodic.stationary import StationaryPoint
from certify.problems.arm_dynamics.arm_regressor import ArmRegressor
from certify.problems.dynamics.log_regressor import EncoderStep
from certify.problems.files.disk import write_bytes
from certify.problems.regressors.physical import Physical
from certify.problems.regressors.regressor import Regressor
from certify.records.options import Options, Progress
from certify.records.verdicts import Verdict
from certify.regressors.closed_form import ClosedForm, closed_form
from certify.regressors.identified import CANONICAL, Identified
from certify.regressors.linear import identify
from certify.runs.folders import RECORD, staged, written_before
from certify.runs.identification_extras import INTERVALS, extras, intervals_picture
from certify.solvers.limits import Stopped
from certify.solvers.periodic_estimates.estimates import PeriodicEstimates

SEARCHING = 0.5  # of the time limit; the rest is for the check
GRACE = 20.0  # seconds for the check after an interruption
PARAMETERS = "parameters.csv"

Question = Callable[[Identified, Options, Progress], Further]


@dataclass(frozen=True)
class About:
    """What is known of the parameters beside the rows: the arm that they are of, what physical ones obey, what the
    encoders of a log leave open, and estimates from periods.
    """

    arm: ArmRegressor | None = None
    physical: Physical | None = None
    encoders: EncoderStep | None = None
    periodic: PeriodicEstimates | None = None
    stationary: StationaryPoint | None = None


@dataclass(frozen=True)
class IdentificationRun:
    """The answer as it stands after the checks, and what was written."""

    answer: Identified
    checks: tuple[Check, ...]
    files: tuple[str, ...]
    source: str
    closed: tuple[ClosedForm | None, ...] = ()  # one, if it was asked for
    further: tuple[Further, ...] = ()
    about: About = About()

    @property
    def exit_code(self) -> int:
        """0 if all that was asked is proved and checked, 1 if a certificate was rejected, else 3."""
        if any(check.code == REJECTED or check.code > RESOURCE for check in self.checks):
            return 1
        answer = self.answer
        bounded = answer.verdict is Verdict.INADEQUATE or not answer.open_ends
        decided = answer.verdict is not Verdict.UNDECIDED and answer.error.upper is not None
        stopped = (answer.stopped, *(found.stopped for found in self.further))
        finished = all(why is Stopped.FINISHED for why in stopped)
        alone = self.about.stationary is None or self.about.stationary.share is not None
        whole = finished and bounded and decided and answer.is_physically_decided and alone
        return 0 if whole and all(check.verified for check in self.checks) else 3

    @property
    def lines(self) -> tuple[str, ...]:
        """What is to be read."""
        verified = sum(check.verified for check in self.checks)
        return (
            self.source,
            "",
            identified_table(self.answer),
            "",
            *identified_sentences(self.answer),
            *(line for found in self.closed for line in ("", *closed_form_lines(self.answer, found), "")),
            *(line for found in self.further for line in ("", *further_lines(found))),
            *([""] if self.further else []),
            *self._about(),
            f"Certificates accepted by a separate process: {verified} of {len(self.checks)}.",
        )

    def _about(self) -> list[str]:
        """What the parameters are, and what physical ones can be."""
        arm, physical = self.about.arm, self.about.physical
        told = [] if self.about.encoders is None else self.about.encoders.lines
        told += [] if self.about.periodic is None else [*periodic_lines(self.answer, self.about.periodic), ""]
        told += [] if self.about.stationary is None else [*stationary_lines(self.about.stationary), ""]
        told += [] if physical is None else ["", *physical_lines(self.answer, physical)]
        return told if arm is None else [*told, "", *arm_lines(self.answer, arm), ""]

    def as_json(self) -> dict[str, Any]:
        """One object for scripts."""
        return {
            "source": self.source,
            **self.answer.as_json(),
            "closed_form": next((found.as_json() for found in self.closed if found is not None), None),
            **{found.key: found.as_json() for found in self.further},
            "encoders": None if self.about.encoders is None else asdict(self.about.encoders),
            "stationary_within": None if self.about.stationary is None else self.about.stationary.share,
            "stationary_off_estimate": None if self.about.stationary is None else self.about.stationary.moved,
            "periodic": None if self.about.periodic is None else periodic_record(self.about.periodic),
            "arm": None if self.about.arm is None else arm_record(self.answer, self.about.arm),
            "certificates": {check.certificate: check.verified for check in self.checks},
            "messages": {check.certificate: check.message for check in self.checks},
            "files": list(self.files),
            "exit_code": self.exit_code,
        }


def identification(
    problem: Regressor, source: str, folder: Path, options: Options, progress: Progress, with_closed_form: bool = False,
    questions: Sequence[Question] = (),
    about: About = About(),
) -> IdentificationRun:  # fmt: skip
    """Search, write in the place of what an earlier run wrote, check; what is not checked within the limit does not
    stand.
    """
    limit = options.begun()
    old = written_before(folder)
    searching = Options(time_limit=options.time_limit, limit=limit.share(SEARCHING))
    answer = identify(problem, searching, progress, about.physical)
    closed = (closed_form(problem, searching.limit),) if with_closed_form else ()
    further = _asked(answer, questions, searching, progress)
    after = limit.after(GRACE)
    documents = (*answer.documents, *(document for found in further for document in found.documents))
    texts = {f"{name}.cert": text for name, text in documents}
    names = list(texts)
    promised = (INTERVALS, *(name for found in further for name in found.extras))
    files = (CANONICAL, *names, PARAMETERS, *promised, RECORD)
    with staged(folder, old) as stage:
        answer.problem.write(stage / CANONICAL)
        for name, text in texts.items():
            write_bytes(stage / name, text)
        unchecked = tuple(Check(name, RESOURCE, "not checked", 0.0) for name in names)
        nothing = tuple(found.standing(()) for found in further)
        _record(stage, IdentificationRun(answer.standing(()), unchecked, files, source, closed, nothing, about))
    progress(f"checking {len(names)} certificates in separate processes")
    checks = check_each([(folder / CANONICAL, folder / name) for name in names], after)
    accepted = {texts[check.certificate] for check in checks if check.verified}
    standing = tuple(found.standing(accepted) for found in further)
    told = answer.standing(accepted)
    drawn = {INTERVALS: intervals_picture(told)} | {n: data for found in standing for n, data in extras(found).items()}
    written = {name: data for name, data in drawn.items() if data is not None}
    for name, data in written.items():
        write_bytes(folder / name, data)
    kept = tuple(name for name in files if name in written or name not in promised)
    run = IdentificationRun(told, checks, kept, source, closed, standing, about)
    _record(folder, run)
    return run


def _asked(
    answer: Identified, questions: Sequence[Question], options: Options, progress: Progress
) -> tuple[Further, ...]:
    """The further questions, each with its share of the time that is left."""
    found = []
    for done, question in enumerate(questions):
        limit = options.limit.share(1 / (len(questions) - done))
        share = Options(time_limit=options.time_limit, limit=limit)
        found.append(question(answer, share, progress))
    return tuple(found)


def _record(folder: Path, run: IdentificationRun) -> None:
    write_bytes(folder / PARAMETERS, _parameters(run.answer).encode())
    write_bytes(folder / RECORD, (json.dumps(run.as_json(), indent=1) + "\n").encode())


def _parameters(answer: Identified) -> str:
    """A line for each parameter; ends that are not known are blank, those that are, are rounded outwards."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["parameter", "unit", "lower", "upper", "identified", "estimated_least_squares"])
    for j, (name, (low, high)) in enumerate(zip(answer.problem.names, answer.box, strict=True)):
        ends = ["" if low is None else enclose_rational(low)[0], "" if high is None else enclose_rational(high)[1]]
        estimate = answer.estimate[j] if answer.estimate else ""
        table.writerow([name, answer.problem.units[j], *ends, int(answer.is_identified(j)), estimate])
    return text.getvalue()
