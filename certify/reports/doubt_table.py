"""Doubts as plain text: a line for each hypothesis and one for each part; the sentences below are in `doubt_claims`."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from certify.checks.checking import Check
from certify.claims.doubt_claims import APART, doubt_sentences, model_checks, nothing_to_doubt
from certify.claims.proved_words import FEWEST_DIGITS, PROVED_GAIN, counted_checks, ends_text, lower_text, percent_down
from certify.records.doubt_records import Doubts, Judged, Model
from certify.text.plain_table import plain_table

HEADINGS = (
    "model",
    "unknowns",
    "smallest model error, worst part",
    "explained",
    APART,
    "explained there",
    "rms there",
    "certificates",
)
PART_HEADINGS = ("part", "model", "smallest model error", PROVED_GAIN, APART, "rms there", "largest there")
BEST = 3  # hypotheses shown of every part


def doubt_text(doubts: Doubts, checks: Sequence[Check], models: Sequence[str]) -> str:
    """The table and the sentences below, of doubts as they stand after the checks; `models` says which model each
    certificate is about.
    """
    unit = doubts.base_parts[0].part.unit if doubts.base_parts else ""
    checked = f"{counted_checks(checks)}."
    if not doubts.base.parts:
        return f"{nothing_to_doubt(doubts, unit)}\n{checked}"
    about = {name: [check for check, model in zip(checks, models, strict=True) if model == name] for name in models}
    rows = [
        HEADINGS,
        *(
            _row(doubts, model, unit, model_checks(about.get(model.name, ())))
            for model in (doubts.base, *doubts.richer)
        ),
    ]
    parts: list[tuple[str, ...]] = [PART_HEADINGS]
    for number, judged in enumerate(doubts.base.parts):
        best = sorted(doubts.richer, key=lambda model: -doubts.gains(model)[number])[:BEST]
        parts += [_part_row(judged.part.name, doubts.base, judged, Fraction(0), unit)]
        parts += [
            _part_row(judged.part.name, model, model.parts[number], doubts.gains(model)[number], unit) for model in best
        ]
    return "\n".join([plain_table(rows), "", plain_table(parts), "", *doubt_sentences(doubts, unit), checked])


def _row(doubts: Doubts, model: Model, unit: str, checked: str) -> tuple[str, ...]:
    base = model is doubts.base
    confirmed, rms, apart = doubts.confirmed(model), model.rms_apart(), model.worst_apart()
    return (
        model.name,
        "" if base else f"+{len(model.added) // len(model.parts)}",
        ends_text(model.worst(), unit, FEWEST_DIGITS),
        "" if base else percent_down(doubts.explained(model)),
        "" if apart is None else ends_text(apart, unit, FEWEST_DIGITS),
        "" if base or confirmed is None else percent_down(confirmed),
        "" if rms is None else f"{rms:.3g} {unit}",
        checked,
    )


def _part_row(name: str, model: Model, judged: Judged, gain: Fraction, unit: str) -> tuple[str, ...]:
    rms, largest = judged.estimated_rms_apart, judged.estimated_largest_apart
    return (
        name,
        model.name,
        ends_text(judged.part.epsilon, unit, FEWEST_DIGITS),
        f"{lower_text(gain, FEWEST_DIGITS)} {unit}" if gain else "",
        "" if judged.apart is None else ends_text(judged.apart.epsilon, unit, FEWEST_DIGITS),
        "" if rms is None else f"{rms:.3g} {unit}",
        "" if largest is None else f"{largest:.3g} {unit}",
    )
