"""The rows of a campaign's table: what the certificates of one task's folder say, judged again, of the task's problem.

Nothing is taken from names or from the record but why a search ended: the problem is made once more, and what is said
of another one does not count.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from certify.campaigns.answering import is_system, problem_of
from certify.campaigns.plan import KEYS, Task
from certify.checker.certificate import Certificate
from certify.claims.system_claims import AT_LEAST
from certify.contractors.numbers.enclosures import enclose_rational
from certify.parts.part_search import level_of
from certify.parts.redundancy import fit_beside
from certify.problems.errors import InputError
from certify.problems.experiments.experiment import LEAST_SQUARES, Experiment, box_centre
from certify.problems.minibex import read_minibex
from certify.problems.model.canonical import canonical_bytes
from certify.problems.systems.system_canonical import NotCertifiable, canonical_problem
from certify.records.options import silent
from certify.records.results import Part
from certify.records.verdicts import Verdict
from certify.reports.judging.files import Folder
from certify.reports.judging.run import Run, check_run
from certify.reports.judging.standing import Standing, standing
from certify.runs.experiment_options import levels
from certify.runs.supplements import CANONICAL
from certify.solvers.journal.plain import Plain
from certify.solvers.limits import UNLIMITED

COUNTED, FAILED, ALL, LONGEST = "counted", "failed", "all solutions", 300


@dataclass(frozen=True, slots=True)
class Row:
    """One part of one task, with its settings in the order of KEYS; ends are rounded outwards. `certificate` is the
    SHA-256 of the one that was accepted.
    """

    task: int
    settings: tuple[str, ...]
    data: str
    part: str
    verdict: str
    lower: float | None
    upper: float | None
    unit: str
    solutions: int | None
    stopped: str
    certificate: str


CODEC = Plain(Row)


def rows_of(task: Task, folder: Path, elsewhere: bool = False) -> tuple[Row, ...]:
    """The rows of a task that was answered in a folder, `elsewhere` by another machine. Raises InputError where it was
    not.
    """
    run = check_run(folder, UNLIMITED, silent)
    return (_system_row(task, run),) if is_system(task) else _experiment_rows(task, run, elsewhere)


def failed(task: Task, why: str) -> tuple[Row, ...]:
    """The row of a task that has no answer."""
    return (_row(task, "", "", FAILED, (None, None), "", None, why, ""),)


def _row(
    task: Task,
    data: str,
    part: str,
    verdict: str,
    ends: tuple[float | None, float | None],
    unit: str,
    solutions: int | None,
    stopped: str,
    certificate: str,
) -> Row:
    told = "".join(letter if letter.isprintable() else " " for letter in stopped)[:LONGEST]
    return Row(task.number, tuple(map(task.get, KEYS)), data, part, verdict, *ends, unit, solutions, told, certificate)


def _experiment_rows(task: Task, run: Run, elsewhere: bool) -> tuple[Row, ...]:
    canonical = run.folder.problem_named(CANONICAL)
    if run.problem is None or run.experiment is None or canonical is None:
        raise InputError(f"task {task.number}: {run.reason or 'its folder has no problem'}")
    own = problem_of(task)
    if canonical_bytes(own.problem(_centre(own, run.experiment, elsewhere))) != canonical.data:
        raise InputError(f"task {task.number}: its folder is about another problem")
    found = standing(run.problem, canonical.digest, run.judged, run.folder.record)
    asked, data = levels(task.get("epsilon") or None, own), own.provenance.partition(":")[0]
    return tuple(_part_row(task, data, one, None if asked is None else level_of(asked, one.part.name)) for one in found)


def _centre(own: Experiment, written: Experiment, elsewhere: bool) -> tuple[Fraction, ...]:
    """Where the task wants its box: at a fit, where that is its rule, which is made once more if another machine has
    made it.
    """
    if own.centre != LEAST_SQUARES:
        return box_centre(own, ())
    return box_centre(own, fit_beside(own)[0].estimate) if elsewhere else box_centre(written, ())


def _part_row(task: Task, data: str, one: Standing, level: Fraction | None) -> Row:
    part = one.part
    lower, upper = part.epsilon
    ends = enclose_rational(lower)[0], None if upper is None else enclose_rational(upper)[1]
    claims = bool(lower) or upper is not None
    digest = one.rests_on[0].file.digest if claims and one.rests_on else ""
    verdict = _decided(part, level).value
    return _row(task, data, part.name, verdict, ends, part.unit, None, part.stopped.value, digest)


def _decided(part: Part, level: Fraction | None) -> Verdict:
    """What the ends decide at the error that the task asks about, or where it asks for both ends: the record may say
    that another one was decided.
    """
    (lower, upper), is_refuted = part.epsilon, part.verdict in (Verdict.INFEASIBLE, Verdict.INADEQUATE)
    if level is None:
        inadequate = is_refuted and bool(lower)
        return (
            Verdict.INADEQUATE
            if inadequate
            else Verdict.UNDECIDED
            if part.verdict is Verdict.FEASIBLE
            else part.verdict
        )
    if upper is not None and upper <= level:
        return Verdict.FEASIBLE if upper else Verdict.ADEQUATE
    return Verdict.INFEASIBLE if is_refuted and lower >= level else Verdict.UNDECIDED


def _system_row(task: Task, run: Run) -> Row:
    try:
        problem = canonical_problem(read_minibex(Path(task.source)))
    except NotCertifiable:
        return _row(task, "", ALL, Verdict.UNDECIDED.value, (None, None), "", None, _stopped(run.folder), "")
    known, names = canonical_bytes(problem), sorted(family.name for family in problem.families)
    about = [one for one in run.judged if one.problem is not None and one.problem.data == known]
    counts = [(count, one.file.digest) for one in about if (count := _solutions(one.read, names)) is not None]
    verdict = COUNTED
    if not counts and task.get("share"):
        verdict = AT_LEAST
        counts = [(count, one.file.digest) for one in about if (count := _some(one.read, names)) is not None]
    count, digest = counts[0] if counts else (None, "")
    verdict = Verdict.UNDECIDED.value if count is None else verdict
    return _row(task, "", ALL, verdict, (None, None), "", count, _stopped(run.folder), digest)


def _solutions(read: Certificate | None, names: list[str]) -> int | None:
    """How many solutions an accepted certificate counts of a system with these equations; None if it counts none."""
    if read is None or not _is_about(read, names) or read.within is not None:
        return None
    return 0 if read.zeros is None and read.lower == 0 else read.zeros


def _some(read: Certificate | None, names: list[str]) -> int | None:
    """How many solutions there are at least, by a certificate that leaves something open; None if it knows none."""
    if read is None or not _is_about(read, names) or read.within is None:
        return None
    return read.zeros or 0


def _is_about(read: Certificate, names: list[str]) -> bool:
    """Whether a certificate is about all of these equations, in all of the box."""
    if read.factor != 1 or read.discard or read.squares or read.point is not None or read.part is not None:
        return False
    return sorted(name for group in read.groups for name in group.names) == names


def _stopped(folder: Folder) -> str:
    told = folder.record.get("stopped")
    return told if isinstance(told, str) else ""
