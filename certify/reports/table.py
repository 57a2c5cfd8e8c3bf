"""The answer as one table of plain text, and what it means in a sentence or two."""

from __future__ import annotations

from certify.calibration import Calibration
from certify.decimals import round_down, round_up, show
from certify.part_search import TOGETHER
from certify.results import Part
from certify.supplements import SUPPLEMENTS
from certify.verdicts import Verdict
from solvers.limits import Stopped

DIGITS, FEW_DIGITS = 12, 7  # lower ends are rounded down, upper ends up: what is printed is as true as what is proved
HEADINGS = ("part", "any value consistent?", "smallest model error", "gap", "least-squares fit consistent?", "certificate")


def _band(part: Part) -> str:
    lower, upper = part.epsilon
    if upper is None:
        return f"> {show(round_down(lower, DIGITS))} {part.unit}" if part.verdict is Verdict.INFEASIBLE else "not known"
    if part.verdict is Verdict.FEASIBLE:
        return f"<= {show(round_up(upper, DIGITS))} {part.unit}"
    if upper == 0:
        return f"0 {part.unit}"
    return f"{show(round_down(lower, DIGITS))} .. {show(round_up(upper, DIGITS))} {part.unit}"


def _consistent(part: Part) -> str:
    return {
        Verdict.ADEQUATE: "yes (witness)",
        Verdict.INADEQUATE: "no (proved)",
        Verdict.FEASIBLE: "within epsilon",
        Verdict.INFEASIBLE: "no (proved)",
        Verdict.UNDECIDED: "undecided",
    }[part.verdict]


def _row(answer: Calibration, part: Part) -> tuple[str, ...]:
    fitted = answer.fits.get(part.name)
    need = "" if fitted is None else "yes"
    if fitted is not None and fitted.epsilon[1] != 0:
        need = f"no: needs > {show(round_down(fitted.epsilon[0], FEW_DIGITS))} {fitted.unit}"
    check = next((c for c in answer.checks if c.certificate == f"{part.name}.cert"), None)
    told = "none" if check is None else "verified" if check.verified else f"NOT VERIFIED ({check.message})"
    gap = part.gap
    return part.name, _consistent(part), _band(part), "" if gap is None or part.verdict is Verdict.FEASIBLE else f"{gap:.1e}", need, told


def _undetermined(answer: Calibration) -> list[str]:
    lines = []
    for part in answer.result.parts:
        if part.estimated_undetermined and len(part.scope) == 1:
            names = ", ".join(name.partition(".")[2] or name for name in part.estimated_undetermined)
            lines.append(f"{part.name}: the measurements do not determine {names} (estimated from the rank of the Jacobian); more poses are needed.")
    return lines


def _untested(answer: Calibration) -> list[str]:
    """Parts that are adequate because there is nothing that could contradict them."""
    families = {family.name: family for family in answer.experiment.families}
    told = []
    for part in answer.result.parts:
        rows = sum(families[name].rows for name in part.scope)
        unknowns = len({b.index for name in part.scope for b in families[name].bindings if not b.measured})
        if rows <= unknowns and (part.name != TOGETHER or len(answer.result.parts) == 1):
            counted = "poses" if len(part.scope) == 1 else "readings"
            told.append(f"{part.name}: {rows} {counted} for {unknowns} parameters can hardly contradict any model; 'yes' says little.")
    return told if any(part.verdict is Verdict.ADEQUATE for part in answer.result.parts) else []


def table(answer: Calibration) -> str:
    """The table, with the experiment's title above and what to make of it below."""
    rows = [HEADINGS, *(_row(answer, part) for part in answer.result.parts)]
    widths = [max(len(row[k]) for row in rows) for k in range(len(HEADINGS))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    lines.insert(1, "  ".join("-" * width for width in widths))
    told = [answer.experiment.title, answer.experiment.provenance, "", *lines, "", *_undetermined(answer), *_untested(answer)]
    told += [f"{part.name}: {part.stopped.value}." for part in answer.result.parts if part.stopped is not Stopped.FINISHED]
    told += answer.warnings
    for supplement in answer.supplements:
        told += supplement.lines
    told += [""] if answer.supplements else []
    verified = sum(check.verified for check in answer.checks)
    told.append(f"{verified} of {len(answer.checks)} certificates verified by a separate process; {_seconds(answer)}.")
    return "\n".join(told)


def _seconds(answer: Calibration) -> str:
    seconds = answer.seconds
    more = "".join(f"{name} {seconds[name]:.2f} s, " for name in SUPPLEMENTS if name in seconds)
    return f"legs {seconds['search']:.2f} s, together {seconds['together']:.2f} s, {more}check {seconds['check']:.2f} s"


