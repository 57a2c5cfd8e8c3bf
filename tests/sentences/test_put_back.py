"""Faults of before, put back one by one: what the command then says is found to be false, and it is not
without them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from conversations import (
    Heard,
    ask,
    hear_doubt,
    hear_next,
    hear_page,
    hear_platform,
    hear_prepare,
    hear_renamed,
    hear_system,
)
from statements import Unread

import certify.claims.hull_table
import certify.claims.proved_words
import certify.commands.run
import certify.explaining.explanation
import certify.explaining.explanation_claims
import certify.explaining.explanation_proof
import certify.explaining.explanation_text
import certify.explaining.model_text
import certify.problems.readings.repetitions
import certify.questions.next_poses
import certify.records.factor_records
import certify.reports.calibration_table
import certify.reports.doubt_table
import certify.reports.judging.standing
import certify.runs.calibration
import certify.systems.system_answer
from certify.command import PROVED
from certify.explaining.model_text import PRODUCT
from certify.proofs.system_certificate import SystemCertificate
from certify.records.factor_records import Judgement
from certify.records.results import Result
from certify.records.verdicts import Verdict
from certify.solvers.limits import Stopped
from certify.text.decimals import show

Patch = pytest.MonkeyPatch
TINY = Fraction(1, 10**6)


def false_no(patch: Patch) -> None:
    """A fit that is not proved consistent is told not to be: its certificate has an upper end above 0, its lower end
    is 0.
    """
    _undecided_fits(patch)
    new = certify.reports.calibration_table.this_value

    def told(part):
        return (
            new(part)
            if part is None or part.epsilon[1] == 0
            else f"no: needs > {show(part.epsilon[0])} {part.unit} (proved)"
        )

    patch.setattr(certify.reports.calibration_table, "this_value", told)


def _undecided_fits(patch: Patch) -> None:
    """The witness of a fit leaves shared readings at their middles, so that its error stays open."""
    new = certify.runs.calibration.error_at

    def error_at(problem, x, *words, **options):
        answer = new(problem, x, *words, **options)
        parts = [
            replace(p, verdict=Verdict.UNDECIDED, epsilon=(p.epsilon[0], TINY)) if not p.epsilon[1] else p
            for p in answer.parts
        ]
        return Result(tuple(parts), answer.canonical)

    patch.setattr(certify.runs.calibration, "error_at", error_at)


def nearest(digits: int) -> Callable[..., str]:
    """Numbers rounded to the nearest, to so many digits."""
    return lambda value, *_: show(Fraction(f"{float(value):.{digits}g}"))


def ends_to_nearest(patch: Patch) -> None:
    """Proved ends are rounded to the nearest."""
    patch.setattr(certify.claims.proved_words, "lower_text", nearest(6))


def gaps_to_nearest(patch: Patch) -> None:
    """The gap of a hull's end is rounded to the nearest."""
    patch.setattr(certify.claims.hull_table, "percent_up", lambda gap: f"{float(gap):.2%}")


def gap_to_nearest(patch: Patch) -> None:
    """The gap between both ends is rounded to the nearest."""
    patch.setattr(certify.reports.calibration_table, "gap_text", lambda part: f"{part.gap:.1e}" if part.gap else "")


def shares_to_nearest(patch: Patch) -> None:
    """0.312 of the search box for 0.3125."""
    patch.setattr(certify.explaining.explanation_claims, "share_text", lambda part: f"{float(part):.3g}")


def no_brackets(patch: Patch) -> None:
    """Formulas without brackets."""
    patch.setattr(certify.explaining.model_text, "_within", lambda part, level: part[0])


def side_by_side(patch: Patch) -> None:
    """Products without a sign, factors with one: x -3."""
    patch.setitem(
        certify.explaining.model_text.INFIX,
        "mul",
        (" ", PRODUCT, certify.explaining.model_text.SUM, certify.explaining.model_text.SUM),
    )


def names_claim(patch: Patch) -> None:
    """What a certificate claims rests on how the rows are called."""
    inner = property(lambda self: all(family.name.startswith("violation") for family in self.problem.families))
    patch.setattr(certify.explaining.explanation.Explanation, "inner", inner)


def without_certificate(patch: Patch) -> None:
    """A system whose certificate was not made ends with 0."""
    patch.setattr(
        certify.systems.system_answer, "certify_system", lambda *_: SystemCertificate(reason="its time ran out")
    )
    patch.setattr(certify.systems.system_answer.SystemAnswer, "exit_code", property(lambda self: PROVED))


def unchecked(patch: Patch) -> None:
    """Verdicts stand whatever the checker said, which has accepted nothing."""
    import running

    new = running._judged_here

    def refused(checked, *words):
        check = new(checked, *words)
        checked[check.certificate] = 3
        return replace(check, code=3)

    patch.setattr(running, "_judged_here", refused)
    patch.setattr(certify.runs.calibration.Calibration, "standing", lambda self, accepted: self)


def finished(patch: Patch) -> None:
    """A part is undecided, and its search has finished."""
    _undecided_fits(patch)
    new = certify.runs.calibration.error_at

    def error_at(*words, **options):
        answer = new(*words, **options)
        return Result(tuple(replace(part, stopped=Stopped.FINISHED) for part in answer.parts), answer.canonical)

    patch.setattr(certify.runs.calibration, "error_at", error_at)


def drawn_residual(patch: Patch) -> None:
    """A triangle stands where nothing is proved that a fit needs."""
    _undecided_fits(patch)
    new = certify.runs.calibration.bars
    patch.setattr(certify.runs.calibration, "bars", lambda parts, fits: new(parts, [_moved(fit) for fit in fits]))


def _moved(fit):
    return None if fit is None else replace(fit, epsilon=(fit.epsilon[1], fit.epsilon[1]))


def bounds_blamed(patch: Patch) -> None:
    """Bounds, or the model, are called wrong though nothing refutes that they hold as they are."""
    new = certify.records.factor_records.Factor.judgement.fget

    def judgement(part):
        bounds = part.half_widths.stated and part.half_widths.deviations is None and part.epsilon[1] != 0
        return Judgement.BOUNDS if bounds and new(part) is Judgement.OPEN else new(part)

    patch.setattr(certify.records.factor_records.Factor, "judgement", property(judgement))


def shares_rounded_up(patch: Patch) -> None:
    """A share that is explained at least is rounded up."""
    patch.setattr(certify.reports.doubt_table, "percent_down", lambda share: f"{-(-100 * share // 1)}%")


def parts_miscounted(patch: Patch) -> None:
    """As many parts as splits."""
    new = certify.explaining.explanation_proof._cases

    def cases(tree):
        return new(replace(tree, leaves=Counter(open=tree.splits)))

    patch.setattr(certify.explaining.explanation_proof, "_cases", cases)


def cuts_to_nearest(patch: Patch) -> None:
    """The end of what is impossible is rounded to the nearest."""
    for name in ("rounded_down", "rounded_up"):
        patch.setattr(certify.explaining.explanation_proof, name, nearest(3))


def parts_for_the_whole(patch: Patch) -> None:
    """What is done to some part of the box is told of the box."""
    new = certify.explaining.explanation_proof._event
    patch.setattr(
        certify.explaining.explanation_proof, "_event", lambda told, event: new(told, replace(event, whole=True))
    )


def conflicts_of_parts(patch: Patch) -> None:
    """Where rows are in conflict is confused: in the box, or in some part of it."""
    new = certify.explaining.explanation_proof._left_out

    def told(explanation, tree):
        return new(explanation, replace(tree, parted=not tree.parted))

    patch.setattr(certify.explaining.explanation_proof, "_left_out", told)


def box_always_trusted(patch: Patch) -> None:
    """The search box has to be trusted for every claim, also for that of a witness."""
    told = [certify.explaining.explanation_text.MEASURED, certify.explaining.explanation_text.DOMAIN]
    patch.setattr(certify.explaining.explanation_text, "_own_numbers", lambda explanation: told)


def rows_of_a_scope(patch: Patch) -> None:
    """The problem is said to have the rows that the certificate is about."""
    new = certify.explaining.explanation_text._problem

    def problem(explanation, files):
        families = tuple(explanation.problem.families[number] for number in explanation.families)
        return new(replace(explanation, problem=explanation.problem._replace(families=families)), files)

    patch.setattr(certify.explaining.explanation_text, "_problem", problem)


def further_above(patch: Patch) -> None:
    """A level is further above the smallest error than is said."""
    patch.setattr(certify.questions.next_poses, "ABOVE", Fraction(12, 10))


def of_centred_readings(patch: Patch) -> None:
    """The scatter of the centred readings, which is too small, is told as that of one reading."""
    patch.setattr(
        certify.problems.readings.repetitions.Spread,
        "deviation",
        certify.problems.readings.repetitions.Spread.distribution,
    )


def scopes_ignored(patch: Patch) -> None:
    """A report takes every certificate of the problem for one about every part."""
    patch.setattr(certify.reports.judging.standing, "_is_about", lambda problem, certificate, scope: True)


Conversation = Callable[[Path], Iterator[Heard]]


def asked(seed: int, *words: str, explained: bool = False) -> Conversation:
    """A run on an experiment with options."""
    return lambda folder: ask(seed, folder, words, explained=explained)


FAULTS: list[tuple[Callable[[Patch], None], Conversation]] = [
    (false_no, asked(0)),
    (drawn_residual, asked(0)),
    (finished, asked(0)),
    (unchecked, asked(4)),
    (ends_to_nearest, asked(4)),
    (ends_to_nearest, lambda folder: hear_platform(2, folder)),
    (further_above, lambda folder: hear_next(2, folder)),
    (of_centred_readings, lambda folder: hear_prepare(1, folder)),
    (gap_to_nearest, asked(4, "--gap", "0.0124")),
    (gaps_to_nearest, asked(126, "--enclose")),
    (no_brackets, asked(4, explained=True)),
    (no_brackets, lambda folder: hear_system(10, folder)),
    (side_by_side, lambda folder: hear_system(2, folder)),
    (shares_to_nearest, lambda folder: hear_system(3, folder)),
    (without_certificate, lambda folder: hear_system(4, folder)),
    (bounds_blamed, asked(174, "--factor", "--gap", "0.5")),
    (shares_rounded_up, lambda folder: hear_doubt(37, folder)),
    (parts_miscounted, lambda folder: hear_system(2, folder)),
    (cuts_to_nearest, lambda folder: hear_system(2, folder)),
    (parts_for_the_whole, asked(66, "--enclose", explained=True)),
    (conflicts_of_parts, asked(46, "--discard", "--epsilon", "0 1", explained=True)),
    (box_always_trusted, asked(14, explained=True)),
    (rows_of_a_scope, asked(0, explained=True)),
    (scopes_ignored, lambda folder: hear_page(0, folder)),
    (names_claim, lambda folder: hear_renamed(3, folder)),
]


def faults(fault: Callable[[Patch], None] | None, conversation: Conversation, folder: Path) -> list[Heard | Unread]:
    """What is false, or cannot be read, with a fault put back."""
    with pytest.MonkeyPatch.context() as patch:
        if fault is not None:
            fault(patch)
        try:
            return [heard for heard in conversation(folder) if not heard.true]
        except Unread as unread:
            return [unread]


@pytest.mark.parametrize(("fault", "conversation"), FAULTS, ids=lambda value: getattr(value, "__name__", ""))
def test_a_fault_that_is_put_back_is_found(fault, conversation, tmp_path):
    assert not faults(None, conversation, tmp_path / "without")
    assert faults(fault, conversation, tmp_path / "with")
