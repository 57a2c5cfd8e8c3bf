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
    checked = f"{counted_checks(checks)}."
    if not doubts.base.parts:
        return f"{nothing_to_doubt(doubts)}\n{checked}"
    about = {name: [check for check, model in zip(checks, models, strict=True) if model == name] for name in models}
    rows = [
        HEADINGS,
        *(_row(doubts, model, model_checks(about.get(model.name, ()))) for model in (doubts.base, *doubts.richer)),
    ]
    parts: list[tuple[str, ...]] = [PART_HEADINGS]
    for number, judged in enumerate(doubts.base.parts):
        best = sorted(doubts.richer, key=lambda model: -doubts.gains(model)[number])[:BEST]
        parts += [_part_row(judged.part.name, doubts.base, judged, Fraction(0))]
        parts += [
            _part_row(judged.part.name, model, model.parts[number], doubts.gains(model)[number]) for model in best
        ]
    return "\n".join([plain_table(rows), "", plain_table(parts), "", *doubt_sentences(doubts), checked])


def _row(doubts: Doubts, model: Model, checked: str) -> tuple[str, ...]:
    base = model is doubts.base
    confirmed, units = doubts.confirmed(model), doubts.base.units
    apart = {unit: ends for unit in units if (ends := model.worst_apart(unit)) is not None}
    rms = {unit: value for unit in units if (value := model.rms_apart(unit)) is not None}
    return (
        model.name,
        "" if base else f"+{_unknowns(doubts, model)}",
        "; ".join(ends_text(model.worst(unit), unit, FEWEST_DIGITS) for unit in units),
        "" if base else percent_down(doubts.explained(model)),
        "; ".join(ends_text(ends, unit, FEWEST_DIGITS) for unit, ends in apart.items()),
        "" if base or confirmed is None else percent_down(confirmed),
        "; ".join(f"{value:.3g} {unit}" for unit, value in rms.items()),
        checked,
    )


def _unknowns(doubts: Doubts, model: Model) -> int:
    """How many unknowns a part has more: legs have their own, the components of a pose share them."""
    prefixed = all(
        name.partition(".")[0] in {f for j in doubts.base.parts for f in j.part.scope} for name in model.added
    )
    return len(model.added) // len(model.parts) if prefixed else len(model.added)


def _part_row(name: str, model: Model, judged: Judged, gain: Fraction) -> tuple[str, ...]:
    rms, largest, unit = judged.estimated_rms_apart, judged.estimated_largest_apart, judged.part.unit
    return (
        name,
        model.name,
        ends_text(judged.part.epsilon, unit, FEWEST_DIGITS),
        f"{lower_text(gain, FEWEST_DIGITS)} {unit}" if gain else "",
        "" if judged.apart is None else ends_text(judged.apart.epsilon, unit, FEWEST_DIGITS),
        "" if rms is None else f"{rms:.3g} {unit}",
        "" if largest is None else f"{largest:.3g} {unit}",
    )
