"""What a doubt says in sentences: the proved gains of richer models, and what they are worth on poses kept apart.

As in `claims`: of records as they stand after the checks, ends rounded outwards, gains and shares down.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from certify.checks.checking import Check
from certify.claims.proved_words import FEWEST_DIGITS, ends_text, percent_down, upper_text
from certify.records.doubt_records import Doubts

APART = "needed on poses kept apart"


def model_checks(checks: Sequence[Check]) -> str:
    """What became of the certificates about one model."""
    return "verified" if checks and all(check.verified for check in checks) else "not verified"


def nothing_to_doubt(doubts: Doubts) -> str:
    """What is said where no part contradicts the base model."""
    undecided = [judged.part.name for judged in doubts.base_parts if judged.upper != 0]
    if undecided:
        return f"Nothing is proved to be wrong with the model, but {', '.join(undecided)}: undecided."
    told = (
        "Nothing to doubt: the model explains every measurement of the poses used, each leg with "
        "measurements of its own (proved)."
    )
    return told + _worst_apart(doubts)


def _worst_apart(doubts: Doubts) -> str:
    """What the base model needs on the poses kept apart, in a sentence."""
    found = [(judged.part, judged.apart.epsilon) for judged in doubts.base_parts if judged.apart is not None]
    told = []
    for unit in dict.fromkeys(part.unit for part, _ in found):
        part, ends = max((pair for pair in found if pair[0].unit == unit), key=lambda pair: pair[1][0])
        told.append(f"{ends_text(ends, unit, FEWEST_DIGITS)} ({part.name}, the worst part; proved)")
    return f" On the {len(doubts.kept_apart)} poses kept apart its witness needs {' and '.join(told)}." if told else ""


def doubt_sentences(doubts: Doubts) -> list[str]:
    """What to make of the tables."""
    count = len(doubts.kept_apart)
    effects = " and ".join(f"{upper_text(size, FEWEST_DIGITS)} {unit}" for unit, size in doubts.effects.items() if size)
    posed = any(len(judged.part.scope) > 1 for judged in doubts.base_parts)
    own = "" if posed else "each leg with measurements of its own; "
    told = [
        f"explained: the proved part of all parts' model errors; {own}"
        f"an added term may amount to {effects} at the ends of its range (wrong readings: ten times that).",
        f"poses kept apart: {count}; needed there: by the witness found on the others (proved); rms, "
        f"largest: residuals at the readings (estimated).",
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
        there = (
            "" if confirmed is None else f", and {percent_down(confirmed)} of what is needed on the poses kept apart"
        )
        rest = " Most of it stays unexplained." if share < Fraction(1, 2) else ""
        told.append(f"To doubt first: {first.sentence} ({first.name}).")
        told.append(f"It explains at least {percent_down(share)} of the model error{there} (proved).{rest}")
    elif not doubts.overfitting:
        told.append("No hypothesis here is proved to explain a hundredth of the model error.")
    else:
        told.append("No hypothesis here is proved to explain the poses kept apart better than the model as it is.")
    if first is None:
        told.append(
            "A few wrong measurements look like a wrong model, too: 'certify run PROBLEM --discard' finds "
            "the fewest to leave out."
        )
    if doubts.overfitting:
        overfitting = ", ".join(model.name for model in doubts.overfitting)
        told.append(f"Likely overfitting, a gain on the poses used and none on those kept apart: {overfitting}.")
    limited = {model.name: bound for model in doubts.richer if (bound := model.limited())}
    if limited:
        named = "; ".join(f"{name}: {', '.join(bound)}" for name, bound in limited.items())
        told.append(f"At the bound of their boxes, so that a larger --effect may explain more: {named}.")
    small = [model.name for model in doubts.richer if model not in doubts.notable]
    if small and doubts.notable:
        told.append(f"Explains less than a hundredth: {', '.join(small)}.")
    if doubts.unproved:
        told.append(f"Estimated to explain less than a hundredth, so not judged: {', '.join(doubts.unproved)}.")
    if doubts.unjudged:
        told.append(f"Not judged within the time limit: {', '.join(doubts.unjudged)}.")
    return told
