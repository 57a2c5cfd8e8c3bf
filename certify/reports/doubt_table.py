"""Doubts as plain text: a line for each hypothesis, one for each part, and what to make of it in sentences."""

from __future__ import annotations

from fractions import Fraction
from math import floor

from certify.decimals import round_down, round_up, show
from certify.doubt_files import Written
from certify.doubts import Doubts, Judged, Model
from certify.reports.plain_table import plain_table

DIGITS = 4
APART = "needed on poses kept apart"
HEADINGS = ("model", "unknowns", "smallest model error, worst part", "explained", APART, "explained there", "rms there", "certificates")
PART_HEADINGS = ("part", "model", "smallest model error", "proved gain", APART, "rms there", "largest there")
BEST = 3  # hypotheses shown of every part


def doubt_text(doubts: Doubts, written: Written) -> str:
    """The table and the sentences below."""
    unit = doubts.base_parts[0].part.unit if doubts.base_parts else ""
    count = sum(check.verified for check in written.checks)
    checked = f"{count} of {len(written.checks)} certificates verified by a separate process."
    if not doubts.base.parts:
        undecided = [judged.part.name for judged in doubts.base_parts if judged.upper != 0]
        if undecided:
            return f"Nothing is proved to be wrong with the model, but {', '.join(undecided)}: undecided.\n{checked}"
        apart = _worst_apart(doubts, unit)
        told = "Nothing to doubt: the model explains every measurement of the poses used, each leg with measurements of its own (proved)."
        return f"{told}{apart}\n{checked}"
    rows = [HEADINGS, *(_row(doubts, model, unit, written) for model in (doubts.base, *doubts.richer))]
    names = [judged.part.name for judged in doubts.base.parts]
    parts: list[tuple[str, ...]] = [PART_HEADINGS]
    for number, name in enumerate(names):
        best = sorted(doubts.richer, key=lambda model: -doubts.gains(model)[number])[:BEST]
        parts += [_part_row(name, doubts.base, doubts.base.parts[number], Fraction(0), unit)]
        parts += [_part_row(name, model, model.parts[number], doubts.gains(model)[number], unit) for model in best]
    lines = [plain_table(rows), "", plain_table(parts), "", *_sentences(doubts, unit), checked]
    return "\n".join(lines)


def _worst_apart(doubts: Doubts, unit: str) -> str:
    """What the base model needs on the poses kept apart, in a sentence."""
    found = [(judged.part.name, judged.apart.epsilon) for judged in doubts.base_parts if judged.apart is not None]
    if not found:
        return ""
    name, ends = max(found, key=lambda pair: pair[1][0])
    return f" On the {len(doubts.kept_apart)} poses kept apart its witness needs {_ends(ends, unit)} ({name}, the worst part; proved)."


def _row(doubts: Doubts, model: Model, unit: str, written: Written) -> tuple[str, ...]:
    base = model is doubts.base
    confirmed, rms, apart = doubts.confirmed(model), model.rms_apart(), model.worst_apart()
    return (
        model.name,
        "" if base else f"+{len(model.added) // len(model.parts)}",
        _ends(model.worst(), unit),
        "" if base else _percent(doubts.explained(model)),
        "" if apart is None else _ends(apart, unit),
        "" if base or confirmed is None else _percent(confirmed),
        "" if rms is None else f"{rms:.3g} {unit}",
        "verified" if written.verified(model.name) else "not verified",
    )


def _part_row(name: str, model: Model, judged: Judged, gain: Fraction, unit: str) -> tuple[str, ...]:
    rms, largest = judged.estimated_rms_apart, judged.estimated_largest_apart
    return (
        name,
        model.name,
        _ends(judged.part.epsilon, unit),
        f"{show(round_down(gain, DIGITS))} {unit}" if gain else "",
        "" if judged.apart is None else _ends(judged.apart.epsilon, unit),
        "" if rms is None else f"{rms:.3g} {unit}",
        "" if largest is None else f"{largest:.3g} {unit}",
    )


def _ends(ends: tuple[Fraction, Fraction | None], unit: str) -> str:
    lower, upper = ends
    if upper is None:
        return f">= {_down(lower)} {unit}"
    return f"0 {unit}" if upper == 0 else f"{_down(lower)} .. {show(round_up(upper, DIGITS))} {unit}"


def _down(value: Fraction) -> str:
    return show(round_down(value, DIGITS)) if value else "0"


def _percent(share: Fraction) -> str:
    return f"{floor(100 * share)}%"


def _sentences(doubts: Doubts, unit: str) -> list[str]:
    count = len(doubts.kept_apart)
    told = [
        "explained: the proved part of all parts' model errors; each leg with measurements of its own; "
        f"an added term may amount to {show(round_up(doubts.effect, DIGITS))} {unit} at the ends of its range (wrong readings: ten times that).",
        f"poses kept apart: {count}; needed there: by the witness found on the others (proved); rms, largest: residuals at the readings (estimated).",
    ]
    known = {judged.part.name for judged in doubts.base.parts}
    others = [judged for judged in doubts.base_parts if judged.part.name not in known]
    for words, names in (
        ("Explained as it is (proved)", [judged.part.name for judged in others if judged.upper == 0]),
        ("Undecided, so not doubted", [judged.part.name for judged in others if judged.upper != 0]),
    ):
        told += [f"{words}: {', '.join(names)}."] if names else []
    first = doubts.first
    if first is not None:
        share, confirmed = doubts.explained(first), doubts.confirmed(first)
        there = "" if confirmed is None else f", and {_percent(confirmed)} of what is needed on the poses kept apart"
        rest = " Most of it stays unexplained." if share < Fraction(1, 2) else ""
        told.append(f"To doubt first: {first.sentence} ({first.name}).")
        told.append(f"It explains at least {_percent(share)} of the model error{there} (proved).{rest}")
    elif not doubts.overfitting:
        told.append("No hypothesis here is proved to explain a hundredth of the model error.")
    else:
        told.append("No hypothesis here is proved to explain the poses kept apart better than the model as it is.")
    if first is None:
        told.append("A few wrong measurements look like a wrong model, too: 'certify run PROBLEM --discard' finds the fewest to leave out.")
    if doubts.overfitting:
        overfitting = ", ".join(model.name for model in doubts.overfitting)
        told.append(f"Likely overfitting, a gain on the poses used and none on those kept apart: {overfitting}.")
    limited = {model.name: bound for model in doubts.richer if (bound := model.limited(doubts.effect))}
    if limited:
        named = "; ".join(f"{name}: {', '.join(bound)}" for name, bound in limited.items())
        told.append(f"At the bound of their boxes, so that a larger --effect may explain more: {named}.")
    small = [model.name for model in doubts.richer if model not in doubts.notable]
    if small and doubts.notable:
        told.append(f"Explains less than a hundredth: {', '.join(small)}.")
    return told
