"""Sections of a run's text that are a sentence for each part: the fewest measurements to leave out, and what the
least-squares fit is worth.
"""

from __future__ import annotations

from certify.claims.proved_words import discard_line, minimum_line
from certify.questions.discards import Discards
from certify.questions.least_squares import Minimum
from certify.records.results import Result
from certify.text.decimals import show


def discard_section(answer: Result) -> list[str]:
    """The lines about the measurements that do not fit."""
    found = [part for part in answer.parts if isinstance(part, Discards)]
    levels = dict.fromkeys(f"{show(part.level)} {part.unit}" for part in found if part.level)
    nouns = " or ".join(sorted({f"{part.noun}s" for part in found})) or "measurements"
    within = f" within {' and '.join(levels)}" if levels else ""
    heading = f"fewest {nouns} to leave out so that the rest is consistent in the search box{within}:"
    return ["", heading, *map(discard_line, found)]


def minimum_section(answer: Result) -> list[str]:
    """The lines about the least-squares fits."""
    lines = [minimum_line(part) for part in answer.parts if isinstance(part, Minimum)]
    return ["", "least squares: is the fit what it claims to be?", *lines]
