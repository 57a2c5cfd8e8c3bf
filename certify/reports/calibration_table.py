"""The answer as one table of plain text, and what it means in a sentence or two."""

from __future__ import annotations

from certify.claims.determination_lines import determination_lines, held_line
from certify.claims.proved_words import (
    any_value,
    band,
    certificate_text,
    counted_checks,
    ended_early,
    gap_text,
    little_said,
    nearly,
    stopped_lines,
    this_value,
)
from certify.claims.validation_claims import apart_line
from certify.parts.scopes import TOGETHER
from certify.problems.model.groups import EUCLIDEAN
from certify.problems.robots.components import POSE
from certify.records.results import Part
from certify.records.verdicts import Verdict
from certify.runs.calibration import FACTOR, Calibration
from certify.runs.supplements import SUPPLEMENTS
from certify.text.plain_table import plain_table

HEADINGS = (
    "part",
    "any value consistent?",
    "smallest model error",
    "gap",
    "least-squares fit consistent?",
    "certificate",
)


def _row(answer: Calibration, part: Part) -> tuple[str, ...]:
    fit = this_value(answer.fits.get(part.name))
    return part.name, any_value(part), band(part), gap_text(part), fit, certificate_text(part, answer.checks)


def _undetermined(answer: Calibration) -> list[str]:
    if answer.redundancy is not None:
        return determination_lines(answer.redundancy, answer.held)
    lines = []
    for part in answer.result.parts:
        if part.estimated_undetermined and len(part.scope) == 1:
            names = ", ".join(name.partition(".")[2] or name for name in part.estimated_undetermined)
            lines.append(
                f"{part.name}: the measurements do not determine {names} (estimated from the rank of the "
                f"Jacobian); more poses are needed."
            )
    return lines


def _distances(answer: Calibration) -> list[str]:
    """Which errors are no largest component."""
    kind = answer.experiment.kind
    told = [
        f"{equation.name}: the error of a pose is a distance, the root of the sum of the squares of its components "
        f"{', '.join(equation.components)}."
        for equation in kind.equations
        if equation.norm == EUCLIDEAN
    ]
    if told and kind.ratio is not None:
        names = ", ".join(equation.name for equation in kind.equations)
        told.append(f"{POSE}: the error of a pose is the root of the sum of the squares of those of {names}, in mm.")
    return told


def _untested(answer: Calibration) -> list[str]:
    """Parts that are adequate because there is nothing that could contradict them."""
    families = {family.name: family for family in answer.experiment.families}
    told = []
    for part in answer.result.parts:
        rows = sum(families[name].rows for name in part.scope)
        unknowns = len({b.index for name in part.scope for b in families[name].bindings if not b.measured})
        if rows <= unknowns and (part.name != TOGETHER or len(answer.result.parts) == 1):
            counted = "poses" if len(part.scope) == 1 else "readings"
            told.append(little_said(part.name, rows, counted, unknowns))
    return told if any(part.verdict is Verdict.ADEQUATE for part in answer.result.parts) else []


def table(answer: Calibration) -> str:
    """The table, with the experiment's title above and what to make of it below."""
    rows = [HEADINGS, *(_row(answer, part) for part in answer.result.parts)]
    told = [
        answer.experiment.title,
        answer.experiment.provenance,
        *answer.experiment.reading.told,
        *([] if answer.redundancy is None else held_line(answer.redundancy, answer.held)),
        *(line for supplement in answer.supplements for line in apart_line(supplement.answer)),
        "",
        plain_table(rows, right=False),
        "",
        *_distances(answer),
        *_undetermined(answer),
        *_untested(answer),
    ]
    told += [sentence for part in answer.result.parts for sentence in nearly(part)]
    told += ended_early(answer.result.parts, sum(answer.seconds.values()))
    told += stopped_lines(answer.result.parts)
    told += answer.warnings
    for supplement in answer.supplements:
        told += supplement.tell(supplement.answer)
    told += [f"--{name}: not begun." for name in answer.unasked]
    told += [""] if answer.supplements or answer.unasked else []
    told.append(f"{counted_checks(answer.checks)}; {_seconds(answer)}.")
    return "\n".join(told)


def _seconds(answer: Calibration) -> str:
    seconds = answer.seconds
    more = "".join(f"{name} {seconds[name]:.2f} s, " for name in (*SUPPLEMENTS, FACTOR) if name in seconds)
    parts = "legs" if answer.experiment.kind.legs else "parts"
    return (
        f"{parts} {seconds['search']:.2f} s, together {seconds['together']:.2f} s, {more}check {seconds['check']:.2f} s"
    )
