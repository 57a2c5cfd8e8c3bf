"""What the least-squares fit is worth, as plain text: a line for each part."""

from __future__ import annotations

from certify.claims.proved_words import minimum_line
from certify.questions.least_squares import Minimum
from certify.records.results import Result


def minimum_section(answer: Result) -> list[str]:
    """The lines about the least-squares fits."""
    lines = [minimum_line(part) for part in answer.parts if isinstance(part, Minimum)]
    return ["", "least squares: is the fit what it claims to be?", *lines]
