"""How much wider all half-widths must be for the model to fit, and whether noise alone explains that: what is proved,
and what is estimated.

The ends of a factor are proved; how many readings are expected outside, and what the factor means, is estimated if the
noise is Gaussian.
"""

from __future__ import annotations

from collections.abc import Sequence

from certify.claims.half_width_words import IF_GAUSSIAN, all_inside, expected_outside
from certify.claims.proved_words import NOTHING, lower_text, upper_text
from certify.problems.experiments.half_widths import Mixture
from certify.records.factor_records import Factor, Judgement
from certify.records.results import Result
from certify.solvers.limits import Stopped
from certify.text.plain_table import plain_table

HEADINGS = ("part", "uncertain readings", "expected outside", "half-widths times", "is that noise?")
DIGITS, FEW_DIGITS, NARROW = 7, 3, 1e-2
ANSWERS = {
    Judgement.FITS: "-",
    Judgement.MODEL: "no: the model is wrong (estimated)",
    Judgement.NOISE: "yes, alone (estimated)",
    Judgement.OPEN: "undecided",
    Judgement.BOUNDS: "no: the model or a bound is wrong",
    Judgement.UNSTATED: "not stated",
}


def ends(part: Factor) -> str:
    """The interval in which the smallest factor is proved to lie."""
    lower, upper = part.epsilon
    digits = DIGITS if part.gap is not None and part.gap < NARROW else FEW_DIGITS
    if upper is None:
        about = "" if part.estimate is None else f", about {part.estimate:.2g}"
        return f"> {lower_text(lower, digits)}{about}" if lower else NOTHING
    if not upper:
        return "0"
    return f"{lower_text(lower, digits)} .. {upper_text(upper, digits)}" if lower else f"<= {upper_text(upper, digits)}"


def _row(part: Factor) -> tuple[str, ...]:
    outside = part.half_widths.expected_outside(part.readings)
    told = f"{outside:.2g}" if outside is not None else "0" if part.half_widths.stated else "not stated"
    return part.name, str(part.readings), told, ends(part), ANSWERS[part.judgement]


def _outside(part: Factor) -> str:
    return expected_outside(part.half_widths, part.readings)


def _noise(part: Factor) -> str:
    """How wide half-widths must be for noise alone; nothing, where they are bounds."""
    factor = part.half_widths.factor_of_noise(part.readings)
    if factor is None or not part.readings:
        return ""
    ending = "" if isinstance(part.half_widths, Mixture) else f": a factor of {factor:.3g}"
    return f"{all_inside(part.readings, part.half_widths)}{ending}"


def _meaning(parts: Sequence[Factor]) -> list[str]:
    """What the half-widths are, and what noise alone explains: for all parts, or part by part where they differ."""
    parts = [part for part in parts if part.readings] or parts
    if len({part.half_widths for part in parts}) == 1:
        told = [_outside(parts[0])]
        told += [_noise(part) for part in sorted(parts, key=lambda part: part.readings)]
        lines = [f"{text[0].upper()}{text[1:]}." for text in dict.fromkeys(told) if text]
    else:
        pairs = [(part.name, text) for part in parts for text in (_outside(part), _noise(part)) if text]
        lines = [f"{name}: {text}." for name, text in pairs]
    if all(part.half_widths.deviations is None for part in parts):
        return lines
    if any(part.judgement is Judgement.MODEL for part in parts):
        lines.append(f"Where more is needed (proved), the model is wrong {IF_GAUSSIAN}, and as small as stated.")
    if any(part.judgement is Judgement.NOISE for part in parts):
        lines.append(
            f"Where less is enough (witness), wider half-widths would do: noise alone explains the readings "
            f"{IF_GAUSSIAN}."
        )
    if any(part.judgement is Judgement.OPEN and part.readings for part in parts):
        lines.append("Where that lies between the ends of the factor, neither is known.")
    return lines


def factor_section(answer: Result) -> list[str]:
    """The lines about the factors of all parts."""
    parts = [part for part in answer.parts if isinstance(part, Factor)]
    if not parts:
        return []
    table = plain_table([HEADINGS, *map(_row, parts)]).splitlines()
    why = [
        f"{part.name}: {part.stopped.value}." for part in parts if part.stopped not in (Stopped.FINISHED, Stopped.GAP)
    ]
    heading = (
        "smallest common factor on all half-widths of the measurements with which some parameters "
        "explain all of them (its ends are proved):"
    )
    about = (
        ["Where it is told as about so much, that is estimated; --factor proves both ends."]
        if any(part.estimate for part in parts)
        else []
    )
    return ["", heading, *table, "", *_meaning(parts), *about, *why]
