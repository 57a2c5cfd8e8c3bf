"""The picture of an answer: per part, the certified band of the smallest model error, and what least squares needs."""

from __future__ import annotations

from collections.abc import Sequence

from certify.claims.proved_words import FIT_CONSISTENT, FIT_NEEDS, POSSIBLE, REFUTED, ends_drawn
from certify.pictures.drawing import Bar, Mark, draw
from certify.records.results import Part


def picture(title: str, parts: Sequence[Part], fits: Sequence[Part | None]) -> bytes:
    """A PNG: one bar a part up to the proved lower end, a line at the upper end, a mark for what the fit is proved to
    need.
    """
    return draw(title, bars(parts, fits))


def bars(parts: Sequence[Part], fits: Sequence[Part | None]) -> list[Bar]:
    """What is drawn of each part, an answer with an upper end, and of its fit."""
    return [_bar(part, fit) for part, fit in zip(parts, fits, strict=True)]


def _bar(part: Part, fit: Part | None) -> Bar:
    lower, upper = part.epsilon
    return Bar(
        part.name,
        part.unit,
        float(lower),
        float(upper or 0),
        ends_drawn(part),
        REFUTED,
        POSSIBLE,
        None if fit is None else _mark(fit),
    )


def _mark(fit: Part) -> Mark | None:
    """A triangle at a need that is proved, a point where the fit is consistent; nothing where neither is known."""
    if fit.epsilon[0] > 0:
        return Mark(float(fit.epsilon[0]), "#8c2f39", "v", 8, FIT_NEEDS)
    return Mark(0.0, "#1b6e4a", "o", 7, FIT_CONSISTENT) if fit.epsilon[1] == 0 else None
